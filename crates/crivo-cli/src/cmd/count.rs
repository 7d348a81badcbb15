//! `crivo count`: how often?

use super::frequencies::{Frequencies, FrequencyKind, FrequencySize};
use super::steps::{Alert, StepEnd, Stepped, Stream, read};
use crate::args::{HashArgs, Step, StreamArgs, ValueArgs, What, When, parse_share, parse_size, parse_when};
use crate::input::{Batch, Input, Totals, Wants};
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::Estimate;
use crivo_report::{AnyBar, Bar, Page, Records, Report, Text, count, estimate, plural, shown};
use serde::Serialize;
use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How often given keys occur
///
/// Counts with Count-Min: an answer is never below the truth, and above it by at most a small share of all
/// items, with the probability shown.
///
/// The arguments are keys to look for in standard input or in a saved sketch. Where keys are given with --key or
/// --keys, and where a sketch is only saved, they are files to read.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  cut -d' ' -f1 access.log | crivo count 10.0.0.1 10.0.0.2
  crivo count visits.csv --column page --key /home --key /about
  crivo count visits.csv --column page --save pages.crv
  crivo count --from pages.crv /home
  crivo count --from pages.crv --keys wanted.txt
  crivo count sales.csv --column product --weight units --key tea
  tail -f access.log | crivo count --key 'GET /admin' --when 'count>1000'")]
pub(crate) struct Count {
    /// Keys to look up; or files to read, where the keys are given with --key or --keys
    #[arg(value_name = "KEY|FILE")]
    words: Vec<OsString>,

    /// A key to look up; may be given many times
    #[arg(long = "key", short, value_name = "KEY")]
    keys: Vec<OsString>,

    /// A file of keys to look up, one a line, gzip and zstd too
    #[arg(long = "keys", value_name = "FILE")]
    keys_file: Option<PathBuf>,

    /// Each record counts as often as this column says, a whole number; one without it is left out and reported
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    #[command(flatten)]
    values: ValueArgs,

    /// Which table of counters
    #[arg(long, value_enum, default_value_t = FrequencyKind::CountMin, conflicts_with = "from")]
    kind: FrequencyKind,

    /// An answer exceeds the truth by at most this share of all items, 0.0001 unless told …
    ///
    /// With a count-sketch: it is off by at most this share of the root of the sum of the squares of all counts.
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with_all = ["memory", "from"])]
    error: Option<f64>,

    /// … but for this probability
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.01, value_parser = parse_share, conflicts_with = "from")]
    delta: f64,

    /// Use this much memory instead of deriving it from --error; a count-sketch takes 4 MiB unless told
    #[arg(long, value_name = "SIZE", value_parser = parse_size, conflicts_with = "from")]
    memory: Option<u64>,

    /// Raise only the counters that must rise: closer answers, but merged sketches lose some of it
    #[arg(long, conflicts_with = "from")]
    conservative: bool,

    /// Say so when the count of a key passes a limit: 'count>1000'
    ///
    /// The keys are counted one by one for it, so that what is said is certain, at the very record; each key is told
    /// once.
    #[arg(long, value_name = "CONDITION", value_parser = parse_when, conflicts_with = "from", help_heading = "Time")]
    when: Option<When>,

    #[command(flatten)]
    stream: StreamArgs,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    hash: HashArgs,
}

pub(crate) struct Plan {
    keys: Vec<Vec<u8>>,
    target: Option<Target>,
    sketch: Frequencies,
    /// Nothing where the saved sketch alone is asked.
    input: Option<Input>,
    every: Option<Step>,
    when: Option<When>,
}

impl Verb for Count {
    type Plan = Plan;
    type Report = Counts;

    fn manner(&self) -> Manner {
        self.stream.form.manner(self.quiet)
    }

    fn plan(self, session: &Session) -> Result<Plan> {
        if let Some(when) = &self.when {
            when.check_is(What::Count, "'count>1000'")?;
        }
        let (keys, files) = self.keys_and_files(session)?;
        let target = self.stream.save.target(session)?;
        let (sketch, input) = self.sketch_and_input(&files, session)?;
        Ok(Plan { keys, target, sketch, input, every: self.stream.every, when: self.when })
    }

    fn run(plan: Plan, session: &Session) -> Result<Counts> {
        let Plan { keys, target, sketch, input, every, when } = plan;
        let watched = when.as_ref().map(|when| Watched::new(when, &keys));
        let mut stream = Counting { keys: &keys, sketch, items: 0, watched, session };
        let totals = match input {
            None => Totals::default(),
            Some(mut input) => {
                input.prints = when.is_some();
                let wants = Wants::hashes(stream.sketch.spec());
                let wants = if when.is_some() { wants.and_values() } else { wants };
                read(input, wants, every, &mut stream, session)?
            }
        };
        let saved = session.save(target.as_ref(), || stream.sketch.to_bytes());
        Ok(Counts { saved, ..stream.counts(totals.nulls) })
    }
}

