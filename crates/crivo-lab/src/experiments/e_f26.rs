//! The error of HyperLogLog over the works, by the number of registers.

use crivo::cardinality::Estimator;
use crivo::stats::{binomial_band, chi_squared_quantile};
use crivo::{HashSpec, HyperLogLog};
use libm::{exp2, sqrt};

use super::documents::works;
use super::pairs::Collection;
use super::prelude::*;
use super::squares::Squares;
use crate::summary::Summary;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f26",
    title: "The error of HyperLogLog over 42 works, from 2⁷ to 2¹⁸ registers",
    source: Source::Lopes,
    reference: "Lopes 2017, sections 2.4.1 and 2.4.6, figure 26",
    question: "The distinct words of each work are counted with 2ᵇ registers, b = 7 to 18. Is the error 1.04/√m, as the document \
says, and what is it if there are more registers than words?",
    theory: "\
The standard error is 1.04/√m while n is many times m; for b = 11 the document prints 2.3 %. Below 5m it is less: at n ≪ m it is that of linear counting, about \
1/√(2m), and the sketch that Crivo makes keeps up to m/6 hashes (and 4096) one by one, with next to no error \
(`HyperLogLog::standard_error_at`). So the error depends on n as well; the document has it depend on m alone.\n\n\
Every work is counted many times, each time with its own hash function, so that all errors are independent. Of the works in registers the root mean square \
error is compared with the χ² law with n by n the standard error of the library, the mean against a normal law; that of all works may not exceed 1.04/√m by more than chance. Of the works kept as \
hashes, the counts that are wrong are compared with the chance that two of n words share 31 bits. False-alarm probability: 10⁻⁶, shared by all \
claims and b.",
    cost: Cost { quick: 1.4, full: 13.8 },
    timed: false,
    structures: &["hyperloglog"],
    contradicts: false,
    faults: &[
        Fault {
            name: "half the registers",
            run: |settings, progress| measure(settings, progress, Flaw { lacking: 1, lost: 0 }),
        },
        Fault {
            name: "a tenth of the words lost",
            run: |settings, progress| measure(settings, progress, Flaw { lacking: 0, lost: 10 }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw { lacking: 0, lost: 0 }),
};

const FALSE_ALARM: f64 = 1e-6 / 4.0;
/// What the document says of all n.
const ASYMPTOTIC: f64 = 1.04;
/// Different entries of the sparse form of a sketch.
const PLACES_BITS: f64 = 31.0;

/// The counts of one number of registers.
struct At {
    precision: u8,
    /// Relative errors of all works, by Crivo's estimate and by the original estimator, in percent.
    ours: Vec<f64>,
    original: Vec<f64>,
    /// Of the works in registers.
    dense: Squares,
    /// The works kept as hashes: how many counts, how many of them wrong, and how many should be.
    sparse: (u64, u64, f64),
    /// The variance of all works by theory, summed.
    variance: f64,
}

impl At {
    fn registers(&self) -> f64 {
        exp2(self.precision.into())
    }

    fn theory(&self) -> f64 {
        100.0 * sqrt(self.variance / self.ours.len() as f64)
    }

    fn asymptotic(&self) -> f64 {
        100.0 * ASYMPTOTIC / sqrt(self.registers())
    }
}

/// A planted fault: sketches have 2^`lacking` times fewer registers than theory expects, and `lost` percent of the words are not
/// inserted.
#[derive(Clone, Copy)]
struct Flaw {
    lacking: u8,
    lost: usize,
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let runs = match settings.size {
        Size::Quick => 10,
        Size::Full => 100,
    };
    let collection = Collection::new(&works(settings)?);
    let mut rng = settings.rng("e-f26 hashes");
    progress.start(12 * runs);
    let mut grid = Vec::new();
    for precision in 7..=18u8 {
        let mut at = At {
            precision,
            ours: Vec::new(),
            original: Vec::new(),
            dense: Squares::default(),
            sparse: (0, 0, 0.0),
            variance: 0.0,
        };
        for _ in 0..runs {
            for work in 0..collection.len() {
                let spec = HashSpec::seeded(rng.next_u64());
                let mut sketch = HyperLogLog::for_precision(precision - flaw.lacking)?.with_hash(spec);
                let hashes = collection.hashes(work, spec);
                sketch.insert_hashes(&hashes[hashes.len() * flaw.lost / 100..]);
                count(&mut at, &sketch, collection.size(work))?;
            }
            progress.step();
        }
        grid.push(at);
    }
    let sizes: Vec<u64> = (0..collection.len()).map(|work| collection.size(work)).collect();
    let [least, most] = [sizes.iter().min(), sizes.iter().max()].map(|size| size.copied().unwrap_or(0));
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&grid)],
        plots: vec![rms(&grid), bias(&grid)],
        verdicts: judge(&grid),
        notes: vec![format!(
            "{} works of {least} to {most} distinct words ({}), each counted {runs} times. Of figure 26 the document prints no numbers.",
            sizes.len(),
            settings.corpus_name()
        )],
    })
}

fn count(at: &mut At, sketch: &HyperLogLog, words: u64) -> Result<()> {
    let n = words as f64;
    let error = sketch.estimate().value() / n - 1.0;
    let sigma = HyperLogLog::standard_error_at(at.precision, words)?;
    at.ours.push(100.0 * error);
    at.original.push(100.0 * (sketch.estimate_with(Estimator::Original) / n - 1.0));
    at.variance += sigma * sigma;
    if sigma * exp2(PLACES_BITS / 2.0) < 1.0 {
        let (counts, wrong, expected) = &mut at.sparse;
        *counts += 1;
        // A count that lost one word or more; less is what the estimate adds for those that may be lost.
        *wrong += u64::from(error.abs() * n > 0.5);
        *expected += n * (n - 1.0) / 2.0 * exp2(-PLACES_BITS);
    } else {
        at.dense.add_normal(error, sigma);
    }
    Ok(())
}

