//! Arrays of 2^precision registers with one rank each, as in `LogLog` and the dense form of HyperLogLog.

use crate::bits::PackedArray;
use crate::{Error, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

/// The number of bits that a rank takes in a file.
const REGISTER_BITS: u32 = 6;

/// Takes a hash into its register; the bits above the low `rest_bits` are the register's number. Returns true
/// if the register rose.
#[inline]
pub(super) fn raise(registers: &mut [u8], hash: u64, rest_bits: u32) -> bool {
    let register = &mut registers[(hash >> rest_bits) as usize];
    may_raise(*register, hash, rest_bits)
        && core::mem::replace(register, rank_of(hash, rest_bits)) != *register
}

/// Returns whether the rank of a hash exceeds this register; at the maximum rank, possibly also if they are equal.
#[inline]
pub(super) fn may_raise(register: u8, hash: u64, rest_bits: u32) -> bool {
    // The rank exceeds the register's if as many leading bits are clear. If counting them takes more than one
    // instruction, a shift decides, and the rank is computed only for the few hashes that raise a register.
    if cfg!(target_feature = "lzcnt") {
        rank_of(hash, rest_bits) > register
    } else {
        // At the maximum rank, which stands for no ones at all, the shift cannot detect equality.
        ((hash << (64 - rest_bits)) >> 1) >> (63 - u32::from(register)) == 0
    }
}

/// Returns the rank of a hash; the bits above the low `rest_bits` are the register's number.
#[inline]
pub(super) fn rank_of(hash: u64, rest_bits: u32) -> u8 {
    let rest = hash & ((1 << rest_bits) - 1);
    (rest.leading_zeros() + rest_bits - 63) as u8
}

/// Takes the larger rank of each register.
pub(super) fn merge(ours: &mut [u8], theirs: &[u8]) {
    for (register, &rank) in ours.iter_mut().zip(theirs) {
        *register = (*register).max(rank);
    }
}

/// Returns the registers at a precision one lower: the last bit of a register's number becomes the first of
/// the rest.
pub(super) fn fold(registers: &[u8]) -> Box<[u8]> {
    let pairs = registers.as_chunks::<2>().0.iter();
    let rank = |&[zero, one]: &[u8; 2]| (if zero > 0 { zero + 1 } else { 0 }).max(u8::from(one > 0));
    pairs.map(rank).collect()
}

/// Writes the registers with 6 bits each, without gaps.
pub(super) fn to_bytes(registers: &[u8], out: &mut Vec<u8>) {
    let mut packed = PackedArray::new(REGISTER_BITS, registers.len());
    registers.iter().enumerate().for_each(|(i, &rank)| packed.set(i, rank.into()));
    packed.to_bytes(out);
}

/// Reads what `to_bytes` wrote; refuses ranks that no hash has.
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
