//! Files that appear complete or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile, TempDir};

/// What to do if the file already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Replace the existing file.
    Replace,
    /// Keep the existing file, and return an error.
    Keep,
}

/// The paths of all current drafts. The lock is held while a draft is created, renamed or removed, so that a caller
/// who removes all drafts misses none.
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder that gets its final name when it is complete. It is removed when it is dropped, and
/// by [`remove_drafts`].
#[derive(Debug)]
pub struct Draft<T: AsRef<Path>>(Option<T>);

impl Draft<NamedTempFile> {
    /// Creates an empty temporary file in the folder of `path`, which only its owner can read.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        Self::of_file_with(path, |_| ())
    }

    fn of_file_with(path: &Path, set: impl FnOnce(&mut Builder<'_, '_>)) -> io::Result<Self> {
        Self::made(path, |builder, folder| {
            set(builder);
            builder.tempfile_in(folder)
        })
    }

    /// Renames the temporary file to its final name in one step.
    ///
    /// # Errors
    /// If the file cannot be renamed, or if the name exists and must be kept.
    pub fn finish(mut self, path: &Path, existing: Existing) -> io::Result<()> {
        self.end(|draft| {
            let finished = match existing {
                Existing::Replace => draft.persist(path),
                Existing::Keep => draft.persist_noclobber(path),
            };
            finished.map(drop).map_err(|failed| failed.error)
        })
    }
}

impl Draft<TempDir> {
    /// Creates an empty temporary folder next to its final name.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn of_folder(path: &Path) -> io::Result<Self> {
        Self::made(path, |builder, folder| builder.tempdir_in(folder))
    }

    /// Renames the temporary folder to its final name.
    ///
    /// # Errors
    /// If the folder cannot be renamed.
    pub fn finish(mut self, path: &Path) -> io::Result<()> {
        self.end(|draft| {
            std::fs::rename(draft.path(), path)?;
            // `keep` prevents the removal of the renamed folder.
            let _its_old_name = draft.keep();
            Ok(())
        })
    }
}

impl<T: AsRef<Path>> Draft<T> {
    /// Creates a draft named `.name.XXXXXX.tmp`, so that a file that a kill or a power cut leaves behind shows its
    /// origin.
    fn made(
        path: &Path,
        make: impl FnOnce(&mut Builder<'_, '_>, &Path) -> io::Result<T>,
    ) -> io::Result<Self> {
        /// The longest part of the name that a draft keeps: file names have at most 255 bytes on most systems.
        const MOST_BYTES: usize = 200;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let end = (0..=name.len().min(MOST_BYTES)).rev().find(|&end| name.is_char_boundary(end));
        let prefix = format!(".{}.", &name[..end.unwrap_or(0)]);
        let mut drafts = drafts();
        let draft = make(Builder::new().prefix(&prefix).suffix(".tmp"), folder_of(path))?;
        drafts.push(draft.as_ref().to_owned());
        Ok(Self(Some(draft)))
    }

    /// Removes the draft from the list and passes it to `end`.
    fn end(&mut self, end: impl FnOnce(T) -> io::Result<()>) -> io::Result<()> {
        let Some(draft) = self.0.take() else { return Ok(()) };
        let mut drafts = drafts();
        drafts.retain(|path| path != draft.as_ref());
        end(draft)
    }

    /// Returns the file or folder that is being written.
    ///
    /// # Panics
    /// Never: only `finish` and `drop` take the draft out, and both end it.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("it is not finished")
    }
}

impl<T: AsRef<Path>> Drop for Draft<T> {
    fn drop(&mut self) {
        // Removing the temporary file may fail, and no caller can receive the error.
        let _ = self.end(|_| Ok(()));
    }
}

/// Removes all drafts, for a program that ends now: the list stays locked, so no other thread can create or finish
/// a draft. If `is_too_late` returns true while no draft is being finished, all files stay, the program continues,
/// and the result is false.
pub fn remove_drafts(is_too_late: impl FnOnce() -> bool) -> bool {
    let drafts = drafts();
    if is_too_late() {
        return false;
    }
    remove_for_good(drafts);
    true
}

/// Like `remove_drafts`, for a program that cannot wait for the lock: if another thread creates or finishes a
/// draft, all drafts stay.
pub fn try_remove_drafts() {
    if let Ok(drafts) = DRAFTS.try_lock() {
        remove_for_good(drafts);
    }
}

fn remove_for_good(mut drafts: MutexGuard<'static, Vec<PathBuf>>) {
    for path in drafts.drain(..) {
        // A file that cannot be removed stays, because the program ends now.
        let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
    }
    std::mem::forget(drafts);
}

/// Writes `bytes` to a temporary file next to `path` and renames it in one step: another program sees the old file or
/// the new one, and an error leaves nothing behind.
///
/// # Errors
/// When the bytes cannot be written, or the file exists and is to be kept.
pub fn write_whole(path: &Path, bytes: &[u8], existing: Existing) -> io::Result<()> {
    write_whole_with(path, existing, |file| file.write_all(bytes))
}

/// Like [`write_whole`], for the bytes that `fill` writes to the file.
///
/// # Errors
/// The errors of `fill`, and if the file cannot be created, or exists and must be kept.
pub fn write_whole_with<E: From<io::Error>>(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let mut draft = Draft::of_file_with(path, |builder| {
        // Permissions of an ordinary new file; temporary files are readable by their owner alone.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        #[cfg(not(unix))]
        let _ = builder;
    })?;
    let file = draft.get_mut().as_file_mut();
    // The new file keeps the permissions of the file that it replaces.
    if existing == Existing::Replace
        && let Ok(old) = std::fs::metadata(path)
    {
        file.set_permissions(old.permissions())?;
    }
    fill(file)?;
    file.sync_all()?;
    draft.finish(path, existing)?;
    if let Ok(folder) = File::open(folder_of(path)) {
        // Makes the new name survive a power cut. Not every system supports this for a folder.
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Returns the folder that contains `path`.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
