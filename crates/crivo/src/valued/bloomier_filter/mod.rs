//! The Bloomier filter: see [`BloomierFilter`].

mod params;

pub use params::BloomierParams;

use crate::fuse::{FuseProbe, Peeled};
use crate::hash::Item;
use crate::kind::Kind;
use crate::memory::{CACHED_BYTES, answer_in_batches};
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use params::Frozen;

/// A Bloomier filter: an immutable key–value map that stores no keys, and returns no value for most other keys.
///
/// # Use when / not when
/// Use it for a map that is complete before the first query and whose values have a few bits: the shard of a record,
/// the language of a word. Not for values that arrive one by one ([`LinearBloom`](crate::LinearBloom) takes those, and
/// sometimes answers too high), nor where a key outside the map must never get a value: keep the keys, in a hash map.
/// Without values it is a [`BinaryFuse`](crate::BinaryFuse).
///
/// # Guarantee
/// The value of every key of the map is always correct. Any other key gets a value with the probability
/// [`fpr`](Self::fpr), known exactly: 2^−check for a check of `check` bits, plus the probability of a collision of
/// 64-bit hashes. Without a check every key gets a value.
///
/// # Space
/// 1.13 bits for each bit of value and check at a million keys, less above (1.11 at ten million) and more below (1.17
/// at a hundred thousand, 1.26 at ten thousand):
///
/// | value | check | other keys that get a value | bits per key | 1 million keys |
/// |---|---|---|---|---|
/// | 1 bit | none | all | 1.13 | 0.14 MB |
/// | 8 bits | none | all | 9.04 | 1.13 MB |
/// | 8 bits | 7 bits | 0.78 % | 16.96 | 2.12 MB |
/// | 32 bits | 10 bits | 0.1 % | 47.48 | 5.94 MB |
///
/// Construction needs about 40 bytes per key, including the 16 of its hash and value.
///
/// # Time
/// A query reads three cells in neighbouring segments. Cells of 8, 16 and 32 bits (value and check together) are the
/// fastest. [`value_hashes`](Self::value_hashes) overlaps the cache misses of many keys. Construction takes a few
/// passes over the keys.
///
/// # Merge
/// Not supported. Build a new filter from both maps.
///
/// # Hostile input
/// An attacker who knows the seed can choose keys that all get a value, or keys for which every attempt at construction
/// fails: that is an error after 64 attempts, never an endless loop. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::BloomierFilter;
/// let shards = BloomierFilter::freeze((0..10_000u32).map(|record| (record, u64::from(record % 16))), 4, 0.01)?;
/// assert!((0..10_000u32).all(|record| shards.value(&record) == Some(u64::from(record % 16))));
/// let wrong = (10_000..110_000u32).filter(|record| shards.value(record).is_some()).count();
/// assert!((650..920).contains(&wrong), "{wrong} of 100,000 other records have a shard"); // 2⁻⁷ is 0.78 %
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///                 segment 1     segment 2     segment 3     segment 4
///                ┌────────────┬─────────────┬─────────────┬────────────┐
/// "sieve" → hash │     5·2    │ 9·7         │     8·1     │            │   5⊕9⊕8 is the fingerprint of the hash:
///                └───────↑────┴─↑───────────┴───────↑─────┴────────────┘   the value is 2⊕7⊕1, 4
/// ```
/// Some cell belongs to one key alone. It is set last, so that this key is right whatever the other two cells hold.
/// Without that key, another key has a cell of its own, and so on.
///
/// # References
/// Chazelle, Kilian, Rubinfeld and Tal, SODA 2004, doi:10.5555/982792.982797 · values from xored cells: Dietzfelbinger and
/// Pagh, doi:10.1007/978-3-540-70575-8_32 · the segments: Graf and Lemire, doi:10.1145/3510449, and Walzer,
/// doi:10.1137/1.9781611976465.131.
///
/// # Measured
/// `crivo-lab run c-bloomier-filter`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct BloomierFilter {
    params: BloomierParams,
    spec: HashSpec,
    probe: FuseProbe,
    items: u64,
    cells: Vec<u8>,
}

impl BloomierFilter {
    /// Builds the map of these keys to values of `value_bits` bits, with the default hash. At most a share of `fpr` of
    /// other keys gets a value.
    ///
    /// ```
    /// # use crivo::BloomierFilter;
    /// let ages = BloomierFilter::freeze([("ana", 41), ("rui", 7), ("ana", 41)], 7, 0.001)?;
    /// assert_eq!((ages.value("rui"), ages.len()), (Some(7), 2));
    /// assert!(BloomierFilter::freeze([("ana", 41), ("ana", 42)], 7, 0.001).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`BloomierParams::for_fpr`] and [`freeze_hashes`](Self::freeze_hashes) do.
    pub fn freeze<T: Item>(
        entries: impl IntoIterator<Item = (T, u64)>,
        value_bits: u32,
        fpr: f64,
    ) -> Result<Self> {
        // Refuses a bad rate before the keys are read.
        let smallest = BloomierParams::for_fpr(value_bits, 1, fpr)?;
        let spec = HashSpec::default();
        let hashed = entries.into_iter().map(|(key, value)| (spec.hash(&key), value));
        let mut pairs = hashed.collect();
        let peeled = Self::peel(&mut pairs, smallest)?;
        let params = BloomierParams::for_fpr(value_bits, peeled.items.max(1) as u64, fpr)?;
        Ok(Self::of(&peeled, &pairs, params, spec))
    }

