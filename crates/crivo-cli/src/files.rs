//! Which files are read and which will be written. No file is both where the input would be gone.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Notes that data will be read from here.
pub(crate) fn will_read(path: &Path) -> Result<()> {
    note(path, &READ, &WRITTEN)
}

/// Notes that a file will be written here.
pub(crate) fn will_write(path: &Path) -> Result<()> {
    note(path, &WRITTEN, &READ)
}

/// A file that is not there yet is no input, and what is no file is not replaced.
fn note(path: &Path, these: &Mutex<Vec<PathBuf>>, those: &Mutex<Vec<PathBuf>>) -> Result<()> {
    let Some(path) = path.canonicalize().ok().filter(|path| path.is_file()) else { return Ok(()) };
    if those.lock().unwrap_or_else(PoisonError::into_inner).contains(&path) {
        bail!("is read and would be replaced; save to another file");
    }
    these.lock().unwrap_or_else(PoisonError::into_inner).push(path);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_both() {
        let [one, other] = [(); 2].map(|()| tempfile::NamedTempFile::new().unwrap());
        will_read(one.path()).unwrap();
        will_read(one.path()).unwrap();
        assert!(will_write(one.path()).is_err());
        will_write(other.path()).unwrap();
        assert!(will_read(other.path()).is_err());
        will_write(Path::new("/dev/null")).unwrap();
        will_read(Path::new("/dev/null")).unwrap();
    }
}
