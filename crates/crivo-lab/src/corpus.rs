//! The data of the experiments: texts and word lists that are read from files, or made from a seed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crivo::rng::Rng;

use crate::{Error, Result, Settings};

/// Words in 42 works of Shakespeare, by the rule of [`Corpus::read`]; the synthetic corpus has as many.
pub const SHAKESPEARE_WORDS: usize = 955_929;
/// Distinct words among them.
pub const SHAKESPEARE_DISTINCT: usize = 23_684;
/// How many works they are.
pub const SHAKESPEARE_WORKS: usize = 42;

/// A data set that `--corpus` needs, and the source of the one that the published run used.
#[derive(Clone, Copy, Debug)]
pub struct DataSet {
    /// Where it is in the folder.
    pub path: &'static str,
    /// What it has to be.
    pub expected: &'static str,
    /// The data of the published run, with source and licence.
    pub published: &'static str,
}

/// The layout of the folder that `--corpus` names.
pub const DATA_SETS: [DataSet; 3] = [
    DataSet {
        path: "shakespeare/works",
        expected: "a folder with one text file for each work",
        published: "the 42 works of Shakespeare, 955,929 words, from the repository TheMITTech/shakespeare on GitHub, commit 6b82db8, \
                    without HTML tags and page heads (public domain)",
    },
    DataSet {
        path: "words/dwyl-words.txt.gz",
        expected: "a gzip file with one word on each line",
        published: "466,551 English words, words.txt of the repository dwyl/english-words on GitHub, commit 20f5cc9 (Unlicense)",
    },
    DataSet {
        path: "hyphenation/ushyphex.txt",
        expected: "a text file with one hyphenated word on each line",
        published: "1,753 hyphenation exceptions, the entries of ushyphex.tex of TeX Live 2022, the exception log of TUGboat, one on \
                    each line (free to use, modify and distribute)",
    },
];

/// Checks that a folder has the layout of [`DATA_SETS`].
///
/// # Errors
/// When a data set is missing. The message names all of them, with what was found.
pub fn check(folder: &Path) -> Result<()> {
    let has = |set: &DataSet| {
        let path = folder.join(set.path);
        if set.path.contains('.') { path.is_file() } else { path.is_dir() }
    };
    if DATA_SETS.iter().all(has) {
        return Ok(());
    }
    let line = |set: &DataSet| {
        let found = if has(set) { "found" } else { "not found" };
        format!("\n  {}: {} ({found})", set.path, set.expected)
    };
    let lines: String = DATA_SETS.iter().map(line).collect();
    Err(Error::Corpus(format!("{}: expected a folder with these data sets:{lines}", folder.display())))
}

/// A text as a sequence of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    distinct: Vec<String>,
    text: Vec<usize>,
    /// Where each work ends in the text.
    ends: Vec<usize>,
}

impl Corpus {
    /// The corpus of a run: the works in its folder, or the synthetic corpus.
    ///
    /// # Errors
    /// See [`Corpus::read`].
    pub fn of(settings: &Settings) -> Result<Self> {
        match &settings.corpus {
            Some(folder) => Self::read(&folder.join(DATA_SETS[0].path)),
            None => Ok(Self::synthetic(&mut settings.rng("corpus"))),
        }
    }

