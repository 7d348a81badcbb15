//! Quantiles and ranks within an error of ranks: a share of all values, or of those in the tail.

use super::elements::{Type, by_element, kept, mismatch, one, retype, type_of};
use super::{Kll, ReqSketch, answers, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::{Estimate, QuantileEstimate};
use crate::input::Pieces;
use crate::sketch::{Sketch, base};
use crate::table::Table;
use crate::weights::{Weights, whole};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use crivo::quantile::Tail;
use crivo::sketch::Sketch as AnySketch;
use crivo::{Element, Number};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The numbers of an array as doubles, with `None` for a missing one.
pub(crate) fn doubles(array: &ArrayRef) -> Result<Vec<Option<f64>>, Refused> {
    let found = Type::of(array)?;
    if matches!(found, Some(Type::Text | Type::Bytes)) {
        return Err(Refused::Type("expected numbers, but found texts; convert them first".into()));
    }
    let numbers = cast(array, &DataType::Float64).map_err(|error| Refused::Type(error.to_string()))?;
    if matches!(found, Some(Type::Signed | Type::Unsigned)) {
        // Beyond 2^53 a double no longer tells neighbouring integers apart.
        let is_large = |value: f64| value.abs() > 9_007_199_254_740_992.0;
        if numbers.as_primitive::<Float64Type>().iter().flatten().any(is_large) {
            return Err(Refused::Value(
                "an integer beyond 2**53 is not exact as a double; use a sketch of integers alone".into(),
            ));
        }
    }
    Ok(numbers.as_primitive::<Float64Type>().iter().collect())
}

/// A sketch of the ranks of values of one type.
trait Ranks<T>: AnySketch {
    fn insert_all(&mut self, values: &[T]) -> crivo::Result<()>;
    fn insert_weighted(&mut self, value: T, count: u64) -> crivo::Result<()>;
    fn rank(&self, value: &T) -> crivo::Estimate;
}

/// The sketches of ranks behind one class, of every type of values.
trait Family {
    type Of<T: Element>: Ranks<T>;
}

/// Puts the values of an array into a sketch of the family.
fn feed<F: Family>(
    sketch: &mut Box<dyn AnySketch>,
    array: &ArrayRef,
    text: bool,
    count: Option<&dyn Fn(usize) -> Result<u64, Refused>>,
) -> Result<(), Refused> {
    let Some(found) = Type::of(array)? else { return Ok(()) };
    // A text of the command is a number there.
    let found = if text { Type::Number } else { found };
    retype(sketch, found);
    macro_rules! into {
        ($element:ty, $values:expr) => {
            if let Some(it) = sketch.downcast_mut::<F::Of<$element>>() {
                let values: Vec<Option<$element>> = $values;
                return match count {
                    None => {
                        let values: Vec<$element> = values.into_iter().flatten().collect();
                        it.insert_all(&values).map_err(Refused::from)
                    }
                    Some(count) => values.into_iter().enumerate().try_for_each(|(row, value)| match value {
                        Some(value) => it.insert_weighted(value, count(row)?).map_err(Refused::from),
                        None => Ok(()),
                    }),
                };
            }
        };
    }
    // Numbers without gaps are taken as they lie.
    if array.null_count() == 0 && count.is_none() && !text {
        if let (Some(values), Some(it)) =
            (array.as_primitive_opt::<Float64Type>(), sketch.downcast_mut::<F::Of<f64>>())
        {
            return it.insert_all(values.values()).map_err(Refused::from);
        }
        if let (Some(values), Some(it)) =
            (array.as_primitive_opt::<Int64Type>(), sketch.downcast_mut::<F::Of<i64>>())
        {
            return it.insert_all(values.values()).map_err(Refused::from);
        }
    }
    match found {
        Type::Signed => {
            into!(i64, array.as_primitive::<Int64Type>().iter().collect());
            into!(f64, doubles(array)?);
            into!(Number, array.as_primitive::<Int64Type>().iter().map(|it| it.map(Number::from)).collect());
        }
        Type::Unsigned => {
            into!(u64, array.as_primitive::<UInt64Type>().iter().collect());
            into!(f64, doubles(array)?);
        }
        Type::Float => {
            into!(f64, doubles(array)?);
            into!(Number, doubles(array)?.into_iter().map(|it| it.map(Number::from)).collect());
        }
        Type::Text => {
            let texts =
                cast(array, &DataType::LargeUtf8).map_err(|error| Refused::Type(error.to_string()))?;
            into!(String, texts.as_string::<i64>().iter().map(|it| it.map(String::from)).collect());
        }
        Type::Bytes => {
            let texts =
                cast(array, &DataType::LargeBinary).map_err(|error| Refused::Type(error.to_string()))?;
            into!(Vec<u8>, texts.as_binary::<i64>().iter().map(|it| it.map(<[u8]>::to_vec)).collect());
        }
        Type::Number => {
            let number = |text: Option<&[u8]>| {
                let Some(text) = text else { return Ok(None) };
                Number::parse(text).map(Some).ok_or_else(|| {
                    Refused::Value(format!(
                        "'{}' is not a number; leave it out",
                        String::from_utf8_lossy(text)
                    ))
                })
            };
            let numbers = array.as_binary::<i64>().iter().map(number).collect::<Result<Vec<_>, _>>()?;
            into!(Number, numbers);
        }
    }
    Err(mismatch(&**sketch, found))
}

/// The rank of a value of the type that the sketch keeps.
fn rank<F: Family>(sketch: &Sketch, value: &Bound<'_, PyAny>) -> PyResult<Estimate> {
    let py = value.py();
    macro_rules! of {
        ($element:ty, $value:expr) => {
            if let Some(value) = $value {
                let found = sketch
                    .shared
                    .with(py, |sketch| sketch.downcast_ref::<F::Of<$element>>().map(|it| it.rank(&value)))?;
                if let Some(found) = found {
                    return Ok(Estimate::count(found));
                }
            }
        };
    }
    of!(f64, value.extract::<f64>().ok());
    of!(i64, value.extract::<i64>().ok());
    of!(u64, value.extract::<u64>().ok());
    of!(Number, value.extract::<f64>().ok().map(Number::from));
    of!(String, value.extract::<String>().ok());
    of!(Vec<u8>, value.extract::<Vec<u8>>().ok());
    Err(no_such(sketch, py))
}

fn no_such(sketch: &Sketch, py: Python<'_>) -> PyErr {
    let has = sketch.shared.with(py, |sketch| type_of(&**sketch).map_or("elements", Type::name));
    PyTypeError::new_err(format!(
        "this sketch keeps {}; give a value of that type",
        has.unwrap_or("elements")
    ))
}

/// The methods that the classes of both families have.
macro_rules! ranks {
    ($($family:ident),+) => {$(
        impl Family for $family {
            type Of<T: Element> = crivo::$family<T>;
        }

        impl<T: Element> Ranks<T> for crivo::$family<T> {
            fn insert_all(&mut self, values: &[T]) -> crivo::Result<()> {
                self.insert_all(values)
            }

            fn insert_weighted(&mut self, value: T, count: u64) -> crivo::Result<()> {
                self.insert_weighted(value, count)
            }

            fn rank(&self, value: &T) -> crivo::Estimate {
                self.rank(value)
            }
        }

        #[pymethods]
        impl $family {
            /// Add one value, or several copies of it.
            ///
            /// Parameters
            /// ----------
            /// value : object
            ///     The value.
            /// count : int, optional
            ///     How often it occurs.
            /// text : bool, optional
            ///     Keep the items' texts, as the command does.
            #[pyo3(signature = (value, count=1, *, text=false))]
            fn add(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>, count: u64, text: bool) -> PyResult<()> {
                let array = one(value, text)?;
                let done = base(slf)
                    .shared
                    .with(slf.py(), |sketch| feed::<Self>(sketch, &array, text, Some(&|_| Ok(count))))?;
                done.map_err(Refused::raised)
            }

            /// Add a batch of values. Missing values are left out; NaN has no rank and is refused.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The values. Missing values are left out.
            /// weights : iterable or array, optional
            ///     How often each value occurs.
            /// text : bool, optional
            ///     Keep the items' texts, as the command does.
            #[pyo3(signature = (x, weights=None, *, text=false))]
            fn update(
                slf: &Bound<'_, Self>,
                x: &Bound<'_, PyAny>,
                weights: Option<&Bound<'_, PyAny>>,
                text: bool,
            ) -> PyResult<()> {
                let (py, this) = (slf.py(), base(slf));
                let weights = weights.map(|it| Weights::of(it, x)).transpose()?;
                let mut pieces = Pieces::of(x)?.reading(text);
                let mut start = 0;
                while let Some(piece) = pieces.next(py)? {
                    if let Some(weights) = &weights {
                        weights.check(start + piece.len(), false)?;
                    }
                    let done = this.shared.detached(py, |sketch| {
                        let array = kept(&piece, text)?;
                        match &weights {
                            None => feed::<Self>(sketch, &array, text, None),
                            Some(weights) => {
                                let count = |row: usize| whole(weights.at(start + row));
                                feed::<Self>(sketch, &array, text, Some(&count))
                            }
                        }
                    })?;
                    done.map_err(Refused::raised)?;
                    start += piece.len();
                }
                weights.map_or(Ok(()), |weights| weights.check(start, true))
            }

            /// The value of rank `q`, from 0 to 1, with its 95 % interval.
            ///
            /// Parameters
            /// ----------
            /// q : float
            ///     The rank, from 0 to 1.
            fn quantile(slf: &Bound<'_, Self>, q: f64) -> PyResult<QuantileEstimate> {
                use crivo::$family;
                let found = base(slf).shared.with(slf.py(), |sketch| {
                    by_element!(sketch, $family: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                    Vec<u8> => Bytes, Number => Number;
                    |it| it.quantile(q).or_raise().and_then(|found| QuantileEstimate::of(slf.py(), &found)))
                })?;
                found.ok_or_else(not_an_item)?.1
            }

            /// The values of several ranks, with the columns ``q``, ``value``, ``lower``, ``upper`` and ``guarantee``.
            ///
            /// Parameters
            /// ----------
            /// qs : sequence of float
            ///     The ranks, from 0 to 1.
            fn quantiles(slf: &Bound<'_, Self>, qs: Vec<f64>) -> PyResult<Table> {
                use crivo::$family;
                let found = base(slf).shared.with(slf.py(), |sketch| {
                    by_element!(sketch, $family: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                    Vec<u8> => Bytes, Number => Number;
                    |it| it.quantiles(&qs).or_raise().and_then(|found| answers::quantiles(&qs, &found)))
                })?;
                found.ok_or_else(not_an_item)?.1
            }

            /// The number of values that are at most this value, with its 95 % interval.
            ///
            /// Parameters
            /// ----------
            /// value : object
            ///     A value of the type that the sketch keeps.
            fn rank(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Estimate> {
                rank::<Self>(base(slf), value)
            }

            /// The number of values.
            fn total(slf: &Bound<'_, Self>) -> PyResult<u64> {
                use crivo::$family;
                let found = base(slf).shared.with(slf.py(), |sketch| {
                    by_element!(sketch, $family: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                        Vec<u8> => Bytes, Number => Number; |it| it.total())
                })?;
                found.map(|(_, total)| total).ok_or_else(not_an_item)
            }
        }
    )+};
}
ranks!(Kll, ReqSketch);

#[pymethods]
impl Kll {
    /// An empty sketch whose ranks are off by at most this share of the total, 95 times in 100.
    ///
    /// It keeps integers, floats, texts or bytes, as the first values decide.
    ///
    /// Parameters
    /// ----------
    /// error : float
    ///     The error of ranks, as a share of the total.
    #[staticmethod]
    fn for_error(py: Python<'_>, error: f64) -> PyResult<Bound<'_, PyAny>> {
        wrap(py, Box::new(crivo::Kll::<f64>::for_error(error).or_raise()?))
    }

    /// An empty sketch whose largest buffer has `k` values. Sketches with different seeds are independent.
    ///
    /// Parameters
    /// ----------
    /// k : int
    ///     The size of the largest buffer.
    /// seed : int, optional
    ///     The seed of the random choices.
    #[staticmethod]
    #[pyo3(signature = (k, seed=None))]
    fn for_k(py: Python<'_>, k: u64, seed: Option<u64>) -> PyResult<Bound<'_, PyAny>> {
        let made = match seed {
            Some(seed) => crivo::Kll::<f64>::with_seed(k, seed),
            None => crivo::Kll::<f64>::for_k(k),
        };
        wrap(py, Box::new(made.or_raise()?))
    }

    /// A sketch of a batch: ``for_error`` and ``update`` in one call.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The values. Missing values are left out.
    /// weights : iterable or array, optional
    ///     How often each value occurs.
    /// error : float, optional
    ///     The error to plan for.
    /// text : bool, optional
    ///     Keep the items' texts, as the command does.
    #[staticmethod]
    #[pyo3(signature = (x, weights=None, *, error=0.01, text=false))]
    fn of<'py>(
        x: &Bound<'py, PyAny>,
        weights: Option<&Bound<'py, PyAny>>,
        error: f64,
        text: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = Self::for_error(x.py(), error)?;
        Self::update(made.cast()?, x, weights, text)?;
        Ok(made)
    }

    /// How far ranks are off, as a share of the total, 95 times in 100.
    fn rank_error(slf: &Bound<'_, Self>) -> PyResult<f64> {
        use crivo::Kll;
        let found = base(slf).shared.with(slf.py(), |sketch| {
            by_element!(sketch, Kll: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                Vec<u8> => Bytes, Number => Number; |it| it.rank_error())
        })?;
        found.map(|(_, error)| error).ok_or_else(not_an_item)
    }
}

/// The accurate end.
fn tail(low: bool) -> Tail {
    if low { Tail::Low } else { Tail::High }
}

#[pymethods]
impl ReqSketch {
    /// An empty sketch whose ranks are off by at most this share of the tail, 95 times in 100.
    ///
    /// The tail of a value is what lies above it, or up to it with ``low=True``. The sketch keeps integers, floats,
    /// texts or bytes, as the first values decide.
    ///
    /// Parameters
    /// ----------
    /// error : float
    ///     The error of ranks, as a share of the tail.
    /// low : bool, optional
    ///     Whether the least values are accurate, instead of the greatest.
    #[staticmethod]
    #[pyo3(signature = (error, low=false))]
    fn for_error(py: Python<'_>, error: f64, low: bool) -> PyResult<Bound<'_, PyAny>> {
        wrap(py, Box::new(crivo::ReqSketch::<f64>::for_error(error, tail(low)).or_raise()?))
    }

    /// An empty sketch with ``k`` values in a section. Sketches with different seeds are independent.
    ///
    /// Parameters
    /// ----------
    /// k : int
    ///     The number of values in a section.
    /// low : bool, optional
    ///     Whether the least values are accurate, instead of the greatest.
    /// seed : int, optional
    ///     The seed of the random choices.
    #[staticmethod]
    #[pyo3(signature = (k, low=false, seed=None))]
    fn for_k(py: Python<'_>, k: u64, low: bool, seed: Option<u64>) -> PyResult<Bound<'_, PyAny>> {
        let made = match seed {
            Some(seed) => crivo::ReqSketch::<f64>::with_seed(k, tail(low), seed),
            None => crivo::ReqSketch::<f64>::for_k(k, tail(low)),
        };
        wrap(py, Box::new(made.or_raise()?))
    }

    /// A sketch of a batch: ``for_error`` and ``update`` in one call.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The values. Missing values are left out.
    /// weights : iterable or array, optional
    ///     How often each value occurs.
    /// error : float, optional
    ///     The error to plan for, as a share of the tail.
    /// low : bool, optional
    ///     Whether the least values are accurate, instead of the greatest.
    /// text : bool, optional
    ///     Keep the items' texts, as the command does.
    #[staticmethod]
    #[pyo3(signature = (x, weights=None, *, error=0.01, low=false, text=false))]
    fn of<'py>(
        x: &Bound<'py, PyAny>,
        weights: Option<&Bound<'py, PyAny>>,
        error: f64,
        low: bool,
        text: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = Self::for_error(x.py(), error, low)?;
        Self::update(made.cast()?, x, weights, text)?;
        Ok(made)
    }
}
