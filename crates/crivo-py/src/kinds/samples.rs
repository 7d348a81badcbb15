//! Random samples.

use super::elements::{Type, by_element, kept, mismatch, one, retype};
use super::quantiles::doubles;
use super::{Reservoir, VarOpt, WeightedReservoir, not_an_item};
use crate::error::{OrRaise, Refused};
use crate::estimate::{Estimate, Of, ToPython};
use crate::input::Pieces;
use crate::sketch::{Sketch, base};
use crate::weights::Weights;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use crivo::sketch::Sketch as AnySketch;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// A seed for random choices, from Python's own source of entropy: two sketches with equal seeds do not merge.
///
/// Parameters
/// ----------
/// seed : int, optional
///     A seed of the hash. Sketches with different seeds do not merge.
pub(super) fn seed_or_new(py: Python<'_>, seed: Option<u64>) -> PyResult<u64> {
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
    ///
    /// Parameters
    /// ----------
    /// item : object
    ///     The item. ``None`` is not an item.
    /// text : bool, optional
    ///     Keep the items' texts, as the command does.
    #[pyo3(signature = (item, *, text=false))]
    fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: bool) -> PyResult<()> {
        let array = one(item, text)?;
        base(slf).shared.with(slf.py(), |sketch| feed_even(sketch, &array))?.map_err(Refused::raised)
    }

    /// Add a batch of items. Missing values are left out.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The items. Missing values are not items.
    /// text : bool, optional
    ///     Keep the items' texts, as the command does.
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

/// The methods of a sample of weighted items.
macro_rules! weighted {
    ($kind:ident) => {
        impl $kind {
            fn feed(
                sketch: &mut Box<dyn AnySketch>,
                array: &ArrayRef,
                weight: &dyn Fn(usize) -> f64,
            ) -> Result<(), Refused> {
                feed!(sketch, array, $kind, |it, row, value| it
                    .insert(value, weight(row))
                    .map_err(Refused::from))
            }
        }

        #[pymethods]
        impl $kind {
            /// An empty sample of `k` items, of which heavier ones are more likely.
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
                let made = crivo::$kind::<Vec<u8>>::for_k(k, seed_or_new(py, seed)?).or_raise()?;
                Ok(PyClassInitializer::from(Sketch::new(Box::new(made))).add_subclass(Self))
            }

            /// Add one item with its weight.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// weight : float
            ///     Its weight, from 0.
            /// text : bool, optional
            ///     Keep the item's text, as the command does.
            #[pyo3(signature = (item, weight, *, text=false))]
            fn add(
                slf: &Bound<'_, Self>,
                item: &Bound<'_, PyAny>,
                weight: f64,
                text: bool,
            ) -> PyResult<()> {
                let array = one(item, text)?;
                let done = base(slf).shared.with(slf.py(), |sketch| Self::feed(sketch, &array, &|_| weight))?;
                done.map_err(Refused::raised)
            }

            /// Add a batch of items with their weights.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// weights : iterable or array of float
            ///     The weight of each item.
            /// text : bool, optional
            ///     Keep the items' texts, as the command does.
            #[pyo3(signature = (x, weights, *, text=false))]
            fn update(
                slf: &Bound<'_, Self>,
                x: &Bound<'_, PyAny>,
                weights: &Bound<'_, PyAny>,
                text: bool,
            ) -> PyResult<()> {
                let py = slf.py();
                let weights = Weights::of(weights, x)?;
                let mut pieces = Pieces::of(x)?.reading(text);
                let mut start = 0;
                while let Some(piece) = pieces.next(py)? {
                    weights.check(start + piece.len(), false)?;
                    let done = base(slf).shared.detached(py, |sketch| {
                        Self::feed(sketch, &kept(&piece, text)?, &|row| weights.at(start + row))
                    })?;
                    done.map_err(Refused::raised)?;
                    start += piece.len();
                }
                weights.check(start, true)
            }

            /// The items of the sample with their weights.
            fn sample<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
                use crivo::$kind;
                let py = slf.py();
                let found = base(slf).shared.with(py, |sketch| {
                    by_element!(sketch, $kind: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                        Vec<u8> => Bytes;
                        |it| it.sample().iter().map(|(item, weight)| {
                            Ok((item.to_python(py)?, *weight))
                        }).collect::<PyResult<Vec<_>>>())
                })?;
                PyList::new(py, found.ok_or_else(not_an_item)?.1?)
            }

            /// The number of all items that were added.
            fn total(slf: &Bound<'_, Self>) -> PyResult<u64> {
                use crivo::$kind;
                let found = base(slf).shared.with(slf.py(), |sketch| {
                    by_element!(sketch, $kind: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                        Vec<u8> => Bytes; |it| it.total())
                })?;
                found.map(|(_, total)| total).ok_or_else(not_an_item)
            }
        }
    };
}
weighted!(WeightedReservoir);
weighted!(VarOpt);

/// Whether each item of a sample belongs to a subset. Python is asked while the sketch is not locked.
fn members(items: &Bound<'_, PyList>, has: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
    items.iter().map(|pair| has.call1((pair.get_item(0)?,))?.is_truthy()).collect()
}

#[pymethods]
impl VarOpt {
    /// The sum of the weights of all items with a property, with its proven 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// has : callable
    ///     Whether an item has the property. It is asked for the items of the sample, and must not depend on which items
    ///     were sampled.
    fn subset_sum(slf: &Bound<'_, Self>, has: &Bound<'_, PyAny>) -> PyResult<Estimate> {
        Self::subset(slf, has, false).map(|it| Estimate::of(it, Of::Real))
    }

    /// The share of the weight that items with a property have, with its proven 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// has : callable
    ///     Whether an item has the property.
    fn share(slf: &Bound<'_, Self>, has: &Bound<'_, PyAny>) -> PyResult<Estimate> {
        Self::subset(slf, has, true).map(Estimate::similarity)
    }

    /// The sum of all weights, which is exact.
    fn total_weight(slf: &Bound<'_, Self>) -> PyResult<f64> {
        use crivo::VarOpt;
        let found = base(slf).shared.with(slf.py(), |sketch| {
            by_element!(sketch, VarOpt: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                Vec<u8> => Bytes; |it| it.total_weight())
        })?;
        found.map(|(_, total)| total).ok_or_else(not_an_item)
    }
}

impl VarOpt {
    fn subset(slf: &Bound<'_, Self>, has: &Bound<'_, PyAny>, as_share: bool) -> PyResult<crivo::Estimate> {
        use crivo::VarOpt;
        let py = slf.py();
        // Another thread may add items while Python decides, so a copy answers.
        let copy = Bound::new(
            py,
            PyClassInitializer::from(Sketch::new(base(slf).shared.copied(py)?)).add_subclass(Self),
        )?;
        let members = members(&Self::sample(&copy)?, has)?;
        let found = base(&copy).shared.with(py, |sketch| {
            by_element!(sketch, VarOpt: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text,
                Vec<u8> => Bytes; |it| {
                // The library asks for the items in the order of the sample.
                let mut row = members.iter();
                let is_member = |_: &_| row.next().copied().unwrap_or(false);
                if as_share { it.share(is_member) } else { it.subset_sum(is_member) }
            })
        })?;
        found.map(|(_, found)| found).ok_or_else(not_an_item)
    }
}