/// How often each key occurs.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "count")]
pub(crate) struct Counts {
    #[serde(skip)]
    keys: Vec<(Vec<u8>, Estimate)>,
    items: u64,
    nulls: u64,
    saved: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "frequency")]
struct KeyRecord<'a> {
    key: Text<'a>,
    frequency: Bar,
}

impl Report for Counts {
    fn text(&self, page: &mut Page) {
        for (key, frequency) in &self.keys {
            page.line(&format!("{}\t{}", shown(key), estimate(frequency, "")));
        }
        let beside = match self.nulls {
            0 => String::new(),
            nulls => format!(", {} not counted", plural(nulls, "empty value", "empty values")),
        };
        let beside = if page.is_quiet() { String::new() } else { beside };
        page.line(&format!("of {}{beside}", plural(self.items, "item", "items")));
    }

    fn records(&self, records: &mut Records) {
        for (key, frequency) in &self.keys {
            records.row(&KeyRecord { key: Text::from(&key[..]), frequency: (*frequency).into() });
        }
        records.total(self);
    }
}

impl Count {
    /// The keys in the order given, and the files: the words are the one or the other.
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
                "'{word}' is a file; to count in it, give the keys with --key: crivo count {word} --key KEY, and if it \
                 is the key that you look for, say --key '{word}'"
            );
        }
        if keys.is_empty() {
            bail!(
                "no keys to look up; name them, or give --key KEY, --keys FILE, or --save FILE.crv for later"
            );
        }
        Ok((keys, Vec::new()))
    }

    /// A sketch, empty or from its file, and what is to be counted in it.
    fn sketch_and_input(&self, files: &[PathBuf], session: &Session) -> Result<(Frequencies, Option<Input>)> {
        let of_input = self.values.is_given() || self.weight.is_some();
        let sketch = match self.stream.saved(!files.is_empty(), of_input)? {
            None => self.empty(session)?,
            Some(saved) => {
                self.hash.check_beside_saved()?;
                let options = self.hash.decode_options(self.stream.limit, session)?;
                let sketch = Frequencies::load(saved.path, &options, session)?;
                if !saved.goes_on {
                    return Ok((sketch, None));
                }
                sketch
            }
        };
        let columns = self.stream.columns(self.weight.as_deref());
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

struct Counting<'a> {
    keys: &'a [Vec<u8>],
    sketch: Frequencies,
    items: u64,
    watched: Option<Watched<'a>>,
    session: &'a Session,
}

impl Counting<'_> {
    fn counts(&self, nulls: u64) -> Counts {
        let hashes: Vec<u64> = self.keys.iter().map(|key| self.sketch.spec().hash_bytes(key)).collect();
        let frequencies = self.sketch.frequencies(&hashes);
        let keys = self.keys.iter().cloned().zip(frequencies).collect();
        Counts { keys, items: self.sketch.total(), nulls, saved: None }
    }
}

impl Stream for Counting<'_> {
    type Answer = Stepped<Counts>;

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        if let Some(watched) = &mut self.watched {
            for place in items.clone() {
                let copies = batch.copies.get(place).copied().unwrap_or(1);
                let number = self.items + (place - items.start) as u64 + 1;
                watched.see(batch.values.get(place), copies, number, self.session)?;
            }
        }
        self.items += items.len() as u64;
        let copies = batch.copies.get(items.clone()).unwrap_or_default();
        self.sketch.add(&batch.hashes[items], copies)
    }

    fn answer(&mut self, step: StepEnd) -> Result<Stepped<Counts>> {
        Ok(Stepped { step, answer: self.counts(step.nulls) })
    }
}

/// The keys that `--when` is about, counted exactly until they are told.
struct Watched<'a> {
    when: &'a When,
    counts: HashMap<&'a [u8], u64>,
}

impl<'a> Watched<'a> {
    fn new(when: &'a When, keys: &'a [Vec<u8>]) -> Self {
        Self { when, counts: keys.iter().map(|key| (&key[..], 0)).collect() }
    }

    /// `value` is the item of this number in the stream.
    fn see(&mut self, value: &[u8], copies: u64, number: u64, session: &Session) -> Result<()> {
        let Some(seen) = self.counts.get_mut(value) else { return Ok(()) };
        *seen = seen.saturating_add(copies);
        let (total, exact) = (*seen, *seen as f64);
        if !self.when.holds(exact, exact) {
            return Ok(());
        }
        self.counts.remove(value);
        session.show(&Alert {
            when: &self.when.text,
            items: number,
            item: Some(Text::from(value)),
            estimate: AnyBar::Number(Bar::exact(exact)),
            words: format!("item {}: {}\t{}  (exact)", count(number), shown(value), count(total)),
        })?;
        session.flush()
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
        assert_eq!((report.items, report.nulls, report.saved.as_deref()), (2, 1, None));
        assert_eq!(report.keys[0].1.value(), 2.0);
        recorded.session.finish(&report).unwrap();
        assert_eq!(recorded.printed().lines().count(), 2);
        assert!(recorded.remarks().is_empty());
    }
}
