//! The large form: one rank a register.

use super::estimator::Histogram;
use super::sparse::register_of;
use crate::cardinality::entries::Entries;
use alloc::boxed::Box;
use alloc::vec;

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
pub(in crate::cardinality) fn rank_of(hash: u64, rest_bits: u32) -> u8 {
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

pub(super) fn raise_to_entries(registers: &mut [u8], entries: &Entries, precision: u32) {
    for entry in entries.iter() {
        let (register, rank) = register_of(entry, precision);
        registers[register] = registers[register].max(rank);
    }
}

pub(super) fn registers_of(entries: &Entries, precision: u8) -> Box<[u8]> {
    let mut registers = vec![0; 1 << precision].into_boxed_slice();
    raise_to_entries(&mut registers, entries, precision.into());
    registers
}

pub(super) fn histogram_of(registers: &[u8]) -> Histogram {
    // Four histograms side by side: equal ranks in a row would wait for each other on one counter.
    let mut parts = [[0u32; 64]; 4];
    for chunk in registers.as_chunks::<4>().0 {
        for (part, &rank) in parts.iter_mut().zip(chunk) {
            part[usize::from(rank & 63)] += 1;
        }
    }
    core::array::from_fn(|rank| parts.iter().map(|part| part[rank]).sum())
}
