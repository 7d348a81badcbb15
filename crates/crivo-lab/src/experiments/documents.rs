//! The 84 documents on which Lopes tries Count-Min products, MinHash and intersections: the works of the corpus, and of each
//! a copy in which a random share of its words is replaced by random strings.

use std::collections::BTreeMap;

use crate::corpus::{Corpus, alphanumeric};
use crate::{Result, Settings};

/// Length of the strings that replace words: as good as certainly no word, and no two alike.
const REPLACEMENT: u64 = 12;

/// The distinct words of a document, in order, with how often each comes.
pub(super) struct Document {
    pub(super) words: BTreeMap<String, u64>,
}

impl Document {
    /// How many words it has, with repeats.
    pub(super) fn total(&self) -> u64 {
        self.words.values().sum()
    }

    /// How many distinct words two documents have in common.
    pub(super) fn common(&self, other: &Self) -> usize {
        self.words.keys().filter(|word| other.words.contains_key(*word)).count()
    }

    /// The similarity of Jaccard of the distinct words, exactly.
    pub(super) fn jaccard(&self, other: &Self) -> f64 {
        let common = self.common(other);
        common as f64 / (self.words.len() + other.words.len() - common) as f64
    }
}

/// The works of the corpus, one document each.
pub(super) fn works(settings: &Settings) -> Result<Vec<Document>> {
    let corpus = Corpus::of(settings)?;
    let counted = corpus.works().map(|words| {
        let mut counts = BTreeMap::new();
        for word in words {
            *counts.entry(word.to_owned()).or_insert(0) += 1;
        }
        Document { words: counts }
    });
    Ok(counted.collect())
}

/// All works, then a copy of each. In a copy every distinct word is replaced with the same probability, wherever it comes; that
/// probability is drawn for each work.
pub(super) fn works_and_copies(settings: &Settings) -> Result<Vec<Document>> {
    let mut documents = works(settings)?;
    let mut rng = settings.rng("copies of the works");
    let mut copies = Vec::with_capacity(documents.len());
    for Document { words } in &documents {
        let share = rng.unit();
        let copied = words.iter().map(|(word, &count)| {
            let replaced = rng.unit() < share;
            (if replaced { alphanumeric(&mut rng, REPLACEMENT) } else { word.clone() }, count)
        });
        copies.push(Document { words: copied.collect() });
    }
    documents.extend(copies);
    Ok(documents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_the_counts_of_their_works() {
        let documents = works_and_copies(&Settings::default()).unwrap();
        let (works, copies) = documents.split_at(42);
        assert_eq!(copies.len(), 42);
        for (work, copy) in works.iter().zip(copies) {
            assert_eq!((work.total(), work.words.len()), (copy.total(), copy.words.len()));
            let common = work.common(copy) as f64;
            let expected = common / (2.0 * work.words.len() as f64 - common);
            assert_eq!(work.jaccard(copy), expected);
        }
        let shared: Vec<f64> = works.iter().zip(copies).map(|(work, copy)| work.jaccard(copy)).collect();
        assert!(shared.iter().any(|&share| share < 0.2) && shared.iter().any(|&share| share > 0.8));
    }
}
