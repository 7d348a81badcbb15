//! The first form of a sketch: a set of coupons, which are hashes of 32 bits.

use crivo::Estimate;
use crivo::foreign::estimate_of_hashes;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The bits of a coupon that address a register.
const ADDRESS_BITS: u32 = 26;
/// The probability that two items have one coupon is Σ 4⁻ᵛ = 1/3 for the value, and 2⁻²⁶ for the address.
const PLACES: f64 = 3.0 * (1u64 << ADDRESS_BITS) as f64;
/// The greatest value of a coupon.
pub(super) const MOST: u8 = 63;
/// The number of coupons from which on they are a hash table in the bytes.
pub(super) const FEWEST_IN_TABLE: usize = 8;

/// Makes a coupon from the two words of a hash.
#[inline]
pub(super) fn coupon(place: u64, rest: u64) -> u32 {
    let value = rest.leading_zeros().min(u32::from(MOST) - 1) + 1;
    value << ADDRESS_BITS | (place as u32 & ((1 << ADDRESS_BITS) - 1))
}

/// Splits a coupon into the register of 2^`lg_k` that it addresses, and its value.
#[inline]
pub(super) fn split(coupon: u32, lg_k: u8) -> (usize, u8) {
    ((coupon & ((1 << lg_k) - 1)) as usize, (coupon >> ADDRESS_BITS) as u8)
}

/// Distinct coupons, in the order in which they came.
#[derive(Clone, Debug)]
pub(super) struct Coupons {
    coupons: Vec<u32>,
    /// A hash table of all coupons with linear probing; 0 is a free slot, and no coupon.
    table: Vec<u32>,
    /// A random odd number that chooses the slots, so that no file can choose coupons that share one.
    factor: u64,
}

impl Default for Coupons {
    fn default() -> Self {
        Self {
            coupons: Vec::new(),
            table: Vec::new(),
            factor: RandomState::new().build_hasher().finish() | 1,
        }
    }
}

impl PartialEq for Coupons {
    fn eq(&self, other: &Self) -> bool {
        self.coupons == other.coupons
    }
}

impl Coupons {
    /// Inserts a coupon; returns whether it was new.
    pub(super) fn insert(&mut self, coupon: u32) -> bool {
        if self.coupons.len() * 2 >= self.table.len() {
            self.table = vec![0; (self.table.len() * 2).max(16)];
            for &old in &self.coupons {
                put(&mut self.table, self.factor, old);
            }
        }
        let is_new = put(&mut self.table, self.factor, coupon);
        if is_new {
            self.coupons.push(coupon);
        }
        is_new
    }

    pub(super) fn len(&self) -> usize {
        self.coupons.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.coupons.iter().copied()
    }

    /// Returns the size of their hash table in the bytes, as a power of two: at most three quarters full, and 32 at least.
    pub(super) fn lg_table(&self) -> u8 {
        if self.len() < FEWEST_IN_TABLE {
            return 3;
        }
        (5..32).find(|&lg| 4 * self.len() <= 3 << lg).unwrap_or(32)
    }

    /// Returns whether a sketch of 2^`lg_k` registers has outgrown the coupons, which take as much space as its registers.
    pub(super) fn are_many(&self, lg_k: u8) -> bool {
        if lg_k < 8 { self.len() >= FEWEST_IN_TABLE } else { 4 * self.len() > 3 << (lg_k - 3) }
    }

    pub(super) fn estimate(&self, confidence: f64) -> Estimate {
        estimate_of_hashes(self.len() as u64, PLACES, confidence)
    }
}

/// Puts a coupon into a table of 2^n slots with a free one; returns whether it was new.
fn put(table: &mut [u32], factor: u64, coupon: u32) -> bool {
    let mask = table.len() - 1;
    let mut slot = (u64::from(coupon).wrapping_mul(factor) >> (64 - table.len().ilog2())) as usize;
    while table[slot] != 0 {
        if table[slot] == coupon {
            return false;
        }
        slot = (slot + 1) & mask;
    }
    table[slot] = coupon;
    true
}
