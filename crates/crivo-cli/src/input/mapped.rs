//! The bytes of a file without reading them: the only unsafe code of the command.

#![expect(unsafe_code, reason = "the block states why it is sound")]

use super::source::{check, is_stdin};
use anyhow::{Context, Result};
use memmap2::Mmap;
use std::fs::File;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file: mapped, or read where that cannot be.
#[derive(Debug)]
pub(crate) enum FileBytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl FileBytes {
    /// The file, mapped; none for standard input, pipes and the like, which must be read.
    pub(crate) fn map(path: &Path) -> Result<Option<Self>> {
        let name = || path.display().to_string();
        // An empty file cannot be mapped.
        if is_stdin(path) || check(path).with_context(name)?.is_none_or(|size| size == 0) {
            return Ok(None);
        }
        map(path).map(Some).with_context(name)
    }
}

fn map(path: &Path) -> Result<FileBytes> {
    let file = File::open(path)?;
    // SAFETY: the map is only read. That nobody writes into the file meanwhile cannot be had from the system:
    // Crivo itself never does, it puts a new file in the old one's place. If another program does, the bytes
    // change under the reader, whose every access is checked against the length of the map; a file that is
    // cut off ends the process by a signal, as it does for every program that maps.
    let map = unsafe { Mmap::map(&file)? };
    Ok(FileBytes::Mapped(map))
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}
