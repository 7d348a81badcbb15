use super::*;
use crate::rng::Rng;
use crate::similarity::jaccard;
use alloc::collections::BTreeSet;

/// The sets represent the graph, for many δ: edges have the similarity (a+1)/(a+2b−1).
#[test]
fn similarities_of_sets_represent_the_edges() {
    let mut rng = Rng::new(6);
    for (x, y) in [(0, 1), (0, 7), (1, 2), (1, 3), (2, 3), (3, 10), (2, 7), (9, 10), (4, 8)] {
        let edges: Vec<Edge> = (0..40)
            .map(|_| (rng.below(15) as u32, rng.below(15) as u32))
            .filter(|(one, other)| one != other)
            .collect();
        let joined: BTreeSet<Edge> = incidences(15, &edges).unwrap().into_iter().collect();
        let sizes = IntersectionSets::for_graph(15, &edges, (x, y)).unwrap();
        let (a, b) = (sizes.common(), sizes.own());
        assert_eq!(u64::from(a) * u64::from(y), u64::from(x) * u64::from(a + 2 * b), "{x}/{y}: {sizes:?}");
        let sets = intersection_sets(15, &edges, sizes, HashSpec::default()).unwrap();
        for one in 0..15u32 {
            assert_eq!(sets[one as usize].len(), (a + b) as usize);
            for other in 0..one {
                let alike = jaccard(&sets[one as usize], &sets[other as usize]);
                let is_edge = joined.contains(&(one, other));
                assert_eq!(alike, if is_edge { sizes.edge() } else { sizes.not_edge() }, "{x}/{y}");
                assert!(is_edge == (alike > f64::from(x) / f64::from(y)), "{x}/{y}");
            }
        }
    }
}

#[test]
fn own_elements_are_the_fewest_that_make_common_ones_whole() {
    for (delta, degree, sizes) in [
        ((1, 2), 3, (6, 3)),
        ((1, 3), 3, (3, 3)),
        ((1, 4), 4, (4, 6)),
        ((2, 3), 5, (20, 5)),
        ((0, 1), 5, (0, 5)),
        ((1, 2), 0, (2, 1)),
        ((3, 10), 8, (12, 14)),
    ] {
        let sets = IntersectionSets::new(delta, degree).unwrap();
        assert_eq!((sets.common(), sets.own()), sizes, "{delta:?}");
    }
    for bad in [(1, 1), (2, 1), (0, 0), (u32::MAX - 1, u32::MAX)] {
        assert!(IntersectionSets::new(bad, 3).is_err(), "{bad:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let sets = IntersectionSets::new((0, 1), 1).unwrap();
    let params = sets.params_for(LabelScheme::MinHash, 0.01, 0.01).unwrap();
    let freeze = |edges: &[Edge]| IntersectionLabels::freeze(3, edges, sets, params, HashSpec::default());
    for bad in [&[(0, 1), (1, 2)][..], &[(0, 3)], &[(2, 2)]] {
        assert!(freeze(bad).is_err(), "{bad:?}");
    }
    let graph = freeze(&[(0, 1), (1, 0)]).unwrap();
    assert_eq!((graph.has_edge(0, 1), graph.has_edge(1, 1)), (Ok(true), Ok(false)));
    assert!(graph.has_edge(0, 3).is_err());
}

/// Signs separate as well as bits: the cosine of sets of equal size is the share in common.
#[test]
fn signs_have_their_own_similarities() {
    let sets = IntersectionSets::new((1, 2), 3).unwrap();
    assert_eq!(sets.similarities(LabelScheme::SimHash), (6.0 / 9.0, 7.0 / 9.0));
    let params = sets.params_for(LabelScheme::SimHash, 0.01, 0.01).unwrap();
    assert!(params.fpr(6.0 / 9.0) <= 0.01 && params.fnr(7.0 / 9.0) <= 0.01);
}
