//! `crivo.profile`: of files with the readers of the command, of frames through Arrow.

use crate::error::{OrRaise, explained};
use crate::input::texts::texts;
use crate::input::{Frame, PIECE, Pieces, columns_of};
use arrow_array::Array;
use crivo::profile::{ColumnProfile, ProfileParams};
use crivo::{HashSpec, ItemForm, TableProfile};
use crivo_tables::profile::Profiler;
use crivo_tables::{
    Columns, Format, Guess, Input, Missing, Progress, Room, Source, SourceFormat, Syntax, Watch, extension,
    is_parquet,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use std::{mem, thread};

/// The memory that a profile may take, as in the command.
const MAX_MEMORY: u64 = 2 << 30;

/// The hash of profiles: values are profiled by their texts.
fn spec() -> HashSpec {
    HashSpec::default().with_form(ItemForm::Text)
}

/// The profile of a frame, a relation or a reader. `tell` hears of the rows that have been read.
pub(crate) fn of_frame(
    frame: &Bound<'_, PyAny>,
    error: f64,
    tell: Option<&Bound<'_, PyAny>>,
) -> PyResult<TableProfile> {
    let py = frame.py();
    let (params, spec) = (ProfileParams::for_error(error).or_raise()?, spec());
    let (names, mut reader) = match Frame::of(frame)? {
        Frame::Batches(names, reader) => (names, reader),
        Frame::Columns(columns) => return of_columns(py, columns, params, spec, tell),
    };
    let mut columns: Vec<ColumnProfile> =
        names.iter().map(|_| ColumnProfile::with_params(params).with_hash(spec)).collect();
    let missing = Missing::default();
    let mut rows = 0;
    while let Some(batch) = py.detach(|| reader.next()) {
        let batch = batch.map_err(|error| PyValueError::new_err(error.to_string()))?;
        // A frame may be one large batch: it is read in pieces, between which signals are seen.
        for start in (0..batch.len()).step_by(PIECE) {
            py.check_signals()?;
            let piece = batch.slice(start, PIECE.min(batch.len() - start));
            let table = columns_of(&piece)?;
            let added = py.detach(|| add(&mut columns, table.columns(), spec, &missing));
            added.map_err(PyTypeError::new_err)?;
            rows += table.len() as u64;
            if let Some(tell) = tell {
                tell.call1((rows,))?;
            }
        }
    }
    TableProfile::from_columns(params, spec, rows, names.into_iter().zip(columns).collect()).or_raise()
}

/// The profile of columns that are read one after the other.
fn of_columns<'py>(
    py: Python<'py>,
    columns: Vec<(String, Bound<'py, PyAny>)>,
    params: ProfileParams,
    spec: HashSpec,
    tell: Option<&Bound<'_, PyAny>>,
) -> PyResult<TableProfile> {
    let (missing, count) = (Missing::default(), columns.len() as u64);
    let (mut made, mut rows) = (Vec::new(), 0);
    for (name, values) in columns {
        let mut column = [ColumnProfile::with_params(params).with_hash(spec)];
        let mut pieces = Pieces::of(&values)?;
        let mut read = 0;
        while let Some(piece) = pieces.next(py)? {
            read += piece.len() as u64;
            let added = py.detach(|| add(&mut column, &[piece], spec, &missing));
            added.map_err(PyTypeError::new_err)?;
        }
        rows = read;
        let [column] = column;
        made.push((name, column));
        if let Some(tell) = tell {
            tell.call1((rows * made.len() as u64 / count,))?;
        }
    }
    TableProfile::from_columns(params, spec, rows, made).or_raise()
}

/// Adds a batch to the columns, several columns at once.
fn add(
    columns: &mut [ColumnProfile],
    batch: &[arrow_array::ArrayRef],
    spec: HashSpec,
    missing: &Missing,
) -> Result<(), String> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let per_worker = columns.len().div_ceil(workers).max(1);
    thread::scope(|scope| {
        let parts = columns.chunks_mut(per_worker).zip(batch.chunks(per_worker));
        let started: Vec<_> = parts
            .map(|(columns, batch)| {
                scope.spawn(move || {
                    let hasher = spec.bytes_hasher();
                    for (column, values) in columns.iter_mut().zip(batch) {
                        let texts = texts(values, Some(missing))?;
                        for text in &texts {
                            match text {
                                Some(text) => column.add_hashed(text, hasher.hash(text), 1),
                                None => column.add_missing(1),
                            }
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        started
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("a column cannot be read".into())))
    })
}

/// The observer of a run: it ends the run when Python has a signal.
#[derive(Debug, Default)]
struct Observer {
    is_over: AtomicBool,
    done: Arc<AtomicU64>,
}

impl Watch for Observer {
    fn remark(&self, _text: &str) {}

    fn begin(&self, _total: Option<u64>, _prints: bool) -> Box<dyn Progress> {
        Box::new(Done(Arc::clone(&self.done)))
    }

    fn will_answer(&self) {}

    fn is_end_of_input(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    fn interrupted(&self, _part: crivo_report::Interrupted) {}
}

#[derive(Debug)]
struct Done(Arc<AtomicU64>);

impl Progress for Done {
    fn set(&self, done: u64) {
        self.0.store(done, Ordering::SeqCst);
    }
}

/// The format of a file, as the command finds it.
fn source(path: &Path, watch: &Arc<dyn Watch>) -> anyhow::Result<Source> {
    let told = if is_parquet(path) { Some(Format::Parquet) } else { Format::by_name(path) };
    let syntax = match told {
        Some(Format::Csv) => Syntax::Table { delimiter: b',', header: true },
        Some(Format::Tsv) => Syntax::Table { delimiter: b'\t', header: true },
        Some(Format::JsonLines) => Syntax::JsonLines,
        Some(Format::Parquet) => Syntax::Parquet,
        Some(Format::Lines) | None => Syntax::Lines { end: b'\n' },
    };
    let json_by_name = extension(path) == "json";
    let format = SourceFormat { syntax, any_bytes: false, json_by_name, keeps_mark: false };
    let mut source = Source::file(path, || Ok(format))?;
    if told == Some(Format::Csv) {
        let delimiter = source.head(MAX_MEMORY, watch)?.delimiter_of_csv();
        source.format.syntax = Syntax::Table { delimiter, header: true };
    } else if told.is_none()
        && let Some(syntax) = source.head(MAX_MEMORY, watch)?.guess(Guess::Careful)
    {
        source.format.syntax = syntax;
    }
    Ok(source)
}

/// The profile of files that are parts of one table. `tell` hears of the bytes that have been read.
pub(crate) fn of_files(
    py: Python<'_>,
    paths: &[PathBuf],
    error: f64,
    tell: Option<&Bound<'_, PyAny>>,
) -> PyResult<TableProfile> {
    let params = ProfileParams::for_error(error).or_raise()?;
    let observer = Arc::new(Observer::default());
    let watch: Arc<dyn Watch> = Arc::clone(&observer) as _;
    let sources = paths.iter().map(|path| source(path, &watch)).collect::<anyhow::Result<Vec<_>>>();
    let input = Input {
        sources: sources.map_err(|error| explained(&error))?,
        columns: Columns::default(),
        missing: Missing::default(),
        jobs: thread::available_parallelism().map_or(1, usize::from),
        max_memory: MAX_MEMORY,
        watch,
        prints: false,
        wake: None,
        needs_values: false,
        answers_early: true,
        hides_data: false,
        skips_invalid: false,
    };
    let profiler = Profiler {
        params,
        spec: spec(),
        room: Room { memory: MAX_MEMORY, groups: 1000 },
        every: None,
        start: None,
        name: paths.first().map_or_else(String::new, |path| path.display().to_string()),
        names_missing: false,
        is_quiet: true,
    };
    let worker = thread::spawn(move || profiler.read(input, |_| Ok(()))?.only_table().cloned());
    let mut signal = Ok(());
    while !worker.is_finished() {
        py.detach(|| thread::sleep(Duration::from_millis(5)));
        if signal.is_ok() {
            signal = py.check_signals().and_then(|()| match tell {
                Some(tell) => tell.call1((observer.done.load(Ordering::SeqCst),)).map(mem::drop),
                None => Ok(()),
            });
            observer.is_over.store(signal.is_err(), Ordering::SeqCst);
        }
    }
    signal?;
    let read = py.detach(|| worker.join());
    let read = read.map_err(|_| PyValueError::new_err("the table cannot be read"))?;
    read.map_err(|error| explained(&error))
}
