//! `crivo count`: how often?

mod counting;

use crate::args::{
    HashArgs, ItemArgs, StreamArgs, ValueArgs, What, When, parse_share, parse_size, parse_when,
};
use crate::cmd::by::{AllOrGroups, read_groups};
use crate::cmd::foreign;
use crate::cmd::frequencies::{Frequencies, Frequency, FrequencyKind, FrequencySize};
use crate::cmd::sketch_file::check_takes_texts;
use crate::cmd::steps::read;
use crate::input::{Columns, Input, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use counting::{Counting, Keys};
use crivo_report::{Align, Bar, Page, Records, Report, Table, Text, count, plural, shown};
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Count how often given keys occur
///
/// Named keys are counted exactly while the input is read. A sketch answers for keys that are named later: --save
/// writes one, and --from answers from it, with the interval that the counters of the whole sketch allow, or from a
/// filter of 'crivo filter build --kind spectral'. A Count-Min sketch also gives an upper bound that a count never exceeds.
///
/// A negative weight removes occurrences, in any order; counts below zero are possible. Named keys are exact here too. A
/// sketch of such a stream needs --kind signed-count-min or --kind count-sketch, since the counters of a count-min only
/// grow.
///
/// The arguments are keys to look up in standard input or in a saved sketch. If keys are given with --key or --keys, or
/// if a sketch is only saved, the arguments are files to read.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  cut -d' ' -f1 access.log | crivo count 10.0.0.1 10.0.0.2
  crivo count visits.csv --column page --key /home --key /about
  crivo count visits.csv --column page --save pages.crv
  crivo count --from pages.crv /home
  crivo count --from pages.crv --keys wanted.txt
  crivo count --from spark.cms --numbers 17    # a Count-Min sketch of Spark, of whole numbers
  crivo count sales.csv --column product --weight units --key tea
  crivo count moves.csv --column item --weight delta --kind signed-count-min --save stock.crv
  tail -f access.log | crivo count --key 'GET /admin' --when 'count>1000'")]
pub(crate) struct Count {
    /// Keys to look up; or files to read if keys are given with --key or --keys
    #[arg(value_name = "KEY|FILE")]
    words: Vec<OsString>,

    /// A key to look up; may be repeated
    #[arg(long = "key", short, value_name = "KEY")]
    keys: Vec<OsString>,

    /// A file of keys to look up, one per line, plain, gzip or zstd
    #[arg(long = "keys", value_name = "FILE")]
    keys_file: Option<PathBuf>,

    /// Weight each record by this column, a whole number, which may be negative; records without a weight are left out
    /// and reported
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    #[command(flatten)]
    values: ValueArgs,

    /// The kind of sketch to save
    #[arg(long, value_enum, default_value_t = FrequencyKind::CountMin, conflicts_with = "from", requires = "save",
          help_heading = SKETCH)]
    kind: FrequencyKind,

    /// Maximum overestimate of the sketch, as a share of all items [default: 0.0001]
    ///
    /// For a signed-count-min: the maximum error, as a share of all items and removals. For a count-sketch: the maximum
    /// error, as a share of the root of the sum of the squares of all counts.
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with_all = ["memory", "from"],
          requires = "save", help_heading = SKETCH)]
    error: Option<f64>,

    /// Probability of exceeding --error
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.01, value_parser = parse_share, conflicts_with = "from",
          requires = "save", help_heading = SKETCH)]
    delta: f64,

    /// Use this much memory for the sketch instead of deriving it from --error; a count-sketch uses 4 MiB by default
    #[arg(long, value_name = "SIZE", value_parser = parse_size, conflicts_with = "from", requires = "save",
          help_heading = SKETCH)]
    memory: Option<u64>,

    /// Raise only the smallest counters of an item: closer answers, but merging sketches loses part of the gain
    #[arg(long, conflicts_with = "from", requires = "save", help_heading = SKETCH)]
    conservative: bool,

    /// Report when the count of a key passes a limit: 'count>1000'
    ///
    /// The report is exact and names the record; each key is reported once.
    #[arg(long, value_name = "CONDITION", value_parser = parse_when, conflicts_with_all = ["from", "by"],
          help_heading = "Time")]
    when: Option<When>,

    #[command(flatten)]
    stream: StreamArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    items_are: ItemArgs,
}

