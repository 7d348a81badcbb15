//! The one-pass counters of distinct items as the chapter on massive data gives them, and those of the library.

use crivo::HashSpec;
use crivo::cardinality::LinearCounting;
use crivo::stats::{binomial_band, normal_quantile};
use libm::{exp, expm1, log, log2, pow, sqrt};

use super::one_pass::{Answers, Counters, LINEAR_BITS, Least, PRECISION};
use super::one_pass_ours::{self as ours, Errors, Sketches};
use super::prelude::*;
use crate::summary::Summary;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-massive-distinct",
    title: "Distinct items in one pass: the chapter's algorithms and the library's",
    source: Source::Massive,
    reference: "The chapter on massive data, section 5.5, algorithms 5.8 to 5.12",
    question: "Do the chapter's five counters count right, as printed? And do the library's err as little as theory says?",
    theory: "\
All counters of a run see the same hashes of D distinct items; linear counting has 2^18 bits, the others k = 1024 estimators, registers \
or cells. The minimum hash (5.9) and 2^z (5.10) are one estimator each, and get runs of their own. Theory: −L·ln ρ (5.8) is high by \
(e^λ − 1)/2 items, λ = D/L. 1/h − 1 (5.9) has no mean; it exceeds D with probability 1 − (1 − 1/(D + 1))^D, about 63 %. The mean of z (5.10) is \
log₂ D + γ/ln 2 − 1/2, its variance π²/(6 ln²2) + 1/12 with a tail that falls as 2^(−z), so 2^z is high by 2^0.3327 = 1/0.79402: the α of \
LogLog (5.11) takes just that out. The α of HyperLogLog (5.12) belongs to ρ = z + 1; used with z it gives D/2. Means of R runs are held \
against these with the standard errors 1.298/√k and 1.039/√k from D = 100k on, where no register is empty; 0.1 % is allowed for \
the rounding and the limit of α. The library's root mean square errors are compared with the χ² distribution of R squares around \
`standard_error_at`, with 1 % allowed for being a first-order law. False alarms: 10⁻⁶ in each claim, shared by its points.",
    cost: Cost { quick: 0.5, full: 7.0 },
    timed: false,
    structures: &["linear-counting", "minimum-hash", "probabilistic-counting", "loglog", "hyperloglog"],
    contradicts: true,
    faults: &[
        Fault {
            name: "ranks instead of leading zeros",
            run: |settings, progress| {
                measure(settings, progress, Planted { rank_offset: 1, ..Planted::NONE })
            },
        },
        Fault {
            name: "a quarter of the registers",
            run: |settings, progress| {
                measure(settings, progress, Planted { precision: PRECISION - 2, ..Planted::NONE })
            },
        },
        Fault {
            name: "every tenth item lost",
            run: |settings, progress| measure(settings, progress, Planted { lost: 10, ..Planted::NONE }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Planted::NONE),
};

const SIZES: [u64; 7] = [1000, 2000, 5000, 10_000, 30_000, 102_400, 1_024_000];
const FALSE_ALARM: f64 = 1e-6;
/// From this number of items per register on, none is empty and the limit laws hold.
const FAR: u64 = 100;
/// γ/ln 2 − 1/2: the mean of the largest number of leading zeros less log₂ D.
const ZEROS_EXCESS: f64 = 0.577_215_664_901_532_9 / std::f64::consts::LN_2 - 0.5;

/// Faults to plant: ranks instead of zeros in the chapter's HyperLogLog, and the library's sketches of another size.
#[derive(Clone, Copy)]
struct Planted {
    rank_offset: u32,
    precision: u8,
    /// One item in this number is not inserted.
    lost: u64,
}

impl Planted {
    const NONE: Self = Self { rank_offset: 0, precision: PRECISION, lost: u64::MAX };
}

/// All runs of the chapter's algorithms at one number of distinct items.
struct Level {
    items: u64,
    answers: Vec<Answers>,
    least: Vec<Least>,
}

impl Level {
    fn is_far(&self) -> bool {
        self.items >= FAR << PRECISION
    }

    /// The answers of one algorithm, as shares of the truth.
    fn shares(&self, of: fn(&Answers) -> f64) -> Summary {
        let shares: Vec<f64> = self.answers.iter().map(|answers| of(answers) / self.items as f64).collect();
        Summary::of(&shares)
    }

    /// How many minimum hashes tell of more than D items.
    fn above(&self) -> u64 {
        self.least.iter().filter(|least| least.minimum_hash() > self.items as f64).count() as u64
    }

    /// The chance that the minimum of D uniform numbers is below 1/(D + 1), so that 1/h − 1 is above D.
    fn above_chance(&self) -> f64 {
        let d = self.items as f64;
        1.0 - pow(d / (d + 1.0), d)
    }

    /// The mean of z less log₂ D.
    fn zeros_excess(&self) -> f64 {
        self.least.iter().map(|least| least.zeros()).sum::<f64>() / self.least.len() as f64
            - log2(self.items as f64)
    }
}

fn measure(settings: &Settings, progress: &mut Progress, planted: Planted) -> Result<Outcome> {
    let (runs, sizes) = match settings.size {
        Size::Quick => (100, &SIZES[..6]),
        Size::Full => (400, &SIZES[..]),
    };
    let mut rng = settings.rng("e-massive-distinct hash seeds");
    progress.start(runs + sizes.len() as u64);
    let mut levels = Vec::new();
    for &items in sizes {
        // As many hashes for each number of items, so that fewer items get more runs.
        let singles = runs * sizes[5] / items;
        let least = (0..singles)
            .map(|_| Least::of(items - items / planted.lost, HashSpec::seeded(rng.next_u64())))
            .collect();
        levels.push(Level { items, answers: Vec::new(), least });
        progress.step();
    }
    let mut errors: Vec<Errors> = sizes.iter().map(|&items| Errors::at(items)).collect();
    for _ in 0..runs {
        let spec = HashSpec::seeded(rng.next_u64());
        let (mut chapter, mut ours) = (Counters::new(planted.rank_offset), Sketches::new(planted.precision)?);
        let mut inserted = 0;
        for (level, errors) in levels.iter_mut().zip(&mut errors) {
            for item in inserted..level.items {
                if item % planted.lost != planted.lost - 1 {
                    let hash = spec.hash(&item);
                    chapter.insert_hash(hash);
                    ours.insert_hash(hash);
                }
            }
            inserted = level.items;
            level.answers.push(chapter.answers());
            errors.push(&ours);
        }
        progress.step();
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&levels), ours::table(&errors)?],
        plots: vec![plot(&levels), ours::plot(&errors)?],
        verdicts: judge(&levels)?.into_iter().chain(ours::judge(&errors, FALSE_ALARM)?).collect(),
        notes: vec![format!(
            "{runs} runs, each with its own hash function; the items of a run are added to those before. Algorithms 5.9 and 5.10 have {} \
             runs at 1000 items, and fewer where there are more.",
            levels[0].least.len()
        )],
    })
}