    /// All files of a folder, in the order of their names. A word is a run of letters A to Z, in lower case.
    ///
    /// # Errors
    /// When the folder or a file cannot be read, or holds no word.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut files: Vec<PathBuf> = fs::read_dir(folder)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
            .map_err(Error::file(folder))?;
        files.retain(|path| path.is_file());
        files.sort();
        let mut collector = Collector::default();
        for path in files {
            let bytes = fs::read(&path).map_err(Error::file(&path))?;
            for word in bytes.split(|byte| !byte.is_ascii_alphabetic()).filter(|word| !word.is_empty()) {
                collector.push(String::from_utf8_lossy(&word.to_ascii_lowercase()).into_owned());
            }
            collector.end_work();
        }
        if collector.corpus.text.is_empty() {
            let message = format!("{}: expected text files, found no word in any file", folder.display());
            return Err(Error::Corpus(message));
        }
        Ok(collector.corpus)
    }

    /// As many words as in Shakespeare, as many of them distinct, with frequencies by Zipf's law, in as many works, all of one
    /// length.
    pub fn synthetic(rng: &mut Rng) -> Self {
        let vocabulary = distinct_strings(rng, SHAKESPEARE_DISTINCT, |rng| {
            let length = 3 + rng.below(8);
            random_string(rng, b"abcdefghijklmnopqrstuvwxyz", length)
        });
        let zipf = Zipf::new(SHAKESPEARE_DISTINCT, 1.0);
        let repeats = SHAKESPEARE_WORDS - SHAKESPEARE_DISTINCT;
        let mut ranks: Vec<usize> = (0..SHAKESPEARE_DISTINCT).collect();
        ranks.extend((0..repeats).map(|_| zipf.sample(rng)));
        shuffle(&mut ranks, rng);
        let mut collector = Collector::default();
        for work in ranks.chunks(SHAKESPEARE_WORDS.div_ceil(SHAKESPEARE_WORKS)) {
            for &rank in work {
                collector.push(vocabulary[rank].clone());
            }
            collector.end_work();
        }
        collector.corpus
    }

    /// The distinct words, in the order of their first appearance.
    pub fn distinct(&self) -> &[String] {
        &self.distinct
    }

    /// The text, word by word.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words_at(0..self.text.len())
    }

    /// The works, each word by word. One that has no word is none.
    pub fn works(&self) -> impl ExactSizeIterator<Item = impl ExactSizeIterator<Item = &str>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges: Vec<_> = starts.zip(&self.ends).map(|(start, &end)| start..end).collect();
        ranges.into_iter().map(|range| self.words_at(range))
    }

    fn words_at(&self, range: Range<usize>) -> impl ExactSizeIterator<Item = &str> {
        self.text[range].iter().map(|&index| self.distinct[index].as_str())
    }
}

/// A corpus in the making, with the index that finds a word again.
#[derive(Default)]
struct Collector {
    corpus: Corpus,
    index: HashMap<String, usize>,
}

impl Collector {
    fn push(&mut self, word: String) {
        let Corpus { distinct, text, .. } = &mut self.corpus;
        text.push(*self.index.entry(word).or_insert_with_key(|word| {
            distinct.push(word.clone());
            distinct.len() - 1
        }));
    }

    fn end_work(&mut self) {
        let Corpus { text, ends, .. } = &mut self.corpus;
        if ends.last().copied().unwrap_or(0) < text.len() {
            ends.push(text.len());
        }
    }
}

/// Ranks `0..n` by Zipf's law: rank `r` comes with probability proportional to `1/(r+1)^exponent`.
#[derive(Clone, Debug)]
pub struct Zipf {
    cumulative: Vec<f64>,
}

impl Zipf {
    /// The law over `n` ranks. The same on every platform.
    pub fn new(n: usize, exponent: f64) -> Self {
        let weights = (1..=n).map(|rank| libm::pow(rank as f64, -exponent));
        let cumulative = weights.scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { cumulative: cumulative.collect() }
    }

    /// A random rank.
    pub fn sample(&self, rng: &mut Rng) -> usize {
        let total = self.cumulative.last().copied().unwrap_or(0.0);
        let target = rng.unit() * total;
        self.cumulative.partition_point(|&sum| sum <= target).min(self.cumulative.len().saturating_sub(1))
    }
}

