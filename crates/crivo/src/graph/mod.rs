//! Are u and v joined?
//!
//! Vertices are of two sorts. Structures that take edges as they come know a vertex by the hash of its name, which is
//! any [`Item`](crate::Item): nothing is numbered beforehand. Structures made from a whole graph know the vertices as
//! 0, 1, …, n − 1.

mod de_bruijn;
mod edge;
mod edge_bloom;
mod spurious;
mod vertex_blooms;

pub use de_bruijn::ExactDeBruijn;
pub use de_bruijn::{DeBruijn, DeBruijnParams};
pub use de_bruijn::{Kmer, KmerGraph, KmerSet, Kmers, MAX_K, Partition, Parts, Unitigs, kmers, unitigs};
pub use edge::{Direction, edge_hash};
pub use edge_bloom::EdgeBloom;
pub use vertex_blooms::VertexBlooms;
