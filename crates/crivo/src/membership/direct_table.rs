//! The direct-address table: see [`DirectTable`].

use crate::bits::BitVec;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Params, Payload, check_same, shell};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The largest universe: 2⁴⁰ bits, 128 GiB, or 1 GiB on platforms with 32-bit addresses.
const MAX_UNIVERSE: u64 = if usize::BITS < 64 { 1 << 33 } else { 1 << 40 };

/// A direct-address table: the exact set of numbers below a bound, in one bit for each possible number.
///
/// # Use when / not when
/// Use it if the items are numbers of a small universe, many of which may occur: it is exact, and nothing is
/// faster. Not if the universe is large or the items are not numbers: a filter takes bits for each item
/// inside, not for each possible item.
///
/// # Guarantee
/// Exact: no false positives, no false negatives.
///
/// # Space
/// One bit for each number of the universe. A Bloom filter at 1 % is smaller as long as fewer than one number
/// in ten is inside.
///
/// # Time
/// One bit, one cache line.
///
/// # Merge
/// Exact: the union, bit for bit; commutative, associative and idempotent. [`intersect`](Self::intersect) is
/// exact too.
///
/// # Hostile input
/// Nothing is hashed, so nothing collides: no choice of numbers causes an error or slows it down.
///
/// # Example
/// ```
/// use crivo::baseline::DirectTable;
/// let mut ports = DirectTable::for_universe(1 << 16)?;
/// for port in [22, 80, 443] {
///     ports.insert(port)?;
/// }
/// assert!(ports.contains(443) && !ports.contains(8080));
/// assert!(ports.remove(22)?);
/// assert_eq!(ports.len(), 2);
/// assert!(ports.insert(1 << 16).is_err()); // beyond the universe
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// number   0  1  2  3  4  5  6  7  8  9        inside: 1, 4 and 5
/// bit      0  1  0  0  1  1  0  0  0  0
/// ```
///
/// # References
/// Knuth, The Art of Computer Programming, volume 3, section 6.4.
///
/// # Measured
/// `crivo-lab run c-direct-table`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct DirectTable {
    bits: BitVec,
    len: u64,
}

impl DirectTable {
    /// Creates an empty set of numbers below `universe`.
    ///
    /// # Errors
    /// `InvalidArgument` when `universe` is 0 or beyond 2⁴⁰.
    pub fn for_universe(universe: u64) -> Result<Self> {
        Universe::of(&[universe])?;
        Ok(Self { bits: BitVec::new(universe), len: 0 })
    }

    /// Inserts a number; returns true if it is new.
    ///
    /// # Errors
    /// `InvalidArgument` when the number is not below the universe; nothing changes then.
    pub fn insert(&mut self, number: u64) -> Result<bool> {
        self.check(number)?;
        let is_new = self.bits.set(number);
        self.len += u64::from(is_new);
        Ok(is_new)
    }

    /// Removes a number; returns true if it was inside.
    ///
    /// # Errors
    /// The errors of [`insert`](Self::insert).
    pub fn remove(&mut self, number: u64) -> Result<bool> {
        self.check(number)?;
        let was_inside = self.contains(number);
        if was_inside {
            self.bits.words_mut()[(number / 64) as usize] ^= 1 << (number % 64);
            self.len -= 1;
        }
        Ok(was_inside)
    }

