//! What `insert` and `remove` have in common: a filter that is read, changed and saved again.

use super::membership;
use crate::args::{ChangeArgs, InputArgs, KeyArgs, LimitArgs};
use crate::cmd::sketch_file::{load, other_family};
use crate::input::{Input, Totals};
use crate::output::{Output, Target, plural, rate, size};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::Sketch;
use crivo::{Estimate, Family, HashSpec, KindInfo};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Change {
    /// The filter; replaced by the changed one unless --output is given
    #[arg(value_name = "FILTER.crv")]
    pub(super) filter: PathBuf,

    #[command(flatten)]
    pub(super) input: InputArgs,

    #[command(flatten)]
    pub(super) output: ChangeArgs,

    #[command(flatten)]
    pub(super) limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    pub(super) quiet: bool,
}

/// A filter that is about to be changed.
pub(super) struct Opened {
    pub(super) filter: Box<dyn Sketch>,
    pub(super) info: &'static KindInfo,
    pub(super) spec: HashSpec,
    pub(super) target: Target,
}

impl Change {
    /// The filter, and the place where it will be saved.
    pub(super) fn open(&self, session: &Session) -> Result<Opened> {
        let target = self.output.target(&self.filter, session)?;
        let filter = load(&self.filter, &self.key.decode_options(&self.limit, session)?, session)?;
        let info = filter.kind().info();
        if info.kind.family() != Family::Membership {
            return Err(other_family(&self.filter, info.kind, Family::Membership));
        }
        let (Some(_), Some(&spec)) = (membership(&*filter), filter.hashing()) else {
            bail!("{}: a {} holds numbers, not records of text", self.filter.display(), info.kind.name());
        };
        Ok(Opened { filter, info, spec, target })
    }

    /// The items, checked before the first is read.
    pub(super) fn open_input(&self, session: &Session) -> Result<Input> {
        self.input.open(&self.limit, session)
    }
}

/// A filter that was changed and saved.
pub(super) struct Changed {
    pub(super) saved: String,
    pub(super) file_bytes: u64,
    pub(super) fpr: Estimate,
    pub(super) totals: Totals,
}

impl Changed {
    pub(super) fn save(
        filter: &dyn Sketch,
        target: &Target,
        totals: Totals,
        session: &Session,
    ) -> Result<Self> {
        let bytes = filter.to_bytes();
        target.write(&bytes, session)?;
        let fpr = membership(filter).expect("checked when it was opened").fpr();
        Ok(Self { saved: target.name(), file_bytes: bytes.len() as u64, fpr, totals })
    }

    /// Says in text what was done.
    pub(super) fn print(&self, what: &str, output: &mut Output) -> Result<()> {
        output.line(&format!("{}: {what}, {}", self.saved, size(self.file_bytes)))?;
        output.line(&format!("a wrong yes: {}", rate(&self.fpr)))?;
        if self.totals.nulls > 0 {
            let empty = plural(self.totals.nulls, "empty value", "empty values");
            output.line(&format!("{empty} left out"))?;
        }
        Ok(())
    }
}
