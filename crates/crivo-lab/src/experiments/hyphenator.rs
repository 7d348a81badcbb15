//! A hyphenator by the patterns of Knuth and Liang with a dictionary of exceptions, and what may stand before the dictionary.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::Read;

use crivo::membership::{BinaryFuseParams, BlockedParams, CuckooParams};
use crivo::rng::Rng;
use crivo::sketch::Membership;
use crivo::{BinaryFuse, BlockedBloom, BloomFilter, BloomParams, CuckooFilter, HashSpec};
use flate2::read::GzDecoder;
use hypher::Lang;

use super::bucketed::{Bucketed, BucketedParams};
use crate::corpus::DATA_SETS;
use crate::{Error, Result, Settings};

/// After how many letters a word may be broken.
type Breaks = Vec<usize>;

/// Distinct words to hyphenate, and exceptions, in lower case.
pub(super) struct Lists {
    pub(super) words: Vec<String>,
    /// Which words are exceptions, in the order of the list.
    pub(super) exceptional: Vec<String>,
    dictionary: HashMap<String, Breaks>,
}

/// How many words and exceptions are made where none are to be read: as many as in the lists of the document.
const MADE: (usize, usize) = (466_550, 1_751);

impl Lists {
    /// Every `step`th word of the data sets, or of words that are made; and all exceptions.
    pub(super) fn of(settings: &Settings, step: usize) -> Result<Self> {
        let Some(folder) = &settings.corpus else {
            return Ok(Self::made(&mut settings.rng("words to hyphenate"), step));
        };
        let [_, words, exceptions] = DATA_SETS.map(|set| folder.join(set.path));
        let mut text = String::new();
        let file = fs::File::open(&words).map_err(Error::file(&words))?;
        GzDecoder::new(file).read_to_string(&mut text).map_err(Error::file(&words))?;
        let mut seen = HashSet::new();
        let words =
            text.lines().step_by(step).map(str::to_lowercase).filter(|word| seen.insert(word.clone()));
        let words = words.collect();
        let text = fs::read_to_string(&exceptions).map_err(Error::file(&exceptions))?;
        Ok(Self::new(words, text.lines().map(exception)))
    }

    /// Words of two to five syllables; exceptions are some of them, broken anywhere.
    fn made(rng: &mut Rng, step: usize) -> Self {
        let mut pick = |from: &str| {
            let letters: Vec<char> = from.chars().collect();
            letters[rng.below(letters.len() as u64) as usize]
        };
        let mut seen = HashSet::new();
        let mut words = Vec::new();
        while words.len() < MADE.0 / step {
            let syllables = pick("2345").to_digit(10).unwrap_or(2);
            let letters = ["bcdfghklmnprstvz", "aeiou", "lmnrst"];
            let word: String = (0..syllables).flat_map(|_| letters.map(&mut pick)).collect();
            if seen.insert(word.clone()) {
                words.push(word);
            }
        }
        // The words are in no order: the first are as good as any.
        let broken = |word: &String| (word.clone(), (2..word.len()).filter(|_| rng.below(3) == 0).collect());
        let exceptions: Vec<(String, Breaks)> = words.iter().take(MADE.1).map(broken).collect();
        Self::new(words, exceptions)
    }

    fn new(words: Vec<String>, exceptions: impl IntoIterator<Item = (String, Breaks)>) -> Self {
        let (mut exceptional, mut dictionary) = (Vec::new(), HashMap::new());
        for (word, breaks) in exceptions {
            exceptional.push(word.clone());
            dictionary.insert(word, breaks);
        }
        Self { words, exceptional, dictionary }
    }
}

/// A word with hyphens where it may be broken.
fn exception(entry: &str) -> (String, Breaks) {
    let mut breaks: Breaks = Vec::new();
    for part in entry.split('-') {
        breaks.push(breaks.last().unwrap_or(&0) + part.len());
    }
    breaks.pop();
    (entry.replace('-', "").to_lowercase(), breaks)
}

/// Hash of a word that is one already.
#[derive(Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash << 8 | u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

type ByHash<'a> = HashMap<u64, (&'a str, &'a Breaks), BuildHasherDefault<Hashed>>;

/// What is asked before the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bloom,
    /// The document's cuckoo filter.
    Buckets,
    /// The library's.
    Cuckoo,
    Blocked,
    Fuse,
    /// Nothing: the dictionary itself, by the hash function of the standard library.
    Nothing,
    /// Nothing, but the dictionary is one by the hash function of the filters.
    OwnHash,
}

