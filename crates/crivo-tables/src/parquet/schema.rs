//! The columns of a file: the nodes of its schema, as written.

use super::file::{damaged, unreadable};
use super::text::Meaning;
use super::thrift::{Flaw, Kind, Thrift};
use anyhow::Result;
use parquet::basic::{Repetition, Type};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, ColumnPath, Type as SchemaType};
use std::sync::Arc;

/// The deepest nesting that is accepted. No real table is nested this deeply.
const DEPTH: usize = 100;

/// A column with one value per row.
#[derive(Debug)]
pub(super) struct Column {
    /// The path of the column: `a.b`.
    pub(super) name: String,
    /// The place of the column among all leaves.
    pub(super) leaf: usize,
    /// The description of the column for the `parquet` crate.
    pub(super) descriptor: ColumnDescPtr,
    pub(super) meaning: Meaning,
    /// The field id, which writers of Iceberg tables give.
    pub(super) field: Option<i32>,
}

/// A node of the schema.
#[derive(Default)]
pub(super) struct Element<'a> {
    physical: Option<i64>,
    length: i64,
    repetition: i64,
    name: &'a [u8],
    children: u32,
    converted: Option<i64>,
    scale: i64,
    field: Option<i32>,
    logical: Option<Logical>,
}

/// The logical type of the values, which newer files have.
#[derive(Clone, Copy)]
enum Logical {
    /// A list or a map.
    Repeated,
    Decimal {
        scale: i64,
    },
    Is(Meaning),
}

