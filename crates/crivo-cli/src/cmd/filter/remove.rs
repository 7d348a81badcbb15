//! `crivo filter remove`: items out of a saved filter.

use super::change::{Change, Changing, print, save};
use super::different::different_hashes;
use super::keeps_counts;
use crate::args::{FilterKind, short_name};
use crate::input::Wants;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result};
use clap::Args;
use crivo::{ErrorKind, Estimate, KindInfo};
use crivo_report::{Page, Records, Report, as_bar, plural};
use serde::Serialize;
use std::ops::ControlFlow;

/// Remove items from a filter
///
/// Remove only items that were inserted: removing a false positive also removes another item. Each distinct item of the
/// input is removed once, and every occurrence from a spectral filter. The number of items that were certainly absent is reported, and the exit code is 1 if none
/// was present.
///
/// The file is replaced in one step after the last item; until then, and after an error, it is unchanged.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter build blocked.txt -o blocked.crv --kind cuckoo
  crivo filter remove blocked.crv pardoned.txt")]
pub(crate) struct Remove {
    #[command(flatten)]
    change: Change,
}

/// `absent` were certainly not in the filter.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "removed")]
pub(crate) struct Removal {
    saved: String,
    kind: &'static str,
    items: u64,
    missing: u64,
    removed: u64,
    absent: u64,
    file_bytes: u64,
    #[serde(serialize_with = "as_bar")]
    fpr: Estimate,
}

impl Verb for Remove {
    type Report = Removal;

    fn manner(&self) -> Manner {
        self.change.manner()
    }

    fn run(self, session: &Session) -> Result<Removal> {
        let refusal = |info: &'static KindInfo| {
            info.remove.is_none().then(|| {
                let able = FilterKind::all().filter(|kind| kind.info.remove.is_some());
                let able: Vec<&str> = able.map(|kind| short_name(kind.info)).collect();
                let (name, able) = (info.kind.name(), able.join(", "));
                format!("a {name} does not support deletion; build a filter that does, with --kind {able}")
            })
        };
        let changing = self.change.open(refusal, session)?;
        let Changing { path, mut filter, info, spec, target, limit, input } = changing;
        let advice = "raise it, or remove them in parts";
        let (mut removed, mut absent) = (0, 0);
        let mut remove_all = |hashes: &[u64]| {
            let Some(filter) = info.remove.and_then(|view| view(&mut *filter)) else { return Ok(()) };
            for &hash in hashes {
                match filter.remove_hash(hash) {
                    Ok(()) => removed += 1,
                    Err(error) if error.kind() == ErrorKind::InvalidArgument => absent += 1,
                    Err(error) => return Err(error).with_context(|| path.display().to_string()),
                }
            }
            Ok(())
        };
        let totals = if keeps_counts(info.kind) {
            input.read(Wants::hashes(spec), |batch| {
                remove_all(batch.hashes)?;
                Ok(ControlFlow::Continue(()))
            })?
        } else {
            let (hashes, totals) = different_hashes(input, spec, limit.max_memory, advice)?;
            remove_all(&hashes)?;
            totals
        };
        let (saved, file_bytes, fpr) = save(&*filter, &target, session)?;
        if absent > 0 {
            session.remark(&format!("{} not inside", plural(absent, "item was", "items were")));
        }
        let (kind, items, missing) = (info.kind.name(), totals.items, totals.missing);
        Ok(Removal { saved, kind, items, missing, removed, absent, file_bytes, fpr })
    }
}

impl Report for Removal {
    fn text(&self, page: &mut Page) {
        let what = format!("{} removed", plural(self.removed, "item", "items"));
        print(page, &self.saved, &what, self.file_bytes, &self.fpr, self.missing);
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.removed == 0)
    }
}
