//! Counters that know more than a set of registers: windows, two sets, and their own history.

use crivo::cardinality::Martingale;
use crivo::rng::Rng;
use crivo::{ExaLogLog, HyperLogLog, Joint, SlidingHyperLogLog};
use libm::{expm1, sqrt};

use super::super::prelude::*;
use super::cardinality::{GRID, PRECISIONS, QUESTION, QUICK, REGISTERS, grow, relative};
use super::subject::{About, Answer, Law, Subject, Trial, judged};

/// One item a time unit; x is the width of a window that ends now.
pub(super) struct SlidingHyperLogLogs;

impl Subject for SlidingHyperLogLogs {
    const ABOUT: About = About {
        id: "c-sliding-hyperloglog",
        title: "Sliding HyperLogLog: error, memory and intervals of windows",
        reference: "Chabchoub and Hébrail 2010",
        question: "One stream, one item a time unit: how far is the count of the last n items from the truth, for windows from one \
item to the whole stream; how does the error depend on memory; and do the intervals have the promised coverage?",
        theory: judged!(
            "The registers of a window are those of a HyperLogLog that saw the window alone. From a sixth of an item a register \
             on, the error is that of `HyperLogLog::standard_error_at`; below, there are no hashes of a small set to count, and the \
             error is that of linear counting over the registers."
        ),
        cost: Cost { quick: 0.9, full: 11.0 },
    };
    const SIZE: &'static str = REGISTERS;
    const SIZES: &'static [u64] = &[8, 9, 10, 11, 12];
    const TRIALS: (u64, u64) = (360, 2000);
    const X: &'static str = "items in the window (count)";
    const GRID: &'static [f64] =
        &[1.0, 3.0, 10.0, 40.0, 100.0, 250.0, 600.0, 1500.0, 3000.0, 6000.0, 1e4, 2e4, 4e4];
    const QUICK: f64 = QUICK;
    const COMPARED: f64 = 1e4;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let length = grid.iter().fold(0.0, |most: f64, &n| most.max(n)) as u64;
        let mut sketch = SlidingHyperLogLog::for_precision(size as u8, length)?;
        for time in 0..length {
            sketch.insert_hash(rng.next_u64(), time);
        }
        let answers = grid.iter().map(|&n| Ok(Answer::relative(&sketch.estimate(n as u64)?, n)));
        Ok(Trial { answers: answers.collect::<Result<_>>()?, bytes: sketch.memory_bytes() as f64 })
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        let m = (1u64 << size) as f64;
        let load = n / m;
        Ok(relative(
            if load > 1.0 / 6.0 {
                HyperLogLog::standard_error_at(size as u8, n as u64)?
            } else {
                sqrt((expm1(load) - load) / m) / load
            },
            n,
        ))
    }
}

/// Two sets of n/2 new items each and as many common ones: the union is n, a third of it common.
pub(super) struct Joints;

