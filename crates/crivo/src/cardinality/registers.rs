//! One rank a register, 2^precision of them: what `LogLog` and the large form of HyperLogLog are made of.

use crate::bits::PackedArray;
use crate::{Error, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

/// Ranks fit in this many bits of a file.
const REGISTER_BITS: u32 = 6;

/// Takes one hash into its register, all but whose `rest_bits` number it; true when it rose.
#[inline]
pub(super) fn raise(registers: &mut [u8], hash: u64, rest_bits: u32) -> bool {
    let register = &mut registers[(hash >> rest_bits) as usize];
    // The rank exceeds the register's when as many leading bits are clear. Where counting them takes more
    // than one instruction a shift tells, and the rank is computed only for the few that rise.
    let rises = if cfg!(target_feature = "lzcnt") {
        rank_of(hash, rest_bits) > *register
    } else {
        ((hash << (64 - rest_bits)) >> 1) >> (63 - u32::from(*register)) == 0
    };
    // The last rank is that of no ones at all, and the shift tells it from itself no more.
    rises && core::mem::replace(register, rank_of(hash, rest_bits)) != *register
}

/// The rank of a hash, all but whose `rest_bits` number its register.
#[inline]
pub(super) fn rank_of(hash: u64, rest_bits: u32) -> u8 {
    let rest = hash & ((1 << rest_bits) - 1);
    (rest.leading_zeros() + rest_bits - 63) as u8
}

/// The larger rank of each register.
pub(super) fn merge(ours: &mut [u8], theirs: &[u8]) {
    for (register, &rank) in ours.iter_mut().zip(theirs) {
        *register = (*register).max(rank);
    }
}

/// The registers one precision lower: the last bit of a register's number becomes the first of the rest.
pub(super) fn fold(registers: &[u8]) -> Box<[u8]> {
    let pairs = registers.as_chunks::<2>().0.iter();
    let rank = |&[zero, one]: &[u8; 2]| (if zero > 0 { zero + 1 } else { 0 }).max(u8::from(one > 0));
    pairs.map(rank).collect()
}

/// The registers in 6 bits each, without gaps.
pub(super) fn to_bytes(registers: &[u8], out: &mut Vec<u8>) {
    let mut packed = PackedArray::new(REGISTER_BITS, registers.len());
    registers.iter().enumerate().for_each(|(i, &rank)| packed.set(i, rank.into()));
    packed.to_bytes(out);
}

/// The inverse of `to_bytes`; refuses ranks that no hash has.
pub(super) fn from_bytes(bytes: &[u8], precision: u8) -> Result<Box<[u8]>> {
    let packed = PackedArray::from_bytes(REGISTER_BITS, 1 << precision, bytes)
        .ok_or_else(|| Error::malformed(format!("the payload is not {} registers", 1u32 << precision)))?;
    let registers: Box<[u8]> = packed.iter().map(|rank| rank as u8).collect();
    let most = 65 - precision;
    if registers.iter().any(|&rank| rank > most) {
        return Err(Error::malformed(format!("a rank is larger than {most}")));
    }
    Ok(registers)
}
