//! `crivo values query`: the values of keys.

use super::kept::{self, Answer};
use crate::args::{AnswerArgs, AskArgs, Asked, KeyArgs, LimitArgs};
use crate::input::{Columns, Input, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result};
use clap::Args;
use crivo::valued::Verdict;
use crivo_report::{
    Align, Number, Page, Records, Report, Table, Text, number, percent, plural, shown, value,
};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Look up the values of keys
///
/// A value is never below the one that was stored with the key. The answer states the probability that it is above, and
/// the probability that an absent key has a value this large. A key without a value was certainly never stored.
///
/// As with grep, the exit code is 0 if a key had a value, 1 if none had, and 2 after an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo values query best.crv north south
  cut -f1 shops.tsv | crivo values query best.crv
  crivo values query best.crv --keys claims.csv --column shop --claimed price")]
pub(crate) struct Query {
    /// File of the filter of values
    filter: PathBuf,

    #[command(flatten)]
    asked: AskArgs,

    /// Column of a claimed value for each key: was it stored with the key?
    ///
    /// The verdicts are absent: the key never had a value; below: it never had a value this large; equal: very likely
    /// this value; above: this value may be hidden by larger ones. The first two are certain.
    #[arg(long, value_name = "COLUMN", requires = "column", help_heading = "Input")]
    claimed: Option<String>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

impl Verb for Query {
    type Report = Queried;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Queried> {
        let filter =
            kept::Queried::load(&self.filter, &self.key.decode_options(self.limit, session)?, session)?;
        let columns = Columns { kept: self.claimed.as_deref(), ..Columns::default() };
        let keys = self.asked.open(columns, self.limit, session)?;
        let (answers, filter) = (filter.answers(), &filter);
        let mut queried = Queried { present: 0, missing: 0, has_claims: self.claimed.is_some() };
        let mut show = |all: Vec<Found<'_>>| {
            queried.present += all.iter().filter(|found| found.answer.is_some()).count() as u64;
            session.show(&Answers { all })?;
            session.flush()
        };
        match keys {
            Asked::Named(keys) => {
                let keys = keys.iter().map(|key| key.as_encoded_bytes());
                let answer = |key| answers(filter.spec().hash_bytes(key));
                show(keys.map(|key| Found { key, answer: answer(key), claim: None }).collect())?;
            }
            Asked::Read(input) => {
                let input = Input { prints: true, ..*input };
                let totals = input.read(Wants::hashes(filter.spec()).and_values(), |batch| {
                    let found = |(place, &hash)| -> Result<Found<'_>> {
                        let claim = batch
                            .kept
                            .get(place)
                            .map(|&claimed| filter.verdict(hash, claimed).map(|verdict| (claimed, verdict)));
                        let claim = claim.transpose().context(batch.source.name())?;
                        Ok(Found { key: batch.values.get(place), answer: answers(hash), claim })
                    };
                    show(batch.hashes.iter().enumerate().map(found).collect::<Result<_>>()?)?;
                    Ok(ControlFlow::Continue(()))
                })?;
                queried.missing = totals.missing;
            }
        }
        Ok(queried)
    }
}

/// What the filter says of some keys.
struct Answers<'a> {
    all: Vec<Found<'a>>,
}

/// What is said of one key.
struct Found<'a> {
    key: &'a [u8],
    answer: Option<Answer>,
    claim: Option<(f64, Verdict<f64>)>,
}

/// `value` and the fields after it are null if the key is certainly absent. A stored key whose answer is `value` has a
/// smaller value with the probability `overestimated`, besides a `rounding` of at most this much; an absent key has an
/// answer of this size or more with the probability `fpr`. The verdict is `absent`, `below`, `equal` or `above`.
#[derive(Serialize)]
#[serde(tag = "type", rename = "value")]
struct ValueRecord<'a> {
    key: Text<'a>,
    value: Option<Number>,
    overestimated: Option<f64>,
    rounding: Option<f64>,
    fpr: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
}

