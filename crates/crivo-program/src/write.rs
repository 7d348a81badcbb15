//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile, TempDir};

/// What to do where a file exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Put the new file in its place.
    Replace,
    /// Leave it, and fail.
    Keep,
}

/// The drafts of now. Locked while one is made, gets its name or goes, so that who removes them all misses none.
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file or folder that has not got its name yet. It goes when it is dropped, and by [`remove_drafts`].
#[derive(Debug)]
pub struct Draft<T: AsRef<Path>>(Option<T>);

impl Draft<NamedTempFile> {
    /// An empty file for its owner alone, in the folder of the file that it will become.
    ///
    /// # Errors
    /// When none can be made there.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        Self::of_file_with(path, |_| ())
    }

    fn of_file_with(path: &Path, set: impl FnOnce(&mut Builder<'_, '_>)) -> io::Result<Self> {
        Self::made(path, |builder, folder| {
            set(builder);
            builder.tempfile_in(folder)
        })
    }

    /// Gives the file its name, in one step.
    ///
    /// # Errors
    /// When it cannot get the name, or the name is taken and to be kept.
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
    /// Creates an empty folder next to its final name.
    ///
    /// # Errors
    /// When none can be made there.
    pub fn of_folder(path: &Path) -> io::Result<Self> {
        Self::made(path, |builder, folder| builder.tempdir_in(folder))
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    /// When it cannot get the name.
    pub fn finish(mut self, path: &Path) -> io::Result<()> {
        self.end(|draft| {
            std::fs::rename(draft.path(), path)?;
            // What has a name is kept.
            let _its_old_name = draft.keep();
            Ok(())
        })
    }
}

impl<T: AsRef<Path>> Draft<T> {
    /// `.name.XXXXXX.tmp`: what is left by a kill or a power cut tells whose it is.
    fn made(
        path: &Path,
        make: impl FnOnce(&mut Builder<'_, '_>, &Path) -> io::Result<T>,
    ) -> io::Result<Self> {
        /// Names of files have at most 255 bytes on most systems.
        const MOST_BYTES: usize = 200;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let end = (0..=name.len().min(MOST_BYTES)).rev().find(|&end| name.is_char_boundary(end));
        let prefix = format!(".{}.", &name[..end.unwrap_or(0)]);
        let mut drafts = drafts();
        let draft = make(Builder::new().prefix(&prefix).suffix(".tmp"), folder_of(path))?;
        drafts.push(draft.as_ref().to_owned());
        Ok(Self(Some(draft)))
    }

    /// It is a draft no more.
    fn end(&mut self, end: impl FnOnce(T) -> io::Result<()>) -> io::Result<()> {
        let Some(draft) = self.0.take() else { return Ok(()) };
        let mut drafts = drafts();
        drafts.retain(|path| path != draft.as_ref());
        end(draft)
    }

    /// What is being written.
    ///
    /// # Panics
    /// Never: only what is finished is gone.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("it is not finished")
    }
}

impl<T: AsRef<Path>> Drop for Draft<T> {
    fn drop(&mut self) {
        // Removing the rest may fail; there is nobody to report it to.
        let _ = self.end(|_| Ok(()));
    }
}

/// Removes all that was begun and is not whole, for a program that ends now: until then no draft can be made or finished any
/// more. If `is_too_late` is true at a time when none is being finished, all files stay, the program goes on, and the result says so.
pub fn remove_drafts(is_too_late: impl FnOnce() -> bool) -> bool {
    let drafts = drafts();
    if is_too_late() {
        return false;
    }
    remove_for_good(drafts);
    true
}

/// Like `remove_drafts`, for a program that cannot wait until a temporary file is created or finished: if one is, all stay.
pub fn try_remove_drafts() {
    if let Ok(drafts) = DRAFTS.try_lock() {
        remove_for_good(drafts);
    }
}

fn remove_for_good(mut drafts: MutexGuard<'static, Vec<PathBuf>>) {
    for path in drafts.drain(..) {
        // What cannot be removed stays: nobody is left to do more about it.
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

/// [`write_whole`] for what `fill` writes into the file.
///
/// # Errors
/// The errors of `fill`, and if the file cannot be created, or exists and must be kept.
pub fn write_whole_with<E: From<io::Error>>(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let mut draft = Draft::of_file_with(path, |builder| {
        // As any other new file, not for the owner alone as temporary files are.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        #[cfg(not(unix))]
        let _ = builder;
    })?;
    let file = draft.get_mut().as_file_mut();
    // A file that only some may read stays so.
    if existing == Existing::Replace
        && let Ok(old) = std::fs::metadata(path)
    {
        file.set_permissions(old.permissions())?;
    }
    fill(file)?;
    file.sync_all()?;
    draft.finish(path, existing)?;
    if let Ok(folder) = File::open(folder_of(path)) {
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
