//! Passes the cells of a piece to the columns.

use super::Column;
use super::cells::{Cells, Content, Size};
use super::groups::{Members, Sink, memory_bytes};
use super::layout::{Known, MOST_COLUMNS, Places, Shape, Shared, Shelf, Slot, Tables, too_many};
use crate::parquet::ColumnValue;
use crate::row_groups::Rows;
use crate::{Fault, Syntax, Texts};
use crivo_report::{plural, size as size_of_memory};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Columns with their places in a piece, or `None` for a column that the piece does not have.
type Admitted<C> = Vec<(Shelf<C>, Option<usize>)>;

/// The columns of a piece, and the groups of its rows.
type Turn<C> = Result<(Admitted<C>, Option<Members>), Fault>;

/// The table, the turn and the columns of a piece.
pub(super) struct Share<C> {
    pub(super) table: Arc<Shared<C>>,
    pub(super) turn: u64,
    pub(super) places: Arc<Places>,
    pub(super) syntax: Syntax,
    pub(super) tables: Arc<Tables<C>>,
    /// Whether the cells were passed on.
    pub(super) is_done: bool,
}

impl<C: Column> Share<C> {
    /// Passes the cells to their columns.
    pub(super) fn hand_over(mut self, cells: &Cells, data: &[u8]) -> Result<(), Fault> {
        let admitted = self.table.known.take(self.turn, |known| {
            let admitted = self.admit(known, cells.size, cells.names())?;
            Ok((admitted, members(known, cells, &cells.groups)))
        });
        let told = self.take_turns(cells.size, admitted, |sink, place| {
            let (cells_of_column, replaced) = cells.column(place);
            for cell in cells_of_column {
                match cells.content(cell, data) {
                    Content::Missing(rows) => sink.add_missing(rows),
                    Content::Value { text, hash } => sink.add(text, hash),
                }
            }
            Ok(replaced)
        });
        self.is_done = told.is_ok();
        told
    }

    /// Decodes Parquet rows, each column in its turn, so that decoded values are not kept.
    pub(super) fn hand_over_rows(mut self, rows: &Rows, cells: &Cells) -> Result<(), Fault> {
        let size = Size { rows: rows.number(), ..Size::default() };
        // The column of groups is decoded first, and kept: each column can be decoded only once.
        let mut groups = Texts::default();
        let admitted = self.table.known.take(self.turn, |known| {
            let admitted = self.admit(known, size, std::iter::empty())?;
            if let Some(by) = self.places.by {
                tell(rows, by, &mut |text| groups.push(text))?;
            }
            Ok((admitted, members(known, cells, &groups)))
        });
        let Cells { missing, hasher, .. } = cells;
        let told = self.take_turns(size, admitted, |sink, place| {
            let mut replaced = 0;
            let mut each = |text: &[u8]| {
                if missing.contains(text) {
                    replaced += u64::from(!text.is_empty());
                    sink.add_missing(1);
                } else {
                    sink.add(text, hasher.hash(text));
                }
            };
            let field = self.places.fields[place];
            if self.places.by == Some(field) {
                groups.iter().for_each(each);
            } else {
                tell(rows, field, &mut each)?;
            }
            Ok(replaced)
        });
        self.is_done = told.is_ok();
        told
    }

    /// Calls `add` for each column with its place in the piece, when it is this piece's turn. `add` returns the
    /// number of texts that count as missing.
    fn take_turns(
        &self,
        size: Size,
        admitted: Option<Turn<C>>,
        add: impl Fn(&mut Sink<'_, C>, usize) -> Result<u64, Fault>,
    ) -> Result<(), Fault> {
        // If the turn never comes, an earlier piece has failed and reports its error.
        let Some(admitted) = admitted else { return Ok(()) };
        let (admitted, members) = admitted?;
        let members = members.as_ref();
        for (slot, place) in admitted {
            let memory = slot.take(self.turn, |slot| {
                let Slot { states, replaced, memory } = slot;
                let changing = memory_bytes(states, members);
                if let Some(members) = members {
                    states.resize_with(members.groups(), &self.tables.new);
                }
                let mut sink = Sink::new(states, members);
                match place {
                    None => sink.add_none(size.rows),
                    Some(place) => *replaced += add(&mut sink, place)?,
                }
                let counted = *memory;
                *memory = match counted {
                    0 => states.iter().map(Column::memory_bytes).sum(),
                    _ => counted - changing + memory_bytes(states, members),
                };
                let more = (*memory as u64).wrapping_sub(counted as u64);
                // One atomic step, so that each column's memory counts once.
                Ok(self.tables.memory.fetch_add(more, Ordering::Relaxed).wrapping_add(more))
            });
            let Some(memory) = memory.transpose()? else { return Ok(()) };
            if memory > self.tables.room.memory {
                return Err(too_large(memory, members.map(Members::groups)));
            }
        }
        Ok(())
    }

    /// Returns all columns of the table, up to this piece, with their places in the piece.
    fn admit<'a>(
        &self,
        known: &mut Known<C>,
        size: Size,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Admitted<C>, Fault> {
        let by_place = self.table.shape != Shape::Json;
        let columns = 0..known.columns.len();
        let mut places: Vec<Option<usize>> = columns.map(|place| by_place.then_some(place)).collect();
        let left_out = self.places.left_out.as_deref();
        for (place, name) in names.enumerate().filter(|(_, name)| Some(*name) != left_out) {
            if let Some(&column) = known.by_name.get(name) {
                places[column] = Some(place);
                continue;
            }
            if known.columns.len() == MOST_COLUMNS {
                return Err(too_many());
            }
            known.add(name.to_owned(), &*self.tables.new, self.turn);
            places.push(Some(place));
        }
        known.size.rows += size.rows;
        known.size.short_rows += size.short_rows;
        known.size.long_rows += size.long_rows;
        Ok(known.columns.iter().map(|(_, slot)| Arc::clone(slot)).zip(places).collect())
    }
}

/// Returns the groups of a piece's rows, if the rows are grouped.
fn members<C>(known: &mut Known<C>, cells: &Cells, names: &Texts) -> Option<Members> {
    known.groups.as_mut().map(|groups| groups.take(names.iter().map(|name| cells.missing.or_empty(name))))
}

/// Passes the texts of a Parquet column to `each`. The text of a null is empty.
fn tell(rows: &Rows, field: usize, each: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
    let told = rows.tell(field, &mut |value| {
        each(if let ColumnValue::Text(text) = value { text } else { b"" });
        Ok(())
    });
    told.map_err(|error| Fault::whole(format!("{error:#}")))
}

fn too_large(memory: u64, groups: Option<usize>) -> Fault {
    let memory = size_of_memory(memory);
    Fault::whole(match groups {
        None => format!(
            "the columns take {memory}, more than --max-memory; choose some with --column, or raise it"
        ),
        Some(groups) => format!(
            "the columns of {} take {memory}, more than --max-memory; keep fewer groups with --groups, choose columns \
             with --column, or raise it",
            plural(groups as u64, "group", "groups")
        ),
    })
}

impl<C> Drop for Share<C> {
    /// Ends the turn if the cells were not passed on, so that no other piece waits for it.
    fn drop(&mut self) {
        if !self.is_done {
            self.table.known.end(self.turn);
            self.table.known.see(|known| known.columns.iter().for_each(|(_, slot)| slot.end(self.turn)));
        }
    }
}