impl Report for Answers<'_> {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left, Align::Left]);
        for Found { key, answer, claim } in &self.all {
            let (number, doubt) = match answer {
                None => ("-".into(), "certainly absent".into()),
                Some(answer) => (rounded_up(answer.value, answer.rounding), doubt(answer)),
            };
            let verdict = claim.map_or_else(String::new, |(claimed, verdict)| {
                format!("{} claimed: {}", value(claimed), in_words(verdict))
            });
            table.push([shown(key), number, doubt, verdict]);
        }
        table.print(page);
    }

    fn records(&self, records: &mut Records) {
        for Found { key, answer, claim } in &self.all {
            records.row(&ValueRecord {
                key: Text::from(*key),
                value: answer.map(|answer| Number::from(answer.value)),
                overestimated: answer.map(|answer| answer.overestimated),
                rounding: answer.map(|answer| answer.rounding),
                fpr: answer.map(|answer| answer.fpr),
                claimed: claim.map(|(claimed, _)| Number::from(claimed)),
                verdict: claim.map(|(_, verdict)| verdict.name()),
            });
        }
    }
}

/// How many keys had a value, and how many records were left out.
#[derive(Debug)]
pub(crate) struct Queried {
    present: u64,
    missing: u64,
    has_claims: bool,
}

impl Report for Queried {
    fn text(&self, page: &mut Page) {
        if self.missing > 0 {
            let records = plural(self.missing, "record", "records");
            let or_claim = if self.has_claims { " or a claimed value" } else { "" };
            page.remark(&format!("{records} without a key{or_claim} left out"));
        }
    }

    fn records(&self, _records: &mut Records) {}

    fn exit_code(&self) -> u8 {
        u8::from(self.present == 0)
    }
}

/// All digits of an answer that a step of its scale supports, and one more. What follows is rounded up, as the answer is.
fn rounded_up(answer: f64, step: f64) -> String {
    /// Beyond this many units not all digits of an `f64` are decimal ones.
    const MOST: f64 = 1e15;
    let unit = 10f64.powf((1.0 - step.log10().floor()).max(0.0));
    // A whole number of units, apart from its last bits, is not rounded.
    let units = (answer * unit - 1e-6).ceil();
    if step > 0.0 && units.abs() < MOST { value(units / unit) } else { value(answer) }
}

/// Returns in words how likely the answer is too large, and how likely an absent key has it.
fn doubt(answer: &Answer) -> String {
    if answer.is_exact {
        return format!("exact if the key was stored; {} of absent keys have a value", percent(answer.fpr));
    }
    let rounded = if answer.rounding > 0.0 {
        format!(", rounded up by at most {}", number(answer.rounding))
    } else {
        String::new()
    };
    format!(
        "too large with probability {}{rounded}; {} of absent keys have at least this value",
        percent(answer.overestimated),
        percent(answer.fpr)
    )
}

