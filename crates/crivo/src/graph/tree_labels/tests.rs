use super::*;
use crate::rng::Rng;
use crate::similarity::jaccard;
use alloc::collections::BTreeSet;

/// Lopes 2017, figure 37.
#[test]
fn subsets_of_eight() {
    let subsets: Vec<Vec<u32>> = (0..4).map(|choice| half_of(&[1, 2, 3, 4, 5, 6, 7, 8], choice)).collect();
    assert_eq!(subsets, [[1, 3, 5, 7], [1, 4, 5, 8], [1, 3, 6, 8], [1, 4, 6, 7]]);
}

/// A random tree with shuffled numbers whose vertices prefer parents with many children if `steep` is large.
fn tree(rng: &mut Rng, vertices: u32, steep: u64) -> Vec<Edge> {
    let mut names: Vec<u32> = (0..vertices).collect();
    for place in (1..names.len()).rev() {
        names.swap(place, rng.below(place as u64 + 1) as usize);
    }
    (1..vertices)
        .map(|vertex| {
            let parent = (0..steep).map(|_| rng.below(vertex.into())).min().unwrap_or(u64::from(vertex) - 1);
            (names[vertex as usize], names[parent as usize])
        })
        .collect()
}

/// Edges have J = 1/2 and a cosine of 1/√2, others at most 1/3 and 1/2. Paths, bushes and stars.
#[test]
fn edges_have_similarity_one_half_and_others_at_most_a_third() {
    let mut rng = Rng::new(9);
    let mut greatest = (0.0f64, 0.0f64);
    for (vertices, steep) in [(2, 1), (40, 0), (60, 1), (60, 1), (60, 2), (60, 3), (50, 8), (50, 40)] {
        let edges = tree(&mut rng, vertices, steep);
        let joined: BTreeSet<Edge> =
            edges.iter().flat_map(|&(one, other)| [(one, other), (other, one)]).collect();
        let sets = tree_sets(vertices, &edges, HashSpec::default()).unwrap();
        for one in 0..vertices {
            for other in 0..one {
                let (first, second) = (&sets[one as usize], &sets[other as usize]);
                let alike = jaccard(first, second);
                let common = alike * (first.len() + second.len()) as f64 / (1.0 + alike);
                let cosine = common / libm::sqrt((first.len() * second.len()) as f64);
                if joined.contains(&(one, other)) {
                    assert_eq!(alike, 0.5, "{one} and {other} of {edges:?}");
                    assert!((cosine - FRAC_1_SQRT_2).abs() < 1e-12);
                } else {
                    assert!(
                        alike <= 1.0 / 3.0 && cosine <= 0.5 + 1e-12,
                        "{one} and {other}: {alike}, {edges:?}"
                    );
                    greatest = (greatest.0.max(alike), greatest.1.max(cosine));
                }
            }
        }
    }
    assert_eq!(greatest.0, 1.0 / 3.0);
    assert!((greatest.1 - 0.5).abs() < 1e-12);
}

/// The sets of a star are small whichever vertex is its centre, and those of the trees of a forest are disjoint.
#[test]
fn the_better_colour_makes_the_choices() {
    let star: Vec<Edge> = (0..1000).filter(|&leaf| leaf != 500).map(|leaf| (leaf, 500)).collect();
    let sets = tree_sets(1000, &star, HashSpec::default()).unwrap();
    assert_eq!((sets[500].len(), sets[0].len(), sets[999].len()), (2, 4, 4));
    let sets = tree_sets(4, &[(0, 1)], HashSpec::default()).unwrap();
    assert_eq!(jaccard(&sets[2], &sets[3]) + jaccard(&sets[0], &sets[2]), 0.0);
    assert_eq!(sets.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2, 4, 4]);
}

