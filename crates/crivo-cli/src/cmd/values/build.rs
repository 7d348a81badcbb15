//! `crivo values build`: a filter of keys and their values.

use super::built::{Built, Summary};
use super::kept::{Form, Kept};
use crate::args::{
    AnswerArgs, FormatArgs, FromArgs, HashArgs, LimitArgs, OutputArgs, parse_count, parse_share, parse_size,
};
use crate::input::{Columns, Input, Totals, Wants};
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::{ArgGroup, Args, ValueEnum};
use crivo::valued::{BloomierParams, LinearBloomParams, Scale};
use crivo::{BloomierFilter, Estimate, HashSpec};
use crivo_report::{count, size};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Build a filter of keys and their values
///
/// A key that occurs more than once keeps its largest value. Values are finite numbers; keys are texts. A record
/// without a key or a value is left out and reported.
///
/// --kind bloomier stores whole numbers from 0 to 2^53: the value of every key is exact, and a share --fpr of all other
/// keys gets a value. Such a filter is complete: no key is added later, and it does not merge.
///
/// Without --items, the hashes of all distinct keys are kept until their number is known, and the filter gets exactly
/// the size it needs. With --items, only the filter is kept.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("of_sketch").multiple(true).conflicts_with("from")
    .args(["kind", "distortion", "items", "memory", "bits", "range", "logarithmic", "fpr"]))]
#[command(after_help = "Examples:
  crivo values build offers.csv --key shop --value price -o best.crv
  crivo values build today.csv --key shop --value price --from best.crv -o best.crv --force
  crivo values build temperatures.csv -o hottest.crv --bits 8 --range -40..60
  crivo values build shards.csv --key user --value shard -o shards.crv --kind bloomier --fpr 0.001
  zcat *.csv.gz | crivo values build --format csv -o last-seen.crv --items 1e8 --distortion 0.05
'crivo merge' takes several together.")]
pub(crate) struct Build {
    /// Files to read, plain, gzip or zstd; standard input by default or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Column of the keys: a name, a number from 1, or a JSON path such as user.id
    #[arg(long, value_name = "COLUMN", default_value = "1", help_heading = "Input")]
    key: String,

    /// Column of the values
    #[arg(long, value_name = "COLUMN", default_value = "2", help_heading = "Input")]
    value: String,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    from: FromArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// The kind of filter
    #[arg(long, value_enum, default_value_t = ValuesKind::Linear)]
    kind: ValuesKind,

    /// Share of the keys outside a Bloomier filter that get a value [default: 0.01]
    #[arg(long, value_name = "RATE", value_parser = parse_share)]
    fpr: Option<f64>,

    /// Share of keys whose value is overestimated [default: 0.01]
    #[arg(long, value_name = "RATE", value_parser = parse_share, conflicts_with = "memory")]
    distortion: Option<f64>,

    /// Expected number of distinct keys, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: Option<u64>,

    /// Use this much memory instead of deriving it from --distortion
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,

    /// Store values in 8 or 16 bits, rounded up to a scale over --range
    #[arg(long, value_name = "8|16", value_parser = ["8", "16"], requires = "range")]
    bits: Option<String>,

    /// Smallest and largest value, such as 0..1000 or -40..60; other values are an error
    #[arg(long, value_name = "LOW..HIGH", value_parser = parse_range, requires = "bits", allow_hyphen_values = true)]
    range: Option<(f64, f64)>,

    /// Space the levels in equal ratios instead of equal distances: the rounding is then a share of the value
    #[arg(long, requires = "range")]
    logarithmic: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// Which filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ValuesKind {
    /// Any numbers; a share of the values is overestimated
    #[value(alias = "linear-bloom")]
    Linear,
    /// Whole numbers, each exact; complete when it is built
    #[value(alias = "bloomier-filter")]
    Bloomier,
}

/// `LOW..HIGH`
fn parse_range(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let ends = text.split_once("..").and_then(|(low, high)| Some((number(low)?, number(high)?)));
    ends.filter(|(low, high)| low < high).ok_or_else(|| "expected two numbers, for example 0..1000".into())
}