impl<'a> Element<'a> {
    pub(super) fn read(thrift: &mut Thrift<'a>) -> Result<Self, Flaw> {
        let mut element = Self::default();
        thrift.fields(|thrift, number, kind| {
            match number {
                1 => element.physical = Some(thrift.integer(kind)?),
                2 => element.length = thrift.integer(kind)?,
                3 => element.repetition = thrift.integer(kind)?,
                4 => element.name = thrift.binary(kind)?,
                5 => element.children = thrift.count(kind)?,
                6 => element.converted = Some(thrift.integer(kind)?),
                7 => element.scale = thrift.integer(kind)?,
                9 => element.field = i32::try_from(thrift.integer(kind)?).ok(),
                10 => {
                    Thrift::expect_struct(kind)?;
                    element.logical = Some(logical(thrift)?);
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(element)
    }

    /// Returns whether the node is a list or a map.
    fn is_list(&self) -> bool {
        matches!(self.logical, Some(Logical::Repeated)) || matches!(self.converted, Some(1..=3))
    }

    /// Returns the meaning of the values. Newer files have a logical type, older files a converted type, and a few
    /// have neither.
    fn meaning(&self) -> Result<Meaning> {
        let decimal = |scale: i64| match u8::try_from(scale) {
            Ok(scale) => Ok(Meaning::Decimal(scale)),
            Err(_) => Err(damaged(&format!("a decimal number with {scale} places"))),
        };
        Ok(match (self.logical, self.converted) {
            (Some(Logical::Is(meaning)), _) => meaning,
            (Some(Logical::Decimal { scale }), _) => decimal(scale)?,
            (None, Some(5)) => decimal(self.scale)?,
            (None, Some(6)) => Meaning::Date,
            (None, Some(7)) => Meaning::Time(1_000),
            (None, Some(8)) => Meaning::Time(1_000_000),
            (None, Some(9)) => Meaning::Timestamp { unit: 1_000, utc: true },
            (None, Some(10)) => Meaning::Timestamp { unit: 1_000_000, utc: true },
            (None, Some(11..=14)) => Meaning::Unsigned,
            _ => Meaning::Plain,
        })
    }

    /// Returns the description of a column of these values for the `parquet` crate.
    fn descriptor(&self, level: i16) -> Result<ColumnDescriptor> {
        let physical = match self.physical {
            Some(0) => Type::BOOLEAN,
            Some(1) => Type::INT32,
            Some(2) => Type::INT64,
            Some(3) => Type::INT96,
            Some(4) => Type::FLOAT,
            Some(5) => Type::DOUBLE,
            Some(6) => Type::BYTE_ARRAY,
            Some(7) => Type::FIXED_LEN_BYTE_ARRAY,
            _ => return Err(damaged("a column has no type that there is")),
        };
        let mut length = -1;
        if physical == Type::FIXED_LEN_BYTE_ARRAY {
            length = i32::try_from(self.length)
                .ok()
                .filter(|&length| length > 0)
                .ok_or_else(|| damaged(&format!("values of {} bytes", self.length)))?;
        }
        // The crate uses the name only in its own messages.
        let primitive = SchemaType::primitive_type_builder("values", physical)
            .with_repetition(Repetition::REQUIRED)
            .with_length(length)
            .build()
            .map_err(|error| unreadable(&error.to_string()))?;
        Ok(ColumnDescriptor::new(Arc::new(primitive), level, 0, ColumnPath::from("values")))
    }
}

fn logical(thrift: &mut Thrift<'_>) -> Result<Logical, Flaw> {
    let mut found = Logical::Is(Meaning::Plain);
    thrift.fields(|thrift, number, kind| {
        let mut scale = 0;
        let (mut is_true, mut unit) = (false, 1_000);
        Thrift::expect_struct(kind)?;
        thrift.fields(|thrift, inner, kind| {
            match (number, inner, kind) {
                (5, 1, _) => scale = thrift.integer(kind)?,
                // Field 1 or 2 says whether a time is in UTC, or whether an integer has a sign.
                (7 | 8, 1, Kind::True) | (10, 2, Kind::True) => is_true = true,
                (7 | 8, 2, Kind::Struct) => thrift.fields(|_, which, _| {
                    unit = match which {
                        1 => 1_000,
                        2 => 1_000_000,
                        _ => 1_000_000_000,
                    };
                    Ok(false)
                })?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        found = match number {
            2 | 3 => Logical::Repeated,
            5 => Logical::Decimal { scale },
            6 => Logical::Is(Meaning::Date),
            7 => Logical::Is(Meaning::Time(unit)),
            8 => Logical::Is(Meaning::Timestamp { unit, utc: is_true }),
            10 if !is_true => Logical::Is(Meaning::Unsigned),
            14 => Logical::Is(Meaning::Uuid),
            15 => Logical::Is(Meaning::HalfFloat),
            _ => Logical::Is(Meaning::Plain),
        };
        Ok(true)
    })?;
    Ok(found)
}

/// The leaves of a schema.
#[derive(Default)]
pub(super) struct Tree {
    /// The leaves that have one value per row.
    pub(super) columns: Vec<Column>,
    /// The paths of the leaves that have more than one value per row.
    pub(super) lists: Vec<String>,
    /// The physical type of every leaf.
    pub(super) leaves: Vec<i64>,
    /// The number of bytes of all names.
    names: u64,
}

/// A group whose children are being read.
struct Open {
    children: u32,
    /// The number of nodes on the path to this group that may be null.
    level: i16,
    /// The length of the path to this group.
    path: usize,
    is_list: bool,
    /// Whether the group is within a list whose path is already in `lists`.
    is_within: bool,
}

impl Tree {
    /// Reads the nodes, which are in depth-first order. `hold` receives the number of bytes of the names.
    pub(super) fn grow(
        &mut self,
        elements: &[Element<'_>],
        mut hold: impl FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        let (root, rest) = elements.split_first().ok_or_else(|| damaged("its schema is empty"))?;
        let mut open =
            vec![Open { children: root.children, level: 0, path: 0, is_list: false, is_within: false }];
        let mut path = Vec::new();
        for element in rest {
            while open.last().is_some_and(|group| group.children == 0) {
                open.pop();
            }
            let Some(parent) = open.last_mut() else {
                return Err(damaged("its schema has nodes without a parent"));
            };
            parent.children -= 1;
            path.truncate(parent.path);
            if parent.path > 0 {
                path.push(b'.');
            }
            path.extend_from_slice(element.name);
            let is_repeated = element.repetition == 2;
            if is_repeated && !parent.is_within {
                let named = if parent.is_list { &path[..parent.path] } else { &path[..] };
                self.names += named.len() as u64;
                hold(self.names)?;
                self.lists.push(String::from_utf8_lossy(named).into_owned());
            }
            let is_within = parent.is_within || is_repeated;
            let level = parent.level + i16::from(element.repetition != 0);
            if element.children > 0 {
                if open.len() > DEPTH {
                    return Err(unreadable(&format!("its columns are nested more than {DEPTH} deep")));
                }
                let (children, is_list) = (element.children, element.is_list());
                open.push(Open { children, level, path: path.len(), is_list, is_within });
            } else if let Some(physical) = element.physical {
                let leaf = self.leaves.len();
                self.leaves.push(physical);
                if !is_within {
                    self.names += path.len() as u64;
                    hold(self.names)?;
                    let name = String::from_utf8_lossy(&path).into_owned();
                    let descriptor = Arc::new(element.descriptor(level)?);
                    let (meaning, field) = (element.meaning()?, element.field);
                    self.columns.push(Column { name, leaf, descriptor, meaning, field });
                }
            }
        }
        if open.iter().any(|group| group.children > 0) {
            return Err(damaged("its schema has fewer nodes than it says"));
        }
        self.lists.dedup();
        Ok(())
    }
}