/// The heading of the flags that concern only the sketch.
const SKETCH: &str = "Saved sketches";

impl Verb for Count {
    type Report = AllOrGroups<Counts>;

    fn manner(&self) -> Manner {
        self.stream.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Self::Report> {
        if let Some(when) = &self.when {
            when.check_is(What::Count, "'count>1000'")?;
        }
        let (keys, files) = self.keys_and_files(session)?;
        let target = self.stream.save.target(session)?;
        if let Some(counts) = self.foreign(&keys, &files, session)? {
            return Ok(AllOrGroups::All(counts));
        }
        let (sketch, input) = self.sketch_and_input(&files, target.is_some(), session)?;
        let spec = sketch.as_ref().map_or_else(|| self.hash.spec(session), |sketch| Ok(sketch.spec()))?;
        let is_new = !self.stream.starts_from_saved();
        let bytes: usize = keys.iter().map(|key| size_of::<Vec<u8>>() + key.len()).sum();
        self.stream.limit.check_items(bytes, "--keys")?;
        let keys = Keys::new(keys, spec, is_new);
        let (every, by, limit, when) = (self.stream.every, self.stream.by, self.stream.limit, self.when);
        let wants = Wants::hashes(keys.spec).and_values();
        let input = match input {
            Some(input) if by.by.is_some() => {
                let make = || {
                    let keys = keys.clone();
                    Ok(Counting { keys, sketch: None, items: 0, added: 0, removed: 0, when: None, session })
                };
                return read_groups(input, wants, &by, limit, make).map(AllOrGroups::Groups);
            }
            input => input,
        };
        let mut stream = Counting { keys, sketch, items: 0, added: 0, removed: 0, when, session };
        let totals = read(input, wants, every, &mut stream, session)?;
        let bytes = || stream.sketch.as_ref().map(|table| table.sketch().to_bytes()).unwrap_or_default();
        let saved = session.save(target.as_ref(), bytes);
        Ok(AllOrGroups::All(Counts { saved, ..stream.counts(totals.missing) }))
    }
}

/// How often each key occurs.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "count")]
pub(crate) struct Counts {
    #[serde(skip)]
    keys: Vec<(Vec<u8>, Frequency)>,
    /// The occurrences that were added.
    items: u64,
    /// The occurrences that were removed.
    #[serde(skip_serializing_if = "is_zero")]
    removed: u64,
    missing: u64,
    saved: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "frequency")]
struct KeyRecord<'a> {
    key: Text<'a>,
    frequency: Bar,
    /// Of a Count-Min sketch: what the count is never above.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<f64>,
}

impl Report for Counts {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        for (key, frequency) in &self.keys {
            let [value, bar] = frequency.cells(self.removed > 0);
            table.push([shown(key), value, bar]);
        }
        table.shorten(0, page.width());
        table.print(page);
        let removed = match self.removed {
            0 => String::new(),
            removed => format!(", {} removed", count(removed)),
        };
        let beside = match self.missing {
            0 => String::new(),
            missing => format!(", {} not counted", plural(missing, "missing value", "missing values")),
        };
        let beside = if page.is_quiet() { String::new() } else { beside };
        page.line(&format!("of {}{removed}{beside}", plural(self.items, "item", "items")));
    }

    fn records(&self, records: &mut Records) {
        for (key, frequency) in &self.keys {
            let Frequency { bar, most } = *frequency;
            records.row(&KeyRecord { key: Text::from(&key[..]), frequency: bar.into(), most });
        }
        records.total(self);
    }
}

