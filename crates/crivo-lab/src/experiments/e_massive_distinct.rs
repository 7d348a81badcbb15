//! The one-pass counters of distinct items as the chapter on massive data gives them, beside the library's.

use crivo::sketch::Cardinality;
use crivo::stats::{binomial_band, chi_squared_quantile, normal_quantile};
use crivo::{HashSpec, HyperLogLog, LinearCounting, LogLog, MinimumHash, ProbabilisticCounting};
use libm::{exp, expm1, log2, pow, sqrt};

use super::one_pass::{Answers, Counters, LINEAR_BITS, PRECISION};
use super::prelude::*;
use crate::summary::Summary;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-massive-distinct",
    title: "Distinct items in one pass: the chapter's algorithms and the library's",
    source: Source::Massive,
    reference: "The chapter on massive data, section 5.5, algorithms 5.8 to 5.12",
    question: "Do the chapter's five counters count right, as printed? And do the library's err as little as theory says?",
    theory: "\
All counters see the same hashes of D distinct random items; linear counting has 2^18 bits, the others k = 1024 estimators, registers \
or cells, except the minimum hash (5.9) and 2^z (5.10), which are one estimator. Theory: −L·ln ρ (5.8) is high by (e^λ − 1)/2 items, \
λ = D/L. 1/h − 1 (5.9) has no mean; it exceeds D with probability 1 − (1 − 1/(D + 1))^D, about 63 %. The mean of z (5.10) is \
log₂ D + γ/ln 2 − 1/2, its variance π²/(6 ln²2) + 1/12, so 2^z is high by 2^0.3327 = 1/0.79402: the α of LogLog (5.11) takes just that \
out. The α of HyperLogLog (5.12) belongs to ρ = z + 1; used with z it gives D/2. Means of R runs are held against these with the standard \
errors 1.298/√k and 1.039/√k from D = 100k on, where no register is empty; 0.1 % is allowed for α's own rounding and limit. The library's \
root mean square errors are held against the χ² distribution of R squares around `standard_error_at`, with 1 % allowed for being a \
first-order law. False alarms: 10⁻⁶ in each claim, shared by its points.",
    cost: Cost { quick: 1.0, full: 40.0 },
    timed: false,
    run: |settings, progress| {
        measure(settings, progress, Planted { rank_offset: 0, precision: PRECISION as u8 })
    },
};

const SIZES: [u64; 4] = [1000, 10_000, 102_400, 1_024_000];
const FALSE_ALARM: f64 = 1e-6;
/// From so many items a register on, none is empty and the limit laws hold.
const FAR: u64 = 100;
/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// Faults to plant: ranks instead of zeros in the chapter's HyperLogLog, and the library's sketches of another size.
struct Planted {
    rank_offset: u32,
    precision: u8,
}

/// A counter of the library: its name, the constant that the literature gives, and its standard error by theory.
struct Ours {
    name: &'static str,
    /// Times 1/√k, far out.
    literature: Option<f64>,
    theory: fn(u64) -> crivo::Result<f64>,
}

const OURS: [Ours; 5] = [
    Ours {
        name: "linear counting",
        literature: None,
        theory: |items| LinearCounting::standard_error_at(LINEAR_BITS, items),
    },
    Ours {
        name: "minimum hash",
        literature: Some(1.0),
        theory: |items| MinimumHash::standard_error_at(1 << PRECISION, items),
    },
    Ours {
        name: "probabilistic counting",
        literature: Some(0.78),
        theory: |items| ProbabilisticCounting::standard_error_at(PRECISION as u8, items),
    },
    Ours {
        name: "LogLog",
        literature: Some(1.30),
        theory: |items| LogLog::standard_error_at(PRECISION as u8, items),
    },
    Ours {
        name: "HyperLogLog",
        literature: Some(1.04),
        theory: |items| HyperLogLog::standard_error_at(PRECISION as u8, items),
    },
];

/// All runs at one number of distinct items.
struct Level {
    items: u64,
    chapter: Vec<Answers>,
    /// Relative errors of each of [`OURS`], by run.
    errors: [Vec<f64>; OURS.len()],
}

impl Level {
    fn is_far(&self) -> bool {
        self.items >= FAR << PRECISION
    }

