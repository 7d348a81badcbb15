//! Finds the table of each piece, and the columns of its cells.

use super::cells::Size;
use super::groups::{Group, Groups};
use super::share::Share;
use super::{Column, Room};
use crate::json_path::plain_names;
use crate::reader::{Piece, some_of};
use crate::table::{first_record, unique_names};
use crate::turns::Turns;
use crate::{Fault, Input, Syntax};
use crivo_report::count;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A table that was read.
#[derive(Debug)]
pub struct Table<C> {
    /// The name of the first file.
    pub name: String,
    /// Whether each line is a value.
    pub is_lines: bool,
    /// The number of files.
    pub parts: u64,
    /// The number of rows.
    pub rows: u64,
    /// The number of rows with fewer fields than there are columns. The other fields are missing.
    pub short_rows: u64,
    /// The number of rows with more fields than there are columns. The additional fields are left out.
    pub long_rows: u64,
    /// The columns, in the order of the first file.
    pub columns: Vec<TableColumn<C>>,
    /// The groups in the order of their first rows, with the remaining groups last. Empty if the rows are not
    /// grouped.
    pub groups: Vec<Group>,
}

/// A column of a table.
#[derive(Debug)]
pub struct TableColumn<C> {
    /// The name, which is unique in the table.
    pub name: String,
    /// The state of each group, or of all rows.
    pub states: Vec<C>,
    /// The number of texts that count as missing, in addition to empty values.
    pub replaced: u64,
}

/// The properties that distinguish tables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// The names of all columns and of the chosen columns, in alphabetical order.
    Named(Vec<String>, Vec<String>),
    Json,
    Lines,
}

/// A table that is being read.
pub(super) struct Shared<C> {
    name: String,
    pub(super) shape: Shape,
    parts: AtomicU64,
    pub(super) known: Turns<Known<C>>,
}

/// The state of a table after the pieces so far.
pub(super) struct Known<C> {
    pub(super) size: Size,
    pub(super) columns: Vec<(String, Shelf<C>)>,
    pub(super) by_name: HashMap<String, usize>,
    pub(super) groups: Option<Groups>,
}

/// A column for which the pieces wait in turn.
pub(super) type Shelf<C> = Arc<Turns<Slot<C>>>;
pub(super) struct Slot<C> {
    /// One state for each group, or a single state.
    pub(super) states: Vec<C>,
    pub(super) replaced: u64,
    /// The memory of the states, as last counted.
    pub(super) memory: usize,
}

/// The tables of all sources, as far as they have been read.
pub(super) struct Tables<C> {
    pub(super) new: Box<dyn Fn() -> C + Send + Sync>,
    shared: Mutex<Vec<Arc<Shared<C>>>>,
    /// The memory of all columns in bytes.
    pub(super) memory: AtomicU64,
    pub(super) room: Room,
}

/// Assigns pieces to tables, in the order of the pieces.
pub(super) struct Layouts<C> {
    input: Arc<Input>,
    tables: Arc<Tables<C>>,
    /// Each table with its next turn.
    turns: Vec<(Arc<Shared<C>>, u64)>,
    /// The places of the tables by their shapes.
    by_shape: HashMap<Shape, usize>,
    present: Option<Present>,
}

/// The place of a source whose table is known, the place of the table, and the places of its columns.
type Present = (usize, usize, Arc<Places>);

/// The places of the columns' fields in the records of a source.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) fields: Vec<usize>,
    /// The number of fields that a record should have.
    pub(super) width: usize,
    /// The field of the group.
    pub(super) by: Option<usize>,
    /// A JSON column that is not read, because it is the column of the groups.
    pub(super) left_out: Option<String>,
}

impl<C: Column> Tables<C> {
    pub(super) fn new(new: impl Fn() -> C + Send + Sync + 'static, room: Room) -> Self {
        Self { new: Box::new(new), shared: Mutex::default(), memory: AtomicU64::new(0), room }
    }

    /// Returns a copy of the tables so far. No piece may be in progress.
    pub(super) fn copy(&self) -> Vec<Table<C>> {
        self.tables(|states| states.clone())
    }

    /// Returns the tables, and leaves none behind.
    pub(super) fn take(&self) -> Vec<Table<C>> {
        self.tables(std::mem::take)
    }

    fn tables(&self, get: impl Fn(&mut Vec<C>) -> Vec<C>) -> Vec<Table<C>> {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.iter().map(|table| table.table(&get)).collect()
    }
}

impl<C: Column> Layouts<C> {
    pub(super) fn new(input: Arc<Input>, tables: Arc<Tables<C>>) -> Self {
        Self { input, tables, turns: Vec::new(), by_shape: HashMap::new(), present: None }
    }

    /// Returns the table and the columns of this piece, or `None` if it has no record. Must be called in the order
    /// of the pieces. If a table has too many columns, the piece gets a fault.
    pub(super) fn share(&mut self, piece: &mut Piece) -> Option<Share<C>> {
        let syntax = self.input.sources[piece.source].format.syntax;
        if self.present.as_ref().is_none_or(|&(source, ..)| source != piece.source) {
            match self.begin(piece, syntax)? {
                Ok(begun) => self.present = Some(begun),
                Err(fault) => {
                    piece.findings.fault = Some(fault);
                    return None;
                }
            }
        }
        let (_, table, places) = self.present.as_ref()?;
        let (shared, turns) = &mut self.turns[*table];
        let (table, turn) = (Arc::clone(shared), *turns);
        *turns += 1;
        let (places, tables) = (Arc::clone(places), Arc::clone(&self.tables));
        Some(Share { table, turn, places, syntax, tables, is_done: false })
    }

