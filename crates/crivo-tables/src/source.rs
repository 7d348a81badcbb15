//! Files and standard input. They are checked before anything is read, opened when their turn comes, and
//! decompressed according to their first bytes, whatever their name.

use super::gzip::GzipReader;
use super::head::Begun;
use super::logs::Converted;
use super::passed::{Counted, Decoded};
use super::peek::{BYTE_ORDER_MARK, GZIP, PARQUET, Peeked, ZSTD, ZSTD_SKIPPABLE, peek};
use super::zstd::ZstdReader;
use super::{Conversion, Syntax, Watch, foreign};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// A file or standard input. It existed and could be opened when it was checked.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path, or `None` for standard input.
    path: Option<PathBuf>,
    /// A copy of a pipe that is read more than once.
    copy: Option<PipeCopy>,
    /// A pipe whose first bytes have been inspected.
    pub(super) begun: Option<Begun>,
    /// The format of the source.
    pub format: SourceFormat,
    /// The conversion to this format, if the source has another.
    pub conversion: Option<Conversion>,
    /// The number of bytes on disk, if it is known.
    pub(super) size: Option<u64>,
}

/// The format of a source, and which parts of it are a guess.
#[derive(Clone, Copy, Debug)]
pub struct SourceFormat {
    /// How its records are written.
    pub syntax: Syntax,
    /// Whether the user wants any bytes to be read. Otherwise files that are not text are refused.
    pub any_bytes: bool,
    /// Whether only the file name says that this is JSON. Then the file may be one large array.
    pub json_by_name: bool,
    /// Whether a byte-order mark is part of the data.
    pub keeps_mark: bool,
}

impl Source {
    /// Creates the source of standard input. Only one reader can read it, so a process should have only one such
    /// source.
    pub fn stdin(format: SourceFormat) -> Self {
        Self { path: None, copy: None, begun: None, format, conversion: None, size: None }
    }

    /// Creates the source of a file that exists, is not a directory and can be read. `format` is called only for
    /// such a file.
    ///
    /// # Errors
    /// If there is no such file, and the errors of `format`.
    pub fn file(path: &Path, format: impl FnOnce() -> Result<SourceFormat>) -> Result<Self> {
        // The check comes first, so that a missing file is not reported as a wrong format.
        let size = check_file(path).with_context(|| path.display().to_string())?;
        let (path, format) = (Some(path.to_owned()), format()?);
        Ok(Self { path, copy: None, begun: None, format, conversion: None, size })
    }

