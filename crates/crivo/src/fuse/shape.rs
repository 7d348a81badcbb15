//! Where the three cells of a hash lie, and how many cells a set needs.

use crate::hash::reduce;
use crate::{Error, Result};
use alloc::format;
use libm::{ceil, pow};

/// Cells are numbered by 32 bits while a filter is made; where an address has 32 bits, their sums take 1 GiB.
const MAX_CELLS: u64 = if usize::BITS < 64 { 1 << 27 } else { 1 << 32 };
/// Beyond 2¹⁸ cells the bits of a hash that choose the second and the third cell would overlap.
const MAX_SEGMENT_BITS: u32 = 18;

/// Segments of 2^`segment_bits` cells. A hash has its first cell in one of them, and the others in the next two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    segment_bits: u32,
    /// The cells that may be a first cell: all but those of the last two segments; 0 for an empty set.
    first_cells: u64,
}

impl Shape {
    /// The fewest cells that are likely to work for `items` different hashes.
    ///
    /// Peeling that runs through many long segments from both ends needs 1.0894 cells a hash (Walzer,
    /// arXiv:2001.10500), and two segments more. Segments of L cells need about 1.19·L^−0.43 more, less where they
    /// are few: numbers from simulation, with which the first attempt works for four sets in five or more,
    /// whatever their size (tested).
    ///
    /// # Errors
    /// `InvalidArgument` when there are too many items.
    pub(crate) fn for_items(items: u64) -> Result<Self> {
        if items == 0 {
            return Ok(Self { segment_bits: 0, first_cells: 0 });
        }
        let of_bits = |segment_bits: u32| {
            let length = f64::from(1u32 << segment_bits);
            let segments = items as f64 / length;
            let slack = (1.19 - 9.0 / (segments + 3.0)) * pow(length, -0.43);
            Self { segment_bits, first_cells: (ceil(segments * (1.0894 + slack)) as u64) << segment_bits }
        };
        // Two hashes with the same three cells defeat an attempt. One set in 2.5·L²/n has such a pair: one in
        // sixteen at most.
        let pairs_are_rare =
            |bits: u32| bits == MAX_SEGMENT_BITS || 5u128 << (2 * bits) >= 32 * u128::from(items);
        let shapes = (2..=MAX_SEGMENT_BITS).filter(|&bits| pairs_are_rare(bits)).map(of_bits);
        match shapes.min_by_key(Self::cells) {
            Some(shape) if shape.cells() <= MAX_CELLS => Ok(shape),
            _ => Err(Error::invalid(format!(
                "a frozen structure has at most {MAX_CELLS} cells, and {items} items need more; \
                 make one for each part of them"
            ))),
        }
    }

    /// What a file says; `None` when it cannot be.
    pub(crate) fn from_parts(segment_bits: u32, segments: u64) -> Option<Self> {
        if segments == 0 {
            return (segment_bits == 0).then_some(Self { segment_bits, first_cells: 0 });
        }
        if segment_bits > MAX_SEGMENT_BITS || segments < 3 || segments > MAX_CELLS >> segment_bits {
            return None;
        }
        Some(Self { segment_bits, first_cells: (segments - 2) << segment_bits })
    }

    /// log₂ of the cells in a segment.
    pub(crate) fn segment_bits(&self) -> u32 {
        self.segment_bits
    }

    /// How many segments there are.
    pub(crate) fn segments(&self) -> u64 {
        self.cells() >> self.segment_bits
    }

    /// How many cells there are.
    pub(crate) fn cells(&self) -> u64 {
        if self.first_cells == 0 { 0 } else { self.first_cells + (2 << self.segment_bits) }
    }

    /// The three cells of a spread hash, in ascending order and below `cells()`, unless there are none.
    #[inline]
    pub(crate) fn places(&self, spread: u64) -> [u64; 3] {
        let length = 1 << self.segment_bits;
        let first = reduce(spread, self.first_cells);
        [
            first,
            (first + length) ^ (spread >> 18 & (length - 1)),
            (first + 2 * length) ^ (spread & (length - 1)),
        ]
    }

    /// The same, times 2^`shift`, in fewer steps than to multiply each: `shift` is 2 at most.
    #[inline]
    pub(crate) fn places_in_bytes(&self, spread: u64, shift: u32) -> [u64; 3] {
        let length = 1 << (self.segment_bits + shift);
        let inside = length - (1 << shift);
        let first = reduce(spread, self.first_cells << shift) & !((1 << shift) - 1);
        let spread = spread << shift;
        [first, (first + length) ^ (spread >> 18 & inside), (first + 2 * length) ^ (spread & inside)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn sizes_are_the_same_on_every_platform() {
        let golden = [
            (1, 2, 3),
            (2, 2, 3),
            (100, 5, 6),
            (1000, 7, 11),
            (10_000, 8, 49),
            (11_500, 9, 28),
            (100_000, 10, 114),
            (1_000_000, 12, 276),
            (10_000_000, 14, 678),
            (1_000_000_000, 18, 4179),
        ];
        for (items, segment_bits, segments) in golden {
            let shape = Shape::for_items(items).unwrap();
            assert_eq!((shape.segment_bits(), shape.segments()), (segment_bits, segments), "{items}");
            assert_eq!(Shape::from_parts(segment_bits, segments), Some(shape));
        }
        assert_eq!(Shape::for_items(0).unwrap().cells(), 0);
    }

    #[test]
    fn places_ascend_and_stay_inside() {
        let mut rng = Rng::new(5);
        for items in [1u64, 2, 3, 10, 1000, 1_000_000, 3_000_000_000] {
            let shape = Shape::for_items(items).unwrap();
            for spread in (0..1000).map(|_| rng.next_u64()).chain([0, u64::MAX]) {
                let [a, b, c] = shape.places(spread);
                assert!(a < b && b < c && c < shape.cells(), "{items} {spread:x}");
                for shift in 0..=2 {
                    assert_eq!(shape.places_in_bytes(spread, shift), [a << shift, b << shift, c << shift]);
                }
            }
        }
    }

    #[test]
    fn absurd_shapes_are_refused() {
        for items in [MAX_CELLS, 1 << 40, u64::MAX] {
            assert!(Shape::for_items(items).is_err(), "{items}");
        }
        for (bits, segments) in
            [(19, 3), (0, 1), (0, 2), (1, 0), (18, MAX_CELLS), (0, u64::MAX), (u32::MAX, 3)]
        {
            assert_eq!(Shape::from_parts(bits, segments), None, "{bits} {segments}");
        }
    }
}