    /// The mean of a number over all runs.
    fn mean(&self, of: impl Fn(&Answers) -> f64) -> f64 {
        self.chapter.iter().map(of).sum::<f64>() / self.chapter.len() as f64
    }

    /// The mean of an answer of the chapter, as a share of the truth.
    fn share(&self, of: impl Fn(&Answers) -> f64) -> f64 {
        self.mean(of) / self.items as f64
    }
}

fn measure(settings: &Settings, progress: &mut Progress, planted: Planted) -> Result<Outcome> {
    let (runs, sizes) = match settings.size {
        Size::Quick => (100, &SIZES[..3]),
        Size::Full => (300, &SIZES[..]),
    };
    let level = |&items| Level { items, chapter: Vec::new(), errors: std::array::from_fn(|_| Vec::new()) };
    let mut levels: Vec<Level> = sizes.iter().map(level).collect();
    let mut rng = settings.rng("e-massive-distinct hash seeds");
    progress.start(runs);
    for _ in 0..runs {
        let spec = HashSpec::seeded(rng.next_u64());
        let mut chapter = Counters::new(planted.rank_offset);
        let precision = planted.precision;
        let mut linear = LinearCounting::new(LINEAR_BITS)?;
        let mut minimum = MinimumHash::new(1 << precision)?;
        let mut probabilistic = ProbabilisticCounting::new(precision)?;
        let (mut log_log, mut hyper) = (LogLog::new(precision)?, HyperLogLog::new(precision)?);
        let mut inserted = 0;
        for level in &mut levels {
            for item in inserted..level.items {
                let hash = spec.hash(&item);
                chapter.insert_hash(hash);
                linear.insert_hash(hash);
                minimum.insert_hash(hash);
                probabilistic.insert_hash(hash);
                log_log.insert_hash(hash);
                hyper.insert_hash(hash);
            }
            inserted = level.items;
            level.chapter.push(chapter.answers());
            let ours: [&dyn Cardinality; OURS.len()] = [&linear, &minimum, &probabilistic, &log_log, &hyper];
            for (errors, sketch) in level.errors.iter_mut().zip(ours) {
                errors.push(sketch.estimate().value() / level.items as f64 - 1.0);
            }
        }
        progress.step();
    }
    Ok(Outcome {
        tables: vec![chapter_table(&levels), our_table(&levels)?],
        plots: vec![chapter_plot(&levels), our_plot(&levels)?],
        verdicts: judge(&levels, runs)?,
        notes: vec![format!(
            "{runs} runs, each with a hash of its own; the items of a run are added to those before."
        )],
    })
}

fn chapter_table(levels: &[Level]) -> Table {
    let columns = [
        "distinct items D",
        "5.8 linear counting: mean/D",
        "5.9 minimum hash: runs above D (%)",
        "5.9 theory (%)",
        "5.10 mean of z − log₂ D",
        "5.10 theory",
        "5.11 LogLog: mean/D",
        "5.12 HyperLogLog: mean/D",
        "5.12 theory of z with the α of ρ",
    ];
    let mut table = Table::new("chapter", columns);
    for level in levels {
        let above = level.chapter.iter().filter(|answers| answers.minimum > level.items as f64).count();
        table.push([
            level.items.into(),
            level.share(|answers| answers.linear).into(),
            (100.0 * above as f64 / level.chapter.len() as f64).into(),
            (100.0 * above_chance(level.items)).into(),
            (level.mean(|answers| log2(answers.probabilistic)) - log2(level.items as f64)).into(),
            zeros_excess().into(),
            level.share(|answers| answers.log_log).into(),
            level.share(|answers| answers.hyper_log_log).into(),
            0.5.into(),
        ]);
    }
    table
}

/// The chance that the minimum of D uniform numbers is below 1/(D + 1), so that 1/h − 1 is above D.
fn above_chance(items: u64) -> f64 {
    let d = items as f64;
    1.0 - pow(d / (d + 1.0), d)
}

/// The mean of the largest number of leading zeros less log₂ D.
fn zeros_excess() -> f64 {
    EULER / std::f64::consts::LN_2 - 0.5
}

