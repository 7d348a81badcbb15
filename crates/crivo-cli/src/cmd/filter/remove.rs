//! `crivo filter remove`: items out of a saved filter.

use super::change::{Change, Changed, Opened};
use super::different::different_hashes;
use crate::args::{FilterKind, short_name};
use crate::output::{Answer, Output, plural, remark};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::ErrorKind;
use std::process::ExitCode;

/// Take items out of a filter
///
/// Remove only what was put in: an item that was not, but is reported, takes another one with it. Each
/// different item is removed once, however often it is in the input. The number of those that were certainly
/// not inside is told, and if none was inside the exit code is 1.
///
/// The file is replaced in one step, when all items are out; until then, and after an error, it is as it was.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter build blocked.txt -o blocked.crv --kind cuckoo
  crivo filter remove blocked.crv pardoned.txt")]
pub(crate) struct Remove {
    #[command(flatten)]
    change: Change,
}

impl Remove {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        let change = &self.change;
        let Opened { mut filter, info, spec, target } = change.open(session)?;
        if info.remove.is_none() {
            let able = FilterKind::all().filter(|kind| kind.info.remove.is_some());
            let able: Vec<&str> = able.map(|kind| short_name(kind.info)).collect();
            bail!(
                "{}: no item can be removed from this {}; build a filter that forgets, with --kind {}",
                change.filter.display(),
                info.kind.name(),
                able.join(", ")
            );
        }
        let advice = "raise it, or remove them in parts";
        let (hashes, totals) = different_hashes(change.open_input(session)?, spec, &change.limit, advice)?;
        let (mut removed, mut absent) = (0, 0);
        if let Some(filter) = info.remove.and_then(|view| view(&mut *filter)) {
            for hash in hashes {
                match filter.remove_hash(hash) {
                    Ok(()) => removed += 1,
                    Err(error) if error.kind() == ErrorKind::InvalidArgument => absent += 1,
                    Err(error) => return Err(error).with_context(|| change.filter.display().to_string()),
                }
            }
        }
        let changed = Changed::save(&*filter, &target, totals, session)?;
        let mut output = Output::new();
        if change.json {
            output.json(&Answer::Removed {
                saved: changed.saved,
                kind: info.kind.name(),
                items: changed.totals.items,
                nulls: changed.totals.nulls,
                removed,
                absent,
                file_bytes: changed.file_bytes,
                fpr: changed.fpr.into(),
            })?;
        } else {
            changed.print(&format!("{} removed", plural(removed, "item", "items")), &mut output)?;
        }
        output.flush()?;
        if absent > 0 && !change.quiet {
            remark(&format!("{} not inside", plural(absent, "item was", "items were")));
        }
        Ok(ExitCode::from(u8::from(removed == 0)))
    }
}
