//! The lowest false-positive rate by bits per item.

use libm::{log, pow};

use super::bloom_rates::{Load, Rate, limit_percent};
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f6",
    title: "Lowest false-positive rate by bits per item",
    source: Source::Lopes,
    reference: "Lopes 2017, sections 2.1.1 and 2.1.3, figure 6; the chapter on massive data, section 5.6",
    question: "How fast does the rate of false positives fall with the bits per item, and do the documents' rules of thumb hold?",
    theory: "\
At k = q·ln 2 functions the rate is ((1/2)^(ln 2))^q, printed as 0.6185^q. A filter has a whole number of functions, so it \
errs a little more often: each q is measured at the whole k with the lowest rate. The number of wrong answers is judged as \
in e-f5, with a false-alarm probability of 10⁻⁶ shared by all filters. The printed minimum is compared with the exact rate at \
the best whole k; the rules of thumb (10 bits per item and 7 functions for less than 1 %, 0.82 % there, about 15 % with 4 bits) \
against what was measured.",
    cost: Cost { quick: 0.1, full: 1.9 },
    timed: false,
    structures: &["bloom-filter"],
    contradicts: false,
    faults: &[
        Fault { name: "one hash function fewer", run: |settings, progress| measure(settings, progress, 1) },
        Fault {
            name: "three hash functions fewer",
            run: |settings, progress| measure(settings, progress, 3),
        },
    ],
    run: |settings, progress| measure(settings, progress, 0),
};

const MOST_BITS: u64 = 20;
const FALSE_ALARM: f64 = 1e-6;
const PRINTED_BASE: f64 = 0.6185;

/// The filters really have `fewer` functions than theory assumes, but always one.
fn measure(settings: &Settings, progress: &mut Progress, fewer: u32) -> Result<Outcome> {
    let load = match settings.size {
        Size::Quick => Load { items: 10_000, tested: 400_000 },
        Size::Full => Load { items: 100_000, tested: 10_000_000 },
    };
    let mut rng = settings.rng("e-f6 filters");
    progress.start(MOST_BITS);
    let mut rates = Vec::new();
    for q in 1..=MOST_BITS {
        let k = best_hashes(q);
        let actual = k.saturating_sub(fewer).max(1);
        rates.push(Rate::measure((q, k), actual, load, FALSE_ALARM / MOST_BITS as f64, &mut rng)?);
        progress.step();
    }
    let inside =
        "At every q the filter with the best whole number of functions errs as often as theory says.";
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&rates)],
        plots: vec![plot(&rates)],
        verdicts: vec![
            Verdict::within(inside, " %", rates.iter().map(Rate::check)),
            judge_minimum(&rates),
            judge_rules(&rates),
        ],
        notes: vec![format!("{} items in each filter, {} others asked for.", load.items, load.tested)],
    })
}

/// The whole number of functions with the lowest rate at q bits per item.
fn best_hashes(q: u64) -> u32 {
    let rate = |k: u32| limit_percent(q as f64, f64::from(k));
    (1..=2 * MOST_BITS as u32).min_by(|&a, &b| rate(a).total_cmp(&rate(b))).unwrap_or(1)
}

fn printed_percent(q: f64) -> f64 {
    100.0 * pow(PRINTED_BASE, q)
}

fn table(rates: &[Rate]) -> Table {
    let columns =
        ["bits per item q", "q·ln 2", "best whole k", "tested", "wrong", "measured (%)", "theory (%)"];
    let mut table = Table::new("data", columns.into_iter().chain(["printed 0.6185^q (%)"]));
    for rate in rates {
        let q = rate.bits_per_item as f64;
        table.push([
            rate.bits_per_item.into(),
            (q * log(2.0)).into(),
            u64::from(rate.hashes).into(),
            rate.tested.into(),
            rate.wrong.into(),
            (100.0 * rate.measured()).into(),
            (100.0 * rate.theory).into(),
            printed_percent(q).into(),
        ]);
    }
    table
}

/// Figure 6.
fn plot(rates: &[Rate]) -> Plot {
    let qs = (0..=95).map(|i| 1.0 + f64::from(i) / 5.0);
    let curve = qs.map(|q| Point::new(q, printed_percent(q)));
    let points = rates.iter().map(|rate| rate.point(rate.bits_per_item as f64));
    Plot::new("minimum", "Lowest rate of false positives of a Bloom filter")
        .axes("bits per item q (count)", "false positives (% of absent items)")
        .log_y()
        .with([
            Series::new("printed: 0.6185^q", Style::Theory, curve),
            Series::new("measured at the best whole k (95 %)", Style::Points, points),
        ])
}

/// Below the exact rate by what a whole number of functions costs, and by no more: its limit is computed from all q.
fn judge_minimum(rates: &[Rate]) -> Verdict {
    let over = |rate: &Rate| {
        let q = rate.bits_per_item as f64;
        limit_percent(q, f64::from(rate.hashes)) / printed_percent(q)
    };
    let dearest = rates.iter().map(over).fold(1.0, f64::max);
    let checks = rates.iter().map(|rate| {
        let (check, printed) = (rate.check(), printed_percent(rate.bits_per_item as f64));
        let noise = check.upper - check.expected;
        Check { expected: printed, lower: printed - noise, upper: printed * dearest + noise, ..check }
    });
    let claim = format!(
        "The rate falls as the printed 0.6185^q; a whole number of functions costs at most {:.1} % of it.",
        100.0 * (dearest - 1.0)
    );
    Verdict::within(claim, " %", checks)
}

/// The documents' numbers, each with the rounding it is printed with and the noise of our filter.
fn judge_rules(rates: &[Rate]) -> Verdict {
    let at = |q: u64| rates.iter().find(move |rate| rate.bits_per_item == q);
    let rules = [
        (10, "10 bits and 7 functions: less than 1 %", 1.0, (f64::NEG_INFINITY, 1.0)),
        (10, "10 bits: 0.82 %", 0.82, (0.815, 0.825)),
        (4, "4 bits: about 15 %", 15.0, (14.5, 15.5)),
    ];
    let checks = rules.into_iter().filter_map(|(q, place, expected, (lower, upper))| {
        let check = at(q)?.check();
        let noise = check.upper - check.expected;
        Some(Check {
            place: format!("'{place}'"),
            expected,
            lower: lower - noise,
            upper: upper + noise,
            ..check
        })
    });
    Verdict::within("The rules of thumb of the documents hold.", " %", checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best numbers of functions that every text prints.
    #[test]
    fn best_numbers_of_functions() {
        assert_eq!([1, 4, 8, 10, 16].map(best_hashes), [1, 3, 6, 7, 11]);
    }
}