pub(super) const KINDS: [Kind; 7] =
    [Kind::Bloom, Kind::Buckets, Kind::Cuckoo, Kind::Blocked, Kind::Fuse, Kind::Nothing, Kind::OwnHash];
pub(super) const FILTERS: &[Kind] = KINDS.split_at(5).0;

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bloom => "Bloom",
            Self::Buckets => "cuckoo, buckets of four",
            Self::Cuckoo => "cuckoo, windows of two",
            Self::Blocked => "blocked Bloom",
            Self::Fuse => "binary fuse",
            Self::Nothing => "no filter",
            Self::OwnHash => "no filter, the filters' hash",
        }
    }
}

/// The size of a filter for a number of exceptions.
#[derive(Clone, Copy)]
pub(super) enum Params {
    Bloom(BloomParams),
    Buckets(BucketedParams),
    Cuckoo(CuckooParams),
    Blocked(BlockedParams),
    Fuse(BinaryFuseParams),
    Nothing,
    OwnHash,
}

impl Params {
    pub(super) fn new(kind: Kind, items: u64, fpr: f64) -> Result<Self> {
        Ok(match kind {
            Kind::Bloom => Self::Bloom(BloomParams::for_fpr(items, fpr)?),
            Kind::Buckets => Self::Buckets(BucketedParams::for_fpr(items, fpr)),
            Kind::Cuckoo => Self::Cuckoo(CuckooParams::for_fpr(items, fpr)?),
            Kind::Blocked => Self::Blocked(BlockedParams::for_fpr(items, fpr)?),
            Kind::Fuse => Self::Fuse(BinaryFuseParams::for_fpr(items, fpr)?),
            Kind::Nothing => Self::Nothing,
            Kind::OwnHash => Self::OwnHash,
        })
    }

    /// The rate of wrong answers, the mean over all hash functions.
    pub(super) fn fpr_at(&self, items: u64) -> f64 {
        match self {
            Self::Bloom(params) => params.fpr_at(items),
            Self::Buckets(params) => params.fpr_at(items),
            Self::Cuckoo(params) => params.fpr_at(items),
            Self::Blocked(params) => params.fpr_at(items),
            Self::Fuse(params) => params.fpr_at(items),
            Self::Nothing | Self::OwnHash => 1.0,
        }
    }

    pub(super) fn bits(&self, items: u64) -> Result<u64> {
        Ok(match self {
            Self::Bloom(params) => params.bits(),
            Self::Buckets(params) => params.memory_bits(),
            Self::Cuckoo(params) => 8 * params.memory_bytes(),
            Self::Blocked(params) => params.bits(),
            Self::Fuse(params) => 8 * params.memory_bytes(items)?,
            Self::Nothing | Self::OwnHash => 0,
        })
    }
}

/// A filter, or none, in front of a dictionary.
pub(super) enum Guard<'a> {
    Bloom(BloomFilter),
    Buckets(Bucketed),
    Cuckoo(CuckooFilter),
    Blocked(BlockedBloom),
    Fuse(BinaryFuse),
    Nothing,
    OwnHash(ByHash<'a>),
}

impl<'a> Guard<'a> {
    /// Of the exceptions without the first `skipped` ones.
    pub(super) fn new(params: Params, lists: &'a Lists, skipped: usize, spec: HashSpec) -> Result<Self> {
        let hash = |word: &String| spec.hash_bytes(word.as_bytes());
        let hashes = || -> Vec<u64> { lists.exceptional.iter().skip(skipped).map(hash).collect() };
        Ok(match params {
            Params::Bloom(params) => {
                let mut filter = BloomFilter::with_params(params).with_hash(spec);
                filter.insert_hashes(&hashes());
                Self::Bloom(filter)
            }
            Params::Buckets(params) => {
                let (mut filter, mut rng) = (Bucketed::new(params), Rng::new(spec.hash("relocations")));
                for hash in hashes() {
                    filter.insert(hash, &mut rng);
                }
                Self::Buckets(filter)
            }
            Params::Cuckoo(params) => {
                let mut filter = CuckooFilter::with_params(params).with_hash(spec);
                filter.insert_hashes(&hashes())?;
                Self::Cuckoo(filter)
            }
            Params::Blocked(params) => {
                let mut filter = BlockedBloom::with_params(params).with_hash(spec);
                filter.insert_hashes(&hashes());
                Self::Blocked(filter)
            }
            Params::Fuse(params) => Self::Fuse(BinaryFuse::freeze_hashes(hashes(), params, spec)?),
            Params::Nothing => Self::Nothing,
            Params::OwnHash => Self::OwnHash(
                lists.dictionary.iter().map(|(word, breaks)| (hash(word), (word.as_str(), breaks))).collect(),
            ),
        })
    }

