//! `crivo plan`: from a target to a size, a cost and the command to run.

mod cardinality;
mod choices;
mod duplicates;
mod frequency;
mod graph;
mod membership;
mod profile;
mod quantiles;
mod row;
mod sampling;
mod similarity;
mod values;

use crate::args::{DEFAULT_MAX_MEMORY, FormArgs};
use crate::session::{Manner, Session};
use crate::verb::{Verb, answers};
use anyhow::Result;
use clap::{Args, Subcommand};
use crivo::MergeLaw;
use crivo_report::{Align, Page, Records, Report, Table};
use row::Row;
use serde::Serialize;

/// Find the size of a sketch for a target, and the command that makes it
///
/// Compares all structures that answer a question: their memory at the target and at higher and lower ones, the cost of
/// an insertion and a query, and how they merge. Without a question, lists which plan answers which.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  crivo plan
  crivo plan membership --items 1e9 --fpr 0.001
  crivo plan membership --items 1e9 --fpr 0.001 --kind cuckoo
  crivo plan cardinality --error 0.01
  crivo plan frequency --error 0.0001 --delta 0.01"
)]
pub(crate) struct Plan {
    #[command(subcommand)]
    question: Option<Question>,

    #[command(flatten)]
    form: FormArgs,
}

#[derive(Debug, Subcommand)]
enum Question {
    Membership(membership::Membership),
    Cardinality(cardinality::Cardinality),
    Frequency(frequency::Frequency),
    Quantiles(quantiles::Quantiles),
    Sampling(sampling::Sampling),
    Similarity(similarity::Similarity),
    Duplicates(duplicates::Duplicates),
    Values(values::Values),
    Graph(graph::Graph),
    Kmers(graph::Sequences),
    Profile(profile::Profile),
}

/// Which plan answers which question.
const QUESTIONS: [(&str, &str); 11] = [
    ("is it there?", "crivo plan membership --items 1e6 --fpr 0.01"),
    ("how many distinct?", "crivo plan cardinality --error 0.01"),
    ("how often, which most?", "crivo plan frequency --error 0.0001"),
    ("which rank, how many in a range?", "crivo plan quantiles --error 0.001"),
    ("which are typical?", "crivo plan sampling --error 0.01"),
    ("how similar?", "crivo plan similarity --error 0.02"),
    ("which are nearly the same?", "crivo plan duplicates --items 1e6 --threshold 0.8"),
    ("which value has it?", "crivo plan values --items 1e6 --distortion 0.01"),
    ("are they joined?", "crivo plan graph --edges 1e6 --fpr 0.01"),
    ("what follows what in sequences?", "crivo plan kmers --kmers 1e6 --fpr 0.05"),
    ("what is in a table?", "crivo plan profile --columns 20 --error 0.02"),
];

answers!(Question: Membership, Cardinality, Frequency, Quantiles, Sampling, Similarity, Duplicates, Values, Graph, Kmers, Profile);

impl Plan {
    /// From the flags to the exit code, in the session that `begin` opens.
    pub(crate) fn answer(self, begin: &dyn Fn(Manner) -> Session) -> Result<u8> {
        match self.question {
            Some(question) => question.answer(begin),
            None => Verb::answer(self, begin),
        }
    }
}

/// Without a question.
impl Verb for Plan {
    type Report = Questions;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, _session: &Session) -> Result<Questions> {
        Ok(Questions)
    }
}

/// All plans.
pub(crate) struct Questions;

#[derive(Serialize)]
#[serde(tag = "type", rename = "question")]
struct QuestionRecord {
    question: &'static str,
    command: &'static str,
}

impl Report for Questions {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Left]);
        for (question, command) in QUESTIONS {
            table.push([question, command].map(str::to_owned));
        }
        if table.width() <= page.width() {
            table.print(page);
            return;
        }
        for (question, command) in QUESTIONS {
            page.line(&format!("# {question}"));
            page.line(command);
        }
    }

    fn records(&self, records: &mut Records) {
        for (question, command) in QUESTIONS {
            records.row(&QuestionRecord { question, command });
        }
    }
}

/// The row of the target, which must exist, with those of its neighbours that do, `step` times apart.
fn around<E>(target: f64, step: f64, row: impl Fn(f64) -> Result<Row, E>) -> Result<Vec<Row>, E> {
    let asked = Row { asked: true, ..row(target)? };
    let at = |factor: f64| {
        Some(round_to_digits(target * factor)).filter(|&near| near < 1.0).and_then(|near| row(near).ok())
    };
    Ok(at(step).into_iter().chain([asked]).chain(at(1.0 / step)).chain(at(1.0 / (step * step))).collect())
}

/// Removes the noise of floating-point multiplication: 0.1 of 0.01 is 0.001.
fn round_to_digits(value: f64) -> f64 {
    format!("{value:.12e}").parse().unwrap_or(value)
}

/// Returns the flag without which a sketch of this many bytes is refused.
fn permission(bytes: u64) -> String {
    if bytes <= DEFAULT_MAX_MEMORY {
        String::new()
    } else {
        format!(" --max-memory {}GiB", bytes.div_ceil(1 << 30))
    }
}

