//! Sketches of the latest items: every item has a time.

use super::{SlidingHyperLogLog, WindowedBloom, answers, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::Estimate;
use crate::sketch::{base, spec_of};
use crate::weights::Weights;
use crivo::membership::WindowedParams;
use crivo::sketch::Sketch as AnySketch;
use pyo3::PyClass;
use pyo3::prelude::*;

/// A structure whose items have times.
trait Timed: AnySketch {
    fn insert(&mut self, hash: u64, time: u64);
    fn move_to(&mut self, time: u64);
}

impl Timed for crivo::SlidingHyperLogLog {
    fn insert(&mut self, hash: u64, time: u64) {
        self.insert_hash(hash, time);
    }

    fn move_to(&mut self, time: u64) {
        self.advance(time);
    }
}

impl Timed for crivo::WindowedBloom {
    fn insert(&mut self, hash: u64, time: u64) {
        self.insert_hash_at(hash, time);
    }

    fn move_to(&mut self, time: u64) {
        self.advance(time);
    }
}

/// A time of a column, whose numbers are exact up to 2^53.
fn time_of(time: f64) -> Result<u64, Refused> {
    crate::weights::whole(time).map_err(|_| {
        Refused::Value(format!(
            "a time is {time}, expected a whole number from 0 to 2**53, such as seconds since 1970; convert it"
        ))
    })
}

fn put<T: Timed>(sketch: &mut Box<dyn AnySketch>, hash: u64, time: u64) {
    if let Some(sketch) = sketch.downcast_mut::<T>() {
        sketch.insert(hash, time);
    }
}

/// Adds a batch of items with one time for all, or with one for each.
fn update<T: Timed, K: PyClass<BaseType = crate::sketch::Sketch>>(
    slf: &Bound<'_, K>,
    x: &Bound<'_, PyAny>,
    time: &Bound<'_, PyAny>,
    text: Option<bool>,
) -> PyResult<()> {
    if let Ok(time) = time.extract::<u64>() {
        return base(slf).for_each_hashes(x, text, |sketch, hashes| {
            for &hash in hashes {
                put::<T>(sketch, hash, time);
            }
            Ok(())
        });
    }
    let times = Weights::of(time, x)?;
    base(slf).for_each_weighted(x, &times, text, |sketch, hash, time| {
        put::<T>(sketch, hash, time_of(time)?);
        Ok(())
    })
}

/// `add`, `update` and `advance`.
macro_rules! timed {
    ($($kind:ident: $type:ty),+ $(,)?) => {$(
        #[pymethods]
        impl $kind {
            /// Add one item at a time, in any order of times.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// time : int
            ///     Its time, in any unit that the window has too, such as seconds since 1970.
            /// text : bool, optional
            ///     Hash the item's text, as the command does; by default, as the sketch began.
            #[pyo3(signature = (item, time, *, text=None))]
            fn add(
                slf: &Bound<'_, Self>,
                item: &Bound<'_, PyAny>,
                time: u64,
                text: Option<bool>,
            ) -> PyResult<()> {
                base(slf).add_hash(item, text, |sketch, hash| {
                    put::<$type>(sketch, hash, time);
                    Ok::<_, Refused>(())
                })
            }

            /// Add a batch of items, all at one time or each at its own.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// time : int, or iterable or array of int
            ///     The time of all items, or of each.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (x, time, *, text=None))]
            fn update(
                slf: &Bound<'_, Self>,
                x: &Bound<'_, PyAny>,
                time: &Bound<'_, PyAny>,
                text: Option<bool>,
            ) -> PyResult<()> {
                update::<$type, Self>(slf, x, time, text)
            }

            /// Move the end of the window to a time without an item.
            ///
            /// Parameters
            /// ----------
            /// time : int
            ///     The time.
            fn advance(slf: &Bound<'_, Self>, time: u64) -> PyResult<()> {
                base(slf).shared.with(slf.py(), |sketch| {
                    if let Some(sketch) = sketch.downcast_mut::<$type>() {
                        sketch.move_to(time);
                    }
                })
            }
        }
    )+};
}
timed!(SlidingHyperLogLog: crivo::SlidingHyperLogLog, WindowedBloom: crivo::WindowedBloom);

#[pymethods]
impl SlidingHyperLogLog {
    /// An empty counter of the distinct items of every window up to a limit.
    ///
    /// Parameters
    /// ----------
    /// error : float
    ///     Half the width of the 95 % interval, as a share of the answer.
    /// limit : int
    ///     The longest window, in units of time.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (error, limit, *, seed=None, key=None))]
    fn for_error<'py>(
        py: Python<'py>,
        error: f64,
        limit: u64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let spec = spec_of(seed, key)?;
        wrap(py, Box::new(crivo::SlidingHyperLogLog::for_error(error, limit).or_raise()?.with_hash(spec)))
    }

    /// The number of distinct items in the last units of time, with its 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// window : int
    ///     The length of the window, at most the limit.
    fn estimate(slf: &Bound<'_, Self>, window: u64) -> PyResult<Estimate> {
        let found = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::SlidingHyperLogLog>().map(|it| it.estimate(window))
        })?;
        found.ok_or_else(not_an_item)?.or_raise().map(Estimate::count)
    }
}

#[pymethods]
impl WindowedBloom {
    /// An empty filter of the items of a window of time.
    ///
    /// Parameters
    /// ----------
    /// items : int
    ///     How many distinct items a window has.
    /// fpr : float
    ///     The false-positive rate.
    /// window : int
    ///     Its length in units of time: items are certainly found up to this age.
    /// generations : int, optional
    ///     How many filters cover the window. With more, items expire sooner after it, at the cost of time.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (items, fpr, window, *, generations=4, seed=None, key=None))]
    fn with_fpr<'py>(
        py: Python<'py>,
        items: u64,
        fpr: f64,
        window: u64,
        generations: u32,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let params = WindowedParams::for_fpr(items, fpr, window, generations).or_raise()?;
        wrap(py, Box::new(crivo::WindowedBloom::with_params(params).with_hash(spec_of(seed, key)?)))
    }

    /// Whether each item of a batch may be in the window that ends at a time: ``False`` is certain.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array
    ///     The items. Missing values are not items.
    /// time : int
    ///     The end of the window.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray or list of bool
    ///     A numpy array if numpy is installed. Missing values are ``False``.
    #[pyo3(signature = (x, time, *, text=None))]
    fn contains_at<'py>(
        slf: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        time: u64,
        text: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut found = Vec::new();
        for piece in base(slf).hashed(x, text)? {
            let answers = base(slf).shared.detached(slf.py(), |sketch| {
                sketch
                    .downcast_ref::<crivo::WindowedBloom>()
                    .map(|it| it.contains_hashes_at(&piece.hashes, time))
            })?;
            let answers = answers.unwrap_or_default().into_iter().enumerate();
            found.extend(answers.map(|(row, is_in)| is_in && piece.is_valid(row)));
        }
        answers::bools(slf.py(), &found)
    }
}
