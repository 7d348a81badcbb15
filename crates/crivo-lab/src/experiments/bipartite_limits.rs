//! How alike the edges of complete bipartite graphs can be at most: theory, with proofs of both sides.

use crivo::graph::{Fraction, complete_bipartite_edge};

use super::graph_proofs::{Edges, Proof, proof, proven, share, text};
use super::prelude::*;

/// δ of pairs that are no edges.
const NOT_EDGES: [Fraction; 7] = [(0, 1), (1, 3), (1, 2), (1, 10), (1, 5), (2, 3), (9, 10)];

/// The largest similarity of edges of Kₙ,ₙ for one of other pairs, as theory has it, and what proves both sides of it.
pub(super) struct Limit {
    side: u32,
    not_edge: Fraction,
    edge: Fraction,
    /// Elements of sets that reach it, if there are some.
    elements: Option<u64>,
    /// What lies above it by less than a hair, and the weights that refute it, if there are some.
    above: Fraction,
    weights: Option<u64>,
}

impl Limit {
    /// Places of the limit of one graph: few where a proof takes long.
    pub(super) fn all_of(side: u32, edges: &Edges) -> Result<Vec<Self>> {
        let not_edges = if side < 4 { &NOT_EDGES[..] } else { &NOT_EDGES[..3] };
        not_edges.iter().map(|&not_edge| Self::new(side, edges, not_edge)).collect()
    }

    fn new(side: u32, edges: &Edges, not_edge: Fraction) -> Result<Self> {
        let edge = complete_bipartite_edge(side, not_edge)?;
        let finer = 10_000 / edge.1;
        let above = (edge.0 * finer + 1, edge.1 * finer);
        let elements = match proof(2 * side, edges, (not_edge, edge)) {
            Some(Proof::Sets { elements }) => Some(elements),
            _ => None,
        };
        let weights = match proof(2 * side, edges, (not_edge, above)) {
            // Nothing lies above 1.
            _ if above.0 > above.1 => Some(0),
            Some(Proof::Refutation { weights }) => Some(weights),
            _ => None,
        };
        Ok(Self { side, not_edge, edge, elements, above, weights })
    }
}

pub(super) fn judge(limits: &[Limit]) -> Verdict {
    let proven = limits.iter().filter(|limit| limit.elements.is_some() && limit.weights.is_some()).count();
    let worst = limits.iter().find(|limit| limit.elements.is_none() || limit.weights.is_none());
    let worst = worst.map_or_else(String::new, |limit| {
        format!(" Not so: n = {}, δ_A = {}.", limit.side, text(limit.not_edge))
    });
    let sides = limits.iter().map(|limit| limit.side).max().unwrap_or(0);
    Verdict::new(
        "For Kₙ,ₙ the largest δ_B is (1 + (2n − 1)δ_A)/(δ_A + 2n − 1): sets reach it, and weights refute all above.",
        proven == limits.len() && proven > 0,
        format!("{proven} of {} places proven from both sides, n = 1 to {sides}.{worst}", limits.len()),
    )
}

/// The document's conjecture: any two similarities fail to tell some bipartite graph.
pub(super) fn conjecture(largest: u32, complete: &impl Fn(u32) -> Edges) -> Result<Verdict> {
    let mut passed = true;
    let mut detail = Vec::new();
    for (not_edge, edge) in
        [((0, 1), (1, 2)), ((4, 10), (6, 10)), ((1, 3), (1, 2)), ((1, 2), (51, 100)), ((0, 1), (1, 1000))]
    {
        let beyond = (1..).map(|side| Ok((side, complete_bipartite_edge(side, not_edge)?)));
        let first = beyond.into_iter().find(|found: &Result<(u32, Fraction)>| {
            found.as_ref().map_or(true, |&(_, limit)| share(limit) < share(edge))
        });
        let Some((side, limit)) = first.transpose()? else { continue };
        let mut shown =
            format!("({}, {}): K{side},{side} allows {}", text(not_edge), text(edge), text(limit));
        if side <= largest {
            let sides = [side - 1, side].map(|side| proven(2 * side, &complete(side), (not_edge, edge)));
            passed &= sides == [Some(true), Some(false)];
            shown += ", proven with the one before";
        }
        detail.push(shown);
    }
    Ok(Verdict::new(
        "The conjecture of the document is true: for any δ_A < δ_B some bipartite graph has no representation, namely Kₙ,ₙ with 2n − 1 > (1 − \
δ_A·δ_B)/(δ_B − δ_A), and none smaller of its kind.",
        passed,
        format!("The first that is refused: {}.", detail.join("; ")),
    ))
}

#[rustfmt::skip]
pub(super) fn table(limits: &[Limit]) -> Table {
    let mut table = Table::new("limits", [
        "n of Kn,n", "δ_A", "theory, largest δ_B", "largest δ_B", "elements of sets", "refuted above", "weights",
    ]);
    for limit in limits {
        let count = |count: Option<u64>| count.map_or(Cell::Real(f64::NAN), Cell::from);
        table.push([
            u64::from(limit.side).into(), text(limit.not_edge).as_str().into(), text(limit.edge).as_str().into(),
            share(limit.edge).into(), count(limit.elements), text(limit.above).as_str().into(), count(limit.weights),
        ]);
    }
    table
}
