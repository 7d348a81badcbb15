//! The report of `crivo values build`.

use crate::input::Totals;
use crate::output::Target;
use crate::session::Session;
use anyhow::Result;
use crivo::sketch::{Fact, Sketch};
use crivo::{Estimate, Kind};
use crivo_report::{Page, Records, Report, as_bar, as_facts, count, percent, plural, rate, size};
use serde::Serialize;

/// What a filter holds, and how well.
pub(super) struct Summary {
    pub(super) totals: Totals,
    pub(super) distortion: f64,
    pub(super) fpr: Estimate,
    pub(super) keys: u64,
    pub(super) different: Estimate,
}

impl Summary {
    /// Saves the filter.
    pub(super) fn write(self, sketch: &dyn Sketch, target: &Target, session: &Session) -> Result<Built> {
        let bytes = sketch.to_bytes();
        target.write(&bytes, session)?;
        Ok(Built {
            saved: target.name(),
            kind: sketch.kind().name(),
            items: self.totals.items,
            missing: self.totals.missing,
            distortion: self.distortion,
            file_bytes: bytes.len() as u64,
            memory_bytes: sketch.memory_bytes() as u64,
            fpr: self.fpr,
            facts: sketch.facts(),
            keys: self.keys,
            different: self.different,
        })
    }
}

/// A filter of values was built and saved; a share `distortion` of its keys is overestimated.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "values")]
pub(crate) struct Built {
    saved: String,
    pub(super) kind: &'static str,
    pub(super) items: u64,
    pub(super) missing: u64,
    pub(super) distortion: f64,
    pub(super) file_bytes: u64,
    pub(super) memory_bytes: u64,
    #[serde(serialize_with = "as_bar")]
    pub(super) fpr: Estimate,
    #[serde(serialize_with = "as_facts")]
    pub(super) facts: Vec<Fact>,
    /// How many distinct keys it was made for.
    #[serde(skip)]
    pub(super) keys: u64,
    /// The estimated number of distinct keys.
    #[serde(skip)]
    pub(super) different: Estimate,
}

impl Report for Built {
    fn text(&self, page: &mut Page) {
        let (values, size) = (plural(self.items, "value", "values"), size(self.file_bytes));
        page.line(&format!("{}: {} of {values} in {size}", self.saved, self.kind));
        let keys = plural(self.keys, "distinct key", "distinct keys");
        page.line(&if self.kind == Kind::BloomierFilter.name() {
            format!("exact values of {keys}")
        } else {
            format!("overestimated values: {} of {keys}", percent(self.distortion))
        });
        page.line(&format!("false-positive rate: {}", rate(&self.fpr)));
        if self.missing > 0 {
            let records = plural(self.missing, "record", "records");
            page.line(&format!("{records} without a key or a value left out"));
        }
        // The number of keys is an estimate: a tenth more is not by chance.
        if self.different.lower() > 1.1 * self.keys as f64 {
            page.remark(&format!(
                "there are more distinct keys than the {} planned, so more answers are too large; raise --items",
                count(self.keys)
            ));
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}
