//! Rows in groups: to which group each row of a piece belongs, and where its cells go.

use super::Column;
use std::collections::{BTreeMap, HashMap};

/// A group of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The value that its rows have in common; none of all groups that are not kept apart.
    pub name: Option<Box<[u8]>>,
    /// How many rows it has.
    pub rows: u64,
}

/// The groups of a table so far, in the order in which they came.
#[derive(Debug)]
pub(super) struct Groups {
    places: HashMap<Box<[u8]>, u32>,
    /// The number of rows of each group; the others are last, if there are any.
    rows: Vec<u64>,
    /// How many are kept apart.
    most: usize,
}

/// The rows of a piece in groups.
#[derive(Debug)]
pub(super) struct Members {
    /// The place of each row's group.
    places: Vec<u32>,
    /// The groups that have rows here, and how many.
    rows: BTreeMap<u32, u64>,
    /// How many groups there are by now.
    groups: usize,
}

impl Groups {
    pub(super) fn new(most: usize) -> Self {
        // Their places are numbers of 32 bits.
        Self { places: HashMap::new(), rows: Vec::new(), most: most.min(u32::MAX as usize) }
    }

    /// How many rows each has.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Takes the rows of the next piece, by the names of their groups.
    pub(super) fn take<'a>(&mut self, names: impl Iterator<Item = &'a [u8]>) -> Members {
        let mut members = Members { places: Vec::new(), rows: BTreeMap::new(), groups: 0 };
        let mut last: Option<(&[u8], u32)> = None;
        for name in names {
            // Rows of one group often follow each other.
            let place = match last {
                Some((before, place)) if before == name => place,
                _ => self.place(name),
            };
            last = Some((name, place));
            members.places.push(place);
        }
        for run in members.places.chunk_by(PartialEq::eq) {
            *members.rows.entry(run[0]).or_default() += run.len() as u64;
        }
        self.rows.resize(self.rows.len().max(members.last_place()), 0);
        for (&place, rows) in &members.rows {
            self.rows[place as usize] += rows;
        }
        members.groups = self.rows.len();
        members
    }

    /// The place of a group: behind all that are kept, if there is no room for it.
    fn place(&mut self, name: &[u8]) -> u32 {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let next = self.places.len();
        if next < self.most {
            self.places.insert(name.into(), next as u32);
        }
        next as u32
    }

    /// All of them, by their places.
    pub(super) fn all(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = self.rows.iter().map(|&rows| Group { name: None, rows }).collect();
        for (name, &place) in &self.places {
            groups[place as usize].name = Some(name.clone());
        }
        groups
    }
}

impl Members {
    fn last_place(&self) -> usize {
        self.rows.last_key_value().map_or(0, |(&place, _)| place as usize + 1)
    }

    /// How many groups there are by now.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }
}

/// Where the cells of a piece go, row by row, in one column: to the state of the row's group, or to the only one there is.
pub(super) struct Sink<'a, C> {
    states: &'a mut [C],
    members: Option<&'a Members>,
    /// The next row.
    row: usize,
}

impl<'a, C: Column> Sink<'a, C> {
    pub(super) fn new(states: &'a mut [C], members: Option<&'a Members>) -> Self {
        Self { states, members, row: 0 }
    }

    #[inline]
    fn next(&mut self) -> &mut C {
        let place = self.members.map_or(0, |members| members.places[self.row] as usize);
        self.row += 1;
        &mut self.states[place]
    }

    /// The value of the next row.
    #[inline]
    pub(super) fn add(&mut self, text: &[u8], hash: u64) {
        self.next().add(text, hash);
    }

    /// The next rows have no value.
    pub(super) fn add_missing(&mut self, rows: u64) {
        match self.members {
            None => self.states[0].add_missing(rows),
            Some(_) => (0..rows).for_each(|_| self.next().add_missing(1)),
        }
    }

    /// No row of the piece has a value; it has this many `rows`.
    pub(super) fn add_none(&mut self, rows: u64) {
        match self.members {
            None => self.states[0].add_missing(rows),
            Some(members) => {
                members.rows.iter().for_each(|(&place, &rows)| self.states[place as usize].add_missing(rows));
            }
        }
    }
}

/// What the states take that a piece with these rows changes.
pub(super) fn memory_bytes<C: Column>(states: &[C], members: Option<&Members>) -> usize {
    let bytes = |place: usize| states.get(place).map_or(0, Column::memory_bytes);
    members.map_or_else(|| bytes(0), |members| members.rows.keys().map(|&place| bytes(place as usize)).sum())
}