fn table(levels: &[Level]) -> Table {
    let columns = [
        "distinct items D",
        "5.8 linear counting: mean/D",
        "5.9 minimum hash: runs above D (%)",
        "5.9 theory (%)",
        "5.10 mean of z − log₂ D",
        "5.10 theory",
        "5.11 LogLog: mean/D",
        "5.12 HyperLogLog: mean/D",
    ];
    let mut table = Table::new("chapter", columns);
    for level in levels {
        table.push([
            level.items.into(),
            level.shares(|answers| answers.linear).mean.into(),
            (100.0 * level.above() as f64 / level.least.len() as f64).into(),
            (100.0 * level.above_chance()).into(),
            level.zeros_excess().into(),
            ZEROS_EXCESS.into(),
            level.shares(|answers| answers.log_log).mean.into(),
            level.shares(|answers| answers.hyper_log_log).mean.into(),
        ]);
    }
    table
}

fn plot(levels: &[Level]) -> Plot {
    let series = |name: &str, of: fn(&Answers) -> f64| {
        let points = levels.iter().map(move |level| {
            let Summary { mean, standard_error, .. } = level.shares(of);
            let bar = 1.96 * standard_error;
            Point::new(level.items as f64, mean).with_bounds(mean - bar, mean + bar)
        });
        Series::new(name, Style::Joined, points)
    };
    let right = levels.iter().map(|level| Point::new(level.items as f64, 1.0));
    Plot::new("chapter", "The chapter's algorithms as printed: mean answer (bars: 95 %)")
        .axes("distinct items D (count)", "mean answer, as a share of D")
        .log_x()
        .between(0.3, 1.6)
        .with([
            Series::new("right", Style::Theory, right),
            series("5.8 linear counting", |answers| answers.linear),
            series("5.11 LogLog", |answers| answers.log_log),
            series("5.12 HyperLogLog", |answers| answers.hyper_log_log),
        ])
}

