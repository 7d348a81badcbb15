//! Heavy hitters: the most frequent items, with certain bounds.

use super::elements::{Type, by_element, form_of, kept, mismatch, one, retype};
use super::{Majority, MisraGries, SpaceSaving, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::{Estimate, ToPython};
use crate::hashes::mark;
use crate::input::Pieces;
use crate::sketch::{base, spec_of};
use crate::table::{Column, Table};
use crate::weights::{Weights, whole};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, UInt64Array};
use arrow_schema::DataType;
use crivo::frequency::Hitter;
use crivo::sketch::Sketch as AnySketch;
use pyo3::prelude::*;
use std::sync::Arc;

/// An empty sketch of other elements, like an empty one.
pub(super) fn remade(sketch: &dyn AnySketch, wanted: Type) -> Option<Box<dyn AnySketch>> {
    macro_rules! like {
        ($family:ident) => {{
            let found = by_element!(sketch, $family:
                u64 => Unsigned, i64 => Signed, String => Text, Vec<u8> => Bytes;
                |it| (it.total() == 0, it.counters(), *it.hash_spec()));
            if let Some((has, (true, counters, spec))) = found
                && has != wanted
            {
                return match wanted {
                    Type::Unsigned => Some(Box::new($family::<u64>::for_counters(counters).ok()?.with_hash(spec))),
                    Type::Signed => Some(Box::new($family::<i64>::for_counters(counters).ok()?.with_hash(spec))),
                    Type::Text => Some(Box::new($family::<String>::for_counters(counters).ok()?.with_hash(spec))),
                    Type::Bytes => Some(Box::new($family::<Vec<u8>>::for_counters(counters).ok()?.with_hash(spec))),
                    Type::Float | Type::Number => None,
                };
            }
        }};
    }
    use crivo::frequency::{Majority, MisraGries, SpaceSaving};
    like!(MisraGries);
    like!(SpaceSaving);
    if let Some(vote) = by_element!(sketch, Majority: u64 => Unsigned, i64 => Signed, String => Text, Vec<u8> => Bytes;
        |it| it.is_empty())
    {
        return match (vote, wanted) {
            ((has, is_empty), wanted) if has == wanted || !is_empty => None,
            (_, Type::Unsigned) => Some(Box::new(Majority::<u64>::new())),
            (_, Type::Signed) => Some(Box::new(Majority::<i64>::new())),
            (_, Type::Text) => Some(Box::new(Majority::<String>::new())),
            (_, Type::Bytes) => Some(Box::new(Majority::<Vec<u8>>::new())),
            (_, Type::Float | Type::Number) => None,
        };
    }
    None
}

/// Calls `each` with every row that has a value.
fn rows(array: &dyn Array, mut each: impl FnMut(usize) -> Result<(), Refused>) -> Result<(), Refused> {
    (0..array.len()).filter(|&row| array.is_valid(row)).try_for_each(&mut each)
}

fn hitters<T: Column + Clone>(found: &[Hitter<T>]) -> PyResult<Table> {
    let count = |of: fn(&crivo::Estimate) -> f64| -> ArrayRef {
        Arc::new(found.iter().map(|it| Some(of(&it.count()) as u64)).collect::<UInt64Array>())
    };
    let certain: BooleanArray = found.iter().map(|it| Some(it.is_rank_guaranteed())).collect();
    Table::new(vec![
        ("item", T::column(found.iter().map(|it| it.item().clone()).collect())),
        ("count", count(crivo::Estimate::value)),
        ("lower", count(crivo::Estimate::lower)),
        ("upper", count(crivo::Estimate::upper)),
        ("rank_certain", Arc::new(certain)),
    ])
}

