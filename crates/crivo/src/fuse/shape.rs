//! The positions of the three cells of a hash, and the number of cells that a set needs.

use crate::hash::reduce;
use crate::{Error, Result};
use alloc::format;
use libm::{ceil, pow};

/// Construction numbers cells with 32 bits. On platforms with 32-bit addresses the limit is lower: the sums
/// of the cells take 1 GiB there.
const MAX_CELLS: u64 = if usize::BITS < 64 { 1 << 27 } else { 1 << 32 };
/// With more than 2¹⁸ cells in a segment, the hash bits that choose the second and the third cell would
/// overlap.
const MAX_SEGMENT_BITS: u32 = 18;

/// Segments of 2^`segment_bits` cells. A hash has its first cell in one segment, and the others in the next
/// two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    segment_bits: u32,
    /// The number of cells that can be a first cell: all but those of the last two segments; 0 for an empty
    /// set.
    first_cells: u64,
}

impl Shape {
    /// Returns the shape with the fewest cells that are likely to work for `items` distinct hashes.
    ///
    /// Peeling that runs through many long segments from both ends needs 1.0894 cells for each hash (Walzer,
    /// arXiv:2001.10500), and two more segments. Segments of L cells need about 1.19·L^−0.43 more, and fewer
    /// if there are few segments. These constants come from simulation; with them the first attempt succeeds
    /// for at least four sets in five, whatever their size (tested).
    ///
    /// # Errors
    /// `InvalidArgument` if there are too many items.
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
        // Two hashes with the same three cells defeat an attempt. One set in 2.5·L²/n has such a pair; this
        // condition keeps that to at most one in sixteen.
        let pairs_are_rare =
            |bits: u32| bits == MAX_SEGMENT_BITS || 5u128 << (2 * bits) >= 32 * u128::from(items);
        let shapes = (2..=MAX_SEGMENT_BITS).filter(|&bits| pairs_are_rare(bits)).map(of_bits);
        match shapes.min_by_key(Self::cells) {
            Some(shape) if shape.cells() <= MAX_CELLS => Ok(shape),
            _ => Err(Error::invalid(format!(
                "a static structure has at most {MAX_CELLS} cells, and {items} items need more; build one \
                 for each part of the items"
            ))),
        }
    }

    /// Creates a shape from the numbers in a file; `None` if no set has such a shape.
    pub(crate) fn from_parts(segment_bits: u32, segments: u64) -> Option<Self> {
        if segments == 0 {
            return (segment_bits == 0).then_some(Self { segment_bits, first_cells: 0 });
        }
        if segment_bits > MAX_SEGMENT_BITS || segments < 3 || segments > MAX_CELLS >> segment_bits {
            return None;
        }
        Some(Self { segment_bits, first_cells: (segments - 2) << segment_bits })
    }

    /// Returns log₂ of the number of cells in a segment.
    pub(crate) fn segment_bits(&self) -> u32 {
        self.segment_bits
    }

    /// Returns the number of segments.
    pub(crate) fn segments(&self) -> u64 {
        self.cells() >> self.segment_bits
    }

    /// Returns the number of cells.
    pub(crate) fn cells(&self) -> u64 {
        if self.first_cells == 0 { 0 } else { self.first_cells + (2 << self.segment_bits) }
    }

    /// Returns the three cells of a spread hash, in ascending order and below `cells()`; arbitrary if there
    /// are no cells.
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

    /// Returns the three cells times 2^`shift`, in fewer steps than multiplying each. `shift` is at most 2.
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
