//! Graphs of any vertices: are two of them adjacent?

use super::numbered::direction;
use super::numbers::pairs;
use super::{EdgeBloom, VertexBlooms, answers, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::Estimate;
use crate::hashes::{check_form, frozen_hashes, hashed, mark};
use crate::input::texts::{Hashed, Hashing};
use crate::sketch::{Sketch, base, spec_of};
use crate::weights::{Weights, whole};
use crivo::ItemForm;
use crivo::graph::VertexBlooms as Vertices;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The hashes of all vertices of a batch, none of which may be missing.
fn all_present(pieces: Vec<Hashed>) -> PyResult<Vec<u64>> {
    let mut all = Vec::new();
    let mut rows = 0;
    for piece in pieces {
        rows += piece.hashes.len();
        all.extend(piece.into_valid());
    }
    if all.len() == rows {
        return Ok(all);
    }
    Err(PyValueError::new_err("a vertex is missing; leave its row out"))
}

/// The hashes of pairs of vertices, and the form of both.
fn ends(
    sketch: &Sketch,
    one: &Bound<'_, PyAny>,
    other: &Bound<'_, PyAny>,
    text: Option<bool>,
) -> PyResult<(Vec<(u64, u64)>, ItemForm)> {
    let hashing: Hashing = sketch.hashing(one.py(), text)?;
    let (one, other) = (hashed(&hashing, one)?, hashed(&hashing, other)?);
    let mut form = hashing.spec.form();
    for piece in one.iter().chain(&other) {
        check_form(&hashing.spec, piece.form).map_err(Refused::raised)?;
        form = form.join(piece.form).or_raise()?;
    }
    Ok((pairs(all_present(one)?, all_present(other)?)?, form))
}

/// The methods of graphs whose vertices are hashed.
macro_rules! graphs {
    ($($kind:ident: $type:ty, $add:expr);+ $(;)?) => {$(
        #[pymethods]
        impl $kind {
            /// Add an edge between two vertices, which may be any items.
            ///
            /// Parameters
            /// ----------
            /// one : object
            ///     A vertex: any item.
            /// other : object
            ///     The other vertex.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (one, other, *, text=None))]
            fn add_edge(
                slf: &Bound<'_, Self>,
                one: &Bound<'_, PyAny>,
                other: &Bound<'_, PyAny>,
                text: Option<bool>,
            ) -> PyResult<()> {
                let this = base(slf);
                // The first vertex may mark the graph; the second must agree with it.
                let mut first = None;
                this.add_hash(one, text, |_, hash| {
                    first = Some(hash);
                    Ok::<_, Refused>(())
                })?;
                this.add_hash(other, text, |sketch, other| match (sketch.downcast_mut::<$type>(), first) {
                    (Some(graph), Some(one)) => ($add)(graph, one, other),
                    _ => Ok(()),
                })
            }

            /// Add a batch of edges.
            ///
            /// Parameters
            /// ----------
            /// one, other : iterables or arrays
            ///     The two vertices of each edge: any items.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (one, other, *, text=None))]
            fn add_edges(
                slf: &Bound<'_, Self>,
                one: &Bound<'_, PyAny>,
                other: &Bound<'_, PyAny>,
                text: Option<bool>,
            ) -> PyResult<()> {
                let (pairs, form) = ends(base(slf), one, other, text)?;
                let done = base(slf).shared.detached(slf.py(), |sketch| {
                    mark(sketch, form)?;
                    let Some(graph) = sketch.downcast_mut::<$type>() else { return Ok(()) };
                    pairs.iter().try_for_each(|&(one, other)| ($add)(graph, one, other)).map_err(Refused::from)
                })?;
                done.map_err(Refused::raised)
            }

            /// Whether two vertices may be adjacent: ``False`` is certain.
            ///
            /// Parameters
            /// ----------
            /// one : object
            ///     A vertex: any item.
            /// other : object
            ///     The other vertex.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            #[pyo3(signature = (one, other, *, text=None))]
            fn has_edge(
                slf: &Bound<'_, Self>,
                one: &Bound<'_, PyAny>,
                other: &Bound<'_, PyAny>,
                text: Option<bool>,
            ) -> PyResult<bool> {
                let this = base(slf);
                let one = this.hash_of(one, text)?.ok_or_else(not_an_item)?;
                let other = this.hash_of(other, text)?.ok_or_else(not_an_item)?;
                this.shared.with(slf.py(), |sketch| {
                    sketch.downcast_ref::<$type>().is_some_and(|graph| graph.has_edge_hash(one, other))
                })
            }

            /// Whether the vertices of each pair may be adjacent: ``False`` is certain.
            ///
            /// Parameters
            /// ----------
            /// one, other : iterables or arrays
            ///     The two vertices of each pair.
            /// text : bool, optional
            ///     Hash the items' texts, as the command does; by default, as the sketch began.
            ///
            /// Returns
            /// -------
            /// numpy.ndarray or list of bool
            ///     A numpy array if numpy is installed.
            #[pyo3(signature = (one, other, *, text=None))]
            fn has_edges<'py>(
                slf: &Bound<'py, Self>,
                one: &Bound<'py, PyAny>,
                other: &Bound<'py, PyAny>,
                text: Option<bool>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let (pairs, _) = ends(base(slf), one, other, text)?;
                let found = base(slf).shared.detached(slf.py(), |sketch| {
                    sketch.downcast_ref::<$type>().map(|graph| graph.has_edge_hashes(&pairs))
                })?;
                answers::bools(slf.py(), &found.unwrap_or_default())
            }
        }
    )+};
}
graphs!(
    EdgeBloom: crivo::EdgeBloom, |graph: &mut crivo::EdgeBloom, one: u64, other: u64| {
        graph.add_edge_hash(one, other);
        Ok::<(), crivo::Error>(())
    };
    VertexBlooms: Vertices, |graph: &mut Vertices, one: u64, other: u64| graph.add_edge_hash(one, other).map(drop);
);

