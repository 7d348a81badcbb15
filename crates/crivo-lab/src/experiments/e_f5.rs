//! False positives of a Bloom filter by its functions and its bits per item.

use crivo::stats::binomial_sf;

use super::bloom_rates::{Load, Rate, limit_percent};
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f5",
    title: "False positives of a Bloom filter by functions and bits per item",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.1.3, figure 5",
    question: "How many hash functions should a Bloom filter have? More functions check more bits, but they also set more bits.",
    theory: "\
With q bits per item and k functions an absent item is accepted with probability (1 − e^(−k/q))^k (`BloomParams::fpr_at`, \
exactly), which is least at k = q·ln 2. One filter is filled for every k and q and queried for absent \
items. The number of false positives is binomial given the ones in the filter; the ones vary with variance \
m·e^(−λ)·(1 − (1 + λ)·e^(−λ)), λ = k/q. Every filter is compared with both, with a false-alarm probability of 10⁻⁶ shared by all. \
Two numbers of functions are compared by the false positives of the two filters: if the rates were equal, each false positive would come \
from either filter with probability ½.",
    cost: Cost { quick: 0.35, full: 6.5 },
    timed: false,
    structures: &["bloom-filter"],
    contradicts: false,
    faults: &[
        Fault { name: "one hash function fewer", run: |settings, progress| measure(settings, progress, 1) },
        Fault {
            name: "one hash function in every filter",
            run: |settings, progress| measure(settings, progress, MOST_HASHES),
        },
    ],
    run: |settings, progress| measure(settings, progress, 0),
};

const BITS_PER_ITEM: [u64; 5] = [2, 4, 8, 12, 16];
const MOST_HASHES: u32 = 20;
const FALSE_ALARM: f64 = 1e-6;

/// The filters really have `fewer` functions than theory assumes, but always one.
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
    let inside = "The false-positive rate is that of theory for every k and q.";
    Ok(Outcome {
        atlas: None,
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
    let columns = ["bits per item q", "functions k", "tested", "wrong", "measured (%)", "theory (%)"];
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
    Plot::new("rates", "False positives of a Bloom filter with q bits per item")
        .axes("hash functions k (count)", "false positives (% of absent items)")
        .log_y()
        .with(series)
}

/// No number of functions has significantly fewer false positives than the best one by theory; one function and twenty have more.
fn judge_best(rates: &[Rate]) -> Verdict {
    let comparisons = (BITS_PER_ITEM.len() * (MOST_HASHES as usize + 1)) as f64;
    let (mut better, mut not_worse, mut compared) = (Vec::new(), Vec::new(), 0);
    for q in BITS_PER_ITEM {
        let of_q = || rates.iter().filter(move |rate| rate.bits_per_item == q);
        let Some(best) = of_q().min_by(|a, b| a.theory.total_cmp(&b.theory)) else { continue };
        for other in of_q().filter(|other| other.hashes != best.hashes) {
            let place = format!("q = {q}, k = {}", other.hashes);
            let both = other.wrong + best.wrong;
            compared += 1;
            // If the rates were equal, each false positive would come from either filter with probability ½.
            if binomial_sf(best.wrong.saturating_sub(1), both, 0.5) < FALSE_ALARM / comparisons {
                better.push(place.clone());
            }
            let is_far = [1, MOST_HASHES].contains(&other.hashes);
            if is_far && binomial_sf(other.wrong.saturating_sub(1), both, 0.5) >= FALSE_ALARM / comparisons {
                not_worse.push(place);
            }
        }
    }
    Verdict::new(
        "The best number of functions is q·ln 2, rounded: no other number has significantly fewer false positives, and both one function \
and twenty have significantly more.",
        compared > 0 && better.is_empty() && not_worse.is_empty(),
        format!(
            "{compared} comparisons; significantly fewer at: {}; not significantly more at: {}.",
            listed(&better),
            listed(&not_worse)
        ),
    )
}

fn listed(places: &[String]) -> String {
    if places.is_empty() { "no place".to_owned() } else { places.join("; ") }
}
