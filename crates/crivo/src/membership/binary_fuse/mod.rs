//! The binary fuse filter: see [`BinaryFuse`].

mod params;

pub use params::BinaryFuseParams;
pub(super) use params::Frozen;

use crate::fuse::{FuseProbe, Peeled};
use crate::hash::Item;
use crate::kind::Kind;
use crate::memory::{BATCH, CACHED_BYTES};
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Estimate, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;

/// A binary fuse filter: a set that never changes, in the fewest bits. It answers *certainly not inside* or
/// *probably inside*.
///
/// # Use when / not when
/// Use it for a set that is complete before the first query: a list that ships with a program, the keys of a
/// finished file. Not if items arrive one by one, or if sets are merged: a
/// [`BloomFilter`](crate::BloomFilter) does both.
///
/// # Guarantee
/// No false negatives, ever. An item that is not inside is reported with the probability [`fpr`](Self::fpr),
/// known exactly: 2^−width for fingerprints of `width` bits, plus the probability of two equal 64-bit hashes.
/// It never grows.
///
/// # Space
/// 1.13·width bits per item at a million items, fewer above (1.11 at ten million) and more below (1.26 at ten
/// thousand):
///
/// | rate | width | bits per item | 1 million items | a Bloom filter |
/// |---|---|---|---|---|
/// | 10 % | 4 | 4.52 | 0.57 MB | 0.60 MB |
/// | 1 % | 7 | 7.91 | 0.99 MB | 1.20 MB |
/// | 0.1 % | 10 | 11.31 | 1.41 MB | 1.80 MB |
///
/// Construction needs about 23 bytes per item, including the 8 bytes of its hash.
///
/// # Time
/// Three cells in neighbouring segments for every query, positive or negative. Widths of 8, 16 and 32 bits
/// are the fastest. [`contains_hashes`](Self::contains_hashes) overlaps the cache misses of many items.
/// Construction takes a few passes over the hashes; one set in twenty needs a second attempt.
///
/// # Merge
/// None. Build a filter of both sets instead.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that are all false positives, or a set for which every
/// attempt fails: construction then returns an error after 64 attempts and never loops forever. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::BinaryFuse;
/// let known = BinaryFuse::freeze(0..10_000u32, 0.01)?;
/// assert!((0..10_000u32).all(|page| known.contains(&page)));
/// let wrong = (10_000..110_000u32).filter(|page| known.contains(page)).count();
/// assert!((650..920).contains(&wrong), "{wrong} false positives in 100,000"); // 2⁻⁷ is 0.78 %
/// assert_eq!(known.len(), 10_000);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///                 segment 1     segment 2     segment 3     segment 4
///                ┌────────────┬─────────────┬─────────────┬────────────┐
/// "sieve" → hash │       5    │ 9           │       3     │            │   5 ⊕ 9 ⊕ 3 is the fingerprint
///                └───────↑────┴─↑───────────┴───────↑─────┴────────────┘   of the hash: reported
/// ```
/// The cells are filled so that this holds for every item. Some cell belongs to one item alone; it is set
/// last, so that the item is correct whatever its other two cells hold. Without that item, another item is
/// alone in a cell, and so on. Items near both ends are alone in a cell from the start; the others follow
/// like the teeth of a zip.
///
/// # References
/// Graf and Lemire, doi:10.1145/3510449 · peeling through segments: Walzer, doi:10.1137/1.9781611976465.131 ·
/// fingerprints from xored cells: Dietzfelbinger and Pagh, doi:10.1007/978-3-540-70575-8_32.
///
/// # Measured
/// `crivo-lab run c-binary-fuse`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct BinaryFuse {
    spec: HashSpec,
    probe: FuseProbe,
    items: u64,
    cells: Vec<u8>,
}

