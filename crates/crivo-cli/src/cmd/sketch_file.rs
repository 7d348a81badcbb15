//! Reading sketch files.

use crate::input::read_whole;
use anyhow::{Context, Result, anyhow};
use crivo::sketch::AnySketch;
use crivo::{DecodeOptions, Family};
use std::path::Path;

/// The sketch in a file.
pub(super) fn load(path: &Path, options: &DecodeOptions) -> Result<Box<dyn AnySketch>> {
    let bytes = read_whole(path)?;
    decode(&bytes, options).with_context(|| path.display().to_string())
}

/// As the library's, with advice that fits the command.
pub(super) fn decode(bytes: &[u8], options: &DecodeOptions) -> Result<Box<dyn AnySketch>> {
    if options.key.is_none() && crivo::peek(bytes)?.keyed {
        anyhow::bail!("this sketch was made with a secret key; give it with --key-file");
    }
    Ok(crivo::decode(bytes, options)?)
}

/// What to say about a sketch that answers another question.
pub(super) fn other_family(path: &Path, sketch: &dyn AnySketch, wanted: Family) -> anyhow::Error {
    let info = sketch.kind().info();
    anyhow!(
        "{}: this is a {} ({}), but a {} sketch is needed; see: crivo info {}",
        path.display(),
        info.name,
        info.family.name(),
        wanted.name(),
        path.display()
    )
}
