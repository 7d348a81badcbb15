//! Iterables of Python objects, gathered into arrays of one type each.

use super::scalar::Scalar;
use arrow_array::builder::{
    BooleanBuilder, Date32Builder, DurationMicrosecondBuilder, Float64Builder, Int64Builder,
    LargeBinaryBuilder, LargeStringBuilder, TimestampMicrosecondBuilder, UInt64Builder,
};
use arrow_array::{ArrayRef, NullArray};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::sync::Arc;

/// Objects that are gathered before a sketch takes them, and the bytes of their texts: few enough to stay in the cache.
const GATHERED: usize = 1 << 14;
const BYTES: usize = 1 << 20;

/// The objects of an iterator.
#[derive(Debug)]
pub(crate) struct Objects<'py> {
    items: Bound<'py, PyIterator>,
    /// The first object of another type than those before it.
    waiting: Option<Bound<'py, PyAny>>,
    nan_is_missing: bool,
    /// Whether the texts of objects are wanted.
    text: bool,
}

/// Values of one type; missing ones stay in their places.
enum Run {
    Missing(usize),
    Bools(BooleanBuilder),
    Ints(Int64Builder),
    Large(UInt64Builder),
    Floats(Float64Builder),
    Texts(LargeStringBuilder),
    Bytes(LargeBinaryBuilder),
    Dates(Date32Builder),
    Times(TimestampMicrosecondBuilder, bool),
    Spans(DurationMicrosecondBuilder),
}

macro_rules! each_builder {
    ($run:expr, $builder:ident => $value:expr, missing($count:ident) => $missing:expr) => {
        match $run {
            Run::Missing($count) => $missing,
            Run::Bools($builder) => $value,
            Run::Ints($builder) => $value,
            Run::Large($builder) => $value,
            Run::Floats($builder) => $value,
            Run::Texts($builder) => $value,
            Run::Bytes($builder) => $value,
            Run::Dates($builder) => $value,
            Run::Times($builder, _) => $value,
            Run::Spans($builder) => $value,
        }
    };
}

impl Run {
    /// An empty run for values like this one, after some missing ones.
    fn for_values_like(value: &Scalar<'_>, missing: usize) -> Self {
        let mut run = match value {
            Scalar::Missing => return Self::Missing(missing),
            Scalar::Bool(_) => Self::Bools(BooleanBuilder::new()),
            Scalar::Int(_) => Self::Ints(Int64Builder::new()),
            Scalar::Large(_) => Self::Large(UInt64Builder::new()),
            Scalar::Float(_) => Self::Floats(Float64Builder::new()),
            Scalar::Text(_) => Self::Texts(LargeStringBuilder::new()),
            Scalar::Bytes(_) | Scalar::Owned(_) => Self::Bytes(LargeBinaryBuilder::new()),
            Scalar::Date(_) => Self::Dates(Date32Builder::new()),
            Scalar::Time { utc, .. } => Self::Times(TimestampMicrosecondBuilder::new(), *utc),
            Scalar::Span(_) => Self::Spans(DurationMicrosecondBuilder::new()),
        };
        for _ in 0..missing {
            run.push_missing();
        }
        run
    }

    fn push_missing(&mut self) {
        each_builder!(self, builder => builder.append_null(), missing(count) => *count += 1);
    }

    /// Appends a value; returns false if it has another type.
    fn push(&mut self, value: &Scalar<'_>) -> PyResult<bool> {
        match (self, value) {
            (run, Scalar::Missing) => run.push_missing(),
            (Self::Bools(run), Scalar::Bool(value)) => run.append_value(*value),
            (Self::Ints(run), Scalar::Int(value)) => run.append_value(*value),
            (Self::Large(run), Scalar::Large(value)) => run.append_value(*value),
            (Self::Floats(run), Scalar::Float(value)) => run.append_value(*value),
            (Self::Texts(run), Scalar::Text(value)) => run.append_value(value),
            (Self::Bytes(run), Scalar::Bytes(value)) => run.append_value(value),
            (Self::Bytes(run), Scalar::Owned(value)) => run.append_value(value),
            (Self::Dates(run), Scalar::Date(days)) => run.append_value(
                i32::try_from(*days).map_err(|_| PyOverflowError::new_err("a date is too far from 1970"))?,
            ),
            (Self::Times(run, utc), Scalar::Time { micros, utc: same }) if *utc == *same => {
                run.append_value(*micros);
            }
            (Self::Spans(run), Scalar::Span(micros)) => run.append_value(*micros),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Missing(count) => Arc::new(NullArray::new(count)),
            Self::Bools(mut run) => Arc::new(run.finish()),
            Self::Ints(mut run) => Arc::new(run.finish()),
            Self::Large(mut run) => Arc::new(run.finish()),
            Self::Floats(mut run) => Arc::new(run.finish()),
            Self::Texts(mut run) => Arc::new(run.finish()),
            Self::Bytes(mut run) => Arc::new(run.finish()),
            Self::Dates(mut run) => Arc::new(run.finish()),
            Self::Times(mut run, utc) => {
                let times = run.finish();
                Arc::new(if utc { times.with_timezone("UTC") } else { times })
            }
            Self::Spans(mut run) => Arc::new(run.finish()),
        }
    }
}

impl<'py> Objects<'py> {
    pub(crate) fn new(items: Bound<'py, PyIterator>) -> Self {
        Self { items, waiting: None, nan_is_missing: false, text: false }
    }

    pub(super) fn with_text(self, text: bool) -> Self {
        Self { text, ..self }
    }

    pub(super) fn with_nan_missing(self) -> Self {
        Self { nan_is_missing: true, ..self }
    }

    pub(super) fn next(&mut self) -> PyResult<Option<ArrayRef>> {
        let mut run: Option<Run> = None;
        let mut bytes = 0;
        for _ in 0..GATHERED {
            if bytes >= BYTES {
                break;
            }
            let item = match self.waiting.take() {
                Some(item) => item,
                None => match self.items.next() {
                    Some(item) => item?,
                    None => break,
                },
            };
            let mut value = Scalar::of(&item, self.text)?;
            if self.nan_is_missing && matches!(value, Scalar::Float(number) if number.is_nan()) {
                value = Scalar::Missing;
            }
            bytes += value.bytes();
            let current = match &mut run {
                Some(Run::Missing(count)) => {
                    let count = *count;
                    run.insert(Run::for_values_like(&value, count))
                }
                Some(current) => current,
                None => run.insert(Run::for_values_like(&value, 0)),
            };
            if !current.push(&value)? {
                drop(value);
                self.waiting = Some(item);
                break;
            }
        }
        Ok(run.map(Run::finish))
    }
}

/// One object as an array of one row.
pub(crate) fn single(item: &Bound<'_, PyAny>, text: bool) -> PyResult<ArrayRef> {
    let value = Scalar::of(item, text)?;
    let mut run = Run::for_values_like(&value, 0);
    run.push(&value)?;
    Ok(run.finish())
}