/// Without --distortion, and without --fpr.
const DEFAULT_RATE: f64 = 0.01;

impl Verb for Build {
    type Report = Built;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Built> {
        self.check_kind()?;
        let (form, keys) = (self.form()?, self.items);
        // A size that cannot be had is said before the first byte is read.
        self.params(form, keys.unwrap_or(1))?;
        let saved = self.saved(session)?;
        let target = self.output.target(session)?;
        let columns = Columns { values: vec![&*self.key], kept: Some(&*self.value), ..Columns::default() };
        let mut input = self.format.open(&self.files, columns, "--key", self.limit, session)?;
        input.needs_values = true;
        if self.kind == ValuesKind::Bloomier {
            return self.freeze(input, &target, session);
        }
        let begun = match (saved, keys) {
            (Some(saved), _) => Some(saved),
            (None, Some(keys)) => Some(Kept::new(self.params(form, keys)?, form, self.hash.spec(session)?)),
            (None, None) => None,
        };
        let (filter, totals, found) = match begun {
            Some(filter) => {
                let (filter, totals) = stream(input, filter)?;
                let found = filter.cardinality().value().round().max(1.0) as u64;
                (filter, totals, found)
            }
            None => self.collect(input, form, self.hash.spec(session)?)?,
        };
        let keys = keys.unwrap_or(found);
        let distortion = filter.params().distortion_at(keys);
        let (fpr, different) = (filter.fpr(), filter.cardinality());
        let summary = Summary { totals, distortion, fpr, keys, different };
        summary.write(filter.sketch(), &target, session)
    }
}

impl Build {
    /// Refuses flags that are for the other kind.
    fn check_kind(&self) -> Result<()> {
        let of_linear = [
            ("--distortion", self.distortion.is_some()),
            ("--items", self.items.is_some()),
            ("--memory", self.memory.is_some()),
            ("--bits", self.bits.is_some()),
        ];
        let (flags, kind): (&[_], _) = match self.kind {
            ValuesKind::Bloomier => {
                (&of_linear, "a Bloomier filter has exact values and the size that it needs")
            }
            ValuesKind::Linear => (&[("--fpr", self.fpr.is_some())], "--fpr is for --kind bloomier"),
        };
        match flags.iter().find(|(_, is_given)| *is_given) {
            Some((flag, _)) => bail!("{kind}; leave out {flag}"),
            None => Ok(()),
        }
    }

    /// Makes a Bloomier filter of all keys.
    fn freeze(&self, input: Input, target: &Target, session: &Session) -> Result<Built> {
        let fpr = self.fpr.unwrap_or(DEFAULT_RATE);
        // A rate that cannot be had is said before the first byte is read.
        BloomierParams::for_fpr(1, 1, fpr)?;
        let spec = self.hash.spec(session)?;
        let (greatest, totals) = self.greatest(input, spec)?;
        let pairs = greatest.into_iter().map(|(hash, value)| Ok((hash, whole(value)?)));
        let pairs = pairs.collect::<Result<Vec<_>>>()?;
        let most = pairs.iter().map(|&(_, value)| value).max().unwrap_or(0);
        let params = BloomierParams::for_fpr((most.max(1)).ilog2() + 1, pairs.len().max(1) as u64, fpr)?;
        self.limit.check(params.memory_bytes(pairs.len() as u64)?)?;
        let filter = BloomierFilter::freeze_hashes(pairs, params, spec)?;
        let (keys, fpr) = (filter.len(), filter.fpr());
        let different = Estimate::exact(keys as f64);
        Summary { totals, distortion: 0.0, fpr, keys, different }.write(&filter, target, session)
    }

    /// The filter to go on from, if there is one.
    fn saved(&self, session: &Session) -> Result<Option<Kept>> {
        let Some(saved) = self.from.saved(true, false)? else { return Ok(None) };
        self.hash.check_beside_saved()?;
        Kept::load(saved.path, &self.hash.decode_options(self.limit, session)?, session).map(Some)
    }

