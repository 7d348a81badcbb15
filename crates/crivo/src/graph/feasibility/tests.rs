use super::*;

/// Each vertex of one side is adjacent to each of the other.
fn complete_bipartite(side: u32) -> Vec<Edge> {
    (0..side).flat_map(|one| (side..2 * side).map(move |other| (one, other))).collect()
}

fn verdict(vertices: u32, edges: &[Edge], not_edge: Fraction, edge: Fraction) -> bool {
    match feasibility(vertices, edges, not_edge, edge).unwrap() {
        Verdict::Feasible(sizes) => {
            for other in 0..vertices {
                for one in 0..other {
                    let (common, all) = sizes.similarity(one, other);
                    let is_edge = edges.contains(&(one, other)) || edges.contains(&(other, one));
                    let (x, y) = if is_edge { edge } else { not_edge };
                    let (ours, limit) = (common * u64::from(y), all * u64::from(x));
                    assert!(all > 0 && if is_edge { ours >= limit } else { ours <= limit });
                    let sets = sizes.sets();
                    let alike = crate::similarity::jaccard(&sets[one as usize], &sets[other as usize]);
                    assert_eq!(alike, common as f64 / all as f64);
                }
            }
            true
        }
        Verdict::Infeasible(refutation) => {
            assert!(!refutation.pairs().is_empty() && refutation.vertices().len() == vertices as usize);
            false
        }
    }
}

/// The four verdicts of Lopes 2017, section 3.4.3, the third of them tight.
#[test]
fn known_verdicts() {
    let path = [(0, 1), (1, 2)];
    assert!(verdict(3, &path, (4, 10), (6, 10)));
    assert!(!verdict(6, &complete_bipartite(3), (4, 10), (6, 10)));
    assert!(verdict(6, &complete_bipartite(3), (1, 3), (1, 2)));
    assert!(!verdict(8, &complete_bipartite(4), (1, 3), (1, 2)));
    // The third is as tight as the solver can distinguish.
    assert!(!verdict(6, &complete_bipartite(3), (3333, 10_000), (1, 2)));
    assert!(!verdict(6, &complete_bipartite(3), (1, 3), (5001, 10_000)));
}

/// The sets that Lopes 2017 prints for the path.
#[test]
fn printed_sets_obey() {
    let demands = Demands::new(3, &[(0, 1), (1, 2)], (4, 10), (6, 10)).unwrap();
    // {1,3}, {1,2,3}, {2,3}: the element 1 is in A and B, 2 in B and C, 3 in all.
    let mut sizes = [0; 7];
    for region in [0b011, 0b110, 0b111] {
        sizes[region - 1] = 1;
    }
    assert!(demands.are_sizes(&sizes));
    let sets = SetSizes::new(3, &sizes).sets();
    assert_eq!(sets.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3, 2]);
    sizes[0b101 - 1] = 1;
    assert!(!demands.are_sizes(&sizes));
}

#[test]
fn proofs_are_checked() {
    let demands = Demands::new(2, &[(0, 1)], (0, 1), (1, 2)).unwrap();
    assert!(
        !demands.are_sizes(&[0, 0, 0]) && !demands.are_sizes(&[1, 1, 0]) && demands.are_sizes(&[1, 0, 1])
    );
    assert!(!demands.refutes(&[1, 0, 0]) && !demands.refutes(&[1, 1, 0]));
    // A path cannot have sets of which two equal a third, but not each other.
    assert!(!verdict(3, &[(0, 1), (1, 2)], (1, 2), (1, 1)));
    assert!(verdict(3, &[(0, 1), (1, 2)], (1, 1), (1, 1)));
}

/// The figures in the documentation for K₂,₂, K₃,₃ and K₄,₄.
#[test]
fn widest_gaps_of_complete_bipartite_graphs() {
    for (side, denominator) in [(2, 30), (3, 20), (4, 8)] {
        let (not_edge, edge, _) = widest_gap(2 * side, &complete_bipartite(side), denominator).unwrap();
        assert_eq!((not_edge, edge), ((0, 1), (1, 2 * side - 1)));
    }
    let star: Vec<Edge> = (1..5).map(|leaf| (0, leaf)).collect();
    let (not_edge, edge, sizes) = widest_gap(5, &star, 20).unwrap();
    assert_eq!((not_edge, edge), ((1, 5), (1, 2)));
    assert_eq!(sizes.sets().len(), 5);
}

