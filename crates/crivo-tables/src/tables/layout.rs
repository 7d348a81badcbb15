//! Which tables there are, and where a piece's cells belong.

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
    /// The name of its first file.
    pub name: String,
    /// Whether each line is a value.
    pub is_lines: bool,
    /// How many files it consists of.
    pub parts: u64,
    /// How many rows it has.
    pub rows: u64,
    /// Rows with fewer fields than there are columns; the rest of them is missing.
    pub short_rows: u64,
    /// Rows with more fields than there are columns, which were left out.
    pub long_rows: u64,
    /// In the order of the first file.
    pub columns: Vec<TableColumn<C>>,
    /// In the order in which they came, the others last; none unless the rows are in groups.
    pub groups: Vec<Group>,
}

/// A column of a table.
#[derive(Debug)]
pub struct TableColumn<C> {
    /// Unique in its table.
    pub name: String,
    /// What was made of its values in each group, or in all rows.
    pub states: Vec<C>,
    /// Texts that were treated as missing, in addition to the empty one.
    pub replaced: u64,
}

/// What tells tables apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// The names of all columns and of the chosen ones, in the order of the alphabet.
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

/// What the pieces so far have shown.
pub(super) struct Known<C> {
    pub(super) size: Size,
    pub(super) columns: Vec<(String, Shelf<C>)>,
    pub(super) by_name: HashMap<String, usize>,
    pub(super) groups: Option<Groups>,
}

/// A column, where the pieces wait for their turns.
pub(super) type Shelf<C> = Arc<Turns<Slot<C>>>;
pub(super) struct Slot<C> {
    /// One for each group, or one alone.
    pub(super) states: Vec<C>,
    pub(super) replaced: u64,
    /// What they take, as far as it was counted.
    pub(super) memory: usize,
}

/// The tables of all sources, as far as they have been read.
pub(super) struct Tables<C> {
    pub(super) new: Box<dyn Fn() -> C + Send + Sync>,
    shared: Mutex<Vec<Arc<Shared<C>>>>,
    /// Bytes that all columns take together.
    pub(super) memory: AtomicU64,
    pub(super) room: Room,
}

/// Tells where pieces belong, in their order.
pub(super) struct Layouts<C> {
    input: Arc<Input>,
    tables: Arc<Tables<C>>,
    /// Each table with its next turn.
    turns: Vec<(Arc<Shared<C>>, u64)>,
    /// Their places by what tells them apart.
    by_shape: HashMap<Shape, usize>,
    present: Option<Present>,
}

/// A source whose table is known, with the place of that and of its columns.
type Present = (usize, usize, Arc<Places>);

/// Where the fields of the columns stand in the records of a source.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) fields: Vec<usize>,
    /// How many fields a record should have.
    pub(super) width: usize,
    /// The field that tells groups apart.
    pub(super) by: Option<usize>,
    /// A column of JSON that is not read, since it tells groups apart.
    pub(super) left_out: Option<String>,
}

impl<C: Column> Tables<C> {
    pub(super) fn new(new: impl Fn() -> C + Send + Sync + 'static, room: Room) -> Self {
        Self { new: Box::new(new), shared: Mutex::default(), memory: AtomicU64::new(0), room }
    }

    /// A copy of what has been read so far. No piece is on its way.
    pub(super) fn copy(&self) -> Vec<Table<C>> {
        self.tables(|states| states.clone())
    }

    /// What has been read, which is then gone from here.
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

    /// Returns where this piece belongs, called in the order of the pieces; none if it has no record. A table of too many columns
    /// is a fault of the piece.
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

    /// The table of a new source, once its first record has come.
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
        // A file may have the columns of its table in another order.
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

    /// The table of this shape, made if it is the first of it.
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
    /// Another column, of which the rows so far have no value.
    pub(super) fn add(&mut self, name: String, new: &dyn Fn() -> C, turn: u64) {
        self.by_name.insert(name.clone(), self.columns.len());
        let rows = self.groups.as_ref().map_or(std::slice::from_ref(&self.size.rows), Groups::rows);
        let mut states: Vec<C> = rows.iter().map(|_| new()).collect();
        states.iter_mut().zip(rows).for_each(|(state, &rows)| state.add_missing(rows));
        let slot = Slot { states, replaced: 0, memory: 0 };
        self.columns.push((name, Arc::new(Turns::new(slot, turn))));
    }
}

/// More are hardly columns of one table.
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
