//! `crivo tally`: how many records are so, of each key?

mod counters;
mod tallying;

use super::by::{AllOrGroups, read_groups};
use super::steps::read;
use crate::args::{InputArgs, StreamArgs, Where, decode_options, parse_count, parse_seed, parse_where};
use crate::input::{Columns, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use counters::{CounterLaw, CounterSize, Counters};
use crivo::Estimate;
use crivo_report::{
    Align, Bar, Page, Records, Report, Table, Text, as_bar_or_null, count, estimate_cells, percent, plural,
    shown,
};
use serde::Serialize;
use std::collections::HashMap;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use tallying::{Keys, Tallying};

/// Count the records that satisfy a condition, in total and by key
///
/// Without --where, all records count. With --column, the records of each value of the column are counted: all values
/// while there are at most 8,192 distinct ones, and the values of --key and --keys whatever their number. These counts are
/// exact. --save writes many counters of a few bits, one for the hash of each key, from which --from answers for keys that
/// are named later, with an interval. Several keys may share a counter; the interval allows for that.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo tally access.log --format clf --where 'status>=500'
  crivo tally flights.csv --where 'dep_delay>60' --column carrier
  crivo tally flights.csv --column tailnum --key N725MQ
  crivo tally visits.csv --column user --where 'page=/login' --save logins.crv --bits 8
  crivo tally --from logins.crv --key ann
'crivo top' lists the most frequent values of any number.")]
pub(crate) struct Tally {
    #[command(flatten)]
    input: InputArgs,

    /// Count only records that satisfy this condition: a column, one of = != < <= > >=, and a value
    ///
    /// Numbers and times are compared with a number or a time, other values as texts. A record with a missing value does
    /// not count, and neither does a text that is to be below or above a number; their number is reported.
    #[arg(long = "where", value_name = "CONDITION", value_parser = parse_where, help_heading = "Input")]
    condition: Option<Where>,

    /// A value of --column whose records are counted; may be repeated
    #[arg(long = "key", short, value_name = "KEY")]
    keys: Vec<OsString>,

    /// A file of such values, one per line, plain, gzip or zstd
    #[arg(long = "keys", value_name = "FILE")]
    keys_file: Option<PathBuf>,

    /// How the saved counters count
    #[arg(long, value_enum, default_value_t = CounterLaw::Morris, conflicts_with = "from", requires = "save",
          help_heading = SAVED)]
    kind: CounterLaw,

    /// Number of saved counters [default: 65536, or 1 without --column]
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "from", requires = "save",
          help_heading = SAVED)]
    counters: Option<u64>,

    /// Bits of each saved counter: up to 16 for morris, up to 32 for binomial
    #[arg(long, value_name = "N", default_value_t = 12, conflicts_with = "from", requires = "save", help_heading = SAVED)]
    bits: u32,

    /// The largest count that a saved counter must hold; the smaller it is, the smaller is the error
    #[arg(long, value_name = "N", value_parser = parse_count, default_value = "1e9", conflicts_with = "from",
          requires = "save", help_heading = SAVED)]
    largest: u64,

    /// Random seed of the saved counters [default: a new seed in each run]
    ///
    /// Counters merge only if their seeds differ.
    #[arg(long, value_name = "N", value_parser = parse_seed, conflicts_with = "from", requires = "save",
          help_heading = SAVED)]
    seed: Option<u64>,

    #[command(flatten)]
    stream: StreamArgs,
}

/// The heading of the flags that concern only the saved counters.
const SAVED: &str = "Saved counters";

impl Verb for Tally {
    type Report = AllOrGroups<Tallies>;