impl BinaryFuse {
    /// Builds the filter of these items, with the default hash, at a false-positive rate of at most `fpr`.
    ///
    /// ```
    /// # use crivo::BinaryFuse;
    /// let filter = BinaryFuse::freeze(["sand", "gravel", "sand"], 0.001)?;
    /// assert!(filter.contains("gravel"));
    /// assert_eq!(filter.len(), 2); // a duplicate is inside once
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`BinaryFuseParams::for_fpr`] and [`freeze_hashes`](Self::freeze_hashes).
    pub fn freeze<T: Item>(items: impl IntoIterator<Item = T>, fpr: f64) -> Result<Self> {
        // An invalid rate is refused before the items are read.
        BinaryFuseParams::for_fpr(1, fpr)?;
        let spec = HashSpec::default();
        let peeled = Peeled::new(&mut items.into_iter().map(|item| spec.hash(&item)).collect::<Vec<u64>>())?;
        Ok(Self::of(&peeled, BinaryFuseParams::for_fpr(peeled.items.max(1) as u64, fpr)?, spec))
    }

    /// Builds the filter of the items with these hashes, which `spec` computed.
    ///
    /// The bytes depend on the set alone, not on the order or repetition of the hashes.
    ///
    /// ```
    /// # use crivo::{BinaryFuse, HashSpec};
    /// # use crivo::membership::BinaryFuseParams;
    /// let spec = HashSpec::seeded(7);
    /// let hashes = ["sand", "gravel"].map(|item| spec.hash(item));
    /// let filter = BinaryFuse::freeze_hashes(hashes, BinaryFuseParams::with_width(8)?, spec)?;
    /// assert!(filter.contains("sand"));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for more hashes than a filter can hold, about 3.8 billion; `Unsupported` if the
    /// hashes were chosen so that all 64 attempts fail.
    pub fn freeze_hashes(
        hashes: impl IntoIterator<Item = u64>,
        params: BinaryFuseParams,
        spec: HashSpec,
    ) -> Result<Self> {
        // The hashes are freed before the cells are allocated: both at once would take the most memory.
        let peeled = Peeled::new(&mut hashes.into_iter().collect::<Vec<u64>>())?;
        Ok(Self::of(&peeled, params, spec))
    }

    fn of(peeled: &Peeled, params: BinaryFuseParams, spec: HashSpec) -> Self {
        let (probe, cells) = peeled.fill(params.width(), 0, |_| 0);
        Self { spec, probe, items: peeled.items as u64, cells }
    }

    /// Returns whether the item with this hash may be inside.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.probe.contains(&self.cells, hash)
    }

    /// Returns whether each of many items may be inside, overlapping the cache misses.
    ///
    /// ```
    /// # use crivo::{BinaryFuse, HashSpec};
    /// # use crivo::membership::BinaryFuseParams;
    /// let params = BinaryFuseParams::with_width(32)?;
    /// let filter = BinaryFuse::freeze_hashes([1 << 40, 2 << 40], params, HashSpec::default())?;
    /// assert_eq!(filter.contains_hashes(&[2 << 40, 3 << 40]), [true, false]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        let mut answers = Vec::with_capacity(hashes.len());
        for block in hashes.chunks(BATCH) {
            if self.cells.len() >= CACHED_BYTES {
                for &hash in block {
                    self.probe.prefetch(&self.cells, hash);
                }
            }
            answers.extend(block.iter().map(|&hash| self.contains_hash(hash)));
        }
        answers
    }

    /// Returns the probability that an item that is not inside is reported; 0 if nothing is inside.
    ///
    /// ```
    /// # use crivo::BinaryFuse;
    /// let filter = BinaryFuse::freeze(0..1000u32, 0.01)?;
    /// assert_eq!(format!("{:.5}", filter.fpr()), "0.00781");
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn fpr(&self) -> Estimate {
        Estimate::exact(self.params().fpr_at(self.items))
    }

    /// Returns the number of distinct items inside (strictly speaking, of distinct hashes).
    pub fn len(&self) -> u64 {
        self.items
    }

    /// Returns whether nothing is inside.
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// Returns the parameters.
    pub fn params(&self) -> BinaryFuseParams {
        BinaryFuseParams::of_width(self.probe.width())
    }
}

shell!(BinaryFuse: hashes, filter);

impl OfSize for BinaryFuse {
    type Params = Frozen;

    fn params(&self) -> Frozen {
        Frozen { probe: self.probe, items: self.items }
    }
}

impl Core for BinaryFuse {
    const KIND: Kind = Kind::BinaryFuse;

    fn heap_bytes(&self) -> usize {
        self.cells.capacity()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend_from_slice(&self.cells[..self.probe.cell_bytes() as usize]);
    }

