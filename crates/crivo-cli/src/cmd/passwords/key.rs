//! The secret key: from its file, or a new one.

use crate::output::Target;
use crate::session::Session;
use anyhow::{Context, Result, anyhow};
use crivo_program::{Draft, Existing};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A key that no file holds yet.
pub(super) struct NewKey {
    path: PathBuf,
    pub(super) key: [u8; 16],
}

impl NewKey {
    /// One from the system's randomness, for a place that can be written.
    pub(super) fn draw(path: &Path, session: &Session) -> Result<Self> {
        Target::check(path, false, session)?;
        let mut key = [0; 16];
        getrandom::fill(&mut key).map_err(|error| {
            anyhow!("the system gives no random bytes for a key: {error}; bring one with --secret-file")
        })?;
        Ok(Self { path: path.to_owned(), key })
    }

    /// Writes the file: whole or not at all, never over another, and for its owner alone, as temporary files are.
    pub(super) fn save(&self) -> Result<()> {
        let write = || -> io::Result<()> {
            let mut draft = Draft::of_file(&self.path)?;
            let file = draft.get_mut();
            file.write_all(&self.key)?;
            file.as_file().sync_all()?;
            draft.finish(&self.path, Existing::Keep)
        };
        write().with_context(|| format!("{}: the new key is not saved", self.path.display()))
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }
}
