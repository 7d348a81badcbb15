//! What a saved sketch is asked for.

use super::{LimitArgs, ValueArgs};
use crate::input::{Columns, Input, is_stdin};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo_report::{named, shown};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Keys that are named, or files of them.
#[derive(Args, Debug)]
pub(crate) struct AskArgs {
    /// Keys to look up; read from --keys or standard input if none is given
    #[arg(value_name = "KEY")]
    keys: Vec<OsString>,

    /// A file of keys, plain, gzip or zstd, or - for standard input; may be repeated
    #[arg(long = "keys", value_name = "FILE", help_heading = "Input")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,
}

/// What is asked for.
pub(crate) enum Asked {
    /// These keys.
    Named(Vec<OsString>),
    /// All that is read.
    Read(Box<Input>),
}

impl AskArgs {
    /// The keys that are named; or the files, checked, with columns in addition to the one of the keys.
    pub(crate) fn open<'a>(
        &'a self,
        columns: Columns<&'a str>,
        limit: LimitArgs,
        session: &Session,
    ) -> Result<Asked> {
        let is_stdin_alone = matches!(&self.keys[..], [key] if is_stdin(Path::new(key)));
        let Some(first) = self.keys.first().filter(|_| !is_stdin_alone) else {
            let input = self.values.open(&self.files, columns, limit, session)?;
            return Ok(Asked::Read(Box::new(Input { answers_early: true, ..input })));
        };
        if !self.files.is_empty() || self.values.is_given() {
            let first = shown(first.as_encoded_bytes());
            bail!("'{first}' is read as a key; name files with --keys, and leave out the keys");
        }
        for key in self.keys.iter().map(Path::new).filter(|key| key.is_file()) {
            let name = named(key);
            session.remark(&format!(
                "{name} is read as a key, but a file has this name; for the keys in the file use --keys {name}"
            ));
        }
        Ok(Asked::Named(self.keys.clone()))
    }

    /// The keys that are named, and the column, for a table that has filters of its columns.
    pub(crate) fn of_table(&self) -> Result<(&[OsString], &str)> {
        let Some(column) = self.values.only_column() else {
            bail!("a Parquet file has filters of its columns; name one column with --column");
        };
        if self.keys.is_empty() || !self.files.is_empty() {
            bail!(
                "the filters of a Parquet file are asked for keys that are named; name them, without --keys"
            );
        }
        Ok((&self.keys, column))
    }

    /// Whether keys are named.
    pub(crate) fn names_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// What ends a record when records are printed.
    pub(crate) fn record_end(&self) -> u8 {
        self.values.format().record_end()
    }
}
