//! Indices and filters of signatures: found, or not.

use crivo::rng::Rng;
use crivo::similarity::{
    DistanceBloom, DistanceParams, HammingParams, LshBloom, LshBloomParams, LshParams, Metric,
};
use crivo::stats::binomial_band;
use crivo::{HammingIndex, HashSpec, LshIndex, MinHash};

use super::super::prelude::*;
use super::similarity::{SIMILARITIES, pair};
use super::subject::{About, Answer, Flaw, Law, Subject, Trial, judged};

/// Slots of a signature: this number of rows, and as many bands as there is room for.
const SLOTS: u32 = 64;
const FALSE_ALARM: f64 = 1e-6;

fn bands(rows: u64) -> Result<LshParams> {
    Ok(LshParams::exact(SLOTS / rows as u32, rows as u32)?)
}

pub(super) struct LshIndices;

impl Subject for LshIndices {
    const ABOUT: About = About {
        id: "c-lsh-index",
        title: "LSH index: how often similar sets are found",
        reference: "Indyk and Motwani 1998; Leskovec, Rajaraman and Ullman, chapter 3",
        question: "One set is in the index: how often is another of similarity J found, for every J and several numbers of rows?",
        theory: judged!(
            "A band of r slots is shared with probability Jʳ, one of b bands with 1 − (1 − Jʳ)ᵇ (`LshParams::probability`): an S-curve. What is found is \
             binomial."
        ),
        cost: Cost { quick: 0.1, full: 1.0 },
    };
    const SIZE: &'static str = "rows of a band (64 slots)";
    const SIZES: &'static [u64] = &[2, 4, 8];
    const X: &'static str = "similarity J of the two sets";
    const LOG_X: bool = false;
    const ERROR: &'static str = "found (% of pairs)";
    const DRAWN: &'static str = "How often it is found";
    const GRID: &'static [f64] = SIMILARITIES;
    const TRIALS: (u64, u64) = (200, 2000);
    const COMPARED: f64 = 0.5;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let (mut answers, mut bytes) = (Vec::with_capacity(grid.len()), 0.0);
        for &similarity in grid {
            let [one, other] = pair(|| Ok(MinHash::for_slots(SLOTS)?), similarity, rng)?;
            let mut index = LshIndex::with_params(bands(size)?, &one)?;
            index.insert(1, &one)?;
            answers.push(Answer::event(index.candidates(&other)?.contains(&1), 0.0));
            bytes = index.memory_bytes() as f64;
        }
        Ok(Trial { answers, bytes })
    }

    fn law(size: u64, similarity: f64) -> Result<Law> {
        let probability = bands(size)?.probability(similarity)?;
        Ok(Law::event(probability).with_mean(Some(100.0 * probability)))
    }
}

/// A fingerprint among a hundred others.
pub(super) struct HammingIndices;

const OTHERS: u64 = 100;

impl Subject for HammingIndices {
    const ABOUT: About = About {
        id: "c-hamming-index",
        title: "Hamming index: all near signatures, and no others",
        reference: "Manku, Jain and Das Sarma 2007",
        question: "One of 101 fingerprints differs from the one asked for in d bits of 64: is it found exactly when d is at most the distance of the index?",
        theory: judged!(
            "Of more blocks than differing bits one is equal, so that every fingerprint within the distance is found, and what is found is compared: \
             always within the distance, never beyond. One exception is too many."
        ),
        cost: Cost { quick: 0.1, full: 1.0 },
    };
    const SIZE: &'static str = "distance of the index (bits)";
    const SIZES: &'static [u64] = &[1, 3, 6];
    const X: &'static str = "bits that differ (count)";
    const LOG_X: bool = false;
    const ERROR: &'static str = "found (% of fingerprints)";
    const DRAWN: &'static str = "How often it is found";
    const GRID: &'static [f64] = &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0];
    const TRIALS: (u64, u64) = (200, 2000);
    const COMPARED: f64 = 2.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let mut index = HammingIndex::with_params(HammingParams::for_distance(size as u32, 1_000_000)?);
        let kept = rng.next_u64();
        index.insert(0, kept)?;
        (1..=OTHERS).try_for_each(|id| index.insert(id, rng.next_u64()))?;
        let found = |&bits: &f64| {
            let mut asked = kept;
            while (asked ^ kept).count_ones() < bits as u32 {
                asked = kept ^ ((asked ^ kept) | 1 << rng.below(64));
            }
            Answer::event(index.similar(asked).iter().any(|&(id, _)| id == 0), 0.0)
        };
        Ok(Trial { answers: grid.iter().map(found).collect(), bytes: index.memory_bytes() as f64 })
    }

    fn law(size: u64, bits: f64) -> Result<Law> {
        let within = f64::from(u8::from(bits <= size as f64));
        Ok(Law::event(within).with_mean(Some(100.0 * within)).with_jump(0.0))
    }
}

