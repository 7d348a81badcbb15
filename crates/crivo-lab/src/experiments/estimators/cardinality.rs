//! Counters of distinct items, each with its own law.

use crivo::baseline::{LogLog, MinimumHash, ProbabilisticCounting};
use crivo::cardinality::LinearCounting;
use crivo::rng::Rng;
use crivo::sketch::Cardinality;
use crivo::{ExaLogLog, HyperLogLog, KMinValues};

use super::super::prelude::*;
use super::subject::{About, Answer, Law, Subject, Trial, judged};

/// From one item to a thousand a register.
pub(super) const GRID: &[f64] =
    &[1.0, 3.0, 10.0, 40.0, 100.0, 250.0, 600.0, 1500.0, 4000.0, 1e4, 3e4, 1e5, 3e5];
pub(super) const QUICK: f64 = 1e4;
pub(super) const PRECISIONS: &[u64] = &[4, 6, 8, 10, 12];
pub(super) const REGISTERS: &str = "precision (log₂ of the registers)";

/// One stream of random hashes, asked at every point.
pub(super) fn grow(mut sketch: impl Cardinality, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
    let mut inserted = 0;
    let mut hashes = Vec::new();
    let mut answers = Vec::with_capacity(grid.len());
    for &n in grid {
        hashes.clear();
        hashes.extend((inserted..n as u64).map(|_| rng.next_u64()));
        sketch.try_insert_hashes(&hashes)?;
        inserted = n as u64;
        answers.push(Answer::relative(&sketch.estimate(), n));
    }
    Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
}

/// Relative errors in percent, from the library's relative standard error; one item more moves a small count by one.
pub(super) fn relative(standard_error: f64, n: f64) -> Law {
    Law::of(100.0 * standard_error).with_jump(100.0 / n)
}

/// A counter that grows by its own `standard_error_at`.
macro_rules! counter {
    ($subject:ident, $counter:ident::$make:ident($size:ty), $about:expr, $what:expr, $sizes:expr) => {
        pub(super) struct $subject;

        impl Subject for $subject {
            const ABOUT: About = $about;
            const SIZE: &'static str = $what;
            const SIZES: &'static [u64] = $sizes;
            const GRID: &'static [f64] = GRID;
            const QUICK: f64 = QUICK;
            const COMPARED: f64 = 1e4;

            fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
                grow($counter::$make(size as $size)?, grid, rng)
            }

            fn law(size: u64, n: f64) -> Result<Law> {
                Ok(relative($counter::standard_error_at(size as $size, n as u64)?, n))
            }
        }
    };
}

pub(super) const QUESTION: &str = "How large is the error of the count, from one item to far more items than registers; how does it depend on memory; \
and does the 95 % interval have the promised coverage?";

counter!(
    HyperLogLogs,
    HyperLogLog::for_precision(u8),
    About {
        id: "c-hyperloglog",
        title: "HyperLogLog: error, memory and intervals",
        reference: "Flajolet, Fusy, Gandouet and Meunier 2007; Ertl 2017",
        question: QUESTION,
        theory: judged!(
            "Small sets are kept by their hashes, and all but exact. Then m registers have a relative standard error of \
             1.04/√m far from empty (`HyperLogLog::standard_error_at`, at every n), and no bias. Bits × error² tends to a constant: the fewest \
             bits for an error follow from it."
        ),
        cost: Cost { quick: 0.2, full: 3.0 },
    },
    REGISTERS,
    PRECISIONS
);

counter!(
    ExaLogLogs,
    ExaLogLog::for_precision(u8),
    About {
        id: "c-exaloglog",
        title: "ExaLogLog: error, memory and intervals",
        reference: "Ertl 2024",
        question: QUESTION,
        theory: judged!(
            "Registers of 28 bits know more than the largest rank, so that the estimate of maximum likelihood has a relative \
             standard error of 0.36/√m far from empty (`ExaLogLog::standard_error_at`, at every n): bits × error² is half that of \
             HyperLogLog."
        ),
        cost: Cost { quick: 0.5, full: 5.0 },
    },
    REGISTERS,
    PRECISIONS
);

