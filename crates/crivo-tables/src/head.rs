//! The first lines of a source, inspected before the source is read. Bytes that were taken from a pipe for this are
//! read again.

use super::table::first_record;
use super::{Source, Syntax, Watch};
use anyhow::{Context, Result};
use std::fmt;
use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// The inspected part of a source: this many lines, but at most this many bytes. The part does not depend on how a
/// pipe splits its data.
const LINES: usize = 100;
const BYTES: usize = 1 << 16;

/// The first lines of a source.
#[derive(Debug)]
pub struct Head {
    /// The lines, decompressed and without a byte-order mark.
    pub(super) bytes: Vec<u8>,
    /// Whether these lines are the whole source.
    pub(super) is_whole: bool,
}

/// A pipe of which some bytes were taken: first these bytes, then the rest. Only the first reader gets it.
#[derive(Clone)]
pub(super) struct Begun(Arc<Mutex<Option<Box<dyn Read + Send>>>>);

impl fmt::Debug for Begun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Begun").finish_non_exhaustive()
    }
}

impl Begun {
    pub(super) fn new(whole: Box<dyn Read + Send>) -> Self {
        Self(Arc::new(Mutex::new(Some(whole))))
    }

    pub(super) fn take(&self) -> Option<Box<dyn Read + Send>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A pipe, and the bytes that were taken from it.
type Taken = (Box<dyn Read + Send>, Vec<u8>);

/// A reader that records all bytes it reads.
struct Noted {
    inner: Arc<Mutex<Taken>>,
}

impl Read for Noted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let count = inner.0.read(buffer)?;
        inner.1.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

impl Source {
    /// Returns the first lines, decompressed. If the source is a pipe, it waits for them.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn head(&mut self, max_memory: u64, watch: &Arc<dyn Watch>) -> Result<Head> {
        let name = self.name();
        self.read_head(max_memory, watch).with_context(|| name)
    }

    /// Returns the names of the columns, if the source is a table with a header.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn header(&mut self, max_memory: u64, watch: &Arc<dyn Watch>) -> Result<Option<Vec<Vec<u8>>>> {
        let Syntax::Table { delimiter, header: true } = self.format.syntax else { return Ok(None) };
        let head = self.head(max_memory, watch)?;
        Ok(first_record(&head.bytes, delimiter).map(|first| first.fields))
    }

    fn read_head(&mut self, max_memory: u64, watch: &Arc<dyn Watch>) -> io::Result<Head> {
        if self.size.is_some() {
            return Head::read(self.open(Arc::default(), max_memory, watch)?);
        }
        let inner = Arc::new(Mutex::new((self.open_first()?, Vec::new())));
        let noted = Box::new(Noted { inner: Arc::clone(&inner) });
        let head = Head::read(self.decode(noted, Arc::default(), max_memory, watch)?)?;
        let inner = Arc::into_inner(inner).expect("the decoder is gone");
        let (rest, taken) = inner.into_inner().unwrap_or_else(PoisonError::into_inner);
        let whole: Box<dyn Read + Send> = Box::new(Cursor::new(taken).chain(rest));
        self.begun = Some(Begun::new(whole));
        Ok(head)
    }
}

impl Head {
    fn read(mut reader: impl Read) -> io::Result<Self> {
        let mut bytes = vec![0; BYTES];
        let (mut filled, mut lines) = (0, 0);
        while filled < BYTES {
            let count = match reader.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            for end in memchr::memchr_iter(b'\n', &bytes[filled..filled + count]) {
                lines += 1;
                if lines == LINES {
                    bytes.truncate(filled + end + 1);
                    return Ok(Self { bytes, is_whole: false });
                }
            }
            filled += count;
        }
        bytes.truncate(filled);
        Ok(Self { is_whole: filled < BYTES, bytes })
    }
}
