//! Arrays of 2^precision registers with one rank each, as in `LogLog` and the dense form of HyperLogLog.

use crate::bits::PackedArray;
use crate::memory::with_avx2;
use crate::{Error, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

/// The number of bits that a rank takes in a file.
const REGISTER_BITS: u32 = 6;

/// Takes a hash into its register; returns true if the register rose. The number of registers is a power of two.
#[inline]
pub(super) fn raise(registers: &mut [u8], hash: u64) -> bool {
    let count = registers.len();
    let (register, rest) = split(hash, count);
    let register = &mut registers[register];
    may_raise(*register, rest) && core::mem::replace(register, rank_of(rest, count)) != *register
}

/// Takes many hashes into their registers.
pub(super) fn raise_all(registers: &mut [u8], hashes: &[u64]) {
    let count = registers.len();
    for batch in hashes.chunks(RAISED_AT_ONCE) {
        if rise_often(registers) {
            // Which of them rise cannot be predicted, so there is no branch.
            for &hash in batch {
                let (register, rest) = split(hash, count);
                let register = &mut registers[register];
                *register = (*register).max(rank_of(rest, count));
            }
        } else {
            for &hash in batch {
                raise(registers, hash);
            }
        }
    }
}

/// The number of hashes after which registers may rise less often than before.
const RAISED_AT_ONCE: usize = 256;
/// The registers that tell how often all of them rise.
const SAMPLE: usize = 16;
/// From this mean rank on, about one new item in twenty raises its register.
const RARE_FROM_RANK: usize = 6;

/// Returns whether new items raise their registers so often that a mispredicted branch costs more than it saves.
fn rise_often(registers: &[u8]) -> bool {
    let sum: usize = registers.iter().take(SAMPLE).map(|&rank| usize::from(rank)).sum();
    sum < SAMPLE * RARE_FROM_RANK
}

/// Returns the register that the leading bits of a hash choose among this many, and the other bits, moved to the front: one
/// multiplication by a power of two instead of two shifts by a distance that is known only at run time, which take
/// three operations each on many processors.
#[inline]
pub(super) fn split(hash: u64, registers: usize) -> (usize, u64) {
    let wide = u128::from(hash) * registers as u128;
    ((wide >> 64) as usize, wide as u64)
}

/// The largest rest whose rank exceeds a register: a load and a comparison instead of a count of zeros.
const LARGEST_REST: [u64; 64] = {
    let mut rests = [u64::MAX; 64];
    let mut rank = 0;
    while rank < 64 {
        rests[rank] >>= rank;
        rank += 1;
    }
    rests
};

/// Returns whether the rank of a rest exceeds this register; at the maximum rank, possibly also if they are equal.
#[inline]
pub(super) fn may_raise(register: u8, rest: u64) -> bool {
    rest <= LARGEST_REST[usize::from(register % 64)]
}

/// Returns the rank of a rest: the position of its first one among the bits that do not choose one of this many registers.
#[inline]
pub(super) fn rank_of(rest: u64, registers: usize) -> u8 {
    (rest | registers as u64 >> 1).leading_zeros() as u8 + 1
}

with_avx2! {
    /// Takes the larger rank of each register.
    fn merge(ours: &mut [u8], theirs: &[u8]) {
        for (register, &rank) in ours.iter_mut().zip(theirs) {
            *register = (*register).max(rank);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::vec;

    /// Hashes with any number of zeros after the register's bits, up to zeros only.
    #[test]
    fn a_register_keeps_the_largest_rank() {
        let mut rng = Rng::new(3);
        for precision in 4..=18u32 {
            let bits = 64 - precision;
            let mut registers = vec![0u8; 1 << precision];
            let mut expected = registers.clone();
            for _ in 0..20_000 {
                let zeros = rng.below(66) as u32;
                let rest = (rng.next_u64() >> precision).checked_shr(zeros).unwrap_or(0);
                let register = rng.below(16) as usize;
                let rank = (bits - (u64::BITS - rest.leading_zeros()) + 1) as u8;
                let rises = rank > expected[register];
                expected[register] = expected[register].max(rank);
                let changed = raise(&mut registers, (register as u64) << bits | rest);
                assert_eq!(changed, rises, "{precision} {register} {rest:#x}");
            }
            assert_eq!(registers, expected, "{precision}");
        }
    }

    /// From registers that rise often to registers that rarely do.
    #[test]
    fn many_hashes_are_taken_in_as_one_by_one() {
        let mut rng = Rng::new(4);
        let (mut one_by_one, mut at_once) = (vec![0u8; 64], vec![0u8; 64]);
        for length in [0, 1, 15, 300, 5000] {
            let hashes: Vec<u64> = (0..length).map(|_| rng.next_u64()).collect();
            for &hash in &hashes {
                raise(&mut one_by_one, hash);
            }
            raise_all(&mut at_once, &hashes);
            assert_eq!(one_by_one, at_once, "{length}");
        }
        assert!(!rise_often(&at_once));
    }
}
