//! Sketches that other libraries have written.

use super::sketch_file::{HEAD, read};
use crate::args::Saved;
use crate::input::is_stdin;
use crate::session::Session;
use anyhow::{Context, Result, anyhow, bail};
use crivo::DecodeOptions;
use crivo_interop::{Foreign, Format, Theta};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The format of a file that another library has written. Standard input and pipes, which can be read only once, have Crivo's own.
fn format_of(path: &Path, session: &Session) -> Result<Option<Format>> {
    if is_stdin(path) || !path.is_file() {
        return Ok(None);
    }
    let mut head = Vec::new();
    let mut file = session.open_plain(path)?.take(HEAD);
    file.read_to_end(&mut head).with_context(|| path.display().to_string())?;
    Ok(Format::of(&head))
}

/// The sketch in a file that another library has written, or nothing if it is another file.
pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Option<Foreign>> {
    if format_of(path, session)?.is_none() {
        return Ok(None);
    }
    decode(path, &read(path, options, session)?).map(Some)
}

pub(super) fn decode(path: &Path, bytes: &[u8]) -> Result<Foreign> {
    Foreign::decode(bytes).with_context(|| path.display().to_string())
}

/// The sketch that another library has written, with its name, if a verb is to answer from it; no input continues it.
pub(super) fn load_alone(
    saved: Saved<'_>,
    options: &DecodeOptions,
    session: &Session,
) -> Result<Option<(String, Foreign)>> {
    let Some(sketch) = load(saved.path, options, session)? else { return Ok(None) };
    let name = saved.path.display().to_string();
    if saved.goes_on {
        bail!(
            "{name}: another library has written it, and the command cannot continue it; answer from it alone"
        );
    }
    Ok(Some((name, sketch)))
}

/// The sketches in all of these files, or nothing if another library has written none of them.
fn load_all(paths: &[PathBuf], options: &DecodeOptions, session: &Session) -> Result<Option<Vec<Foreign>>> {
    let sketches = paths.iter().map(|path| load(path, options, session)).collect::<Result<Vec<_>>>()?;
    let Some(foreign) = sketches.iter().position(Option::is_some) else { return Ok(None) };
    if let Some(own) = sketches.iter().position(Option::is_none) {
        bail!(
            "{}: is no sketch of another library, as {} is; Crivo's own sketches hash differently and do not mix with them",
            paths[own].display(),
            paths[foreign].display()
        );
    }
    Ok(Some(sketches.into_iter().flatten().collect()))
}

/// The sketch of all that the sketches in `paths` have seen, or nothing if another library has written none of them.
pub(super) fn load_merged(
    paths: &[PathBuf],
    options: &DecodeOptions,
    session: &Session,
) -> Result<Option<Foreign>> {
    let Some(sketches) = load_all(paths, options, session)? else { return Ok(None) };
    Ok(Some(Foreign::merged(sketches)?))
}

/// A theta sketch, the only one with intersections and differences.
pub(super) fn theta_of(path: &Path, sketch: Foreign) -> Result<Theta> {
    match sketch {
        Foreign::Theta(sketch) => Ok(sketch),
        other => Err(anyhow!(
            "{}: a {} has no intersections and differences; a theta sketch has",
            path.display(),
            other.format().name()
        )),
    }
}
