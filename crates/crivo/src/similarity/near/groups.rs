//! From pairs to groups: see [`Group`].

use super::candidates::{Judge, Seeker};
use alloc::vec;
use alloc::vec::Vec;

/// Documents that are near-duplicates of each other, directly or through others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// All of them, two or more, by their indexes in ascending order.
    pub members: Vec<u32>,
    /// The one to keep.
    pub keep: u32,
}

/// Which document of a [`Group`] to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// The one that was inserted first.
    #[default]
    First,
    /// The one with most shingles, repeated ones included; the first of these.
    Longest,
}

/// The documents of each class.
pub(super) struct Members {
    documents: Vec<u32>,
    ends: Vec<usize>,
}

impl Members {
    /// Sorts documents by their class, of which there are `classes`.
    pub(super) fn new(class_of: impl Iterator<Item = u32> + Clone, classes: usize) -> Self {
        let mut ends = vec![0; classes];
        class_of.clone().for_each(|class| ends[class as usize] += 1);
        let mut documents = vec![0; starts_of(&mut ends)];
        for (class, document) in class_of.zip(0..) {
            // Where the class ends so far.
            let end = &mut ends[class as usize];
            documents[*end] = document;
            *end += 1;
        }
        Self { documents, ends }
    }

    /// The documents of a class, in ascending order.
    pub(super) fn of(&self, class: usize) -> &[u32] {
        let start = if class == 0 { 0 } else { self.ends[class - 1] };
        &self.documents[start..self.ends[class]]
    }

    /// The documents of each class that has any.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|class| self.of(class))
    }
}

/// Turns the lengths of lists into the places where they start, one after the other; how long they are together.
pub(super) fn starts_of(lengths: &mut [usize]) -> usize {
    lengths.iter_mut().fold(0, |start, length| start + core::mem::replace(length, start))
}

/// Classes that are connected: a forest whose roots are the first of each tree.
pub(super) struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    pub(super) fn new(classes: usize) -> Self {
        Self { parents: (0..classes as u32).collect() }
    }

    /// The first class of those connected with this one.
    pub(super) fn root(&mut self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            // Halves the path on the way.
            let grandparent = self.parents[self.parents[class as usize] as usize];
            self.parents[class as usize] = grandparent;
            class = grandparent;
        }
        class
    }

    pub(super) fn connect(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// The groups of two documents or more, by their first documents.
    pub(super) fn groups(mut self, class_of: &[u32], lengths: &[u32], keep: Keep) -> Vec<Group> {
        let roots: Vec<u32> = class_of.iter().map(|&class| self.root(class)).collect();
        let members = Members::new(roots.iter().copied(), self.parents.len());
        let mut groups: Vec<Group> = members
            .iter()
            .filter(|members| members.len() > 1)
            .map(|members| Group { members: members.to_vec(), keep: kept(members, lengths, keep) })
            .collect();
        groups.sort_unstable_by_key(|group| group.members[0]);
        groups
    }
}

fn kept(members: &[u32], lengths: &[u32], keep: Keep) -> u32 {
    let longer = |best: u32, &document: &u32| {
        if keep == Keep::Longest && lengths[document as usize] > lengths[best as usize] {
            document
        } else {
            best
        }
    };
    members.iter().fold(members[0], longer)
}

/// Connects the classes that match, and compares only what is not connected yet: m alike documents take about m
/// comparisons instead of m²/2.
///
/// ```text
/// a bucket of a b c d e f, where a and b are connected, and e and f:   ab  c  d  ef
/// c is compared with a and b, and matches b:                           abc  d  ef
/// d is compared with a, b and c, without success:                      abc  d  ef
/// e is compared with a and matches; then with d, and f with d:         abcef  d
/// ```
pub(super) struct Connector {
    pub(super) forest: Forest,
    /// The classes of a bucket with their roots, those of one tree in a row.
    classes: Vec<(u32, u32)>,
    /// Of each of them, the place of the next that it is connected with.
    next: Vec<usize>,
    /// The trees that have been compared with each other.
    chains: Vec<Chain>,
}

/// The places of classes that are connected, each but the last with a next one.
struct Chain {
    first: usize,
    last: usize,
}

impl Connector {
    pub(super) fn new(classes: usize) -> Self {
        Self { forest: Forest::new(classes), classes: Vec::new(), next: Vec::new(), chains: Vec::new() }
    }

    /// Connects the classes of a bucket that are alike. Each pair is asked for at most once, and none that is connected.
    fn connect(&mut self, bucket: impl Iterator<Item = u32>, mut alike: impl FnMut(u32, u32) -> bool) {
        let Self { forest, classes, next, chains } = self;
        classes.clear();
        classes.extend(bucket.map(|class| (forest.root(class), class)));
        classes.sort_unstable();
        next.clear();
        next.extend(1..=classes.len());
        chains.clear();
        let mut start = 0;
        for tree in classes.chunk_by(|one, other| one.0 == other.0) {
            let mut whole = Chain { first: start, last: start + tree.len() - 1 };
            start += tree.len();
            chains.retain(|chain| {
                let places = || {
                    core::iter::successors(Some(chain.first), |&place| {
                        (place != chain.last).then(|| next[place])
                    })
                };
                let matches = tree.iter().find_map(|&(_, one)| {
                    Some((one, places().map(|place| classes[place].1).find(|&other| alike(one, other))?))
                });
                if let Some((one, other)) = matches {
                    forest.connect(one, other);
                    // What is in the chain has been compared with the other chains.
                    next[whole.last] = chain.first;
                    whole.last = chain.last;
                }
                matches.is_none()
            });
            chains.push(whole);
        }
    }
}

impl Seeker for Connector {
    fn look(&mut self, bucket: &[u64], band: usize, judge: &mut Judge<'_, '_>) {
        self.connect(bucket.iter().map(|&class| class as u32), |one, other| {
            judge
                .agreement(one, other, band)
                .is_some_and(|agree| judge.similarity(one, other, agree).is_some())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn alike_classes_take_a_comparison_each() {
        let mut connector = Connector::new(10_000);
        let mut compared = 0;
        for _ in 0..20 {
            connector.connect(0..10_000, |_, _| {
                compared += 1;
                true
            });
        }
        assert_eq!(compared, 9_999);
    }

    #[test]
    fn classes_are_connected_as_if_all_pairs_were_compared() {
        let mut rng = Rng::new(1);
        for round in 0..500 {
            let classes = 1 + rng.below(40) as u32;
            let share = [0, 1, 3, 10, 50, 100][round % 6];
            let alike: BTreeSet<(u32, u32)> = (0..classes)
                .flat_map(|one| (one + 1..classes).map(move |other| (one, other)))
                .filter(|_| rng.below(100) < share)
                .collect();
            let (mut connector, mut all) = (Connector::new(classes as usize), Forest::new(classes as usize));
            for _ in 0..3 {
                let bucket: Vec<u32> = (0..classes).filter(|_| rng.below(3) != 0).collect();
                for &one in &bucket {
                    for &other in bucket.iter().filter(|&&other| alike.contains(&(one, other))) {
                        all.connect(one, other);
                    }
                }
                let mut asked = BTreeSet::new();
                connector.connect(bucket.iter().copied(), |one, other| {
                    let pair = (one.min(other), one.max(other));
                    assert!(asked.insert(pair), "{round}: {pair:?} is compared twice");
                    alike.contains(&pair)
                });
                for class in 0..classes {
                    assert_eq!(connector.forest.root(class), all.root(class), "{round}");
                }
            }
        }
    }
}
