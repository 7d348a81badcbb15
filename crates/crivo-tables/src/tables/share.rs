//! The cells of a piece on their way to the columns.

use super::Column;
use super::cells::{Cells, Content, Size};
use super::layout::{Known, MOST_COLUMNS, Places, Shape, Shared, Shelf, Slot, Tables, too_many};
use crate::parquet::ColumnValue;
use crate::row_groups::Rows;
use crate::{Fault, Syntax};
use crivo_report::size as size_of_memory;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Columns with their places in a piece; none where the piece does not have them.
type Admitted<C> = Vec<(Shelf<C>, Option<usize>)>;

/// Where the cells of a piece belong, and when.
pub(super) struct Share<C> {
    pub(super) table: Arc<Shared<C>>,
    pub(super) turn: u64,
    pub(super) places: Arc<Places>,
    pub(super) syntax: Syntax,
    pub(super) tables: Arc<Tables<C>>,
    /// Whether the cells were handed over.
    pub(super) is_done: bool,
}

impl<C: Column> Share<C> {
    /// Hands the cells to their columns.
    pub(super) fn hand_over(mut self, cells: &Cells, data: &[u8], max_memory: u64) -> Result<(), Fault> {
        let told = self.take_turns(cells.size, cells.names(), max_memory, |column, place| {
            let (cells_of_column, replaced) = cells.column(place);
            for cell in cells_of_column {
                match cells.content(cell, data) {
                    Content::Missing(rows) => column.add_missing(rows),
                    Content::Value { text, hash } => column.add(text, hash),
                }
            }
            Ok(replaced)
        });
        self.is_done = told.is_ok();
        told
    }

    /// Decodes rows of Parquet, each column when it is its turn: so they are kept nowhere.
    pub(super) fn hand_over_rows(mut self, rows: &Rows, cells: &Cells, max_memory: u64) -> Result<(), Fault> {
        let size = Size { rows: rows.number(), ..Size::default() };
        let Cells { missing, hasher, .. } = cells;
        let told = self.take_turns(size, std::iter::empty(), max_memory, |column, place| {
            let mut replaced = 0;
            let told = rows.tell(self.places.fields[place], &mut |value| {
                match value {
                    ColumnValue::Text(text) if !missing.contains(text) => column.add(text, hasher.hash(text)),
                    ColumnValue::Text([]) | ColumnValue::Missing => column.add_missing(1),
                    ColumnValue::Text(_) => {
                        replaced += 1;
                        column.add_missing(1);
                    }
                }
                Ok(())
            });
            told.map(|()| replaced).map_err(|error| Fault::whole(format!("{error:#}")))
        });
        self.is_done = told.is_ok();
        told
    }

    /// Lets `add` fill each column from that place of the piece, when it is this piece's turn; it returns how many
    /// texts were treated as missing.
    fn take_turns<'a>(
        &self,
        size: Size,
        names: impl Iterator<Item = &'a str>,
        max_memory: u64,
        add: impl Fn(&mut C, usize) -> Result<u64, Fault>,
    ) -> Result<(), Fault> {
        let admitted = self.table.known.take(self.turn, |known| self.admit(known, size, names));
        // Without a turn, an earlier piece has failed, and says so.
        let Some(admitted) = admitted else { return Ok(()) };
        for (slot, place) in admitted? {
            let memory = slot.take(self.turn, |slot| {
                let Slot { column, replaced, memory } = slot;
                match place {
                    None => column.add_missing(size.rows),
                    Some(place) => *replaced += add(column, place)?,
                }
                let before = std::mem::replace(memory, column.memory_bytes());
                let more = (*memory as u64).wrapping_sub(before as u64);
                // In one step, so that no other thread sees a column twice.
                Ok(self.tables.memory.fetch_add(more, Ordering::Relaxed).wrapping_add(more))
            });
            let Some(memory) = memory.transpose()? else { return Ok(()) };
            if memory > max_memory {
                return Err(Fault::whole(format!(
                    "the columns take {}, more than --max-memory; choose some with --column, or raise it",
                    size_of_memory(memory)
                )));
            }
        }
        Ok(())
    }

    /// All columns of the table as this piece sees it, with their places in it.
    fn admit<'a>(
        &self,
        known: &mut Known<C>,
        size: Size,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Admitted<C>, Fault> {
        let by_place = self.table.shape != Shape::Json;
        let columns = 0..known.columns.len();
        let mut places: Vec<Option<usize>> = columns.map(|place| by_place.then_some(place)).collect();
        for (place, name) in names.enumerate() {
            if let Some(&column) = known.by_name.get(name) {
                places[column] = Some(place);
                continue;
            }
            if known.columns.len() == MOST_COLUMNS {
                return Err(too_many());
            }
            let mut column = (self.tables.new)();
            column.add_missing(known.size.rows);
            known.add(name.to_owned(), column, self.turn);
            places.push(Some(place));
        }
        known.size.rows += size.rows;
        known.size.short_rows += size.short_rows;
        known.size.long_rows += size.long_rows;
        Ok(known.columns.iter().map(|(_, slot)| Arc::clone(slot)).zip(places).collect())
    }
}

impl<C> Drop for Share<C> {
    /// A turn that is never taken: nobody need wait for it.
    fn drop(&mut self) {
        if !self.is_done {
            self.table.known.end(self.turn);
            self.table.known.see(|known| known.columns.iter().for_each(|(_, slot)| slot.end(self.turn)));
        }
    }
}
