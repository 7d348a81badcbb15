//! `crivo profile --puffin`: a theta sketch of every column, for Iceberg.

use crate::input::{iceberg_values, is_parquet};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use crivo_interop::{Puffin, UpdateTheta};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// log₂ of the number of hashes that Trino and Spark keep for a column.
const LG_K: u8 = 12;

/// Checks that all files have columns with types.
pub(super) fn check(files: &[PathBuf]) -> Result<()> {
    match files.iter().find(|file| !is_parquet(file)) {
        Some(file) => bail!("{}: --puffin needs Parquet files, whose columns have types", file.display()),
        None if files.is_empty() => bail!("--puffin needs Parquet files; name them"),
        None => Ok(()),
    }
}

/// Reads all values of the files once more.
pub(super) fn sketches(files: &[PathBuf], max_memory: u64, session: &Session) -> Result<Puffin> {
    let empty = UpdateTheta::for_lg_k(LG_K)?;
    let mut sketches: BTreeMap<i32, UpdateTheta> = BTreeMap::new();
    let mut names: BTreeMap<i32, String> = BTreeMap::new();
    for path in files {
        let shown = || path.display().to_string();
        let found = iceberg_values(path, max_memory, &mut |field, value| {
            sketches.entry(field).or_insert_with(|| empty.clone()).insert(value);
        });
        let found = found.with_context(shown)?;
        if !found.left_out.is_empty() {
            let names = found.left_out.join(", ");
            session.remark(&format!("{}: Iceberg has no type for these columns, left out: {names}", shown()));
        }
        for (field, name) in found.columns {
            // A column without values has a sketch too.
            sketches.entry(field).or_insert_with(|| empty.clone());
            let known = names.entry(field).or_insert_with(|| name.clone());
            if *known != name {
                bail!(
                    "{}: field {field} is the column '{name}', and '{known}' in another file; write one file for each table",
                    shown()
                );
            }
        }
    }
    Ok(Puffin::of_columns(sketches.into_iter().map(|(field, sketch)| (field, sketch.sketch()))))
}
