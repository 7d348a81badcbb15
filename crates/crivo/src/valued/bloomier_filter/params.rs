//! Parameters of a Bloomier filter: the bits of values and checks, and their cost.

use super::BloomierFilter;
use crate::fuse::{FuseProbe, Shape, fpr, memory_bytes};
use crate::membership::BinaryFuseParams;
use crate::sketch::{Fact, Params, narrow};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

const MAX_VALUE_BITS: u32 = 64;
const MAX_CHECK_BITS: u32 = 32;

/// The size of a [`BloomierFilter`](super::BloomierFilter): the bits of a value, and of a check that separates the keys
/// of the map from other keys. The number of cells follows from the number of keys.
///
/// ```
/// use crivo::valued::BloomierParams;
/// let params = BloomierParams::for_fpr(4, 1_000_000, 0.001)?;
/// assert_eq!((params.value_bits(), params.check_bits()), (4, 10));
/// assert!(params.fpr_at(1_000_000) <= 0.001);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BloomierParams {
    value_bits: u32,
    check_bits: u32,
}

impl BloomierParams {
    /// Returns the shortest check with which at most a share of `fpr` of all other keys gets a value, in a map of
    /// `items` keys.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `value_bits` is 1 to 64, `items` is at least 1, and `fpr` lies strictly between
    /// 0 and 1 and is possible with 32 bits and 64-bit hashes.
    pub fn for_fpr(value_bits: u32, items: u64, fpr: f64) -> Result<Self> {
        Self::exact(value_bits, BinaryFuseParams::for_fpr(items, fpr)?.width())
    }

    /// Returns values and checks of exactly these widths. Without a check (0 bits) every key gets a value: the correct
    /// one for keys of the map, an arbitrary one for others.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `value_bits` is 1 to 64 and `check_bits` 0 to 32.
    pub fn exact(value_bits: u32, check_bits: u32) -> Result<Self> {
        if !(1..=MAX_VALUE_BITS).contains(&value_bits) {
            return Err(Error::invalid(format!(
                "values have 1 to {MAX_VALUE_BITS} bits, got {value_bits}; for a set without values use BinaryFuse"
            )));
        }
        if check_bits > MAX_CHECK_BITS {
            return Err(Error::invalid(format!(
                "checks have 0 to {MAX_CHECK_BITS} bits, got {check_bits}; 8 is usual"
            )));
        }
        Ok(Self { value_bits, check_bits })
    }

    /// Returns the bits of a value.
    pub fn value_bits(&self) -> u32 {
        self.value_bits
    }

    /// Returns the bits of a check.
    pub fn check_bits(&self) -> u32 {
        self.check_bits
    }

    /// Returns the bits of a cell.
    pub(super) fn width(self) -> u32 {
        self.value_bits + self.check_bits
    }

    /// Returns the largest value.
    pub fn max_value(&self) -> u64 {
        u64::MAX >> (64 - self.value_bits)
    }

    /// Returns the share of all other keys that get a value, with `items` distinct keys in the map: 2^−check, plus the
    /// probability that the 64-bit hash of a key equals that of a key of the map. For an empty map it is 0.
    pub fn fpr_at(&self, items: u64) -> f64 {
        fpr(self.check_bits, items)
    }

    /// Returns the memory of a filter of `items` distinct keys, in bytes.
    ///
    /// ```
    /// use crivo::valued::BloomierParams;
    /// let params = BloomierParams::exact(8, 8)?;
    /// assert!(params.memory_bytes(1_000_000)? < 2_270_000); // 18.1 bits per key
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` if there are too many keys: more than about 3.8 billion.
    pub fn memory_bytes(&self, items: u64) -> Result<u64> {
        Ok(size_of::<BloomierFilter>() as u64 + memory_bytes(Shape::for_items(items)?, self.width()))
    }
}

/// The parameters in a file: the size, and the cells that the number of items needs.
#[derive(Clone)]
pub(crate) struct Frozen {
    pub(super) params: BloomierParams,
    pub(super) probe: FuseProbe,
    pub(super) items: u64,
}

impl Params for Frozen {
    const NAMES: &[&str] = &["value_bits", "check_bits", "attempt", "segment_bits", "segments", "items"];

    fn numbers(&self) -> Vec<u64> {
        let bits = [self.params.value_bits.into(), self.params.check_bits.into()];
        [&bits[..], &self.probe.numbers(self.items)].concat()
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let params = BloomierParams::exact(narrow(numbers[0])?, narrow(numbers[1])?)?;
        Ok(Self { params, probe: FuseProbe::of(params.width(), &numbers[2..])?, items: numbers[5] })
    }

    fn memory_bytes(&self) -> u64 {
        size_of::<BloomierFilter>() as u64 + self.probe.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::count("value_bits", self.params.value_bits.into()),
            Fact::count("check_bits", self.params.check_bits.into()),
            Fact::count("cells", self.probe.cells()),
            Fact::count("items", self.items),
        ]
    }
}
