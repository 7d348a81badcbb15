//! A trie of runs of numbered letters, and the one array that it is packed into.
//!
//! The children of a node lie at its base plus the numbers of their letters, among the children of other nodes, each with
//! the base of its owner: one look at one cell tells whether a letter goes on.

use anyhow::{Result, bail};
use crivo_report::size;
use std::collections::BTreeMap;

/// As it grows.
#[derive(Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    children: BTreeMap<u32, u32>,
    value: Option<u32>,
}

/// As it is searched.
#[derive(Debug)]
pub(super) struct PackedTrie {
    cells: Vec<Cell>,
    root: u32,
}

/// A node, in the row of its parent.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The base of the parent.
    owner: u32,
    /// Where the row of its children begins.
    base: u32,
    value: u32,
}

/// No owner, and no value.
const NONE: u32 = u32::MAX;
/// The base of a node without children: the row is nobody's.
const NO_CHILDREN: u32 = 0;
const FREE: Cell = Cell { owner: NONE, base: NO_CHILDREN, value: NONE };

impl Trie {
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::default()] }
    }

    /// Sets the value of a run of letters, which are numbered from 1.
    pub(super) fn insert(&mut self, run: impl Iterator<Item = u32>, value: u32) {
        let mut node = 0;
        for letter in run {
            let next = self.nodes.len() as u32;
            let child = *self.nodes[node].children.entry(letter).or_insert(next);
            if child == next {
                self.nodes.push(Node::default());
            }
            node = child as usize;
        }
        self.nodes[node].value = Some(value);
    }

    /// Into at most `limit` bytes.
    pub(super) fn pack(&self, limit: u64) -> Result<PackedTrie> {
        /// Rows that fit nowhere near the first free cells go to the end: the search takes no time worth speaking of, and
        /// nodes of one child, which are most and come last, fit everywhere.
        const TRIES: usize = 100;
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&node| std::cmp::Reverse(self.nodes[node].children.len()));
        let mut bases = vec![NO_CHILDREN; self.nodes.len()];
        // The first base is that of no node.
        let (mut cells, mut taken) = (vec![FREE], vec![true]);
        let mut first_free = 1;
        for node in order {
            let children = &self.nodes[node].children;
            let (Some((&least, _)), Some((&most, _))) =
                (children.first_key_value(), children.last_key_value())
            else {
                break;
            };
            let is_free =
                |cells: &[Cell], place: usize| cells.get(place).is_none_or(|cell| cell.owner == NONE);
            while !is_free(&cells, first_free) {
                first_free += 1;
            }
            let fits = |base: &usize| {
                !taken[*base] && children.keys().all(|&letter| is_free(&cells, base + letter as usize))
            };
            let from = first_free.saturating_sub(least as usize);
            let near = (from..cells.len()).filter(|base| is_free(&cells, base + least as usize)).take(TRIES);
            let base = near.into_iter().find(fits).unwrap_or(cells.len());
            bases[node] = base as u32;
            let length = cells.len().max(base + most as usize + 1);
            let bytes = (length * size_of::<Cell>()) as u64;
            if bytes > limit {
                bail!("the patterns would take more than --max-memory {}; raise it", size(limit));
            }
            cells.resize(length, FREE);
            taken.resize(length, false);
            taken[base] = true;
            for &letter in children.keys() {
                cells[base + letter as usize].owner = base as u32;
            }
        }
        for (node, &base) in self.nodes.iter().zip(&bases) {
            for (&letter, &child) in &node.children {
                let Node { value, .. } = self.nodes[child as usize];
                cells[(base + letter) as usize] =
                    Cell { owner: base, base: bases[child as usize], value: value.unwrap_or(NONE) };
            }
        }
        Ok(PackedTrie { cells, root: bases[0] })
    }
}

impl PackedTrie {
    /// Tells the values of all runs that `letters` begins with, the shortest first.
    #[inline]
    pub(super) fn for_each_beginning(&self, letters: &[u32], mut tell: impl FnMut(u32)) {
        let mut base = self.root;
        for &letter in letters {
            let cell = self.cells.get(base as usize + letter as usize);
            let Some(cell) = cell.filter(|cell| cell.owner == base) else { return };
            if cell.value != NONE {
                tell(cell.value);
            }
            base = cell.base;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::rng::Rng;
    use std::collections::HashMap;

    #[test]
    fn it_finds_what_a_map_finds() {
        for (letters, runs) in [(1, 5), (3, 60), (30, 2000), (3000, 500)] {
            let mut rng = Rng::new(letters);
            let mut run = |longest: u64| -> Vec<u32> {
                (0..=rng.below(longest)).map(|_| 1 + rng.below(letters) as u32).collect()
            };
            let (mut trie, mut map) = (Trie::new(), HashMap::new());
            for value in 0..runs {
                let run = run(6);
                trie.insert(run.iter().copied(), value);
                map.insert(run, value);
            }
            let packed = trie.pack(1 << 30).unwrap();
            let queries: Vec<Vec<u32>> = map.keys().cloned().chain((0..1000).map(|_| run(12))).collect();
            for query in queries {
                let mut told = Vec::new();
                packed.for_each_beginning(&query, |value| told.push(value));
                let ends = 1..=query.len();
                let expected: Vec<u32> = ends.filter_map(|end| map.get(&query[..end]).copied()).collect();
                assert_eq!(told, expected, "{query:?}");
            }
            // A letter that no run has, as the greatest number too.
            packed.for_each_beginning(&[0, 1], |_| panic!("0 is no letter"));
            packed.for_each_beginning(&[u32::MAX - 1], |_| panic!("no such letter"));
        }
    }

    #[test]
    fn nothing_and_too_much() {
        let empty = Trie::new().pack(1 << 20).unwrap();
        empty.for_each_beginning(&[1, 2], |_| panic!("it is empty"));
        let mut trie = Trie::new();
        trie.insert([1, 2, 3].into_iter(), 7);
        assert!(trie.pack(10).is_err());
    }
}
