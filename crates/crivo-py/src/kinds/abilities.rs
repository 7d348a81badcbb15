//! The methods that the words in the table of kinds stand for.

/// The methods that a word in the table of kinds stands for.
macro_rules! ability {
    (insert, SpectralBloom) => {};
    (insert, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// Add one item: a str, bytes, int, float, bool, time or UUID.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// text : bool, optional
            ///     Hash the item's text, as the command does.
            #[pyo3(signature = (item, *, text=None))]
            fn add(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<()> {
                base(slf).add_hash(item, text, |sketch, hash| {
                    as_insert(&mut **sketch).try_insert_hash(hash).map(drop)
                })
            }

            /// Add a batch of items: an iterable, a numpy array, or anything that speaks Arrow.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does.
            #[pyo3(signature = (x, *, text=None))]
            fn update(slf: &Bound<'_, Self>, x: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<()> {
                base(slf).for_each_hashes(x, text, |sketch, hashes| {
                    as_insert(&mut **sketch).try_insert_hashes(hashes)
                })
            }
        }
    };
    (remove, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// Remove an item, or one of its copies. Remove only items that were added.
            ///
            /// Parameters
            /// ----------
            /// item : object
            ///     The item. ``None`` is not an item.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (item, *, text=None))]
            fn remove(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<()> {
                let this = base(slf);
                let hash = this.hash_of(item, text)?.ok_or_else(not_an_item)?;
                let view = Kind::$kind.info().remove.ok_or_else(|| PyTypeError::new_err("cannot remove"))?;
                let removed = this
                    .shared
                    .with(slf.py(), |sketch| view(&mut **sketch).map(|sketch| sketch.remove_hash(hash)))?;
                removed.unwrap_or(Ok(())).or_raise()
            }
        }
    };
    (contains, $kind:ident) => {
        #[pymethods]
        impl $kind {
            fn __contains__(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>) -> PyResult<bool> {
                let this = base(slf);
                let Some(hash) = this.hash_of(item, None)? else { return Ok(false) };
                let view = Kind::$kind.info().membership.ok_or_else(not_an_item)?;
                this.shared
                    .with(slf.py(), |sketch| view(&**sketch).is_some_and(|filter| filter.contains_hash(hash)))
            }

            /// Whether each item of a batch may have been added: ``False`` is certain.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            ///
            /// Returns
            /// -------
            /// numpy.ndarray or list of bool
            ///     A numpy array if numpy is installed. Missing values are ``False``.
            #[pyo3(signature = (x, *, text=None))]
            fn contains<'py>(
                slf: &Bound<'py, Self>,
                x: &Bound<'py, PyAny>,
                text: Option<bool>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let this = base(slf);
                let view = Kind::$kind.info().membership.ok_or_else(not_an_item)?;
                let mut found = Vec::new();
                for piece in this.hashed(x, text)? {
                    found.extend(this.shared.detached(slf.py(), |sketch| {
                        let filter = view(&**sketch);
                        let answers = filter.map_or_else(Vec::new, |it| it.contains_hashes(&piece.hashes));
                        let kept = answers.into_iter().enumerate();
                        kept.map(|(row, is_in)| is_in && piece.is_valid(row)).collect::<Vec<bool>>()
                    })?);
                }
                bools(slf.py(), &found)
            }

            /// The false-positive rate at the present fill.
            fn fpr(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
                let view = Kind::$kind.info().membership.ok_or_else(not_an_item)?;
                let rate = base(slf).shared.with(slf.py(), |sketch| view(&**sketch).map(|it| it.fpr()))?;
                rate.map(Estimate::rate).ok_or_else(not_an_item)
            }
        }
    };
    (estimate, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// The number of distinct items, with its 95 % interval.
            fn estimate(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
                let view = Kind::$kind.info().cardinality.ok_or_else(not_an_item)?;
                let found =
                    base(slf).shared.with(slf.py(), |sketch| view(&**sketch).map(|it| it.estimate()))?;
                found.map(Estimate::count).ok_or_else(not_an_item)
            }

            /// Compare with another counter of the same kind and size.
            ///
            /// Parameters
            /// ----------
            /// other : Sketch
            ///     A sketch of the same kind and size.
            ///
            /// Returns
            /// -------
            /// dict of str to Estimate
            ///     ``union``, ``intersection``, ``only_first`` and ``jaccard``.
            fn compare<'py>(
                slf: &Bound<'py, Self>,
                other: &Bound<'py, Sketch>,
            ) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
                answers::compared(base(slf), other)
            }

            /// The number of distinct items in both, with its interval.
            ///
            /// Parameters
            /// ----------
            /// other : Sketch
            ///     A sketch of the same kind and size.
            fn intersect(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                answers::sets(base(slf), other).map(|sets| Estimate::count(sets.intersection))
            }

            /// The number of distinct items in this one but not in the other, with its interval.
            ///
            /// Parameters
            /// ----------
            /// other : Sketch
            ///     A sketch of the same kind and size.
            fn difference(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                answers::sets(base(slf), other).map(|sets| Estimate::count(sets.only_first))
            }

            /// The Jaccard similarity of the two sets of items, from 0 to 1.
            ///
            /// Parameters
            /// ----------
            /// other : Sketch
            ///     A sketch of the same kind and size.
            fn jaccard(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                answers::sets(base(slf), other).map(|sets| Estimate::similarity(sets.similarity))
            }
        }
    };
    // The counters have `jaccard` from `estimate`.
    (similarity, KMinValues) => {};
    (similarity, Joint) => {};
    (similarity, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// The similarity of the two sets, from 0 to 1, with its 95 % interval.
            ///
            /// Parameters
            /// ----------
            /// other : Sketch
            ///     A sketch of the same kind and size.
            fn jaccard(slf: &Bound<'_, Self>, other: &Bound<'_, Sketch>) -> PyResult<Estimate> {
                answers::similarity(base(slf), other)
            }
        }
    };
    (filter, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty filter for a number of items at a false-positive rate.
            ///
            /// Parameters
            /// ----------
            /// items : int
            ///     How many items it is planned for.
            /// fpr : float
            ///     The false-positive rate at that number.
            /// seed, key : int, bytes, optional
            ///     A seed of the hash; or 16 secret bytes, if the items come from an adversary.
            #[staticmethod]
            #[pyo3(signature = (items, fpr, *, seed=None, key=None))]
            fn with_fpr<'py>(
                py: Python<'py>,
                items: u64,
                fpr: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                wrap(py, new_filter(Kind::$kind, items, fpr, spec_of(seed, key)?)?)
            }
        }
    };
    (freeze, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// A static filter of all items of a batch, at a false-positive rate.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// fpr : float
            ///     The false-positive rate.
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does.
            #[staticmethod]
            #[pyo3(signature = (x, fpr, *, seed=None, key=None, text=false))]
            fn freeze<'py>(
                x: &Bound<'py, PyAny>,
                fpr: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
                text: bool,
            ) -> PyResult<Bound<'py, PyAny>> {
                let spec = spec_of(seed, key)?;
                let (pieces, spec) = frozen_hashes(x, spec, text)?;
                let hashes: Vec<u64> = pieces.into_iter().flat_map(Hashed::into_valid).collect();
                let Some(MakeFilter::Frozen(freeze)) = Kind::$kind.info().filter.map(|it| it.make) else {
                    return Err(not_an_item());
                };
                wrap(x.py(), x.py().detach(|| freeze(&hashes, fpr, spec)).or_raise()?)
            }
        }
    };
    (counter, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty counter whose 95 % interval reaches this share of the answer to each side.
            ///
            /// Parameters
            /// ----------
            /// error : float
            ///     Half the width of the 95 % interval, as a share of the answer.
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
                wrap(py, new_counter(Kind::$kind, error, None, spec_of(seed, key)?)?)
            }

            /// A counter of a batch: ``for_error`` and ``update`` in one call.
            ///
            /// Parameters
            /// ----------
            /// x : iterable or array
            ///     The items. Missing values are not items.
            /// error : float, optional
            ///     Half the width of the 95 % interval, as a share of the answer.
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[staticmethod]
            #[pyo3(signature = (x, *, error=0.02, seed=None, key=None, text=None))]
            fn of<'py>(
                x: &Bound<'py, PyAny>,
                error: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
                text: Option<bool>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let made = Self::for_error(x.py(), error, seed, key)?;
                Self::update(made.cast()?, x, text)?;
                Ok(made)
            }
        }
    };
    (counter_of_items, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty counter for a number of items, whose 95 % interval reaches this share to each side.
            ///
            /// Parameters
            /// ----------
            /// items : int
            ///     How many items it is planned for.
            /// error : float
            ///     Half the width of the 95 % interval, as a share of the answer.
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            #[staticmethod]
            #[pyo3(signature = (items, error, *, seed=None, key=None))]
            fn for_error<'py>(
                py: Python<'py>,
                items: u64,
                error: f64,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                wrap(py, new_counter(Kind::$kind, error, Some(items), spec_of(seed, key)?)?)
            }
        }
    };
    (exact_counter, $kind:ident) => {
        #[pymethods]
        impl $kind {
            /// An empty table.
            ///
            /// Parameters
            /// ----------
            /// seed : int, optional
            ///     A seed of the hash. Sketches with different seeds do not merge.
            /// key : bytes, optional
            ///     16 secret bytes, if the items come from an adversary.
            #[staticmethod]
            #[pyo3(signature = (*, seed=None, key=None))]
            fn empty<'py>(
                py: Python<'py>,
                seed: Option<u64>,
                key: Option<&[u8]>,
            ) -> PyResult<Bound<'py, PyAny>> {
                wrap(py, new_counter(Kind::$kind, 0.0, None, spec_of(seed, key)?)?)
            }
        }
    };
    ($other:ident, $kind:ident) => {};
}
