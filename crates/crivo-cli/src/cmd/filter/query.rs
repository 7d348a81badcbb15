//! `crivo filter query`: which records a filter holds.

use super::asked::Filter;
use super::near::{NearFilter, Reach, is_near};
use super::saved::{Saved, map};
use crate::args::{AskArgs, Asked, FormArgs, KeyArgs, LimitArgs, TextArgs};
use crate::cmd::header::Header;
use crate::cmd::sketch_file::check_takes_texts;
use crate::input::{Batch, Columns};
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
/// As with grep, the exit code is 0 if a key or record was found, 1 if none was, and 2 after an error.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(after_help = "Examples:
  crivo filter query words.crv sieve colander
  crivo filter query words.crv --keys draft.txt
  crivo filter query words.crv --keys draft.txt --invert    # certainly new
  crivo filter query users.crv --keys visits.csv --column user --count
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
        let options = self.key.decode_options(self.limit, session)?;
        let bytes = map(&self.filter, &options, session)?;
        let tells_rate = !session.is_text() || (self.asked.names_keys() && !self.no_verify);
        let loaded = if is_near(&bytes) {
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

#[cfg(test)]
mod tests {
    use super::super::build::Build;
    use super::*;
    use crate::testing::{Folder, printed, run};

    /// A filter of `u1` and `u3`, and where it is.
    fn folder() -> (Folder, String) {
        let folder = Folder::new();
        let (users, filter) = (folder.write("users", "u1\nu3\n"), folder.path("f.crv"));
        run::<Build>(&[&users, "-o", &filter, "--fpr", "0.000001"]).unwrap();
        (folder, filter)
    }

    #[test]
    fn what_is_asked_for_is_printed_and_the_rest_with_invert() {
        let (folder, filter) = folder();
        let data = folder.write("data", "u1\nu2\nu3");
        let cases: [(&[&str], &str, u8); 5] = [
            (&[], "u1\nu3\n", 0),
            (&["-v"], "u2\n", 0),
            (&["-v", "--count"], "1\n", 0),
            (&["--quiet"], "", 0),
            (&["--null"], "", 1),
        ];
        for (flags, expected, code) in cases {
            let (report, text) = printed::<Query>(&[&[&*filter, "--keys", &*data], flags].concat());
            assert_eq!((&*text, report.exit_code()), (expected, code), "{flags:?}");
        }
        let others = folder.write("others", "u2\n");
        for flags in [&[][..], &["--count"], &["--quiet"], &["--json"]] {
            let (report, _) = run::<Query>(&[&[&filter, "--keys", &others[..]], flags].concat()).unwrap();
            assert_eq!((report.present, report.absent, report.exit_code()), (0, 1, 1), "{flags:?}");
        }
    }

    #[test]
    fn lines_are_printed_as_they_came() {
        let folder = Folder::new();
        let (lines, filter) = (folder.write("in", b"\xff\xfd\r\n\nlast"), folder.path("f.crv"));
        run::<Build>(&[&lines, "-o", &filter]).unwrap();
        let (_, text) = printed::<Query>(&[&filter, "--keys", &lines, "--json"]);
        let [first, last, all] = text.lines().collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(first, r#"{"type":"record","present":true,"record":{"bytes":"//0N"}}"#);
        assert_eq!(last, r#"{"type":"record","present":true,"record":"last"}"#);
        assert!(
            all.starts_with(r#"{"type":"query","present":2,"absent":0,"missing":1,"fpr":{"value":"#),
            "{all}"
        );
    }

    #[test]
    fn rows_keep_their_header_and_spelling() {
        let (folder, filter) = folder();
        let a = folder.write("a.csv", "user,\"no\nte\"\r\n\"u1\",\"x\ny\"\r\nu2,z\r\n,\r\nu3,\"\"\r\n");
        let b = folder.write("b.csv", "user,\"no\nte\"\nu1,q\n");
        let json = folder.write("a.jsonl", "{\"user\": \"u3\", \"n\": 1}\n{\"user\": null}\n{}\n");
        let check = |words: &[&str], expected: &str, missing: &str| {
            let words = [&[&*filter, "--column", "user", "--keys"], words].concat();
            let (report, recorded) = run::<Query>(&words).unwrap();
            recorded.session.finish(&report).unwrap();
            assert_eq!(recorded.printed(), expected, "{words:?}");
            assert_eq!(recorded.remarks(), [format!("{missing}, certainly not in the filter")], "{words:?}");
        };
        let found = "user,\"no\nte\"\n\"u1\",\"x\ny\"\nu3,\"\"\nu1,q\n";
        check(&[&a, "--keys", &b], found, "1 missing value");
        check(&[&a, "-v"], "user,\"no\nte\"\nu2,z\n,\n", "1 missing value");
        check(&[&a, "-v", "--count"], "2\n", "1 missing value");
        check(&[&json], "{\"user\": \"u3\", \"n\": 1}\n", "2 missing values");
        check(&[&json, "-v"], "{\"user\": null}\n{}\n", "2 missing values");
        let empty = folder.write("empty.csv", "user,x\n,1\n");
        for (flag, code) in [("-v", 0), ("--no-verify", 1)] {
            let (report, recorded) =
                run::<Query>(&[&filter, "--keys", &empty, "-c", "user", "--quiet", flag]).unwrap();
            assert_eq!(report.exit_code(), code);
            recorded.session.finish(&report).unwrap();
            assert!(recorded.remarks().is_empty());
        }
    }

    #[test]
    fn headers_keep_their_blanks_and_must_agree() {
        let (folder, filter) = folder();
        let a = folder.write("a.tsv", "user\t \t\r\nu1\t1\t\r\n");
        let b = folder.write("b.tsv", "x\tuser\t\n2\tu1\t\n");
        assert_eq!(printed::<Query>(&[&filter, "--keys", &a, "-c", "user"]).1, "user\t \t\nu1\t1\t\n");
        let error =
            run::<Query>(&[&filter, "--keys", &a, "--keys", &b, "-c", "user"]).err().unwrap().to_string();
        assert!(error.starts_with(&format!("{b}: the header differs")), "{error}");
        assert_eq!(
            printed::<Query>(&[&filter, "--keys", &a, "--keys", &b, "-c", "user", "--count"]).1,
            "2\n"
        );
    }
}
