//! What was done, and what the filter saved and cost.

use super::exceptions::Exceptions;
use super::text::Tally;
use crate::args::short_name;
use crate::cmd::filter::membership;
use crivo::Estimate;
use crivo::sketch::Membership;
use crivo_report::{Page, Records, Report, as_bar_or_null, count, percent, plural, rate, size};
use serde::Serialize;

/// The figures of one run: `broken` words have `breaks`. The dictionary of exceptions was `asked` this often, and the
/// word was `found` in it; the filter `avoided` a look-up, or was wrong. The fields of the filter are null without one.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "hyphenation")]
pub(crate) struct Stats {
    words: u64,
    broken: u64,
    breaks: u64,
    exceptions: u64,
    dictionary_bytes: u64,
    asked: u64,
    found: u64,
    avoided: u64,
    filter: Option<&'static str>,
    filter_bytes: Option<u64>,
    #[serde(serialize_with = "as_bar_or_null")]
    fpr: Option<Estimate>,
    /// Look-ups in vain that the filter did not save.
    false_positives: Option<u64>,
    /// Whether the figures are printed as text.
    #[serde(skip)]
    is_told: bool,
}

impl Stats {
    pub(super) fn new(tally: Tally, exceptions: &Exceptions, is_told: bool) -> Self {
        let Tally { words, broken, breaks, asked } = tally;
        let filter = exceptions.filter();
        Self {
            words,
            broken,
            breaks,
            exceptions: exceptions.len() as u64,
            dictionary_bytes: exceptions.memory_bytes() as u64,
            asked: asked.times,
            found: asked.found,
            avoided: asked.times - asked.looked_up,
            filter: filter.map(|filter| short_name(filter.kind().info())),
            filter_bytes: filter.map(|filter| filter.memory_bytes() as u64),
            fpr: filter.and_then(membership).map(Membership::fpr),
            false_positives: filter.map(|_| asked.looked_up - asked.found),
            is_told,
        }
    }
}

impl Report for Stats {
    /// Printed in addition to the answer, which is the text.
    fn text(&self, page: &mut Page) {
        if !self.is_told {
            return;
        }
        page.remark(&format!(
            "{}, {} of them with {}",
            plural(self.words, "word", "words"),
            count(self.broken),
            plural(self.breaks, "break", "breaks")
        ));
        if self.exceptions == 0 {
            return;
        }
        page.remark(&format!(
            "{} in a dictionary of {}: asked {}, {} found",
            plural(self.exceptions, "exception", "exceptions"),
            size(self.dictionary_bytes),
            plural(self.asked, "time", "times"),
            count(self.found)
        ));
        let (Some(name), Some(bytes), Some(fpr)) = (self.filter, self.filter_bytes, &self.fpr) else {
            return page.remark("no filter: each was looked up");
        };
        page.remark(&format!(
            "{name} filter of {}: {} saved{}",
            size(bytes),
            plural(self.avoided, "look-up", "look-ups"),
            share(self.avoided, self.asked)
        ));
        let (wrong, others) = (self.false_positives.unwrap_or_default(), self.asked - self.found);
        page.remark(&format!(
            "{} among {}{}; stated: {}",
            plural(wrong, "false positive", "false positives"),
            plural(others, "other", "others"),
            share(wrong, others),
            rate(fpr)
        ));
    }

    fn records(&self, records: &mut Records) {
        records.total(self);
    }
}

/// `, 1.5 %`; nothing of nothing.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!(", {}", percent(part as f64 / whole as f64)) }
}
