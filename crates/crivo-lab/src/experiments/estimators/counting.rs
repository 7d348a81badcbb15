//! Counters in a few bits.

use crivo::counting::{BinomialArray, BinomialCounter, BinomialParams, MorrisParams};
use crivo::rng::Rng;
use crivo::{MorrisArray, MorrisCounter};
use libm::sqrt;

use super::super::prelude::*;
use super::subject::{About, Answer, Law, Subject, Trial, judged};

const GRID: &[f64] = &[1.0, 3.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
/// A binomial counter is made for this number, and asked beyond, where it is full.
const LARGEST: u64 = 100_000;
const BINOMIAL_GRID: &[f64] = &[10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6];
/// Counters of an array; one of them is asked.
const CELLS: u64 = 64;

fn morris(per_mille: u64) -> Result<MorrisParams> {
    Ok(MorrisParams::for_standard_error(per_mille as f64 / 1000.0, 1_000_000_000)?)
}

fn morris_law(per_mille: u64, n: f64) -> Result<Law> {
    let limit = morris(per_mille)?.standard_error();
    Ok(Law::of(100.0 * limit * sqrt(1.0 - 1.0 / n)).with_jump(100.0 / n))
}

fn binomial(bits: u64) -> Result<BinomialParams> {
    Ok(BinomialParams::for_count(LARGEST, bits as u32)?)
}

/// A full register says nothing of the count beyond.
fn binomial_law(bits: u64, n: f64) -> Result<Law> {
    let params = binomial(bits)?;
    if n > LARGEST as f64 {
        return Ok(Law::of(f64::INFINITY));
    }
    Ok(Law::of(100.0 * params.standard_error_at(n as u64)).with_jump(100.0 / params.probability() / n))
}

/// A counter, alone or in an array: how it is made, raised and asked, and its bits.
macro_rules! counter {
    ($subject:ident, $about:expr, $size:literal, $sizes:expr, $grid:expr, $compared:expr, $params:ident, $law:ident,
     |$p:ident, $seed:ident| $make:expr, |$counter:ident, $count:ident| $raise:expr, $ask:expr, $bits:expr) => {
        pub(super) struct $subject;

        impl Subject for $subject {
            const ABOUT: About = $about;
            const SIZE: &'static str = $size;
            const SIZES: &'static [u64] = $sizes;
            const X: &'static str = "increments n (count)";
            const GRID: &'static [f64] = $grid;
            const TRIALS: (u64, u64) = (360, 2000);
            const COMPARED: f64 = $compared;

            fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
                let ($p, $seed) = ($params(size)?, rng.next_u64());
                let mut $counter = $make;
                let mut added = 0;
                let mut answers = Vec::with_capacity(grid.len());
                for &n in grid {
                    let $count = n as u64 - added;
                    $raise;
                    added = n as u64;
                    answers.push(Answer::relative(&$ask, n));
                }
                Ok(Trial { answers, bytes: $bits / 8.0 })
            }

            fn law(size: u64, n: f64) -> Result<Law> {
                $law(size, n)
            }
        }
    };
}

counter!(
    BinomialCounters,
    About {
        id: "c-binomial-counter",
        title: "Binomial counter: error, bits and intervals",
        reference: "MPEI, probabilistic counters with a fixed probability",
        question: "A counter in a few bits counts an increment with a fixed probability: how large is the error, from few increments to \
more than it was made for; how does it depend on memory; and does the interval have the promised coverage?",
        theory: judged!(
            "The register is binomial: no bias, and a relative standard error of √((1 − p)/(p·n)) (`BinomialParams::standard_error_at`), \
             until the register is full. It was made for 10⁵ increments; beyond, the answer is too low, and its interval has no upper end."
        ),
        cost: Cost { quick: 0.2, full: 2.0 },
    },
    "bits",
    &[4, 6, 8, 10, 12],
    BINOMIAL_GRID,
    1e4,
    binomial,
    binomial_law,
    |params, seed| BinomialCounter::with_params(params, seed),
    |counter, count| counter.increment_by(count),
    counter.estimate(),
    f64::from(params.bits())
);

counter!(
    BinomialArrays,
    About {
        id: "c-binomial-array",
        title: "Array of binomial counters: error, bits and intervals",
        reference: "MPEI, probabilistic counters with a fixed probability",
        question: "Many counters in a few bits each, all raised by the same amounts: how far is one of them from the truth; what does a bit \
buy; and does the interval have the promised coverage?",
        theory: judged!(
            "Each register is binomial: no bias, and a relative standard error of √((1 − p)/(p·n)) \
             (`BinomialParams::standard_error_at`), until it is full. The counters lie side by side, without gaps: the bits are all \
             bits of the array, shared by 64 counters."
        ),
        cost: Cost { quick: 0.2, full: 2.0 },
    },
    "bits",
    &[4, 6, 8, 10, 12],
    BINOMIAL_GRID,
    1e4,
    binomial,
    binomial_law,
    |params, seed| BinomialArray::with_params(CELLS, params, seed)?,
    |array, count| [0, 17, 63].into_iter().try_for_each(|index| array.increment_by(index, count))?,
    array.estimate(17)?,
    8.0 * array.memory_bytes() as f64 / CELLS as f64
);

counter!(
    MorrisCounters,
    About {
        id: "c-morris-counter",
        title: "Morris counter: error, bits and intervals",
        reference: "Morris 1978; Flajolet 1985; MPEI, probabilistic counters with a falling probability",
        question: "A counter in a few bits counts the more seldom the more it has counted: how large is the error, up to 10⁸ \
increments; how does it depend on memory; and does the interval have the promised coverage?",
        theory: judged!(
            "With base b the value (bⁿ − 1)/(b − 1) has no bias, and after k increments a variance of (b − 1)k(k − 1)/2: a relative standard error \
             that grows to √((b − 1)/2) (`MorrisParams::standard_error`), whatever the count."
        ),
        cost: Cost { quick: 0.5, full: 4.0 },
    },
    "promised standard error (‰)",
    &[20, 50, 100, 150, 200],
    GRID,
    1e6,
    morris,
    morris_law,
    |params, seed| MorrisCounter::with_params(params, seed),
    |counter, count| counter.increment_by(count),
    counter.estimate(),
    f64::from(params.bits())
);

counter!(
    MorrisArrays,
    About {
        id: "c-morris-array",
        title: "Array of Morris counters: error, bits and intervals",
        reference: "Morris 1978; Flajolet 1985; MPEI, probabilistic counters with a falling probability",
        question: "Many counters in a few bits each, all raised by the same amounts: how far is one of them from the truth, up to 10⁸ \
increments; how does it depend on memory; and does the interval have the promised coverage?",
        theory: judged!(
            "Each counter has no bias, and a relative standard error that grows to √((b − 1)/2) (`MorrisParams::standard_error`). The \
             counters lie side by side, without gaps: the bits are all bits of the array, shared by 64 counters."
        ),
        cost: Cost { quick: 0.9, full: 8.0 },
    },
    "promised standard error (‰)",
    &[20, 50, 100, 150, 200],
    GRID,
    1e6,
    morris,
    morris_law,
    |params, seed| MorrisArray::with_params(CELLS, params, seed)?,
    |array, count| [0, 17, 63].into_iter().try_for_each(|index| array.increment_by(index, count))?,
    array.estimate(17)?,
    8.0 * array.memory_bytes() as f64 / CELLS as f64
);
