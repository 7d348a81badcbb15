//! False positives of a Bloom filter by its functions and its bits an item.

use crivo::stats::binomial_sf;

use super::bloom_rates::{Load, Rate, limit_percent};
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f5",
    title: "False positives of a Bloom filter by functions and bits an item",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.1.3, figure 5",
    question: "How many hash functions should a Bloom filter have? More of them look at more bits, but also set more bits.",
    theory: "\
With q bits an item and k functions an absent item is accepted with probability (1 − e^(−k/q))^k (`BloomParams::fpr_at`, \
exactly), which is least at k = q·ln 2. One filter is filled for every k and q and asked for items that it does not \
hold. The number of wrong answers is binomial given the ones in the filter; the ones vary with variance \
m·e^(−λ)·(1 − (1 + λ)·e^(−λ)), λ = k/q. Every filter is held against both, with a false-alarm probability of 10⁻⁶ shared by all. \
That one function, or twenty, is worse than the best number is judged by the wrong answers of the two filters: were the \
rates equal, each would be as likely to come from one as from the other.",
    cost: Cost { quick: 0.35, full: 6.5 },
    timed: false,
    run: |settings, progress| measure(settings, progress, 0),
};

const BITS_PER_ITEM: [u64; 5] = [2, 4, 8, 12, 16];
const MOST_HASHES: u32 = 20;
const FALSE_ALARM: f64 = 1e-6;

/// The filters really have `fewer` functions than theory is told, but always one.
fn measure(settings: &Settings, progress: &mut Progress, fewer: u32) -> Result<Outcome> {
    let load = match settings.size {
        Size::Quick => Load { items: 10_000, tested: 200_000 },
        Size::Full => Load { items: 100_000, tested: 4_000_000 },
    };
    let filters = BITS_PER_ITEM.len() as f64 * f64::from(MOST_HASHES);
    let mut rng = settings.rng("e-f5 filters");
    progress.start(filters as u64);
    let mut rates = Vec::new();
    for q in BITS_PER_ITEM {
        for k in 1..=MOST_HASHES {
            let actual = k.saturating_sub(fewer).max(1);
            rates.push(Rate::measure((q, k), actual, load, FALSE_ALARM / filters, &mut rng)?);
            progress.step();
        }
    }
    let inside = "At every k and q the filter errs as often as theory says.";
    Ok(Outcome {
        tables: vec![table(&rates)],
        plots: vec![plot(&rates)],
        verdicts: vec![Verdict::within(inside, " %", rates.iter().map(Rate::check)), judge_best(&rates)],
        notes: vec![format!(
            "{} items in each filter, {} others asked for. The document's figure says for which k and q it is drawn, its text \
             does not: these are ours.",
            load.items, load.tested
        )],
    })
}

fn table(rates: &[Rate]) -> Table {
    let columns = ["bits an item q", "functions k", "tested", "wrong", "measured (%)", "theory (%)"];
    let mut table = Table::new("data", columns.into_iter().chain(["(1 − e^(−k/q))^k as printed (%)"]));
    for rate in rates {
        let printed = limit_percent(rate.bits_per_item as f64, f64::from(rate.hashes));
        table.push([
            rate.bits_per_item.into(),
            u64::from(rate.hashes).into(),
            rate.tested.into(),
            rate.wrong.into(),
            (100.0 * rate.measured()).into(),
            (100.0 * rate.theory).into(),
            printed.into(),
        ]);
    }
    table
}

/// Figure 5.
fn plot(rates: &[Rate]) -> Plot {
    let series = BITS_PER_ITEM.iter().enumerate().flat_map(|(colour, &q)| {
        let ks = (0..=95).map(|i| 1.0 + f64::from(i) / 5.0);
        let curve = ks.map(|k| Point::new(k, limit_percent(q as f64, k)));
        let seen = rates.iter().filter(move |rate| rate.bits_per_item == q);
        let points = seen.map(|rate| rate.point(f64::from(rate.hashes)));
        [
            Series::new(format!("q = {q}: theory"), Style::Curve, curve).coloured(colour),
            Series::new(format!("q = {q}: measured (95 %)"), Style::Points, points).coloured(colour),
        ]
    });
    Plot::new("rates", "False positives of a Bloom filter with q bits an item")
        .axes("hash functions k (count)", "false positives (% of absent items)")
        .log_y()
        .with(series)
}

fn find(rates: &[Rate], q: u64, k: u32) -> Option<&Rate> {
    rates.iter().find(|rate| (rate.bits_per_item, rate.hashes) == (q, k))
}

/// Every q against one function and against the most, except where the best number is one of these.
fn judge_best(rates: &[Rate]) -> Verdict {
    let (mut compared, mut closest) = (0, (0.0, String::new()));
    for q in BITS_PER_ITEM {
        let of_q = || rates.iter().filter(move |rate| rate.bits_per_item == q);
        let Some(best) = of_q().min_by(|a, b| a.theory.total_cmp(&b.theory)) else { continue };
        for other in [1, MOST_HASHES].into_iter().filter(|&k| k != best.hashes) {
            let Some(other) = find(rates, q, other) else { continue };
            let chance = binomial_sf(other.wrong.saturating_sub(1), other.wrong + best.wrong, 0.5);
            compared += 1;
            if chance >= closest.0 {
                let [k, least] = [other.hashes, best.hashes];
                closest = (
                    chance,
                    format!("q = {q}: {} wrong with k = {k}, {} with k = {least}", other.wrong, best.wrong),
                );
            }
        }
    }
    let (chance, least_clear) = closest;
    Verdict::new(
        "The best number of functions is near q·ln 2: one function is worse, and so are twenty.",
        compared > 0 && chance < FALSE_ALARM / f64::from(compared),
        format!("{compared} comparisons; least clear at {least_clear}, chance if equal {chance:.1e}."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_with_one_function_less_are_found_out() {
        let settings = Settings { size: Size::Quick, ..Settings::default() };
        let passed = |fewer| -> Vec<bool> {
            let outcome = measure(&settings, &mut Progress::silent(), fewer).unwrap();
            outcome.verdicts.iter().map(|verdict| verdict.passed).collect()
        };
        assert_eq!(passed(0), [true; 2]);
        assert!(!passed(1)[0]);
    }
}
