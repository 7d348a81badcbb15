//! `crivo values build`: a filter of keys and their values.

use super::kept::{Form, Kept};
use crate::args::{
    FormatArgs, FromArgs, HashArgs, LimitArgs, OutputArgs, parse_count, parse_share, parse_size,
};
use crate::input::{Columns, Input, Totals, Wants};
use crate::output::{Answer, FactJson, Output, Target, count, percent, plural, rate, remark, size};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::{ArgGroup, Args};
use crivo::HashSpec;
use crivo::valued::{LinearBloomParams, Scale};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// Make a filter of keys and their values
///
/// A key that comes more than once keeps its greatest value. Values are finite numbers; keys are texts. A
/// record without one of them is left out and reported.
///
/// Without --items all different keys are kept, by their hashes, until their number is known, and the filter is made
/// exactly large enough. With --items nothing but the filter is kept.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("of_sketch").multiple(true).conflicts_with("from")
    .args(["distortion", "items", "memory", "bits", "range", "logarithmic"]))]
#[command(after_help = "Examples:
  crivo values build offers.csv --key shop --value price -o best.crv
  crivo values build today.csv --key shop --value price --from best.crv -o best.crv --force
  crivo values build temperatures.csv -o hottest.crv --bits 8 --range -40..60
  zcat *.csv.gz | crivo values build --format csv -o last-seen.crv --items 1e8 --distortion 0.05
'crivo merge' takes several together.")]
pub(crate) struct Build {
    /// Files to read, gzip and zstd too; standard input if none is named, or for -
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The column of the keys: a name, a number from 1, or in JSON a path such as user.id
    #[arg(long, short, value_name = "COLUMN", default_value = "1", help_heading = "Input")]
    key: String,

    /// The column of the values
    #[arg(long, short, value_name = "COLUMN", default_value = "2", help_heading = "Input")]
    value: String,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    from: FromArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Share of keys that are answered too large a value
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = parse_share, conflicts_with = "memory")]
    distortion: f64,

    /// How many different keys the filter is made for, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    items: Option<u64>,

    /// Use this much memory instead of deriving it from --distortion
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,

    /// Keep values in 8 or 16 bits, rounded up to a scale over --range
    #[arg(long, value_name = "8|16", value_parser = ["8", "16"], requires = "range")]
    bits: Option<String>,

    /// The least and the greatest value, such as 0..1000 or -40..60; others are an error
    #[arg(long, value_name = "LOW..HIGH", value_parser = parse_range, requires = "bits", allow_hyphen_values = true)]
    range: Option<(f64, f64)>,

    /// Levels in equal ratios, not at equal distances: the rounding is a share of the value
    #[arg(long, requires = "range")]
    logarithmic: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// `LOW..HIGH`
fn parse_range(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let ends = text.split_once("..").and_then(|(low, high)| Some((number(low)?, number(high)?)));
    ends.filter(|(low, high)| low < high).ok_or_else(|| "expected two numbers, for example 0..1000".into())
}

impl Build {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let form = self.form()?;
        // A size that cannot be had is said before the first byte is read.
        self.params(form, self.items.unwrap_or(1))?;
        let saved = self.saved(session)?;
        let target = self.output.target(session)?;
        let columns = Columns { values: vec![&*self.key], kept: Some(&*self.value), ..Columns::default() };
        let mut input = self.format.open(&self.files, columns, "--key", &self.limit, session)?;
        input.needs_values = true;
        let (filter, totals, items) = match (saved, self.items) {
            (Some(saved), _) => {
                let (filter, totals) = stream(input, saved)?;
                let items = filter.cardinality().value().round().max(1.0) as u64;
                (filter, totals, items)
            }
            (None, Some(items)) => {
                let empty = Kept::new(self.params(form, items)?, form, self.hash.spec(session)?);
                let (filter, totals) = stream(input, empty)?;
                (filter, totals, items)
            }
            (None, None) => self.collect(input, form, self.hash.spec(session)?)?,
        };
        let bytes = filter.sketch().to_bytes();
        target.write(&bytes, session)?;
        self.report(&filter, &totals, items, &target, bytes.len() as u64)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The filter to go on from, if there is one.
    fn saved(&self, session: &Session) -> Result<Option<Kept>> {
        let Some(saved) = self.from.saved(true, false)? else { return Ok(None) };
        self.hash.check_beside_saved()?;
        Kept::load(saved.path, &self.hash.decode_options(&self.limit, session)?, session).map(Some)
    }

