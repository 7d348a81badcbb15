//! Signatures of sets.

use crivo::rng::Rng;
use crivo::similarity::BBitMinHash;
use crivo::sketch::Insert;
use crivo::{MinHash, OnePermutation};
use libm::{expm1, sqrt};

use super::super::prelude::*;
use super::subject::{About, Answer, Law, Subject, Trial, judged};

/// Items of the union of two sets.
pub(super) const UNION: f64 = 200.0;
pub(super) const SIMILARITIES: &[f64] = &[0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98];
const X: &str = "similarity J of the two sets";
pub(super) const ERROR: &str = "error (percentage points)";
pub(super) const TRIALS: (u64, u64) = (360, 2000);
pub(super) const SLOTS: &[u64] = &[32, 64, 128, 256, 512];

/// The hashes of two sets of this similarity, whose union has [`UNION`] items.
pub(super) fn sets(similarity: f64, rng: &mut Rng) -> [Vec<u64>; 2] {
    let common = libm::round(similarity * UNION) as usize;
    let own = (UNION as usize - common) / 2;
    let both: Vec<u64> = (0..common).map(|_| rng.next_u64()).collect();
    [0, 1].map(|_| both.iter().copied().chain((0..own).map(|_| rng.next_u64())).collect())
}

/// The signatures of two such sets.
pub(super) fn pair<S: Insert>(
    make: impl Fn() -> Result<S>,
    similarity: f64,
    rng: &mut Rng,
) -> Result<[S; 2]> {
    let [first, second] = sets(similarity, rng);
    let (mut one, mut other) = (make()?, make()?);
    one.try_insert_hashes(&first)?;
    other.try_insert_hashes(&second)?;
    Ok([one, other])
}

/// A pair of sets for every similarity, compared.
fn compare<S: Insert>(make: impl Fn() -> Result<S>, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
    let mut answers = Vec::with_capacity(grid.len());
    for &similarity in grid {
        let [one, other] = pair(&make, similarity, rng)?;
        let compare = one.kind().info().similarity.expect("a sketch that compares");
        answers.push(Answer::scaled(&compare(&one, &other)?, similarity, 100.0));
    }
    Ok(Trial { answers, bytes: make()?.memory_bytes() as f64 })
}

/// The percentage of slots that agree, each with this probability.
pub(super) fn agreeing(slots: f64, similarity: f64) -> Law {
    Law::of(100.0 * sqrt(similarity * (1.0 - similarity) / slots)).with_jump(100.0 / slots)
}

pub(super) struct MinHashes;

impl Subject for MinHashes {
    const ABOUT: About = About {
        id: "c-min-hash",
        title: "MinHash: error, memory and intervals",
        reference: "Broder 1997; Lopes 2017, section 2.3",
        question: "How far is the similarity of two sets from the truth, from nearly disjoint to nearly equal ones; what does a slot \
buy; and does the interval have the promised coverage?",
        theory: judged!(
            "Each of k slots has a function of its own, and agrees with probability J: the number that agree is binomial, and the standard \
             error √(J(1 − J)/k). The interval follows from it."
        ),
        cost: Cost { quick: 0.1, full: 1.0 },
    };
    const SIZE: &'static str = "slots k";
    const SIZES: &'static [u64] = SLOTS;
    const X: &'static str = X;
    const LOG_X: bool = false;
    const ERROR: &'static str = ERROR;
    const GRID: &'static [f64] = SIMILARITIES;
    const TRIALS: (u64, u64) = TRIALS;
    const COMPARED: f64 = 0.5;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        compare(|| Ok(MinHash::for_slots(size as u32)?), grid, rng)
    }

    fn law(size: u64, similarity: f64) -> Result<Law> {
        Ok(agreeing(size as f64, similarity))
    }
}

pub(super) struct OnePermutations;

