//! Maps and graphs.

use super::{BAD_SHARES, TOO_LARGE_SHARES, assert_refused};
use crivo::baseline::{AdjacencyList, AdjacencyMatrix};
use crivo::graph::{
    BipartiteLabels, Direction, EdgeBloom, IntersectionLabels, IntersectionSets, IntervalGraph, KmerSet,
    LabelParams, LabelScheme, ParentTree, Sides, TreeLabels, VertexBlooms, double_cover, kmers,
};
use crivo::graph::{DeBruijnParams, Kmer};
use crivo::valued::BloomierParams;
use crivo::{BloomFilter, BloomParams, BloomierFilter, HashSpec};

#[test]
fn maps_and_graphs() {
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        let value = bad.to_string();
        assert_refused("BloomierParams::for_fpr", &value, || BloomierParams::for_fpr(8, 1000, bad));
        let pairs = || (0..1000u32).map(|key| (key, 1));
        assert_refused("BloomierFilter::freeze", &value, || BloomierFilter::freeze(pairs(), 8, bad));
        assert_refused("EdgeBloom::for_fpr", &value, || EdgeBloom::for_fpr(9, bad, Direction::Directed));
    }
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        let (direction, spec) = (Direction::Directed, HashSpec::default());
        assert_refused("BloomierParams::exact", &value, || BloomierParams::exact(bad, 8));
        assert_refused("VertexBlooms::for_degrees", &value, || {
            VertexBlooms::for_degrees([(1, 1)], bad, direction, spec)
        });
        assert_refused("VertexBlooms::with_sizes", &value, || {
            VertexBlooms::with_sizes([(1, 1)], bad, direction, spec)
        });
    }
    for bad in [33, 64, u32::MAX] {
        assert_refused("BloomierParams::exact", &bad.to_string(), || BloomierParams::exact(8, bad));
    }
    for bad in [1 << 32, 1 << 40, u64::MAX] {
        let (value, params) = (bad.to_string(), BloomierParams::exact(8, 8).unwrap());
        assert_refused("BloomierParams::memory_bytes", &value, || params.memory_bytes(bad));
    }
    let (params, spec) = (BloomierParams::exact(7, 8).unwrap(), HashSpec::default());
    assert_refused("freeze_hashes", "128", || BloomierFilter::freeze_hashes([(1, 128)], params, spec));
    assert_refused("freeze_hashes", "5", || BloomierFilter::freeze_hashes([(1, 5), (1, 6)], params, spec));
    assert_refused("params_for_bits", "0", || EdgeBloom::params_for_bits(0, 10));
    assert_refused("params_for_bits", "0", || EdgeBloom::params_for_bits(10, 0));
    assert_refused("params_for_bits", "1099511627776", || EdgeBloom::params_for_bits(8, 1 << 40));
    assert_refused("with_sizes", "1099511627776", || {
        VertexBlooms::with_sizes([(1, 1 << 40), (2, 1)], 3, Direction::Directed, spec)
    });
}

#[test]
fn graphs_of_kmers() {
    let filter = BloomParams::exact(1000, 4).unwrap();
    for bad in [0, 64, u32::MAX] {
        let value = bad.to_string();
        assert_refused("DeBruijnParams::for_fpr", &value, || DeBruijnParams::for_fpr(bad, 1000, 0.01));
        assert_refused("DeBruijnParams::for_bits", &value, || DeBruijnParams::for_bits(bad, 1000, 6.0));
        assert_refused("DeBruijnParams::exact", &value, || DeBruijnParams::exact(bad, filter));
        assert_refused("KmerSet::new", &value, || KmerSet::new(bad));
        assert_refused("kmers", &value, || kmers(b"ACGT", bad));
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-4, 1e300] {
        assert_refused("DeBruijnParams::for_bits", &bad.to_string(), || {
            DeBruijnParams::for_bits(31, 1000, bad)
        });
    }
    for bad in BAD_SHARES.into_iter().chain(TOO_LARGE_SHARES) {
        assert_refused("DeBruijnParams::for_fpr", &bad.to_string(), || {
            DeBruijnParams::for_fpr(31, 1000, bad)
        });
    }
    for bad in [0, u64::MAX] {
        assert_refused("DeBruijnParams::for_bits", &bad.to_string(), || {
            DeBruijnParams::for_bits(31, bad, 6.0)
        });
        assert_refused("DeBruijnParams::for_fpr", &bad.to_string(), || {
            DeBruijnParams::for_fpr(31, bad, 0.01)
        });
    }
    let folded = BloomFilter::with_params(BloomParams::exact(1003, 4).unwrap()).fold().unwrap().params();
    assert_refused("DeBruijnParams::exact", "folded", || DeBruijnParams::exact(31, folded));
    assert_refused("Kmer::from_bases", "'N'", || Kmer::from_bases(b"ACNT"));
    assert_refused("Kmer::from_bases", "64", || Kmer::from_bases(&[b'A'; 64]));
}