    /// Returns the table of a new source, once its first record has arrived.
    fn begin(&mut self, piece: &Piece, syntax: Syntax) -> Option<Result<Present, Fault>> {
        let (shape, names, places) = match syntax {
            Syntax::Lines { .. } | Syntax::Whole => {
                (Shape::Lines, vec!["line".to_owned()], Places::default())
            }
            Syntax::JsonLines => {
                let wanted = &self.input.columns;
                let left_out = wanted.by.clone().filter(|_| wanted.values.is_empty());
                (Shape::Json, wanted.of_json().values, Places { left_out, ..Places::default() })
            }
            Syntax::Table { .. } | Syntax::Parquet => {
                let names = match syntax {
                    Syntax::Table { delimiter, header } => {
                        let text = if header { piece.header()? } else { piece.data() };
                        unique_names(&first_record(text, delimiter)?.fields, header)
                    }
                    _ => unique_names(piece.rows()?.names(), true),
                };
                let width = names.len();
                let (mut fields, by) = (piece.places.values.clone(), piece.places.by);
                if fields.is_empty() {
                    fields = (0..width).filter(|&place| Some(place) != by).collect();
                }
                let mut seen = HashSet::new();
                fields.retain(|&place| seen.insert(place));
                if fields.len() > MOST_COLUMNS {
                    return Some(Err(too_many()));
                }
                if let Some(times) = piece.rows().and_then(|rows| some_of(&rows.times_of_day(&fields))) {
                    let name = self.input.sources[piece.source].name();
                    self.input.watch.remark(&format!("{name}: times of day are profiled as text: {times}"));
                }
                let chosen: Vec<String> = fields.iter().map(|&place| names[place].clone()).collect();
                let shape = Shape::Named(sorted(&names), sorted(&chosen));
                (shape, chosen, Places { fields, width, by, left_out: None })
            }
        };
        let mut places = places;
        let table = self.table(piece.source, shape, &names);
        // Another file of the table may have its columns in another order.
        let order = self.turns[table].0.known.see(|known| {
            let own: HashMap<&str, usize> =
                names.iter().enumerate().map(|(at, own)| (&own[..], at)).collect();
            let place = |(name, _): &(String, Shelf<C>)| own.get(&name[..]).copied();
            known.columns.iter().filter_map(place).collect::<Vec<_>>()
        });
        if !places.fields.is_empty() {
            places.fields = order.iter().map(|&place| places.fields[place]).collect();
        }
        Some(Ok((piece.source, table, Arc::new(places))))
    }

    /// Returns the table of this shape, and creates it if it is new.
    fn table(&mut self, source: usize, shape: Shape, names: &[String]) -> usize {
        if let Some(&found) = self.by_shape.get(&shape) {
            self.turns[found].0.parts.fetch_add(1, Ordering::Relaxed);
            return found;
        }
        self.by_shape.insert(shape.clone(), self.turns.len());
        let groups = self.input.columns.by.as_ref().map(|_| Groups::new(self.tables.room.groups));
        let mut known = Known { size: Size::default(), columns: Vec::new(), by_name: HashMap::new(), groups };
        for name in names {
            known.add(name.clone(), &*self.tables.new, 0);
        }
        let source = &self.input.sources[source];
        let name = source.path().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| source.name());
        let shared = Shared { name, shape, parts: AtomicU64::new(1), known: Turns::new(known, 0) };
        let shared = Arc::new(shared);
        self.tables.shared.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&shared));
        self.turns.push((shared, 0));
        self.turns.len() - 1
    }
}

impl<C> Shared<C> {
    fn table(&self, get: impl Fn(&mut Vec<C>) -> Vec<C>) -> Table<C> {
        self.known.see(|known| {
            let mut names: Vec<&str> = known.columns.iter().map(|(name, _)| &name[..]).collect();
            let plain = if self.shape == Shape::Json { plain_names(&names) } else { Vec::new() };
            names = if plain.is_empty() { names } else { plain.iter().map(String::as_str).collect() };
            let column = |((_, slot), name): (&(String, Shelf<C>), &&str)| {
                let (states, replaced) = slot.see(|slot| (get(&mut slot.states), slot.replaced));
                TableColumn { name: (*name).to_owned(), states, replaced }
            };
            let Size { rows, short_rows, long_rows } = known.size;
            let columns = known.columns.iter().zip(&names).map(column).collect();
            let (name, parts) = (self.name.clone(), self.parts.load(Ordering::Relaxed));
            let is_lines = self.shape == Shape::Lines;
            let groups = known.groups.as_ref().map(Groups::all).unwrap_or_default();
            Table { name, is_lines, parts, rows, short_rows, long_rows, columns, groups }
        })
    }
}

impl<C: Column> Known<C> {
    /// Adds a column that the rows so far do not have.
    pub(super) fn add(&mut self, name: String, new: &dyn Fn() -> C, turn: u64) {
        self.by_name.insert(name.clone(), self.columns.len());
        let rows = self.groups.as_ref().map_or(std::slice::from_ref(&self.size.rows), Groups::rows);
        let mut states: Vec<C> = rows.iter().map(|_| new()).collect();
        states.iter_mut().zip(rows).for_each(|(state, &rows)| state.add_missing(rows));
        let slot = Slot { states, replaced: 0, memory: 0 };
        self.columns.push((name, Arc::new(Turns::new(slot, turn))));
    }
}

/// The largest number of columns. More names are hardly the columns of one table.
pub(super) const MOST_COLUMNS: usize = 1 << 16;

pub(super) fn too_many() -> Fault {
    Fault::whole(format!(
        "there are more than {} columns; choose some with --column, or check --format and --delimiter",
        count(MOST_COLUMNS as u64)
    ))
}

fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort_unstable();
    names
}