    fn manner(&self) -> Manner {
        self.stream.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Self::Report> {
        let limit = self.stream.limit;
        let named = self.named_keys(session)?;
        let target = self.stream.save.target(session)?;
        let of_input = self.input.is_described() || self.condition.is_some();
        let has_column = !self.input.takes_records();
        let (counters, goes_on, has_input) = match self.stream.saved(self.input.is_named(), of_input)? {
            None if target.is_some() => (Some(self.empty(has_column)?), false, true),
            None => (None, false, true),
            Some(saved) => {
                let counters = Counters::load(saved.path, &decode_options(None, limit), session)?;
                (Some(counters), true, saved.goes_on)
            }
        };
        let has_keys = counters.as_ref().is_some_and(|counters| goes_on && counters.len() > 1);
        if !named.is_empty() && !has_column && !has_keys {
            bail!("--key names a value of a column; say which column with --column");
        }
        if has_keys && named.is_empty() && !self.stream.save.is_given() {
            bail!("the counters do not keep their keys; name the keys to look up with --key or --keys");
        }
        if has_keys && has_input && !has_column {
            bail!("the counters go on with keys; name their column with --column");
        }
        let condition = self.condition.clone();
        let tested = condition.as_ref().map(|condition| &*condition.column);
        let columns = Columns { tested, ..self.stream.columns(None) };
        let input = has_input.then(|| self.input.open_beside(columns, limit, session)).transpose()?;
        let counts: HashMap<Box<[u8]>, u64> =
            named.iter().map(|key| (key.clone().into_boxed_slice(), 0)).collect();
        let key_bytes = named.iter().map(Vec::len).sum();
        let keys = match named {
            named if !named.is_empty() => Keys::Named(named.into()),
            _ if has_column && !goes_on => Keys::Every,
            _ => Keys::None,
        };
        let (records, counted, not_comparable) = (0, 0, 0);
        let mut stream = Tallying {
            keys,
            counts,
            key_bytes,
            counters,
            goes_on,
            condition,
            records,
            counted,
            not_comparable,
            limit,
        };
        let wants = if has_column { Wants::hashes(Counters::spec()).and_values() } else { Wants::default() };
        let (every, by) = (self.stream.every, self.stream.by);
        let input = match input {
            Some(input) if by.by.is_some() => {
                let make = || Ok(stream.clone());
                return read_groups(input, wants, &by, limit, make).map(AllOrGroups::Groups);
            }
            input => input,
        };
        let totals = read(input, wants, every, &mut stream, session)?;
        let bytes = || stream.counters.as_ref().map(|it| it.sketch().to_bytes()).unwrap_or_default();
        let saved = session.save(target.as_ref(), bytes);
        Ok(AllOrGroups::All(Tallies { saved, ..stream.tallies(totals.missing) }))
    }
}

impl Tally {
    /// The keys, in the order given, each once.
    fn named_keys(&self, session: &Session) -> Result<Vec<Vec<u8>>> {
        let mut keys: Vec<Vec<u8>> = self.keys.iter().map(|key| key.as_encoded_bytes().to_vec()).collect();
        if let Some(path) = &self.keys_file {
            keys.extend(session.read_lines(path, self.stream.limit.max_memory)?);
        }
        let bytes: usize = keys.iter().map(|key| size_of::<Vec<u8>>() + key.len()).sum();
        self.stream.limit.check_items(bytes, "--keys")?;
        Ok(keys)
    }

    fn empty(&self, has_column: bool) -> Result<Counters> {
        if !has_column && self.counters.is_some_and(|counters| counters > 1) {
            bail!("without --column all records have one counter; name a column, or leave out --counters");
        }
        let size = CounterSize {
            law: self.kind,
            counters: self.counters.unwrap_or(if has_column { 65_536 } else { 1 }),
            bits: self.bits,
            largest: self.largest,
            seed: self.seed.unwrap_or_else(|| RandomState::new().hash_one(0)),
        };
        Counters::new(size, |bytes| self.stream.limit.check(bytes))
    }
}

/// How many records count, in total and of each key.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "tally")]
pub(crate) struct Tallies {
    #[serde(skip)]
    keys: Vec<(Vec<u8>, Estimate)>,
    #[serde(skip)]
    has_keys: bool,
    /// Whether there are too many keys for a list of them.
    #[serde(skip)]
    has_many: bool,
    #[serde(rename = "where")]
    condition: Option<String>,
    /// What the values that the condition tests should be.
    #[serde(skip)]
    noun: &'static str,
    /// `None` if the counters of several keys were saved before.
    #[serde(serialize_with = "as_bar_or_null")]
    count: Option<Estimate>,
    /// Records that were read and have a value.
    records: u64,
    missing: u64,
    not_numbers: u64,
    /// The number of saved counters, and the bits of each.
    #[serde(skip)]
    counters: Option<(u64, u32)>,
    saved: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "frequency")]
struct KeyRecord<'a> {
    key: Text<'a>,
    frequency: Bar,
}

impl Report for Tallies {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        for (key, frequency) in &self.keys {
            let [value, bar] = estimate_cells(frequency);
            table.push([shown(key), value, bar]);
        }
        table.shorten(0, page.width());
        table.print(page);
        if let Some(counted) = &self.count {
            let [value, bar] = estimate_cells(counted);
            let condition = self.condition.as_ref().map(|text| format!(" with {text}")).unwrap_or_default();
            let noun = if counted.value() == 1.0 { "record" } else { "records" };
            // Counters that went on do not know how many records there were before.
            let share = if counted.is_exact() && self.records > 0 && self.condition.is_some() {
                format!(", {} of {}", percent(counted.value() / self.records as f64), count(self.records))
            } else {
                String::new()
            };
            page.line(&format!("{value} {noun}{condition}{share}  {bar}"));
        }
        if self.has_many {
            page.remark(
                "there are more than 8,192 distinct keys, so they are not listed; name keys with --key, or see: crivo top",
            );
        }
        if self.missing > 0 {
            page.note(&format!("{} left out", plural(self.missing, "missing value", "missing values")));
        }
        if self.not_numbers > 0 {
            let (one, many) =
                (format!("value that is not a {}", self.noun), format!("values that are not {}s", self.noun));
            page.note(&format!("{} left out", plural(self.not_numbers, &one, &many)));
        }
        if let (Some(saved), Some((counters, bits))) = (&self.saved, self.counters) {
            page.note(&format!("{saved}: {} of {bits} bits", plural(counters, "counter", "counters")));
        }
    }

    fn records(&self, records: &mut Records) {
        for (key, frequency) in &self.keys {
            records.row(&KeyRecord { key: Text::from(&key[..]), frequency: (*frequency).into() });
        }
        if self.has_keys {
            records.total(self);
        } else {
            records.row(self);
        }
    }
}

#[cfg(test)]
mod tests;