#[pymethods]
impl VertexBlooms {
    /// An empty graph of these vertices, with a filter for each that fits its degree.
    ///
    /// Parameters
    /// ----------
    /// vertices : iterable or array
    ///     The vertices: any items.
    /// degrees : iterable or array of int
    ///     The number of neighbours of each vertex; of a directed graph, of edges that leave it.
    /// bits : int, optional
    ///     The bits for each neighbour.
    /// directed : bool, optional
    ///     Whether an edge has a direction.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does.
    #[staticmethod]
    #[pyo3(signature = (vertices, degrees, bits=10, *, directed=false, seed=None, key=None, text=false))]
    fn for_degrees<'py>(
        vertices: &Bound<'py, PyAny>,
        degrees: &Bound<'py, PyAny>,
        bits: u32,
        directed: bool,
        seed: Option<u64>,
        key: Option<&[u8]>,
        text: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let degrees = Weights::of(degrees, vertices)?;
        let (pieces, spec) = frozen_hashes(vertices, spec_of(seed, key)?, text)?;
        let hashes = all_present(pieces)?;
        degrees.check(hashes.len(), true)?;
        let degrees: Vec<(u64, u64)> = (hashes.into_iter().enumerate())
            .map(|(row, hash)| whole(degrees.at(row)).map(|degree| (hash, degree)))
            .collect::<Result<_, _>>()
            .map_err(Refused::raised)?;
        let made = Vertices::for_degrees(degrees, bits, direction(directed), spec).or_raise()?;
        wrap(vertices.py(), Box::new(made))
    }

    /// The number of neighbours of a vertex, with its 95 % interval.
    ///
    /// Parameters
    /// ----------
    /// vertex : object
    ///     A vertex: any item.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    #[pyo3(signature = (vertex, *, text=None))]
    fn degree(slf: &Bound<'_, Self>, vertex: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<Estimate> {
        let hash = base(slf).hash_of(vertex, text)?.ok_or_else(not_an_item)?;
        let found = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<Vertices>().map(|graph| graph.degree_hash(hash))
        })?;
        found.ok_or_else(not_an_item)?.or_raise().map(Estimate::count)
    }
}

#[pymethods]
impl EdgeBloom {
    /// An empty graph for a number of edges; a pair that is not adjacent is reported at this rate.
    ///
    /// Parameters
    /// ----------
    /// edges : int
    ///     How many edges it is planned for.
    /// fpr : float
    ///     The false-positive rate.
    /// directed : bool, optional
    ///     Whether an edge has a direction.
    /// seed : int, optional
    ///     A seed of the hash. Sketches with different seeds do not merge.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (edges, fpr, *, directed=false, seed=None, key=None))]
    fn with_fpr<'py>(
        py: Python<'py>,
        edges: u64,
        fpr: f64,
        directed: bool,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (direction, spec) = (direction(directed), spec_of(seed, key)?);
        wrap(py, Box::new(crivo::EdgeBloom::for_fpr(edges, fpr, direction).or_raise()?.with_hash(spec)))
    }

    /// The number of edges, with its interval.
    fn edges(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        let found = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::EdgeBloom>().map(crivo::EdgeBloom::edges)
        })?;
        found.map(Estimate::count).ok_or_else(not_an_item)
    }
}
