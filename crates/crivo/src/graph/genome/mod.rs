//! Genomes as de Bruijn graphs of their k-mers.

mod de_bruijn;
mod exact_de_bruijn;
mod kmer;
mod kmer_counts;
mod kmer_set;
mod partition;
mod simplified;
#[cfg(test)]
mod tests;
mod unitig;
mod walk;

pub use de_bruijn::{DeBruijn, DeBruijnParams};
pub use exact_de_bruijn::ExactDeBruijn;
pub use kmer::{Kmer, Kmers, MAX_K, kmers};
pub use kmer_counts::KmerCounts;
pub use kmer_set::KmerSet;
pub use partition::{Partition, Parts};
pub use simplified::Simplified;
pub use unitig::{Unitigs, unitigs};
pub use walk::KmerGraph;
