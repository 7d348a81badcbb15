//! Genomes as graphs of their k-mers.

mod exact;
mod filter;
mod kmer;
mod partition;
mod set;
#[cfg(test)]
mod tests;
mod unitig;
mod walk;

pub use exact::ExactDeBruijn;
pub use filter::{DeBruijn, DeBruijnParams};
pub use kmer::{Kmer, Kmers, MAX_K, kmers};
pub use partition::{Partition, Parts};
pub use set::KmerSet;
pub use unitig::{Unitigs, unitigs};
pub use walk::KmerGraph;
