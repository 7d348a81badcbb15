//! Signatures of weights and of vectors.

use crivo::rng::Rng;
use crivo::{HashSpec, SimHash, WeightedMinHash};
use libm::{cos, sin};

use super::super::prelude::*;
use super::similarity::{ERROR, SIMILARITIES, SLOTS, TRIALS, agreeing};
use super::subject::{About, Answer, Law, Subject, Trial, judged};

/// Forty items of unlike weights; half of them are lighter by the factor J in one set, half in the other.
pub(super) struct WeightedMinHashes;

impl Subject for WeightedMinHashes {
    const ABOUT: About = About {
        id: "c-weighted-min-hash",
        title: "Weighted MinHash: error, memory and intervals",
        reference: "Ioffe 2010",
        question: "Two sets have equal items with different weights. How large is the error of Jaccard's similarity of the weights, Σmin/Σmax; how does it \
depend on the slots; and does the interval have the promised coverage?",
        theory: judged!(
            "Each of k slots agrees with probability Σmin/Σmax: the number that agree is binomial, and the standard error √(J(1 − J)/k)."
        ),
        cost: Cost { quick: 0.4, full: 3.0 },
    };
    const SIZE: &'static str = "slots k";
    const SIZES: &'static [u64] = SLOTS;
    const X: &'static str = "similarity J of the weights";
    const LOG_X: bool = false;
    const ERROR: &'static str = ERROR;
    const GRID: &'static [f64] = SIMILARITIES;
    const TRIALS: (u64, u64) = (360, 720);
    const COMPARED: f64 = 0.5;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut answers = Vec::with_capacity(grid.len());
        for &similarity in grid {
            let (mut one, mut other) =
                (WeightedMinHash::for_slots(size as u32)?, WeightedMinHash::for_slots(size as u32)?);
            for item in 0..40 {
                let (hash, weight) = (rng.next_u64(), 0.1 + rng.unit());
                let (heavy, light) =
                    if item % 2 == 0 { (&mut one, &mut other) } else { (&mut other, &mut one) };
                heavy.add_hash(hash, weight)?;
                light.add_hash(hash, weight * similarity)?;
            }
            answers.push(Answer::scaled(&one.similarity(&other)?, similarity, 100.0));
        }
        Ok(Trial { answers, bytes: WeightedMinHash::for_slots(size as u32)?.memory_bytes() as f64 })
    }

    fn law(size: u64, similarity: f64) -> Result<Law> {
        Ok(agreeing(size as f64, similarity))
    }
}

/// Two directions in the plane.
pub(super) struct SimHashes;

impl Subject for SimHashes {
    const ABOUT: About = About {
        id: "c-sim-hash",
        title: "SimHash: error, memory and intervals of an angle",
        reference: "Charikar 2002",
        question: "Two vectors have a known angle. How large is the error of the similarity, 1 − θ/π; how does it depend on the bits; and does the interval have \
the promised coverage?",
        theory: judged!(
            "A random plane through the origin has two vectors at the angle θ on one side with probability s = 1 − θ/π. The bits that agree are \
             binomial: a standard error of √(s(1 − s)/b). The components of the planes come from a table of the normal law, which moves s by no more \
             than 0.0005: that is allowed for."
        ),
        cost: Cost { quick: 0.2, full: 1.0 },
    };
    const SIZE: &'static str = "bits b";
    const SIZES: &'static [u64] = &[64, 128, 256, 512];
    const X: &'static str = "similarity s = 1 − angle/π";
    const LOG_X: bool = false;
    const ERROR: &'static str = ERROR;
    const GRID: &'static [f64] = SIMILARITIES;
    const TRIALS: (u64, u64) = TRIALS;
    const COMPARED: f64 = 0.5;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut answers = Vec::with_capacity(grid.len());
        let mut bytes = 0.0;
        for &similarity in grid {
            let spec = HashSpec::seeded(rng.next_u64());
            let angle = std::f64::consts::PI * (1.0 - similarity);
            let vector = |angle: f64| -> Result<SimHash> {
                let mut sketch = SimHash::for_bits(size as u32)?.with_hash(spec);
                sketch.add_vector(&[cos(angle), sin(angle)])?;
                Ok(sketch)
            };
            let turn = 2.0 * std::f64::consts::PI * rng.unit();
            let one = vector(turn)?;
            answers.push(Answer::scaled(&one.similarity(&vector(turn + angle)?)?, similarity, 100.0));
            bytes = one.memory_bytes() as f64;
        }
        Ok(Trial { answers, bytes })
    }

    fn law(size: u64, similarity: f64) -> Result<Law> {
        Ok(agreeing(size as f64, similarity).with_slack(0.05))
    }
}
