//! The components of an item in many random directions: normal deviates computed from its hash.

use crate::memory::with_avx2;

/// The number of directions that are computed at once.
pub(crate) const BLOCK: usize = 64;

/// Adding 1.5·2²³ leaves the rounded number in the lowest bits.
const ROUND: f32 = 12_582_912.0;

/// A component of one standard deviation.
pub(super) const SCALE: f32 = 8192.0;

/// Returns the components of the item with this hash in the directions of a block: integers with an absolute value
/// below 2¹⁵.
#[expect(clippy::inline_always, reason = "takes the instruction set of its caller")]
#[inline(always)]
pub(crate) fn components(hash: u64, block: u32) -> [i32; BLOCK] {
    let mut components = [0; BLOCK];
    let (first, second) = components.split_at_mut(BLOCK / 2);
    for (place, (first, second)) in (0u32..).zip(first.iter_mut().zip(second)) {
        let random = random(hash, block * (BLOCK as u32 / 2) + place);
        *first = component(random & 0xffff);
        *second = component(random >> 16);
    }
    components
}

/// Returns the `index`-th 32 random bits of a hash, by 32-bit multiplications, of which a processor does many at once.
#[expect(clippy::inline_always, reason = "takes the instruction set of its caller")]
#[inline(always)]
pub(crate) fn random(hash: u64, index: u32) -> u32 {
    let (low, high) = (hash as u32, (hash >> 32) as u32);
    let mut x = low.wrapping_add(index.wrapping_mul(0x9e37_79b9));
    x = (x ^ x >> 16).wrapping_mul(0x21f0_aaad);
    x = (x ^ x >> 15).wrapping_mul(0xd35a_2d97) ^ high;
    x = (x ^ x >> 15).wrapping_mul(0x21f0_aaad);
    x ^ x >> 15
}

/// Returns the normal quantile of 16 random bits, times 8192 and rounded. The rational function was fitted to the
/// quantile by least squares, except for its pole, which was chosen for true angles: two bits differ with the
/// probability of normal deviates within 0.0005 (a test checks it). Single precision without fused operations gives the
/// same result on every platform.
#[expect(clippy::inline_always, reason = "takes the instruction set of its caller")]
#[inline(always)]
fn component(bits: u32) -> i32 {
    // Odd integers up to here, so that positive and negative numbers are symmetric.
    let x = (2 * bits as i32 - 0xffff) as f32 * (1.0 / 65536.0);
    let square = x * x;
    let top = x * (10165.0 + square * (-6094.5 + square * -2571.6));
    let rounded = top / (1.0 - 0.94 * square) + ROUND;
    rounded.to_bits() as i32 - ROUND.to_bits() as i32
}

with_avx2! {
    /// Adds the components of an item, times `weight`, to the sums along all directions.
    fn add_weighted_to_directions(sums: &mut [f64], hash: u64, weight: f64) {
        for (block, sums) in (0..).zip(sums.as_chunks_mut::<BLOCK>().0) {
            for (sum, component) in sums.iter_mut().zip(components(hash, block)) {
                *sum += weight * f64::from(component);
            }
        }
    }
}

with_avx2! {
    /// Adds the components of up to 2¹⁶ items of weight 1 to the sums along all directions.
    fn add_to_directions(sums: &mut [f64], hashes: &[u64]) {
        for (block, sums) in (0..).zip(sums.as_chunks_mut::<BLOCK>().0) {
            let mut totals = [0i32; BLOCK];
            for &hash in hashes {
                for (total, component) in totals.iter_mut().zip(components(hash, block)) {
                    *total += component;
                }
            }
            for (sum, total) in sums.iter_mut().zip(totals) {
                *sum += f64::from(total);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::vec;
    use alloc::vec::Vec;
    use core::f64::consts::PI;

    fn all() -> Vec<i32> {
        (0..1 << 16).map(component).collect()
    }

    #[test]
    fn components_are_normal() {
        let all = all();
        assert!(all.is_sorted() && all.iter().all(|component| component.abs() < 1 << 15));
        assert!(all.iter().zip(all.iter().rev()).all(|(low, high)| *low == -high), "not symmetric");
        let moment = |power: i32| {
            let scaled = all.iter().map(|&component| f64::from(component) / f64::from(SCALE));
            scaled.map(|component| libm::pow(component, power.into())).sum::<f64>() / 65536.0
        };
        assert!((moment(2) - 1.0).abs() < 0.001, "{}", moment(2));
        assert!((moment(4) - 3.0).abs() < 0.05, "{}", moment(4));
    }

    /// Two items, the second r times as heavy: the sign is that of the second unless the first outweighs it. For normal
    /// deviates this has the probability of an angle.
    #[test]
    fn angles_are_true() {
        let all = all();
        for ratio in [1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 30.0, 100.0] {
            let outweighed = |component: i32| {
                let limit = f64::from(component) * ratio;
                all.partition_point(|&other| f64::from(other) < -limit) as f64 / 65536.0
            };
            let positive = &all[1 << 15..];
            let flipped = positive.iter().map(|&component| outweighed(component)).sum::<f64>() / 32768.0;
            let truth = libm::atan(1.0 / ratio) / PI;
            assert!((flipped - truth).abs() < 5e-4, "{ratio}: {flipped}, theory {truth}");
        }
    }

    /// The bits of a hash and its neighbours, and of a direction and its neighbours, are independent: as many signs
    /// agree as for coin tosses.
    #[test]
    fn directions_are_independent() {
        let mut rng = Rng::new(5);
        let items = 4000u64;
        let mut agreeing = [[0i32; BLOCK]; BLOCK];
        for item in 0..items {
            // Counters are the hardest hashes: any two differ in a few bits.
            let hash = if item.is_multiple_of(2) { item } else { rng.next_u64() };
            let signs = components(hash, 3).map(|component| i32::from(component > 0) * 2 - 1);
            for (row, sign) in agreeing.iter_mut().zip(signs) {
                row.iter_mut().zip(signs).for_each(|(cell, other)| *cell += sign * other);
            }
        }
        // 2016 pairs: seven standard deviations have a probability of 5e-9.
        let margin = (7.0 * libm::sqrt(items as f64)) as i32;
        for (first, row) in agreeing.iter().enumerate() {
            for (second, &sum) in row.iter().enumerate().take(first) {
                assert!(sum.abs() < margin, "directions {first} and {second}: {sum} of {items}");
            }
        }
    }

    /// The portable version, which is compiled for every processor.
    #[test]
    fn sums_are_the_same_with_and_without_avx2() {
        let mut rng = Rng::new(7);
        let (mut sums, mut twins) = (vec![0.0; 3 * BLOCK], vec![0.0; 3 * BLOCK]);
        for _ in 0..100 {
            let hashes = [rng.next_u64(), rng.next_u64()];
            add_to_directions(&mut sums, &hashes);
            add_weighted_to_directions(&mut sums, hashes[0], 0.1);
            for (block, twins) in (0..).zip(twins.as_chunks_mut::<BLOCK>().0) {
                let [first, second] = hashes.map(|hash| components(hash, block));
                for (twin, (first, second)) in twins.iter_mut().zip(first.into_iter().zip(second)) {
                    *twin += f64::from(first + second);
                    *twin += 0.1 * f64::from(first);
                }
            }
        }
        assert_eq!(sums, twins);
    }
}
