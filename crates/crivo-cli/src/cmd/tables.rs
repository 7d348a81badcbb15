//! Tables that verbs compare or check: files to read, or saved profiles.

use super::sketch_file::{is_sketch, load_as};
use crate::args::{FormatArgs, HashArgs, LimitArgs, parse_share};
use crate::input::profile::{Profiled, Profiler};
use crate::input::{Columns, Input, Room};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::profile::ProfileParams;
use crivo::{HashSpec, Kind, TableProfile};
use std::path::{Path, PathBuf};

/// How tables are read and profiled.
#[derive(Args, Debug)]
pub(super) struct TableArgs {
    #[command(flatten)]
    format: FormatArgs,

    /// Half-width of the 95 % interval of distinct values, as a share of the answer [default: the error of a saved profile
    /// that takes part, or 0.02]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    error: Option<f64>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,
}

/// A table that was found, and not read yet.
pub(super) enum Found {
    Saved(Profiled),
    Read(Box<(Profiler, Input)>),
}

impl Found {
    /// These columns of a table that is saved in a file, or all if none is named.
    pub(super) fn saved(path: &Path, table: &TableProfile, columns: &[String]) -> Result<Self> {
        Ok(Self::Saved(Profiled::saved(path.display().to_string(), table, columns)?))
    }

    /// The tables, once they are read.
    pub(super) fn profiled(self) -> Result<Profiled> {
        match self {
            Self::Saved(profiled) => Ok(profiled),
            Self::Read(read) => {
                let (profiler, input) = *read;
                profiler.read(input, |_| Ok(()))
            }
        }
    }
}

impl TableArgs {
    /// The profile that is saved in a file, if the file is one.
    pub(super) fn saved(&self, path: &Path, session: &Session) -> Result<Option<TableProfile>> {
        if path.extension() != Some("crv".as_ref()) && !is_sketch(path, session)? {
            return Ok(None);
        }
        let options = self.hash.decode_options(self.limit, session)?;
        load_as(path, &options, Kind::TableProfile, session).map(Some)
    }

    /// How to profile what is to be compared with saved profiles.
    pub(super) fn like(
        &self,
        saved: Option<&TableProfile>,
        session: &Session,
    ) -> Result<(ProfileParams, HashSpec)> {
        let params = match (self.error, saved) {
            (Some(error), _) => ProfileParams::for_error(error)?,
            (None, Some(saved)) => saved.params(),
            (None, None) => ProfileParams::default(),
        };
        let Some(saved) = saved else { return Ok((params, self.hash.spec(session)?)) };
        self.hash.check_agrees(saved.hash_spec(), session)?;
        Ok((params, *saved.hash_spec()))
    }

    /// Refuses an error of a profile that is saved already.
    pub(super) fn check_reads(&self, path: &Path) -> Result<()> {
        if self.error.is_some() || self.format.is_given() {
            bail!(
                "{}: is a saved profile, which has its error and its columns already; leave out --error and the flags \
                 for reading, or name the file that was profiled",
                path.display()
            );
        }
        Ok(())
    }

    /// These `files`, or standard input if there is none, with these columns, or all if none is named by `flag`.
    pub(super) fn read(
        &self,
        files: &[PathBuf],
        columns: &[String],
        flag: &str,
        (params, spec): (ProfileParams, HashSpec),
        session: &Session,
    ) -> Result<Found> {
        let values = columns.iter().map(String::as_str).collect();
        let columns = Columns { values, ..Columns::default() };
        let input = self.format.open_table(files, columns, flag, self.limit, session)?;
        let profiler = Profiler {
            params,
            spec,
            room: Room { memory: self.limit.max_memory, groups: 0 },
            every: None,
            start: None,
            name: files.first().map_or("standard input".into(), |file| file.display().to_string()),
            names_missing: self.format.names_missing(),
            is_quiet: true,
        };
        Ok(Found::Read(Box::new((profiler, input))))
    }
}