    /// Builds the map from pairs of the hash of a key, made by `spec`, and its value.
    ///
    /// The bytes depend only on the set of pairs, not on their order or repetition.
    ///
    /// ```
    /// # use crivo::{BloomierFilter, HashSpec};
    /// # use crivo::valued::BloomierParams;
    /// let spec = HashSpec::seeded(7);
    /// let pairs = [("sand", 3), ("gravel", 9)].map(|(key, value)| (spec.hash(key), value));
    /// let map = BloomierFilter::freeze_hashes(pairs, BloomierParams::exact(4, 12)?, spec)?;
    /// assert_eq!(map.value("gravel"), Some(9));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` for a value with too many bits, a key with two values, or more keys than a filter can
    /// hold, about 3.8 billion; `Unsupported` if hashes were chosen such that none of 64 attempts works.
    pub fn freeze_hashes(
        pairs: impl IntoIterator<Item = (u64, u64)>,
        params: BloomierParams,
        spec: HashSpec,
    ) -> Result<Self> {
        let mut pairs = pairs.into_iter().collect();
        let peeled = Self::peel(&mut pairs, params)?;
        Ok(Self::of(&peeled, &pairs, params, spec))
    }

    fn peel(pairs: &mut Vec<(u64, u64)>, params: BloomierParams) -> Result<Peeled> {
        if let Some((_, value)) = pairs.iter().find(|(_, value)| *value > params.max_value()) {
            return Err(Error::invalid(format!(
                "values of {} bits are at most {}, got {value}; choose more bits",
                params.value_bits(),
                params.max_value()
            )));
        }
        Peeled::new(pairs)
    }

    fn of(peeled: &Peeled, pairs: &[(u64, u64)], params: BloomierParams, spec: HashSpec) -> Self {
        let values = peeled.numbers(pairs);
        let (probe, cells) = peeled.fill(params.width(), params.check_bits(), |cell| values[cell]);
        Self { params, spec, probe, items: peeled.items as u64, cells }
    }

    /// Returns the value of a key. `None` means that the key is certainly not in the map.
    #[inline]
    pub fn value<T: Item + ?Sized>(&self, key: &T) -> Option<u64> {
        self.value_hash(self.spec.hash(key))
    }

    /// Returns the value of the key with this hash.
    #[inline]
    pub fn value_hash(&self, hash: u64) -> Option<u64> {
        let check_bits = self.params.check_bits();
        match self.probe.quick_rest(&self.cells, hash) {
            Some(rest) => {
                let is_inside = rest & ((1 << check_bits) - 1) == 0;
                is_inside.then_some(u64::from(rest >> check_bits) & self.params.max_value())
            }
            None => self.value_by_bits(hash),
        }
    }

    #[inline(never)]
    fn value_by_bits(&self, hash: u64) -> Option<u64> {
        let check_bits = self.params.check_bits();
        if self.probe.is_wide() {
            let rest = self.probe.rest_of_wide(&self.cells, hash)?;
            let is_inside = (rest as u64) & ((1 << check_bits) - 1) == 0;
            return is_inside.then_some((rest >> check_bits) as u64 & self.params.max_value());
        }
        let rest = self.probe.rest_by_bits(&self.cells, hash)?;
        let is_inside = rest & ((1 << check_bits) - 1) == 0;
        is_inside.then_some(rest >> check_bits & self.params.max_value())
    }

    /// Returns the values of many keys, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::{BloomierFilter, HashSpec};
    /// # use crivo::valued::BloomierParams;
    /// let params = BloomierParams::exact(8, 32)?;
    /// let map = BloomierFilter::freeze_hashes([(1 << 40, 5), (2 << 40, 6)], params, HashSpec::default())?;
    /// assert_eq!(map.value_hashes(&[2 << 40, 3 << 40]), [Some(6), None]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn value_hashes(&self, hashes: &[u64]) -> Vec<Option<u64>> {
        let prefetch = |batch: &[u64]| {
            if self.cells.len() >= CACHED_BYTES {
                for &hash in batch {
                    self.probe.prefetch(&self.cells, hash);
                }
            }
        };
        answer_in_batches(hashes, prefetch, |hash| self.value_hash(hash))
    }

    /// Returns the probability that a key outside the map gets a value; 0 for an empty map.
    ///
    /// ```
    /// # use crivo::BloomierFilter;
    /// let map = BloomierFilter::freeze((0..1000u32).map(|key| (key, 1)), 1, 0.01)?;
    /// assert_eq!(format!("{:.5}", map.fpr()), "0.00781");
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.params.fpr_at(self.items))
    }

    /// Returns the number of distinct keys, or more exactly of distinct hashes.
    pub fn len(&self) -> u64 {
        self.items
    }

    /// Returns whether the map is empty.
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// Returns the bits of values and checks.
    pub fn params(&self) -> BloomierParams {
        self.params
    }
}

shell!(BloomierFilter: hashes);

impl OfSize for BloomierFilter {
    type Params = Frozen;

    fn params(&self) -> Frozen {
        Frozen { params: self.params, probe: self.probe, items: self.items }
    }
}

impl Core for BloomierFilter {
    const KIND: Kind = Kind::BloomierFilter;

    fn heap_bytes(&self) -> usize {
        self.cells.capacity()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend_from_slice(&self.cells[..self.probe.cell_bytes() as usize]);
    }

    fn read(Frozen { params, probe, items }: Frozen, file: &mut Payload<'_>) -> Result<Self> {
        probe.check_length(file.bytes.rest())?;
        let cells = probe.read_cells(file.bytes.take_rest())?;
        Ok(Self { params, spec: file.spec, probe, items, cells })
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::rate("fpr", self.fpr())]
    }
}

#[cfg(test)]
mod tests;