    fn form(&self) -> Result<Form> {
        let (Some((low, high)), Some(bits)) = (self.range, &self.bits) else { return Ok(Form::Whole) };
        let scale = if self.logarithmic { Scale::logarithmic(low, high) } else { Scale::linear(low, high) };
        Ok(Form::Rounded(scale?, if bits == "8" { 1 } else { 2 }))
    }

    /// The size for so many keys, which must be allowed.
    fn params(&self, form: Form, items: u64) -> Result<LinearBloomParams> {
        let params = match self.memory {
            Some(memory) => LinearBloomParams::for_memory(memory, form.cell_bytes(), items)?,
            None => LinearBloomParams::for_distortion(items, self.distortion)?,
        };
        self.limit.check(params.cells() * u64::from(form.cell_bytes()))?;
        Ok(params)
    }

    /// Keeps the hashes and values until all different keys are known.
    fn collect(&self, input: Input, form: Form, spec: HashSpec) -> Result<(Kept, Totals, u64)> {
        /// A hash and a value, and what a table needs beside them.
        const BYTES: u64 = 36;
        let mut greatest: HashMap<u64, f64> = HashMap::new();
        let totals = input.read(Wants::hashes(spec), |batch| {
            for (&hash, &value) in batch.hashes.iter().zip(batch.kept) {
                greatest.entry(hash).and_modify(|old| *old = old.max(value)).or_insert(value);
            }
            if greatest.len() as u64 * BYTES > self.limit.max_memory {
                bail!(
                    "the hashes of {} different keys take more than --max-memory {}; say about how many there are with \
                     --items",
                    count(greatest.len() as u64),
                    size(self.limit.max_memory)
                );
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let items = greatest.len().max(1) as u64;
        let mut filter = Kept::new(self.params(form, items)?, form, spec);
        let pairs: Vec<(u64, f64)> = greatest.into_iter().collect();
        filter.insert(&pairs)?;
        Ok((filter, totals, items))
    }

    fn report(
        &self,
        filter: &Kept,
        totals: &Totals,
        items: u64,
        target: &Target,
        file_bytes: u64,
    ) -> Result<()> {
        let sketch = filter.sketch();
        let distortion = filter.params().distortion_at(items);
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Values {
                saved: target.name(),
                kind: sketch.kind().name(),
                items: totals.items,
                nulls: totals.nulls,
                distortion,
                file_bytes,
                memory_bytes: sketch.memory_bytes() as u64,
                fpr: filter.fpr().into(),
                facts: FactJson(&sketch.facts()),
            })?;
            return output.flush();
        }
        output.line(&format!(
            "{}: {} of {} in {}",
            target.name(),
            sketch.kind().name(),
            plural(totals.items, "value", "values"),
            size(file_bytes)
        ))?;
        output.line(&format!(
            "too large an answer: {} of {}",
            percent(distortion),
            plural(items, "different key", "different keys")
        ))?;
        output.line(&format!("a wrong yes: {}", rate(&filter.fpr())))?;
        if totals.nulls > 0 {
            let records = plural(totals.nulls, "record", "records");
            output.line(&format!("{records} without a key or a value left out"))?;
        }
        output.flush()?;
        // Their number is an estimate: a tenth more is no accident.
        if filter.cardinality().lower() > 1.1 * items as f64 && !self.quiet {
            remark(&format!(
                "there are more different keys than the {} planned, so more answers are too large; raise --items",
                count(items)
            ));
        }
        Ok(())
    }
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

    #[test]
    fn ranges() {
        assert_eq!(parse_range("0..1000"), Ok((0.0, 1000.0)));
        assert_eq!(parse_range("-40.5..6e3"), Ok((-40.5, 6000.0)));
        for bad in ["", "..", "1", "1..", "2..1", "1..1", "nan..1", "0..inf", "a..b"] {
            assert!(parse_range(bad).is_err(), "{bad}");
        }
    }
}
