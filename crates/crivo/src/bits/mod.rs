//! Packed arrays of bits and of small numbers.

mod bit_vec;
mod entropy;
mod packed;
mod stream;

pub use bit_vec::BitVec;
pub(crate) use entropy::{decode_bits, encode_bits};
pub use packed::PackedArray;
pub(crate) use stream::{BitReader, BitWriter};
