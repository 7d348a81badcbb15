//! How alike? Signatures of sets and vectors, indexes that find the alike among many, and near-duplicates.

mod signature;

pub use signature::{Scheme, Signature};