impl Count {
    /// Returns the keys in the order given, and the files: the words are one or the other.
    fn keys_and_files(&self, session: &Session) -> Result<(Vec<Vec<u8>>, Vec<PathBuf>)> {
        let are_files = !self.keys.is_empty() || self.keys_file.is_some() || self.stream.save.is_given();
        let keys = if are_files { &self.keys } else { &self.words };
        let mut keys: Vec<Vec<u8>> = keys.iter().map(|key| key.as_encoded_bytes().to_vec()).collect();
        if let Some(path) = &self.keys_file {
            keys.extend(session.read_lines(path, self.stream.limit.max_memory)?);
        }
        if are_files {
            return Ok((keys, self.words.iter().map(PathBuf::from).collect()));
        }
        if let Some(word) = self.words.iter().find(|word| Path::new(word).is_file()) {
            let word = word.display();
            bail!(
                "'{word}' is a file; to count in it, give the keys with --key: crivo count {word} --key KEY, and if it is a key to look up, use --key '{word}'"
            );
        }
        if keys.is_empty() {
            bail!(
                "no keys to look up; name them, or give --key KEY, --keys FILE, or --save FILE.crv for later"
            );
        }
        Ok((keys, Vec::new()))
    }

    /// What a saved sketch of another library answers, if there is one.
    fn foreign(&self, keys: &[Vec<u8>], files: &[PathBuf], session: &Session) -> Result<Option<Counts>> {
        let of_input = self.values.is_given() || self.weight.is_some();
        let options = self.hash.decode_options(self.stream.limit, session)?;
        let sketch = match self.stream.saved(!files.is_empty(), of_input)? {
            Some(saved) => foreign::load_alone(saved, &options, session)?,
            None => None,
        };
        let Some((name, sketch)) = sketch else {
            self.items_are.check_unused()?;
            return Ok(None);
        };
        if self.stream.save.is_given() {
            bail!("{name}: 'crivo merge' copies a sketch of another library; leave out --save");
        }
        let frequency = |key: &Vec<u8>| {
            let bar = sketch.frequency(self.items_are.item(key)?).with_context(|| name.clone())?;
            Ok((key.clone(), Frequency { bar, most: None }))
        };
        let items = sketch.total().with_context(|| name.clone())?;
        let keys = keys.iter().map(frequency).collect::<Result<_>>()?;
        Ok(Some(Counts { keys, items, removed: 0, missing: 0, saved: None }))
    }

    /// A sketch, empty or from its file, and what is to be counted in it.
    fn sketch_and_input(
        &self,
        files: &[PathBuf],
        is_saved: bool,
        session: &Session,
    ) -> Result<(Option<Frequencies>, Option<Input>)> {
        let of_input = self.values.is_given() || self.weight.is_some();
        let sketch = match self.stream.saved(!files.is_empty(), of_input)? {
            None if is_saved => Some(self.empty(session)?),
            None => None,
            Some(saved) => {
                self.hash.check_beside_saved()?;
                let options = self.hash.decode_options(self.stream.limit, session)?;
                let sketch = Frequencies::load(saved.path, &options, session)?;
                check_takes_texts(saved.path, &sketch.spec())?;
                if !saved.goes_on {
                    return Ok((Some(sketch), None));
                }
                Some(sketch)
            }
        };
        let columns = Columns { changes: self.weight.as_deref(), ..self.stream.columns(None) };
        let input = self.values.open(files, columns, self.stream.limit, session)?;
        Ok((sketch, Some(input)))
    }

    fn empty(&self, session: &Session) -> Result<Frequencies> {
        let size = FrequencySize {
            error: self.error,
            delta: self.delta,
            memory: self.memory,
            conservative: self.conservative,
            weighted: self.weight.is_some(),
        };
        Frequencies::new(self.kind, size, self.hash.spec(session)?, |bytes| self.stream.limit.check(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    #[test]
    fn keys_are_counted_with_what_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("visits.csv");
        std::fs::write(&table, "user,page\na,/home\nb,/home\nc,\n").unwrap();
        let (report, recorded) =
            run::<Count>(&[table.to_str().unwrap(), "--column", "page", "--key", "/home", "--json"]).unwrap();
        let AllOrGroups::All(report) = report else { panic!("{report:?}") };
        assert_eq!((report.items, report.missing, report.saved.as_deref()), (2, 1, None));
        assert_eq!(report.keys[0].1.bar.value(), 2.0);
        recorded.session.finish(&report).unwrap();
        assert_eq!(recorded.printed().lines().count(), 2);
        assert!(recorded.remarks().is_empty());
    }
}