impl Subject for Joints {
    const ABOUT: About = About {
        id: "c-joint",
        title: "Joint sketch: error, memory and intervals of an intersection",
        reference: "Broder 1997; Flajolet, Fusy, Gandouet and Meunier 2007",
        question: "Two sets whose union has n items, a third of them in both: how far is the size of the intersection from the \
truth, at every n; how does the error depend on memory; and do the intervals have the promised coverage?",
        theory: judged!(
            "Fewer than k items are compared one by one. Beyond, the share J of common items is seen among the smallest hashes of \
             the union, and its size comes from m registers: a relative standard error of at most √((1 − J)/(J·k) + 1.08/m) \
             (`Joint::intersection_error`), a little less because the sample has more than k hashes."
        ),
        cost: Cost { quick: 0.7, full: 7.0 },
    };
    const SIZE: &'static str = "precision (log₂ of the registers; a quarter as many hashes)";
    const SIZES: &'static [u64] = &[8, 9, 10, 11, 12];
    const TRIALS: (u64, u64) = (360, 2000);
    const X: &'static str = "items in the union n (count)";
    const GRID: &'static [f64] = &[3.0, 30.0, 120.0, 300.0, 600.0, 1500.0, 3000.0, 6000.0, 1.5e4, 3e4, 6e4];
    const QUICK: f64 = 1.5e4;
    const COMPARED: f64 = 1.5e4;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut sketches = [
            Joint::for_precision(size as u8, 1 << (size - 2))?,
            Joint::for_precision(size as u8, 1 << (size - 2))?,
        ];
        let (mut inserted, mut answers) = (0, Vec::with_capacity(grid.len()));
        for &n in grid {
            for turn in inserted..n as u64 {
                let hash = rng.next_u64();
                for (i, sketch) in sketches.iter_mut().enumerate() {
                    if turn % 3 == 0 || turn % 3 == i as u64 + 1 {
                        sketch.insert_hash(hash);
                    }
                }
            }
            inserted = n as u64;
            let [first, second] = &sketches;
            answers.push(Answer::relative(&first.intersection(second)?, n / 3.0));
        }
        Ok(Trial { answers, bytes: sketches[0].memory_bytes() as f64 })
    }

    fn law(size: u64, n: f64) -> Result<Law> {
        let k = 1 << (size - 2);
        Ok(Law::at_most(100.0 * Joint::intersection_error(size as u8, k, 1.0 / 3.0)?).with_jump(300.0 / n))
    }
}

/// Martingale counting of one sketch.
macro_rules! martingale {
    ($subject:ident, $sketch:ident, $about:expr) => {
        pub(super) struct $subject;

        impl Subject for $subject {
            const ABOUT: About = $about;
            const SIZE: &'static str = REGISTERS;
            const SIZES: &'static [u64] = PRECISIONS;
            const GRID: &'static [f64] = GRID;
            const QUICK: f64 = QUICK;
            const TRIALS: (u64, u64) = (360, 2000);
            const COMPARED: f64 = 1e4;

            fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
                grow(Martingale::new($sketch::for_precision(size as u8)?)?, grid, rng)
            }

            /// Far from empty the limit law holds; before, the error is smaller.
            fn law(size: u64, n: f64) -> Result<Law> {
                let limit = 100.0 * Martingale::<$sketch>::standard_error(size as u8)?;
                let far = n >= 100.0 * (1u64 << size) as f64;
                Ok(if far { Law::of(limit) } else { Law::at_most(limit).with_jump(100.0 / n) })
            }
        }
    };
}

martingale!(
    MartingaleHyperLogLogs,
    HyperLogLog,
    About {
        id: "c-martingale-hyperloglog",
        title: "Martingale HyperLogLog: error, memory and intervals",
        reference: "Ting 2014; Cohen 2015",
        question: QUESTION,
        theory: judged!(
            "Each change of the sketch counts for the items that it waited for, on average. There is no bias at any n, and the \
             relative standard error grows to √(ln 2/m) = 0.833/√m (`Martingale::standard_error`), a fifth less than that of \
             the registers alone. It is judged as a bound below 100 items per register, and exactly from there on."
        ),
        cost: Cost { quick: 0.2, full: 4.0 },
    }
);

martingale!(
    MartingaleExaLogLogs,
    ExaLogLog,
    About {
        id: "c-martingale-exaloglog",
        title: "Martingale ExaLogLog: error, memory and intervals",
        reference: "Ting 2014; Cohen 2015; Ertl 2024",
        question: QUESTION,
        theory: judged!(
            "As with HyperLogLog inside: no bias at any n; the relative standard error grows to 0.319/√m \
             (`Martingale::standard_error`), an eighth less than that of the registers alone. It is judged as a bound below 100 items \
             a register, and exactly from there on."
        ),
        cost: Cost { quick: 1.0, full: 19.0 },
    }
);
