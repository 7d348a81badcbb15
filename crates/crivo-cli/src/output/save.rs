//! Sketch files: whole or not at all.

use anyhow::{Context, Result, anyhow, bail};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where a sketch will be saved. Checked before the work begins, written at its end.
#[derive(Debug)]
pub(crate) struct Target {
    /// As given, for messages.
    name: PathBuf,
    path: PathBuf,
    force: bool,
}

impl Target {
    /// Refuses a path that cannot be written, or that exists already unless `force`.
    pub(crate) fn check(path: &Path, force: bool) -> Result<Self> {
        // A link stays a link: what it points to is replaced.
        let resolved = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let target = Self { name: path.to_owned(), path: resolved, force };
        target.check_now().with_context(|| target.name())?;
        Ok(target)
    }

    fn check_now(&self) -> Result<()> {
        if self.path == Path::new("-") {
            bail!("a sketch cannot be saved to '-'; name a file, or /dev/stdout");
        }
        if self.path.is_dir() {
            bail!("is a directory; name a file in it");
        }
        self.check_absent()?;
        if self.is_special() {
            return Ok(());
        }
        if self.path.file_name().is_none() {
            bail!("is no file name; name a file to save to");
        }
        let directory = self.directory();
        if !directory.is_dir() {
            bail!("there is no directory '{}'; make it first", directory.display());
        }
        let temporary = self.temporary();
        create_new(&temporary)
            .map_err(|error| anyhow!("cannot write here: {error}; choose another place"))?;
        fs::remove_file(&temporary).context("cannot remove a temporary file")
    }

    fn check_absent(&self) -> Result<()> {
        if !self.force && !self.is_special() && self.path.exists() {
            bail!("exists already; use --force to replace it");
        }
        Ok(())
    }

    /// Writes `bytes` beside the target and puts them in its place in one step: another program sees the
    /// old file or the new one, and an error leaves nothing behind.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<()> {
        let written = if self.is_special() { self.write_directly(bytes) } else { self.replace(bytes) };
        written.with_context(|| self.name())
    }

    /// The name that messages show.
    pub(crate) fn name(&self) -> String {
        self.name.display().to_string()
    }

    /// A device or pipe cannot be replaced; it is written to.
    fn is_special(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    }

    fn write_directly(&self, bytes: &[u8]) -> Result<()> {
        let mut file = OpenOptions::new().write(true).open(&self.path).map_err(not_saved)?;
        file.write_all(bytes).map_err(not_saved)
    }

    fn replace(&self, bytes: &[u8]) -> Result<()> {
        let temporary = self.temporary();
        let result = fill(&temporary, bytes).and_then(|()| {
            self.check_absent()?;
            fs::rename(&temporary, &self.path).map_err(not_saved)
        });
        if result.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&temporary);
        } else if let Ok(directory) = File::open(self.directory()) {
            // Makes the new name last through a power cut; not every system can do it for a directory.
            let _ = directory.sync_all();
        }
        result
    }

    fn directory(&self) -> &Path {
        match self.path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        }
    }

    fn temporary(&self) -> PathBuf {
        let mut name = std::ffi::OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", std::process::id()));
        self.directory().join(name)
    }
}

fn fill(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = create_new(path).map_err(not_saved)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(not_saved)
}

fn create_new(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// As text, so that a closed pipe here is not taken for a closed standard output.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn not_saved(error: std::io::Error) -> anyhow::Error {
    anyhow!("not saved: {error}; choose another place")
}
