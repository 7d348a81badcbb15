//! Reading sketch files.

use crate::input::{open_plain, read_up_to};
use anyhow::{Context, Result, anyhow, bail};
use crivo::sketch::AnySketch;
use crivo::{DecodeOptions, Family, Kind};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The sketch in a file.
pub(super) fn load(path: &Path, options: &DecodeOptions) -> Result<Box<dyn AnySketch>> {
    let bytes = read(path, options)?;
    decode(&bytes, options).with_context(|| path.display().to_string())
}

/// The sketch of all that the sketches in `paths` have seen; there is at least one.
pub(super) fn load_merged(paths: &[PathBuf], options: &DecodeOptions) -> Result<Box<dyn AnySketch>> {
    let first = &paths[0];
    let mut merged = load(first, options)?;
    let info = merged.kind().info();
    for path in &paths[1..] {
        let other = load(path, options)?;
        let Some(merge) = info.merge else {
            bail!("{}: a {} cannot be merged; build one from all inputs", first.display(), info.name);
        };
        merge(&mut *merged, &*other)
            .with_context(|| format!("{}: does not merge with {}", path.display(), first.display()))?;
    }
    Ok(merged)
}

/// The bytes of a sketch file, no more of them than may be decoded.
pub(super) fn read(path: &Path, options: &DecodeOptions) -> Result<Vec<u8>> {
    /// At least a header.
    const HEAD: u64 = 64;
    /// A file holds little beside what is in memory.
    const SLACK: u64 = 1 << 16;
    let mut reader = open_plain(path)?;
    let limit = options.max_memory.unwrap_or(u64::MAX).saturating_add(SLACK);
    let mut read = || {
        let mut head = Vec::new();
        reader.by_ref().take(HEAD).read_to_end(&mut head)?;
        crivo::peek(&head)?;
        match read_up_to(head.as_slice().chain(&mut reader), limit)? {
            Some(bytes) => Ok(bytes),
            None => bail!("the file is larger than --max-memory allows; raise it"),
        }
    };
    read().with_context(|| path.display().to_string())
}

/// As the library's, with advice that fits the command.
pub(super) fn decode(bytes: &[u8], options: &DecodeOptions) -> Result<Box<dyn AnySketch>> {
    if options.key.is_none() && crivo::peek(bytes)?.keyed {
        bail!("this sketch was made with a secret key; give it with --secret-file");
    }
    Ok(crivo::decode(bytes, options)?)
}

/// What to say about a sketch that answers another question.
pub(super) fn other_family(path: &Path, kind: Kind, wanted: Family) -> anyhow::Error {
    let info = kind.info();
    anyhow!(
        "{}: this is a {} ({}), but a {} sketch is needed; see: crivo info {}",
        path.display(),
        info.name,
        info.family.name(),
        wanted.name(),
        path.display()
    )
}
