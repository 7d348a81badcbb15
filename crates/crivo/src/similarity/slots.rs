//! Minima over the slots of signatures, eight at once where the processor can.

use super::min_hash::multiplier;
use crate::memory::with_avx2;

/// The number of slots of a signature that stay in registers while a batch of hashes passes: eight AVX2 registers.
const SLOTS_AT_ONCE: usize = 64;

with_avx2! {
    /// Lowers each slot i of a signature to the smallest x + cᵢ·y modulo 2³² of all hashes with the halves x and y,
    /// where cᵢ is the slot's multiplier. Returns whether any slot changed.
    fn lower_slots(slots: &mut [u32], hashes: &[u64]) -> bool {
        let mut changed = false;
        for (block, slots) in slots.chunks_mut(SLOTS_AT_ONCE).enumerate() {
            let first = (block * SLOTS_AT_ONCE) as u32;
            let mut multipliers = [0; SLOTS_AT_ONCE];
            for (lane, factor) in (first..).zip(&mut multipliers) {
                *factor = multiplier(lane);
            }
            // Always a whole block, so that the compiler keeps it in registers.
            let mut minima = [u32::MAX; SLOTS_AT_ONCE];
            minima[..slots.len()].copy_from_slice(slots);
            for &hash in hashes {
                let (x, y) = ((hash >> 32) as u32, hash as u32);
                for (least, factor) in minima.iter_mut().zip(&multipliers) {
                    *least = (*least).min(x.wrapping_add(factor.wrapping_mul(y)));
                }
            }
            let minima = &minima[..slots.len()];
            changed |= slots != minima;
            slots.copy_from_slice(minima);
        }
        changed
    }
}

with_avx2! {
    /// Lowers each slot to that of the other signature, where that is smaller.
    fn lower_to_slots(slots: &mut [u32], others: &[u32]) {
        for (slot, &other) in slots.iter_mut().zip(others) {
            *slot = other.min(*slot);
        }
    }
}
