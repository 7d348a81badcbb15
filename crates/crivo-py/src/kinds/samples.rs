//! Random samples.

use super::elements::{Type, by_element, kept, mismatch, retype};
use super::quantiles::doubles;
use super::{Reservoir, WeightedReservoir, not_an_item};
use crate::error::OrRaise;
use crate::estimate::ToPython;
use crate::input::Pieces;
use crate::input::objects::single;
use crate::sketch::{Refused, Sketch, Weights, base};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use crivo::sketch::Sketch as AnySketch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// A seed for random choices, from Python's own source of entropy: two sketches with equal seeds do not merge.
fn seed_or_new(py: Python<'_>, seed: Option<u64>) -> PyResult<u64> {
    match seed {
        Some(seed) => Ok(seed),
        None => py.import("secrets")?.call_method1("randbits", (64,))?.extract(),
    }
}

/// Puts the values of an array into a sample of their type; `$put` inserts one.
macro_rules! feed {
    ($sketch:ident, $array:ident, $family:ident, |$it:ident, $row:ident, $value:ident| $put:expr) => {{
        let Some(found) = Type::of($array)? else { return Ok(()) };
        retype($sketch, found);
        macro_rules! into {
            ($element:ty, $values:expr) => {
                if let Some($it) = $sketch.downcast_mut::<crivo::$family<$element>>() {
                    let values: Vec<Option<$element>> = $values;
                    for ($row, value) in values.into_iter().enumerate() {
                        if let Some($value) = value {
                            $put?;
                        }
                    }
                    return Ok(());
                }
            };
        }
        let as_type = |of: DataType| cast($array, &of).map_err(|error| Refused::Type(error.to_string()));
        match found {
            Type::Signed => into!(i64, $array.as_primitive::<Int64Type>().iter().collect()),
            Type::Unsigned => into!(u64, $array.as_primitive::<UInt64Type>().iter().collect()),
            Type::Float => into!(f64, doubles($array)?),
            Type::Text => into!(
                String,
                as_type(DataType::LargeUtf8)?
                    .as_string::<i64>()
                    .iter()
                    .map(|it| it.map(String::from))
                    .collect()
            ),
            Type::Bytes | Type::Number => into!(
                Vec<u8>,
                as_type(DataType::LargeBinary)?
                    .as_binary::<i64>()
                    .iter()
                    .map(|it| it.map(<[u8]>::to_vec))
                    .collect()
            ),
        }
        Err(mismatch(&**$sketch, found))
    }};
}

fn feed_even(sketch: &mut Box<dyn AnySketch>, array: &ArrayRef) -> Result<(), Refused> {
    feed!(sketch, array, Reservoir, |it, row, value| {
        let _ = row;
        it.insert(value);
        Ok::<_, Refused>(())
    })
}

fn feed_weighted(
    sketch: &mut Box<dyn AnySketch>,
    array: &ArrayRef,
    weight: &dyn Fn(usize) -> f64,
) -> Result<(), Refused> {
    feed!(sketch, array, WeightedReservoir, |it, row, value| it
        .insert(value, weight(row))
        .map_err(Refused::from))
}

#[pymethods]
impl Reservoir {
    /// An empty sample of `k` items.
    ///
    /// Parameters
    /// ----------
    /// k : int
    ///     How many items to keep.
    /// seed : int, optional
    ///     The seed of the random choices; a new one by default. Samples with equal seeds do not merge.
    #[new]
    #[pyo3(signature = (k, seed=None))]
    fn new(py: Python<'_>, k: u32, seed: Option<u64>) -> PyResult<PyClassInitializer<Self>> {
        let made = crivo::Reservoir::<Vec<u8>>::for_k(k, seed_or_new(py, seed)?).or_raise()?;
        Ok(PyClassInitializer::from(Sketch::new(Box::new(made))).add_subclass(Self))
    }

