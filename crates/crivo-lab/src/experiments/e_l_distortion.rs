//! How often, and by how much, a Linear Bloom filter answers too much.

use crivo::stats::{binomial_band, normal_quantile};
use crivo::valued::LinearBloomParams;
use crivo::valued::theory::{Values, distortion_rate, load};

use super::linear_bloom::{CELLS, HASHES, RUNS, draw, fill, items_of, name};
use super::prelude::*;
use crate::summary::{Summary, student};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-l-distortion",
    title: "The distortion of a Linear Bloom filter",
    source: Source::Ferreira,
    reference: "Ferreira 2017, section 5.4, tables 13 to 15",
    question: "A filter for n items takes n, 2n, 4n and 8n items. How many answers are too large, and by how much on average, for uniform, \
exponential and normal values?",
    theory: "\
An item whose value is at the quantile q is answered too much with probability (1 − e^(−λ(1−q)))^k, λ = fnk/m; the rate is \
the mean over all q, the same for every distribution of values (`valued::theory::distortion_rate`). The mean distortion over \
all items is ∫ F(u)·(1 − e^(−λ(1−F(u))))^k du (`Values::mean_distortion`).\n\n\
Both are compared with the runs' means by Student's t, at a false-alarm probability of 10⁻⁶ shared by all. What the document \
prints is one run each; it is compared with theory with the spread of our runs, at the same probability. Values are not \
rounded here.",
    cost: Cost { quick: 0.8, full: 144.0 },
    timed: false,
    structures: &["linear-bloom"],
    contradicts: true,
    faults: &[
        Fault {
            name: "one hash function fewer",
            run: |settings, progress| measure(settings, progress, HASHES - 1, Document::AsPrinted),
        },
        Fault {
            name: "the tables of uniform and normal values exchanged",
            run: |settings, progress| measure(settings, progress, HASHES, Document::Exchanged),
        },
        Fault {
            name: "the misprints corrected",
            run: |settings, progress| measure(settings, progress, HASHES, Document::Corrected),
        },
    ],
    run: |settings, progress| measure(settings, progress, HASHES, Document::AsPrinted),
};

const FILLS: [u64; 4] = [1, 2, 4, 8];
const FALSE_ALARM: f64 = 1e-6;

/// What the document prints, by values and fill: percent of items distorted, mean distortion over all items, and over the
/// distorted ones.
const PRINTED: [[(f64, f64, f64); 4]; 3] = [
    [(0.147, 0.00019, 0.130), (2.791, 0.004_60, 0.165), (20.819, 0.046_01, 0.221), (53.695, 0.165_38, 0.308)],
    [(0.126, 0.00021, 0.164), (2.833, 0.006_88, 0.243), (20.883, 0.075_18, 0.360), (53.720, 0.333_60, 0.621)],
    [(0.143, 0.00087, 0.607), (2.869, 0.1882, 0.656), (20.839, 0.159_21, 0.764), (53.678, 0.508_33, 0.947)],
];
/// Where the document lost a digit: values, fill, and what it must have been.
const MISPRINT: (Values, u64, f64) = (Values::Normal, 2, 0.018_82);

/// A quantity of one setting: as measured by run, as theory has it, and as printed, with half of its last place.
struct Quantity {
    what: &'static str,
    unit: &'static str,
    seen: Summary,
    deviation: f64,
    theory: f64,
    printed: f64,
    rounded: f64,
}

struct Setting {
    values: Values,
    fill: u64,
    quantities: [Quantity; 3],
}

/// The document, or a document with a planted fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Document {
    AsPrinted,
    /// Without its misprints.
    Corrected,
    /// With the tables of uniform and normal values exchanged.
    Exchanged,
}

