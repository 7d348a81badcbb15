//! What Lopes' text prints wrong, shown by numbers.

use crivo::membership::CountingParams;
use crivo::rng::Rng;
use crivo::stats::{binomial_band, binomial_cdf, binomial_sf};
use crivo::{BloomFilter, BloomParams, CountingBloom, HashSpec, HyperLogLog};
use libm::{exp, log, log1p, pow};

use super::prelude::*;
use crate::coverage::Coverage;
use crate::summary::{Summary, student};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-errata-lopes",
    title: "Errata of the thesis, shown by measurement",
    source: Source::Lopes,
    reference: "Lopes 2017, sections 1.1.3, 2.1.4, 2.1.5, 2.4.4 and 3.4.1",
    question: "Where formulas and algorithms of the thesis are printed wrong, what do the data say?",
    theory: "\
One row each. (1) Chernoff's two-sided bound 2e^(−μδ²/3) is an upper one: X is binomial, its tail is computed exactly and drawn. \
(2) Papapetrou's interval: with the printed order S⁻¹(t − 1) ≤ n_a ≤ n_b ≤ S⁻¹(t + 1) the formula promises less than nothing; with \
n_a ≤ S⁻¹(t − 1) and n_b ≥ S⁻¹(t + 1) it is the interval of `cardinality_proven_at`, whose share of hits is measured. (3) The bound on overflows \
of counters is a sum over the m counters, not the n items: with 2 bits more counters reach 4 than n times the printed term (their mean number is what the proof bounds; the chance of any overflow is not measured). (4) Removal by algorithm 7 \
takes counters below 0. (5) Merging a sketch folded by max(M[2i], M[2i + 1]) with a native one of the same items: a \
rank of r or more comes with 1.5 times the chance, so half as many again are counted. (6) Joining two vertices takes an own element from both \
sets, so their union loses one. Means are judged by Student's t, counts by the binomial law, each with a false-alarm probability of 10⁻⁶.",
    cost: Cost { quick: 0.15, full: 1.2 },
    timed: false,
    structures: &["bloom-filter", "counting-bloom", "hyperloglog", "min-hash"],
    contradicts: true,
    faults: &[Fault {
        name: "the statements and algorithms corrected",
        run: |settings, progress| measure(settings, progress, false),
    }],
    run: |settings, progress| measure(settings, progress, true),
};

const FALSE_ALARM: f64 = 1e-6;

/// One erratum.
struct Erratum {
    place: &'static str,
    printed: String,
    computed: f64,
    measured: f64,
    verdict: Verdict,
}

/// The statements and algorithms are those that are `printed`, or the corrected ones, which the data must not contradict.
fn measure(settings: &Settings, progress: &mut Progress, printed: bool) -> Result<Outcome> {
    let runs = match settings.size {
        Size::Quick => 100,
        Size::Full => 1000,
    };
    let rng = &mut settings.rng("e-errata-lopes");
    progress.start(5);
    let mut errata = Vec::new();
    for number in 0..5 {
        errata.push(match number {
            0 => chernoff(rng, runs, printed),
            1 => papapetrou(rng, 20 * runs, printed)?,
            2 => overflow(rng, 5 * runs, printed)?,
            3 => removal(rng, runs, printed)?,
            _ => fold(rng, runs, printed)?,
        });
        progress.step();
    }
    let mut table = Table::new("data", ["place", "printed", "computed", "measured"]);
    for Erratum { place, printed, computed, measured, .. } in &errata {
        table.push([(*place).into(), printed.as_str().into(), (*computed).into(), (*measured).into()]);
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table],
        plots: vec![chernoff_plot()],
        verdicts: errata.into_iter().map(|erratum| erratum.verdict).collect(),
        notes: vec![format!("{runs} runs of each, or a few times as many.")],
    })
}

const TRIALS: u64 = 1000;
const CHANCE: f64 = 0.1;
const MEAN: f64 = 100.0;

/// P[|X − μ| ≥ δμ] of 1000 trials at 0.1, exactly.
fn two_tails(delta: f64) -> f64 {
    let off = delta * MEAN;
    let (low, high) = (libm::floor(MEAN - off + 1e-9), libm::ceil(MEAN + off - 1e-9));
    binomial_cdf(low as u64, TRIALS, CHANCE) + binomial_sf(high as u64 - 1, TRIALS, CHANCE)
}

fn chernoff(rng: &mut Rng, runs: u64, printed: bool) -> Erratum {
    let delta = 0.2;
    let (bound, exact) = (2.0 * exp(-MEAN * delta * delta / 3.0), two_tails(delta));
    let draws = 20 * runs;
    let far = (0..draws)
        .filter(|_| {
            let sum = (0..TRIALS).filter(|_| rng.unit() < CHANCE).count() as f64;
            (sum - MEAN).abs() >= delta * MEAN
        })
        .count() as f64;
    let (fewest, most) = binomial_band(draws, exact, FALSE_ALARM);
    let (too_few, too_many) = binomial_band(draws, bound, FALSE_ALARM);
    let contradicts = if printed { far < too_few } else { far > too_many };
    Erratum {
        place: "1.1.3, Chernoff, two-sided, μ = 100, δ = 0.2",
        printed: format!("≥ {bound:.4}"),
        computed: exact,
        measured: far / draws as f64,
        verdict: Verdict::erratum(
            "Section 1.1.3 prints Chernoff's two-sided bound with ≥. It bounds both tails from above, so it is ≤.",
            contradicts && (fewest..=most).contains(&far),
            format!(
                "{far} of {draws} draws, {:.1} expected; 'at least' the bound would be {too_few} or more.",
                exact * draws as f64
            ),
        ),
    }
}

