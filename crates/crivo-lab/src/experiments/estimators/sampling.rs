//! Samples of streams.

use crivo::rng::Rng;
use crivo::stats::chi_squared_sf;
use crivo::{Reservoir, VarOpt, WeightedReservoir};
use libm::{ceil, sqrt};

use super::super::prelude::*;
use super::subject::{About, Answer, Flaw, Law, Subject, Trial, judged};

const GRID: &[f64] = &[10.0, 50.0, 65.0, 80.0, 120.0, 250.0, 600.0, 2000.0, 1e4, 3e4, 1e5];
const QUICK: f64 = 1e4;
const SIZES: &[u64] = &[16, 32, 64, 128, 256];
/// A chance below this is none.
const FALSE_ALARM: f64 = 1e-6;

/// Whether the counts are as likely as these probabilities say: Pearson's χ².
fn fits(claim: &str, counts: &[u64], probabilities: &[f64]) -> Verdict {
    let total = counts.iter().sum::<u64>() as f64;
    let part =
        |(&count, &p): (&u64, &f64)| (count as f64 - total * p) * (count as f64 - total * p) / (total * p);
    let statistic: f64 = counts.iter().zip(probabilities).map(part).sum();
    let freedom = counts.len() as f64 - 1.0;
    let chance = chi_squared_sf(freedom, statistic);
    let detail = format!(
        "χ² = {statistic:.2} with {freedom} degrees of freedom, p = {chance:.2e}. Counts {counts:?}."
    );
    Verdict::new(claim, chance > FALSE_ALARM, detail)
}

/// The share of items that came in the first three tenths of the stream.
pub(super) struct Reservoirs;

fn early(n: f64) -> f64 {
    ceil(0.3 * n)
}

impl Subject for Reservoirs {
    const ABOUT: About = About {
        id: "c-reservoir",
        title: "Reservoir: error, memory and intervals of a share",
        reference: "Vitter 1985; Li 1994",
        question: "A share of the stream, its first three tenths, is estimated from the sample: how large is the error, while the stream \
grows; what does an item more in the sample buy; does the interval have the promised coverage; and is every place in the stream as likely to be \
in the sample?",
        theory: judged!(
            "The sample is k of n without putting back: the number of hits is hypergeometric. So the share p has no bias and a standard error \
             of √(p(1 − p)/k · (n − k)/(n − 1)), and is exact up to k items. The interval is a theorem."
        ),
        cost: Cost { quick: 0.3, full: 2.0 },
    };
    const SIZE: &'static str = "k (items)";
    const SIZES: &'static [u64] = SIZES;
    const X: &'static str = "items n (count)";
    const ERROR: &'static str = "error of a share (percentage points)";
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = QUICK;
    const COMPARED: f64 = 1e4;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sample = Reservoir::for_k(size as u32, rng.next_u64())?;
        let (mut added, mut answers) = (0, Vec::with_capacity(grid.len()));
        for &n in grid {
            (added..n as u64).for_each(|item| sample.insert(item));
            added = n as u64;
            let share = sample.share(|&item| (item as f64) < early(n));
            answers.push(Answer::scaled(&share, early(n) / n, 100.0));
        }
        Ok(Trial { answers, bytes: sample.memory_bytes() as f64 })
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        let (k, p) = (size as f64, early(n) / n);
        let left = ((n - k) / (n - 1.0)).max(0.0);
        Ok(Law::of(100.0 * sqrt(p * (1.0 - p) / k * left)).with_jump(100.0 / k))
    }

    /// One item of each sample, so that all are independent: it comes from every tenth of the stream as often.
    fn more(settings: &Settings, flaw: Flaw, outcome: &mut Outcome) -> Result<()> {
        let mut rng = settings.rng("c-reservoir places");
        let mut counts = [0u64; 10];
        for _ in 0..if settings.size == Size::Quick { 2000 } else { 20_000 } {
            let mut sample = Reservoir::for_k(16, rng.next_u64())?;
            (0..1000u64).filter(|&item| flaw.keeps(item)).for_each(|item| sample.insert(item));
            counts[(sample.sample()[rng.below(16) as usize] / 100) as usize] += 1;
        }
        let claim = "Every tenth of a stream of 1,000 items is as likely to be in a sample of 16.";
        outcome.verdicts.push(fits(claim, &counts, &[0.1; 10]));
        Ok(())
    }
}

