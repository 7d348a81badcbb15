//! Graphs whose vertices are on two sides.

use crivo::baseline::AdjacencyList;
use crivo::graph::{Edge, Sides};

/// Puts each vertex on a side, such that the edges within the sides follow a rule: there are none (bipartite), all of
/// one side and none of the other (split), or all of both (co-bipartite). `None` if no rule fits.
pub(super) fn sides(graph: &AdjacencyList) -> Option<(Sides, Vec<bool>)> {
    let neighbours = |vertex: u32| graph.neighbours(vertex).into_iter().flatten();
    if let Some(sides) = two_colours(graph.vertices(), neighbours) {
        return Some((Sides::Bipartite, sides));
    }
    if let Some(sides) = clique_and_rest(graph) {
        return Some((Sides::Split, sides));
    }
    // Two cliques of n vertices have at least n²/4 − n/2 edges, so that the time is linear in the edges.
    let vertices = u64::from(graph.vertices());
    if 4 * graph.edges() + 2 * vertices < vertices * vertices {
        return None;
    }
    let others = |vertex: u32| {
        let mut is_joined = vec![false; graph.vertices() as usize];
        neighbours(vertex).chain([vertex]).for_each(|other| is_joined[other as usize] = true);
        (0..graph.vertices()).filter(move |&other| !is_joined[other as usize])
    };
    two_colours(graph.vertices(), others).map(|sides| (Sides::CoBipartite, sides))
}

/// The edges between the sides, each once.
pub(super) fn between(graph: &AdjacencyList, sides: &[bool]) -> Vec<Edge> {
    let from = |one: u32| graph.neighbours(one).into_iter().flatten().map(move |other| (one, other));
    let is_between = |&(one, other): &Edge| one < other && sides[one as usize] != sides[other as usize];
    (0..graph.vertices()).flat_map(from).filter(is_between).collect()
}

/// Two colours such that neighbours have distinct ones, if there are.
fn two_colours<I: Iterator<Item = u32>>(vertices: u32, neighbours: impl Fn(u32) -> I) -> Option<Vec<bool>> {
    let mut colours = vec![None; vertices as usize];
    let mut reached = Vec::new();
    for start in 0..vertices {
        if colours[start as usize].is_none() {
            colours[start as usize] = Some(false);
            reached.push(start);
        }
        while let Some(vertex) = reached.pop() {
            let colour = !colours[vertex as usize].unwrap_or_default();
            for other in neighbours(vertex) {
                match colours[other as usize] {
                    None => reached.push(other),
                    Some(old) if old == colour => {}
                    Some(_) => return None,
                }
                colours[other as usize] = Some(colour);
            }
        }
    }
    Some(colours.into_iter().map(Option::unwrap_or_default).collect())
}

/// The clique of a split graph, which the degrees determine (Hammer and Simeone 1981): the m vertices of the greatest
/// degrees, where the degree of the m-th is at least m − 1 and m is as large as possible. The graph is split if and only
/// if their degrees add up to m(m − 1) and the degrees of all others.
fn clique_and_rest(graph: &AdjacencyList) -> Option<Vec<bool>> {
    let mut by_degree: Vec<(u64, u32)> = (0..graph.vertices())
        .map(|vertex| (graph.neighbours(vertex).into_iter().flatten().count() as u64, vertex))
        .collect();
    by_degree.sort_unstable_by(|one, other| other.cmp(one));
    let clique = (0..).zip(&by_degree).take_while(|(place, (degree, _))| degree >= place).count();
    let sum = |part: &[(u64, u32)]| part.iter().map(|(degree, _)| degree).sum::<u64>();
    let (first, rest) = by_degree.split_at(clique);
    let clique = clique as u64;
    (sum(first) == clique * clique.saturating_sub(1) + sum(rest)).then(|| {
        let mut sides = vec![false; by_degree.len()];
        for &(_, vertex) in first {
            sides[vertex as usize] = true;
        }
        sides
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::graph::Direction;

    fn found(vertices: u32, edges: &[Edge]) -> Option<(&'static str, Vec<bool>)> {
        let graph = AdjacencyList::freeze(vertices, Direction::Undirected, edges).unwrap();
        sides(&graph).map(|(class, sides)| (class.name(), sides))
    }

    #[test]
    fn each_class_is_recognised() {
        assert_eq!(
            found(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]),
            Some(("bipartite", vec![false, true, false, true]))
        );
        // A triangle with a leaf at each of two corners.
        let split = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4)];
        assert_eq!(found(5, &split), Some(("split", vec![true, true, true, false, false])));
        // Two triangles, with two edges between them.
        let two = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4)];
        let (class, sides) = found(6, &two).unwrap();
        assert_eq!(
            (class, sides[..3].iter().all(|&it| it == sides[0]), sides[3] != sides[0]),
            ("co-bipartite", true, true)
        );
        // A cycle of five is none of them, and neither are two of its kind.
        assert_eq!(found(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]), None);
    }

    /// Against the definition, on all graphs of five vertices.
    #[test]
    fn all_small_graphs_are_judged_as_the_definition_says() {
        const VERTICES: u32 = 5;
        let pairs: Vec<Edge> =
            (0..VERTICES).flat_map(|one| (0..one).map(move |other| (one, other))).collect();
        for graph in 0..1u32 << pairs.len() {
            let is_edge = |place: usize| graph >> place & 1 == 1;
            let edges: Vec<Edge> =
                (0..pairs.len()).filter(|&place| is_edge(place)).map(|place| pairs[place]).collect();
            let obeys = |within: [bool; 2], sides: u32| {
                pairs.iter().enumerate().all(|(place, &(one, other))| {
                    let side = |vertex: u32| sides >> vertex & 1;
                    side(one) != side(other) || is_edge(place) == within[side(one) as usize]
                })
            };
            let classes =
                [("bipartite", [false, false]), ("split", [false, true]), ("co-bipartite", [true, true])];
            let any = |within| (0..1u32 << VERTICES).any(|sides| obeys(within, sides));
            let expected = classes.into_iter().find(|&(_, within)| any(within));
            let found = found(VERTICES, &edges);
            assert_eq!(
                found.as_ref().map(|(class, _)| *class),
                expected.map(|(class, _)| class),
                "{edges:?}"
            );
            if let (Some((_, sides)), Some((_, within))) = (found, expected) {
                let sides = (0..).zip(sides).fold(0, |bits, (vertex, side)| bits | u32::from(side) << vertex);
                assert!(obeys(within, sides), "{edges:?}: {sides:b}");
            }
        }
    }
}