fn chernoff_plot() -> Plot {
    let curve = |of: fn(f64) -> f64| {
        (5..=50).map(move |i| f64::from(i) / 100.0).map(move |delta| Point::new(delta, of(delta)))
    };
    Plot::new("chernoff", "Two-sided tails of 1000 trials at 0.1")
        .axes("δ", "P[|X − μ| ≥ δμ]")
        .log_y()
        .between(1e-6, 2.0)
        .with([
            Series::new(
                "bound: 2e^(−μδ²/3)",
                Style::Theory,
                curve(|delta| 2.0 * exp(-MEAN * delta * delta / 3.0)),
            ),
            Series::new("exact", Style::Curve, curve(two_tails)),
        ])
}

/// What the formula promises for the interval from `n_a` to `n_b`, when t bits of m are set.
fn promised(m: f64, k: f64, t: f64, n_a: f64, n_b: f64) -> f64 {
    let s = |n: f64| m * (1.0 - exp(k * n * log1p(-1.0 / m)));
    let above = t + 1.0 - s(n_b);
    let below = t - 1.0 - s(n_a) + (t - 1.0) * log(s(n_a) / (t - 1.0));
    1.0 - exp(-above * above / (2.0 * s(n_b))) - exp(below)
}

fn papapetrou(rng: &mut Rng, runs: u64, printed: bool) -> Result<Erratum> {
    let (bits, hashes, items, confidence) = (10_000u64, 7, 990u64, 0.95);
    let (m, k) = (bits as f64, f64::from(hashes));
    let items_at = |ones: f64| log1p(-ones / m) / (k * log1p(-1.0 / m));
    let (mut best, mut least, mut coverage) = (f64::NEG_INFINITY, f64::INFINITY, Coverage::default());
    for _ in 0..runs {
        let mut filter = BloomFilter::with_params(BloomParams::exact(bits, hashes)?)
            .with_hash(HashSpec::seeded(rng.next_u64()));
        filter.extend(0..items);
        let t = filter.bits().count_ones() as f64;
        // All that the printed conditions allow: both bounds between S⁻¹(t − 1) and S⁻¹(t + 1).
        let grid: Vec<f64> = (0..=20).map(|i| items_at(t - 1.0 + f64::from(i) / 10.0)).collect();
        for (i, &n_a) in grid.iter().enumerate() {
            best = grid[i..].iter().map(|&n_b| promised(m, k, t, n_a, n_b)).fold(best, f64::max);
        }
        let proven = filter.cardinality_proven_at(confidence)?;
        coverage.add(&proven, items as f64);
        least = promised(m, k, t, proven.lower(), proven.upper()).min(least);
    }
    let check = coverage.check("all runs", FALSE_ALARM);
    let promise = if printed { best } else { least };
    Ok(Erratum {
        place: "2.1.4, Papapetrou's interval, m = 10000, k = 7, n = 990",
        printed: format!("at best ≥ {best:.3}"),
        computed: least,
        measured: coverage.share(),
        verdict: Verdict::erratum(
            "Section 2.1.4 reverses the conditions on n_a and n_b: as printed the formula promises a probability below 0.",
            promise < 0.0 && (least - confidence).abs() < 1e-6 && check.value >= check.lower,
            format!(
                "Printed: at best a probability of {best:.3} or more. Reversed: {least:.4}, and {} of {} intervals hold n.",
                coverage.held, coverage.asked
            ),
        ),
    })
}

fn overflow(rng: &mut Rng, runs: u64, printed: bool) -> Result<Erratum> {
    let (items, counters, limit) = (1000u64, 10_000u64, 4);
    let term = pow(std::f64::consts::E * std::f64::consts::LN_2 / 4.0, 4.0);
    let mut reached = Vec::new();
    for _ in 0..runs {
        let params = CountingParams::exact(counters, 7)?;
        let mut filter = CountingBloom::with_params(params).with_hash(HashSpec::seeded(rng.next_u64()));
        (0..items).for_each(|item| {
            filter.insert(&item);
        });
        reached.push(filter.counters().iter().filter(|&count| count >= limit).count() as f64);
    }
    let Summary { mean, standard_error, .. } = Summary::of(&reached);
    let (n, m) = (items as f64, counters as f64);
    let expected = m * binomial_sf(3, items, -libm::expm1(7.0 * log1p(-1.0 / m)));
    let margin = student(runs as f64 - 1.0, FALSE_ALARM) * standard_error;
    // A term (e·ln 2/2^b)^(2^b) bounds the chance of one counter at λ = ln 2; 7 functions have λ = 0.7.
    let at_load = term * pow(0.7 / std::f64::consts::LN_2, 4.0);
    let bound = at_load * if printed { n } else { m };
    Ok(Erratum {
        place: "2.1.5, counters of 2 bits that overflow, n = 1000, m = 10n",
        printed: format!("≤ n·{term:.4} = {:.1}", n * term),
        computed: expected,
        measured: mean,
        verdict: Verdict::erratum(
            "Section 2.1.5 bounds the number of overflows with n instead of m: each of the m counters can overflow, and more do than n times the \
             term.",
            mean - margin > bound && mean + margin < m * at_load && (mean - expected).abs() < margin,
            format!(
                "{mean:.2} ± {margin:.2} counters reach 4, {expected:.2} expected; n times the term is {:.1}, m times {:.1}.",
                n * at_load,
                m * at_load
            ),
        ),
    })
}

