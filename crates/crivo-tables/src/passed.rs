//! Readers that wrap other readers: one counts the bytes, one explains errors.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A reader that counts the bytes it reads.
pub(super) struct Counted<R> {
    pub(super) inner: R,
    pub(super) progress: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.progress.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A reader whose errors name the compression that failed.
pub(super) struct Decoded<R> {
    pub(super) inner: R,
    pub(super) what: &'static str,
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let what = self.what;
        self.inner.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted | io::ErrorKind::OutOfMemory => error,
            _ => io::Error::other(format!(
                "the {what} data is corrupt or incomplete ({error}); get the file again"
            )),
        })
    }
}
