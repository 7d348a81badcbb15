//! What was done, and what the filter saved and cost.

use super::exceptions::Exceptions;
use super::text::Tally;
use crate::args::short_name;
use crate::cmd::filter::membership;
use crate::output::{Answer, count, percent, plural, rate, remark, size};
use crivo::Estimate;
use crivo::sketch::Sketch;

/// The figures of one run.
pub(super) struct Stats<'a> {
    tally: Tally,
    exceptions: &'a Exceptions,
    filter: Option<(&'a dyn Sketch, Estimate)>,
}

impl<'a> Stats<'a> {
    pub(super) fn new(tally: Tally, exceptions: &'a Exceptions) -> Self {
        let fpr = |filter: &'a dyn Sketch| Some((filter, membership(filter)?.fpr()));
        Self { tally, exceptions, filter: exceptions.filter().and_then(fpr) }
    }

    /// Look-ups that the filter made needless.
    fn saved(&self) -> u64 {
        self.tally.asked.times - self.tally.asked.looked_up
    }

    /// Look-ups in vain that the filter did not save.
    fn false_positives(&self) -> u64 {
        self.tally.asked.looked_up - self.tally.asked.found
    }

    pub(super) fn json(&self) -> Answer<'static> {
        let Tally { words, broken, breaks, asked } = self.tally;
        let filter = self.filter.as_ref();
        Answer::Hyphenation {
            words,
            broken,
            breaks,
            exceptions: self.exceptions.len() as u64,
            dictionary_bytes: self.exceptions.memory_bytes() as u64,
            asked: asked.times,
            found: asked.found,
            saved: self.saved(),
            filter: filter.map(|(filter, _)| short_name(filter.kind().info())),
            filter_bytes: filter.map(|(filter, _)| filter.memory_bytes() as u64),
            fpr: filter.map(|&(_, fpr)| fpr.into()),
            false_positives: filter.map(|_| self.false_positives()),
        }
    }

    /// To standard error, as standard output has the text.
    pub(super) fn print(&self) {
        let Tally { words, broken, breaks, asked } = self.tally;
        remark(&format!(
            "{}, {} of them with {}",
            plural(words, "word", "words"),
            count(broken),
            plural(breaks, "break", "breaks")
        ));
        if self.exceptions.len() == 0 {
            return;
        }
        remark(&format!(
            "{} in a dictionary of {}: asked {}, {} found",
            plural(self.exceptions.len() as u64, "exception", "exceptions"),
            size(self.exceptions.memory_bytes() as u64),
            plural(asked.times, "time", "times"),
            count(asked.found)
        ));
        let Some((filter, fpr)) = &self.filter else {
            return remark("no filter: each was looked up");
        };
        remark(&format!(
            "{} filter of {}: {} saved{}",
            short_name(filter.kind().info()),
            size(filter.memory_bytes() as u64),
            plural(self.saved(), "look-up", "look-ups"),
            share(self.saved(), asked.times)
        ));
        let others = asked.times - asked.found;
        remark(&format!(
            "{} among {}{}; stated: {}",
            plural(self.false_positives(), "false positive", "false positives"),
            plural(others, "other", "others"),
            share(self.false_positives(), others),
            rate(fpr)
        ));
    }
}

/// `, 1.5 %`; nothing of nothing.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!(", {}", percent(part as f64 / whole as f64)) }
}