    /// Returns the name for messages.
    pub fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| "standard input".into(), |path| path.display().to_string())
    }

    /// Returns the path, unless the source is standard input.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Makes the source readable again after it has been read to its end: a pipe is copied to a temporary file
    /// while it is read. So an error at the beginning is found before the rest is copied.
    ///
    /// # Errors
    /// If no temporary file can be created.
    pub fn keep(&mut self) -> Result<()> {
        if self.size.is_none() && self.copy.is_none() {
            let file = tempfile::tempfile().with_context(|| format!("{}: {COPYING}", self.name()))?;
            self.copy = Some(PipeCopy { file: Arc::new(file), state: Arc::default() });
        }
        Ok(())
    }

    /// Returns the file, or the temporary copy of a pipe that is [kept](Self::keep). It is complete, since a
    /// Parquet file is read from its end.
    pub(super) fn file_with_end(&self) -> Result<File> {
        match (&self.copy, &self.path) {
            (Some(PipeCopy { file, state }), _) => {
                if state.load(Ordering::SeqCst) != WHOLE {
                    io::copy(&mut self.open_raw()?, &mut io::sink())?;
                }
                Ok(file.try_clone()?)
            }
            (None, Some(path)) if self.size.is_some() => Ok(File::open(path)?),
            (None, _) => bail!("Parquet is read from its end, so it must be a file; save it first"),
        }
    }

    /// Returns whether this is a pipe that begins like a Parquet file. Waits for the first bytes.
    ///
    /// # Errors
    /// If the pipe cannot be read.
    pub fn sends_parquet(&mut self) -> Result<bool> {
        if self.size.is_some() {
            return Ok(false);
        }
        let name = self.name();
        let (found, whole) = self.open_first().and_then(|raw| peek(raw, &[PARQUET])).context(name)?;
        self.begun = Some(Begun::new(Box::new(whole)));
        Ok(matches!(found, Peeked::Found(_)))
    }

    fn open_raw(&self) -> io::Result<Box<dyn Read + Send>> {
        let Some(PipeCopy { file, state }) = &self.copy else { return self.open_first() };
        let mut file = file.try_clone()?;
        match state.swap(BEGUN, Ordering::SeqCst) {
            UNREAD => Ok(Box::new(Copying { inner: self.open_first()?, file, state: Arc::clone(state) })),
            WHOLE => {
                state.store(WHOLE, Ordering::SeqCst);
                file.rewind()?;
                Ok(Box::new(file))
            }
            _ => Err(io::Error::other("is read again before its end was reached; save it to a file first")),
        }
    }

    pub(super) fn open_first(&self) -> io::Result<Box<dyn Read + Send>> {
        if let Some(begun) = self.begun.as_ref().and_then(Begun::take) {
            return Ok(begun);
        }
        Ok(match &self.path {
            None => {
                widen(&io::stdin());
                Box::new(io::stdin())
            }
            Some(path) => Box::new(File::open(path)?),
        })
    }

    /// Opens the decompressed bytes, without a byte-order mark. `progress` counts the bytes that are read from
    /// disk; decompression may take about `max_memory`.
    pub(super) fn open(
        &self,
        progress: Arc<AtomicU64>,
        max_memory: u64,
        watch: &Arc<dyn Watch>,
    ) -> io::Result<Box<dyn Read + Send>> {
        self.decode(self.open_raw()?, progress, max_memory, watch)
    }

    /// Like `open`, for the raw bytes `raw`.
    pub(super) fn decode(
        &self,
        raw: Box<dyn Read + Send>,
        progress: Arc<AtomicU64>,
        max_memory: u64,
        watch: &Arc<dyn Watch>,
    ) -> io::Result<Box<dyn Read + Send>> {
        let decoded = self.decompress(raw, progress, max_memory, watch)?;
        if self.mark_is_data() {
            return Ok(decoded);
        }
        let (mark, mut decoded) = peek(decoded, &[BYTE_ORDER_MARK])?;
        if matches!(mark, Peeked::Found(_)) {
            decoded.read_exact(&mut [0; 3])?;
        }
        Ok(match self.conversion {
            Some(conversion) => Box::new(Converted::new(decoded, conversion)),
            None => Box::new(decoded),
        })
    }

    /// Returns all lines, if they take at most `limit` bytes.
    ///
    /// # Errors
    /// If the source cannot be read, or is larger.
    pub fn lines(&self, limit: u64, watch: &Arc<dyn Watch>) -> Result<Vec<Vec<u8>>> {
        let bytes = self.open(Arc::default(), limit, watch).map_err(anyhow::Error::from);
        let bytes = bytes.and_then(|reader| read_up_to(reader, limit)).with_context(|| self.name())?;
        let Some(bytes) = bytes else {
            bail!("{}: larger than --max-memory; raise it, or give fewer lines", self.name());
        };
        if bytes.is_empty() {
            return Ok(Vec::new());
        }
        let lines = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
        Ok(lines.split(|&byte| byte == b'\n').map(line).collect())
    }

    /// Returns the byte-order mark at the beginning of the source, or no bytes.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn mark(&self, watch: &Arc<dyn Watch>) -> Result<&'static [u8]> {
        if self.mark_is_data() {
            return Ok(b"");
        }
        let found = self
            .open_raw()
            .and_then(|raw| self.decompress(raw, Arc::default(), u64::MAX, watch))
            .and_then(|bytes| Ok(peek(bytes, &[BYTE_ORDER_MARK])?.0));
        let has_mark = matches!(found.with_context(|| self.name())?, Peeked::Found(_));
        Ok(if has_mark { b"\xef\xbb\xbf" } else { b"" })
    }

    /// Returns whether a byte-order mark is data: texts are copied whole, items that end in NUL are bytes, and
    /// Parquet has no mark.
    fn mark_is_data(&self) -> bool {
        let has_none = matches!(self.format.syntax, Syntax::Lines { end: 0 } | Syntax::Parquet);
        self.format.keeps_mark || has_none
    }

    fn decompress(
        &self,
        raw: Box<dyn Read + Send>,
        progress: Arc<AtomicU64>,
        max_memory: u64,
        watch: &Arc<dyn Watch>,
    ) -> io::Result<Box<dyn Read + Send>> {
        let (magic, raw) = peek(Counted { inner: raw, progress }, &[GZIP, ZSTD, ZSTD_SKIPPABLE])?;
        let mut decoded: Box<dyn Read + Send> = match magic {
            Peeked::Found(0) => {
                let (name, watch) = (self.name(), Arc::clone(watch));
                let tell = move || {
                    watch.remark(&format!(
                        "{name}: the bytes after the gzip data are not gzip, and were ignored"
                    ));
                };
                Box::new(Decoded { inner: GzipReader::new(BufReader::new(raw), tell), what: "gzip" })
            }
            Peeked::Found(_) => {
                let inner = ZstdReader::new(BufReader::new(raw)).with_max_memory(max_memory);
                Box::new(Decoded { inner, what: "zstd" })
            }
            // A text may begin like this, but not if the file name says that it is compressed.
            Peeked::Cut if self.is_compressed_by_name() => {
                return Err(io::Error::other(
                    "the file is named as compressed, but ends within its first bytes; get the file again",
                ));
            }
            Peeked::Cut | Peeked::Other => Box::new(raw),
        };
        if !self.format.any_bytes {
            let beginnings = foreign::BEGINNINGS.map(|(beginning, _)| beginning);
            let (found, mut whole) = peek(decoded, &beginnings)?;
            if let Peeked::Found(found) = found {
                return Err(io::Error::other(foreign::explain(found, &mut whole)));
            }
            decoded = Box::new(whole);
        }
        if !self.format.any_bytes && !self.format.keeps_mark && self.format.syntax == PLAIN_LINES {
            let first = first_line_and_more(&mut decoded)?;
            if let Some(what) = foreign::binary(&first) {
                return Err(io::Error::other(what));
            }
            decoded = Box::new(Cursor::new(first).chain(decoded));
        }
        Ok(decoded)
    }

    fn is_compressed_by_name(&self) -> bool {
        let extension = self.path.as_ref().and_then(|path| path.extension());
        extension.is_some_and(|name| ["gz", "zst"].iter().any(|known| name.eq_ignore_ascii_case(known)))
    }
}

