//! A file that many threads read from, and a fence around the crate that decodes its pages.

use anyhow::{Result, anyhow};
use parquet::errors::ParquetError;
use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// Every read says where: the threads share the file, but no place in it.
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

    /// The number of bytes from there on.
    pub(super) fn read(&self, start: u64, length: usize) -> Result<Vec<u8>> {
        // A corrupt file may ask for more than there is, and than there is memory.
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

/// Whether a panic of this thread, now, is caught and becomes an error: nobody need hear of it.
pub fn is_fenced() -> bool {
    FENCED.get()
}

/// What `read` gives; a panic of the crate, which damaged data can cause, is an error like others, and silent where the hook
/// of panics asks [`is_fenced`].
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

/// An error of ours on its way through the crate.
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

/// The file is not what its format asks for.
pub(super) fn damaged(what: &str) -> anyhow::Error {
    anyhow!("the Parquet data is corrupt or incomplete ({what}); get the file again")
}

/// The file may be what its format asks for, but not what is read here.
pub(super) fn unreadable(what: &str) -> anyhow::Error {
    anyhow!("this Parquet file cannot be read ({what}); convert it to CSV")
}