#[test]
fn numbered_graphs() {
    let (directed, undirected) = (Direction::Directed, Direction::Undirected);
    for bad in [2_000_000, u32::MAX] {
        let value = bad.to_string();
        assert_refused("AdjacencyMatrix::for_vertices", &value, || {
            AdjacencyMatrix::for_vertices(bad, undirected)
        });
        assert_refused("AdjacencyMatrix::for_vertices", &value, || {
            AdjacencyMatrix::for_vertices(bad, directed)
        });
    }
    for bad in [5, u32::MAX] {
        let value = bad.to_string();
        assert_refused("AdjacencyList::freeze", &value, || AdjacencyList::freeze(5, directed, &[(0, bad)]));
        assert_refused("ParentTree::freeze", &value, || {
            ParentTree::freeze(&[None, Some(bad), None, None, None])
        });
        assert_refused("ParentTree::from_edges", &value, || ParentTree::from_edges(5, &[(bad, 0)]));
        assert_refused("double_cover", &value, || double_cover(5, &[(bad, 0)]));
    }
    assert_refused("double_cover", "2147483648", || double_cover(1 << 31, &[]));
    assert_refused("ParentTree::from_edges", "2", || ParentTree::from_edges(3, &[(0, 1), (1, 2), (0, 2)]));
    assert_refused("IntervalGraph::freeze", "NaN", || IntervalGraph::freeze(&[(0.0, f64::NAN)]));
    assert_refused("IntervalGraph::freeze", "1 to 0", || IntervalGraph::freeze(&[(1.0, 0.0)]));
}

#[test]
fn labels() {
    let (bits, signs, spec) = (LabelScheme::MinHash, LabelScheme::SimHash, HashSpec::default());
    for bad in [0, 65_537, u32::MAX] {
        assert_refused("LabelParams::exact", &bad.to_string(), || LabelParams::exact(bits, bad, 1, 1));
    }
    for bad in [0, 3, 32, u32::MAX] {
        assert_refused("LabelParams::exact", &bad.to_string(), || LabelParams::exact(bits, 64, bad, 1));
    }
    assert_refused("LabelParams::exact", "2", || LabelParams::exact(signs, 64, 2, 1));
    for bad in [0, 65, u32::MAX] {
        assert_refused("LabelParams::exact", &bad.to_string(), || LabelParams::exact(bits, 64, 1, bad));
    }
    let sets = IntersectionSets::new((1, 2), 3).unwrap();
    let (sides, edges) = ([false, true], [(0, 1)]);
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1.0, 1.5] {
        let value = bad.to_string();
        assert_refused("TreeLabels::params_for", &value, || TreeLabels::params_for(bits, bad, 0.1));
        assert_refused("TreeLabels::params_for", &value, || TreeLabels::params_for(signs, 0.1, bad));
        assert_refused("IntersectionSets::params_for", &value, || sets.params_for(bits, bad, 0.1));
        assert_refused("BipartiteLabels::params_for", &value, || {
            BipartiteLabels::params_for(&sides, &edges, 0.1, bad)
        });
    }
    for bad in [-0.1, f64::NAN, 1.1] {
        let value = bad.to_string();
        assert_refused("LabelParams::for_rates", &value, || {
            LabelParams::for_rates(bits, (bad, 0.1), (0.5, 0.1))
        });
        assert_refused("LabelParams::for_rates", &value, || {
            LabelParams::for_rates(bits, (0.3, 0.1), (bad, 0.1))
        });
    }
    // Similarities that no label separates.
    assert_refused("LabelParams::for_rates", "0.5", || LabelParams::for_rates(bits, (0.5, 0.1), (0.5, 0.1)));
    assert_refused("LabelParams::for_rates", "0.5001", || {
        LabelParams::for_rates(bits, (0.5, 0.1), (0.5001, 0.1))
    });
    assert_refused("IntersectionSets::new", "2/2", || IntersectionSets::new((2, 2), 3));
    assert_refused("IntersectionSets::new", "1/0", || IntersectionSets::new((1, 0), 3));
    assert_refused("IntersectionSets::new", "16777217", || IntersectionSets::new((1, 3), (1 << 24) + 1));
    let params = LabelParams::exact(bits, 8, 1, 5).unwrap();
    for bad in [7, u32::MAX] {
        let (value, edges) = (bad.to_string(), [(0, bad)]);
        assert_refused("TreeLabels::freeze", &value, || TreeLabels::freeze(7, &edges, params, spec));
        assert_refused("IntersectionLabels::freeze", &value, || {
            IntersectionLabels::freeze(7, &edges, sets, params, spec)
        });
        assert_refused("BipartiteLabels::freeze", &value, || {
            BipartiteLabels::freeze(Sides::Split, &sides, &edges, params, spec)
        });
    }
    let long = LabelParams::exact(bits, 65_536, 16, 5).unwrap();
    assert_refused("TreeLabels::freeze", "4294967295", || TreeLabels::freeze(u32::MAX, &[], long, spec));
}
