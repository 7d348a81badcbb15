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
        let mut kept = Vec::new();
        for (Document { words: work }, Document { words: copy }) in works.iter().zip(copies) {
            assert_eq!((work.values().sum::<u64>(), work.len()), (copy.values().sum(), copy.len()));
            let common = work.keys().filter(|word| copy.contains_key(*word)).count();
            kept.push(common as f64 / work.len() as f64);
        }
        assert!(kept.iter().any(|&share| share < 0.2) && kept.iter().any(|&share| share > 0.8), "{kept:?}");
    }
}