counter!(
    LogLogs,
    LogLog::for_precision(u8),
    About {
        id: "c-loglog",
        title: "LogLog: error, memory and intervals",
        reference: "Durand and Flajolet 2003; Massive, section on distinct items",
        question: QUESTION,
        theory: judged!(
            "The mean of the registers has a relative standard error of 1.3/√m far from empty (`LogLog::standard_error_at`, at every \
             n); small sets are counted by the law of that mean, too."
        ),
        cost: Cost { quick: 0.3, full: 4.0 },
    },
    REGISTERS,
    PRECISIONS
);

counter!(
    ProbabilisticCountings,
    ProbabilisticCounting::for_precision(u8),
    About {
        id: "c-probabilistic-counting",
        title: "Probabilistic counting: error, memory and intervals",
        reference: "Flajolet and Martin 1985; Massive, section on distinct items",
        question: QUESTION,
        theory: judged!(
            "The mean of the lowest clear bits of m bitmaps has a relative standard error of 0.78/√m far from empty \
             (`ProbabilisticCounting::standard_error_at`, at every n). It errs less than LogLog for a register, but a register is a \
             whole bitmap."
        ),
        cost: Cost { quick: 0.3, full: 3.0 },
    },
    "precision (log₂ of the bitmaps)",
    PRECISIONS
);

counter!(
    MinimumHashes,
    MinimumHash::for_cells(u32),
    About {
        id: "c-minimum-hash",
        title: "Minimum hash: error, memory and intervals",
        reference: "Massive, section on distinct items; Giroire 2009",
        question: QUESTION,
        theory: judged!(
            "The smallest hash of each of m cells is a waiting time: their mean has a relative standard error of about 1/√m \
             (`MinimumHash::standard_error_at`, at every n)."
        ),
        cost: Cost { quick: 0.2, full: 3.0 },
    },
    "cells",
    &[16, 64, 256, 1024, 4096]
);

counter!(
    KMinValueses,
    KMinValues::for_k(u32),
    About {
        id: "c-k-min-values",
        title: "K minimum values: error, memory and intervals",
        reference: "Bar-Yossef et al. 2002; Beyer et al. 2007",
        question: QUESTION,
        theory: judged!(
            "Fewer than k items are counted one by one. Beyond, (k − 1) over the k-th smallest hash has no bias and a \
             relative standard error of 1/√(k − 2), less while n is near k (`KMinValues::standard_error_at`). The interval is a \
             theorem: it follows from the beta law of the k-th smallest of n."
        ),
        cost: Cost { quick: 0.8, full: 5.0 },
    },
    "hashes",
    &[16, 64, 256, 1024, 4096]
);

/// Linear counting, from one item to seven a bit. Beyond, all bits are ones now and then, and no error is finite.
pub(super) struct LinearCountings;

impl Subject for LinearCountings {
    const ABOUT: About = About {
        id: "c-linear-counting",
        title: "Linear counting: error, memory and intervals",
        reference: "Whang, Vander-Zanden and Taylor 1990; Massive, section on distinct items",
        question: "How far is the count from the truth, from an empty bitmap to one that is nearly full; how does the error depend on memory; \
and does the 95 % interval have the promised coverage?",
        theory: judged!(
            "With l = n/m items per bit the relative standard error is √(m(eˡ − l − 1))/n (`LinearCounting::standard_error_at`): \
             least at about 1.6 items per bit, and soon larger beyond."
        ),
        cost: Cost { quick: 0.1, full: 1.0 },
    };
    const SIZE: &'static str = "bits";
    const SIZES: &'static [u64] = &[512, 1024, 2048, 8192, 32_768];
    const GRID: &'static [f64] =
        &[1.0, 3.0, 10.0, 40.0, 100.0, 250.0, 600.0, 1500.0, 3000.0, 4000.0, 6000.0, 8000.0, 10_000.0];
    const COMPARED: f64 = 2000.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        grow(LinearCounting::for_bits(size)?, grid, rng)
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        Ok(relative(LinearCounting::standard_error_at(size, n as u64)?, n))
    }
}
