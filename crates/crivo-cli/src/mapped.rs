//! The bytes of a file without reading them.

#![expect(unsafe_code, reason = "each block states why it is sound")]

use crate::files::Mark;
use anyhow::{Context, Result, bail};
use crivo_report::one_line;
use crivo_tables::{check_file, is_stdin};
use memmap2::Mmap;
use std::fs::File;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file: mapped, or read where that cannot be.
#[derive(Debug)]
pub(crate) enum FileBytes {
    Mapped { map: Mmap, file: File, mark: Option<Mark> },
    Read(Vec<u8>),
}

impl FileBytes {
    /// The file, mapped; none for standard input, pipes and the like, which must be read.
    pub(crate) fn map(path: &Path) -> Result<Option<Self>> {
        let name = || path.display().to_string();
        // An empty file cannot be mapped.
        if is_stdin(path) || check_file(path).with_context(name)?.is_none_or(|size| size == 0) {
            return Ok(None);
        }
        map(path).map(Some).with_context(name)
    }

    /// Refuses an answer from a file that another program has written to in the meantime.
    pub(crate) fn check_unchanged(&self) -> Result<()> {
        match self {
            Self::Mapped { file, mark, .. } if Mark::of(&file.metadata()?) != *mark => bail!(CHANGED),
            _ => Ok(()),
        }
    }
}

const CHANGED: &str = "was changed while it was read, so that answers are wrong; run the command again";

fn map(path: &Path) -> Result<FileBytes> {
    let file = File::open(path)?;
    let mark = Mark::of(&file.metadata()?);
    end_when_cut_off(path)?;
    // SAFETY: the map is only read. That nobody writes into the file meanwhile cannot be had from the system:
    // Crivo itself never does, it puts a new file in the old one's place. If another program does, the bytes
    // change under the reader, whose every access is checked against the length of the map, and what was answered is
    // refused at the end; a file that is cut off ends the command by a signal, which says so.
    let map = unsafe { Mmap::map(&file)? };
    Ok(FileBytes::Mapped { map, file, mark })
}

/// Reading a map beyond the end of its file raises a signal: a sentence and exit code 2 instead.
#[cfg(unix)]
fn end_when_cut_off(path: &Path) -> Result<()> {
    let text = format!("crivo: {}: {CHANGED}\n", one_line(&path.display().to_string()));
    let end = move || {
        let _nobody_listens = rustix::io::write(rustix::stdio::stderr(), text.as_bytes());
        signal_hook::low_level::exit(2);
    };
    // SAFETY: all that the handler does is allowed in one: it writes bytes that are there already, and ends the command.
    unsafe { signal_hook::low_level::register(signal_hook::consts::SIGBUS, end)? };
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the shape of the other")]
fn end_when_cut_off(_path: &Path) -> Result<()> {
    Ok(())
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped { map, .. } => map,
            Self::Read(bytes) => bytes,
        }
    }
}