    /// The number of these hashes that the filter lets through; without a filter all.
    pub(super) fn lets_through(&self, hashes: &[u64]) -> usize {
        let of_library = |filter: &dyn Membership| {
            filter.contains_hashes(hashes).into_iter().filter(|&reported| reported).count()
        };
        match self {
            Self::Bloom(filter) => of_library(filter),
            Self::Buckets(filter) => hashes.iter().filter(|&&hash| filter.contains(hash)).count(),
            Self::Cuckoo(filter) => of_library(filter),
            Self::Blocked(filter) => of_library(filter),
            Self::Fuse(filter) => of_library(filter),
            Self::Nothing | Self::OwnHash(_) => hashes.len(),
        }
    }

    /// The false-positive rate of the filter with its content.
    pub(super) fn fpr(&self) -> f64 {
        match self {
            Self::Bloom(filter) => filter.fpr().value(),
            Self::Buckets(filter) => filter.fpr(),
            Self::Cuckoo(filter) => filter.fpr().value(),
            Self::Blocked(filter) => filter.fpr().value(),
            Self::Fuse(filter) => filter.fpr().value(),
            Self::Nothing | Self::OwnHash(_) => 1.0,
        }
    }

    /// Asks for every word and, if `whole`, breaks it; gives a number that all breaks in their order decide. There is a loop of
    /// its own for each sort of filter.
    pub(super) fn pass(&self, lists: &Lists, spec: HashSpec, whole: bool) -> u64 {
        let hash = |word: &str| spec.hash_bytes(word.as_bytes());
        let look_up = |word: &str| lists.dictionary.get(word);
        let words = &lists.words;
        match self {
            Self::Bloom(filter) => {
                pass(words, whole, behind(|word| filter.contains_hash(hash(word)), look_up))
            }
            Self::Buckets(filter) => pass(words, whole, behind(|word| filter.contains(hash(word)), look_up)),
            Self::Cuckoo(filter) => {
                pass(words, whole, behind(|word| filter.contains_hash(hash(word)), look_up))
            }
            Self::Blocked(filter) => {
                pass(words, whole, behind(|word| filter.contains_hash(hash(word)), look_up))
            }
            Self::Fuse(filter) => {
                pass(words, whole, behind(|word| filter.contains_hash(hash(word)), look_up))
            }
            Self::Nothing => pass(words, whole, look_up),
            Self::OwnHash(map) => pass(words, whole, |word| {
                map.get(&hash(word)).filter(|(exception, _)| *exception == word).map(|(_, breaks)| *breaks)
            }),
        }
    }
}

/// Looks up only what the filter lets through.
fn behind<'a>(
    lets_through: impl Fn(&str) -> bool,
    look_up: impl Fn(&str) -> Option<&'a Breaks>,
) -> impl Fn(&str) -> Option<&'a Breaks> {
    move |word| if lets_through(word) { look_up(word) } else { None }
}

fn pass<'a>(words: &[String], whole: bool, find: impl Fn(&str) -> Option<&'a Breaks>) -> u64 {
    let mut digest = 0u64;
    let mut show =
        |place: usize| digest = digest.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(place as u64 + 1);
    for word in words {
        match find(word) {
            Some(breaks) => {
                for &place in breaks {
                    show(place);
                }
                show(word.len());
            }
            None if whole => {
                let mut place = 0;
                for syllable in hypher::hyphenate(word, Lang::English) {
                    place += syllable.len();
                    show(place);
                }
            }
            None => {}
        }
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_go_before_patterns() {
        assert_eq!(exception("Acad-e-my"), ("academy".to_owned(), vec![4, 5]));
        assert_eq!(exception("present"), ("present".to_owned(), vec![]));
        let words = ["table".to_owned()];
        let breaks = vec![3];
        let digests = [None, Some(&breaks)].map(|found| pass(&words, true, |_| found));
        assert_ne!(digests[0], digests[1]);
        assert_eq!(digests[1], pass(&words, false, |_| Some(&breaks)));
    }
}
