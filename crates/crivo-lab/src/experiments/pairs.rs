//! The pairs of a collection of documents: how alike they are, exactly, and rounds in which each document is in one pair.

use std::collections::HashMap;

use crivo::rng::Rng;
use crivo::{HashSpec, KMinValues, MinHash};

use super::documents::Document;
use crate::Result;

/// Documents as sets of numbers, one for each distinct word of the collection.
pub(super) struct Collection {
    sets: Vec<Vec<u32>>,
}

/// Two documents, and what is true of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Distinct words that both have.
    pub(super) common: u64,
    /// Distinct words that either has.
    pub(super) union: u64,
}

impl Pair {
    /// A planted fault: the pair with this number of common words too many.
    pub(super) fn with_more(self, more: u64) -> Self {
        Self { common: (self.common + more).min(self.union), ..self }
    }

    /// The similarity of Jaccard.
    pub(super) fn jaccard(&self) -> f64 {
        self.common as f64 / self.union as f64
    }
}

impl Collection {
    pub(super) fn new(documents: &[Document]) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut sets = Vec::with_capacity(documents.len());
        for document in documents {
            let mut set = Vec::with_capacity(document.words.len());
            for word in document.words.keys() {
                let next = numbers.len() as u32;
                set.push(*numbers.entry(word).or_insert(next));
            }
            set.sort_unstable();
            sets.push(set);
        }
        Self { sets }
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// How many distinct words a document has.
    pub(super) fn size(&self, document: usize) -> u64 {
        self.sets[document].len() as u64
    }

    /// The words of a document by this hash.
    pub(super) fn hashes(&self, document: usize, spec: HashSpec) -> Vec<u64> {
        self.sets[document].iter().map(|word| spec.hash(word)).collect()
    }

    pub(super) fn pair(&self, first: usize, second: usize) -> Pair {
        let (one, other) = (&self.sets[first], &self.sets[second]);
        let (mut i, mut j, mut common) = (0, 0, 0);
        while let (Some(left), Some(right)) = (one.get(i), other.get(j)) {
            common += u64::from(left == right);
            i += usize::from(left <= right);
            j += usize::from(right <= left);
        }
        Pair { first, second, common, union: (one.len() + other.len()) as u64 - common }
    }

    /// Every pair once, in rounds as of a tournament: in each, every document is in one pair. Their number is even.
    pub(super) fn rounds(&self) -> Vec<Vec<Pair>> {
        let places = self.len() - 1;
        let round = |round: usize| {
            let others = (1..self.len() / 2).map(|i| ((round + i) % places, (round + places - i) % places));
            let pairs = std::iter::once((round, places)).chain(others);
            pairs.map(|(one, other)| self.pair(one.min(other), one.max(other))).collect()
        };
        (0..places).map(round).collect()
    }
}

/// The hashes of two random sets with `union` items together, of which `common` are in both.
pub(super) fn random_pair(rng: &mut Rng, common: usize, union: usize) -> [Vec<u64>; 2] {
    let items: Vec<u64> = (0..union).map(|_| rng.next_u64()).collect();
    let end = common + (union - common) / 2;
    let second = items[..common].iter().chain(&items[end..]).copied().collect();
    [items[..end].to_vec(), second]
}

/// The signature of the items with these hashes, by this number of functions.
pub(super) fn sign(functions: u32, spec: HashSpec, hashes: &[u64]) -> Result<MinHash> {
    let mut signature = MinHash::for_slots(functions)?.with_hash(spec);
    signature.insert_hashes(hashes);
    Ok(signature)
}

/// Of the smallest hashes of a union, how many of the first one, of the first two and so on up to the k-th are common.
pub(super) fn smallest_of_union(first: &KMinValues, second: &KMinValues) -> Vec<u64> {
    let (mut ours, mut theirs) = (first.hashes().peekable(), second.hashes().peekable());
    let most = first.k() as usize;
    let (mut common, mut counts) = (0, Vec::with_capacity(most));
    while counts.len() < most {
        let Some(next) = ours.peek().into_iter().chain(theirs.peek()).min().copied() else { break };
        let in_both = ours.next_if_eq(&next).is_some() & theirs.next_if_eq(&next).is_some();
        common += u64::from(in_both);
        counts.push(common);
    }
    counts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::experiments::documents::works_and_copies;
    use crate::{Settings, Size};

    #[test]
    fn every_pair_comes_once_and_is_counted_exactly() {
        let settings = Settings { size: Size::Quick, ..Settings::default() };
        let documents = works_and_copies(&settings).unwrap();
        let collection = Collection::new(&documents);
        let rounds = collection.rounds();
        let mut met = BTreeSet::new();
        for round in &rounds {
            let in_round: BTreeSet<usize> = round.iter().flat_map(|pair| [pair.first, pair.second]).collect();
            assert_eq!(in_round.len(), 84);
            met.extend(round.iter().map(|pair| (pair.first, pair.second)));
        }
        assert_eq!((met.len(), met.iter().all(|(one, other)| one < other)), (3486, true));
        for pair in rounds.iter().step_by(9).map(|round| round[7]) {
            let [first, second] = [pair.first, pair.second].map(|number| &documents[number].words);
            let common = first.keys().filter(|word| second.contains_key(*word)).count();
            assert_eq!(pair.jaccard(), common as f64 / (first.len() + second.len() - common) as f64);
        }
    }
}
