//! Reads all columns of tables at once: each value goes to the state of its column, in the order of the rows, on
//! all cores.
//!
//! A thread reads a piece, splits it into cells and hashes them ([`cells`]). Then it passes the cells of the first
//! column to that column's state as soon as the previous piece has passed, then the cells of the second column, and
//! so on ([`turns`](super::turns)). So the threads follow each other through the columns. A column has one state,
//! whatever the number of threads, and receives its values in the order in which a single thread would pass them.

mod cells;
mod groups;
mod layout;
mod share;

pub use groups::Group;
pub use layout::{Table, TableColumn};

use super::driver::{Consumer, drive};
use super::reader::Piece;
use super::step::{Next, Step};
use super::{Input, Wants};
use anyhow::Result;
use cells::Cells;
use crivo::HashSpec;
use layout::{Layouts, Tables};
use share::Share;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The state of a column.
pub trait Column: Clone + Send + 'static {
    /// Adds a value and its hash.
    fn add(&mut self, text: &[u8], hash: u64);

    /// Adds rows without a value.
    fn add_missing(&mut self, rows: u64);

    /// Returns the memory of the state in bytes.
    fn memory_bytes(&self) -> usize;
}

/// The limits of tables that are being read.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The largest memory of all columns together, in bytes.
    pub memory: u64,
    /// The number of groups of rows that are kept separately.
    pub groups: usize,
}

impl Input {
    /// Reads the columns of values, or all columns except the column of groups if none is named. `new` creates the
    /// state of each column, or of each column of each group; `room` limits them. `each` receives the tables so far
    /// at the interval `every`, between two pieces.
    ///
    /// # Errors
    /// If a source cannot be read or takes too much memory, and the errors of `each`.
    pub fn read_tables<C: Column>(
        self,
        spec: HashSpec,
        room: Room,
        new: impl Fn() -> C + Send + Sync + 'static,
        every: Option<Step>,
        each: impl FnMut(Vec<Table<C>>) -> Result<()>,
    ) -> Result<Vec<Table<C>>> {
        let input = Arc::new(Self { answers_early: true, ..self });
        let tables = Arc::new(Tables::new(new, room));
        let states = (0..input.jobs).map(|_| Cells::new(spec, &input)).collect();
        let mut layouts = Layouts::new(Arc::clone(&input), Arc::clone(&tables));
        let sort = move |piece: &mut Piece| layouts.share(piece);
        let work = move |cells: &mut Cells, piece: &mut Piece, share| take_piece(cells, piece, share);
        let consumer = Shown { tables: &tables, next: every.map(Next::new), each };
        let (totals, _) = drive(&input, input.prints, states, sort, work, consumer)?;
        totals.invalid.tell(totals.items == 0, &*input.watch)?;
        Ok(tables.take())
    }
}

/// Splits a piece into cells and passes them to the columns.
fn take_piece<C: Column>(cells: &mut Cells, piece: &mut Piece, share: Option<Share<C>>) {
    if piece.findings.fault.is_some() {
        return;
    }
    piece.findings.clear(Wants::default());
    let Some(share) = share else { return };
    let taken = if let Some(rows) = piece.take_rows() {
        piece.findings.items = rows.number() as usize;
        share.hand_over_rows(&rows, cells)
    } else {
        let (data, findings) = piece.parts();
        cells.cut(data, share.syntax, &share.places).and_then(|()| {
            (findings.items, findings.lines) = (cells.size.rows as usize, cells.lines);
            (findings.invalid, findings.first_invalid) = (cells.invalid, cells.first_invalid.take());
            share.hand_over(cells, data)
        })
    };
    piece.findings.fault = taken.err();
}

/// Passes the tables to `each` at regular intervals.
struct Shown<'a, C, F> {
    tables: &'a Tables<C>,
    next: Option<Next>,
    each: F,
}

impl<C: Column, F: FnMut(Vec<Table<C>>) -> Result<()>> Consumer<()> for Shown<'_, C, F> {
    fn take(&mut self, _piece: &Piece, (): ()) -> Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn is_due(&mut self, rows: u64) -> bool {
        self.next.as_mut().is_some_and(|next| next.has_come(rows))
    }

    fn see(&mut self) -> Result<()> {
        (self.each)(self.tables.copy())
    }
}

#[cfg(test)]
mod tests;