/// Counting elements of the type that the first of them decide.
macro_rules! counts_elements {
    ($kind:ident) => {
        #[pymethods]
        impl $kind {
            /// Add occurrences of one item.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// count : int, optional
            ///     How often it occurs.
            /// text : bool, optional
            ///     Keep the items' texts, as the command does.
            #[pyo3(signature = (item, count=1, *, text=false))]
            fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, count: u64, text: bool) -> PyResult<()> {
                let array = one(item, text)?;
                let done = base(slf).shared.with(slf.py(), |sketch| {
                    mark(sketch, form_of(&array, text))?;
                    Self::feed(sketch, &array, |_| Ok(count))
                })?;
                done.map_err(Refused::raised)
            }

            /// Add a batch of items, each once or as often as its weight says.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// weights : iterable or array, optional
            ///     How often each item occurs.
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
                        mark(sketch, form_of(&array, text))?;
                        Self::feed(sketch, &array, |row| {
                            weights.as_ref().map_or(Ok(1), |weights| whole(weights.at(start + row)))
                        })
                    })?;
                    done.map_err(Refused::raised)?;
                    start += piece.len();
                }
                weights.map_or(Ok(()), |weights| weights.check(start, true))
            }

            /// How often an item was added, with certain bounds.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// text : bool, optional
            ///     Keep the items' texts, as the command does.
            #[pyo3(signature = (item, *, text=false))]
            fn frequency(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: bool) -> PyResult<Estimate> {
                let array = one(item, text)?;
                let found = base(slf).shared.with(slf.py(), |sketch| Self::ask(&**sketch, &array))?;
                found.map(Estimate::count).map_err(Refused::raised)
            }

            /// The number of all occurrences.
            fn total(slf: &Bound<'_, Self>) -> PyResult<u64> {
                use crivo::frequency::$kind;
                let found = base(slf).shared.with(slf.py(), |sketch| {
                    by_element!(sketch, $kind: u64 => Unsigned, i64 => Signed, String => Text, Vec<u8> => Bytes;
                        |it| it.total())
                })?;
                found.map(|(_, total)| total).ok_or_else(not_an_item)
            }

            /// Remove everything: the sketch is as good as new.
            fn clear(slf: &Bound<'_, Self>) -> PyResult<()> {
                base(slf).shared.with(slf.py(), |sketch| {
                    if let Some(it) = sketch.downcast_mut::<crivo::frequency::$kind<u64>>() {
                        it.clear();
                    } else if let Some(it) = sketch.downcast_mut::<crivo::frequency::$kind<i64>>() {
                        it.clear();
                    } else if let Some(it) = sketch.downcast_mut::<crivo::frequency::$kind<String>>() {
                        it.clear();
                    } else if let Some(it) = sketch.downcast_mut::<crivo::frequency::$kind<Vec<u8>>>() {
                        it.clear();
                    }
                })
            }
        }

        impl $kind {
            fn feed(
                sketch: &mut Box<dyn AnySketch>,
                array: &ArrayRef,
                count: impl Fn(usize) -> Result<u64, Refused>,
            ) -> Result<(), Refused> {
                let Some(found) = Type::of(array)? else { return Ok(()) };
                if found == Type::Float {
                    return Err(Refused::Type(
                        "floats that look equal may differ in the last bit, so they are not counted; round them, or pass \
                         text=True to count their texts"
                            .into(),
                    ));
                }
                retype(sketch, found);
                macro_rules! into {
                    ($element:ty, $value:expr) => {
                        if let Some(it) = sketch.downcast_mut::<crivo::frequency::$kind<$element>>() {
                            let value = $value;
                            return rows(array, |row| {
                                it.add(value(row)?, count(row)?);
                                Ok(())
                            });
                        }
                    };
                }
                match array.data_type() {
                    DataType::Int64 => {
                        let values = array.as_primitive::<Int64Type>().values();
                        into!(i64, |row: usize| Ok::<_, Refused>(&values[row]));
                    }
                    DataType::UInt64 => {
                        let values = array.as_primitive::<UInt64Type>().values();
                        into!(u64, |row: usize| Ok::<_, Refused>(&values[row]));
                    }
                    DataType::Utf8 => {
                        let values = array.as_string::<i32>();
                        into!(String, |row: usize| Ok::<_, Refused>(values.value(row)));
                        into!(Vec<u8>, |row: usize| Ok::<_, Refused>(values.value(row).as_bytes()));
                    }
                    DataType::LargeUtf8 => {
                        let values = array.as_string::<i64>();
                        into!(String, |row: usize| Ok::<_, Refused>(values.value(row)));
                        into!(Vec<u8>, |row: usize| Ok::<_, Refused>(values.value(row).as_bytes()));
                    }
                    DataType::Binary => {
                        let values = array.as_binary::<i32>();
                        into!(Vec<u8>, |row: usize| Ok::<_, Refused>(values.value(row)));
                    }
                    DataType::LargeBinary => {
                        let values = array.as_binary::<i64>();
                        into!(Vec<u8>, |row: usize| Ok::<_, Refused>(values.value(row)));
                    }
                    _ => {}
                }
                Err(mismatch(&**sketch, found))
            }

            fn ask(sketch: &dyn AnySketch, array: &ArrayRef) -> Result<crivo::Estimate, Refused> {
                let Some(found) = Type::of(array)? else { return Err(Refused::Type("a missing value".into())) };
                macro_rules! of {
                    ($element:ty, $value:expr) => {
                        if let Some(it) = sketch.downcast_ref::<crivo::frequency::$kind<$element>>() {
                            return Ok(it.frequency($value));
                        }
                    };
                }
                match array.data_type() {
                    DataType::Int64 => of!(i64, &array.as_primitive::<Int64Type>().value(0)),
                    DataType::UInt64 => of!(u64, &array.as_primitive::<UInt64Type>().value(0)),
                    DataType::LargeUtf8 => {
                        of!(String, array.as_string::<i64>().value(0));
                        of!(Vec<u8>, array.as_string::<i64>().value(0).as_bytes());
                    }
                    DataType::LargeBinary => of!(Vec<u8>, array.as_binary::<i64>().value(0)),
                    _ => {}
                }
                Err(mismatch(sketch, found))
            }
        }
    };
}
counts_elements!(MisraGries);
counts_elements!(SpaceSaving);
counts_elements!(Majority);