    fn read(Frozen { probe, items }: Frozen, file: &mut Payload<'_>) -> Result<Self> {
        probe.check_length(file.bytes.rest())?;
        let cells = probe.read_cells(file.bytes.take_rest())?;
        Ok(Self { spec: file.spec, probe, items, cells })
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::rate("fpr", self.fpr())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::fuse::{ATTEMPTS, Shape, spread};
    use crate::rng::Rng;
    use alloc::format;

    fn of_width(hashes: &[u64], width: u32) -> Result<BinaryFuse> {
        let params = BinaryFuseParams::with_width(width)?;
        BinaryFuse::freeze_hashes(hashes.iter().copied(), params, HashSpec::default())
    }

    #[test]
    fn every_width_knows_its_items() {
        let mut rng = Rng::new(1);
        for width in 1..=32 {
            for items in [0usize, 1, 2, 3, 10, 500] {
                let hashes: Vec<u64> = (0..items).map(|_| rng.next_u64()).collect();
                let filter = of_width(&hashes, width).unwrap();
                assert!(hashes.iter().all(|&hash| filter.contains_hash(hash)), "{width} {items}");
                assert_eq!(filter.contains_hashes(&hashes), vec![true; items]);
                assert_eq!(filter.len(), items as u64);
                let planned = filter.params().plan(items as u64).unwrap();
                assert_eq!(planned.memory_bytes, filter.memory_bytes() as u64, "{width} {items}");
            }
        }
    }

    #[test]
    fn an_empty_filter_says_no() {
        let mut rng = Rng::new(2);
        for width in [1, 7, 8, 16, 32] {
            let filter = of_width(&[], width).unwrap();
            assert!((0..1000).all(|_| !filter.contains_hash(rng.next_u64())));
            assert!(!filter.contains_hash(0) && filter.is_empty() && filter.fpr().value() == 0.0);
        }
    }

    /// Consecutive numbers are the worst hashes for the first attempt, since all have the same cells there.
    #[test]
    fn weak_hashes_are_no_obstacle() {
        for step in [1, 3, 1 << 20, 1 << 32, 1 << 40] {
            let hashes: Vec<u64> = (0..5000).map(|i| i * step).collect();
            let filter = of_width(&hashes, 8).unwrap();
            assert!(hashes.iter().all(|&hash| filter.contains_hash(hash)), "{step}");
        }
    }

    /// 256 hashes in one cell overflow its counter, which then looks empty; one of the hashes is alone in
    /// another cell.
    #[test]
    fn a_crowded_cell_is_noticed() {
        let grid = (0..255).map(|i| ((i / 17) << 18) | (i % 17));
        let hashes: Vec<u64> = grid.chain([63 << 18 | 63]).collect();
        let filter = of_width(&hashes, 8).unwrap();
        assert!(filter.len() == 256 && hashes.iter().all(|&hash| filter.contains_hash(hash)));
    }

    #[test]
    fn repeats_are_nothing() {
        let mut rng = Rng::new(3);
        for items in [1usize, 2, 50, 3000] {
            let hashes: Vec<u64> = (0..items).map(|_| rng.next_u64()).collect();
            let once = of_width(&hashes, 9).unwrap();
            for times in [2, 3, 256, 257] {
                let often = of_width(&hashes.repeat(times), 9).unwrap();
                assert_eq!(often.to_bytes(), once.to_bytes(), "{items} items {times} times");
            }
        }
    }

    /// Pairs that share all three cells at every attempt: what an adversary would choose.
    #[test]
    fn a_hostile_set_ends_in_an_error() {
        let mut rng = Rng::new(4);
        let mut hashes = Vec::new();
        let size = 2 * usize::from(ATTEMPTS);
        let shape = Shape::for_items(size as u64).unwrap();
        for attempt in 0..ATTEMPTS {
            let mut seen = alloc::collections::BTreeMap::new();
            loop {
                let hash = rng.next_u64();
                if let Some(other) = seen.insert(shape.places(spread(hash, attempt)), hash) {
                    hashes.extend([hash, other]);
                    break;
                }
            }
        }
        let error = of_width(&hashes, 8).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(format!("{error}").contains("128"), "{error}");
        // With one hash fewer the sizes differ, and construction succeeds.
        assert!(of_width(&hashes[1..], 8).is_ok());
    }

    /// Sizes at which other implementations are known to fail: just after the segments double (11,480 to
    /// 11,521 items).
    #[test]
    fn every_small_size_works() {
        let mut rng = Rng::new(5);
        for items in (0..300).chain((300..2000).step_by(37)).chain((11_400..=11_600).step_by(20)) {
            let hashes: Vec<u64> = (0..items).map(|_| rng.next_u64()).collect();
            let filter = of_width(&hashes, 8).unwrap();
            assert!(hashes.iter().all(|&hash| filter.contains_hash(hash)), "{items}");
        }
    }

    #[test]
    #[ignore = "long tier: 22,000 filters"]
    fn every_small_size_works_ten_times() {
        let mut rng = Rng::new(6);
        for items in (0..=2000).chain(11_400..=11_600) {
            for _ in 0..10 {
                let hashes: Vec<u64> = (0..items).map(|_| rng.next_u64()).collect();
                let filter = of_width(&hashes, 8).unwrap();
                assert!(hashes.iter().all(|&hash| filter.contains_hash(hash)), "{items}");
                assert!(filter.probe.attempt() < 12, "{items} items: attempt {}", filter.probe.attempt());
            }
        }
    }

    #[test]
    fn rates_are_met_with_the_number_that_came() {
        for fpr in [0.5, 0.25, 0.1, 0.01, 1e-6] {
            let filter = BinaryFuse::freeze(0..1000u32, fpr).unwrap();
            assert!(filter.fpr().value() <= fpr && filter.fpr().value() * 2.0 > fpr, "{fpr}");
        }
        assert!(BinaryFuse::freeze(0..1000u32, 1e-12).is_err());
        assert!(BinaryFuse::freeze(0..1000u32, f64::NAN).is_err());
    }
}
