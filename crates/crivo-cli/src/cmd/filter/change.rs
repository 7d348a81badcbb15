//! What `insert` and `remove` have in common: a filter that is read, changed and saved again.

use super::build::print_rate;
use super::membership;
use crate::args::{AnswerArgs, ChangeArgs, InputArgs, KeyArgs, LimitArgs};
use crate::cmd::sketch_file::{load, other_family};
use crate::input::Input;
use crate::output::Target;
use crate::session::{Manner, Session};
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::Sketch;
use crivo::{Estimate, Family, HashSpec, KindInfo};
use crivo_report::{Page, size};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Change {
    /// Filter file; replaced by the changed filter unless --output is given
    #[arg(value_name = "FILTER.crv")]
    filter: PathBuf,

    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    output: ChangeArgs,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// A filter that is about to be changed.
pub(super) struct Changing {
    pub(super) path: PathBuf,
    pub(super) filter: Box<dyn Sketch>,
    pub(super) info: &'static KindInfo,
    pub(super) spec: HashSpec,
    pub(super) target: Target,
    pub(super) limit: LimitArgs,
    pub(super) input: Input,
}

impl Change {
    pub(super) fn manner(&self) -> Manner {
        self.answer.manner()
    }

    /// Opens the filter, the place to save it to, and the items. If the kind does not support the change, `refusal`
    /// says why.
    pub(super) fn open(
        self,
        refusal: fn(&'static KindInfo) -> Option<String>,
        session: &Session,
    ) -> Result<Changing> {
        let Self { filter: path, limit, .. } = self;
        let target = self.output.target(&path, session)?;
        let filter = load(&path, &self.key.decode_options(limit, session)?, session)?;
        let info = filter.kind().info();
        if info.kind.family() != Family::Membership {
            return Err(other_family(&path, info.kind, Family::Membership));
        }
        let (Some(_), Some(&spec)) = (membership(&*filter), filter.hashing()) else {
            bail!("{}: a {} holds numbers, not records of text", path.display(), info.kind.name());
        };
        if let Some(refusal) = refusal(info) {
            bail!("{}: {refusal}", path.display());
        }
        let input = self.input.open(limit, session)?;
        Ok(Changing { path, filter, info, spec, target, limit, input })
    }
}

/// Saves a changed filter. Returns the name and the size of its file, and the false-positive rate.
pub(super) fn save(
    filter: &dyn Sketch,
    target: &Target,
    session: &Session,
) -> Result<(String, u64, Estimate)> {
    let bytes = filter.to_bytes();
    target.write(&bytes, session)?;
    let fpr = membership(filter).expect("checked when it was opened").fpr();
    Ok((target.name(), bytes.len() as u64, fpr))
}

/// Says in text what was done.
pub(super) fn print(page: &mut Page, saved: &str, what: &str, file_bytes: u64, fpr: &Estimate, missing: u64) {
    page.line(&format!("{saved}: {what}, {}", size(file_bytes)));
    print_rate(page, fpr, missing);
}