    fn form(&self) -> Result<Form> {
        let (Some((low, high)), Some(bits)) = (self.range, &self.bits) else { return Ok(Form::Whole) };
        let scale = if self.logarithmic { Scale::logarithmic(low, high) } else { Scale::linear(low, high) };
        Ok(Form::Rounded(scale?, if bits == "8" { 1 } else { 2 }))
    }

    /// Returns the size for this many keys, after a check against the limit.
    fn params(&self, form: Form, keys: u64) -> Result<LinearBloomParams> {
        let params = match self.memory {
            Some(memory) => LinearBloomParams::for_memory(memory, form.cell_bytes(), keys)?,
            None => LinearBloomParams::for_distortion(keys, self.distortion.unwrap_or(DEFAULT_RATE))?,
        };
        self.limit.check(params.cells() * u64::from(form.cell_bytes()))?;
        Ok(params)
    }

    /// Keeps the hashes and values until all distinct keys are known.
    fn collect(&self, input: Input, form: Form, spec: HashSpec) -> Result<(Kept, Totals, u64)> {
        let (greatest, totals) = self.greatest(input, spec)?;
        let keys = greatest.len().max(1) as u64;
        let mut filter = Kept::new(self.params(form, keys)?, form, spec);
        let pairs: Vec<(u64, f64)> = greatest.into_iter().collect();
        filter.insert(&pairs)?;
        Ok((filter, totals, keys))
    }

