//! Errors of Count-Min, word by word, against the bound.

use std::collections::HashMap;

use crivo::frequency::CountMinParams;
use crivo::{CountMin, HashSpec};
use libm::exp;

use super::prelude::*;
use crate::corpus::Corpus;
use crate::summary::{Summary, student};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f15",
    title: "Error of Count-Min for all words of a corpus",
    source: Source::Lopes,
    reference: "Lopes 2017, section 2.2.6, figure 15",
    question: "By how much does Count-Min overestimate the frequencies of the words of a corpus, and how conservative is its bound?",
    theory: "\
Three rows of m counters overestimate a frequency by more than ε‖A‖₁, ε = e/m, with probability below e^(−3) = 4.98 %, and never \
underestimate (`CountMinParams::error_at`). One row overestimates a frequency a by (‖A‖₁ − a)/m on average, over all hash \
functions: sketches of one row are measured, too, and the mean of their errors over all distinct words, one number per run, is compared \
with it by Student's t, with a false-alarm probability of 10⁻⁶ shared by all m. Runs differ by the seed of the hash.",
    cost: Cost { quick: 1.1, full: 5.8 },
    timed: false,
    structures: &["count-min"],
    contradicts: true,
    faults: &[
        Fault { name: "half the columns", run: |settings, progress| measure(settings, progress, 2, 0) },
        Fault {
            name: "a thirty-second of the columns",
            run: |settings, progress| measure(settings, progress, 32, 0),
        },
        Fault {
            name: "a word that is not counted",
            run: |settings, progress| measure(settings, progress, 1, 1),
        },
    ],
    run: |settings, progress| measure(settings, progress, 1, 0),
};

const DEPTH: u32 = 3;
const WIDTHS: [u64; 11] = [128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096];
const FALSE_ALARM: f64 = 1e-6;

/// What all runs of one width gave, relative to the number of words.
struct Seen {
    width: u64,
    /// e/m.
    bound: f64,
    /// The mean of the error of one row that theory expects.
    expected: f64,
    /// By run, of one row: the mean over all words.
    one_row: Vec<f64>,
    /// By run, of three rows: the mean over all words, the 99th percentile, and the share of words beyond the bound.
    means: Vec<f64>,
    percentiles: Vec<f64>,
    beyond: Vec<f64>,
    too_low: u64,
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A planted fault: the sketches have 1/`shrink` of the columns that theory assumes, and lack the first `lost` words.
fn measure(settings: &Settings, progress: &mut Progress, shrink: u64, lost: usize) -> Result<Outcome> {
    let runs = match settings.size {
        Size::Quick => 20,
        Size::Full => 200,
    };
    let corpus = Corpus::of(settings)?;
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for word in corpus.words() {
        *counts.entry(word).or_default() += 1;
    }
    let words: Vec<(&str, u64)> =
        corpus.distinct().iter().map(|word| (word.as_str(), counts[word.as_str()])).collect();
    let total = corpus.words().len() as f64;
    // The mean over all distinct words of 1 − a/‖A‖₁.
    let others = 1.0 - 1.0 / words.len() as f64;
    let mut rng = settings.rng("e-f15 hash seeds");
    progress.start(WIDTHS.len() as u64 * runs);
    let mut widths = Vec::new();
    for width in WIDTHS {
        let params = CountMinParams::exact(width, DEPTH)?;
        let mut seen = Seen {
            width,
            bound: params.error_at(1.0 - exp(-f64::from(DEPTH))),
            expected: others / width as f64,
            one_row: Vec::new(),
            means: Vec::new(),
            percentiles: Vec::new(),
            beyond: Vec::new(),
            too_low: 0,
        };
        for _ in 0..runs {
            let spec = HashSpec::seeded(rng.next_u64());
            let hashes: Vec<(u64, u64)> =
                words.iter().map(|&(word, count)| (spec.hash(word), count)).collect();
            let errors = |depth| -> Result<Vec<f64>> {
                let mut sketch =
                    CountMin::with_params(CountMinParams::exact(width / shrink, depth)?).with_hash(spec);
                for &(hash, count) in &hashes[lost..] {
                    sketch.add_hash(hash, count);
                }
                let error = |&(hash, count): &(u64, u64)| {
                    (sketch.frequency_hash(hash).value() - count as f64) / total
                };
                Ok(hashes.iter().map(error).collect())
            };
            seen.one_row.push(mean(&errors(1)?));
            let mut errors = errors(DEPTH)?;
            errors.sort_by(f64::total_cmp);
            seen.means.push(mean(&errors));
            seen.percentiles.push(errors[errors.len() * 99 / 100]);
            seen.beyond.push(
                errors.iter().filter(|&&error| error > seen.bound).count() as f64 / errors.len() as f64,
            );
            seen.too_low += errors.iter().filter(|&&error| error < 0.0).count() as u64;
            progress.step();
        }
        widths.push(seen);
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&widths)],
        plots: vec![plot(&widths)],
        verdicts: judge(&widths, words.len()),
        notes: vec![format!(
            "{}: {total} words, {} distinct. {runs} runs for every m.",
            settings.corpus_name(),
            words.len()
        )],
    })
}

