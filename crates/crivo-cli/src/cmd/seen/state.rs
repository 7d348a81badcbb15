//! A state that outlives the command.

use crate::args::Step;
use crate::output::Target;
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::sketch::Sketch;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// When the state is saved by default.
pub(super) const USUAL: Step = Step::Time(Duration::from_secs(5));

/// The file of a state, and when it was written last.
pub(crate) struct State {
    path: PathBuf,
    target: Target,
    every: Option<Step>,
    exists: bool,
    /// Records that the file does not know of.
    unsaved: u64,
    saved_at: Instant,
    /// How long that took.
    took: Duration,
}

impl State {
    /// Refuses what cannot be written.
    pub(super) fn open(path: &Path, every: Option<Step>, session: &Session) -> Result<Self> {
        let exists = path.exists();
        if exists && !path.is_file() {
            bail!("{}: a state must be a file; name one", path.display());
        }
        let target = Target::check(path, exists, session)?;
        let (path, saved_at) = (path.to_owned(), Instant::now());
        Ok(Self { path, target, every, exists, unsaved: 0, saved_at, took: Duration::ZERO })
    }

    /// Whether there is something to start from.
    pub(super) fn exists(&self) -> bool {
        self.exists
    }

    /// Notes that this many records have come which are not in the file.
    pub(super) fn has_changed(&mut self, records: u64) {
        self.unsaved += records;
    }

    /// How soon to look again whether it is time to save.
    pub(super) fn patience(&self) -> Duration {
        match self.every {
            Some(Step::Time(time)) => time.min(Duration::from_secs(1)),
            Some(Step::Items(_)) | None => Duration::from_secs(1),
        }
    }

    /// Saves if it is time. By default, saving takes at most a tenth of the time.
    pub(super) fn save_in_time(&mut self, sketch: &dyn Sketch, session: &Session) -> Result<()> {
        let is_time = match self.every.unwrap_or(USUAL) {
            Step::Items(items) => self.unsaved >= items,
            Step::Time(time) => {
                let least = if self.every.is_some() { Duration::ZERO } else { 10 * self.took };
                self.saved_at.elapsed() >= time.max(least)
            }
        };
        if is_time && self.unsaved > 0 { self.save(sketch, session) } else { Ok(()) }
    }

    /// Saves what the file does not know of.
    pub(super) fn save_rest(&mut self, sketch: &dyn Sketch, session: &Session) -> Result<()> {
        if self.unsaved > 0 || !self.exists { self.save(sketch, session) } else { Ok(()) }
    }

    fn save(&mut self, sketch: &dyn Sketch, session: &Session) -> Result<()> {
        let begin = Instant::now();
        self.target.write(&sketch.to_bytes(), session)?;
        if !self.exists {
            (self.target, self.exists) = (Target::in_place(&self.path, session)?, true);
        }
        (self.unsaved, self.saved_at, self.took) = (0, Instant::now(), begin.elapsed());
        Ok(())
    }
}