/// A string of `length` letters and digits, each equally likely.
pub fn alphanumeric(rng: &mut Rng, length: u64) -> String {
    random_string(rng, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", length)
}

/// A given number of distinct strings.
pub fn distinct_strings(
    rng: &mut Rng,
    count: usize,
    mut next: impl FnMut(&mut Rng) -> String,
) -> Vec<String> {
    let mut seen = HashSet::with_capacity(count);
    let mut strings = Vec::with_capacity(count);
    while strings.len() < count {
        let string = next(rng);
        if seen.insert(string.clone()) {
            strings.push(string);
        }
    }
    strings
}

fn random_string(rng: &mut Rng, alphabet: &[u8], length: u64) -> String {
    let letter = |rng: &mut Rng| char::from(alphabet[index_below(rng, alphabet.len())]);
    (0..length).map(|_| letter(rng)).collect()
}

/// Every order equally likely (Fisher and Yates).
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, index_below(rng, last + 1));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "below `bound`, which is a usize")]
fn index_below(rng: &mut Rng, bound: usize) -> usize {
    rng.below(bound as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_synthetic_corpus_has_the_counts_of_shakespeare() {
        let corpus = Corpus::synthetic(&mut Rng::new(1));
        assert_eq!(corpus.words().len(), SHAKESPEARE_WORDS);
        assert_eq!(corpus.distinct().len(), SHAKESPEARE_DISTINCT);
        assert_eq!(corpus.words().collect::<HashSet<_>>().len(), SHAKESPEARE_DISTINCT);
        assert_eq!(corpus.words().next(), corpus.distinct().first().map(String::as_str));
        let works: Vec<usize> = corpus.works().map(|work| work.len()).collect();
        assert_eq!((works.len(), works.iter().sum()), (SHAKESPEARE_WORKS, SHAKESPEARE_WORDS));
        assert_eq!(corpus, Corpus::synthetic(&mut Rng::new(1)));
        assert_ne!(corpus, Corpus::synthetic(&mut Rng::new(2)));
    }

    #[test]
    fn shakespeare_has_the_counts_of_shakespeare() {
        let works = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/shakespeare/works");
        if !works.is_dir() {
            println!("skipped: the works of Shakespeare are not here");
            return;
        }
        let corpus = Corpus::read(&works).unwrap();
        assert_eq!(corpus.words().len(), SHAKESPEARE_WORDS);
        assert_eq!(corpus.works().len(), SHAKESPEARE_WORKS);
        let shared = works.ancestors().nth(2).map(Path::to_owned);
        assert_eq!(Corpus::of(&Settings { corpus: shared, ..Settings::default() }).unwrap(), corpus);
        assert_eq!(corpus.distinct().len(), SHAKESPEARE_DISTINCT);
    }

    #[test]
    fn a_folder_of_another_layout_is_refused_with_what_was_expected() {
        let folder = std::env::temp_dir().join(format!("crivo-lab-layout-{}", std::process::id()));
        fs::create_dir_all(folder.join("shakespeare/works")).unwrap();
        let message = check(&folder).unwrap_err().to_string();
        for set in DATA_SETS {
            assert!(message.contains(set.path) && message.contains(set.expected), "{message}");
        }
        assert_eq!((message.matches("(found)").count(), message.matches("(not found)").count()), (1, 2));
        for set in &DATA_SETS[1..] {
            let path = folder.join(set.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        assert!(check(&folder).is_ok());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_without_words_is_refused() {
        let folder = std::env::temp_dir().join(format!("crivo-lab-corpus-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("numbers"), "1 2 3").unwrap();
        let message = Corpus::read(&folder).unwrap_err().to_string();
        fs::write(folder.join("words"), "To be, or\nnot to\u{2014}BE").unwrap();
        let corpus = Corpus::read(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert!(message.contains("found no word"), "{message}");
        assert_eq!(corpus.words().collect::<Vec<_>>(), ["to", "be", "or", "not", "to", "be"]);
        assert_eq!(corpus.distinct(), ["to", "be", "or", "not"]);
        assert_eq!(corpus.works().len(), 1, "the numbers are no work");
        let missing = Corpus::read(&folder).unwrap_err().to_string();
        assert!(missing.contains("crivo-lab-corpus"), "{missing}");
    }

    /// Pearson's statistic over ten ranks has nine degrees of freedom and exceeds 44.82 once in a million seeds.
    #[test]
    fn zipf_draws_by_its_law() {
        let (zipf, draws) = (Zipf::new(10, 1.0), 100_000);
        let mut rng = Rng::new(3);
        let mut counts = [0.0; 10];
        for _ in 0..draws {
            counts[zipf.sample(&mut rng)] += 1.0;
        }
        let harmonic: f64 = (1..=10).map(|rank| 1.0 / f64::from(rank)).sum();
        let expected = (1..=10).map(|rank| f64::from(draws) / f64::from(rank) / harmonic);
        let statistic: f64 =
            counts.iter().zip(expected).map(|(seen, mean)| (seen - mean).powi(2) / mean).sum();
        assert!(statistic < 44.82, "{statistic}");
    }
}