/// Removes an item that is not inside, by algorithm 7, and asks how many counters are below 0 then.
fn removal(rng: &mut Rng, runs: u64, printed: bool) -> Result<Erratum> {
    let (items, counters, hashes) = (1000u64, 10_000usize, 7);
    let (mut below, mut refused) = (0u64, 0u64);
    for _ in 0..runs {
        let spec = HashSpec::seeded(rng.next_u64());
        let mut filter =
            CountingBloom::with_params(CountingParams::exact(counters as u64, hashes)?).with_hash(spec);
        (0..items).for_each(|item| {
            filter.insert(&item);
        });
        let mut counts: Vec<i64> = filter.counters().iter().map(i64::from).collect();
        for _ in 0..hashes {
            let place = rng.below(counters as u64) as usize;
            if counts[place] < 15 && (printed || counts[place] > 0) {
                counts[place] -= 1;
            }
        }
        below += counts.iter().filter(|&&count| count < 0).count() as u64;
        refused += u64::from(filter.remove(&u64::MAX).is_err());
    }
    let empty = exp(f64::from(hashes) * items as f64 * log1p(-1.0 / counters as f64));
    let tried = runs * u64::from(hashes);
    let (fewest, most) = binomial_band(tried, empty, FALSE_ALARM);
    Ok(Erratum {
        place: "2.1.5, algorithm 7, an absent item is removed",
        printed: "counters are 0 or more".to_owned(),
        computed: empty * f64::from(hashes),
        measured: below as f64 / runs as f64,
        verdict: Verdict::erratum(
            "Algorithm 7 decrements counters that are 0, because it only checks whether they are full.",
            below > 0 && (fewest..=most).contains(&(below as f64)) && refused > 0,
            format!(
                "{below} of {tried} counters fell below 0, {:.1} expected; the library refused {refused} of {runs} removals.",
                empty * tried as f64
            ),
        ),
    })
}

/// Merges the fold of a sketch with a native one of the same items: as many as before, if the fold is right.
fn fold(rng: &mut Rng, runs: u64, printed: bool) -> Result<Erratum> {
    let (precision, items) = (9u8, 50_000u64);
    let m = f64::from(1u32 << precision);
    let raw = |registers: &[u8]| {
        let sum: f64 = registers.iter().map(|&rank| pow(2.0, -f64::from(rank))).sum();
        0.7213 / (1.0 + 1.079 / m) * m * m / sum
    };
    let mut ratios = Vec::new();
    for _ in 0..runs {
        let spec = HashSpec::seeded(rng.next_u64());
        let (mut fine, mut native) = (
            HyperLogLog::for_precision(precision + 1)?.with_hash(spec),
            HyperLogLog::for_precision(precision)?.with_hash(spec),
        );
        fine.extend(0..items);
        native.extend(0..items);
        let folded: Vec<u8> = if printed {
            fine.registers().chunks(2).map(|pair| pair[0].max(pair[1])).collect()
        } else {
            fine.fold(precision)?.registers()
        };
        let native = native.registers();
        let merged: Vec<u8> = folded.iter().zip(&native).map(|(&one, &other)| one.max(other)).collect();
        ratios.push(raw(&merged) / raw(&native));
    }
    let Summary { mean, standard_error, .. } = Summary::of(&ratios);
    let margin = student(runs as f64 - 1.0, FALSE_ALARM) * standard_error;
    // A ratio of two estimates of variance v has a bias of about v: 1.04²/m.
    let bias = 1.5 * 1.04 * 1.04 / m;
    Ok(Erratum {
        place: "2.4.4, fold max(M[2i], M[2i + 1]), merged with a native sketch of the same items",
        printed: "1 (nothing new)".to_owned(),
        computed: 1.5,
        measured: mean,
        verdict: Verdict::erratum(
            "Section 2.4.4: a sketch that was folded by max(M[2i], M[2i + 1]) does not merge with a native one, because their ranks count from \
             different bits. Common items are counted again.",
            mean - margin > 1.0 && (mean - 1.5).abs() < margin + bias,
            format!("The union of a set with itself is {mean:.3} ± {margin:.3} times the set, 1.5 expected."),
        ),
    })
}
