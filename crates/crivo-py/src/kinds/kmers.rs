//! The k-mers of genomes: de Bruijn graphs.

use super::elements::{Type, kept};
use super::{DeBruijn, ExactDeBruijn, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::Estimate;
use crate::input::Pieces;
use crate::sketch::{base, spec_of};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use crivo::graph::{DeBruijnParams, Kmer, KmerGraph, KmerSet};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Calls `each` with every sequence of a piece. Missing ones are left out.
fn sequences(piece: &ArrayRef, mut each: impl FnMut(&[u8])) -> Result<(), Refused> {
    let array = kept(piece, false)?;
    match Type::of(&array) {
        Ok(None) => return Ok(()),
        Ok(Some(Type::Text | Type::Bytes)) => {}
        _ => {
            let found = array.data_type();
            return Err(Refused::Type(format!(
                "expected sequences as texts, but found {found}; convert them"
            )));
        }
    }
    let array = cast(&array, &DataType::LargeBinary).map_err(|error| Refused::Type(error.to_string()))?;
    array.as_binary::<i64>().iter().flatten().for_each(&mut each);
    Ok(())
}

/// The letters of a sequence that is one object.
fn letters(sequence: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = sequence.extract::<String>() {
        return Ok(text.into_bytes());
    }
    sequence.extract::<&[u8]>().map(<[u8]>::to_vec).map_err(|_| {
        let found = sequence.get_type();
        PyTypeError::new_err(format!("expected a str or bytes of bases, but found {found}"))
    })
}

fn kmer(bases: &Bound<'_, PyAny>) -> PyResult<Kmer> {
    Kmer::from_bases(&letters(bases)?).or_raise()
}

/// The questions that both graphs answer.
macro_rules! kmers {
    ($($kind:ident: $type:ty),+) => {$(
        #[pymethods]
        impl $kind {
            fn __contains__(slf: &Bound<'_, Self>, bases: &Bound<'_, PyAny>) -> PyResult<bool> {
                let kmer = kmer(bases)?;
                Self::ask(slf, |graph| graph.contains(kmer))
            }

            /// The k-mers that may follow a k-mer: at most four.
            ///
            /// Parameters
            /// ----------
            /// bases : str or bytes
            ///     A k-mer, read in either direction.
            fn after(slf: &Bound<'_, Self>, bases: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
                let kmer = kmer(bases)?;
                Self::ask(slf, |graph| graph.after(kmer).map(|it| it.to_string()).collect())
            }

            /// The k-mers that may precede a k-mer: at most four.
            ///
            /// Parameters
            /// ----------
            /// bases : str or bytes
            ///     A k-mer, read in either direction.
            fn before(slf: &Bound<'_, Self>, bases: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
                let kmer = kmer(bases)?;
                Self::ask(slf, |graph| graph.before(kmer).map(|it| it.to_string()).collect())
            }

            /// The bases from a k-mer on, up to a fork or an end, or back to where it began.
            ///
            /// Parameters
            /// ----------
            /// bases : str or bytes
            ///     A k-mer, read in either direction.
            fn walk(slf: &Bound<'_, Self>, bases: &Bound<'_, PyAny>) -> PyResult<String> {
                let kmer = kmer(bases)?;
                Self::ask(slf, |graph| {
                    let mut path = kmer.to_string();
                    path.extend(graph.walk(kmer).skip(1).filter_map(|next| next.to_string().pop()));
                    path
                })
            }
        }

        impl $kind {
            fn ask<R: Send>(slf: &Bound<'_, Self>, ask: impl FnOnce(&$type) -> R + Send) -> PyResult<R> {
                let found = base(slf).shared.detached(slf.py(), |sketch| sketch.downcast_ref().map(ask))?;
                found.ok_or_else(not_an_item)
            }
        }
    )+};
}
kmers!(DeBruijn: crivo::DeBruijn, ExactDeBruijn: crivo::graph::ExactDeBruijn);

#[pymethods]
impl DeBruijn {
    /// An empty graph for a number of k-mers; one that is not inside is reported at this rate.
    ///
    /// Parameters
    /// ----------
    /// k : int
    ///     The bases of a k-mer, at most 63.
    /// items : int
    ///     How many distinct k-mers it is planned for.
    /// fpr : float
    ///     The false-positive rate.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the sequences come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (k, items, fpr, *, seed=None, key=None))]
    fn with_fpr<'py>(
        py: Python<'py>,
        k: u32,
        items: u64,
        fpr: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let params = DeBruijnParams::for_fpr(k, items, fpr).or_raise()?;
        wrap(py, Box::new(crivo::DeBruijn::with_params(params).with_hash(spec_of(seed, key)?)))
    }

    /// Add the k-mers of a sequence.
    ///
    /// Parameters
    /// ----------
    /// sequence : str or bytes
    ///     The bases A, C, G and T; no k-mer spans any other letter.
    fn add(slf: &Bound<'_, Self>, sequence: &Bound<'_, PyAny>) -> PyResult<()> {
        let sequence = letters(sequence)?;
        base(slf).shared.detached(slf.py(), |sketch| {
            if let Some(graph) = sketch.downcast_mut::<crivo::DeBruijn>() {
                graph.add_sequence(&sequence);
            }
        })
    }

    /// Add the k-mers of a batch of sequences.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array of str or bytes
    ///     The sequences. Missing values are left out.
    fn update(slf: &Bound<'_, Self>, x: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, mut pieces) = (slf.py(), Pieces::of(x)?);
        while let Some(piece) = pieces.next(py)? {
            let done = base(slf).shared.detached(py, |sketch| {
                let Some(graph) = sketch.downcast_mut::<crivo::DeBruijn>() else { return Ok(()) };
                sequences(&piece, |sequence| {
                    graph.add_sequence(sequence);
                })
            })?;
            done.map_err(Refused::raised)?;
        }
        Ok(())
    }

    /// The number of distinct k-mers, with its 95 % interval.
    fn estimate(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        Self::ask(slf, crivo::DeBruijn::cardinality).map(Estimate::count)
    }

    /// The false-positive rate at the present fill.
    fn fpr(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        Self::ask(slf, crivo::DeBruijn::fpr).map(Estimate::rate)
    }
}

#[pymethods]
impl ExactDeBruijn {
    /// The graph of the k-mers of a batch of sequences, which never changes.
    ///
    /// Parameters
    /// ----------
    /// x : iterable or array of str or bytes
    ///     The sequences: the bases A, C, G and T; no k-mer spans any other letter. Missing values are left out.
    /// k : int
    ///     The bases of a k-mer, at most 63.
    /// seed : int, optional
    ///     A seed of the hash.
    /// key : bytes, optional
    ///     16 secret bytes, if the sequences come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (x, k, *, seed=None, key=None))]
    fn freeze<'py>(
        x: &Bound<'py, PyAny>,
        k: u32,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, spec, mut pieces) = (x.py(), spec_of(seed, key)?, Pieces::of(x)?);
        let mut set = KmerSet::new(k).or_raise()?;
        while let Some(piece) = pieces.next(py)? {
            let done = py.detach(|| {
                sequences(&piece, |sequence| {
                    set.add_sequence(sequence);
                })
            });
            done.map_err(Refused::raised)?;
        }
        let made = py.detach(|| crivo::graph::ExactDeBruijn::freeze_with(&set, spec));
        wrap(py, Box::new(made.or_raise()?))
    }

    /// The number of k-mers, which is exact.
    fn total(slf: &Bound<'_, Self>) -> PyResult<u64> {
        Self::ask(slf, crivo::graph::ExactDeBruijn::len)
    }
}
