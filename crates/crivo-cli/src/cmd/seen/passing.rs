//! Records pass or are held back.

use super::known::{Known, Mistakes};
use super::state::State;
use crate::cmd::header::Header;
use crate::input::{Batch, Totals};
use crate::session::Session;
use anyhow::Result;
use crivo::DEFAULT_CONFIDENCE;
use crivo::stats::binomial_quantile;
use crivo_report::{Bar, Page, Records, Report, Text, count, number, percent, plural};
use serde::Serialize;

pub(super) struct Passing<'a> {
    session: &'a Session,
    known: Known,
    state: Option<State>,
    /// The rate that was asked for.
    asked_fpr: f64,
    record_end: u8,
    /// Whether the records pass that came before, instead of the new ones.
    invert: bool,
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
    /// Whether the rate is higher than asked for, and a warning was printed.
    is_overfull: bool,
    /// Whether some of what is known may not have been written out.
    has_unwritten: bool,
}

impl<'a> Passing<'a> {
    pub(super) fn new(
        known: Known,
        state: Option<State>,
        asked_fpr: f64,
        record_end: u8,
        invert: bool,
        session: &'a Session,
    ) -> Self {
        Self {
            session,
            fpr: known.fpr(),
            known,
            state,
            asked_fpr,
            record_end,
            invert,
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

    pub(super) fn take(&mut self, batch: &Batch<'_>) -> Result<()> {
        let is_first_of_table = self.header.see(batch)?;
        self.has_unwritten = true;
        let new_before = self.new;
        self.insert(batch)?;
        let head = if is_first_of_table { batch.head } else { &[] };
        let Self { is_new, record_end, invert, .. } = self;
        self.session.show(&Passed { batch, is_new, head, record_end: *record_end, invert: *invert })?;
        // A reader may be waiting at the other end of a slow pipe.
        self.session.flush()?;
        self.has_unwritten = false;
        if let (Some(state), Some(sketch)) = (&mut self.state, self.known.sketch()) {
            let is_changed_by =
                if self.known.minds_repeats() { batch.items as u64 } else { self.new - new_before };
            state.has_changed(is_changed_by);
            state.save_in_time(sketch, self.session)?;
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

    /// Adds up the expected losses, and warns if the rate exceeds the one asked for.
    fn look(&mut self) {
        /// Chance lifts the rate of the planned items a little, and more so in a small filter.
        const TOO_MUCH: f64 = 2.0;
        self.items_since = 0;
        if self.new_since == 0 {
            return;
        }
        let fpr = self.known.fpr();
        // For each new item that passes, this many do not: between two checks, the mean of both.
        let lost_for_each = |fpr: f64| fpr / (1.0 - fpr);
        self.lost += self.new_since as f64 * (lost_for_each(self.fpr) + lost_for_each(fpr)) / 2.0;
        (self.fpr, self.new_since) = (fpr, 0);
        if fpr > TOO_MUCH * self.asked_fpr && !self.is_overfull {
            self.is_overfull = true;
            self.session.remark(&format!(
                "a new record is now mistaken for a known one with a probability of {}, not {}; start again with a \
                 larger --capacity",
                percent(fpr),
                percent(self.asked_fpr)
            ));
        }
    }

    /// Saves the state, unless it knows of records that nobody has got.
    pub(super) fn end(&mut self) -> Result<()> {
        match (&mut self.state, self.known.sketch()) {
            (Some(state), Some(sketch)) if !self.has_unwritten => state.save_rest(sketch, self.session),
            _ => Ok(()),
        }
    }

    /// What passed in all.
    pub(super) fn passage(&mut self, totals: &Totals, is_told: bool) -> Passage {
        self.look();
        let (rows, first_come) = (totals.items + totals.missing, self.new + totals.missing);
        let passed = if self.invert { rows - first_come } else { first_come };
        // The records that came for the first time, whether they passed or not.
        let first = self.new as f64 + self.lost;
        let lost_most = match self.lost {
            0.0 => 0.0,
            lost => binomial_quantile(first.ceil() as u64, lost / first.ceil(), DEFAULT_CONFIDENCE),
        };
        Passage {
            rows,
            passed,
            missing: totals.missing,
            fpr: self.known.fpr(),
            lost: self.lost,
            lost_most,
            mistakes: self.known.mistakes(),
            invert: self.invert,
            is_told,
        }
    }
}

/// The records of a batch that pass.
struct Passed<'a> {
    batch: &'a Batch<'a>,
    is_new: &'a [bool],
    /// What stands above the records of a table, before the first of them.
    head: &'a [u8],
    record_end: u8,
    invert: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "passed")]
struct PassedRecord<'a> {
    record: Text<'a>,
}

impl Report for Passed<'_> {
    /// Records that pass one after the other are written at once, with all that stands between them.
    fn text(&self, page: &mut Page) {
        page.bytes(self.head);
        let mut passing = 0..0;
        for (record, place) in self.batch.places().enumerate() {
            // A record without a value counts as new.
            if place.is_none_or(|place| self.is_new[place]) == self.invert {
                page.bytes(self.batch.written(passing));
                passing = record + 1..record + 1;
            } else {
                passing.end = record + 1;
            }
        }
        let rest = self.batch.written(passing);
        page.bytes(rest);
        // The last record of a file may lack its line end.
        if !rest.is_empty() && !rest.ends_with(&[self.record_end]) {
            page.bytes(&[self.record_end]);
        }
    }

