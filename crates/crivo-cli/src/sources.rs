//! What is read, noted among the files of the command.

use crate::files::files;
use crate::output::remark;
use crate::watch::watch;
use anyhow::{Context, Result};
use crivo_tables::{Reads, Source, SourceFormat, Syntax, check_file, is_stdin};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// A file that exists, is no directory and may be read; or standard input for `-`, which is then taken.
pub(crate) fn source(path: &Path, format: impl FnOnce() -> Result<SourceFormat>) -> Result<Source> {
    if is_stdin(path) {
        files().will_read_stdin()?;
        return Ok(Source::stdin(format()?));
    }
    Source::file(path, || {
        files().will_read(path).with_context(|| path.display().to_string())?;
        format()
    })
}

/// Tells a person who would have to type the data.
pub(crate) fn say_if_typed(sources: &[Source], quiet: bool) {
    if !quiet && sources.iter().any(|source| source.path().is_none()) && io::stdin().is_terminal() {
        remark("reading standard input; end it with Ctrl-D, or name files to read");
    }
}

/// Sequences of files that exist and may be read, or of standard input if there are none.
pub(crate) fn open_reads(paths: &[PathBuf], max_memory: u64, quiet: bool) -> Result<Reads> {
    let format =
        SourceFormat { syntax: Syntax::Whole, any_bytes: false, json_by_name: false, keeps_mark: false };
    let stdin = [PathBuf::from("-")];
    let paths = if paths.is_empty() { &stdin } else { paths };
    let sources = paths.iter().map(|path| source(path, || Ok(format))).collect::<Result<Vec<_>>>()?;
    say_if_typed(&sources, quiet);
    Ok(Reads::new(sources, max_memory, watch(quiet)))
}

/// All lines of a text file, or of standard input for `-`, if they are at most `limit` bytes.
pub(crate) fn read_lines(path: &Path, limit: u64) -> Result<Vec<Vec<u8>>> {
    let syntax = Syntax::Lines { end: b'\n' };
    let format = SourceFormat { syntax, any_bytes: false, json_by_name: false, keeps_mark: false };
    source(path, || Ok(format))?.lines(limit, &watch(false))
}

/// A file that is read as it is, or standard input for `-`.
pub(crate) fn open_plain(path: &Path) -> Result<Box<dyn Read>> {
    if is_stdin(path) {
        files().will_read_stdin()?;
        return Ok(Box::new(io::stdin().lock()));
    }
    let name = || path.display().to_string();
    check_file(path).with_context(name)?;
    Ok(Box::new(File::open(path).with_context(name)?))
}