fn our_table(levels: &[Level]) -> Result<Table> {
    let columns = ["distinct items D", "counter", "mean error (%)", "rms error (%)", "theory (%)"];
    let scaled = ["rms·√k", "theory·√k", "literature, far out"];
    let mut table = Table::new("library", columns.into_iter().chain(scaled));
    let root = sqrt(f64::from(1 << PRECISION));
    for level in levels {
        for (ours, errors) in OURS.iter().zip(&level.errors) {
            let (Summary { mean, rms, .. }, theory) = (Summary::of(errors), (ours.theory)(level.items)?);
            let scale = if ours.literature.is_some() { root } else { f64::NAN };
            table.push([
                level.items.into(),
                ours.name.into(),
                (100.0 * mean).into(),
                (100.0 * rms).into(),
                (100.0 * theory).into(),
                (rms * scale).into(),
                (theory * scale).into(),
                ours.literature.unwrap_or(f64::NAN).into(),
            ]);
        }
    }
    Ok(table)
}

fn chapter_plot(levels: &[Level]) -> Plot {
    let series = |name: &str, of: fn(&Answers) -> f64| {
        let points = levels.iter().map(move |level| {
            let shares: Vec<f64> =
                level.chapter.iter().map(|answers| of(answers) / level.items as f64).collect();
            let Summary { mean, standard_error, .. } = Summary::of(&shares);
            let bar = 1.96 * standard_error;
            Point::new(level.items as f64, mean).with_bounds(mean - bar, mean + bar)
        });
        Series::new(name, Style::Joined, points)
    };
    let ends = [levels.first(), levels.last()].into_iter().flatten().map(|level| level.items as f64);
    Plot::new("chapter", "The chapter's algorithms as printed: mean answer (bars: 95 %)")
        .axes("distinct items D (count)", "mean answer, as a share of D")
        .log_x()
        .between(0.3, 1.4)
        .with([
            Series::new("right", Style::Theory, ends.map(|x| Point::new(x, 1.0))),
            series("5.8 linear counting", |answers| answers.linear),
            series("5.11 LogLog", |answers| answers.log_log),
            series("5.12 HyperLogLog", |answers| answers.hyper_log_log),
        ])
}

fn our_plot(levels: &[Level]) -> Result<Plot> {
    let mut series = Vec::new();
    for (colour, (index, ours)) in OURS.iter().enumerate().skip(1).enumerate() {
        let (mut curve, mut points) = (Vec::new(), Vec::new());
        for level in levels {
            let rms = 100.0 * Summary::of(&level.errors[index]).rms;
            let runs = level.errors[index].len() as f64;
            let bound = |p: f64| rms / sqrt(chi_squared_quantile(runs, p) / runs);
            points.push(Point::new(level.items as f64, rms).with_bounds(bound(0.975), bound(0.025)));
        }
        for step in 0..=60 {
            let items = pow(10.0, 3.0 + f64::from(step) / 20.0) as u64;
            curve.push(Point::new(items as f64, 100.0 * (ours.theory)(items)?));
        }
        series.push(Series::new(format!("{}: theory", ours.name), Style::Curve, curve).coloured(colour));
        series.push(
            Series::new(format!("{}: measured (95 %)", ours.name), Style::Points, points).coloured(colour),
        );
    }
    Ok(Plot::new("library", "The library's counters with 1024 registers or cells")
        .axes("distinct items D (count)", "relative standard error (%)")
        .log_x()
        .between(1.5, 5.0)
        .with(series))
}

