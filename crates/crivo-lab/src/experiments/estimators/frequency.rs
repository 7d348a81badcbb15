//! Tables of frequencies, and moments.

use crivo::frequency::{CountMinParams, CountSketchParams, SignedCountMin, SignedCountMinParams};
use crivo::rng::Rng;
use crivo::{CountMin, CountSketch, Moments};
use libm::sqrt;

use super::super::prelude::*;
use super::subject::{About, Answer, Law, Subject, Trial, judged};

pub(super) const GRID: &[f64] = &[1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 1e4, 3e4, 1e5];
pub(super) const QUICK: f64 = 1e4;
const WIDTHS: &[u64] = &[32, 64, 128, 256, 512];
const ROWS: u32 = 5;
/// Rows of a Count Sketch: its interval at 95 % has no ends with fewer than six.
const SIGNED_ROWS: u32 = 7;
const OTHERS: &str = "other items n (count)";

/// The frequency of an item that came once, among n others that did.
pub(super) struct CountMins;

impl Subject for CountMins {
    const ABOUT: About = About {
        id: "c-count-min",
        title: "Count-Min: error, memory and intervals",
        reference: "Cormode and Muthukrishnan 2005; Lopes 2017, section 2.2",
        question: "An item came once, and so did n others: by how much is its frequency overestimated, from an empty table to hundreds of items a \
cell; how does it depend on memory; and does the interval have the promised coverage?",
        theory: judged!(
            "In a row of w cells the other items on the item's cell are binomial with probability 1/w; the answer is the least of five \
             rows (`CountMinParams::over_count`, mean and root mean square, exactly). It is never too low. The interval takes off what \
             Markov's inequality allows in every row."
        ),
        cost: Cost { quick: 0.2, full: 3.0 },
    };
    const SIZE: &'static str = "width (cells of a row)";
    const SIZES: &'static [u64] = WIDTHS;
    const X: &'static str = OTHERS;
    const ERROR: &'static str = "error (% of the total)";
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = QUICK;
    const COMPARED: f64 = 3000.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sketch = CountMin::with_params(CountMinParams::exact(size, ROWS)?);
        let asked = rng.next_u64();
        sketch.add_hash(asked, 1);
        let (mut added, mut answers) = (0, Vec::with_capacity(grid.len()));
        for &n in grid {
            let hashes: Vec<u64> = (added..n as u64).map(|_| rng.next_u64()).collect();
            sketch.add_hashes(&hashes);
            added = n as u64;
            answers.push(Answer::scaled(&sketch.frequency_hash(asked), 1.0, 100.0 / (n + 1.0)));
        }
        Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        let scale = 100.0 / (n + 1.0);
        let (mean, rms) = CountMinParams::exact(size, ROWS)?.over_count(n as u64);
        Ok(Law::of(scale * rms).with_mean(Some(scale * mean)).with_jump(scale))
    }
}

/// Tables with signs: n others, each of which came once or left once, with equal chances.
macro_rules! signed {
    ($subject:ident, $sketch:ident, $params:ident, $rows:expr, $about:expr) => {
        pub(super) struct $subject;

        impl Subject for $subject {
            const ABOUT: About = $about;
            const SIZE: &'static str = "width (cells of a row)";
            const SIZES: &'static [u64] = WIDTHS;
            const X: &'static str = OTHERS;
            const ERROR: &'static str = "error (% of the norm ‖A‖₂)";
            const GRID: &'static [f64] = GRID;
            const QUICK: f64 = QUICK;
            const COMPARED: f64 = 3000.0;

            fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
                let mut sketch = $sketch::with_params($params::exact(size, $rows)?);
                let asked = rng.next_u64();
                sketch.add_hash(asked, 1)?;
                let (mut added, mut answers) = (0, Vec::with_capacity(grid.len()));
                for &n in grid {
                    for _ in added..n as u64 {
                        let count = if rng.below(2) == 0 { 1 } else { -1 };
                        sketch.add_hash(rng.next_u64(), count)?;
                    }
                    added = n as u64;
                    answers.push(Answer::scaled(&sketch.frequency_hash(asked), 1.0, 100.0 / sqrt(n + 1.0)));
                }
                Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
            }

            /// The median of symmetric rows strays no farther than a row does.
            fn law(size: u64, n: f64) -> Result<Law> {
                let scale = 100.0 / sqrt(n + 1.0);
                Ok(Law::at_most(scale * sqrt(n / size as f64)).with_jump(scale))
            }
        }
    };
}