/// `hashes` is how many functions the filter really uses; theory always expects [`HASHES`].
fn measure(settings: &Settings, progress: &mut Progress, hashes: u32, document: Document) -> Result<Outcome> {
    let corrected = document == Document::Corrected;
    let mut tables = PRINTED;
    if document == Document::Exchanged {
        tables.reverse();
    }
    let (cells, runs): (u64, u64) = match settings.size {
        Size::Quick => (1 << 16, 12),
        Size::Full => (CELLS, RUNS),
    };
    let params = LinearBloomParams::exact(cells, hashes)?;
    progress.start(Values::ALL.len() as u64 * FILLS.len() as u64 * runs);
    let mut measured = Vec::new();
    for (values, printed) in Values::ALL.into_iter().zip(tables) {
        let mut rng = settings.rng(&format!("e-l-distortion {}", name(values)));
        for (times, mut printed) in FILLS.into_iter().zip(printed) {
            if corrected && (values, times) == (MISPRINT.0, MISPRINT.1) {
                printed.1 = MISPRINT.2;
            }
            let items = times * items_of(cells);
            let mut seen = [Vec::new(), Vec::new(), Vec::new()];
            for _ in 0..runs {
                let (filter, inserted) = fill(params, items, &mut rng, |rng| draw(values, rng))?;
                let hashes: Vec<u64> = inserted.iter().map(|&(hash, _)| hash).collect();
                let answers = filter.value_hashes(&hashes);
                let distortions =
                    answers.iter().zip(&inserted).filter_map(|(answer, (_, value))| Some((*answer)? - value));
                let (mut wrong, mut sum) = (0u64, 0.0);
                for distortion in distortions.filter(|&distortion| distortion > 0.0) {
                    wrong += 1;
                    sum += distortion;
                }
                seen[0].push(100.0 * wrong as f64 / items as f64);
                seen[1].push(sum / items as f64);
                // A small filter may distort nothing; its mean is that of no item.
                seen[2].extend((wrong > 0).then_some(sum / wrong as f64));
                progress.step();
            }
            let load = load(items, cells, HASHES);
            // One run of the document varies as little as its filter is larger than ours.
            let scale = libm::sqrt(runs as f64 * cells as f64 / CELLS as f64);
            let quantity = |what, unit, seen: &[f64], theory, printed, rounded| {
                let seen = Summary::of(seen);
                Quantity {
                    what,
                    unit,
                    seen,
                    deviation: seen.standard_error * scale,
                    theory,
                    printed,
                    rounded,
                }
            };
            let rate = 100.0 * distortion_rate(load, HASHES);
            let mean = values.mean_distortion(load, HASHES);
            let quantities = [
                quantity("rate", " %", &seen[0], rate, printed.0, 5e-4),
                quantity("mean distortion", "", &seen[1], mean, printed.1, 5e-6),
                quantity(
                    "mean distortion of the distorted items",
                    "",
                    &seen[2],
                    mean / distortion_rate(load, HASHES),
                    printed.2,
                    5e-4,
                ),
            ];
            measured.push(Setting { values, fill: times, quantities });
        }
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&measured)],
        plots: vec![plot(&measured)],
        verdicts: judge(&measured, runs as f64)
            .into_iter()
            .chain([exponential(settings, corrected)])
            .collect(),
        notes: vec![format!("{cells} cells, {HASHES} functions, {runs} runs of every setting.")],
    })
}

fn table(measured: &[Setting]) -> Table {
    let columns =
        ["rate (%)", "mean distortion", "mean distortion of the distorted items"].into_iter().flat_map(
            |what| ["", ", standard error", ", theory", ", document"].map(|which| format!("{what}{which}")),
        );
    let mut table = Table::new("data", ["values", "fill"].map(String::from).into_iter().chain(columns));
    for Setting { values, fill, quantities } in measured {
        let numbers = quantities.iter().flat_map(|quantity| {
            [quantity.seen.mean, quantity.seen.standard_error, quantity.theory, quantity.printed]
                .map(Cell::from)
        });
        table.push([name(*values).into(), (*fill).into()].into_iter().chain(numbers));
    }
    table
}

fn plot(measured: &[Setting]) -> Plot {
    let of = |values: Values| measured.iter().filter(move |setting| setting.values == values);
    let relative = |setting: &Setting, value: f64, bar: f64| {
        let theory = setting.quantities[1].theory;
        let at = |value: f64| 100.0 * (value / theory - 1.0);
        Point::new(libm::log2(setting.fill as f64), at(value)).with_bounds(at(value - bar), at(value + bar))
    };
    let ours = Values::ALL.into_iter().enumerate().map(|(i, values)| {
        let points = of(values).map(|setting| {
            let seen = setting.quantities[1].seen;
            let mut point = relative(setting, seen.mean, 1.96 * seen.standard_error);
            // Side by side.
            point.x += 0.06 * (i as f64 - 1.0);
            point
        });
        Series::new(format!("{} values (95 % interval)", name(values)), Style::Points, points)
    });
    Plot::new("mean-distortion", "Mean distortion, less what theory expects")
        .axes("fill: log₂ of items over those the filter is made for", "difference (% of theory)")
        .with([Series::new("theory", Style::Theory, [0.0, 3.0].map(|x| Point::new(x, 0.0)))])
        .with(ours)
}

