//! Packed arrays of bits and of small numbers.

mod bit_vec;
mod entropy;
mod packed_array;
mod span;
mod split_block;
mod stream;

pub use bit_vec::BitVec;
pub(crate) use entropy::{Decoder, Encoder, Share, decode_bits, encode_bits};
pub use packed_array::PackedArray;
pub(crate) use span::{move_down, move_up, read_bits, write_bits};
pub(crate) use split_block::SplitBlock;
pub(crate) use stream::{BitReader, BitWriter};