signed!(
    SignedCountMins,
    SignedCountMin,
    SignedCountMinParams,
    ROWS,
    About {
        id: "c-signed-count-min",
        title: "Signed Count-Min: error, memory and intervals",
        reference: "Cormode and Muthukrishnan 2005",
        question: "An item came once, and n others came or left: how large is the error of the median of its cells; how does it depend on \
memory; and does the interval have the promised coverage?",
        theory: judged!(
            "A row of w cells adds to the answer the others that share the item's cell: with mean 0 where as many leave as come, and \
             variance n/w. The median of five rows has no bias then, and strays less than one row: judged as a bound, √(n/w). The interval \
             is wide: it holds for streams whose counts all have one sign, too."
        ),
        cost: Cost { quick: 0.2, full: 3.0 },
    }
);

signed!(
    CountSketches,
    CountSketch,
    CountSketchParams,
    SIGNED_ROWS,
    About {
        id: "c-count-sketch",
        title: "Count Sketch: error, memory and intervals",
        reference: "Charikar, Chen and Farach-Colton 2002",
        question: "An item came once, and n others came or left: how large is the error of the median of its cells; how does it depend on \
memory; and does the interval have the promised coverage?",
        theory: judged!(
            "Every item enters its cell with a random sign, so that a row of w cells has no bias whatever the stream, and variance \
             ‖A‖₂²/w. The median of seven rows strays less than one row: judged as a bound, 1/√w of the norm. The interval is a theorem: \
             a row is as often too high as too low. Fewer than six rows have no finite interval at 95 %."
        ),
        cost: Cost { quick: 0.2, full: 4.0 },
    }
);

/// The second moment of n items that came once each.
pub(super) struct Momentses;

impl Subject for Momentses {
    const ABOUT: About = About {
        id: "c-moments",
        title: "Moments: error, memory and intervals of F₂",
        reference: "Alon, Matias and Szegedy 1999; Thorup and Zhang 2012",
        question: "n items that came once each have F₂ = n: how far is the sum of the squared cells from it; what does a cell buy; and \
does the interval have the promised coverage?",
        theory: judged!(
            "Every item enters one of w cells with a random sign. The sum of squares has no bias, and variance 2(F₂² − F₄)/w: relative \
             to F₂, √(2(1 − 1/n)/w). The interval is a theorem, by Chebyshev's inequality, and wide."
        ),
        cost: Cost { quick: 0.1, full: 2.0 },
    };
    const SIZE: &'static str = "cells";
    const SIZES: &'static [u64] = &[64, 256, 1024, 4096];
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = QUICK;
    const COMPARED: f64 = 3000.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sketch = Moments::for_precision(8, size)?;
        let (mut added, mut answers) = (0, Vec::with_capacity(grid.len()));
        for &n in grid {
            let hashes: Vec<u64> = (added..n as u64).map(|_| rng.next_u64()).collect();
            sketch.add_hashes(&hashes)?;
            added = n as u64;
            answers.push(Answer::relative(&sketch.f2(), n));
        }
        Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
    }

    /// Two items in one cell move the sum by two.
    fn law(size: u64, n: f64) -> Result<Law> {
        Ok(Law::of(100.0 * sqrt(2.0 * (1.0 - 1.0 / n) / size as f64)).with_jump(200.0 / n))
    }
}
