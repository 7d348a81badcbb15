//! Records pass or are held back.

use super::Seen;
use super::known::Known;
use super::state::State;
use crate::cmd::header::Header;
use crate::input::{Batch, Totals};
use crate::output::{Answer, Bar, Output, Text, count, number, percent, plural, remark};
use crate::session::Session;
use anyhow::Result;
use crivo::DEFAULT_CONFIDENCE;
use crivo::stats::binomial_quantile;

pub(super) struct Passing<'a> {
    verb: &'a Seen,
    known: Known,
    state: Option<State>,
    output: Output,
    header: Header,
    /// For each item of the present batch.
    is_new: Vec<bool>,
    /// Items that passed.
    new: u64,
    /// Items, and those that passed, since the last look at the rate; and the rate then.
    items_since: usize,
    new_since: u64,
    fpr: f64,
    /// How many items were expected to be held back though they were new.
    lost: f64,
    /// Whether the rate is higher than asked for, and that was told.
    is_overfull: bool,
    /// Whether some of what is known may not have been written out.
    has_unwritten: bool,
}

impl<'a> Passing<'a> {
    pub(super) fn new(verb: &'a Seen, known: Known, state: Option<State>) -> Self {
        Self {
            verb,
            fpr: known.fpr(),
            known,
            state,
            output: Output::new(),
            header: Header::default(),
            is_new: Vec::new(),
            new: 0,
            items_since: 0,
            new_since: 0,
            lost: 0.0,
            is_overfull: false,
            has_unwritten: false,
        }
    }

    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    pub(super) fn take(&mut self, batch: &Batch<'_>, session: &Session) -> Result<()> {
        let is_first_of_table = self.header.see(batch)?;
        self.has_unwritten = true;
        let new_before = self.new;
        self.insert(batch)?;
        if self.verb.json {
            self.print_json(batch)?;
        } else {
            if is_first_of_table {
                self.output.bytes(batch.head)?;
            }
            self.print(batch)?;
        }
        // Somebody may be waiting at the other end of a slow pipe.
        self.output.flush()?;
        self.has_unwritten = false;
        if let (Some(state), Some(sketch)) = (&mut self.state, self.known.sketch()) {
            let is_changed_by =
                if self.known.minds_repeats() { batch.items as u64 } else { self.new - new_before };
            state.has_changed(is_changed_by);
            state.save_in_time(sketch, session)?;
        }
        Ok(())
    }

    /// The rate is looked at after the same items however they come in batches.
    fn insert(&mut self, batch: &Batch<'_>) -> Result<()> {
        self.is_new.clear();
        let mut begin = 0;
        while begin < batch.items {
            let left = self.known.look_after() - self.items_since;
            let end = batch.items.min(begin.saturating_add(left));
            self.known.insert(batch, begin..end, &mut self.is_new)?;
            let new = self.is_new[begin..].iter().filter(|&&is_new| is_new).count() as u64;
            (self.new, self.new_since) = (self.new + new, self.new_since + new);
            self.items_since += end - begin;
            if end - begin == left {
                self.look();
            }
            begin = end;
        }
        Ok(())
    }

    /// Adds up what was lost, and tells of more than was asked for.
    fn look(&mut self) {
        /// Chance lifts the rate of the planned items a little, and more so in a small filter.
        const TOO_MUCH: f64 = 2.0;
        self.items_since = 0;
        if self.new_since == 0 {
            return;
        }
        let fpr = self.known.fpr();
        // For each new item that passes, so many do not: between two looks, the mean of both.
        let lost_for_each = |fpr: f64| fpr / (1.0 - fpr);
        self.lost += self.new_since as f64 * (lost_for_each(self.fpr) + lost_for_each(fpr)) / 2.0;
        (self.fpr, self.new_since) = (fpr, 0);
        if fpr > TOO_MUCH * self.verb.fpr() && !self.is_overfull && !self.verb.quiet {
            self.is_overfull = true;
            remark(&format!(
                "a new record is now lost with a probability of {}, not {}; begin anew with a larger --capacity",
                percent(fpr),
                percent(self.verb.fpr())
            ));
        }
    }

    /// Records that pass one after the other are written at once, with all that stands between them.
    fn print(&mut self, batch: &Batch<'_>) -> Result<()> {
        let mut passing = 0..0;
        for (record, place) in batch.places().enumerate() {
            if place.is_some_and(|place| !self.is_new[place]) {
                self.output.bytes(batch.written(passing))?;
                passing = record + 1..record + 1;
            } else {
                passing.end = record + 1;
            }
        }
        let rest = batch.written(passing);
        self.output.bytes(rest)?;
        let end = [self.verb.input.record_end()];
        // The last record of a file may lack its line end.
        if rest.is_empty() || rest.ends_with(&end) { Ok(()) } else { self.output.bytes(&end) }
    }

    fn print_json(&mut self, batch: &Batch<'_>) -> Result<()> {
        let passing = batch.records(&self.is_new).filter(|(_, is_new)| *is_new != Some(false));
        for (record, _) in passing {
            self.output.json(&Answer::Passed { record: Text::from(record) })?;
        }
        Ok(())
    }

    /// Saves the state, unless it knows of records that nobody has got.
    pub(super) fn end(&mut self, session: &Session) -> Result<()> {
        match (&mut self.state, self.known.sketch()) {
            (Some(state), Some(sketch)) if !self.has_unwritten => state.save_rest(sketch, session),
            _ => Ok(()),
        }
    }

    pub(super) fn report(&mut self, totals: &Totals) -> Result<()> {
        self.look();
        let (records, passed) = (totals.items + totals.nulls, self.new + totals.nulls);
        let held_back = records - passed;
        // The records that came for the first time, whether they passed or not.
        let first = self.new as f64 + self.lost;
        let most = match self.lost {
            0.0 => 0.0,
            lost => binomial_quantile(first.ceil() as u64, lost / first.ceil(), DEFAULT_CONFIDENCE),
        };
        let fpr = self.known.fpr();
        if self.verb.json {
            let lost = Bar::approximate(self.lost, 0.0, most.max(self.lost));
            self.output.json(&Answer::Seen { records, passed, held_back, nulls: totals.nulls, fpr, lost })?;
            self.output.flush()?;
        } else if self.verb.stats {
            let records = plural(records, "record", "records");
            remark(&format!("{records}: {} passed, {} held back", count(passed), count(held_back)));
            if totals.nulls > 0 {
                remark(&format!(
                    "{} passed unseen",
                    plural(totals.nulls, "record without a value", "records without a value")
                ));
            }
            remark(&if self.verb.exact {
                "no new record was held back".into()
            } else {
                format!(
                    "new records held back: {} expected, {} at most ({}); the next one is with {}",
                    number(self.lost),
                    count(most as u64),
                    percent(DEFAULT_CONFIDENCE),
                    percent(fpr)
                )
            });
        }
        Ok(())
    }
}
