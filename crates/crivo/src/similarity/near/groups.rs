//! From pairs to groups: see [`Group`].

use super::candidates::Matches;
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

/// Only asks for what is not connected yet: m alike documents take about m comparisons instead of m²/2.
impl Matches for Forest {
    fn wants(&mut self, one: u32, other: u32) -> bool {
        self.root(one) != self.root(other)
    }

    fn found(&mut self, one: u32, other: u32, _similarity: f64) {
        self.connect(one, other);
    }
}
