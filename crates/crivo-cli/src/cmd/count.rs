//! `crivo count`: how often?

use super::frequencies::{Frequencies, FrequencyKind, FrequencySize};
use super::steps::{StepEnd, Stream, read};
use crate::args::{HashArgs, StreamArgs, ValueArgs, What, When, parse_share, parse_size, parse_when};
use crate::input::{Batch, Totals, Wants};
use crate::output::{Answer, AnyBar, Bar, Output, Text, count, estimate, plural, save_and_print, shown};
use crate::sources::read_lines;
use anyhow::{Result, bail};
use clap::Args;
use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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

impl Count {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if let Some(when) = &self.when {
            when.check_is(What::Count, "'count>1000'")?;
        }
        let (keys, files) = self.keys_and_files()?;
        let target = self.stream.save.target()?;
        let (sketch, totals) = self.sketch(&keys, &files)?;
        save_and_print(
            target.as_ref(),
            || sketch.to_bytes(),
            |output, saved| self.print(output, &keys, &sketch, totals.nulls, saved),
        )?;
        Ok(ExitCode::SUCCESS)
    }

    fn print(
        &self,
        output: &mut Output,
        keys: &[Vec<u8>],
        sketch: &Frequencies,
        nulls: u64,
        saved: Option<String>,
    ) -> Result<()> {
        let hashes: Vec<u64> = keys.iter().map(|key| sketch.spec().hash_bytes(key)).collect();
        for (key, frequency) in keys.iter().zip(sketch.frequencies(&hashes)) {
            if self.stream.json {
                output.json(&Answer::Frequency { key: Text::from(&key[..]), frequency: frequency.into() })?;
            } else {
                output.line(&format!("{}\t{}", shown(key), estimate(&frequency, "")))?;
            }
        }
        let items = sketch.total();
        if self.stream.json {
            return output.json(&Answer::Count { items, nulls, saved });
        }
        let empty = plural(nulls, "empty value", "empty values");
        let beside = if nulls > 0 && !self.quiet { format!(", {empty} not counted") } else { String::new() };
        output.line(&format!("of {}{beside}", plural(items, "item", "items")))
    }

    /// The keys in the order given, and the files: the words are the one or the other.
    fn keys_and_files(&self) -> Result<(Vec<Vec<u8>>, Vec<PathBuf>)> {
        let are_files = !self.keys.is_empty() || self.keys_file.is_some() || self.stream.save.is_given();
        let keys = if are_files { &self.keys } else { &self.words };
        let mut keys: Vec<Vec<u8>> = keys.iter().map(|key| key.as_encoded_bytes().to_vec()).collect();
        if let Some(path) = &self.keys_file {
            keys.extend(read_lines(path, self.stream.limit.max_memory)?);
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

    /// Read from its file, or made from the input.
    fn sketch(&self, keys: &[Vec<u8>], files: &[PathBuf]) -> Result<(Frequencies, Totals)> {
        let of_input = self.values.is_given() || self.weight.is_some();
        let sketch = match self.stream.saved(!files.is_empty(), of_input)? {
            None => self.empty()?,
            Some(saved) => {
                self.hash.check_beside_saved()?;
                let options = self.hash.decode_options(&self.stream.limit)?;
                let sketch = Frequencies::load(saved.path, &options)?;
                if !saved.goes_on {
                    return Ok((sketch, Totals::default()));
                }
                sketch
            }
        };
        let spec = sketch.spec();
        let columns = self.stream.columns(self.weight.as_deref());
        let mut input = self.values.open(files, columns, &self.stream.limit, self.quiet)?;
        let mut wants = Wants::hashes(spec);
        let watched = self.when.as_ref().map(|when| Watched::new(when, keys));
        if watched.is_some() {
            input.prints = true;
            wants = wants.and_values();
        }
        let mut stream = Counting { verb: self, keys, sketch, items: 0, watched };
        let totals = read(input, wants, self.stream.every, &mut stream)?;
        Ok((stream.sketch, totals))
    }

    fn empty(&self) -> Result<Frequencies> {
        let size = FrequencySize {
            error: self.error,
            delta: self.delta,
            memory: self.memory,
            conservative: self.conservative,
            weighted: self.weight.is_some(),
        };
        Frequencies::new(self.kind, size, self.hash.spec()?, |bytes| self.stream.limit.check(bytes))
    }
}

struct Counting<'a> {
    verb: &'a Count,
    keys: &'a [Vec<u8>],
    sketch: Frequencies,
    items: u64,
    watched: Option<Watched<'a>>,
}

impl Stream for Counting<'_> {
    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        if let Some(watched) = &mut self.watched {
            for place in items.clone() {
                let copies = batch.copies.get(place).copied().unwrap_or(1);
                let number = self.items + (place - items.start) as u64 + 1;
                watched.see(batch.values.get(place), copies, number, self.verb.stream.json)?;
            }
        }
        self.items += items.len() as u64;
        let copies = batch.copies.get(items.clone()).unwrap_or_default();
        self.sketch.add(&batch.hashes[items], copies)
    }

    fn answer(&mut self, step: StepEnd) -> Result<()> {
        let mut output = Output::step(self.verb.stream.json);
        step.print(&mut output, self.verb.stream.json)?;
        self.verb.print(&mut output, self.keys, &self.sketch, step.nulls, None)?;
        output.flush()
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
    fn see(&mut self, value: &[u8], copies: u64, number: u64, json: bool) -> Result<()> {
        let Some(seen) = self.counts.get_mut(value) else { return Ok(()) };
        *seen = seen.saturating_add(copies);
        let (total, exact) = (*seen, *seen as f64);
        if !self.when.holds(exact, exact) {
            return Ok(());
        }
        self.counts.remove(value);
        let mut output = Output::new();
        if json {
            output.json(&Answer::Alert {
                when: &self.when.text,
                items: number,
                item: Some(Text::from(value)),
                estimate: AnyBar::Number(Bar::exact(exact)),
            })?;
        } else {
            let (when, item) = (&self.when.text, shown(value));
            output.line(&format!("{when}: item {}: {item}\t{}  (exact)", count(number), count(total)))?;
        }
        output.flush()
    }
}
