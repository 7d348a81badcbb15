//! Graphs whose vertices are the numbers from 0 on.

use super::elements::kept;
use super::numbers::{bools, optional, pairs, vertex, vertices};
use super::quantiles::doubles;
use super::{
    AdjacencyList, AdjacencyMatrix, BipartiteLabels, IntersectionLabels, IntervalGraph, ParentTree,
    TreeLabels, answers, not_an_item, wrap,
};
use crate::error::{OrRaise, Refused};
use crate::input::Pieces;
use crate::sketch::{base, spec_of};
use crivo::graph::{Direction, Edge, IntersectionSets, LabelScheme, Sides};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(super) fn direction(directed: bool) -> Direction {
    if directed { Direction::Directed } else { Direction::Undirected }
}

/// The edges in two columns.
fn edges(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<Vec<Edge>> {
    pairs(vertices(one)?, vertices(other)?)
}

/// The questions that all of these graphs answer.
macro_rules! numbered {
    ($($kind:ident: $type:ty),+ $(,)?) => {$(
        #[pymethods]
        impl $kind {
            /// Whether two vertices are adjacent.
            ///
            /// Parameters
            /// ----------
            /// one : int
            ///     The number of a vertex.
            /// other : int
            ///     The number of the other vertex.
            fn has_edge(slf: &Bound<'_, Self>, one: u32, other: u32) -> PyResult<bool> {
                Self::ask(slf, |graph| graph.has_edge(one, other))
            }

            /// Whether the vertices of each pair are adjacent.
            ///
            /// Parameters
            /// ----------
            /// one, other : iterables or arrays of int
            ///     The two vertices of each pair.
            ///
            /// Returns
            /// -------
            /// numpy.ndarray or list of bool
            ///     A numpy array if numpy is installed.
            fn has_edges<'py>(
                slf: &Bound<'py, Self>,
                one: &Bound<'py, PyAny>,
                other: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let pairs = edges(one, other)?;
                let found = Self::ask(slf, |graph| {
                    pairs.iter().map(|&(one, other)| graph.has_edge(one, other)).collect::<crivo::Result<Vec<bool>>>()
                })?;
                answers::bools(slf.py(), &found)
            }

            /// The vertices that are adjacent to a vertex, in order.
            ///
            /// Parameters
            /// ----------
            /// vertex : int
            ///     The number of a vertex.
            fn neighbours(slf: &Bound<'_, Self>, vertex: u32) -> PyResult<Vec<u32>> {
                Self::ask(slf, |graph| graph.neighbours(vertex).map(Iterator::collect))
            }

            /// The number of neighbours of a vertex.
            ///
            /// Parameters
            /// ----------
            /// vertex : int
            ///     The number of a vertex.
            fn degree(slf: &Bound<'_, Self>, vertex: u32) -> PyResult<u32> {
                Self::ask(slf, |graph| graph.degree(vertex))
            }

            /// The number of vertices.
            fn vertices(slf: &Bound<'_, Self>) -> PyResult<u32> {
                Self::ask(slf, |graph| Ok(graph.vertices()))
            }
        }

        impl $kind {
            fn ask<R: Send>(
                slf: &Bound<'_, Self>,
                ask: impl FnOnce(&$type) -> crivo::Result<R> + Send,
            ) -> PyResult<R> {
                let found = base(slf).shared.detached(slf.py(), |sketch| sketch.downcast_ref().map(ask))?;
                found.ok_or_else(not_an_item)?.or_raise()
            }
        }
    )+};
}
numbered!(
    AdjacencyMatrix: crivo::baseline::AdjacencyMatrix, AdjacencyList: crivo::baseline::AdjacencyList,
    ParentTree: crivo::graph::ParentTree, IntervalGraph: crivo::graph::IntervalGraph,
    IntersectionLabels: crivo::graph::IntersectionLabels, TreeLabels: crivo::graph::TreeLabels,
    BipartiteLabels: crivo::graph::BipartiteLabels,
);

/// The exact number of edges.
macro_rules! counted {
    ($($kind:ident),+) => {$(
        #[pymethods]
        impl $kind {
            /// The number of edges, which is exact.
            fn edges(slf: &Bound<'_, Self>) -> PyResult<u64> {
                Self::ask(slf, |graph| Ok(graph.edges().into()))
            }
        }
    )+};
}
counted!(AdjacencyMatrix, AdjacencyList, ParentTree, IntervalGraph);

