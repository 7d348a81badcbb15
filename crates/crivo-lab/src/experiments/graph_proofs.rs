//! Proofs that similarities can or cannot tell a graph, checked apart from the library that found them.

use std::collections::BTreeSet;

use crivo::graph::{Fraction, Refutation, Verdict, feasibility};

pub(super) type Edges = Vec<(u32, u32)>;

fn is_edge(edges: &Edges, one: u32, other: u32) -> bool {
    edges.contains(&(one, other)) || edges.contains(&(other, one))
}

/// Whether these sets, counted element by element, are as alike as they should be; none of them is empty.
pub(super) fn holds(edges: &Edges, not_edge: Fraction, edge: Fraction, sets: &[Vec<u64>]) -> bool {
    let sets: Vec<BTreeSet<&u64>> = sets.iter().map(|set| set.iter().collect()).collect();
    let vertices = sets.len() as u32;
    let mut pairs = (0..vertices).flat_map(|other| (0..other).map(move |one| (one, other)));
    let is_right = |(one, other): (u32, u32)| {
        let (first, second) = (&sets[one as usize], &sets[other as usize]);
        let (common, all) = (first.intersection(second).count() as u64, first.union(second).count() as u64);
        let against = |(x, y): Fraction| (common * u64::from(y), all * u64::from(x));
        if is_edge(edges, one, other) {
            let (ours, least) = against(edge);
            ours >= least
        } else {
            let (ours, most) = against(not_edge);
            ours <= most
        }
    };
    pairs.all(is_right) && sets.iter().all(|set| !set.is_empty())
}

/// Whether these weights refute: each demand is that a sum over the elements is 0 at most, and with the weights each element of
/// any region adds at least as much as its sets weigh. So no set that weighs something has an element.
fn refutes(vertices: u32, edges: &Edges, not_edge: Fraction, edge: Fraction, why: &Refutation) -> bool {
    let adds = |region: u32| -> i128 {
        let of_pair = |&((one, other), weight): &((u32, u32), u64)| {
            let inside = (region >> one & 1) + (region >> other & 1);
            let joined = is_edge(edges, one, other);
            let (x, y) = if joined { edge } else { not_edge };
            let (x, y) = (i128::from(x), i128::from(y));
            // y·common − x·union is 0 at most without an edge, and 0 at least with one.
            let added = match inside {
                0 => 0,
                1 => -x,
                _ => y - x,
            };
            i128::from(weight) * if joined { -added } else { added }
        };
        why.pairs().iter().map(of_pair).sum()
    };
    let weighs = |region: u32| -> i128 {
        let inside = (0..vertices).zip(why.vertices()).filter(|(vertex, _)| region >> vertex & 1 == 1);
        inside.map(|(_, &weight)| i128::from(weight)).sum()
    };
    (1..1u32 << vertices).all(|region| adds(region) >= weighs(region))
        && why.vertices().iter().any(|&weight| weight > 0)
}

/// The most vertices of one side that are all joined to as many of the other: the side of the largest complete bipartite graph inside. The first
/// `left` vertices are one side.
pub(super) fn largest_complete(vertices: u32, left: u32, edges: &Edges) -> u32 {
    let of_subset = |subset: u32| {
        let is_joined_to_all =
            |other: &u32| (0..left).all(|one| subset >> one & 1 == 0 || is_edge(edges, one, *other));
        subset.count_ones().min((left..vertices).filter(is_joined_to_all).count() as u32)
    };
    (0..1u32 << left).map(of_subset).max().unwrap_or(0)
}

/// A proof that was checked here too.
pub(super) enum Proof {
    /// Sets of this size.
    Sets { elements: u64 },
    /// Weights of the demands, so much in all.
    Refutation { weights: u64 },
}

/// What proves that these similarities can or cannot tell the graph; none if the library has none, or one that does not hold.
pub(super) fn proof(vertices: u32, edges: &Edges, (not_edge, edge): (Fraction, Fraction)) -> Option<Proof> {
    match feasibility(vertices, edges, not_edge, edge).ok()? {
        Verdict::Feasible(sizes) => {
            holds(edges, not_edge, edge, &sizes.sets()).then(|| Proof::Sets { elements: sizes.total() })
        }
        Verdict::Infeasible(why) => {
            let weights = why.pairs().iter().map(|pair| pair.1).sum();
            refutes(vertices, edges, not_edge, edge, &why).then_some(Proof::Refutation { weights })
        }
    }
}

/// Whether these similarities can tell the graph, if that is proven.
pub(super) fn proven(vertices: u32, edges: &Edges, similarities: (Fraction, Fraction)) -> Option<bool> {
    proof(vertices, edges, similarities).map(|proof| matches!(proof, Proof::Sets { .. }))
}

/// A fraction as it is read.
pub(super) fn text((x, y): Fraction) -> String {
    if y == 1 { x.to_string() } else { format!("{x}/{y}") }
}

pub(super) fn share((x, y): Fraction) -> f64 {
    f64::from(x) / f64::from(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square() {
        let square = vec![(0, 2), (0, 3), (1, 2), (1, 3)];
        assert_eq!(largest_complete(4, 2, &square), 2);
        assert_eq!(largest_complete(4, 2, &square[1..].to_vec()), 1);
        // An element for each edge.
        let sets = [vec![1, 2], vec![3, 4], vec![1, 3], vec![2, 4]];
        assert!(holds(&square, (0, 1), (1, 3), &sets));
        assert!(!holds(&square, (0, 1), (2, 5), &sets));
        let Ok(crivo::graph::Verdict::Infeasible(why)) =
            crivo::graph::feasibility(4, &square, (0, 1), (2, 5))
        else {
            panic!("it is infeasible");
        };
        assert!(refutes(4, &square, (0, 1), (2, 5), &why));
        assert!(!refutes(4, &square, (0, 1), (1, 3), &why));
    }
}