/// A label is the signature of the set that `tree_sets` returns, in either scheme.
#[test]
fn labels_are_signatures_of_the_sets() {
    let mut rng = Rng::new(10);
    let edges = tree(&mut rng, 50, 2);
    let spec = HashSpec::seeded(3);
    let sets = tree_sets(50, &edges, spec).unwrap();
    let mut smallest = crate::MinHash::for_slots(70).unwrap().with_hash(spec);
    let mut signs = crate::SimHash::for_bits(64).unwrap().with_hash(spec);
    let by_bits = LabelParams::exact(LabelScheme::MinHash, 70, 2, 40).unwrap();
    let by_signs = LabelParams::exact(LabelScheme::SimHash, 64, 1, 45).unwrap();
    let by_bits = TreeLabels::freeze(50, &edges, by_bits, spec).unwrap();
    let by_signs = TreeLabels::freeze(50, &edges, by_signs, spec).unwrap();
    for (vertex, set) in (0..).zip(&sets) {
        smallest.clear();
        smallest.insert_hashes(set);
        let label = by_bits.label(vertex).unwrap();
        for (slot, &value) in smallest.slots().iter().enumerate() {
            let kept = label[slot / 32] >> (slot % 32 * 2) & 3;
            assert_eq!(kept, u64::from(crate::similarity::low_bits(slot, value, 2)));
        }
        signs.clear();
        signs.add_hashes(set);
        assert_eq!(by_signs.label(vertex).unwrap(), signs.signature());
    }
}

#[test]
fn graphs_with_cycles_are_refused() {
    let params = TreeLabels::params_for(LabelScheme::MinHash, 0.1, 0.1).unwrap();
    let freeze = |edges: &[Edge]| TreeLabels::freeze(3, edges, params, HashSpec::default());
    for bad in [&[(0, 1), (1, 2), (2, 0)][..], &[(0, 3)], &[(1, 1)]] {
        assert!(freeze(bad).is_err(), "{bad:?}");
    }
    let tree = freeze(&[(0, 1), (1, 0)]).unwrap();
    assert!(tree.has_edge(0, 3).is_err() && tree.label(3).is_err() && tree.neighbours(3).is_err());
    assert_eq!(tree.has_edge(1, 1), Ok(false));
    assert!(tree.fpr() <= 0.1 && tree.fnr() <= 0.1);
}

/// A label with a bit behind its last slot.
#[test]
fn files_of_longer_labels_are_refused() {
    let file = |label: u64| {
        let payload = label.to_le_bytes();
        let file =
            crate::codec::seal(Kind::TreeLabels, Some(&HashSpec::default()), &[1, 1, 5, 4, 3], &payload);
        TreeLabels::from_bytes(&file)
    };
    assert_eq!(file((1 << 20) - 1).unwrap().params().threshold(), 3);
    assert_eq!(file(1 << 20).unwrap_err().kind(), crate::ErrorKind::Malformed);
}

/// Edges in another order, reversed or repeated give the same graph.
#[test]
fn the_order_of_edges_does_not_matter() {
    let mut rng = Rng::new(11);
    let edges = tree(&mut rng, 60, 3);
    let mut others: Vec<Edge> = edges.iter().rev().map(|&(one, other)| (other, one)).collect();
    others.extend_from_slice(&edges[..20]);
    let spec = HashSpec::default();
    let params = LabelParams::exact(LabelScheme::MinHash, 50, 1, 35).unwrap();
    let labels = |edges: &[Edge]| TreeLabels::freeze(60, edges, params, spec).unwrap();
    assert_eq!(labels(&edges), labels(&others));
    let parents = |edges: &[Edge]| super::super::ParentTree::from_edges(60, edges).unwrap();
    assert_eq!(parents(&edges), parents(&others));
    let of_any = |edges: &[Edge]| {
        let sets = super::super::IntersectionSets::for_graph(60, edges, (1, 3)).unwrap();
        super::super::IntersectionLabels::freeze(60, edges, sets, params, spec).unwrap()
    };
    assert_eq!(of_any(&edges), of_any(&others));
}
