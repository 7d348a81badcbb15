//! `crivo filter insert`: more items into a saved filter.

use super::change::{Change, Changed, Opened};
use super::different::different_hashes;
use super::inserter::Inserter;
use crate::args::short_name;
use crate::input::Wants;
use crate::output::{Answer, Output, count, plural};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Put more items into a filter
///
/// The different items of the input go in. A filter that items can be removed from holds a copy more of one
/// that it had already, to be removed as often; their hashes are kept until all are read. The file is replaced
/// in one step, when all items are in; until then, and after an error, it is as it was. If two commands change
/// it at the same time, the later one waits for the other, ten seconds at most.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter insert words.crv more-words.txt
  crivo filter insert users.crv visits.csv --column user -o users-today.crv")]
pub(crate) struct Insert {
    #[command(flatten)]
    change: Change,
}

impl Insert {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        let change = &self.change;
        let Opened { filter, info, spec, target } = change.open(session)?;
        if info.insert.is_none() {
            bail!(
                "{}: a {} takes in no more items; build it again from all of them, with: crivo filter build \
                 --kind {}",
                change.filter.display(),
                info.kind.name(),
                short_name(info)
            );
        }
        let advice = "build a larger one with --capacity";
        let mut inserter = Inserter::new(filter, &change.limit, advice);
        let input = change.open_input(session)?;
        let totals = if info.copies {
            let (hashes, totals) = different_hashes(input, spec, &change.limit, "insert in parts")?;
            inserter.insert_all(&hashes)?;
            totals
        } else {
            input.read(Wants::hashes(spec), |batch| {
                inserter.insert_all(batch.hashes)?;
                Ok(ControlFlow::Continue(()))
            })?
        };
        let (filter, inserted) = inserter.finish();
        let changed = Changed::save(&*filter, &target, totals, session)?;
        let mut output = Output::new();
        if change.json {
            output.json(&Answer::Inserted {
                saved: changed.saved,
                kind: info.kind.name(),
                items: changed.totals.items,
                nulls: changed.totals.nulls,
                inserted,
                file_bytes: changed.file_bytes,
                fpr: changed.fpr.into(),
            })?;
        } else {
            let what =
                format!("{} inserted of {}", count(inserted), plural(changed.totals.items, "item", "items"));
            changed.print(&what, &mut output)?;
        }
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