fn judge(measured: &[Setting], runs: f64) -> Vec<Verdict> {
    let comparisons = (3 * measured.len()) as f64;
    let strays = student(runs - 1.0, FALSE_ALARM / comparisons);
    let single = normal_quantile(1.0 - FALSE_ALARM / comparisons / 2.0);
    let quantities = |i: usize| measured.iter().map(move |setting| (setting, &setting.quantities[i]));
    let place = |setting: &Setting| format!("{} values, fill {}", name(setting.values), setting.fill);
    let follows = |i: usize| {
        let claim =
            format!("The {} is that of theory for all values and fills.", measured[0].quantities[i].what);
        let checks = quantities(i).map(|(setting, Quantity { seen, theory, .. })| {
            let stray = strays * seen.standard_error;
            let (expected, lower, upper) = (*theory, theory - stray, theory + stray);
            Check { place: place(setting), value: seen.mean, expected, lower, upper }
        });
        Verdict::within(claim, measured[0].quantities[i].unit, checks)
    };
    let allowed = |setting: &Setting, quantity: &Quantity, value: f64| {
        let stray = single * quantity.deviation + quantity.rounded;
        let (lower, upper) = (quantity.theory - stray, quantity.theory + stray);
        Check {
            place: format!("{}, {}", quantity.what, place(setting)),
            value,
            expected: quantity.theory,
            lower,
            upper,
        }
    };
    let is_misprint = |setting: &Setting| (setting.values, setting.fill) == (MISPRINT.0, MISPRINT.1);
    let means = quantities(1).filter(|(setting, _)| !is_misprint(setting));
    let printed = quantities(0).chain(means).chain(quantities(2));
    let printed = printed.map(|(setting, quantity)| allowed(setting, quantity, quantity.printed));
    let misprints = quantities(1).filter(|(setting, _)| is_misprint(setting)).map(|(setting, quantity)| {
        let Check { lower, upper, .. } = allowed(setting, quantity, quantity.printed);
        let inside = |value: f64| (lower..=upper).contains(&value);
        Verdict::erratum(
            format!(
                "Table 15: the mean distortion of {} is printed as {}; it is {}, a digit was lost.",
                place(setting),
                quantity.printed,
                MISPRINT.2
            ),
            inside(MISPRINT.2) && !inside(quantity.printed),
            format!("{lower:.5} to {upper:.5} are compatible with one run of the document."),
        )
    });
    let within = "Tables 13 to 15: all printed numbers but one are compatible with one run of the document.";
    let verdicts = [follows(0), follows(1), follows(2), Verdict::within(within, "", printed)];
    verdicts.into_iter().chain(misprints).collect()
}

/// Exponential values drawn, up to some of them, against the document's distribution function and the right one.
fn exponential(settings: &Settings, corrected: bool) -> Verdict {
    let (draws, places) = (20_000u64, [0.25, 0.5, 1.0, 2.0]);
    let mut rng = settings.rng("e-l-distortion exponential values");
    // Waiting times by their definition: less the logarithm of a uniform number.
    let drawn: Vec<f64> = (0..draws).map(|_| -libm::log(1.0 - rng.unit())).collect();
    let mut holds = true;
    let detail = places.map(|x| {
        let seen = drawn.iter().filter(|&&value| value <= x).count() as f64;
        let right = Values::Exponential.cdf(x);
        let printed = if corrected { right } else { libm::exp(-x) };
        let [(low, high), (least, most)] = [right, printed]
            .map(|share| binomial_band(draws, share, FALSE_ALARM / (2 * places.len()) as f64));
        holds &= (low..=high).contains(&seen) && !(least..=most).contains(&seen);
        format!("up to {x}: {:.4}, 1 − e^(−x) is {right:.4}, printed {printed:.4}", seen / draws as f64)
    });
    Verdict::erratum(
        "Equation (24) prints the density λe^(−λx) as the distribution function of exponential values, which is 1 − e^(−λx).",
        holds,
        format!("Shares of {draws} values. {}.", detail.join("; ")),
    )
}
