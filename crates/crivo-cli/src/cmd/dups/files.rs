//! The files to compare: those named, and those in the directories named.

use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// All files of `paths`, each once, whatever its names: directories give what is in them, sorted, without hidden names and links.
pub(super) fn walk(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let (mut files, mut seen) = (Vec::new(), HashSet::new());
    for path in paths {
        let before = files.len();
        if path.is_dir() {
            walk_into(path, &mut files).with_context(|| path.display().to_string())?;
            if files.len() == before {
                bail!("{}: there is no file in this directory; check the name", path.display());
            }
        } else {
            files.push(path.clone());
        }
    }
    // One that cannot be looked at stays, to be named when it is opened.
    files.retain(|file| identity(file).map_or(true, |identity| seen.insert(identity)));
    Ok(files)
}

/// What two names of one file share: its device and number, whatever links lead there.
#[cfg(unix)]
fn identity(file: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).map(|metadata| (metadata.dev(), metadata.ino()))
}

/// What two names of one file share: its path without links.
#[cfg(not(unix))]
fn identity(file: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(file)
}

fn walk_into(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries = fs::read_dir(directory)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            walk_into(&path, files).with_context(|| path.display().to_string())?;
        } else if kind.is_file() {
            files.push(path);
        }
    }
    Ok(())
}
