//! Packed arrays of bits and of small numbers.

mod bit_vec;
mod packed;
mod stream;

pub use bit_vec::BitVec;
pub use packed::PackedArray;
pub(crate) use stream::{BitReader, BitWriter};
