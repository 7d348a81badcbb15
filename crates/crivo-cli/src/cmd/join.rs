//! `crivo join`: how many pairs?

use super::few::{Counted, Few};
use super::frequencies::{Frequencies, FrequencyKind, FrequencySize};
use super::sketch_file::is_sketch;
use crate::args::{AnswerArgs, FormatArgs, HashArgs, LimitArgs, parse_size};
use crate::input::{Columns, Input, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::{DEFAULT_CONFIDENCE, Estimate};
use crivo_report::{Bar, Page, Records, Report, count, estimate, named, plural, shown};
use serde::{Serialize, Serializer};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Estimate the size of a join: the number of pairs of records with equal keys
///
/// Each record of A pairs with each record of B that has the same key. The answer is exact if A has up to 8,192
/// distinct keys. Otherwise it comes from a Count-Sketch and a Count-Min sketch of each side, whose intervals are
/// combined.
///
/// There is no --by, because a group belongs to one input and a pair to both. Join the part of an input that you want.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo join flights.csv planes.csv --on tailnum
  crivo join visits.csv users.jsonl --on user=id
  crivo count visits.csv --column user --kind count-sketch --save visits.crv
  crivo join visits.crv users.jsonl --on id    # a saved sketch on either side")]
pub(crate) struct Join {
    /// First input: data, or a sketch saved by 'crivo count'
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Second input
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Column of the keys, or NAME=NAME if the names differ; by default the whole record is the key
    #[arg(long, value_name = "COLUMN")]
    on: Option<String>,

    /// Use only this kind of sketch; both inputs must be data
    #[arg(long, value_enum)]
    kind: Option<FrequencyKind>,

    /// Use this much memory for the sketches of each side
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4MiB")]
    memory: u64,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// One of the two inputs.
pub(crate) struct Side {
    path: PathBuf,
    /// Saved, or empty.
    sketches: Vec<Frequencies>,
    /// What goes into empty ones.
    input: Option<Input>,
    rows: u64,
    /// How many keys were empty.
    missing: u64,
    /// How often each key came, while few differ; none of a saved sketch.
    few: Option<Few<Counted>>,
    /// Pairs with the side before, if that had few keys.
    pairs: Option<u128>,
}

impl Side {
    /// Adds all records to the sketches, and compares them with the keys of another side.
    fn read(mut self, other: Option<&Self>) -> Result<Self> {
        let Some(input) = self.input.take() else { return Ok(self) };
        let other = other.and_then(|other| other.few.as_ref());
        self.pairs = other.map(|_| 0);
        let totals = input.read(Wants::hashes(self.sketches[0].spec()), |batch| {
            self.take(batch.hashes, other)?;
            Ok(ControlFlow::Continue(()))
        })?;
        (self.rows, self.missing) = (totals.items, totals.missing);
        Ok(self)
    }

    fn take(&mut self, hashes: &[u64], other: Option<&Few<Counted>>) -> Result<()> {
        if let (Some(pairs), Some(other)) = (&mut self.pairs, other) {
            let seen = hashes.iter().filter_map(|&hash| other.get(&Counted { hash, seen: 0 }));
            *pairs += seen.map(|key| u128::from(key.seen)).sum::<u128>();
        }
        if let Some(few) = &mut self.few {
            let mut count = |&hash: &u64| few.insert(Counted { hash, seen: 0 }).map(|key| key.seen += 1);
            if !hashes.iter().all(|hash| count(hash).is_some()) {
                self.few = None;
            }
        }
        self.sketches.iter_mut().try_for_each(|sketch| sketch.add(hashes, &[]))
    }
}

/// How many pairs of records with one key there are.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "join")]
pub(crate) struct Joined {
    /// The sketch that answers, if it is one.
    kind: Option<&'static str>,
    #[serde(serialize_with = "as_count")]
    pairs: Estimate,
    swamped: bool,
    rows_a: u64,
    rows_b: u64,
    missing_a: u64,
    missing_b: u64,
    #[serde(skip)]
    paths: [PathBuf; 2],
}

fn as_count<S: Serializer>(pairs: &Estimate, serializer: S) -> Result<S::Ok, S::Error> {
    Bar::from(*pairs).not_negative().serialize(serializer)
}

impl Joined {
    fn new(kind: Option<&'static str>, pairs: Estimate, [a, b]: [Side; 2]) -> Self {
        Self {
            kind,
            pairs,
            swamped: pairs.is_swamped(),
            rows_a: a.rows,
            rows_b: b.rows,
            missing_a: a.missing,
            missing_b: b.missing,
            paths: [a.path, b.path],
        }
    }
}

impl Report for Joined {
    fn text(&self, page: &mut Page) {
        let [rows_a, rows_b] = [self.rows_a, self.rows_b].map(|rows| plural(rows, "record", "records"));
        page.line(&estimate(&self.pairs, "pairs"));
        page.line(&format!("of {rows_a} and {rows_b}"));
        for (path, missing) in self.paths.iter().zip([self.missing_a, self.missing_b]) {
            if missing > 0 {
                let empty = plural(missing, "missing key", "missing keys");
                page.note(&format!("{empty} of {} left out", named(path)));
            }
        }
        if self.swamped {
            page.line("the error is as large as the value; a larger --memory reduces it");
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

impl Verb for Join {
    type Report = Joined;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Joined> {
        let (on_a, on_b) = self.on.as_deref().map(|on| on.split_once('=').unwrap_or((on, on))).unzip();
        let saved_a = self.saved(&self.a, session)?;
        let saved_b = self.saved(&self.b, session)?;
        let empty = match saved_a.as_ref().or(saved_b.as_ref()) {
            Some(saved) => vec![saved.empty_twin()],
            None => self.empty(session)?,
        };
        let side = |path: &PathBuf, on: Option<&str>, saved: Option<Frequencies>| -> Result<Side> {
            let path = path.clone();
            let Some(sketch) = saved else {
                let columns = Columns { values: on.into_iter().collect(), ..Columns::default() };
                let file = std::slice::from_ref(&path);
                let input = self.format.open(file, columns, "--on", self.limit, session)?;
                let sketches = empty.iter().map(Frequencies::empty_twin).collect();
                let few = Some(Few::default());
                return Ok(Side {
                    path,
                    sketches,
                    input: Some(input),
                    rows: 0,
                    missing: 0,
                    few,
                    pairs: None,
                });
            };
            let [added, removed] = sketch.added_and_removed();
            let Some(rows) = added.checked_sub(removed) else {
                bail!(
                    "{}: {} occurrences were removed and only {} were added, so these are no rows to join",
                    path.display(),
                    count(removed),
                    count(added)
                );
            };
            Ok(Side { path, sketches: vec![sketch], input: None, rows, missing: 0, few: None, pairs: None })
        };
        let mut sides = [side(&self.a, on_a, saved_a)?, side(&self.b, on_b, saved_b)?];
        if self.on.is_none() {
            self.check_records(&mut sides, session)?;
        }
        let [a, b] = sides;
        let a = a.read(None)?;
        let b = b.read(Some(&a))?;
        if let Some(pairs) = b.pairs {
            return Ok(Joined::new(None, Estimate::exact(pairs as f64), [a, b]));
        }
        // The probability that any of the intervals fails is shared between them.
        let confidence = 1.0 - (1.0 - DEFAULT_CONFIDENCE) / a.sketches.len() as f64;
        let both = a.sketches.iter().zip(&b.sketches);
        let bars = both.map(|(a, b)| a.inner_product(b, confidence)).collect::<Result<Vec<_>>>();
        let bars =
            bars.with_context(|| format!("{} and {} cannot be joined", a.path.display(), b.path.display()))?;
        let kind = if let [sketch] = &a.sketches[..] { Some(sketch.sketch().kind().name()) } else { None };
        let pairs = bars.into_iter().reduce(Estimate::and).context("there is a sketch of each side")?;
        Ok(Joined::new(kind, pairs, [a, b]))
    }
}

impl Join {
    /// Refuses to compare whole records of tables with different columns, which are hardly ever equal, and names the columns
    /// that both tables have.
    fn check_records(&self, sides: &mut [Side; 2], session: &Session) -> Result<()> {
        let mut header = |side: usize| -> Result<Option<Vec<Vec<u8>>>> {
            let source = sides[side].input.as_mut().and_then(|input| input.sources.first_mut());
            let header = source.map(|source| source.header(self.limit.max_memory, &session.watch()));
            Ok(header.transpose()?.flatten())
        };
        let (Some(a), Some(b)) = (header(0)?, header(1)?) else { return Ok(()) };
        if a == b {
            return Ok(());
        }
        let common: Vec<&Vec<u8>> = a.iter().filter(|name| b.contains(name)).collect();
        let [a, b] = [&self.a, &self.b].map(|path| named(path));
        if common.is_empty() {
            bail!("{a} and {b} have no column in common; say which to compare, such as --on NAME=NAME");
        }
        let names: Vec<String> = common.iter().map(|name| shown(name)).collect();
        bail!("the columns of {a} and {b} differ; join them --on one that both have: {}", names.join(", "));
    }

    /// The sketch in `path`, if it is one.
    fn saved(&self, path: &Path, session: &Session) -> Result<Option<Frequencies>> {
        if !is_sketch(path, session)? {
            return Ok(None);
        }
        Frequencies::load(path, &self.hash.decode_options(self.limit, session)?, session).map(Some)
    }

    fn empty(&self, session: &Session) -> Result<Vec<Frequencies>> {
        let kinds = match self.kind {
            Some(kind) => vec![kind],
            None => vec![FrequencyKind::CountSketch, FrequencyKind::CountMin],
        };
        let memory = self.memory / kinds.len() as u64;
        let size = FrequencySize {
            error: None,
            delta: 0.01,
            memory: Some(memory),
            conservative: false,
            weighted: false,
        };
        let spec = self.hash.spec(session)?;
        self.limit.check(2 * self.memory)?;
        kinds.into_iter().map(|kind| Frequencies::new(kind, size, spec, |_| Ok(()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Folder, printed};

    /// Key i comes `i % 7` times on the left and `i % 5` times on the right.
    fn tables(folder: &Folder, keys: usize) -> (String, String, f64) {
        let (mut left, mut right, mut pairs) = ("id,x\n".to_owned(), "x,key\n".to_owned(), 0);
        for key in 0..keys {
            left += &format!("k{key},0\n").repeat(key % 7);
            right += &format!("0,k{key}\n").repeat(key % 5);
            pairs += (key % 7) * (key % 5);
        }
        left += ",0\n";
        (folder.write("left.csv", left), folder.write("right.csv", right), pairs as f64)
    }

    #[test]
    fn columns_in_common_are_told() {
        let folder = Folder::with(&[
            ("a.csv", "year,tailnum,dest\n2013,N1,ORD\n"),
            ("b.csv", "tailnum,year,seats\nN1,2004,100\n"),
            ("c.csv", "x,y\n1,2\n"),
            ("d.csv", "x,y\n1,2\n3,4\n"),
        ]);
        let error = folder.error::<Join>("@a.csv @b.csv");
        assert!(error.ends_with("--on one that both have: year, tailnum"), "{error}");
        assert!(folder.error::<Join>("@a.csv @c.csv").contains("no column in common"));
        assert!(folder.printed::<Join>("@c.csv @d.csv").starts_with("1 pair"), "whole records");
    }

    #[test]
    fn the_size_of_a_join() {
        let folder = Folder::new();
        let (left, right, truth) = tables(&folder, 12_000);
        for (kind, flags) in [
            (Some("count-sketch"), ["--kind", "count-sketch"]),
            (Some("count-min"), ["--kind", "count-min"]),
            (None, ["--memory", "4MiB"]),
        ] {
            let words = [&left, &right, "--on", "id=key", flags[0], flags[1], "--json"];
            let (joined, json) = printed::<Join>(&words);
            let pairs = joined.pairs;
            assert!(pairs.lower() <= truth && truth <= pairs.upper(), "{pairs:?} {truth}");
            assert!((pairs.value() - truth).abs() < 0.1 * truth && !pairs.is_swamped(), "{pairs:?} {truth}");
            assert_eq!(joined.kind, kind);
            let kind = kind.map_or("null".into(), |kind| format!("\"{kind}\""));
            assert!(json.starts_with(&format!(r#"{{"type":"join","kind":{kind},"pairs":{{"#)), "{json}");
            let ends = r#""swamped":false,"rows_a":35995,"rows_b":24000,"missing_a":1,"missing_b":0}"#;
            assert!(json.trim_end().ends_with(ends), "{json}");
        }
        let text = printed::<Join>(&[&left, &right, "--on", "id=key"]).1;
        let [pairs, rows, empty] = text.lines().collect::<Vec<_>>().try_into().unwrap();
        assert!(pairs.contains(" pairs  (95 %: "), "{pairs}");
        assert_eq!(rows, "of 35,995 records and 24,000 records");
        assert_eq!(empty, format!("1 missing key of {left} left out"));
        let quiet = printed::<Join>(&[&left, &right, "--on", "id=key", "-q"]).1;
        assert_eq!(quiet.lines().count(), 2);
    }

    /// However many the right side has.
    #[test]
    fn few_keys_on_the_left_are_joined_exactly() {
        for (left_keys, is_exact) in [(8190, true), (9600, false)] {
            let (one, other) = (Folder::new(), Folder::new());
            // A key of seven does not come at all.
            let (left, _, _) = tables(&one, left_keys * 7 / 6);
            let (_, right, _) = tables(&other, 30_000);
            let truth: usize = (0..left_keys * 7 / 6).map(|key| (key % 7) * (key % 5)).sum();
            let (Joined { pairs, .. }, _) = printed::<Join>(&[&left, &right, "--on", "id=key"]);
            assert!(pairs.contains(truth as f64), "{pairs:?} {truth}");
            assert_eq!(pairs == Estimate::exact(truth as f64), is_exact, "{left_keys}: {pairs:?} {truth}");
        }
    }
}