/// A filter of forty sets, one of them of similarity J.
pub(super) struct LshBlooms;

const FILTERED: u64 = 40;

impl Subject for LshBlooms {
    const ABOUT: About = About {
        id: "c-lsh-bloom",
        title: "LSH Bloom filter: how often sets are reported as similar",
        reference: "Broder and Mitzenmacher 2004; Indyk and Motwani 1998",
        question: "Forty sets are in the filter, one of similarity J: is a set reported as similar as often as the filter states, for every J, and also if \
no set is similar?",
        theory: judged!(
            "A band answers yes when it is shared, or when the filter of the bands errs. The probability follows from J and the fill \
             (`LshBloom::detection`). What is drawn is what happened less what was stated: 0 on average."
        ),
        cost: Cost { quick: 0.1, full: 1.0 },
    };
    const SIZE: &'static str = "false positives planned (%)";
    const SIZES: &'static [u64] = &[1, 5, 20];
    const X: &'static str = "similarity J of the two sets";
    const LOG_X: bool = false;
    const ERROR: &'static str = "reported less stated (% of sets)";
    const DRAWN: &'static str = "Reports";
    const GRID: &'static [f64] = &[0.0, 0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95];
    const TRIALS: (u64, u64) = (200, 2000);
    const COMPARED: f64 = 0.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let params = LshBloomParams::for_fpr(bands(4)?, FILTERED, size as f64 / 100.0)?;
        let (mut answers, mut bytes) = (Vec::with_capacity(grid.len()), 0.0);
        for &similarity in grid {
            let [one, other] = pair(|| Ok(MinHash::for_slots(SLOTS)?), similarity, rng)?;
            let mut filter = LshBloom::with_params(params, &one)?;
            filter.insert(&one)?;
            for _ in 1..FILTERED {
                let slots: Vec<u32> = (0..SLOTS).map(|_| (rng.next_u64() >> 32) as u32).collect();
                filter.insert_slots(&slots)?;
            }
            answers.push(Answer::event(filter.contains(&other)?, filter.detection(similarity)?));
            bytes = filter.memory_bytes() as f64;
        }
        Ok(Trial { answers, bytes })
    }

    fn law(size: u64, similarity: f64) -> Result<Law> {
        let params = LshBloomParams::for_fpr(bands(4)?, FILTERED, size as f64 / 100.0)?;
        Ok(Law::event(params.detection_at(similarity, FILTERED)?))
    }
}

/// A filter of fifty strings of 128 bits, asked for one at a distance of one of them.
pub(super) struct DistanceBlooms;

const STRINGS: u64 = 50;
const FAR: f64 = 45.0;

/// Each function looks at 16 bits and has 512 cells; a quarter of them must find theirs set.
fn distance_params(functions: u64) -> Result<DistanceParams> {
    let functions = functions as u32;
    Ok(DistanceParams::exact(Metric::Hamming { bits: 128 }, functions, 16, functions / 4, 512)?)
}