fn judge(levels: &[Level]) -> Result<Vec<Verdict>> {
    let chance = FALSE_ALARM / levels.len() as f64;
    let quantile = normal_quantile(1.0 - chance / 2.0);
    let around = |level: &Level, value: f64, expected: f64, margin: f64| {
        let (lower, upper) = (expected - margin, expected + margin);
        Check { place: format!("D = {}", level.items), value, expected, lower, upper }
    };
    let mut linear = Vec::new();
    for level in levels {
        let (load, d) = (level.items as f64 / LINEAR_BITS as f64, level.items as f64);
        let error =
            LinearCounting::standard_error_at(LINEAR_BITS, level.items)? / sqrt(level.answers.len() as f64);
        // One collision moves the answer by e^λ items: with few of them the normal law needs that much room.
        let margin = quantile * error + exp(load) / d;
        linear.push(around(
            level,
            level.shares(|answers| answers.linear).mean,
            1.0 + expm1(load) / 2.0 / d,
            margin,
        ));
    }
    let above = levels.iter().map(|level| {
        let (runs, p) = (level.least.len() as u64, level.above_chance());
        let (fewest, most) = binomial_band(runs, p, chance);
        let [value, expected, lower, upper] = [level.above() as f64, p * runs as f64, fewest, most]
            .map(|answers| 100.0 * answers / runs as f64);
        Check { place: format!("D = {}", level.items), value, expected, lower, upper }
    });
    let ln_2 = std::f64::consts::LN_2;
    let variance = pow(std::f64::consts::PI / ln_2, 2.0) / 6.0 + 1.0 / 12.0;
    let zeros = levels.iter().map(|level| {
        // A sum of values whose tail falls as e^(−z·ln 2); the limit is reached but for 1/D.
        let (runs, surprise) = (level.least.len() as f64, log(2.0 / chance));
        let margin =
            sqrt(2.0 * variance * surprise / runs) + surprise / (runs * ln_2) + 1.0 / level.items as f64;
        around(level, level.zeros_excess(), ZEROS_EXCESS, margin)
    });
    let far = |of: fn(&Answers) -> f64, expected: f64, constant: f64| {
        levels.iter().filter(|level| level.is_far()).map(move |level| {
            let spread = constant / sqrt((level.answers.len() << PRECISION) as f64);
            around(level, level.shares(of).mean, expected, expected * (quantile * spread + 0.001))
        })
    };
    let half = Verdict::within("", "", far(|answers| answers.hyper_log_log, 0.5, 1.039));
    let log_log = far(|answers| answers.log_log, 1.0, 1.298);
    Ok(vec![
        Verdict::within("Algorithm 5.8, linear counting, has only its known bias.", "", linear),
        Verdict::within("Algorithm 5.9, 1/h − 1, exceeds D in 63 % of all runs.", " %", above),
        Verdict::within(
            "Algorithm 5.10: the mean of z is log₂ D + 0.3327, so 2^z is too large by a factor of 1.26 = 1/0.79402.",
            "",
            zeros,
        ),
        Verdict::within("Algorithm 5.11, LogLog with z and α = 0.79402, is unbiased.", "", log_log),
        Verdict::erratum(
            "Algorithm 5.12, HyperLogLog, returns half of D, because it uses z, the number of leading \
             zeros, with the α that belongs to ρ = z + 1.",
            half.holds(),
            half.detail,
        ),
    ])
}