fn judge(levels: &[Level], runs: u64) -> Result<Vec<Verdict>> {
    let (r, root) = (runs as f64, sqrt(f64::from(1 << PRECISION) * runs as f64));
    let quantile = normal_quantile(1.0 - FALSE_ALARM / levels.len() as f64 / 2.0);
    let place = |level: &Level| format!("D = {}", level.items);
    let around = |level: &Level, value: f64, expected: f64, margin: f64| Check {
        place: place(level),
        value,
        expected,
        lower: expected - margin,
        upper: expected + margin,
    };
    let mut linear = Vec::new();
    for level in levels {
        let load = level.items as f64 / LINEAR_BITS as f64;
        let bias = expm1(load) / 2.0 / level.items as f64;
        // One collision moves the answer by an item: with few of them the normal law needs that much room.
        let margin = quantile * (OURS[0].theory)(level.items)? / sqrt(r) + exp(load) / level.items as f64;
        linear.push(around(level, level.share(|answers| answers.linear), 1.0 + bias, margin));
    }
    let above = levels.iter().map(|level| {
        let above =
            level.chapter.iter().filter(|answers| answers.minimum > level.items as f64).count() as f64;
        let chance = above_chance(level.items);
        let (fewest, most) = binomial_band(runs, chance, FALSE_ALARM / levels.len() as f64);
        Check { place: place(level), value: above, expected: chance * r, lower: fewest, upper: most }
    });
    let deviation = sqrt(std::f64::consts::PI.powi(2) / 6.0 / std::f64::consts::LN_2.powi(2) + 1.0 / 12.0);
    let zeros = levels.iter().map(|level| {
        let value = level.mean(|answers| log2(answers.probabilistic)) - log2(level.items as f64);
        // The law of a maximum has a longer upper tail than the normal one: half as much again.
        around(level, value, zeros_excess(), 1.5 * quantile * deviation / sqrt(r))
    });
    let far = || levels.iter().filter(|level| level.is_far());
    let mean_of = |level: &Level, of: fn(&Answers) -> f64, expected: f64, constant: f64| {
        around(level, level.share(of), expected, expected * (quantile * constant / root + 0.001))
    };
    let log_log = far().map(|level| mean_of(level, |answers| answers.log_log, 1.0, 1.298));
    let half: Vec<Check> =
        far().map(|level| mean_of(level, |answers| answers.hyper_log_log, 0.5, 1.039)).collect();
    let erratum = Verdict::within("", "", half);
    let mut errors = Vec::new();
    let (points, mut bias) = (levels.len() * OURS.len(), Vec::new());
    let chance = FALSE_ALARM / points as f64;
    let bounds = [chance / 2.0, 1.0 - chance / 2.0].map(|p| sqrt(chi_squared_quantile(r, p) / r));
    for level in levels {
        for (ours, seen) in OURS.iter().zip(&level.errors) {
            let (Summary { mean, rms, .. }, theory) =
                (Summary::of(seen), 100.0 * (ours.theory)(level.items)?);
            // With fewer than 30 collisions the errors of linear counting are not nearly normal.
            let collisions = level.items * level.items / (2 * LINEAR_BITS);
            if ours.literature.is_none() && collisions < 30 {
                continue;
            }
            let place = format!("{} of {} items", ours.name, level.items);
            let (lower, upper) = (0.99 * theory * bounds[0], 1.01 * theory * bounds[1]);
            errors.push(Check { place: place.clone(), value: 100.0 * rms, expected: theory, lower, upper });
            // The bias that is left is of second order: the square of the error.
            let margin = normal_quantile(1.0 - chance / 2.0) * theory / sqrt(r) + theory * theory / 100.0;
            bias.push(Check { place, value: 100.0 * mean, expected: 0.0, lower: -margin, upper: margin });
        }
    }
    Ok(vec![
        Verdict::within("Algorithm 5.8, linear counting, counts right but for its known bias.", "", linear),
        Verdict::within("Algorithm 5.9, 1/h − 1, exceeds D in 63 % of all runs.", " runs", above),
        Verdict::within(
            "Algorithm 5.10: the mean of z is log₂ D + 0.3327, so 2^z is high by 1.26 = 1/0.79402.",
            "",
            zeros,
        ),
        Verdict::within("Algorithm 5.11, LogLog with z and α = 0.79402, counts right.", "", log_log),
        Verdict::erratum(
            "The document is wrong here: algorithm 5.12, HyperLogLog, returns half of D, because it uses z, the number of leading \
             zeros, with the α that belongs to ρ = z + 1.",
            erratum.passed,
            erratum.detail,
        ),
        Verdict::within("The library's counters err as much as `standard_error_at` says.", " %", errors),
        Verdict::within("They have no bias beyond the square of that error.", " %", bias),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_smaller_sketches_are_found_out() {
        let settings = Settings { size: Size::Quick, ..Settings::default() };
        let passed = |rank_offset, precision| -> Vec<bool> {
            let outcome =
                measure(&settings, &mut Progress::silent(), Planted { rank_offset, precision }).unwrap();
            outcome.verdicts.iter().map(|verdict| verdict.passed).collect()
        };
        let p = PRECISION as u8;
        assert_eq!(
            passed(1, p),
            [true, true, true, true, false, true, true],
            "there is no erratum with ranks"
        );
        assert_eq!(
            passed(0, p - 1),
            [true, true, true, true, true, false, true],
            "half of the registers err more"
        );
    }
}
