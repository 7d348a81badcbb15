//! Groups of near-duplicates from pairs: see [`Group`].

use super::candidates::{Judge, Seeker};
use alloc::vec;
use alloc::vec::Vec;

/// A group of near-duplicates, one of which is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The indexes of all members, two or more, in ascending order.
    pub members: Vec<u32>,
    /// The member to keep.
    pub keep: u32,
}

/// The rule for which document of a [`Group`] to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// Keep the one that was inserted first.
    #[default]
    First,
    /// Keep the one with most shingles, including repetitions; the first of them if there are several.
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
            // The end of the class so far.
            let end = &mut ends[class as usize];
            documents[*end] = document;
            *end += 1;
        }
        Self { documents, ends }
    }

    /// Returns the documents of a class, in ascending order.
    pub(super) fn of(&self, class: usize) -> &[u32] {
        let start = if class == 0 { 0 } else { self.ends[class - 1] };
        &self.documents[start..self.ends[class]]
    }

    /// Returns the documents of each non-empty class.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|class| self.of(class))
    }
}

/// Turns the lengths of consecutive lists into their starting places, and returns the total length.
pub(super) fn starts_of(lengths: &mut [usize]) -> usize {
    lengths.iter_mut().fold(0, |start, length| start + core::mem::replace(length, start))
}

/// A union–find forest of connected classes; the root of each tree is its first class.
pub(super) struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    pub(super) fn new(classes: usize) -> Self {
        Self { parents: (0..classes as u32).collect() }
    }

    /// Returns the first class of those connected with this one.
    pub(super) fn root(&mut self, mut class: u32) -> u32 {
        while self.parents[class as usize] != class {
            // Path halving.
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

    /// Replaces each class by the root of its tree.
    pub(super) fn roots(mut self) -> Vec<u32> {
        (0..self.parents.len() as u32).map(|class| self.root(class)).collect()
    }
}

/// Returns the groups of two or more documents with the same `root_of` their classes, by their first documents. If each
/// group has a `leader`, one of the leader's documents is kept, otherwise one of all.
pub(super) fn groups(
    root_of: &[u32],
    is_led: bool,
    class_of: &[u32],
    lengths: &[u32],
    keep: Keep,
) -> Vec<Group> {
    let members = Members::new(class_of.iter().map(|&class| root_of[class as usize]), root_of.len());
    let is_of = |document: u32, class: usize| class_of[document as usize] as usize == class;
    let groups = members.iter().enumerate().filter(|(_, members)| members.len() > 1);
    let mut groups: Vec<Group> = groups
        .map(|(root, members)| {
            let able = members.iter().copied().filter(|&document| !is_led || is_of(document, root));
            Group { members: members.to_vec(), keep: kept(able, lengths, keep) }
        })
        .collect();
    groups.sort_unstable_by_key(|group| group.members[0]);
    groups
}

/// Chooses leaders among the classes, preferred ones first, such that each other class is similar to its leader, not
/// only connected with it.
///
/// ```text
/// a tree of a-b-c-d-e, each similar to its neighbours only:    a leads b   c leads d   e is alone
/// ```
/// Returns the leader of each class.
pub(super) fn leaders(
    mut root_of: Vec<u32>,
    lengths: &[u32],
    keep: Keep,
    judge: &mut Judge<'_, '_>,
) -> Vec<u32> {
    let trees = Members::new(root_of.iter().copied(), root_of.len());
    let mut compared_with = vec![u32::MAX; root_of.len()];
    for tree in trees.iter().filter(|tree| tree.len() > 1) {
        let mut order = tree.to_vec();
        if keep == Keep::Longest {
            order.sort_by_key(|&class| core::cmp::Reverse(lengths[class as usize]));
        }
        if let [leader, other] = order[..] {
            // The members of the tree are connected with each other.
            root_of[leader as usize] = leader;
            root_of[other as usize] = leader;
            continue;
        }
        let bands: Vec<Vec<u64>> = (0..judge.bands())
            .map(|band| {
                let mut keyed: Vec<u64> = tree.iter().map(|&class| judge.keyed(class, band)).collect();
                keyed.sort_unstable();
                keyed
            })
            .collect();
        let mut is_led: Vec<bool> = vec![false; tree.len()];
        let place = |class: u32| tree.binary_search(&class).expect("all are of this tree");
        for leader in order {
            if core::mem::replace(&mut is_led[place(leader)], true) {
                continue;
            }
            root_of[leader as usize] = leader;
            for (band, keyed) in bands.iter().enumerate() {
                let key = judge.keyed(leader, band) >> 32;
                let start = keyed.partition_point(|other| other >> 32 < key);
                for &other in keyed[start..].iter().take_while(|&&other| other >> 32 == key) {
                    let other = other as u32;
                    let is_known = core::mem::replace(&mut compared_with[other as usize], leader) == leader;
                    if is_known || is_led[place(other)] {
                        continue;
                    }
                    let agree = judge.agreement_in_any(leader, other);
                    if agree.is_some_and(|agree| judge.similarity(leader, other, agree).is_some()) {
                        root_of[other as usize] = leader;
                        is_led[place(other)] = true;
                    }
                }
            }
        }
    }
    root_of
}

/// Returns the number of shingles of the longest document of each class.
pub(super) fn class_lengths(class_of: &[u32], lengths: &[u32], classes: usize) -> Vec<u32> {
    let mut longest = vec![0; classes];
    for (&class, &length) in class_of.iter().zip(lengths) {
        longest[class as usize] = length.max(longest[class as usize]);
    }
    longest
}

fn kept(mut members: impl Iterator<Item = u32>, lengths: &[u32], keep: Keep) -> u32 {
    let first = members.next().expect("a group has members");
    let longer = |best: u32, document: u32| {
        if keep == Keep::Longest && lengths[document as usize] > lengths[best as usize] {
            document
        } else {
            best
        }
    };
    members.fold(first, longer)
}

/// Connects the classes that match, and compares only those that are not connected yet: m similar documents take about
/// m comparisons instead of m²/2.
///
/// ```text
/// a bucket of a b c d e f, where a and b are connected, and e and f:   ab  c  d  ef
/// c is compared with a and b, and matches b:                           abc  d  ef
/// d is compared with a, b and c, without success:                      abc  d  ef
/// e is compared with a and matches; then with d, and f with d:         abcef  d
/// ```
pub(super) struct Connector {
    pub(super) forest: Forest,
    /// The classes of a bucket with their roots, those of one tree together.
    classes: Vec<(u32, u32)>,
    /// For each of them, the place of the next class that it is connected with.
    next: Vec<usize>,
    /// The trees that have been compared with each other.
    chains: Vec<Chain>,
}

/// The places of connected classes, each except the last with a next one.
struct Chain {
    first: usize,
    last: usize,
}

impl Connector {
    pub(super) fn new(classes: usize) -> Self {
        Self { forest: Forest::new(classes), classes: Vec::new(), next: Vec::new(), chains: Vec::new() }
    }

    /// Connects the classes of a bucket that are similar. Each pair is tested at most once, and no pair that is already
    /// connected.
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
                    // The classes of the chain have been compared with the other chains.
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
    fn similar_classes_take_one_comparison_each() {
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
