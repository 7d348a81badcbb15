//! A file that many threads read from, and a fence around the reader of its format.

use anyhow::{Result, anyhow};
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, Once, PoisonError};

/// Every read says where: the threads share the file, but no place in it.
#[derive(Clone, Debug)]
pub(super) struct SharedFile {
    file: Arc<Mutex<File>>,
    length: u64,
}

impl SharedFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(Mutex::new(file)), length })
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<From>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        Ok(BufReader::new(From { file: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        // A damaged file may ask for more than there is, and than there is memory.
        if start.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF(format!(
                "no {length} bytes at {start} in a file of {}",
                self.length
            )));
        }
        let mut bytes = vec![0; length];
        From { file: self.clone(), at: start }.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// All from a place on.
#[derive(Debug)]
pub(super) struct From {
    file: SharedFile,
    at: u64,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let count = file.read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// What `read` gives; a panic of the reader, which damaged data can cause, is an error like others, and silent.
pub(super) fn fenced<T>(read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
    thread_local! {
        static FENCED: Cell<bool> = const { Cell::new(false) };
    }
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !FENCED.get() {
                loud(info);
            }
        }));
    });
    FENCED.set(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    FENCED.set(false);
    match read {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(ParquetError::NYI(what))) => {
            Err(anyhow!("this Parquet file cannot be read ({what}); convert it to CSV"))
        }
        Ok(Err(error)) => Err(damaged(&error.to_string())),
        Err(_) => Err(damaged("its parts contradict each other")),
    }
}

/// The file is not what its format asks for.
pub(super) fn damaged(what: &str) -> anyhow::Error {
    anyhow!("the Parquet data is damaged or incomplete ({what}); get the file again")
}
