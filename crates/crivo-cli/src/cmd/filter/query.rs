//! `crivo filter query`: which records a filter holds.

#[cfg(test)]
mod tests;

use super::asked::Filter;
use super::near::{NearFilter, Reach, is_near};
use super::saved::{Saved, map};
use crate::args::{AskArgs, Asked, FormArgs, ItemArgs, KeyArgs, LimitArgs, TextArgs};
use crate::cmd::foreign;
use crate::cmd::header::Header;
use crate::cmd::sketch_file::check_takes_texts;
use crate::input::{Batch, Columns, FilterAnswers, ask_filters, is_parquet};
use crate::mapped::FileBytes;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::{Estimate, FilterView};
use crivo_report::{
    Align, Page, Records, Report, Table, Text, as_bar_or_null, count, percent, plural, shown,
};
use serde::Serialize;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Ask whether a filter contains keys, or print the records of files that it probably contains
///
/// Named keys are answered one by one. For files (--keys) and standard input, the records that the filter contains are
/// printed. An inserted record is always found; any other record is a false positive with the small probability that
/// 'crivo info' shows. Rows of tables are printed unchanged, below their header. A missing value is never in a filter.
///
/// A filter of texts (crivo filter build --within) also contains the texts that differ a little from an item; it may miss a
/// few of them.
///
/// Instead of a filter, the file may be a Parquet file whose writer has added Bloom filters of a column: they answer for
/// texts and numbers without reading the column.
///
/// As with grep, the exit code is 0 if a key or record was found, 1 if none was, and 2 after an error.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(after_help = "Examples:
  crivo filter query words.crv sieve colander
  crivo filter query words.crv --keys draft.txt
  crivo filter query words.crv --keys draft.txt --invert    # certainly new
  crivo filter query users.crv --keys visits.csv --column user --count
  crivo filter query table.parquet --column user ada    # the filters inside the file
  crivo filter query spark.bloom --numbers 17    # a Bloom filter of Spark, of whole numbers
  crivo filter query titles.crv 'The Hobbitt'    # built with --within: is something near it there?
  echo sieve | crivo filter query words.crv --quiet && echo known")]
pub(crate) struct Query {
    /// Filter file
    filter: PathBuf,

    #[command(flatten)]
    asked: AskArgs,

    /// Print the records that are certainly not in the filter
    #[arg(long, short = 'v')]
    invert: bool,

    /// Print only the number of such records
    #[arg(long)]
    count: bool,

    /// Print nothing and stop at the first such record: the exit code is the answer
    #[arg(long, short, conflicts_with_all = ["count", "json", "csv", "markdown"])]
    quiet: bool,

    /// Skip the verification of checksum and tag, which reads the whole file
    ///
    /// Kinds such as bloom and fuse are not loaded but memory-mapped; without the checksum, a large filter then answers
    /// at once. A change to a keyed file by someone without the key goes unnoticed.
    #[arg(long, conflicts_with_all = ["json", "csv", "markdown"])]
    no_verify: bool,

    #[command(flatten)]
    items_are: ItemArgs,

    #[command(flatten)]
    text: TextArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    form: FormArgs,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Records,
    Count,
    /// Whether there is one.
    Any,
}

impl Verb for Query {
    type Report = Queried;

    fn manner(&self) -> Manner {
        self.form.manner(self.quiet)
    }

