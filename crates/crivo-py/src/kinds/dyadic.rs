//! Counts of numbers in ranges, which can be removed.

use super::elements::{Type, by_element, kept, mismatch, one, retype, type_of};
use super::quantiles::doubles;
use super::{DyadicCountMin, answers, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::{Estimate, QuantileEstimate};
use crate::input::Pieces;
use crate::sketch::{base, spec_of};
use crate::table::Table;
use crate::weights::{Weights, whole};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use crivo::DyadicCountMin as Dyadic;
use crivo::sketch::Sketch as AnySketch;
use pyo3::prelude::*;

/// An empty sketch of other numbers, like an empty one.
pub(super) fn remade(sketch: &dyn AnySketch, wanted: Type) -> Option<Box<dyn AnySketch>> {
    let found = by_element!(sketch, Dyadic: u64 => Unsigned, i64 => Signed, f64 => Float;
        |it| (it.is_empty(), it.params(), *it.hash_spec()));
    let (has, (is_empty, params, spec)) = found?;
    match wanted {
        _ if has == wanted || !is_empty => None,
        Type::Unsigned => Some(Box::new(Dyadic::<u64>::with_params(params).ok()?.with_hash(spec))),
        Type::Signed => Some(Box::new(Dyadic::<i64>::with_params(params).ok()?.with_hash(spec))),
        Type::Float => Some(Box::new(Dyadic::<f64>::with_params(params).ok()?.with_hash(spec))),
        Type::Text | Type::Bytes | Type::Number => None,
    }
}

/// Numbers of the type that a sketch keeps, with `None` for a missing one.
trait Numbers: Sized {
    fn of(array: &ArrayRef) -> Result<Option<Vec<Option<Self>>>, Refused>;
}

/// The integers of an array in another type; one that has no place there is refused.
fn integers<T: TryFrom<i128>>(array: &ArrayRef) -> Result<Option<Vec<Option<T>>>, Refused> {
    let all: Vec<Option<i128>> = match type_of_numbers(array)? {
        Some(Type::Signed) => array.as_primitive::<Int64Type>().iter().map(|it| it.map(i128::from)).collect(),
        Some(Type::Unsigned) => {
            array.as_primitive::<UInt64Type>().iter().map(|it| it.map(i128::from)).collect()
        }
        _ => return Ok(None),
    };
    let narrow = |value: i128| {
        T::try_from(value).map_err(|_| {
            Refused::Value(format!(
                "{value} is outside the range of this sketch, whose type the first numbers decided; leave it out, or \
                 use another sketch"
            ))
        })
    };
    all.into_iter().map(|value| value.map(narrow).transpose()).collect::<Result<_, _>>().map(Some)
}

impl Numbers for u64 {
    fn of(array: &ArrayRef) -> Result<Option<Vec<Option<Self>>>, Refused> {
        integers(array)
    }
}

impl Numbers for i64 {
    fn of(array: &ArrayRef) -> Result<Option<Vec<Option<Self>>>, Refused> {
        integers(array)
    }
}

impl Numbers for f64 {
    fn of(array: &ArrayRef) -> Result<Option<Vec<Option<Self>>>, Refused> {
        doubles(array).map(Some)
    }
}

fn refused(sketch: &dyn AnySketch, found: Type) -> Refused {
    let bits =
        by_element!(sketch, Dyadic: u64 => Unsigned, i64 => Signed, f64 => Float; |it| it.params().bits());
    match bits {
        Some((_, bits)) if found == Type::Float && bits < 64 => {
            Refused::Type(format!("floats need 64 bits, but this sketch has {bits}; make one with bits=64"))
        }
        _ => mismatch(sketch, found),
    }
}

fn no_such(sketch: &dyn AnySketch) -> Refused {
    let has = type_of(sketch).map_or("numbers", Type::name);
    Refused::Type(format!("this sketch keeps {has}; give a value of that type"))
}

/// The type of numbers; texts and bytes are refused later, by the type that the sketch has.
fn type_of_numbers(array: &ArrayRef) -> Result<Option<Type>, Refused> {
    Type::of(array).map_err(|_| {
        Refused::Type(format!("expected numbers, but found {}; convert them", array.data_type()))
    })
}

/// Adds the numbers of an array, or removes them.
fn change(
    sketch: &mut Box<dyn AnySketch>,
    array: &ArrayRef,
    removes: bool,
    count: impl Fn(usize) -> Result<u64, Refused>,
) -> Result<(), Refused> {
    let Some(found) = type_of_numbers(array)? else { return Ok(()) };
    retype(sketch, found);
    macro_rules! into {
        ($($type:ty),+) => {$(
            if let Some(it) = sketch.downcast_mut::<Dyadic<$type>>()
                && let Some(values) = <$type as Numbers>::of(array)?
            {
                for (row, value) in values.into_iter().enumerate() {
                    match value {
                        Some(value) if removes => it.remove(value, count(row)?)?,
                        Some(value) => it.add(value, count(row)?)?,
                        None => {}
                    }
                }
                return Ok(());
            }
        )+};
    }
    into!(u64, i64, f64);
    Err(refused(&**sketch, found))
}

impl DyadicCountMin {
    /// The occurrences from one number to another; from the least number on without the first.
    fn between(slf: &Bound<'_, Self>, lower: Option<&ArrayRef>, upper: &ArrayRef) -> PyResult<Estimate> {
        macro_rules! ask {
            ($sketch:ident; $($type:ty),+) => {$(
                if let Some(it) = $sketch.downcast_ref::<Dyadic<$type>>() {
                    let number = |array: &ArrayRef| {
                        let found = <$type as Numbers>::of(array)?.and_then(|all| all[0]);
                        found.ok_or_else(|| no_such(&**$sketch))
                    };
                    let upper = number(upper)?;
                    return match lower {
                        None => it.rank(&upper).map_err(Refused::from),
                        Some(lower) => it.range(number(lower)?..=upper).map_err(Refused::from),
                    };
                }
            )+};
        }
        let found = base(slf).shared.with(slf.py(), |sketch| {
            ask!(sketch; u64, i64, f64);
            Err(Refused::Type("this sketch has no numbers".into()))
        })?;
        found.map(Estimate::count).map_err(Refused::raised)
    }
}

#[pymethods]
impl DyadicCountMin {
    /// An empty sketch of numbers whose counts of ranges are off by more than a share with a given probability.
    ///
    /// It keeps integers or floats, as the first numbers decide.
    ///
    /// Parameters
    /// ----------
    /// error : float
    ///     The error of ranks, as a share of the total.
    /// delta : float, optional
    ///     The probability that an answer is off by more.
    /// bits : int, optional
    ///     The bits of a number: fewer take less memory. With ``bits=32``, integers lie between ``-2**31`` and
    ///     ``2**31 - 1``, and unsigned ones below ``2**32``. Floats need 64.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (error, delta=0.01, *, bits=64, seed=None, key=None))]
    fn for_error<'py>(
        py: Python<'py>,
        error: f64,
        delta: f64,
        bits: u32,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let spec = spec_of(seed, key)?;
        wrap(py, Box::new(Dyadic::<i64>::for_error(bits, error, delta).or_raise()?.with_hash(spec)))
    }

    /// Add one number, or several copies of it.
    ///
    /// Parameters
    /// ----------
    /// value : int or float
    ///     The number.
    /// count : int, optional
    ///     How often it occurs.
    #[pyo3(signature = (value, count=1))]
    fn add(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>, count: u64) -> PyResult<()> {
        let array = one(value, false)?;
        let done = base(slf).shared.with(slf.py(), |sketch| change(sketch, &array, false, |_| Ok(count)))?;
        done.map_err(Refused::raised)
    }

    /// Remove a number, or several copies of it. Remove only what was added.
    ///
    /// Parameters
    /// ----------
    /// value : int or float
    ///     The number.
    /// count : int, optional
    ///     How many copies.
    #[pyo3(signature = (value, count=1))]
    fn remove(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>, count: u64) -> PyResult<()> {
        let array = one(value, false)?;
        let done = base(slf).shared.with(slf.py(), |sketch| change(sketch, &array, true, |_| Ok(count)))?;
        done.map_err(Refused::raised)
    }

    /// Add a batch of numbers. Missing values are left out; NaN has no rank and is refused.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The numbers. Missing values are left out.
    /// weights : iterable or array, optional
    ///     How often each number occurs.
    #[pyo3(signature = (x, weights=None))]
    fn update(
        slf: &Bound<'_, Self>,
        x: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (py, mut pieces, mut start) = (slf.py(), Pieces::of(x)?, 0);
        let weights = weights.map(|it| Weights::of(it, x)).transpose()?;
        while let Some(piece) = pieces.next(py)? {
            if let Some(weights) = &weights {
                weights.check(start + piece.len(), false)?;
            }
            let done = base(slf).shared.detached(py, |sketch| {
                let array = kept(&piece, false)?;
                change(sketch, &array, false, |row| {
                    weights.as_ref().map_or(Ok(1), |weights| whole(weights.at(start + row)))
                })
            })?;
            done.map_err(Refused::raised)?;
            start += piece.len();
        }
        weights.map_or(Ok(()), |weights| weights.check(start, true))
    }

    /// How many of the numbers lie in a range, its ends included, with the 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// lower, upper : int or float
    ///     The ends.
    fn range(
        slf: &Bound<'_, Self>,
        lower: &Bound<'_, PyAny>,
        upper: &Bound<'_, PyAny>,
    ) -> PyResult<Estimate> {
        Self::between(slf, Some(&one(lower, false)?), &one(upper, false)?)
    }

    /// How many of the numbers are at most this one, with the 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// value : int or float
    ///     The number.
    fn rank(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Estimate> {
        Self::between(slf, None, &one(value, false)?)
    }

    /// The value of rank `q`, from 0 to 1, with certain bounds.
    ///
    /// Parameters
    /// ----------
    /// q : float
    ///     The rank, from 0 to 1.
    fn quantile(slf: &Bound<'_, Self>, q: f64) -> PyResult<QuantileEstimate> {
        let found = base(slf).shared.with(slf.py(), |sketch| {
            by_element!(sketch, Dyadic: u64 => Unsigned, i64 => Signed, f64 => Float;
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
        let found = base(slf).shared.with(slf.py(), |sketch| {
            by_element!(sketch, Dyadic: u64 => Unsigned, i64 => Signed, f64 => Float;
                |it| it.quantiles(&qs).or_raise().and_then(|found| answers::quantiles(&qs, &found)))
        })?;
        found.ok_or_else(not_an_item)?.1
    }

    /// The number of numbers.
    fn total(slf: &Bound<'_, Self>) -> PyResult<u64> {
        let found = base(slf).shared.with(slf.py(), |sketch| {
            by_element!(sketch, Dyadic: u64 => Unsigned, i64 => Signed, f64 => Float; |it| it.total())
        })?;
        found.map(|(_, total)| total).ok_or_else(not_an_item)
    }

    /// Remove everything: the sketch is as good as new.
    fn clear(slf: &Bound<'_, Self>) -> PyResult<()> {
        base(slf).shared.with(slf.py(), |sketch| {
            if let Some(it) = sketch.downcast_mut::<Dyadic<u64>>() {
                it.clear();
            } else if let Some(it) = sketch.downcast_mut::<Dyadic<i64>>() {
                it.clear();
            } else if let Some(it) = sketch.downcast_mut::<Dyadic<f64>>() {
                it.clear();
            }
        })
    }
}