#[pymethods]
impl AdjacencyMatrix {
    /// A graph without edges, with a bit for each pair of vertices.
    ///
    /// Parameters
    /// ----------
    /// vertices : int
    ///     The number of vertices.
    /// directed : bool, optional
    ///     Whether an edge has a direction.
    #[staticmethod]
    #[pyo3(signature = (vertices, *, directed=false))]
    fn for_vertices(py: Python<'_>, vertices: u32, directed: bool) -> PyResult<Bound<'_, PyAny>> {
        let made = crivo::baseline::AdjacencyMatrix::for_vertices(vertices, direction(directed));
        wrap(py, Box::new(made.or_raise()?))
    }

    /// Add an edge between two vertices.
    ///
    /// Parameters
    /// ----------
    /// one : int
    ///     The number of a vertex.
    /// other : int
    ///     The number of the other vertex.
    fn add_edge(slf: &Bound<'_, Self>, one: u32, other: u32) -> PyResult<()> {
        Self::put(slf, &[(one, other)])
    }

    /// Add a batch of edges.
    ///
    /// Parameters
    /// ----------
    /// one, other : iterables or arrays of int
    ///     The two vertices of each edge. If one of them is unknown, nothing is added.
    fn add_edges(slf: &Bound<'_, Self>, one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        Self::put(slf, &edges(one, other)?)
    }
}

impl AdjacencyMatrix {
    fn put(slf: &Bound<'_, Self>, edges: &[Edge]) -> PyResult<()> {
        let done = base(slf).shared.detached(slf.py(), |sketch| {
            let Some(graph) = sketch.downcast_mut::<crivo::baseline::AdjacencyMatrix>() else {
                return Ok(());
            };
            // All are looked up first, so that an unknown vertex is refused before anything has changed.
            edges.iter().try_for_each(|&(one, other)| graph.has_edge(one, other).map(drop))?;
            edges.iter().try_for_each(|&(one, other)| graph.add_edge(one, other).map(drop))
        })?;
        done.or_raise()
    }
}

#[pymethods]
impl AdjacencyList {
    /// A graph of these edges, which never changes.
    ///
    /// Parameters
    /// ----------
    /// vertices : int
    ///     The number of vertices.
    /// one, other : iterables or arrays of int
    ///     The two vertices of each edge.
    /// directed : bool, optional
    ///     Whether an edge has a direction.
    #[staticmethod]
    #[pyo3(signature = (vertices, one, other, *, directed=false))]
    fn freeze<'py>(
        vertices: u32,
        one: &Bound<'py, PyAny>,
        other: &Bound<'py, PyAny>,
        directed: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let edges = edges(one, other)?;
        let made =
            one.py().detach(|| crivo::baseline::AdjacencyList::freeze(vertices, direction(directed), &edges));
        wrap(one.py(), Box::new(made.or_raise()?))
    }
}

#[pymethods]
impl ParentTree {
    /// A tree, or several, by the parent of each vertex.
    ///
    /// Parameters
    /// ----------
    /// parents : iterable or array of int
    ///     The parent of each vertex, in order; ``None`` for a root.
    #[staticmethod]
    fn freeze<'py>(parents: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let found = optional(parents)?.into_iter().map(|parent| parent.map(vertex).transpose());
        let found = found.collect::<PyResult<Vec<Option<u32>>>>()?;
        wrap(parents.py(), Box::new(crivo::graph::ParentTree::freeze(&found).or_raise()?))
    }
}

/// The numbers of a batch, none of which may be missing.
fn numbers(batch: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let (py, mut pieces, mut all) = (batch.py(), Pieces::of(batch)?, Vec::new());
    while let Some(piece) = pieces.next(py)? {
        let found = kept(&piece, false).and_then(|array| doubles(&array)).map_err(Refused::raised)?;
        for number in found {
            all.push(number.ok_or_else(|| PyValueError::new_err("a number is missing; leave its row out"))?);
        }
    }
    Ok(all)
}

