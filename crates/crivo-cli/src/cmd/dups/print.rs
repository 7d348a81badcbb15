//! The answers of `crivo dups`.

use super::documents::Collection;
use super::names::{Name, Names};
use super::stream::print_kept;
use super::{Question, Unit, What};
use crate::input::Input;
use crate::output::Target;
use crate::session::Session;
use anyhow::Result;
use crivo::Estimate;
use crivo::similarity::{Group, Summary, Verify};
use crivo_report::{Page, Records, Report, as_bar, count, json_text, number, percent, plural, size};
use serde::Serialize;
use std::time::Instant;

/// What is asked, where answers go, and what they are made from.
pub(super) struct Work {
    pub(super) question: Question,
    pub(super) target: Option<Target>,
    /// The documents once more; none where the input cannot be had without some.
    pub(super) input: Option<Input>,
    pub(super) record_end: u8,
    /// When it began, and when all was read.
    pub(super) begin: Instant,
    pub(super) read: Instant,
}

/// Compares all documents and shows what was asked for; the summary is left.
pub(super) fn answer(all: &Collection, verify: Verify<'_>, work: &Work, session: &Session) -> Result<Summed> {
    let question = work.question;
    if question.what == What::Pairs {
        let (mut pairs, mut shown, mut below) = (0, Ok(()), 0.0);
        let (is_estimated, params) = (matches!(verify, Verify::Signature), all.search.params());
        let summary = all.search.pairs(verify, |pair| {
            pairs += 1;
            // Fingerprints identify equal sets.
            let similarity = if is_estimated && pair.similarity < 1.0 {
                below += params.chance_below(pair.similarity);
                params.estimate(pair.similarity)
            } else {
                Estimate::exact(pair.similarity)
            };
            if shown.is_ok() {
                let [a, b] = [pair.first, pair.second].map(|document| all.names.for_machines(document));
                shown = session.show(&PairRecord { a, b, similarity });
            }
        })?;
        shown?;
        let below = (is_estimated && pairs > 0).then(|| below / pairs as f64);
        return Ok(Summed { pairs: Some(pairs), expected_below: below, ..Summed::new(all, summary, work) });
    }
    let (mut groups, summary) = if question.chains {
        all.search.components(verify, question.keep)?
    } else {
        all.search.groups(verify, question.keep)?
    };
    // The largest first; those of one size are in the order of the input.
    groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
    match (question.what, &work.input) {
        (What::Stream, Some(input)) => print_kept(all, &groups, input, work, session)?,
        _ => {
            for (place, group) in groups.iter().enumerate() {
                session.show(&Duplicates { group, names: &all.names, is_first: place == 0 })?;
            }
        }
    }
    let drop = groups.iter().flat_map(dropped);
    let bytes = drop.clone().filter_map(|document| all.sizes.get(document as usize));
    let bytes = bytes.map(|&bytes| u64::from(bytes)).sum();
    Ok(Summed {
        groups: Some(groups.len() as u64),
        dropped: Some(drop.count() as u64),
        // The records of --group are not kept.
        dropped_bytes: (question.unit != Unit::Group).then_some(bytes),
        ..Summed::new(all, summary, work)
    })
}

/// A pair. People get it as JSON, too.
#[derive(Serialize)]
#[serde(tag = "type", rename = "pair")]
struct PairRecord<'a> {
    a: Name<'a>,
    b: Name<'a>,
    #[serde(serialize_with = "as_bar")]
    similarity: Estimate,
}

impl Report for PairRecord<'_> {
    fn text(&self, page: &mut Page) {
        page.record(json_text(self).as_bytes(), b'\n');
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// A group of near-duplicates.
struct Duplicates<'a> {
    group: &'a Group,
    names: &'a Names,
    is_first: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "duplicates")]
struct DuplicatesRecord<'a> {
    keep: Name<'a>,
    drop: Vec<Name<'a>>,
}