/// The exact limit of complete bipartite graphs is feasible, and nothing above it.
#[test]
fn the_limit_of_complete_bipartite_graphs() {
    for (side, not_edges) in
        [(1, &[(0, 1), (1, 2)][..]), (2, &[(0, 1), (1, 7), (1, 2), (1, 1)]), (3, &[(0, 1), (2, 5), (9, 10)])]
    {
        for &not_edge in not_edges {
            let (x, y) = complete_bipartite_edge(side, not_edge).unwrap();
            let edges = complete_bipartite(side);
            assert!(verdict(2 * side, &edges, not_edge, (x, y)), "{side} {not_edge:?}");
            let finer = MAX_DENOMINATOR / y;
            let above = (x * finer + 1, y * finer);
            assert!(x == y || !verdict(2 * side, &edges, not_edge, above), "{side} {not_edge:?}");
        }
    }
    assert!(complete_bipartite_edge(0, (0, 1)).is_err() && complete_bipartite_edge(2, (2, 1)).is_err());
    assert_eq!(complete_bipartite_edge(100_000, (0, 1)), Ok((1, 199_999)));
}

#[test]
fn fractions_are_those_of_farey() {
    assert_eq!(shares(1).unwrap(), [(0, 1), (1, 1)]);
    assert_eq!(shares(3).unwrap(), [(0, 1), (1, 3), (1, 2), (2, 3), (1, 1)]);
    assert_eq!(shares(30).unwrap().len(), 279);
    assert!(shares(0).is_err() && shares(201).is_err());
}

#[test]
fn bad_demands_are_refused() {
    let bad: [(u32, &[Edge], Fraction, Fraction); 6] = [
        (0, &[], (1, 3), (1, 2)),
        (11, &[], (1, 3), (1, 2)),
        (3, &[(0, 3)], (1, 3), (1, 2)),
        (3, &[(1, 1)], (1, 3), (1, 2)),
        (3, &[], (4, 3), (1, 2)),
        (3, &[], (1, 3), (0, 0)),
    ];
    for (vertices, edges, not_edge, edge) in bad {
        assert!(feasibility(vertices, edges, not_edge, edge).is_err(), "{vertices} {edges:?}");
    }
}

fn fewest_of(vertices: u32, edges: &[Edge], not_edge: Fraction, edge: Fraction) -> FewestElements {
    let Verdict::Feasible(found) = feasibility(vertices, edges, not_edge, edge).unwrap() else {
        panic!("infeasible")
    };
    fewest_elements(vertices, edges, not_edge, edge, &found).unwrap()
}

/// The path of Lopes 2017, section 3.4.3, needs the three elements that it prints; other graphs and their limits.
#[test]
fn the_fewest_elements() {
    let path = |vertices: u32| (1..vertices).map(|vertex| (vertex - 1, vertex)).collect::<Vec<Edge>>();
    let cases: [(u32, Vec<Edge>, Fraction, Fraction, u64); 6] = [
        (3, path(3), (4, 10), (6, 10), 3),
        (4, path(4), (0, 1), (12, 29), 41),
        (4, complete_bipartite(2), (1, 3), (3, 5), 6),
        (5, (1..5).map(|leaf| (0, leaf)).collect(), (1, 5), (1, 2), 6),
        // An element for each edge.
        (6, complete_bipartite(3), (0, 1), (1, 5), 9),
        (6, complete_bipartite(3), (1, 3), (1, 2), 9),
    ];
    for (vertices, edges, not_edge, edge, expected) in cases {
        let fewest = fewest_of(vertices, &edges, not_edge, edge);
        assert_eq!((fewest.sets().total(), fewest.at_least()), (expected, expected), "{edges:?}");
        assert!(fewest.is_proven() && fewest.sets().sets().len() == vertices as usize);
    }
    let printed = fewest_of(3, &path(3), (4, 10), (6, 10));
    // The elements of A and B, of B and C, and of all: {1,3}, {1,2,3} and {2,3}, apart from the order.
    assert_eq!(printed.sets().regions(), [(0b011, 1), (0b110, 1), (0b111, 1)]);
}

/// A search that takes too long returns the known sets and a true bound.
#[test]
fn a_long_search_ends() {
    let edges = complete_bipartite(4);
    let fewest = fewest_of(8, &edges, (1, 3), (5, 11));
    assert!(!fewest.is_proven() && fewest.at_least() > 8 && fewest.at_least() < fewest.sets().total());
}

#[test]
fn sets_of_another_graph_are_refused() {
    let Verdict::Feasible(found) = feasibility(2, &[], (0, 1), (1, 2)).unwrap() else { panic!("infeasible") };
    assert!(fewest_elements(2, &[(0, 1)], (0, 1), (1, 2), &found).is_err());
    assert!(fewest_elements(3, &[], (0, 1), (1, 2), &found).is_err());
}
