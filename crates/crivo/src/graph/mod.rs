//! Graphs: adjacency in filters, labels and exact representations.
//!
//! There are two kinds of vertices. Structures that take edges as they arrive identify a vertex by the hash of its
//! name, which is any [`Item`](crate::Item): nothing is numbered in advance. Structures that are built from a whole
//! graph number the vertices 0, 1, …, n − 1.

pub(crate) mod adjacency_list;
pub(crate) mod adjacency_matrix;
mod bipartite_labels;
mod edge;
mod edge_bloom;
#[cfg(feature = "feasibility")]
mod feasibility;
mod forest;
mod genome;
mod intersection_labels;
mod interval_graph;
mod labels;
mod numbered_vertices;
mod pair_odds;
mod parent_tree;
mod reported_graph;
mod tree_labels;
mod vertex_blooms;

pub(crate) use adjacency_list::AdjacencyList;
pub(crate) use adjacency_matrix::AdjacencyMatrix;
pub use bipartite_labels::{BipartiteLabels, Sides, double_cover};
pub use edge::{Direction, edge_hash};
pub use edge_bloom::EdgeBloom;
#[cfg(feature = "feasibility")]
pub use feasibility::{
    FewestElements, Fraction, Refutation, SetSizes, Verdict, complete_bipartite_edge, feasibility,
    fewest_elements, largest_edge, widest_gap,
};
pub use genome::ExactDeBruijn;
pub use genome::{DeBruijn, DeBruijnParams};
pub use genome::{
    Kmer, KmerCounts, KmerGraph, KmerSet, Kmers, MAX_K, Partition, Parts, Simplified, Unitigs, kmers, unitigs,
};
pub use intersection_labels::{IntersectionLabels, IntersectionSets, intersection_sets};
pub use interval_graph::IntervalGraph;
pub use labels::{LabelParams, LabelScheme};
pub use numbered_vertices::Edge;
pub use parent_tree::ParentTree;
pub use tree_labels::{TreeLabels, tree_sets};
pub use vertex_blooms::VertexBlooms;