impl Report for Duplicates<'_> {
    fn text(&self, page: &mut Page) {
        if !self.is_first {
            page.line("");
        }
        page.line(&format!("keep  {}", self.names.for_people(self.group.keep)));
        for document in dropped(self.group) {
            page.line(&format!("drop  {}", self.names.for_people(document)));
        }
    }

    fn records(&self, records: &mut Records) {
        let drop = dropped(self.group).map(|document| self.names.for_machines(document)).collect();
        records.row(&DuplicatesRecord { keep: self.names.for_machines(self.group.keep), drop });
    }
}

/// What was compared and found, after the answers in JSON and in addition to them in text. `empty` documents have no
/// words and are not compared, `distinct` ones have distinct sets, `candidates` pairs of these were compared and
/// `verified` are near-duplicates; a pair at the threshold is found with the probability `recall`; the share
/// `expected_below` of the pairs is expected to be below it, if signatures verified them; the search began when all was
/// read. The number of pairs is null for groups, the numbers of groups and of dropped documents are null for pairs, and
/// the bytes for `--group`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "dups")]
pub(super) struct Summed {
    documents: u64,
    empty: u64,
    distinct: u64,
    candidates: u64,
    verified: u64,
    pairs: Option<u64>,
    expected_below: Option<f64>,
    groups: Option<u64>,
    dropped: Option<u64>,
    dropped_bytes: Option<u64>,
    threshold: f64,
    recall: f64,
    seconds: f64,
    search_seconds: f64,
    #[serde(skip)]
    unit: Unit,
}

impl Summed {
    fn new(all: &Collection, summary: Summary, work: &Work) -> Self {
        let Summary { documents, different, candidates, verified, .. } = summary;
        let Question { threshold, unit, .. } = work.question;
        Self {
            documents,
            empty: all.empty,
            distinct: different,
            candidates,
            verified,
            pairs: None,
            expected_below: None,
            groups: None,
            dropped: None,
            dropped_bytes: None,
            threshold,
            recall: all.search.params().recall(threshold),
            seconds: work.begin.elapsed().as_secs_f64(),
            search_seconds: work.read.elapsed().as_secs_f64(),
            unit,
        }
    }
}

impl Report for Summed {
    fn text(&self, page: &mut Page) {
        let [one, many, empty] = match self.unit {
            Unit::Group => ["group", "groups", "records without an item left out"],
            Unit::Record => ["document", "documents", "without words skipped"],
            Unit::File => ["file", "files", "without words skipped"],
        };
        let mut parts = vec![plural(self.documents, one, many)];
        if self.empty > 0 {
            parts.push(format!("{} {empty}", count(self.empty)));
        }
        parts.push(format!("{} equal to another", count(self.documents - self.distinct)));
        parts.push(format!("{} compared", plural(self.candidates, "candidate pair", "candidate pairs")));
        parts.push(format!("{} verified", count(self.verified)));
        page.remark(&parts.join(", "));
        if let Some(pairs) = self.pairs {
            let pairs = plural(pairs, "pair of near-duplicates", "pairs of near-duplicates");
            let below = self.expected_below.map(|share| {
                format!(
                    "; about {} of them are below the threshold, as signatures are estimates",
                    percent(share)
                )
            });
            page.remark(&(pairs + &below.unwrap_or_default()));
        }
        if let (Some(groups), Some(dropped)) = (self.groups, self.dropped) {
            let bytes = self.dropped_bytes.map_or_else(String::new, |bytes| format!(" ({})", size(bytes)));
            let sets = plural(groups, "set of near-duplicates", "sets of near-duplicates");
            page.remark(&format!("{sets}; {}{bytes} can be dropped", plural(dropped, one, many)));
        }
        let recall = match self.recall {
            1.0 => "all pairs are found".into(),
            recall => format!(
                "{} of pairs with a similarity of {} are found",
                percent(recall),
                number(self.threshold)
            ),
        };
        let (seconds, search) = (self.seconds, self.search_seconds);
        page.remark(&format!("{recall}; {seconds:.2} s, {search:.2} s of it after reading"));
    }

    fn records(&self, records: &mut Records) {
        records.total(self);
    }
}

/// All but the one to keep.
pub(super) fn dropped(group: &Group) -> impl Iterator<Item = u32> + Clone {
    group.members.iter().copied().filter(|&document| document != group.keep)
}
