//! Assigns the rows of a piece to groups, and their cells to the states of the groups.

use super::Column;
use std::collections::{BTreeMap, HashMap};

/// A group of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The value that the rows of the group share; `None` for all groups that are not kept separately.
    pub name: Option<Box<[u8]>>,
    /// The number of rows.
    pub rows: u64,
}

/// The groups of a table so far, in the order of their first rows.
#[derive(Debug)]
pub(super) struct Groups {
    places: HashMap<Box<[u8]>, u32>,
    /// The number of rows of each group. The last one counts the rows of all groups that are not kept separately,
    /// if there are any.
    rows: Vec<u64>,
    /// The number of groups that are kept separately.
    most: usize,
}

/// The groups of a piece's rows.
#[derive(Debug)]
pub(super) struct Members {
    /// The place of each row's group.
    places: Vec<u32>,
    /// The groups with rows in this piece, and the number of these rows.
    rows: BTreeMap<u32, u64>,
    /// The number of groups of the table up to this piece.
    groups: usize,
}

impl Groups {
    pub(super) fn new(most: usize) -> Self {
        // Places are 32-bit numbers.
        Self { places: HashMap::new(), rows: Vec::new(), most: most.min(u32::MAX as usize) }
    }

    /// Returns the number of rows of each group.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Adds the rows of the next piece. `names` are the groups of the rows.
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

    /// Returns the place of a group. If there is no room for it, this is the place behind all groups that are kept.
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

    /// Returns all groups, ordered by their places.
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

    /// Returns the number of groups of the table up to this piece.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }
}

/// Passes the cells of one column to the states, row by row: to the state of the row's group, or to the only state.
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

    /// Adds the value of the next row.
    #[inline]
    pub(super) fn add(&mut self, text: &[u8], hash: u64) {
        self.next().add(text, hash);
    }

    /// Adds the next rows, which have no value.
    pub(super) fn add_missing(&mut self, rows: u64) {
        match self.members {
            None => self.states[0].add_missing(rows),
            Some(_) => (0..rows).for_each(|_| self.next().add_missing(1)),
        }
    }

    /// Adds all `rows` of a piece in which no row has a value.
    pub(super) fn add_none(&mut self, rows: u64) {
        match self.members {
            None => self.states[0].add_missing(rows),
            Some(members) => {
                members.rows.iter().for_each(|(&place, &rows)| self.states[place as usize].add_missing(rows));
            }
        }
    }
}

/// Returns the memory of the states that a piece with these rows changes.
pub(super) fn memory_bytes<C: Column>(states: &[C], members: Option<&Members>) -> usize {
    let bytes = |place: usize| states.get(place).map_or(0, Column::memory_bytes);
    members.map_or_else(|| bytes(0), |members| members.rows.keys().map(|&place| bytes(place as usize)).sum())
}
