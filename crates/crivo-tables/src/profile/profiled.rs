//! Profiles of tables that were read or saved, and their reports.

use super::order::RowOrder;
use super::tracked::TrackedColumn;
use super::{DriftReport, GroupedProfile, Parts, ProfileReport};
use crate::{Columns, Header, Input, Room, Step, Table};
use anyhow::{Context, Result, anyhow, bail};
use crivo::profile::{ColumnProfile, ProfileParams};
use crivo::{HashSpec, TableProfile};
use crivo_report::plural;
use std::collections::HashSet;

/// The settings for profiling tables while they are read.
#[derive(Debug)]
pub struct Profiler {
    /// The precision of the profiles.
    pub params: ProfileParams,
    /// The hash of values.
    pub spec: HashSpec,
    /// The memory limit of all columns together, and the number of groups that are profiled separately.
    pub room: Room,
    /// The interval between answers during reading.
    pub every: Option<Step>,
    /// A profile to continue, and the file it was saved to.
    pub start: Option<(String, TableProfile)>,
    /// The name of an empty input in the report.
    pub name: String,
    /// Whether the user named the texts of missing values. Otherwise the usual texts apply.
    pub names_missing: bool,
    /// Whether to omit notes on how the tables were read.
    pub is_quiet: bool,
}

impl Profiler {
    /// Profiles all tables of `input`. Profiles during reading go to `each`.
    ///
    /// # Errors
    /// If the tables cannot be read, take too much memory or do not match the profile to continue, and the errors
    /// of `each`.
    pub fn read(&self, mut input: Input, mut each: impl FnMut(&Profiled) -> Result<()>) -> Result<Profiled> {
        input.prints = self.every.is_some();
        let tables = self.read_tables(input, |tables| each(&self.profiled(tables)?))?;
        self.profiled(tables)
    }

    /// Profiles each group of the rows of `input`. The column `by` divides the rows into groups.
    ///
    /// # Errors
    /// If the rows cannot be read, take too much memory or belong to several tables.
    pub fn read_groups(&self, input: Input, by: String, parts: Parts) -> Result<GroupedProfile> {
        let mut tables = self.read_tables(input, |_| Ok(()))?;
        if tables.len() > 1 {
            bail!("--by takes one table, but the files have {}; profile them one by one", tables.len());
        }
        let table = tables.pop();
        let mut remarks = table.as_ref().map_or_else(Vec::new, |table| self.said_of(table));
        if self.is_quiet {
            remarks.clear();
        }
        let name = table.as_ref().map_or_else(|| self.name.clone(), name_of);
        Ok(GroupedProfile::new(name, by, parts, table, remarks))
    }

    fn read_tables(
        &self,
        input: Input,
        each: impl FnMut(Vec<Table<TrackedColumn>>) -> Result<()>,
    ) -> Result<Vec<Table<TrackedColumn>>> {
        let (params, spec) = (self.params, self.spec);
        let new = move || TrackedColumn::new(ColumnProfile::with_params(params).with_hash(spec));
        input.read_tables(spec, self.room, new, self.every, each)
    }

    /// Returns the tables that were read, or an empty table for empty input. A profile to continue is merged with
    /// them.
    fn profiled(&self, tables: Vec<Table<TrackedColumn>>) -> Result<Profiled> {
        let mut read = Vec::new();
        for table in tables {
            let remarks = if self.is_quiet { Vec::new() } else { self.said_of(&table) };
            let name = name_of(&table);
            let (mut orders, mut columns) = (Vec::new(), Vec::new());
            for column in table.columns {
                for TrackedColumn { profile, fingerprint, order } in column.states {
                    orders.push((fingerprint, order));
                    columns.push((column.name.clone(), profile));
                }
            }
            let profile = TableProfile::from_columns(self.params, self.spec, table.rows, columns)?;
            read.push(ProfiledTable { name, profile, orders: Some(orders), remarks });
        }
        if let Some((path, start)) = &self.start {
            let mut whole = ProfiledTable::saved(path.clone(), start.clone());
            for table in read {
                let name = &table.name;
                let told = whole.profile.merge(&table.profile);
                told.with_context(|| format!("{name}: does not go on from {path}"))?;
                whole.remarks.extend(table.remarks);
            }
            read = vec![whole];
        } else if read.is_empty() {
            let empty = TableProfile::with_params(self.params).with_hash(self.spec);
            read.push(ProfiledTable::saved(self.name.clone(), empty));
        }
        Ok(Profiled { tables: read })
    }

    /// Returns notes on how a table was read.
    fn said_of(&self, table: &Table<TrackedColumn>) -> Vec<String> {
        let mut remarks = Vec::new();
        let replaced: Vec<_> = table.columns.iter().filter(|column| column.replaced > 0).collect();
        let texts: u64 = replaced.iter().map(|column| column.replaced).sum();
        if texts > 0 && !self.names_missing {
            let columns = plural(replaced.len() as u64, "column", "columns");
            let texts = plural(texts, "value such as NA was", "values such as NA were");
            remarks
                .push(format!("{texts} treated as missing in {columns}; --missing '' keeps them as values"));
        }
        remarks.extend(other_format(table));
        let rows = |rows: u64| plural(rows, "row has", "rows have");
        if table.short_rows > 0 {
            remarks.push(format!(
                "{} fewer fields than there are columns; the rest are missing values",
                rows(table.short_rows)
            ));
        }
        if table.long_rows > 0 {
            remarks.push(format!(
                "{} more fields than there are columns; the additional fields were ignored",
                rows(table.long_rows)
            ));
        }
        remarks
    }
}