/// Every third item weighs nine times as much as the others: the share of these in the sample.
pub(super) struct WeightedReservoirs;

const HEAVY: f64 = 9.0;

fn weight(item: u64) -> f64 {
    if item.is_multiple_of(3) { HEAVY } else { 1.0 }
}

impl Subject for WeightedReservoirs {
    const ABOUT: About = About {
        id: "c-weighted-reservoir",
        title: "Weighted reservoir: error and memory of a share by weight",
        reference: "Efraimidis and Spirakis 2006",
        question: "Every third item weighs nine times as much as the others. The share of these in the sample estimates their share of \
the weight: how large is the error, while the stream grows; what does an item more in the sample buy; and is each draw by weight?",
        theory: judged!(
            "The first item of the sample is one with probability weight/total; so is every later one, of what is left. What the k items take away \
             moves a share by at most k·9 over the weight that is left: that is allowed for. Within this, the share p in the sample has a standard error of \
             at most √(p(1 − p)/k). The sample has no intervals."
        ),
        cost: Cost { quick: 0.4, full: 3.0 },
    };
    const SIZE: &'static str = "k (items)";
    const SIZES: &'static [u64] = SIZES;
    const X: &'static str = "items n (count)";
    const ERROR: &'static str = "error of a share (percentage points)";
    const GRID: &'static [f64] = &[600.0, 1200.0, 3000.0, 1e4, 3e4, 1e5];
    const QUICK: f64 = QUICK;
    const COMPARED: f64 = 1e4;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sample = WeightedReservoir::for_k(size as u32, rng.next_u64())?;
        let (mut added, mut answers) = (0, Vec::with_capacity(grid.len()));
        for &n in grid {
            (added..n as u64).try_for_each(|item| sample.insert(item, weight(item)))?;
            added = n as u64;
            let (drawn, third) = (sample.sample(), ceil(n / 3.0));
            let heavy = drawn.iter().filter(|(_, weight)| *weight == HEAVY).count() as f64;
            let truth = HEAVY * third / (HEAVY * third + n - third);
            answers.push(Answer { error: 100.0 * (heavy / drawn.len() as f64 - truth), bar: None });
        }
        Ok(Trial { answers, bytes: sample.memory_bytes() as f64 })
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        let (k, p) = (size as f64, HEAVY / (HEAVY + 2.0));
        let total = (HEAVY + 2.0) / 3.0 * n;
        let (deviation, slack) = (100.0 * sqrt(p * (1.0 - p) / k), 100.0 * HEAVY * k / (total - HEAVY * k));
        Ok(Law::at_most(deviation + slack).with_slack(slack).with_jump(100.0 / k))
    }

    fn more(settings: &Settings, flaw: Flaw, outcome: &mut Outcome) -> Result<()> {
        let mut rng = settings.rng("c-weighted-reservoir draws");
        let weights: Vec<f64> = (1..=8).map(|i| f64::from(i * i)).collect();
        let total: f64 = weights.iter().sum();
        let mut counts = [0u64; 8];
        for _ in 0..if settings.size == Size::Quick { 5000 } else { 50_000 } {
            let mut sample = WeightedReservoir::for_k(4, rng.next_u64())?;
            let kept = weights.len() - usize::from(flaw == Flaw::Lost);
            weights
                .iter()
                .enumerate()
                .take(kept)
                .try_for_each(|(item, &weight)| sample.insert(item, weight))?;
            counts[*sample.sample()[0].0] += 1;
        }
        let probabilities: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        outcome.verdicts.push(fits("The first draw is by weight: 1, 4, 9, … 64.", &counts, &probabilities));
        Ok(())
    }
}

/// The share of the weight that came in the first three tenths of the stream, with weights as of [`WeightedReservoirs`].
pub(super) struct VarOpts;

/// The weights of the first n items, and of the early ones among them, by size: heavy and light.
fn amounts(n: f64) -> [f64; 2] {
    [HEAVY * ceil(n / 3.0), n - ceil(n / 3.0)]
}

