//! What is read, noted among the files of the command.

use crate::session::Session;
use anyhow::{Context, Result};
use crivo_tables::{Reads, Source, SourceFormat, Syntax, check_file, is_stdin};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

impl Session {
    /// A file that exists, is no directory and may be read; or standard input for `-`, which is then taken.
    pub(crate) fn source(
        &self,
        path: &Path,
        format: impl FnOnce() -> Result<SourceFormat>,
    ) -> Result<Source> {
        if is_stdin(path) {
            self.files().will_read_stdin()?;
            return Ok(Source::stdin(format()?));
        }
        Source::file(path, || {
            self.will_read(path)?;
            format()
        })
    }

    /// Notes that a file will be read.
    pub(crate) fn will_read(&self, path: &Path) -> Result<()> {
        self.files().will_read(path).with_context(|| path.display().to_string())
    }

    /// Tells a person who would have to type the data.
    pub(crate) fn say_if_typed(&self, sources: &[Source]) {
        if sources.iter().any(|source| source.path().is_none()) && io::stdin().is_terminal() {
            self.remark("reading standard input; end it with Ctrl-D, or name files to read");
        }
    }

    /// Sequences of files that exist and may be read, or of standard input if there are none.
    pub(crate) fn open_reads(&self, paths: &[PathBuf], max_memory: u64) -> Result<Reads> {
        let format =
            SourceFormat { syntax: Syntax::Whole, any_bytes: false, json_by_name: false, keeps_mark: false };
        let stdin = [PathBuf::from("-")];
        let paths = if paths.is_empty() { &stdin } else { paths };
        let sources =
            paths.iter().map(|path| self.source(path, || Ok(format))).collect::<Result<Vec<_>>>()?;
        self.say_if_typed(&sources);
        Ok(Reads::new(sources, max_memory, self.watch()))
    }

    /// A text file that exists and may be read, or standard input for `-`.
    pub(crate) fn line_source(&self, path: &Path) -> Result<Source> {
        let syntax = Syntax::Lines { end: b'\n' };
        self.source(path, || {
            Ok(SourceFormat { syntax, any_bytes: false, json_by_name: false, keeps_mark: false })
        })
    }

    /// All lines of a text file, or of standard input for `-`, if they are at most `limit` bytes.
    pub(crate) fn read_lines(&self, path: &Path, limit: u64) -> Result<Vec<Vec<u8>>> {
        self.line_source(path)?.lines(limit, &self.watch())
    }

    /// A file that is read as it is, or standard input for `-`.
    pub(crate) fn open_plain(&self, path: &Path) -> Result<Box<dyn Read>> {
        if is_stdin(path) {
            self.files().will_read_stdin()?;
            return Ok(Box::new(io::stdin().lock()));
        }
        let name = || path.display().to_string();
        check_file(path).with_context(name)?;
        Ok(Box::new(File::open(path).with_context(name)?))
    }
}