    fn run(self, session: &Session) -> Result<Queried> {
        if is_parquet(&self.filter) {
            return self.ask_table(session);
        }
        let options = self.key.decode_options(self.limit, session)?;
        let foreign = foreign::load(&self.filter, &options, session)?;
        let bytes = match foreign {
            Some(_) => FileBytes::Read(Vec::new()),
            None => map(&self.filter, &options, session)?,
        };
        if foreign.is_none() {
            self.items_are.check_unused()?;
        }
        let tells_rate = !session.is_text() || (self.asked.names_keys() && !self.no_verify);
        let loaded = if let Some(filter) = foreign {
            filter.fpr().with_context(|| self.filter.display().to_string())?;
            Some(Filter::Foreign(filter, self.items_are))
        } else if is_near(&bytes) {
            Some(Filter::Texts(NearFilter::load(&self.filter, &bytes, &options, &self.text)?))
        } else if self.text.is_given() {
            bail!(
                "{}: is no filter of texts, which crivo filter build --within makes; leave out --shingle and --normalise",
                self.filter.display()
            );
        } else if tells_rate {
            // It takes a loaded filter to know it.
            Some(Filter::Items(Saved::load(&self.filter, &bytes, &options)?))
        } else {
            Saved::check(&self.filter, &bytes, &options, !self.no_verify)?.map(Filter::Items)
        };
        let asked = self.asked.open(Columns::default(), self.limit, session)?;
        if matches!(asked, Asked::Named(_)) && (self.invert || self.count) {
            bail!(
                "--invert and --count are for the records of files and of standard input; name files with --keys"
            );
        }
        let what = match (self.quiet, self.count) {
            (true, _) => What::Any,
            (_, true) => What::Count,
            _ => What::Records,
        };
        let (end, invert) = (self.asked.record_end(), self.invert);
        let name = || self.filter.display().to_string();
        let filter = match loaded {
            Some(filter) => filter,
            None => Filter::Items(Saved::View(FilterView::open(&bytes, &options).with_context(name)?)),
        };
        check_takes_texts(&self.filter, &filter.spec())?;
        let (fpr, reach) = filter.rates()?;
        let mut found = Queried { present: 0, absent: 0, missing: 0, fpr, reach, what, invert };
        let input = match asked {
            Asked::Read(input) => input,
            Asked::Named(keys) => {
                let answers = filter.contains_keys(&keys)?;
                found.present = answers.iter().filter(|&&answer| answer).count() as u64;
                found.absent = answers.len() as u64 - found.present;
                if what == What::Records {
                    session.show(&Answered { keys, answers, fpr: found.fpr, reach })?;
                }
                return Ok(found);
            }
        };
        let mut header = Header::default();
        let wants = filter.wants();
        let wants = if what == What::Records { wants.and_records() } else { wants };
        input.read(wants, |batch| {
            let answers = filter.contains_items(batch)?;
            let yes = answers.iter().filter(|&&answer| answer).count() as u64;
            found.present += yes;
            found.absent += answers.len() as u64 - yes;
            found.missing += batch.missing.len() as u64;
            if what == What::Records {
                let header = if header.see(batch)? { header.get() } else { None };
                session.show(&Selected { batch, answers: &answers, header, end, invert })?;
                session.flush()?;
            }
            let is_told = what == What::Any && found.selected() > 0;
            Ok(if is_told { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        bytes.check_unchanged().with_context(name)?;
        Ok(found)
    }
}

impl Query {
    /// Asks the filters inside a Parquet file.
    fn ask_table(&self, session: &Session) -> Result<Queried> {
        self.items_are.check_unused()?;
        if self.invert || self.count || self.text.is_given() {
            bail!(
                "the filters of a Parquet file answer for named keys; leave out the flags about records and texts"
            );
        }
        let (keys, column) = self.asked.of_table()?;
        let texts: Vec<&[u8]> = keys.iter().map(|key| key.as_encoded_bytes()).collect();
        let FilterAnswers { present: answers, fpr } =
            ask_filters(&self.filter, column, &texts, self.limit.max_memory)
                .with_context(|| self.filter.display().to_string())?;
        let present = answers.iter().filter(|&&answer| answer).count() as u64;
        let (absent, fpr) = (keys.len() as u64 - present, Some(Estimate::exact(fpr)));
        let what = if self.quiet { What::Any } else { What::Records };
        if what == What::Records {
            session.show(&Answered { keys: keys.to_vec(), answers, fpr, reach: None })?;
        }
        Ok(Queried { present, absent, missing: 0, fpr, reach: None, what, invert: false })
    }
}

/// Those records of a batch that are asked for.
struct Selected<'a> {
    batch: &'a Batch<'a>,
    answers: &'a [bool],
    /// The header, above the first of them.
    header: Option<&'a [u8]>,
    end: u8,
    invert: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "record")]
struct SelectedRecord<'a> {
    present: bool,
    record: Text<'a>,
}

impl<'a> Selected<'a> {
    /// An empty value was never put in.
    fn records(&self) -> impl Iterator<Item = &'a [u8]> {
        let records = self.batch.records(self.answers);
        records.filter(|(_, answer)| (*answer == Some(true)) != self.invert).map(|(record, _)| record)
    }
}

impl Report for Selected<'_> {
    fn text(&self, page: &mut Page) {
        if let Some(header) = self.header {
            page.record(header, b'\n');
        }
        for record in self.records() {
            page.record(record, self.end);
        }
    }

    fn records(&self, records: &mut Records) {
        for record in self.records() {
            records.row(&SelectedRecord { present: !self.invert, record: Text::from(record) });
        }
    }
}

/// What is said of keys that were named.
struct Answered {
    keys: Vec<OsString>,
    answers: Vec<bool>,
    fpr: Option<Estimate>,
    reach: Option<Reach>,
}

impl Report for Answered {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Left, Align::Left]);
        let of_items = || {
            let yes = self.fpr.map(|fpr| format!("(false-positive rate {})", percent(fpr.value())));
            [yes.unwrap_or_default(), "(certain)".into()]
        };
        let [yes, no] = self.reach.map_or_else(of_items, Reach::meanings);
        for (key, &answer) in self.keys.iter().zip(&self.answers) {
            let (word, bar) = if answer { ("yes", yes.clone()) } else { ("no", no.clone()) };
            table.push([shown(key.as_encoded_bytes()), word.into(), bar]);
        }
        table.print(page);
    }

    fn records(&self, records: &mut Records) {
        for (key, &present) in self.keys.iter().zip(&self.answers) {
            records.row(&SelectedRecord { present, record: Text::from(key.as_encoded_bytes()) });
        }
    }
}

/// How many records are in the filter, and how many are not.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "query")]
pub(crate) struct Queried {
    present: u64,
    absent: u64,
    missing: u64,
    /// Of a filter that was loaded.
    #[serde(serialize_with = "as_bar_or_null")]
    fpr: Option<Estimate>,
    /// Of a filter of texts.
    #[serde(flatten)]
    reach: Option<Reach>,
    #[serde(skip)]
    what: What,
    #[serde(skip)]
    invert: bool,
}

impl Queried {
    #[cfg(test)]
    pub(super) fn present(&self) -> u64 {
        self.present
    }

    /// An empty value was never put in.
    fn selected(&self) -> u64 {
        if self.invert { self.absent + self.missing } else { self.present }
    }
}

impl Report for Queried {
    fn text(&self, page: &mut Page) {
        if self.what == What::Count {
            page.line(&count(self.selected()));
        }
        if self.missing > 0 {
            let missing = plural(self.missing, "missing value", "missing values");
            page.remark(&format!("{missing}, certainly not in the filter"));
        }
    }

    fn records(&self, records: &mut Records) {
        records.total(self);
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.selected() == 0)
    }
}
