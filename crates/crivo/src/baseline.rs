//! Baselines: exact structures and the predecessors of better sketches. Other structures are compared with
//! them; programs should use the better sketches.

pub use crate::cardinality::loglog::LogLog;
pub use crate::cardinality::minimum_hash::MinimumHash;
pub use crate::cardinality::probabilistic_counting::ProbabilisticCounting;
pub use crate::graph::adjacency_list::AdjacencyList;
pub use crate::graph::adjacency_matrix::AdjacencyMatrix;
pub use crate::membership::cuckoo_table::CuckooTable;
pub use crate::membership::direct_table::DirectTable;