    /// The greatest value of each key, by its hash.
    fn greatest(&self, input: Input, spec: HashSpec) -> Result<(HashMap<u64, f64>, Totals)> {
        /// The bytes of a hash and a value, with the overhead of a table.
        const BYTES: u64 = 36;
        let mut greatest: HashMap<u64, f64> = HashMap::new();
        let totals = input.read(Wants::hashes(spec), |batch| {
            for (&hash, &value) in batch.hashes.iter().zip(batch.kept) {
                greatest.entry(hash).and_modify(|old| *old = old.max(value)).or_insert(value);
            }
            if greatest.len() as u64 * BYTES > self.limit.max_memory {
                bail!(
                    "the hashes of {} distinct keys take more than --max-memory {}; give their approximate number with \
                     --items",
                    count(greatest.len() as u64),
                    size(self.limit.max_memory)
                );
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((greatest, totals))
    }
}

/// The value of a key in a Bloomier filter.
fn whole(value: f64) -> Result<u64> {
    /// Up to here each whole number is a double.
    const MOST: f64 = (1u64 << 53) as f64;
    if (0.0..=MOST).contains(&value) && value.fract() == 0.0 {
        return Ok(value as u64);
    }
    bail!(
        "a Bloomier filter stores whole numbers from 0 to 2^53, not {value}; scale the values, or leave out --kind bloomier"
    )
}

/// Nothing but the filter is kept.
fn stream(input: Input, mut filter: Kept) -> Result<(Kept, Totals)> {
    let mut pairs = Vec::new();
    let totals = input.read(Wants::hashes(filter.spec()), |batch| {
        pairs.clear();
        pairs.extend(batch.hashes.iter().copied().zip(batch.kept.iter().copied()));
        filter.insert(&pairs).context(batch.source.name())?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((filter, totals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Folder, printed, run};

    #[test]
    fn ranges() {
        assert_eq!(parse_range("0..1000"), Ok((0.0, 1000.0)));
        assert_eq!(parse_range("-40.5..6e3"), Ok((-40.5, 6000.0)));
        for bad in ["", "..", "1", "1..", "2..1", "1..1", "nan..1", "0..inf", "a..b"] {
            assert!(parse_range(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn records_without_a_key_or_a_value_are_left_out_and_counted() {
        let folder = Folder::new();
        let (data, filter) = (folder.write("v.csv", "k,v\na,1\na,2\nb,\nc,NA\n,4\n"), folder.path("v.crv"));
        let (built, text) = printed::<Build>(&[&data, "-o", &filter]);
        assert_eq!((built.items, built.missing, built.keys, built.kind), (2, 3, 1, "linear-bloom"));
        assert!(built.distortion <= 0.01);
        assert!(text.starts_with(&format!("{filter}: linear-bloom of 2 values in ")), "{text}");
        assert!(text.contains(" of 1 distinct key\n"), "{text}");
        assert!(text.ends_with("\n3 records without a key or a value left out\n"), "{text}");
        let error = run::<Build>(&[&data, "-o", &folder.path("w.crv"), "--missing", ""]).err().unwrap();
        assert!(error.to_string().contains("'NA' is not a number"), "{error}");
    }

    /// From every source the same bytes: by name or number, from other formats, and with the number of items given.
    #[test]
    fn the_input_decides_and_nothing_else() {
        let folder = Folder::new();
        let offers = "shop,price\nnorth,3.5\nsouth,4.25\nnorth,3.75\nwest,-2\n,9\n";
        let csv = folder.write("offers.csv", offers);
        let tsv = folder.write("offers.tsv", "price\tshop\n4.25\tsouth\n3.75\tnorth\n-2\twest\n");
        let json = "{\"shop\":\"west\",\"price\":-2}\n{\"shop\":\"north\",\"price\":3.75}\n{\"shop\":\"south\",\"price\":4.25}\n";
        let json = folder.write("offers.jsonl", json);
        let build = |words: &[&str]| {
            let saved = folder.path("a.crv");
            run::<Build>(&[words, &["-o", &saved, "--force"]].concat()).unwrap();
            folder.read("a.crv")
        };
        let first = build(&[&csv]);
        assert_eq!(build(&[&csv, "--items", "3"]), first);
        assert_eq!(build(&[&csv, "-j", "1"]), first);
        assert_eq!(build(&[&tsv, "--key", "shop", "--value", "price"]), first);
        assert_eq!(build(&[&json, "--key", "shop", "--value", "price"]), first);
    }

    #[test]
    fn a_bloomier_filter_takes_whole_numbers_and_is_complete() {
        let folder = Folder::with(&[
            ("v.csv", "k,v\na,1\na,9\nb,0\n"),
            ("w.csv", "k,v\na,1\nb,2.5\n"),
            ("e.csv", "k,v\n"),
        ]);
        let built = folder.report::<Build>("@v.csv -o @v.crv --kind bloomier");
        assert_eq!((built.items, built.keys, built.kind, built.distortion), (3, 2, "bloomier-filter", 0.0));
        assert!(built.fpr.value() <= 0.01);
        assert_eq!(folder.report::<Build>("@e.csv -o @e.crv --kind bloomier").keys, 0);
        for (line, expected) in [
            ("@w.csv --kind bloomier", "whole numbers from 0 to 2^53, not 2.5"),
            ("@v.csv --kind bloomier --items 9", "leave out --items"),
            ("@v.csv --fpr 0.1", "--fpr is for --kind bloomier"),
            ("@w.csv --from @v.crv", "takes no more keys"),
        ] {
            let error = folder.error::<Build>(&format!("{line} -o @x.crv"));
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn more_keys_than_planned_are_told() {
        let folder = Folder::new();
        let rows: String = (0..2000).map(|i| [i, i].map(|i| i.to_string()).join(",") + "\n").collect();
        let (data, filter) = (folder.write("many.csv", format!("k,v\n{rows}")), folder.path("few.crv"));
        for (flag, is_told) in [("--force", true), ("--quiet", false), ("--json", false)] {
            let words = [&data, "-o", &filter, "--items", "1000", "--force", flag];
            let words = if flag == "--force" { &words[..6] } else { &words };
            let (built, recorded) = run::<Build>(words).unwrap();
            recorded.session.finish(&built).unwrap();
            assert_eq!(recorded.remarks().iter().any(|told| told.ends_with("raise --items")), is_told);
        }
    }
}
