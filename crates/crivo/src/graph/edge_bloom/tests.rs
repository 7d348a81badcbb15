use super::*;
use crate::ErrorKind;

#[test]
fn directions_are_distinguished() {
    for direction in [Direction::Directed, Direction::Undirected] {
        let mut graph = EdgeBloom::for_fpr(100, 1e-6, direction).unwrap();
        assert!(graph.add_edge("a", &1u32));
        assert!(graph.has_edge("a", &1u32) && !graph.has_edge("a", &2u32));
        assert_eq!(graph.has_edge(&1u32, "a"), direction == Direction::Undirected);
        assert_eq!(graph.add_edge(&1u32, "a"), direction == Direction::Directed);
    }
    let mut one = EdgeBloom::for_fpr(10, 0.1, Direction::Directed).unwrap();
    let other = EdgeBloom::for_fpr(10, 0.1, Direction::Undirected).unwrap();
    assert_eq!(one.merge(&other).unwrap_err().kind(), ErrorKind::Incompatible);
    assert_eq!(one.triangles(&[]).unwrap_err().kind(), ErrorKind::Unsupported);
}

/// The rates in the documentation.
#[test]
fn rates_of_bits() {
    for (bits, rate) in [(5, 0.092), (10, 0.0082), (20, 0.000_067)] {
        let params = EdgeBloom::params_for_bits(bits, 1_000_000).unwrap();
        let found = params.fpr_at(1_000_000);
        assert!((found / rate - 1.0).abs() < 0.006, "{bits}: {found}");
        assert!(params.memory_bytes() <= u64::from(bits) * 125_000);
    }
    for (bits, edges) in [(0, 10), (10, 0), (u32::MAX, u64::MAX), (10, 1 << 40)] {
        assert!(EdgeBloom::params_for_bits(bits, edges).is_err(), "{bits} {edges}");
    }
}

/// A filter of one bit is full: nothing is known, and only bounds are reported.
#[test]
fn a_full_filter_knows_only_bounds() {
    let mut graph = EdgeBloom::with_params(BloomParams::exact(1, 1).unwrap(), Direction::Undirected);
    let vertices: Vec<u64> = (0..20u32).map(|vertex| graph.hash_spec().hash(&vertex)).collect();
    let none = graph.degree(&0u32, &vertices);
    assert_eq!((none.value(), none.lower(), none.upper()), (0.0, 0.0, 0.0));
    assert_eq!(graph.spurious_edges(20).upper(), 0.0);
    graph.add_edge(&0u32, &1u32);
    let degree = graph.degree(&0u32, &vertices);
    assert_eq!((degree.lower(), degree.upper()), (0.0, 20.0));
    assert!(graph.triangles(&vertices).unwrap().contains(0.0));
    assert!(graph.common_neighbours(&0u32, &1u32, &vertices).contains(0.0));
    assert!(graph.spurious_edges(20).contains(189.0));
    assert!(graph.spurious_edges(u64::MAX).upper() > 1e18);
}

#[test]
fn batches_are_the_single_answers() {
    let mut graph = EdgeBloom::for_fpr(500, 0.1, Direction::Directed).unwrap();
    let mut twin = graph.clone();
    let edges: Vec<(u64, u64)> = (0..500).map(|i| (i * i, 77 * i + 1)).collect();
    graph.add_edge_hashes(&edges);
    for &(from, to) in &edges {
        twin.add_edge_hash(from, to);
    }
    assert!(graph == twin);
    let pairs: Vec<(u64, u64)> = (0..3000).map(|i| (i * i, 77 * i + i % 3)).collect();
    let single: Vec<bool> = pairs.iter().map(|&(from, to)| graph.has_edge_hash(from, to)).collect();
    assert_eq!(graph.has_edge_hashes(&pairs), single);
}
