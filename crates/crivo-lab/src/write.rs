//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What to do where a file exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Put the new file in its place.
    Replace,
    /// Leave it, and fail.
    Keep,
}

/// The drafts of now.
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file or folder that has not got its name yet, known to [`remove_drafts`] as long as this lives.
#[derive(Debug)]
pub struct Draft(PathBuf);

impl Draft {
    /// The one at `path`.
    pub fn at(path: &Path) -> Self {
        DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Removes all that was begun and is not whole, for a program that must end at once.
pub fn remove_drafts() {
    for path in DRAFTS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // What cannot be removed stays: nobody is left to do more about it.
        let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
    }
}

/// Writes `bytes` beside `path` and puts them in its place in one step: another program sees the old file or
/// the new one, and an error leaves nothing behind.
///
/// # Errors
/// When the bytes cannot be written, or the file exists and is to be kept.
pub fn write_whole(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    write_whole_with(path, existing, |file| file.write_all(bytes))
}

/// [`write_whole`] for what `fill` writes into the file.
///
/// # Errors
/// Those of `fill`, and when the file cannot be made, or exists and is to be kept.
pub fn write_whole_with<E: From<io::Error>>(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp");
    // As any other new file, not for the owner alone as temporary files are.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut draft = builder.tempfile_in(folder)?;
    let _unfinished = Draft::at(draft.path());
    // A file that only some may read stays so.
    if existing == Existing::Replace
        && let Ok(old) = std::fs::metadata(path)
    {
        draft.as_file().set_permissions(old.permissions())?;
    }
    fill(draft.as_file_mut())?;
    draft.as_file().sync_all()?;
    match existing {
        Existing::Replace => draft.persist(path),
        Existing::Keep => draft.persist_noclobber(path),
    }
    .map_err(|failed| failed.error)?;
    if let Ok(folder) = File::open(folder) {
        // Makes the new name last through a power cut; not every system can do it for a folder.
        let _ = folder.sync_all();
    }
    Ok(())
}

/// The folder that holds `path`.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
