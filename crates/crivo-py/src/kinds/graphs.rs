//! Graphs: are two vertices adjacent?

use super::{EdgeBloom, not_an_item, wrap};
use crate::error::{OrRaise, Refused};
use crate::estimate::Estimate;
use crate::sketch::{base, spec_of};
use crivo::graph::Direction;
use pyo3::prelude::*;

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
        let direction = if directed { Direction::Directed } else { Direction::Undirected };
        let spec = spec_of(seed, key)?;
        wrap(py, Box::new(crivo::EdgeBloom::for_fpr(edges, fpr, direction).or_raise()?.with_hash(spec)))
    }

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
        this.add_hash(other, text, |sketch, other| {
            if let (Some(graph), Some(one)) = (sketch.downcast_mut::<crivo::EdgeBloom>(), first) {
                graph.add_edge_hash(one, other);
            }
            Ok::<_, Refused>(())
        })
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
            sketch.downcast_ref::<crivo::EdgeBloom>().is_some_and(|graph| graph.has_edge_hash(one, other))
        })
    }

    /// The number of edges, with its interval.
    fn edges(slf: &Bound<'_, Self>) -> PyResult<Estimate> {
        let found = base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::EdgeBloom>().map(crivo::EdgeBloom::edges)
        })?;
        found.map(Estimate::count).ok_or_else(not_an_item)
    }
}