    fn check(&self, number: u64) -> Result<()> {
        if number < self.universe() {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "{number} is not below the universe of {}; create a table with a larger universe",
            self.universe()
        )))
    }

    /// Returns whether the number is inside, with certainty. A number beyond the universe is not.
    #[inline]
    pub fn contains(&self, number: u64) -> bool {
        self.bits.get(number)
    }

    /// Returns the exact number of numbers inside.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns an iterator over the numbers inside, in ascending order.
    ///
    /// ```
    /// # use crivo::baseline::DirectTable;
    /// let mut table = DirectTable::for_universe(100)?;
    /// for number in [70, 3, 64] {
    ///     table.insert(number)?;
    /// }
    /// assert!(table.iter().eq([3, 64, 70]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.bits.words().iter().zip(0u64..).flat_map(|(&word, index)| {
            let rest = |word: &u64| Some(word & word.wrapping_sub(1)).filter(|&rest| rest != 0);
            let words = core::iter::successors(Some(word).filter(|&word| word != 0), rest);
            words.map(move |word| index * 64 + u64::from(word.trailing_zeros()))
        })
    }

    /// Intersects with another set of the same universe.
    ///
    /// ```
    /// # use crivo::baseline::DirectTable;
    /// let (mut even, mut small) = (DirectTable::for_universe(100)?, DirectTable::for_universe(100)?);
    /// for number in 0..50 {
    ///     even.insert(2 * number)?;
    /// }
    /// for number in 0..5 {
    ///     small.insert(number)?;
    /// }
    /// even.intersect(&small)?;
    /// assert!(even.iter().eq([0, 2, 4]));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Incompatible` if the universes differ; `self` is unchanged then.
    pub fn intersect(&mut self, other: &Self) -> Result<()> {
        check_same(self, other)?;
        for (word, &theirs) in self.bits.words_mut().iter_mut().zip(other.bits.words()) {
            *word &= theirs;
        }
        self.len = self.bits.count_ones();
        Ok(())
    }

    /// Removes all numbers.
    pub fn clear(&mut self) {
        self.bits.clear();
        self.len = 0;
    }

    /// Returns the size of the universe: every number inside is below it.
    pub fn universe(&self) -> u64 {
        self.bits.len()
    }
}

shell!(DirectTable: hashes_nothing, merges);

/// The params of a table: the size of its universe.
#[derive(Clone)]
pub(crate) struct Universe(u64);

impl Params for Universe {
    const REMEDY: &str = "build both with the same universe";
    const NAMES: &[&str] = &["universe"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let universe = numbers[0];
        if (1..=MAX_UNIVERSE).contains(&universe) {
            return Ok(Self(universe));
        }
        Err(Error::invalid(format!(
            "a table has a universe of 1 to {MAX_UNIVERSE} numbers, got {universe}; choose a size in between, or hash \
             the numbers into a filter"
        )))
    }

    fn memory_bytes(&self) -> u64 {
        self.0.div_ceil(64) * 8
    }
}

impl OfSize for DirectTable {
    type Params = Universe;

    fn params(&self) -> Universe {
        Universe(self.universe())
    }
}

impl Core for DirectTable {
    const KIND: Kind = Kind::DirectTable;

    fn heap_bytes(&self) -> usize {
        self.bits.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.bits.to_bytes(payload);
    }

    fn read(Universe(universe): Universe, file: &mut Payload<'_>) -> Result<Self> {
        let bits = BitVec::from_bytes(universe, file.bytes.take_rest())
            .ok_or_else(|| Error::malformed(format!("the payload is not {universe} bits")))?;
        let len = bits.count_ones();
        Ok(Self { bits, len })
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::count("len", self.len)]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.bits.union_with(&other.bits);
        self.len = self.bits.count_ones();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::collections::BTreeSet;

    #[test]
    fn behaves_as_a_set() {
        for universe in [1, 63, 64, 65, 1000] {
            let mut rng = Rng::new(universe);
            let (mut table, mut set) = (DirectTable::for_universe(universe).unwrap(), BTreeSet::new());
            for _ in 0..2000 {
                let number = rng.below(universe);
                if rng.below(2) == 0 {
                    assert_eq!(table.insert(number), Ok(set.insert(number)));
                } else {
                    assert_eq!(table.remove(number), Ok(set.remove(&number)));
                }
                assert_eq!((table.len(), table.contains(number)), (set.len() as u64, set.contains(&number)));
            }
            assert!(table.iter().eq(set.iter().copied()), "{universe}");
        }
    }

    #[test]
    fn what_is_beyond_the_universe_is_refused_and_not_inside() {
        let mut table = DirectTable::for_universe(100).unwrap();
        for number in [100, 127, 128, u64::MAX] {
            assert!(
                table.insert(number).is_err() && table.remove(number).is_err() && !table.contains(number)
            );
        }
        let other = DirectTable::for_universe(101).unwrap();
        assert_eq!(table.merge(&other).unwrap_err().kind(), crate::ErrorKind::Incompatible);
        assert_eq!(table.intersect(&other).unwrap_err().kind(), crate::ErrorKind::Incompatible);
        assert!(table.is_empty());
    }
}
