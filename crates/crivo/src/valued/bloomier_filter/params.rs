//! How wide values and checks are, and what they cost.

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

/// The size of a [`BloomierFilter`](super::BloomierFilter): the bits of a value, and those of a check that tells keys
/// from others. The number of cells follows from the keys.
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
    /// The shortest check with which a share of at most `fpr` of all other keys gets a value, beside `items` keys.
    ///
    /// # Errors
    /// `InvalidArgument` when `value_bits` is not 1 to 64, `items` is 0, or `fpr` is not strictly between 0 and 1 or out
    /// of reach of 32 bits and 64-bit hashes.
    pub fn for_fpr(value_bits: u32, items: u64, fpr: f64) -> Result<Self> {
        Self::exact(value_bits, BinaryFuseParams::for_fpr(items, fpr)?.width())
    }

    /// Values and checks of exactly so many bits. Without a check, of 0 bits, every key has a value: right for the keys
    /// of the set, anything for others.
    ///
    /// # Errors
    /// `InvalidArgument` unless `value_bits` is 1 to 64 and `check_bits` 0 to 32.
    pub fn exact(value_bits: u32, check_bits: u32) -> Result<Self> {
        if !(1..=MAX_VALUE_BITS).contains(&value_bits) {
            return Err(Error::invalid(format!(
                "values have from 1 to {MAX_VALUE_BITS} bits, got {value_bits}; a set without values is a BinaryFuse"
            )));
        }
        if check_bits > MAX_CHECK_BITS {
            return Err(Error::invalid(format!(
                "checks have up to {MAX_CHECK_BITS} bits, got {check_bits}; 8 is usual"
            )));
        }
        Ok(Self { value_bits, check_bits })
    }

    /// The bits of a value.
    pub fn value_bits(&self) -> u32 {
        self.value_bits
    }

    /// The bits of a check.
    pub fn check_bits(&self) -> u32 {
        self.check_bits
    }

    /// The bits of a cell.
    pub(super) fn width(self) -> u32 {
        self.value_bits + self.check_bits
    }

    /// The largest value.
    pub fn max_value(&self) -> u64 {
        u64::MAX >> (64 - self.value_bits)
    }

    /// The share of all other keys that get a value, with `items` different keys inside: 2^−check, and the chance that a
    /// key's 64-bit hash is that of one inside. An empty filter gives none.
    pub fn fpr_at(&self, items: u64) -> f64 {
        fpr(self.check_bits, items)
    }

    /// The memory of a filter of `items` different keys, in bytes.
    ///
    /// ```
    /// use crivo::valued::BloomierParams;
    /// let params = BloomierParams::exact(8, 8)?;
    /// assert!(params.memory_bytes(1_000_000)? < 2_270_000); // 18.1 bits a key
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` when there are too many keys: more than about 3.8 billion.
    pub fn memory_bytes(&self, items: u64) -> Result<u64> {
        Ok(size_of::<BloomierFilter>() as u64 + memory_bytes(Shape::for_items(items)?, self.width()))
    }
}

/// What a file says of a filter: the cells of its items.
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