    /// Add one item.
    #[pyo3(signature = (item, *, text=false))]
    fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: bool) -> PyResult<()> {
        let array = kept(&single(item, text)?, text).map_err(Refused::raised)?;
        if array.is_null(0) {
            return Err(not_an_item());
        }
        base(slf).shared.with(slf.py(), |sketch| feed_even(sketch, &array))?.map_err(Refused::raised)
    }

    /// Add a batch of items. Missing values are left out.
    #[pyo3(signature = (x, *, text=false))]
    fn update(slf: &Bound<'_, Self>, x: &Bound<'_, PyAny>, text: bool) -> PyResult<()> {
        let py = slf.py();
        let mut pieces = Pieces::of(x)?.reading(text);
        while let Some(piece) = pieces.next(py)? {
            let done = base(slf).shared.detached(py, |sketch| feed_even(sketch, &kept(&piece, text)?))?;
            done.map_err(Refused::raised)?;
        }
        Ok(())
    }

    /// The items of the sample.
    fn sample<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        use crivo::Reservoir;
        let py = slf.py();
        let found = base(slf).shared.with(py, |sketch| {
            by_element!(sketch, Reservoir: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                Vec<u8> => Bytes;
                |it| it.sample().iter().map(|item| item.to_python(py)).collect::<PyResult<Vec<_>>>())
        })?;
        PyList::new(py, found.ok_or_else(not_an_item)?.1?)
    }

    /// The number of all items that were added.
    fn total(slf: &Bound<'_, Self>) -> PyResult<u64> {
        use crivo::Reservoir;
        let found = base(slf).shared.with(slf.py(), |sketch| {
            by_element!(sketch, Reservoir: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                Vec<u8> => Bytes; |it| it.total())
        })?;
        found.map(|(_, total)| total).ok_or_else(not_an_item)
    }
}

#[pymethods]
impl WeightedReservoir {
    /// An empty sample of `k` items, of which heavier ones are more likely.
    #[new]
    #[pyo3(signature = (k, seed=None))]
    fn new(py: Python<'_>, k: u32, seed: Option<u64>) -> PyResult<PyClassInitializer<Self>> {
        let made = crivo::WeightedReservoir::<Vec<u8>>::for_k(k, seed_or_new(py, seed)?).or_raise()?;
        Ok(PyClassInitializer::from(Sketch::new(Box::new(made))).add_subclass(Self))
    }

    /// Add one item with its weight.
    #[pyo3(signature = (item, weight, *, text=false))]
    fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, weight: f64, text: bool) -> PyResult<()> {
        let array = kept(&single(item, text)?, text).map_err(Refused::raised)?;
        if array.is_null(0) {
            return Err(not_an_item());
        }
        let done = base(slf).shared.with(slf.py(), |sketch| feed_weighted(sketch, &array, &|_| weight))?;
        done.map_err(Refused::raised)
    }

    /// Add a batch of items with their weights.
    #[pyo3(signature = (x, weights, *, text=false))]
    fn update(
        slf: &Bound<'_, Self>,
        x: &Bound<'_, PyAny>,
        weights: &Bound<'_, PyAny>,
        text: bool,
    ) -> PyResult<()> {
        let py = slf.py();
        let weights = Weights::of(weights)?;
        let mut pieces = Pieces::of(x)?.reading(text);
        let mut start = 0;
        while let Some(piece) = pieces.next(py)? {
            weights.check(start + piece.len(), false)?;
            let done = base(slf).shared.detached(py, |sketch| {
                feed_weighted(sketch, &kept(&piece, text)?, &|row| weights.at(start + row))
            })?;
            done.map_err(Refused::raised)?;
            start += piece.len();
        }
        weights.check(start, true)
    }

    /// The items of the sample with their weights.
    fn sample<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        use crivo::WeightedReservoir;
        let py = slf.py();
        let found = base(slf).shared.with(py, |sketch| {
            by_element!(sketch, WeightedReservoir: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                Vec<u8> => Bytes;
                |it| it.sample().iter().map(|(item, weight)| Ok((item.to_python(py)?, *weight)))
                    .collect::<PyResult<Vec<_>>>())
        })?;
        let found =
            found.ok_or_else(|| PyValueError::new_err("the sketch keeps elements of another type"))?;
        PyList::new(py, found.1?)
    }
}
