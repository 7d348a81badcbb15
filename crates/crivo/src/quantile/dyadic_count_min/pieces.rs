//! Decomposition of ranges into dyadic blocks.

use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// Calls `each` with the level and the number of every block of the non-empty range `first..=last`, at most two per
/// level. The block of the whole universe has level `bits`.
pub(super) fn for_each_piece(first: u64, last: u64, bits: u32, mut each: impl FnMut(u32, u64)) {
    let (mut first, mut last) = (u128::from(first), u128::from(last) + 1);
    // The blocks from `first` up to, but not including, `last`.
    for level in 0..bits {
        if first % 2 == 1 && first < last {
            each(level, first as u64);
            first += 1;
        }
        if last % 2 == 1 && first < last {
            last -= 1;
            each(level, last as u64);
        }
        (first, last) = (first / 2, last / 2);
    }
    if first < last {
        each(bits, 0);
    }
}

/// Returns the fewest dyadic blocks that make up the range `first..=last` of a universe of 2^`bits` values, in order.
/// The size of a dyadic block is a power of two, and the block begins at a multiple of its size. At most two blocks
/// have the same size.
///
/// ```
/// use crivo::quantile::pieces;
/// assert_eq!(pieces(5, 14, 4)?, [5..=5, 6..=7, 8..=11, 12..=13, 14..=14]);
/// assert_eq!(pieces(0, 15, 4)?, [0..=15]);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `InvalidArgument` unless `bits` is 1 to 64 and `first <= last < 2^bits`.
pub fn pieces(first: u64, last: u64, bits: u32) -> Result<Vec<RangeInclusive<u64>>> {
    check_universe(last, bits)?;
    if first > last {
        return Err(Error::invalid(format!(
            "the range from {first} to {last} is empty; give the lower end first"
        )));
    }
    let mut blocks = Vec::new();
    for_each_piece(first, last, bits, |level, number| blocks.push(block(level, number)));
    blocks.sort_unstable_by_key(|block| *block.start());
    Ok(blocks)
}

/// Returns the dyadic blocks that contain a value, smallest first, without the whole universe. Adding the value counts
/// in each.
///
/// ```
/// use crivo::quantile::blocks_of;
/// let starts: Vec<u64> = blocks_of(7, 4)?.iter().map(|block| *block.start()).collect();
/// assert_eq!(starts, [7, 6, 4, 0]);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `InvalidArgument` unless `bits` is 1 to 64 and `value < 2^bits`.
pub fn blocks_of(value: u64, bits: u32) -> Result<Vec<RangeInclusive<u64>>> {
    check_universe(value, bits)?;
    Ok((0..bits).map(|level| block(level, value >> level)).collect())
}

fn check_universe(value: u64, bits: u32) -> Result<()> {
    if (1..=64).contains(&bits) && value <= u64::MAX >> (64 - bits) {
        return Ok(());
    }
    Err(Error::invalid(format!("{value} must be below 2^{bits}, with 1 to 64 bits; give more bits")))
}

fn block(level: u32, number: u64) -> RangeInclusive<u64> {
    let size_less_one = (1u128 << level) - 1;
    let start = u128::from(number) << level;
    start as u64..=(start + size_less_one) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_every_range() {
        for first in 0..32u64 {
            for last in first..32 {
                let pieces = pieces(first, last, 5).unwrap();
                assert_eq!((*pieces[0].start(), *pieces[pieces.len() - 1].end()), (first, last));
                assert!(pieces.windows(2).all(|pair| pair[0].end() + 1 == *pair[1].start()));
                for piece in &pieces {
                    let size = piece.end() - piece.start() + 1;
                    assert!(size.is_power_of_two() && piece.start() % size == 0);
                    assert!(
                        pieces.iter().filter(|other| other.end() - other.start() + 1 == size).count() <= 2
                    );
                }
            }
        }
        assert_eq!(pieces(0, u64::MAX, 64).unwrap(), [0..=u64::MAX]);
        assert_eq!(pieces(1, u64::MAX, 64).unwrap().len(), 64);
        assert_eq!(pieces(u64::MAX, u64::MAX, 64).unwrap(), [u64::MAX..=u64::MAX]);
        assert_eq!(blocks_of(u64::MAX, 64).unwrap()[63], 1 << 63..=u64::MAX);
    }

    #[test]
    fn ranges_outside_the_universe_are_refused() {
        for (first, last, bits) in [(3, 2, 4), (0, 16, 4), (0, 0, 0), (0, 0, 65)] {
            assert!(pieces(first, last, bits).is_err(), "{first} {last} {bits}");
        }
        assert!(blocks_of(16, 4).is_err() && blocks_of(0, 0).is_err() && blocks_of(0, 65).is_err());
    }
}