fn in_words(verdict: Verdict<f64>) -> &'static str {
    match verdict {
        Verdict::Absent | Verdict::Below(_) => "certainly not",
        Verdict::Equal => "very likely",
        Verdict::Above(_) => "possible",
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::Build;
    use super::*;
    use crate::testing::{Folder, printed, run};

    const OFFERS: &str = "shop,price\nnorth,3.5\nsouth,4.25\nnorth,3.75\nwest,-2\n,9\n";

    /// A filter of these values.
    fn folder(values: &str, flags: &[&str]) -> (Folder, String) {
        let folder = Folder::new();
        let (data, filter) = (folder.write("values.csv", values), folder.path("v.crv"));
        run::<Build>(&[&[&*data, "-o", &filter], flags].concat()).unwrap();
        (folder, filter)
    }

    #[test]
    fn the_greatest_value_of_each_key() {
        let (_folder, filter) = folder(OFFERS, &[]);
        let (report, text) = printed::<Query>(&[&filter, "north", "west", "nowhere"]);
        assert_eq!((report.present, report.missing, report.exit_code()), (2, 0, 0));
        let [north, west, nowhere] = text.lines().collect::<Vec<_>>().try_into().unwrap();
        assert!(north.starts_with("north    3.75  too large with probability "), "{north}");
        assert!(north.ends_with(" % of absent keys have at least this value"), "{north}");
        assert!(west.starts_with("west       -2  "), "{west}");
        assert_eq!(nowhere, "nowhere     -  certainly absent");
        assert_eq!(printed::<Query>(&[&filter, "nowhere"]).0.exit_code(), 1);
    }

    #[test]
    fn verdicts_on_claims() {
        let (folder, filter) = folder(OFFERS, &["--distortion", "0.001"]);
        let claims = folder.write("claims.csv", "who,says\nnorth,3.75\nnorth,3.5\nnorth,5\neast,1\nwest,\n");
        let words = [&*filter, "--keys", &claims, "--column", "who", "--claimed", "says", "--json"];
        let (report, recorded) = run::<Query>(&words[..7]).unwrap();
        recorded.session.finish(&report).unwrap();
        let text = recorded.printed();
        let ends: Vec<&str> = text.lines().map(|line| line.split("claimed: ").nth(1).unwrap()).collect();
        assert_eq!(ends, ["very likely", "possible", "certainly not", "certainly not"], "{text}");
        assert_eq!(recorded.remarks(), ["1 record without a key or a claimed value left out"]);
        let (report, json) = printed::<Query>(&words);
        assert_eq!((report.present, report.missing), (3, 1));
        let ends: Vec<&str> = json.lines().map(|line| line.rsplit(':').next().unwrap()).collect();
        assert_eq!(ends, ["\"equal\"}", "\"above\"}", "\"below\"}", "\"absent\"}"], "{json}");
        assert!(json.starts_with(r#"{"type":"value","key":"north","value":3.75,"overestimated":"#), "{json}");
        let absent =
            r#"{"type":"value","key":"east","value":null,"overestimated":null,"rounding":null,"fpr":null,"#;
        assert!(json.contains(absent), "{json}");
    }

    #[test]
    fn a_bloomier_filter_answers_exactly() {
        let shards: String = (0..3_000).map(|i| format!("u{i},{}\n", i % 13)).collect();
        let flags = ["--kind", "bloomier", "--fpr", "0.001"];
        let (folder, filter) = folder(&format!("user,shard\n{shards}u7,20\n"), &flags);
        let (_, text) = printed::<Query>(&[&filter, "u7", "u25", "nobody"]);
        let [u7, u25, nobody] = text.lines().collect::<Vec<_>>().try_into().unwrap();
        assert!(u7.starts_with("u7      20  exact if the key was stored; 0.0"), "the larger value: {u7}");
        assert!(u25.starts_with("u25     12  "), "{u25}");
        assert_eq!(nobody, "nobody   -  certainly absent");
        let keys = folder.write("keys", (0..3_000).map(|i| format!("u{i}\n")).collect::<String>());
        let (report, json) = printed::<Query>(&[&filter, "--keys", &keys, "--json"]);
        assert_eq!((report.present, json.lines().count()), (3_000, 3_000));
        let line = json.lines().nth(2_999).unwrap();
        assert!(
            line.starts_with(
                r#"{"type":"value","key":"u2999","value":9,"overestimated":0,"rounding":0,"fpr":0.000"#
            ),
            "{line}"
        );
        let claims = folder.write("claims.csv", "who,n\nu25,12\nu25,11\nu25,13\nnobody,1\n");
        let (_, json) =
            printed::<Query>(&[&filter, "--keys", &claims, "--column", "who", "--claimed", "n", "--json"]);
        let ends: Vec<&str> = json.lines().map(|line| line.rsplit(':').next().unwrap()).collect();
        assert_eq!(ends, ["\"equal\"}", "\"above\"}", "\"below\"}", "\"absent\"}"], "{json}");
    }

    #[test]
    fn rounding_is_told() {
        let (_folder, filter) = folder("town,degrees\nFaro,31.9\n", &["--bits", "8", "--range", "-40..60"]);
        let (_, text) = printed::<Query>(&[&filter, "Faro"]);
        assert!(text.contains("rounded up by at most 0.394"), "{text}");
        let (_folder, filter) = folder("k,v\na,11.5\nb,100\n", &["--bits", "8", "--range", "0..200"]);
        let (_, text) = printed::<Query>(&[&filter, "a"]);
        assert!(text.starts_with("a  11.82  "), "no more digits than the scale has: {text}");
    }

    #[test]
    fn answers_have_the_digits_of_their_scale() {
        let shown = |answer, step| rounded_up(answer, step);
        assert_eq!(shown(11.811_023_622_047_244, 200.0 / 254.0), "11.82");
        assert_eq!(shown(-0.123_456, 0.1), "-0.12");
        assert_eq!(shown(20.000_000_000_000_004, 0.5), "20");
        assert_eq!(shown(11_811.02, 393.7), "11812");
        assert_eq!(shown(0.000_123_456, 1e-6), "0.0001235");
        assert_eq!([shown(12.345_678, 0.0), shown(1e300, 1e290)], ["12.345678", "1e300"]);
    }
}
