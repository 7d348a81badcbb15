use super::*;
use crate::ErrorKind;

fn circle(vertices: u32, bits: u32, direction: Direction) -> VertexBlooms {
    let spec = HashSpec::default();
    let degree = if direction == Direction::Directed { 1 } else { 2 };
    let degrees = (0..vertices).map(|vertex| (spec.hash(&vertex), degree));
    let mut graph = VertexBlooms::for_degrees(degrees, bits, direction, spec).unwrap();
    for vertex in 0..vertices {
        assert!(graph.add_edge(&vertex, &((vertex + 1) % vertices)).unwrap());
    }
    graph
}

#[test]
fn no_edge_is_lost_and_directions_are_kept() {
    for direction in [Direction::Directed, Direction::Undirected] {
        let graph = circle(200, 40, direction);
        for vertex in 0..200u32 {
            let next = (vertex + 1) % 200;
            assert!(graph.has_edge(&vertex, &next));
            assert_eq!(graph.has_edge(&next, &vertex), direction == Direction::Undirected);
            assert!(!graph.has_edge(&vertex, &((vertex + 2) % 200)));
        }
        assert_eq!(VertexBlooms::from_bytes(&graph.to_bytes()).unwrap(), graph);
    }
}

#[test]
fn unknown_vertices_are_refused() {
    let mut graph = circle(10, 10, Direction::Undirected);
    let before = graph.clone();
    for (from, to) in [(3u32, 10u32), (10, 3), (10, 11)] {
        assert_eq!(graph.add_edge(&from, &to).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert!(!graph.has_edge(&from, &to));
    }
    assert!(graph == before && graph.degree(&10u32).is_err());
    let spec = HashSpec::default();
    let make = |sizes: &[(u64, u64)], hashes| {
        VertexBlooms::with_sizes(sizes.iter().copied(), hashes, Direction::Directed, spec)
    };
    assert!(make(&[(1, 5), (1, 6)], 1).is_err() && make(&[(1, 5), (1, 5)], 1).is_ok());
    assert!(make(&[(1, 5)], 0).is_err() && make(&[(1, 5)], 65).is_err());
    assert!(make(&[(1, 1 << 39), (2, u64::MAX)], 1).is_err());
    for bits in [0, 65, u32::MAX] {
        assert!(VertexBlooms::for_degrees([(1, 1)], bits, Direction::Directed, spec).is_err(), "{bits}");
    }
    assert!(VertexBlooms::for_degrees([(1, u64::MAX)], 10, Direction::Directed, spec).is_err());
    let mut lonely = make(&[(1, 0)], 1).unwrap();
    assert!(lonely.add_edge_hash(1, 2).is_err() && !lonely.has_edge_hash(1, 2));
    assert_eq!(lonely.degree_hash(1).unwrap().upper(), 0.0);
}

#[test]
fn merging_asks_for_the_same_vertices_and_sizes() {
    let spec = HashSpec::default();
    let make = |sizes: &[(u64, u64)], hashes, direction, spec| {
        VertexBlooms::with_sizes(sizes.iter().copied(), hashes, direction, spec).unwrap()
    };
    let mut graph = make(&[(1, 20), (2, 30)], 3, Direction::Directed, spec);
    for other in [
        make(&[(1, 20), (2, 30)], 3, Direction::Undirected, spec),
        make(&[(1, 20), (2, 30)], 4, Direction::Directed, spec),
        make(&[(1, 30), (2, 20)], 3, Direction::Directed, spec),
        make(&[(1, 20), (3, 30)], 3, Direction::Directed, spec),
        make(&[(1, 20), (2, 30)], 3, Direction::Directed, HashSpec::seeded(1)),
    ] {
        assert_eq!(graph.merge(&other).unwrap_err().kind(), ErrorKind::Incompatible);
    }
    let mut other = graph.clone();
    other.add_edge_hash(2, 1).unwrap();
    graph.add_edge_hash(1, 2).unwrap();
    graph.merge(&other).unwrap();
    assert!(graph.has_edge_hash(1, 2) && graph.has_edge_hash(2, 1));
}

/// The figures in the documentation.
#[test]
fn rates_of_bits() {
    for (bits, hashes, rate) in [(5, 3, 0.0922), (10, 7, 0.00827), (20, 14, 0.000_068_2)] {
        assert_eq!(best_hashes(bits), hashes);
        let found = BloomParams::exact(100 * u64::from(bits), hashes).unwrap().fpr_at(100);
        assert!((found / rate - 1.0).abs() < 0.007, "{bits}: {found}");
    }
    assert_eq!(best_hashes(1), 1);
}
