//! The sparse form: the hashes themselves, truncated to 31 bits.
//!
//! An entry holds the leading 31 bits of a hash, which determine its register and rank at any precision. Only
//! if all bits after the register's are zero (one hash in 2^(31−p)) does the rank lie beyond them; it then
//! replaces those zeros, marked by the lowest bit. So the number of entries counts items almost exactly, and
//! a sketch of any lower precision follows from them.

use crate::cardinality::entries::Entries;

/// The number of leading bits of a hash that an entry keeps.
const PREFIX_BITS: u32 = 31;
/// The maximum of ranks beyond the prefix, which start at 1.
const MAX_BEYOND: u32 = 64 - PREFIX_BITS + 1;

/// Returns the entry of a hash in a sketch of precision `p`; never 0.
#[inline]
pub(in crate::cardinality) fn entry_of(hash: u64, p: u32) -> u32 {
    let prefix = (hash >> (64 - PREFIX_BITS)) as u32;
    if prefix & zeros_mask(p) != 0 {
        return prefix << 1;
    }
    let beyond = ((hash << PREFIX_BITS) | (1 << (PREFIX_BITS - 1))).leading_zeros() + 1;
    (prefix | beyond) << 1 | 1
}

/// Returns the mask of the bits of a prefix after the register's.
fn zeros_mask(p: u32) -> u32 {
    (1 << (PREFIX_BITS - p)) - 1
}

/// Returns the register and rank of an entry.
#[inline]
pub(super) fn register_of(entry: u32, p: u32) -> (usize, u8) {
    let prefix = entry >> 1;
    let rest = prefix & zeros_mask(p);
    let rank = if entry & 1 == 0 {
        rest.leading_zeros() - (32 - (PREFIX_BITS - p)) + 1
    } else {
        PREFIX_BITS - p + rest
    };
    ((prefix >> (PREFIX_BITS - p)) as usize, rank as u8)
}

/// Returns the entry of the same hash at a precision one lower.
fn entry_one_lower(entry: u32, p: u32) -> u32 {
    let prefix = entry >> 1;
    let last_register_bit = 1 << (PREFIX_BITS - p);
    // A set bit joins the rest, so the rank no longer lies beyond the prefix.
    if entry & 1 == 1 && prefix & last_register_bit != 0 { (prefix & !zeros_mask(p)) << 1 } else { entry }
}

/// Returns how many of the 2⁶⁴ hashes have this entry.
pub(super) fn hashes_of(entry: u32, p: u32) -> u64 {
    let of_a_prefix = 1u64 << (64 - PREFIX_BITS);
    if entry & 1 == 0 {
        return of_a_prefix;
    }
    let beyond = entry >> 1 & zeros_mask(p);
    // The last two ranks beyond the prefix have one hash each.
    (of_a_prefix >> beyond).max(1)
}

pub(super) fn is_valid(entry: u32, p: u32) -> bool {
    let rest = entry >> 1 & zeros_mask(p);
    if entry & 1 == 1 { (1..=MAX_BEYOND).contains(&rest) } else { rest != 0 }
}

/// Returns the entries at a precision one lower. Two entries may swap positions or become one.
pub(super) fn fold(entries: &Entries, p: u32) -> Entries {
    Entries::from_entries(entries.iter().map(|entry| entry_one_lower(entry, p)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn entries_keep_register_and_rank_at_every_precision() {
        let mut rng = Rng::new(1);
        for p in 4..=18u32 {
            for i in 0..20_000u32 {
                // Every other hash has many zeros after the register's bits, so that ranks lie beyond the
                // prefix.
                let shift = if i % 2 == 0 { 0 } else { rng.below(60) };
                let random = rng.next_u64();
                let hash = random >> (64 - p) << (64 - p) | (rng.next_u64() >> p >> shift);
                let entry = entry_of(hash, p);
                assert!(entry != 0 && is_valid(entry, p));
                let rank = ((hash << p) | 1 << (p - 1)).leading_zeros() + 1;
                assert_eq!(register_of(entry, p), ((hash >> (64 - p)) as usize, rank as u8), "{hash:#x} {p}");
                if p > 4 {
                    assert_eq!(entry_one_lower(entry, p), entry_of(hash, p - 1), "{hash:#x} {p}");
                }
            }
        }
    }

    /// An entry whose rank lay beyond the prefix can sort before one that it followed.
    #[test]
    fn folding_keeps_the_order() {
        let set_of = |p: u32| {
            let mut set = Entries::default();
            for rest in [1 << 33, 1 << 28] {
                set.insert(entry_of(1 << 52 | rest, p));
            }
            set
        };
        assert_eq!(super::fold(&set_of(12), 12), set_of(11));
    }
}