impl Subject for DistanceBlooms {
    const ABOUT: About = About {
        id: "c-distance-bloom",
        title: "Distance-sensitive Bloom filter: misses and false reports",
        reference: "Kirsch and Mitzenmacher 2006",
        question: "Fifty strings of 128 bits are in the filter: is one that differs from one of them in d bits missed as often as the filter says, and is a \
string far from all of them reported no more often than it says?",
        theory: judged!(
            "A function looks at a few bits, and agrees with a probability that falls with the distance; a given number of the functions must find their cell \
             set. The misses follow from that and the fill (`DistanceBloom::false_negative_rate`). What is drawn is what was missed less what was \
             stated: 0 on average. False reports have a bound, which supposes all strings at the least distance."
        ),
        cost: Cost { quick: 0.3, full: 3.0 },
    };
    const SIZE: &'static str = "functions";
    const SIZES: &'static [u64] = &[16, 32, 64];
    const X: &'static str = "bits that differ (count)";
    const LOG_X: bool = false;
    const ERROR: &'static str = "missed less stated (% of strings)";
    const DRAWN: &'static str = "Misses";
    const GRID: &'static [f64] = &[0.0, 2.0, 4.0, 6.0, 9.0, 12.0, 18.0, 25.0];
    const TRIALS: (u64, u64) = (150, 1500);
    const COMPARED: f64 = 6.0;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        let (mut answers, mut bytes) = (Vec::with_capacity(grid.len()), 0.0);
        for &distance in grid {
            let (filter, strings) = filled(size, rng)?;
            let mut near = strings[7];
            let differ = |near: &[u64; 2]| {
                (near[0] ^ strings[7][0]).count_ones() + (near[1] ^ strings[7][1]).count_ones()
            };
            while differ(&near) < distance as u32 {
                let bit = rng.below(128);
                let word = (bit / 64) as usize;
                near[word] = strings[7][word] ^ ((near[word] ^ strings[7][word]) | 1 << (bit % 64));
            }
            let missed = !filter.contains_bits(&near)?;
            answers.push(Answer::event(missed, filter.false_negative_rate(distance)?));
            bytes = filter.memory_bytes() as f64;
        }
        Ok(Trial { answers, bytes })
    }

    /// Other strings only add hits: misses are fewer than those of one string alone.
    fn law(size: u64, distance: f64) -> Result<Law> {
        Ok(Law::event(distance_params(size)?.false_negative_rate(distance)?.min(0.5)))
    }

    fn more(settings: &Settings, flaw: Flaw, outcome: &mut Outcome) -> Result<()> {
        let mut rng = settings.rng("c-distance-bloom far");
        let (mut asked, mut reports, mut stated) = (0u64, 0u64, 0.0);
        for _ in 0..if settings.size == Size::Quick { 300 } else { 3000 } {
            let (filter, strings) = filled(32, &mut rng)?;
            let far = if flaw == Flaw::Lost { strings[0] } else { [rng.next_u64(), rng.next_u64()] };
            let differ = |kept: &[u64; 2]| (kept[0] ^ far[0]).count_ones() + (kept[1] ^ far[1]).count_ones();
            if flaw == Flaw::Lost || strings.iter().all(|kept| f64::from(differ(kept)) >= FAR) {
                asked += 1;
                reports += u64::from(filter.contains_bits(&far)?);
                stated += filter.false_positive_rate(FAR)?;
            }
        }
        let (_, most) = binomial_band(asked, stated / asked as f64, FALSE_ALARM);
        let detail = format!("{reports} of {asked} reported, {stated:.1} stated, at most {most} by chance.");
        let claim = "Strings far from all are reported no more often than stated.";
        outcome.verdicts.push(Verdict::new(claim, reports as f64 <= most, detail));
        Ok(())
    }
}

/// A filter of random strings, with them.
fn filled(size: u64, rng: &mut Rng) -> Result<(DistanceBloom, Vec<[u64; 2]>)> {
    let mut filter =
        DistanceBloom::with_params(distance_params(size)?).with_hash(HashSpec::seeded(rng.next_u64()));
    let strings: Vec<[u64; 2]> = (0..STRINGS).map(|_| [rng.next_u64(), rng.next_u64()]).collect();
    strings.iter().try_for_each(|string| filter.insert_bits(string).map(|_| ()))?;
    Ok((filter, strings))
}
