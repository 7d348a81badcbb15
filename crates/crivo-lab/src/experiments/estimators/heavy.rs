//! The most frequent items, and a majority.

use crivo::frequency::Majority;
use crivo::rng::Rng;
use crivo::{MisraGries, SpaceSaving};
use libm::pow;

use super::super::prelude::*;
use super::frequency::{GRID, QUICK};
use super::subject::{About, Answer, Flaw, Law, Subject, Trial, judged};

/// A stream in which item i comes about as often as 1/i, from a hundred thousand items, and one of these to be asked for.
struct Skewed {
    asked: u64,
    truth: f64,
}

impl Skewed {
    fn draw(rng: &mut Rng) -> u64 {
        pow(1e5, rng.unit()) as u64
    }

    fn new(rng: &mut Rng) -> Self {
        Self { asked: Self::draw(rng), truth: 0.0 }
    }

    fn next(&mut self, rng: &mut Rng) -> u64 {
        let item = Self::draw(rng);
        self.truth += f64::from(u8::from(item == self.asked));
        item
    }
}

/// Summaries of the most frequent items: what any item's count may be off by is certain.
macro_rules! heavy {
    ($subject:ident, $sketch:ident, $about:expr, $share:expr) => {
        pub(super) struct $subject;

        impl Subject for $subject {
            const ABOUT: About = $about;
            const SIZE: &'static str = "counters";
            const SIZES: &'static [u64] = &[16, 64, 256, 1024];
            const X: &'static str = "length of the stream N (items)";
            const ERROR: &'static str = "error (% of the length)";
            const GRID: &'static [f64] = GRID;
            const QUICK: f64 = 3000.0;
            const TRIALS: (u64, u64) = (100, 500);
            const COMPARED: f64 = 3000.0;

            fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
                let mut sketch = $sketch::<u64>::for_counters(size as u32)?;
                let mut stream = Skewed::new(rng);
                let (mut added, mut answers) = (0, Vec::with_capacity(grid.len()));
                for &n in grid {
                    for _ in added..n as u64 {
                        sketch.add(&stream.next(rng), 1);
                    }
                    added = n as u64;
                    answers.push(Answer::scaled(&sketch.frequency(&stream.asked), stream.truth, 100.0 / n));
                }
                Ok(Trial { answers, bytes: sketch.memory_bytes() as f64 })
            }

            fn law(size: u64, _: f64) -> Result<Law> {
                let share: fn(f64) -> f64 = $share;
                Ok(Law::within(100.0 * share(size as f64)))
            }
        }
    };
}

heavy!(
    SpaceSavings,
    SpaceSaving,
    About {
        id: "c-space-saving",
        title: "Space-Saving: error, memory and bounds",
        reference: "Metwally, Agrawal and El Abbadi 2005",
        question: "Items by Zipf's law: how large is the error of the count of an item while the stream grows; how does it depend on the number of \
counters; and do the deterministic bounds hold?",
        theory: judged!(
            "No count is off by more than N/m for m counters, for every stream, and every bound holds: one miss is too many. On a \
             skewed stream the error is far smaller."
        ),
        cost: Cost { quick: 0.3, full: 11.0 },
    },
    |counters| 1.0 / counters
);

heavy!(
    MisraGrieses,
    MisraGries,
    About {
        id: "c-misra-gries",
        title: "Misra-Gries: error, memory and bounds",
        reference: "Misra and Gries 1982; Massive, section on frequent items",
        question: "Items by Zipf's law: how large is the error of the count of an item while the stream grows; how does it depend on the number of \
counters; and do the deterministic bounds hold?",
        theory: judged!(
            "Counters are cut in bulk, half of them at a time: no count is off by more than N/(⌊m/2⌋ + 1) for m counters, for every \
             stream, and every bound holds: one miss is too many. On a skewed stream the error is far smaller."
        ),
        cost: Cost { quick: 0.2, full: 7.0 },
    },
    |counters| 1.0 / (libm::floor(counters / 2.0) + 1.0)
);

/// Three votes in five are for item 0, the others for one of ten.
pub(super) struct Majorities;

impl Subject for Majorities {
    const ABOUT: About = About {
        id: "c-majority",
        title: "Majority: bounds, and the majority item",
        reference: "Boyer and Moore 1991",
        question: "Six votes in ten are for one of eleven items: how large is the error of its count while votes come in; do the \
deterministic bounds hold; and is the candidate the majority item whenever there is one?",
        theory: judged!(
            "Votes for two distinct items cancel. What is left over for the candidate is less than its count by at most half of all \
             votes, and the bounds hold for certain. An item with more than half of all votes cannot be cancelled: it is the candidate."
        ),
        cost: Cost { quick: 0.1, full: 3.0 },
    };
    const SIZE: &'static str = "candidates";
    const SIZES: &'static [u64] = &[1];
    const X: &'static str = "votes (count)";
    const ERROR: &'static str = "error (% of the votes)";
    const GRID: &'static [f64] = GRID;
    const QUICK: f64 = QUICK;
    const COMPARED: f64 = 1e4;

    fn trial(_: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut majority = Majority::<u64>::new();
        let (mut truth, mut added) = (0.0, 0);
        let mut answers = Vec::with_capacity(grid.len());
        for &n in grid {
            for _ in added..n as u64 {
                let item = if rng.below(10) < 6 { 0 } else { 1 + rng.below(10) };
                majority.add(&item, 1);
                truth += f64::from(u8::from(item == 0));
            }
            added = n as u64;
            answers.push(Answer::scaled(&majority.frequency(&0), truth, 100.0 / n));
        }
        Ok(Trial { answers, bytes: majority.memory_bytes() as f64 })
    }

    fn law(_: u64, _: f64) -> Result<Law> {
        Ok(Law::within(50.0))
    }

    /// Short streams, in which there often is no majority.
    fn more(settings: &Settings, flaw: Flaw, outcome: &mut Outcome) -> Result<()> {
        let mut rng = settings.rng("c-majority winners");
        let (mut elections, mut won, mut found) = (0, 0, 0);
        while won < 1000 {
            let votes: Vec<u64> =
                (0..21).map(|_| if rng.below(10) < 4 { 0 } else { 1 + rng.below(3) }).collect();
            let winner =
                votes.iter().find(|&item| 2 * votes.iter().filter(|&other| other == item).count() > 21);
            let mut majority = Majority::<u64>::new();
            majority.extend(votes.iter().copied().skip(usize::from(flaw == Flaw::Lost)));
            elections += 1;
            won += u64::from(winner.is_some());
            found += u64::from(winner.is_some() && majority.candidate() == winner);
        }
        let detail = format!("{found} of {won} winners found, in {elections} elections of 21 votes.");
        outcome.verdicts.push(Verdict::new(
            "The majority item is always the candidate.",
            found == won,
            detail,
        ));
        Ok(())
    }
}