/// Returns the name of a table, and the number of its files.
fn name_of(table: &Table<TrackedColumn>) -> String {
    match table.parts - 1 {
        0 => table.name.clone(),
        more => format!("{} and {}", table.name, plural(more, "more file", "more files")),
    }
}

/// Tables with their names.
#[derive(Debug)]
pub struct Profiled {
    tables: Vec<ProfiledTable>,
}

/// A table with its name.
#[derive(Debug)]
pub(super) struct ProfiledTable {
    pub(super) name: String,
    pub(super) profile: TableProfile,
    /// The fingerprint of the rows of each column and the order of its values, or `None` if any part of the table comes
    /// from a saved profile.
    pub(super) orders: Option<Vec<(u64, RowOrder)>>,
    /// Notes on how the table was read.
    pub(super) remarks: Vec<String>,
}

impl ProfiledTable {
    fn saved(name: String, profile: TableProfile) -> Self {
        Self { name, profile, orders: None, remarks: Vec::new() }
    }
}

impl Profiled {
    /// Returns the `wanted` columns of a saved table, by name or number, or all columns if none is wanted.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn saved(name: String, table: &TableProfile, wanted: &[String]) -> Result<Self> {
        let names: Vec<&str> = table.columns().map(|(name, _)| name).collect();
        let header = Header::new(&names, true);
        let wanted = Columns { values: wanted.to_vec(), ..Columns::default() };
        let places = wanted.places(&header, |_, what| anyhow!("{name}: {what}"))?.values;
        let wanted: HashSet<&str> = places.into_iter().map(|place| names[place]).collect();
        let mut chosen = table.clone();
        if !wanted.is_empty() {
            chosen = only_columns(chosen, |name| wanted.contains(name))?;
        }
        Ok(Self { tables: vec![ProfiledTable::saved(name, chosen)] })
    }

    /// Returns the name of the first table.
    pub fn name(&self) -> String {
        self.tables.first().map_or_else(String::new, |table| table.name.clone())
    }

    /// Returns the only table, to be saved, compared or checked.
    ///
    /// # Errors
    /// If there are several tables.
    pub fn only_table(&self) -> Result<&TableProfile> {
        match &self.tables[..] {
            [table] => Ok(&table.profile),
            tables => {
                bail!("this takes one table, but the files have {}; take them one by one", tables.len())
            }
        }
    }

    /// Returns the report on the tables. Warnings about times in the future need the present time in seconds since
    /// 1970.
    ///
    /// # Errors
    /// If columns cannot be compared.
    pub fn report(&self, parts: &Parts, now: Option<f64>) -> Result<ProfileReport> {
        ProfileReport::new(&self.tables, parts, now)
    }

    /// Returns the changes since `old`, as `wanted` selects them.
    ///
    /// # Errors
    /// If there are several tables, if neither table has a column to ignore, or if the tables cannot be compared.
    pub fn drift_since(&self, mut old: TableProfile, wanted: &Comparison) -> Result<DriftReport> {
        let mut new = self.only_table()?.clone();
        if wanted.is_chosen {
            old = only_columns(old, |name| new.column(name).is_some())?;
        }
        for name in &wanted.ignored {
            if old.column(name).is_none() && new.column(name).is_none() {
                bail!("--ignore {name}: neither table has such a column");
            }
        }
        let is_wanted = |name: &str| !wanted.ignored.iter().any(|ignored| ignored == name);
        (old, new) = (only_columns(old, is_wanted)?, only_columns(new, is_wanted)?);
        DriftReport::new(&old, &new, wanted.at_least)
    }
}

/// The selection of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// Whether the user chose columns. Then other columns of the old table do not count as removed.
    pub is_chosen: bool,
    /// Columns of either table that do not count.
    pub ignored: Vec<String>,
    /// The smallest effect that counts.
    pub at_least: f64,
}

/// Returns the columns of a table whose names are wanted.
///
/// # Errors
/// Never; the columns come from one table.
pub fn only_columns(table: TableProfile, wanted: impl Fn(&str) -> bool) -> Result<TableProfile> {
    let (params, spec, rows) = (table.params(), *table.hash_spec(), table.rows());
    let mut columns = table.into_columns();
    columns.retain(|(name, _)| wanted(name));
    Ok(TableProfile::from_columns(params, spec, rows, columns)?)
}

/// Returns a note if the input seems to be a table of another format, or with another delimiter.
fn other_format(table: &Table<TrackedColumn>) -> Option<String> {
    let [column] = &table.columns[..] else { return None };
    if table.is_lines {
        let summary = column.states.first()?.profile.summary();
        let sample = summary.sample();
        let all = |is: &dyn Fn(&[u8]) -> bool| !sample.is_empty() && sample.iter().all(|line| is(line));
        let format = if all(&|line| line.starts_with(b"{")) {
            "jsonl"
        } else if all(&|line| line.contains(&b'\t')) {
            "tsv"
        } else if all(&|line| line.contains(&b',')) {
            "csv"
        } else {
            return None;
        };
        return Some(format!("each line was read as one value; --format {format} reads a table"));
    }
    let delimiter = [';', '\t', '|'].into_iter().find(|&delimiter| column.name.contains(delimiter))?;
    Some(format!("there is only one column; --delimiter '{}' may find more", delimiter.escape_default()))
}
