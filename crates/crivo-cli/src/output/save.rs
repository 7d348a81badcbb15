//! Sketch files: whole or not at all.

use crate::session::Session;
use anyhow::{Context, Result, anyhow, bail};
use crivo_program::{Existing, folder_of, interrupt, write_whole_with};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
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
    /// Refuses a path that cannot be written, that exists already unless `force`, or that is read.
    pub(crate) fn check(path: &Path, force: bool, session: &Session) -> Result<Self> {
        Self::checked(path, force, false, session)
    }

    /// Like `check`, for output that may replace the input: a part of it.
    pub(crate) fn check_even_input(path: &Path, force: bool, session: &Session) -> Result<Self> {
        Self::checked(path, force, true, session)
    }

    fn checked(path: &Path, force: bool, even_input: bool, session: &Session) -> Result<Self> {
        let target = Self { name: path.to_owned(), path: resolve(path), force };
        target
            .check_now()
            .and_then(|()| session.files().will_write(&target.path, even_input))
            .with_context(|| target.name())?;
        Ok(target)
    }

    /// The place of a sketch that will be replaced by its successor.
    pub(crate) fn in_place(path: &Path, session: &Session) -> Result<Self> {
        if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            bail!(
                "{}: only a file can be changed in place; check the name, or save the changed sketch elsewhere \
                 with --output",
                path.display()
            );
        }
        Self::check(path, true, session)
    }

    fn check_now(&self) -> Result<()> {
        if is_stdout(&self.name) {
            bail!("a sketch cannot go to standard output, where the answer goes; name a file");
        }
        if self.path.is_dir() {
            bail!("is a directory; name a file in it");
        }
        if self.is_special() {
            return Ok(());
        }
        if !self.force && exists(&self.path)? {
            bail!("exists already; use --force to replace it");
        }
        check_place(&self.path)
    }

    /// Whole or not at all.
    pub(crate) fn write(&self, bytes: &[u8], session: &Session) -> Result<()> {
        self.fill(session, |file| file.write_all(bytes).map_err(not_saved))
    }

    /// Like [`write`](Self::write), with everything that `fill` writes.
    pub(crate) fn write_with(
        &self,
        session: &Session,
        fill: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        self.fill(session, |file| {
            let mut writer = io::BufWriter::with_capacity(1 << 18, file);
            fill(&mut writer)?;
            writer.flush().map_err(not_saved)
        })
    }

    fn fill(&self, session: &Session, fill: impl FnOnce(&mut fs::File) -> Result<()>) -> Result<()> {
        let existing = if self.force { Existing::Replace } else { Existing::Keep };
        let written = if self.is_special() {
            let file = OpenOptions::new().write(true).open(&self.path);
            file.map_err(not_saved).and_then(|mut file| fill(&mut file))
        } else {
            let written = write_whole_with(&self.path, existing, |file| {
                fill(file).map_err(Unsaved)?;
                session.files().will_replace(&self.path, file).map_err(Unsaved)?;
                interrupt::is_finishing();
                Ok::<(), Unsaved>(())
            });
            written.map_err(|Unsaved(error)| error)
        };
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
}

/// Whether this names standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Refuses a place where no directory can be made, or one is.
pub(crate) fn check_new_folder(path: &Path) -> Result<()> {
    if exists(path)? {
        bail!("exists already; name a directory to make");
    }
    check_place(path)
}

/// Whether there is something. What the system will not look up, as a name that is too long or a link to itself, can be
/// no place either.
fn exists(path: &Path) -> Result<bool> {
    path.try_exists().map_err(|error| anyhow!("cannot write here: {error}; choose another place"))
}

/// Refuses a path where nothing can be made.
fn check_place(path: &Path) -> Result<()> {
    exists(path)?;
    if path.file_name().is_none() {
        bail!("is not a file name; name a file to save to");
    }
    let directory = folder_of(path);
    if !directory.is_dir() {
        bail!("there is no directory '{}'; make it first", directory.display());
    }
    tempfile::tempfile_in(directory)
        .map_err(|error| anyhow!("cannot write here: {error}; choose another place"))?;
    Ok(())
}

/// An error that says already what it means for the file.
struct Unsaved(anyhow::Error);

impl From<io::Error> for Unsaved {
    fn from(error: io::Error) -> Self {
        Self(not_saved(error))
    }
}

/// A link stays a link: what it points to is written, even where that does not exist yet.
fn resolve(path: &Path) -> PathBuf {
    /// As many as Linux follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(pointed_to) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(pointed_to);
    }
    path
}

/// As text, so that a closed pipe here is not taken for a closed standard output.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn not_saved(error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return anyhow!("another command has made it meanwhile; not saved; run the command again");
    }
    anyhow!("not saved: {error}; choose another place")
}
