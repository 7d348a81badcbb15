//! Sets whose items arrive as rows: see [`GroupedRows`].

use super::super::numbered::Numbered;
use super::groups::starts_of;
use super::memory_of;
use crate::{Error, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A collector of rows (group, item) in any order, which makes a set for each group.
///
/// It takes 8 bytes per row, and 8 more for each change from one group to another; sorting takes as many bytes as the
/// rows once more, unless they came in order. Repeated rows do no harm.
///
/// ```
/// use crivo::similarity::GroupedRows;
/// use crivo::HashSpec;
/// let spec = HashSpec::default();
/// let mut rows = GroupedRows::new();
/// for (user, film) in [("ann", 7), ("bob", 3), ("ann", 9), ("bob", 3), ("ann", 7)] {
///     rows.insert(spec.hash(user), spec.hash(&film))?;
/// }
/// let mut sizes = Vec::new();
/// rows.for_each(|group, items| sizes.push((group, items.len())));
/// assert_eq!(sizes, [(0, 3), (1, 2)]); // groups and items in the order of arrival
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone)]
pub struct GroupedRows {
    items: Vec<u64>,
    /// Runs of consecutive rows of one group: the group, and where in `items` the run begins.
    runs: Vec<(u32, u32)>,
    /// The hash of each group.
    groups: Numbered<u64>,
}

impl Default for GroupedRows {
    fn default() -> Self {
        Self::new()
    }
}

impl GroupedRows {
    /// Creates an empty collector.
    pub fn new() -> Self {
        Self { items: Vec::new(), runs: Vec::new(), groups: Numbered::new() }
    }

    /// Inserts a row by the hashes of its group and its item. Returns the number of the group; groups are numbered from
    /// 0 in the order of their first rows.
    ///
    /// # Errors
    /// Returns `Full` after 2³² − 1 rows.
    pub fn insert(&mut self, group: u64, item: u64) -> Result<u32> {
        let row = self.items.len() as u32;
        if row == u32::MAX {
            return Err(Error::full("a collector takes at most 4,294,967,295 rows; split them by group"));
        }
        let last = self.runs.last().map(|run| run.0);
        let number = match last {
            Some(last) if self.groups.at(last) == group => last,
            _ => {
                let number = self.number(group);
                self.runs.push((number, row));
                number
            }
        };
        self.items.push(item);
        Ok(number)
    }

    fn number(&mut self, group: u64) -> u32 {
        self.groups.number(group).unwrap_or_else(|| {
            self.groups.push(group);
            self.groups.len() as u32 - 1
        })
    }

    /// Returns the number of groups.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.groups.len() == 0
    }

    /// Visits the items of each group in the order of their rows, including repetitions.
    pub fn for_each(&self, mut visit: impl FnMut(u32, &[u64])) {
        let ends = self.runs.iter().skip(1).map(|run| run.1).chain([self.items.len() as u32]);
        let runs =
            self.runs.iter().zip(ends).map(|(&(group, start), end)| (group, start as usize..end as usize));
        if self.runs.len() == self.groups.len() {
            return runs.for_each(|(group, rows)| visit(group, &self.items[rows]));
        }
        let mut places = vec![0; self.groups.len()];
        runs.clone().for_each(|(group, rows)| places[group as usize] += rows.len());
        starts_of(&mut places);
        // Each run is copied behind the others of its group: the ends of all groups fit in the cache, all rows do not.
        let mut sorted = vec![0; self.items.len()];
        for (group, rows) in runs {
            let place = &mut places[group as usize];
            sorted[*place..*place + rows.len()].copy_from_slice(&self.items[rows.clone()]);
            *place += rows.len();
        }
        let mut start = 0;
        for (group, &end) in (0..).zip(&places) {
            visit(group, &sorted[start..end]);
            start = end;
        }
    }

    /// Returns the memory in bytes, including the struct itself.
    pub fn memory_bytes(&self) -> usize {
        let vectors = memory_of(&self.items) + memory_of(&self.runs);
        size_of::<Self>() + vectors + self.groups.memory_bytes()
    }
}

impl fmt::Debug for GroupedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GroupedRows({} rows, {} groups)", self.items.len(), self.len())
    }
}
