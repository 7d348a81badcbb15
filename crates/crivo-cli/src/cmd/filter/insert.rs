//! `crivo filter insert`: more items into a saved filter.

use super::change::{Change, Changing, print, save};
use super::different::different_hashes;
use super::inserter::Inserter;
use super::keeps_counts;
use crate::args::short_name;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::{Estimate, KindInfo};
use crivo_report::{Page, Records, Report, as_bar, count, plural};
use serde::Serialize;

/// Insert more items into a filter
///
/// Inserts each distinct item of the input once, and every occurrence into a spectral filter. A filter that supports deletion stores one more copy of an item that
/// it already contains, which can be removed as often as it was inserted; it keeps the hashes until all input is read.
/// The file is replaced in one step after the last item; until then, and after an error, it is unchanged. If two
/// commands change it at the same time, the later one waits up to ten seconds.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter insert words.crv more-words.txt
  crivo filter insert users.crv visits.csv --column user -o users-today.crv")]
pub(crate) struct Insert {
    #[command(flatten)]
    change: Change,
}

/// `inserted` were certainly not in the filter.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "inserted")]
pub(crate) struct Insertion {
    saved: String,
    kind: &'static str,
    items: u64,
    missing: u64,
    inserted: u64,
    /// Whether every occurrence counts, and not only the first one.
    #[serde(skip)]
    counts: bool,
    file_bytes: u64,
    #[serde(serialize_with = "as_bar")]
    fpr: Estimate,
}

impl Verb for Insert {
    type Report = Insertion;

    fn manner(&self) -> Manner {
        self.change.manner()
    }

    fn run(self, session: &Session) -> Result<Insertion> {
        let refusal = |info: &'static KindInfo| {
            let (name, short) = (info.kind.name(), short_name(info));
            info.insert.is_none().then(|| {
                format!(
                    "a {name} is static and accepts no more items; build it again from all of them, with: crivo filter build --kind \
                     {short}"
                )
            })
        };
        let changing = self.change.open(refusal, session)?;
        let Changing { filter, info, spec, target, limit, input, .. } = changing;
        let mut inserter = Inserter::new(filter, limit, "build a larger one with --capacity");
        let totals = if info.copies && !keeps_counts(info.kind) {
            let (hashes, totals) = different_hashes(input, spec, limit.max_memory, "insert in parts")?;
            inserter.insert_all(&hashes)?;
            totals
        } else {
            inserter.read(input, spec)?
        };
        let (filter, inserted) = inserter.finish();
        let (saved, file_bytes, fpr) = save(&*filter, &target, session)?;
        let (kind, items, missing) = (info.kind.name(), totals.items, totals.missing);
        let counts = keeps_counts(info.kind);
        Ok(Insertion { saved, kind, items, missing, inserted, counts, file_bytes, fpr })
    }
}

impl Report for Insertion {
    fn text(&self, page: &mut Page) {
        let (inserted, items) = (count(self.inserted), plural(self.items, "item", "items"));
        let what = if self.counts {
            format!("{items} added, {inserted} of them new")
        } else {
            format!("{inserted} inserted of {items}")
        };
        print(page, &self.saved, &what, self.file_bytes, &self.fpr, self.missing);
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}