impl Subject for OnePermutations {
    const ABOUT: About = About {
        id: "c-one-permutation",
        title: "One-permutation MinHash: error, memory and intervals",
        reference: "Li, Owen and Zhang 2012; Shrivastava and Li 2014",
        question: "One function for all slots: how far is the similarity of two sets of few items from the truth; what does a slot buy; and \
does the interval have the promised coverage?",
        theory: judged!(
            "An item falls into one of k bins. The N bins that the union of u items uses show N of them, drawn without putting back: a standard error of \
             √(J(1 − J)/N · (u − N)/(u − 1)), less than that of k functions, and N is about k(1 − (1 − 1/k)ᵘ)."
        ),
        cost: Cost { quick: 0.2, full: 1.0 },
    };
    const SIZE: &'static str = "slots k";
    const SIZES: &'static [u64] = SLOTS;
    const X: &'static str = X;
    const LOG_X: bool = false;
    const ERROR: &'static str = ERROR;
    const GRID: &'static [f64] = SIMILARITIES;
    const TRIALS: (u64, u64) = TRIALS;
    const COMPARED: f64 = 0.5;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        compare(|| Ok(OnePermutation::for_slots(size as u32)?), grid, rng)
    }

    fn law(size: u64, similarity: f64) -> Result<Law> {
        let k = size as f64;
        let used = -k * expm1(UNION * libm::log1p(-1.0 / k));
        let drawn = (UNION - used) / (UNION - 1.0);
        Ok(Law::of(100.0 * sqrt(similarity * (1.0 - similarity) / used * drawn)).with_jump(100.0 / used))
    }
}

pub(super) struct BBitMinHashes;

const COMPRESSED_SLOTS: u32 = 256;

impl Subject for BBitMinHashes {
    const ABOUT: About = About {
        id: "c-b-bit-min-hash",
        title: "b-bit MinHash: error, memory and intervals",
        reference: "Li and König 2010",
        question: "Only b bits of each of 256 slots are kept: how far is the similarity of two sets from the truth; how does the error depend on memory; and does \
the interval hold the truth?",
        theory: judged!(
            "Slots of unlike items agree by chance with probability 2⁻ᵇ; that is taken off, and the error grows by 1/(1 − 2⁻ᵇ) \
             (`BBitMinHash::standard_error`). Near J = 0 the answer is cut at 0, has a bias and errs less: there, within five standard errors, the error \
             is judged as a bound."
        ),
        cost: Cost { quick: 0.1, full: 1.0 },
    };
    const SIZE: &'static str = "bits b";
    const SIZES: &'static [u64] = &[1, 2, 4, 8, 16];
    const MAIN: u64 = 2;
    const X: &'static str = X;
    const LOG_X: bool = false;
    const ERROR: &'static str = ERROR;
    const GRID: &'static [f64] = SIMILARITIES;
    const TRIALS: (u64, u64) = (360, 1500);
    const COMPARED: f64 = 0.8;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut bytes = 0.0;
        let mut answers = Vec::with_capacity(grid.len());
        for &similarity in grid {
            let [one, other] = pair(|| Ok(MinHash::for_slots(COMPRESSED_SLOTS)?), similarity, rng)?;
            let [one, other] = [&one, &other].map(|full| BBitMinHash::freeze(full, size as u32));
            let one = one?;
            answers.push(Answer::scaled(&one.similarity(&other?)?, similarity, 100.0));
            bytes = one.memory_bytes() as f64;
        }
        Ok(Trial { answers, bytes })
    }

    fn law(size: u64, similarity: f64) -> Result<Law> {
        let deviation = BBitMinHash::standard_error(COMPRESSED_SLOTS, size as u32, similarity)?;
        let scaled = 100.0 * deviation;
        let jump = 100.0 / f64::from(COMPRESSED_SLOTS);
        let cut = similarity < 5.0 * deviation;
        Ok(if cut { Law::at_most(scaled).with_mean(None) } else { Law::of(scaled).with_jump(jump) })
    }
}
