//! The dense form: one rank per register.

use super::estimator::Histogram;
use super::sparse::register_of;
use crate::cardinality::entries::Entries;
use alloc::boxed::Box;
use alloc::vec;

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
    // Four histograms in parallel: with one, consecutive equal ranks would wait for each other on one
    // counter.
    let mut parts = [[0u32; 64]; 4];
    for chunk in registers.as_chunks::<4>().0 {
        for (part, &rank) in parts.iter_mut().zip(chunk) {
            part[usize::from(rank & 63)] += 1;
        }
    }
    core::array::from_fn(|rank| parts.iter().map(|part| part[rank]).sum())
}