/// Reads the first line, and the bytes that arrive together with it: a slow pipe may have sent no more.
fn first_line_and_more(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut first = vec![0; foreign::LOOKED_AT];
    let mut filled = 0;
    while filled < first.len() && memchr::memchr(b'\n', &first[..filled]).is_none() {
        match reader.read(&mut first[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    first.truncate(filled);
    Ok(first)
}

/// Returns all bytes, or `None` if there are more than `limit`.
///
/// # Errors
/// The errors of the reader.
pub fn read_up_to(reader: impl Read, limit: u64) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Returns whether the path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns whether this is a file that begins and ends like a Parquet file.
pub fn is_parquet(path: &Path) -> bool {
    const MAGIC: &[u8; 4] = b"PAR1";
    let ends = || -> io::Result<bool> {
        let (mut first, mut last) = ([0; 4], [0; 4]);
        // Opening a pipe could wait for a writer.
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() || metadata.len() < 12 {
            return Ok(false);
        }
        let mut file = File::open(path)?;
        file.read_exact(&mut first)?;
        file.seek(io::SeekFrom::End(-4))?;
        file.read_exact(&mut last)?;
        Ok(&first == MAGIC && &last == MAGIC)
    };
    ends().unwrap_or(false)
}

/// Returns the size of a regular file, or an error if the file cannot be read. A pipe is not opened, because that
/// could wait for a writer, or take its data.
///
/// # Errors
/// If the file cannot be read.
pub fn check_file(path: &Path) -> Result<Option<u64>> {
    let explain = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => anyhow::anyhow!("no such file; check the name"),
        io::ErrorKind::PermissionDenied => anyhow::anyhow!("permission denied; check who may read it"),
        _ => error.into(),
    };
    let metadata = fs::metadata(path).map_err(explain)?;
    if metadata.is_dir() {
        bail!("is a directory; name the files in it");
    }
    if !metadata.is_file() {
        return Ok(None);
    }
    File::open(path).map_err(explain)?;
    Ok(Some(metadata.len()))
}

const PLAIN_LINES: Syntax = Syntax::Lines { end: b'\n' };

/// Enlarges the buffer of a pipe, so that reader and writer wait for each other less often.
#[cfg(target_os = "linux")]
fn widen(input: &io::Stdin) {
    /// The largest size that every user may set.
    const PIPE: usize = 1 << 20;
    let _no_pipe = rustix::pipe::fcntl_setpipe_size(input, PIPE);
}

#[cfg(not(target_os = "linux"))]
fn widen(_input: &io::Stdin) {}

/// The copy of a pipe, and how much of the pipe it contains.
#[derive(Clone, Debug)]
struct PipeCopy {
    file: Arc<File>,
    state: Arc<AtomicU8>,
}

const UNREAD: u8 = 0;
const BEGUN: u8 = 1;
const WHOLE: u8 = 2;

const COPYING: &str = "copying it to a temporary file";

/// A reader that copies all bytes it reads to a file.
struct Copying {
    inner: Box<dyn Read + Send>,
    file: File,
    state: Arc<AtomicU8>,
}

impl Read for Copying {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if count == 0 && !buffer.is_empty() {
            self.state.store(WHOLE, Ordering::SeqCst);
        }
        // The error becomes a text, so that a full disk is not reported as an error of the pipe.
        let copied = self.file.write_all(&buffer[..count]);
        copied.map(|()| count).map_err(|error| io::Error::other(format!("{COPYING}: {error}")))
    }
}
