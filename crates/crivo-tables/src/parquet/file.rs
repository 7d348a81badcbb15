//! A file that many threads read, and the handling of panics in the crate that decodes its pages.

use anyhow::{Result, anyhow};
use parquet::errors::ParquetError;
use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// A file without a shared position: every read names its place.
#[derive(Clone, Debug)]
pub(super) struct SharedFile {
    file: Arc<Mutex<File>>,
    length: u64,
}

impl SharedFile {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(Mutex::new(file)), length })
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Reads `length` bytes from `start` on.
    pub(super) fn read(&self, start: u64, length: usize) -> Result<Vec<u8>> {
        // A corrupt file may declare more bytes than the file or the memory has.
        if start.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(damaged(&format!("no {length} bytes at {start} in a file of {}", self.length)));
        }
        let mut bytes = vec![0; length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

thread_local! {
    static FENCED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a panic of this thread would be caught and become an error. Then the panic hook prints no
/// message.
pub fn is_fenced() -> bool {
    FENCED.get()
}

/// Returns the result of `read`. A panic of the crate, which corrupt data can cause, becomes an error. It prints no
/// message if the panic hook asks [`is_fenced`].
pub(super) fn fenced<T>(read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
    FENCED.set(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    FENCED.set(false);
    match read {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(ParquetError::External(error))) => Err(match error.downcast::<Ours>() {
            Ok(ours) => ours.0,
            Err(error) => damaged(&error.to_string()),
        }),
        Ok(Err(ParquetError::NYI(what))) => Err(unreadable(&what)),
        Ok(Err(ParquetError::General(what) | ParquetError::EOF(what))) => Err(damaged(&what)),
        Ok(Err(error)) => Err(damaged(&error.to_string())),
        Err(_) => Err(damaged("its parts contradict each other")),
    }
}

/// Wraps an error of this module so that the crate can return it.
pub(super) fn ours(error: anyhow::Error) -> ParquetError {
    ParquetError::External(Box::new(Ours(error)))
}

#[derive(Debug)]
struct Ours(anyhow::Error);

impl fmt::Display for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Ours {}

/// Creates the error for a file that violates the format.
pub(super) fn damaged(what: &str) -> anyhow::Error {
    anyhow!("the Parquet data is corrupt or incomplete ({what}); get the file again")
}

/// Creates the error for a file that may be valid, but uses a feature that is not supported.
pub(super) fn unreadable(what: &str) -> anyhow::Error {
    anyhow!("this Parquet file cannot be read ({what}); convert it to CSV")
}
