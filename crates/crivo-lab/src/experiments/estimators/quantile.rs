//! Ranks and ranges.

use crivo::quantile::{DyadicParams, LogQuantilesParams, Tail};
use crivo::rng::Rng;
use crivo::{DyadicCountMin, HashSpec, Kll, LogQuantiles, ReqSketch};
use libm::{exp2, sqrt};

use super::super::prelude::*;
use super::subject::{About, Answer, Bar, Law, Subject, Trial, judged};

const GRID: &[f64] = &[1.0, 10.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 3000.0, 1e4, 3e4, 1e5];

/// The rank of the middle of the values' range, in random order.
pub(super) struct Klls;

impl Subject for Klls {
    const ABOUT: About = About {
        id: "c-kll",
        title: "KLL: error, memory and intervals of ranks",
        reference: "Karnin, Lang and Liberty 2016",
        question: "Random values in random order: how far is the rank of the middle from the truth, while values come in; what does a bit \
buy; and does the interval have the promised coverage?",
        theory: judged!(
            "Ranks are exact until the first compaction. Each later one moves a rank by its weight or not at all, with a fair coin, and only \
             when it has an odd number of values up to the one asked for. If all had, the root mean square would be `Kll::rank_deviation`; in \
             random order half of them have, and it is 1/√2 of that. The interval holds for the worst order: a theorem, by Hoeffding's \
             inequality."
        ),
        cost: Cost { quick: 0.2, full: 5.0 },
    };
    const SIZE: &'static str = "k";
    const SIZES: &'static [u64] = &[16, 32, 64, 128, 256];
    const X: &'static str = "values n (count)";
    const ERROR: &'static str = "error of a rank (% of n)";
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = 3000.0;
    const TRIALS: (u64, u64) = (360, 1000);
    const COMPARED: f64 = 3000.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sketch = Kll::with_seed(size, rng.next_u64())?;
        let (mut added, mut truth, mut answers) = (0, 0.0, Vec::with_capacity(grid.len()));
        let middle = u64::MAX / 2;
        for &n in grid {
            for _ in added..n as u64 {
                let value = rng.next_u64();
                truth += f64::from(u8::from(value <= middle));
                sketch.insert(value)?;
            }
            added = n as u64;
            answers.push(Answer::scaled(&sketch.rank(&middle), truth, 100.0 / n));
        }
        Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
    }

    /// How many coins are thrown depends on n alone, not on the values.
    fn law(size: u64, n: f64) -> Result<Law> {
        let mut sketch = Kll::with_seed(size, 0)?;
        (0..n as u64).try_for_each(|value| sketch.insert(value))?;
        Ok(Law::of(100.0 * sketch.rank_deviation() / sqrt(2.0)))
    }
}

/// The rank below a tail of a tenth of the values, in random order.
pub(super) struct ReqSketches;

impl Subject for ReqSketches {
    const ABOUT: About = About {
        id: "c-req-sketch",
        title: "REQ: error, memory and intervals of ranks in the tail",
        reference: "Cormode, Karnin, Liberty, Thaler and Veselý 2021",
        question: "Random values in random order: how far is the number of values in the upper tenth from the truth, while values come in; what does a \
bit buy; and does the interval have the promised coverage?",
        theory: judged!(
            "A compaction moves the number of values in the tail by its weight or not at all, with a fair coin. At most one compaction of a level \
             reaches into the tail for each k of its values beyond the protected half. Summed over the levels, the root mean square of the \
             relative error is at most √(c/18)/k, with c = 0.41 (0.44 for k = 16, 0.51 for k = 8, 0.78 for k = 4), for any order. The interval is a theorem for all \
             orders."
        ),
        cost: Cost { quick: 0.3, full: 20.0 },
    };
    const SIZE: &'static str = "k (values of a section)";
    const SIZES: &'static [u64] = &[4, 8, 16, 32, 64];
    const X: &'static str = "values n (count)";
    const ERROR: &'static str = "error of a rank (% of the tail)";
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = 3000.0;
    const TRIALS: (u64, u64) = (360, 1000);
    const COMPARED: f64 = 3e4;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sketch = ReqSketch::with_seed(size, Tail::High, rng.next_u64())?;
        let (mut added, mut below, mut answers) = (0, 0.0, Vec::with_capacity(grid.len()));
        let edge = u64::MAX / 10 * 9;
        for &n in grid {
            for _ in added..n as u64 {
                let value = rng.next_u64();
                below += f64::from(u8::from(value <= edge));
                sketch.insert(value)?;
            }
            added = n as u64;
            answers.push(Answer::scaled(&sketch.rank(&edge), below, 100.0 / (n - below).max(1.0)));
        }
        Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
    }

    fn law(size: u64, _: f64) -> Result<Law> {
        let share = match size {
            ..=4 => 0.78,
            5..=8 => 0.51,
            9..=16 => 0.44,
            _ => 0.41,
        };
        Ok(Law::at_most(100.0 * sqrt(share / 18.0) / size as f64))
    }
}

/// The number of values in a range of a universe of 16 bits.
pub(super) struct DyadicCountMins;