#[rustfmt::skip]
fn table(grid: &[At]) -> Table {
    let mut table = Table::new("data", [
        "b", "registers m", "counts", "mean error (%)", "deviation of the error (%)", "rms error (%)", "theory by n (%)",
        "1.04/√m (%)", "printed (%)", "original estimator: mean error (%)", "original estimator: rms error (%)",
        "kept as hashes: counts", "kept as hashes: wrong", "kept as hashes: wrong by theory",
    ]);
    for at in grid {
        let (ours, original) = (Summary::of(&at.ours), Summary::of(&at.original));
        let printed = if at.precision == 11 { 2.3 } else { f64::NAN };
        let counts = at.ours.len() as f64;
        table.push([
            u64::from(at.precision).into(), at.registers().into(), (at.ours.len() as u64).into(), ours.mean.into(),
            (ours.standard_error * sqrt(counts)).into(), ours.rms.into(), at.theory().into(),
            at.asymptotic().into(), printed.into(), original.mean.into(), original.rms.into(),
            at.sparse.0.into(), at.sparse.1.into(), at.sparse.2.into(),
        ]);
    }
    table
}

const B: &str = "b (2ᵇ registers)";

fn rms(grid: &[At]) -> Plot {
    let of = |value: fn(&At) -> f64| grid.iter().map(move |at| Point::new(at.precision.into(), value(at)));
    Plot::new("rms", "Root mean square error of the words of a work")
        .log_y()
        .axes(B, "root mean square relative error (%)")
        .with([
            Series::new("1.04/√m", Style::Theory, of(At::asymptotic)),
            Series::new("theory by n and m", Style::Curve, of(At::theory)).coloured(0),
            Series::new("Crivo", Style::Points, of(|at| Summary::of(&at.ours).rms)).coloured(0),
            Series::new(
                "original estimator, registers only",
                Style::Points,
                of(|at| Summary::of(&at.original).rms),
            ),
        ])
}

/// Figure 26 itself.
fn bias(grid: &[At]) -> Plot {
    let band = grid
        .iter()
        .map(|at| Point::new(at.precision.into(), 0.0).with_bounds(-at.asymptotic(), at.asymptotic()));
    let points = |errors: fn(&At) -> &[f64], aside: f64| {
        grid.iter().map(move |at| {
            let Summary { mean, standard_error, .. } = Summary::of(errors(at));
            let deviation = standard_error * sqrt(errors(at).len() as f64);
            Point::new(f64::from(at.precision) + aside, mean).with_bounds(mean - deviation, mean + deviation)
        })
    };
    Plot::new("errors", "Mean relative error over the works and its deviation (bars)")
        .axes(B, "relative error (%)")
        .with([
            Series::new("± 1.04/√m", Style::Band, band),
            Series::new("Crivo", Style::Points, points(|at| &at.ours, -0.08)),
            Series::new("original estimator", Style::Points, points(|at| &at.original, 0.08)),
        ])
}

fn judge(grid: &[At]) -> Vec<Verdict> {
    let place = |at: &At| format!("b = {}", at.precision);
    let false_alarm = FALSE_ALARM / grid.len() as f64;
    let dense = || grid.iter().filter(|at| (at.sparse.0 as usize) < at.ours.len());
    let hashed = grid.iter().filter(|at| at.sparse.0 > 0).map(|at| {
        let (counts, wrong, expected) = at.sparse;
        let (_, most) = binomial_band(counts, (expected / counts as f64).min(1.0), 2.0 * false_alarm);
        Check { place: place(at), value: wrong as f64, expected, lower: f64::NEG_INFINITY, upper: most }
    });
    let most = grid.iter().map(|at| {
        let (value, expected, counts) = (Summary::of(&at.ours).rms, at.asymptotic(), at.ours.len() as f64);
        let upper = expected * sqrt(chi_squared_quantile(counts, 1.0 - false_alarm) / counts);
        Check { place: place(at), value, expected, lower: f64::NEG_INFINITY, upper }
    });
    // Where theory is far below 1.04/√m, the measured error must be below it without any margin.
    let less = grid.iter().filter(|at| at.theory() < 0.7 * at.asymptotic()).map(|at| Check {
        place: place(at),
        value: Summary::of(&at.ours).rms,
        expected: at.theory(),
        lower: f64::NEG_INFINITY,
        upper: at.asymptotic(),
    });
    let hashed: Vec<Check> = hashed.collect();
    let all_dense = hashed.is_empty();
    let hashed = Verdict::within(
        "Counts of works that are kept as hashes are wrong at most as often as two words share 31 bits.",
        " counts",
        hashed,
    );
    let mut verdicts = vec![
        Verdict::within(
            "The root mean square error of works that are counted in registers is the stated one for their n.",
            " %",
            dense().map(|at| at.dense.check(place(at), false_alarm)),
        ),
        Verdict::within(
            "Their counts are unbiased.",
            " %",
            dense().map(|at| at.dense.check_bias(place(at), false_alarm)),
        ),
        Verdict::within(
            "The error is at most 1.04/√m for every b, which is 2.3 % for b = 11, as printed.",
            " %",
            most,
        ),
        Verdict::within("It is below 1.04/√m if there are fewer words than registers.", " %", less),
    ];
    // With works of more than 4096 words, as the synthetic ones are, there is none.
    if !all_dense {
        verdicts.push(hashed);
    }
    verdicts
}
