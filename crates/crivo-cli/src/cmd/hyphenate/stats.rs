//! What was done, and what the filter saved and cost.

use super::exceptions::Exceptions;
use super::text::Tally;
use crate::args::short_name;
use crate::cmd::filter::membership;
use crivo::Estimate;
use crivo_report::{Bar, Page, Records, Report, count, percent, plural, rate, size};
use serde::Serialize;

/// The figures of one run.
#[derive(Debug)]
pub(crate) struct Stats {
    tally: Tally,
    exceptions: u64,
    dictionary_bytes: u64,
    filter: Option<Filter>,
    /// Whether people are to be told.
    is_told: bool,
}

/// The filter that stands before the exceptions.
#[derive(Debug)]
struct Filter {
    name: &'static str,
    bytes: u64,
    fpr: Estimate,
}

/// `broken` words have `breaks`. The dictionary of exceptions was asked so often, and the word was `found` in it; the filter
/// `avoided` a look-up, or was wrong. What a filter has is null without one.
#[derive(Serialize)]
#[serde(tag = "type", rename = "hyphenation")]
struct StatsRecord {
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
    fpr: Option<Bar>,
    false_positives: Option<u64>,
}

impl Stats {
    pub(super) fn new(tally: Tally, exceptions: &Exceptions, is_told: bool) -> Self {
        let filter = exceptions.filter().and_then(|filter| {
            let (name, bytes) = (short_name(filter.kind().info()), filter.memory_bytes() as u64);
            Some(Filter { name, bytes, fpr: membership(filter)?.fpr() })
        });
        let dictionary_bytes = exceptions.memory_bytes() as u64;
        Self { tally, exceptions: exceptions.len() as u64, dictionary_bytes, filter, is_told }
    }

    /// Look-ups that the filter made needless.
    fn avoided(&self) -> u64 {
        self.tally.asked.times - self.tally.asked.looked_up
    }

    /// Look-ups in vain that the filter did not save.
    fn false_positives(&self) -> u64 {
        self.tally.asked.looked_up - self.tally.asked.found
    }
}

impl Report for Stats {
    /// Beside the answer, which is the text.
    fn text(&self, page: &mut Page) {
        if !self.is_told {
            return;
        }
        let Tally { words, broken, breaks, asked } = self.tally;
        page.remark(&format!(
            "{}, {} of them with {}",
            plural(words, "word", "words"),
            count(broken),
            plural(breaks, "break", "breaks")
        ));
        if self.exceptions == 0 {
            return;
        }
        page.remark(&format!(
            "{} in a dictionary of {}: asked {}, {} found",
            plural(self.exceptions, "exception", "exceptions"),
            size(self.dictionary_bytes),
            plural(asked.times, "time", "times"),
            count(asked.found)
        ));
        let Some(Filter { name, bytes, fpr }) = &self.filter else {
            return page.remark("no filter: each was looked up");
        };
        page.remark(&format!(
            "{name} filter of {}: {} saved{}",
            size(*bytes),
            plural(self.avoided(), "look-up", "look-ups"),
            share(self.avoided(), asked.times)
        ));
        let others = asked.times - asked.found;
        page.remark(&format!(
            "{} among {}{}; stated: {}",
            plural(self.false_positives(), "false positive", "false positives"),
            plural(others, "other", "others"),
            share(self.false_positives(), others),
            rate(fpr)
        ));
    }

    fn records(&self, records: &mut Records) {
        let Tally { words, broken, breaks, asked } = self.tally;
        let filter = self.filter.as_ref();
        records.total(&StatsRecord {
            words,
            broken,
            breaks,
            exceptions: self.exceptions,
            dictionary_bytes: self.dictionary_bytes,
            asked: asked.times,
            found: asked.found,
            avoided: self.avoided(),
            filter: filter.map(|filter| filter.name),
            filter_bytes: filter.map(|filter| filter.bytes),
            fpr: filter.map(|filter| filter.fpr.into()),
            false_positives: filter.map(|_| self.false_positives()),
        });
    }
}

/// `, 1.5 %`; nothing of nothing.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!(", {}", percent(part as f64 / whole as f64)) }
}