    fn records(&self, records: &mut Records) {
        let records_of_batch = self.batch.records(self.is_new);
        let passing = records_of_batch.filter(|(_, is_new)| is_new.unwrap_or(true) != self.invert);
        for (record, _) in passing {
            records.row(&PassedRecord { record: Text::from(record) });
        }
    }
}

/// How many records passed, and how many were probably lost.
#[derive(Debug, PartialEq)]
pub(crate) struct Passage {
    pub(super) rows: u64,
    pub(super) passed: u64,
    /// Records without a value, which count as new.
    missing: u64,
    /// The probability that the next new record is held back.
    fpr: f64,
    /// How many new ones were expected to be held back, and at most.
    pub(super) lost: f64,
    lost_most: f64,
    mistakes: Mistakes,
    /// Whether the records passed that came before.
    invert: bool,
    /// Whether the figures are printed as text.
    is_told: bool,
}

/// `missing` have no value and count as new; `lost` were taken for known ones though they were new, as would be the next with
/// the probability `fpr`.
#[derive(Serialize)]
#[serde(tag = "type", rename = "seen")]
struct SeenRecord {
    rows: u64,
    passed: u64,
    held_back: u64,
    missing: u64,
    fpr: f64,
    lost: Bar,
}

impl Report for Passage {
    fn text(&self, page: &mut Page) {
        if !self.is_told {
            return;
        }
        let records = plural(self.rows, "record", "records");
        let held_back = count(self.rows - self.passed);
        page.remark(&format!("{records}: {} passed, {held_back} held back", count(self.passed)));
        if self.missing > 0 {
            let missing = plural(self.missing, "record without a value", "records without a value");
            page.remark(&format!("{missing} {} unchecked", if self.invert { "held back" } else { "passed" }));
        }
        page.remark(&if self.mistakes == Mistakes::Never {
            "no new record was mistaken for a known one".into()
        } else {
            format!(
                "new records {}: {} expected, at most {} ({}); for the next one the probability is {}",
                if self.invert { "printed by mistake" } else { "lost" },
                number(self.lost),
                count(self.lost_most as u64),
                percent(DEFAULT_CONFIDENCE),
                percent(self.fpr)
            )
        });
        if self.mistakes == Mistakes::ByChanceAndLate {
            page.remark("records from up to a quarter of the window earlier may count as known");
        }
    }

    fn records(&self, records: &mut Records) {
        let Self { rows, passed, missing, fpr, .. } = *self;
        let lost = Bar::approximate(self.lost, 0.0, self.lost_most.max(self.lost));
        records.total(&SeenRecord { rows, passed, held_back: rows - passed, missing, fpr, lost });
    }
}