/// The threshold of a sample of k of the first n items.
fn threshold(k: f64, n: f64) -> f64 {
    let [heavy, light] = amounts(n);
    let both = (heavy + light) / k;
    // All heavy items are kept as they are while there is room for more of them than that.
    if both <= HEAVY && k > heavy / HEAVY { light / (k - heavy / HEAVY) } else { both }
}

impl Subject for VarOpts {
    const ABOUT: About = About {
        id: "c-var-opt",
        title: "VarOpt: error, memory and intervals of a share of the weight",
        reference: "Cohen, Duffield, Kaplan, Lund and Thorup 2011",
        question: "Every third item weighs nine times as much as the others. The share of the weight that came in the first three tenths of \
the stream is estimated from the sample: how large is the error, while the stream grows; what does an item more in the sample buy; does the \
interval have the promised coverage; and is every item kept in proportion to its weight?",
        theory: judged!(
            "An item of weight w is kept with probability min(1, w/τ) and stands for the weight τ, or for its own if that is larger. No two \
             items attract each other, so the variance of the sum of a subset is at most τ²Σp(1 − p) over its items, and over those outside it, \
             since the sum of all is exact. The interval is a theorem, and the share is exact up to k items."
        ),
        cost: Cost { quick: 0.4, full: 3.0 },
    };
    const SIZE: &'static str = "k (items)";
    const SIZES: &'static [u64] = SIZES;
    const X: &'static str = "items n (count)";
    const ERROR: &'static str = "error of a share (percentage points)";
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = QUICK;
    const COMPARED: f64 = 1e4;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sample = VarOpt::for_k(size as u32, rng.next_u64())?;
        let (mut added, mut answers) = (0, Vec::with_capacity(grid.len()));
        for &n in grid {
            (added..n as u64).try_for_each(|item| sample.insert(item, weight(item)))?;
            added = n as u64;
            let share = sample.share(|&item| (item as f64) < early(n));
            let truth = amounts(early(n)).iter().sum::<f64>() / amounts(n).iter().sum::<f64>();
            answers.push(Answer::scaled(&share, truth, 100.0));
        }
        Ok(Trial { answers, bytes: sample.memory_bytes() as f64 })
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        let (k, total) = (size as f64, amounts(n).iter().sum::<f64>());
        if n <= k {
            return Ok(Law::of(0.0));
        }
        let threshold = threshold(k, n);
        let variance = |amounts: [f64; 2]| -> f64 {
            let of = |amount: f64, weight: f64| {
                amount / weight * (weight / threshold) * (1.0 - weight / threshold).max(0.0)
            };
            of(amounts[0], HEAVY) + of(amounts[1], 1.0)
        };
        let (inside, all) = (variance(amounts(early(n))), variance(amounts(n)));
        let deviation = threshold * sqrt(inside.min(all - inside)) / total;
        Ok(Law::at_most(100.0 * deviation).with_jump(100.0 * threshold / total))
    }

    /// One item of each sample, so that all are independent: by weight, as none of them is heavy.
    fn more(settings: &Settings, flaw: Flaw, outcome: &mut Outcome) -> Result<()> {
        let mut rng = settings.rng("c-var-opt items");
        let weights: Vec<f64> = (1..=16).map(|i| f64::from(8 + i)).collect();
        let total: f64 = weights.iter().sum();
        let mut counts = [0u64; 16];
        for _ in 0..if settings.size == Size::Quick { 5000 } else { 50_000 } {
            let mut sample = VarOpt::for_k(4, rng.next_u64())?;
            let kept = weights.len() - usize::from(flaw == Flaw::Lost);
            weights
                .iter()
                .enumerate()
                .take(kept)
                .try_for_each(|(item, &weight)| sample.insert(item, weight))?;
            counts[*sample.sample()[rng.below(4) as usize].0] += 1;
        }
        let probabilities: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        outcome.verdicts.push(fits(
            "Items are kept in proportion to their weights: 9, 10, … 24.",
            &counts,
            &probabilities,
        ));
        Ok(())
    }
}