const UNIVERSE_BITS: u32 = 16;
const DEPTH: u32 = 3;
const RANGE: std::ops::RangeInclusive<u64> = 9_001..=40_000;

impl Subject for DyadicCountMins {
    const ABOUT: About = About {
        id: "c-dyadic-count-min",
        title: "Dyadic Count-Min: error, memory and intervals of ranges",
        reference: "Cormode and Muthukrishnan 2005",
        question: "Random values below 65,536: by how much is a range over-counted, while values come in; how does the error depend on memory; and does \
the interval hold the truth?",
        theory: judged!(
            "A range is cut into dyadic pieces, at most two a level. In a row of w cells those of the h levels that are hashed are \
             over-counted by at most 2hn/w on average, and the least of three rows by no more than any of them: the root mean \
             square is at most √(μ² + μ·2h) with μ = 2hn/w, for values that differ. The interval takes off what Markov's inequality allows."
        ),
        cost: Cost { quick: 0.3, full: 12.0 },
    };
    const SIZE: &'static str = "width (cells of a row)";
    const SIZES: &'static [u64] = &[64, 128, 256, 512];
    const X: &'static str = "values n (count)";
    const ERROR: &'static str = "error of a range (% of n)";
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = 3000.0;
    const TRIALS: (u64, u64) = (360, 600);
    const COMPARED: f64 = 1000.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let params = DyadicParams::exact(UNIVERSE_BITS, size, DEPTH)?;
        let mut sketch =
            DyadicCountMin::<u64>::with_params(params)?.with_hash(HashSpec::seeded(rng.next_u64()));
        let (mut added, mut truth, mut answers) = (0, 0.0, Vec::with_capacity(grid.len()));
        for &n in grid {
            for _ in added..n as u64 {
                let value = rng.below(1 << UNIVERSE_BITS);
                truth += f64::from(u8::from(RANGE.contains(&value)));
                sketch.add(value, 1)?;
            }
            added = n as u64;
            answers.push(Answer::scaled(&sketch.range(RANGE)?, truth, 100.0 / n));
        }
        Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        let pieces = 2.0 * f64::from(DyadicParams::exact(UNIVERSE_BITS, size, DEPTH)?.hashed_levels());
        let mean = pieces * n / size as f64;
        Ok(Law::at_most(100.0 * sqrt(mean * mean + mean * pieces) / n).with_mean(None))
    }
}

/// The 90th percentile of values that spread over 20 octaves.
pub(super) struct LogQuantileses;

impl LogQuantileses {
    fn params(size: u64) -> Result<LogQuantilesParams> {
        Ok(LogQuantilesParams::exact(size as u32, 64 * size as u32)?)
    }
}

impl Subject for LogQuantileses {
    const ABOUT: About = About {
        id: "c-log-quantiles",
        title: "LogQuantiles: error, memory and intervals of quantiles",
        reference: "Masson, Rim and Lee 2019",
        question: "Random values over 20 octaves: how far is the 90th percentile from the truth, while values come in; what does a bit buy; and does \
the interval always hold the truth?",
        theory: judged!(
            "The answer for a bucket from a to b is v = 2ab/(a + b), so the relative error is at most t = (b − a)/(a + b). Values that are \
             multiplied by a random factor lie anywhere in the logarithm of their bucket. Integrating v/x and its square over that, both means are \
             c = t/artanh t: the relative error has the mean c − 1 and the root mean square √(1 − c), about t/√3, at every n. The interval is \
             the bucket, and certain."
        ),
        cost: Cost { quick: 0.2, full: 5.0 },
    };
    const SIZE: &'static str = "buckets of an octave";
    const SIZES: &'static [u64] = &[4, 9, 18, 35, 70];
    const X: &'static str = "values n (count)";
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = 3000.0;
    const TRIALS: (u64, u64) = (360, 1000);
    const COMPARED: f64 = 1000.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sketch = LogQuantiles::with_params(Self::params(size)?);
        let factor = exp2(rng.unit());
        let (mut values, mut answers) = (Vec::new(), Vec::with_capacity(grid.len()));
        for &n in grid {
            while values.len() < n as usize {
                values.push(factor * exp2(20.0 * rng.unit()));
                sketch.insert(values[values.len() - 1])?;
            }
            let rank = (9 * values.len()).div_ceil(10) - 1;
            let truth = *values.select_nth_unstable_by(rank, f64::total_cmp).1;
            let answer = sketch.quantile(0.9)?;
            let [error, lower, upper] =
                [answer.value(), answer.lower(), answer.upper()].map(|end| 100.0 * (end / truth - 1.0));
            answers.push(Answer { error, bar: Some(Bar { guarantee: answer.guarantee(), lower, upper }) });
        }
        Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
    }

    fn law(size: u64, _: f64) -> Result<Law> {
        let most = Self::params(size)?.relative_error();
        let mean = most / libm::atanh(most);
        Ok(Law::of(100.0 * sqrt(1.0 - mean)).with_mean(Some(100.0 * (mean - 1.0))))
    }
}