/// The sketches of the most frequent elements.
macro_rules! heavy {
    ($kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty sketch whose counts are off by at most this share of the total, for certain.
            ///
            /// It keeps texts, bytes or integers, as the first items decide.
            ///
            /// Parameters
            /// ----------
            /// error : float
            ///     The error of counts, as a share of the total.
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            #[staticmethod]
            #[pyo3(signature = (error, *, seed=None, key=None))]
            fn for_error<'py>(
                py: Python<'py>,
                error: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let spec = spec_of(seed, key)?;
                wrap(py, Box::new(crivo::$kind::<Vec<u8>>::for_error(error).or_raise()?.with_hash(spec)))
            }

            /// An empty sketch of this many counters.
            ///
            /// Parameters
            /// ----------
            /// counters : int
            ///     How many counters to keep: an item more frequent than the total over this number is found.
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            #[staticmethod]
            #[pyo3(signature = (counters, *, seed=None, key=None))]
            fn for_counters<'py>(
                py: Python<'py>,
                counters: u32,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let spec = spec_of(seed, key)?;
                wrap(py, Box::new(crivo::$kind::<Vec<u8>>::for_counters(counters).or_raise()?.with_hash(spec)))
            }

            /// A sketch of a batch: ``for_error`` and ``update`` in one call.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// weights : iterable or array, optional
            ///     How often each item occurs.
            /// error : float, optional
            ///     The error of counts, as a share of the total.
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            /// text : bool, optional
            ///     Keep the items' texts, as the command does.
            #[staticmethod]
            #[pyo3(signature = (x, weights=None, *, error=0.001, seed=None, key=None, text=false))]
            fn of<'py>(
                x: &Bound<'py, PyAny>,
                weights: Option<&Bound<'py, PyAny>>,
                error: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
                text: bool,
            ) -> PyResult<Bound<'py, PyAny>> {
                let made = Self::for_error(x.py(), error, seed, key)?;
                Self::update(made.cast()?, x, weights, text)?;
                Ok(made)
            }

            /// The most frequent items, with certain bounds of their counts.
            ///
            /// Parameters
            /// ----------
            /// most : int, optional
            ///     How many items to return.
            ///
            /// Returns
            /// -------
            /// Table
            ///     The columns ``item``, ``count``, ``lower``, ``upper`` and ``rank_certain``.
            #[pyo3(signature = (most=10))]
            fn top(slf: &Bound<'_, Self>, most: usize) -> PyResult<Table> {
                use crivo::$kind;
                let found = base(slf).shared.with(slf.py(), |sketch| {
                    by_element!(sketch, $kind: u64 => Unsigned, i64 => Signed, String => Text, Vec<u8> => Bytes;
                        |it| hitters(&it.top(most)))
                })?;
                found.ok_or_else(not_an_item)?.1
            }
        }
    };
}
heavy!(MisraGries);
heavy!(SpaceSaving);

#[pymethods]
impl Majority {
    /// An empty vote: in the memory of one item, it keeps the only one that can make up more than half of the stream.
    ///
    /// It keeps texts, bytes or integers, as the first items decide.
    #[staticmethod]
    fn empty(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        wrap(py, Box::new(crivo::frequency::Majority::<Vec<u8>>::new()))
    }

    /// A vote of a batch: ``empty`` and ``update`` in one call.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The items. Missing values are not items.
    /// weights : iterable or array, optional
    ///     How often each item occurs.
    /// text : bool, optional
    ///     Keep the items' texts, as the command does.
    #[staticmethod]
    #[pyo3(signature = (x, weights=None, *, text=false))]
    fn of<'py>(
        x: &Bound<'py, PyAny>,
        weights: Option<&Bound<'py, PyAny>>,
        text: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = Self::empty(x.py())?;
        Self::update(made.cast()?, x, weights, text)?;
        Ok(made)
    }

    /// The only item that can be a majority, or ``None`` if there certainly is none.
    ///
    /// Whether it is one, ``frequency`` may leave open: count it in a second pass.
    fn candidate(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        use crivo::frequency::Majority;
        let py = slf.py();
        let found = base(slf).shared.with(py, |sketch| {
            by_element!(sketch, Majority: u64 => Unsigned, i64 => Signed, String => Text, Vec<u8> => Bytes;
                |it| it.candidate().map(|item| item.to_python(py)).transpose())
        })?;
        found.ok_or_else(not_an_item)?.1
    }
}