#[pymethods]
impl IntervalGraph {
    /// The graph of intervals, of which two are adjacent if they have a point in common.
    ///
    /// Parameters
    /// ----------
    /// one, other : iterables or arrays of numbers
    ///     The lower and the upper end of each interval.
    #[staticmethod]
    fn freeze<'py>(one: &Bound<'py, PyAny>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let intervals = pairs(numbers(one)?, numbers(other)?)?;
        wrap(one.py(), Box::new(crivo::graph::IntervalGraph::freeze(&intervals).or_raise()?))
    }
}

#[pymethods]
impl TreeLabels {
    /// The labels of a tree, or of several: two of them tell whether their vertices are adjacent.
    ///
    /// Parameters
    /// ----------
    /// vertices : int
    ///     The number of vertices.
    /// one, other : iterables or arrays of int
    ///     The two vertices of each edge.
    /// fpr, fnr : float
    ///     The rates at which a pair that is not adjacent is reported, and at which an edge is missed.
    /// seed : int, optional
    ///     A seed of the hash.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (vertices, one, other, fpr, fnr, *, seed=None, key=None))]
    fn freeze<'py>(
        vertices: u32,
        one: &Bound<'py, PyAny>,
        other: &Bound<'py, PyAny>,
        fpr: f64,
        fnr: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, spec, edges) = (one.py(), spec_of(seed, key)?, edges(one, other)?);
        let made = py.detach(|| {
            let params = crivo::graph::TreeLabels::params_for(LabelScheme::MinHash, fpr, fnr)?;
            crivo::graph::TreeLabels::freeze(vertices, &edges, params, spec)
        });
        wrap(py, Box::new(made.or_raise()?))
    }
}

#[pymethods]
impl IntersectionLabels {
    /// The labels of any graph: two of them tell whether their vertices are adjacent.
    ///
    /// Parameters
    /// ----------
    /// vertices : int
    ///     The number of vertices.
    /// one, other : iterables or arrays of int
    ///     The two vertices of each edge.
    /// fpr, fnr : float
    ///     The rates at which a pair that is not adjacent is reported, and at which an edge is missed.
    /// seed : int, optional
    ///     A seed of the hash.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (vertices, one, other, fpr, fnr, *, seed=None, key=None))]
    fn freeze<'py>(
        vertices: u32,
        one: &Bound<'py, PyAny>,
        other: &Bound<'py, PyAny>,
        fpr: f64,
        fnr: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, spec, edges) = (one.py(), spec_of(seed, key)?, edges(one, other)?);
        let made = py.detach(|| {
            // Sets without common elements have the smallest labels.
            let sets = IntersectionSets::for_graph(vertices, &edges, (0, 1))?;
            let params = sets.params_for(LabelScheme::MinHash, fpr, fnr)?;
            crivo::graph::IntersectionLabels::freeze(vertices, &edges, sets, params, spec)
        });
        wrap(py, Box::new(made.or_raise()?))
    }
}

#[pymethods]
impl BipartiteLabels {
    /// The labels of a bipartite graph: two of them tell whether their vertices are adjacent.
    ///
    /// Parameters
    /// ----------
    /// sides : iterable or array of bool
    ///     The side of each vertex. Edges join vertices of different sides.
    /// one, other : iterables or arrays of int
    ///     The two vertices of each edge.
    /// fpr, fnr : float
    ///     The rates at which a pair that is not adjacent is reported, and at which an edge is missed.
    /// seed : int, optional
    ///     A seed of the hash.
    /// key : bytes, optional
    ///     16 secret bytes, if the items come from an adversary.
    #[staticmethod]
    #[pyo3(signature = (sides, one, other, fpr, fnr, *, seed=None, key=None))]
    fn freeze<'py>(
        sides: &Bound<'py, PyAny>,
        one: &Bound<'py, PyAny>,
        other: &Bound<'py, PyAny>,
        fpr: f64,
        fnr: f64,
        seed: Option<u64>,
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, spec) = (one.py(), spec_of(seed, key)?);
        let (sides, edges) = (bools(sides)?, edges(one, other)?);
        let made = py.detach(|| {
            let params = crivo::graph::BipartiteLabels::params_for(&sides, &edges, fpr, fnr)?;
            crivo::graph::BipartiteLabels::freeze(Sides::Bipartite, &sides, &edges, params, spec)
        });
        wrap(py, Box::new(made.or_raise()?))
    }
}