/// How a kind merges, in a word.
fn law(law: Option<MergeLaw>) -> Option<&'static str> {
    Some(match law? {
        MergeLaw::Exact => "exact",
        MergeLaw::Distribution => "by distribution",
        _ => "bounded",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Folder;
    use serde_json::Value;

    #[test]
    fn every_plan_answers_a_question() {
        let command = Plan::augment_args(clap::Command::new("plan"));
        let plans = command.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>();
        let listed = QUESTIONS.map(|(_, line)| line.split(' ').nth(2).unwrap());
        assert_eq!(plans, listed);
    }

    #[test]
    fn alone_it_lists_the_questions() {
        let (text, json) = (Folder::new().printed::<Plan>(""), Folder::new().printed::<Plan>("--json"));
        assert_eq!((text.lines().count(), json.lines().count()), (2 * QUESTIONS.len(), QUESTIONS.len()));
        let (question, command) = QUESTIONS[0];
        assert!(text.starts_with(&format!("# {question}\n{command}\n")), "{text}");
        let first =
            format!("{{\"type\":\"question\",\"question\":\"{question}\",\"command\":\"{command}\"}}\n");
        assert!(json.starts_with(&first), "{json}");
    }

    /// A plan, as text and as rows.
    type Planned = fn(&str) -> (String, Vec<Value>);

    fn planned<V: Verb + Args>(flags: &str) -> (String, Vec<Value>) {
        let lines = Folder::new().printed::<V>(&format!("{flags} --json"));
        let rows = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (Folder::new().printed::<V>(flags), rows)
    }

    /// Questions whose sizes follow from a formula.
    const PLANS: [(Planned, &str); 10] = [
        (planned::<membership::Membership>, "--items 3000 --fpr 0.01"),
        (planned::<duplicates::Duplicates>, "--items 1000 --threshold 0.7"),
        (planned::<frequency::Frequency>, "--error 0.01 --delta 0.05 -k 3"),
        (planned::<quantiles::Quantiles>, "--error 0.01"),
        (planned::<sampling::Sampling>, "--error 0.1 --record 5"),
        (planned::<similarity::Similarity>, "--error 0.05"),
        (planned::<values::Values>, "--items 1000 --distortion 0.02"),
        (planned::<graph::Graph>, "--edges 999 --fpr 0.003"),
        (planned::<graph::Sequences>, "--kmers 2000 --fpr 0.02 -k 21"),
        (planned::<profile::Profile>, "--columns 1 --error 0.05"),
    ];

    #[test]
    fn a_target_is_met_and_not_far_exceeded() {
        for (plan, flags) in PLANS {
            let rows = plan(flags).1;
            assert!(rows.iter().any(|row| row["asked"] == true), "{flags}");
            for row in rows.iter().filter(|row| row["asked"] == true) {
                let [target, achieved] = ["target", "achieved"].map(|name| row[name].as_f64().unwrap());
                // Whole numbers of bits, rows and counters do not hit every rate.
                assert!(achieved <= target && achieved > 0.15 * target, "{flags}: {row}");
            }
        }
    }

    /// But for filters, which are compared at one rate, and near-duplicates, whose bands and rows are traded for each other.
    #[test]
    fn more_precision_takes_more_memory() {
        for (plan, flags) in PLANS.into_iter().skip(2) {
            let (text, rows) = plan(flags);
            let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
            for pair in rows.windows(2) {
                let [target, bytes] =
                    ["target", "memory_bytes"].map(|name| (number(&pair[0], name), number(&pair[1], name)));
                assert!(target.0 <= target.1 || bytes.0 <= bytes.1, "{flags}: {pair:?}");
            }
            for row in rows {
                let is_told = text.contains(row["command"].as_str().unwrap());
                assert_eq!(is_told, row["asked"] == true, "{flags}: {text}");
            }
        }
    }

    #[test]
    fn targets_out_of_reach_are_refused() {
        fn error<V: Verb + Args>(flags: &str) -> String {
            Folder::new().error::<V>(flags)
        }
        for (error, word) in [
            (error::<sampling::Sampling>("--error 0.000001"), "0.000015"),
            (error::<quantiles::Quantiles>("--error 0.0000001"), "0.0000021"),
            (error::<similarity::Similarity>("--error 0.0001"), "too many slots"),
            (error::<duplicates::Duplicates>("--items 0"), "at least 1"),
            (error::<duplicates::Duplicates>("--items 10 --threshold 0.0001"), "slots"),
            (error::<values::Values>("--items 0"), "at least 1"),
            (error::<graph::Graph>("--edges 0"), "at least 1"),
            (error::<graph::Sequences>("--kmers 0"), "at least 1"),
            (error::<graph::Sequences>("--kmers 10 -k 64"), "63"),
            (error::<membership::Membership>("--items 0"), "at least 1 item"),
            (error::<cardinality::Cardinality>("--items 0"), "at least 1"),
            (error::<profile::Profile>("--columns 0"), "at least 1"),
        ] {
            assert!(error.contains(word), "{word}: {error}");
        }
    }
}