fn table(widths: &[Seen]) -> Table {
    let columns =
        ["columns m", "bound e/m (%)", "mean error (%)", "99th percentile (%)", "words beyond the bound (%)"];
    let one = ["one row: mean error (%)", "one row: theory (%)"];
    let mut table = Table::new("data", columns.into_iter().chain(one));
    for seen in widths {
        let numbers = [
            seen.bound,
            mean(&seen.means),
            mean(&seen.percentiles),
            mean(&seen.beyond),
            mean(&seen.one_row),
            seen.expected,
        ];
        table.push([seen.width.into()].into_iter().chain(numbers.map(|share| Cell::from(100.0 * share))));
    }
    table
}

/// Figure 15.
fn plot(widths: &[Seen]) -> Plot {
    let line =
        |of: fn(&Seen) -> f64| widths.iter().map(move |seen| Point::new(seen.width as f64, 100.0 * of(seen)));
    let points = |of: fn(&Seen) -> &[f64]| {
        widths.iter().map(move |seen| {
            let mut values = of(seen).to_vec();
            values.sort_by(f64::total_cmp);
            let (low, high) = (values[0], values[values.len() - 1]);
            Point::new(seen.width as f64, 100.0 * mean(&values)).with_bounds(100.0 * low, 100.0 * high)
        })
    };
    Plot::new("errors", "Count-Min with three rows: error of all words (bars: all runs)")
        .axes("columns m (count)", "error (% of all words)")
        .log_x()
        .log_y()
        .with([
            Series::new("bound: e/m", Style::Theory, line(|seen| seen.bound)),
            Series::new("one row, theory: 1/m", Style::Curve, line(|seen| seen.expected)).coloured(0),
            Series::new("one row, mean", Style::Points, points(|seen| &seen.one_row)).coloured(0),
            Series::new("99th percentile", Style::Joined, points(|seen| &seen.percentiles)).coloured(1),
            Series::new("mean", Style::Joined, points(|seen| &seen.means)).coloured(2),
        ])
}

fn judge(widths: &[Seen], words: usize) -> Vec<Verdict> {
    let too_low: u64 = widths.iter().map(|seen| seen.too_low).sum();
    let asked: usize = widths.iter().map(|seen| words * seen.means.len()).sum();
    let rows = widths.iter().map(|seen| {
        let Summary { mean, standard_error, .. } = Summary::of(&seen.one_row);
        let freedom = seen.one_row.len() as f64 - 1.0;
        let margin = student(freedom, FALSE_ALARM / widths.len() as f64) * standard_error;
        let [value, expected, lower, upper] =
            [mean, seen.expected, seen.expected - margin, seen.expected + margin].map(|share| 100.0 * share);
        Check { place: format!("m = {}", seen.width), value, expected, lower, upper }
    });
    let promised = 100.0 * exp(-f64::from(DEPTH));
    let worst = widths.iter().map(|seen| mean(&seen.beyond)).fold(0.0, f64::max);
    let ratios: Vec<f64> = widths.iter().map(|seen| seen.bound / mean(&seen.percentiles)).collect();
    let (least, most) =
        ratios.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &r| (low.min(r), high.max(r)));
    vec![
        Verdict::new(
            "No frequency is underestimated.",
            too_low == 0,
            format!("{too_low} of {asked} answers."),
        ),
        Verdict::within("One row overestimates by 1/m of all other words on average.", " %", rows),
        Verdict::new(
            "The bound is conservative: the 99th percentile lies below it at every m.",
            least > 1.0,
            format!("The bound is {least:.2} to {most:.2} times the percentile."),
        ),
        Verdict::erratum(
            "Section 2.2.3 says that the bound holds with a probability below 1 − δ; by its own proof, and in the data, the probability is above \
             1 − δ.",
            worst <= exp(-f64::from(DEPTH)),
            format!(
                "1 − δ = {:.2} %; the bound held for {:.3} % of the words or more at every m.",
                100.0 - promised,
                100.0 * (1.0 - worst)
            ),
        ),
    ]
}
