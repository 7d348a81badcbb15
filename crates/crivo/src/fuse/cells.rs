//! Reads the cells of a hash without a bounds check for each: the check of the last cell covers all.

#![expect(unsafe_code, reason = "each block states why it is sound")]

use super::shape::Shape;

/// Returns the xor of the three cells of a spread hash, where cell i starts at byte i << `shift`. Bits beyond
/// the cell width have no meaning. `cells` must have at least four bytes from the start of the last cell on.
#[inline]
pub(crate) fn xor_of_byte_cells(cells: &[u8], shape: &Shape, shift: u32, spread: u64) -> u32 {
    let [first, second, third] = shape.places_in_bytes(spread, shift);
    assert!(third as usize + 4 <= cells.len());
    // SAFETY: the positions ascend (`Shape`), and the assertion ensures that the four bytes of the last are
    // inside.
    let read = |start: u64| unsafe { cells.as_ptr().add(start as usize).cast::<u32>().read_unaligned() };
    u32::from_le(read(first) ^ read(second) ^ read(third))
}

/// Returns the xor of the three cells of a spread hash, where cell i starts at bit i·`width`. Bits beyond the
/// cell width have no meaning. `cells` must have at least eight bytes from the start of the last cell on.
#[inline]
pub(crate) fn xor_of_cells(cells: &[u8], shape: &Shape, width: u32, spread: u64) -> u64 {
    let [first, second, third] = shape.places(spread).map(|place| place * u64::from(width));
    assert!((third / 8) as usize + 8 <= cells.len());
    let read = |bit: u64| {
        // SAFETY: the positions ascend (`Shape::places`), and the assertion ensures that the eight bytes of
        // the last are inside.
        let word = unsafe { cells.as_ptr().add((bit / 8) as usize).cast::<u64>().read_unaligned() };
        u64::from_le(word) >> (bit % 8)
    };
    read(first) ^ read(second) ^ read(third)
}

/// Like [`xor_of_cells`], for cells of up to 121 bits. `cells` must have at least sixteen bytes from the
/// start of the last cell on.
#[inline]
pub(crate) fn xor_of_wide_cells(cells: &[u8], shape: &Shape, width: u32, spread: u64) -> u128 {
    let [first, second, third] = shape.places(spread).map(|place| place * u64::from(width));
    assert!((third / 8) as usize + 16 <= cells.len());
    let read = |bit: u64| {
        // SAFETY: the positions ascend (`Shape::places`), and the assertion ensures that the sixteen bytes of
        // the last are inside.
        let word = unsafe { cells.as_ptr().add((bit / 8) as usize).cast::<u128>().read_unaligned() };
        u128::from_le(word) >> (bit % 8)
    };
    read(first) ^ read(second) ^ read(third)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Compares with checked code that reads one byte at a time.
    #[test]
    fn unchecked_cells_are_the_checked_ones() {
        let mut rng = Rng::new(4);
        let shape = Shape::for_items(100).unwrap();
        for width in 1..=32 {
            let used = (shape.cells() * u64::from(width)).div_ceil(8) as usize;
            let cells: alloc::vec::Vec<u8> = (0..used + 7).map(|_| rng.next_u64() as u8).collect();
            let bit = |index: u64| u64::from(cells[(index / 8) as usize] >> (index % 8) & 1);
            let cell = |place: u64| {
                (0..u64::from(width)).fold(0, |cell, i| cell | bit(place * u64::from(width) + i) << i)
            };
            for _ in 0..1000 {
                let spread = rng.next_u64();
                let twin = shape.places(spread).into_iter().fold(0, |sum, place| sum ^ cell(place));
                let mask = (1 << width) - 1;
                assert_eq!(xor_of_cells(&cells, &shape, width, spread) & mask, twin, "{width}");
                if matches!(width, 8 | 16 | 32) {
                    let found = xor_of_byte_cells(&cells, &shape, width / 16, spread);
                    assert_eq!(u64::from(found) & mask, twin, "{width}");
                }
            }
        }
    }

    /// Compares with checked code that reads one bit at a time.
    #[test]
    fn unchecked_wide_cells_are_the_checked_ones() {
        let mut rng = Rng::new(7);
        let shape = Shape::for_items(100).unwrap();
        for width in [58u32, 63, 65, 96, 121] {
            let used = (shape.cells() * u64::from(width)).div_ceil(8) as usize;
            let cells: alloc::vec::Vec<u8> = (0..used + 15).map(|_| rng.next_u64() as u8).collect();
            let bit = |index: u64| u128::from(cells[(index / 8) as usize] >> (index % 8) & 1);
            let cell = |place: u64| {
                (0..u64::from(width)).fold(0, |cell, i| cell | bit(place * u64::from(width) + i) << i)
            };
            for _ in 0..1000 {
                let spread = rng.next_u64();
                let twin = shape.places(spread).into_iter().fold(0, |sum, place| sum ^ cell(place));
                let mask = (1 << width) - 1;
                assert_eq!(xor_of_wide_cells(&cells, &shape, width, spread) & mask, twin, "{width}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "assertion failed")]
    fn wide_cells_beyond_the_end_are_not_read() {
        let shape = Shape::for_items(100).unwrap();
        xor_of_wide_cells(&[0; 1000], &shape, 96, u64::MAX);
    }

    #[test]
    #[should_panic(expected = "assertion failed")]
    fn cells_beyond_the_end_are_not_read() {
        let shape = Shape::for_items(100).unwrap();
        xor_of_byte_cells(&[0; 100], &shape, 0, u64::MAX);
    }
}
