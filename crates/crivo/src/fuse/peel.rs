//! Construction: from a set of hashes to filled cells, by peeling.

use super::cells::{xor_of_cells, xor_of_wide_cells};
use super::probe::{FuseProbe, fingerprint, is_wide, memory_bytes, spread};
use super::shape::Shape;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The number of attempts to peel a set, each with other cells for every hash.
pub(crate) const ATTEMPTS: u8 = 64;

/// Up to this many hashes, all cells stay in the cache whatever the order of the hashes.
const CACHED_HASHES: usize = 1 << 15;

/// A hash, and the number that is stored with it.
pub(crate) trait Entry: Copy + Ord {
    fn hash(self) -> u64;
    fn number(self) -> u64;
}

/// A set stores nothing with a hash.
impl Entry for u64 {
    #[inline]
    fn hash(self) -> u64 {
        self
    }

    #[inline]
    fn number(self) -> u64 {
        0
    }
}

impl Entry for (u64, u64) {
    #[inline]
    fn hash(self) -> u64 {
        self.0
    }

    #[inline]
    fn number(self) -> u64 {
        self.1
    }
}

/// A peeled set: every hash with a cell of its own.
///
/// A cell that only one hash maps to belongs to that hash. Once this hash is removed, other hashes may be
/// alone in their cells; they are *peeled* next, until none is left. When cells are filled in reverse order,
/// each hash finds its own cell empty and its other two cells final.
pub(crate) struct Peeled {
    shape: Shape,
    attempt: u8,
    /// The number of distinct hashes.
    pub(crate) items: usize,
    /// The spread hash in the cell that belongs to it; 0 in the other cells.
    sums: Vec<u64>,
    /// From `start` on: the cells that belong to hashes, the last peeled first.
    order: Vec<u32>,
    start: usize,
}

impl Peeled {
    /// Peels a set. Hashes may be repeated, and their order does not matter: the result depends on the set
    /// alone. The entries are reordered, and duplicates may be removed.
    ///
    /// # Errors
    /// `InvalidArgument` if there are too many hashes or one hash has two numbers; `Unsupported` if no
    /// attempt succeeds.
    pub(crate) fn new<E: Entry>(entries: &mut Vec<E>) -> Result<Self> {
        entries.shrink_to_fit();
        if let Some(peeled) = Self::attempt(entries, 0)? {
            return Ok(peeled);
        }
        // Duplicate hashes defeat every attempt. Looking for them costs more than the first attempt, which
        // usually shows that there are none.
        let count = entries.len();
        entries.sort_unstable();
        entries.dedup();
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].hash() == pair[1].hash()) {
            return Err(Error::invalid(format!(
                "a key must have one value, but the key with the hash {:#x} has {} and {}; keep one of them",
                pair[0].hash(),
                pair[0].number(),
                pair[1].number()
            )));
        }
        entries.shrink_to_fit();
        let first = u8::from(entries.len() == count);
        for attempt in first..ATTEMPTS {
            if let Some(peeled) = Self::attempt(entries, attempt)? {
                return Ok(peeled);
            }
        }
        Err(Error::unsupported(format!(
            "{ATTEMPTS} attempts to place {} hashes failed, which happens only to hashes chosen by an \
             attacker; hash the items with a secret key",
            entries.len()
        )))
    }

    fn attempt<E: Entry>(entries: &mut [E], attempt: u8) -> Result<Option<Self>> {
        let shape = Shape::for_items(entries.len() as u64)?;
        if entries.len() > CACHED_HASHES {
            gather(entries, |entry| (spread(entry.hash(), attempt) >> 56) as usize);
        }
        let cells = shape.cells() as usize;
        let mut sums = vec![0u64; cells];
        let mut counts = vec![0u8; cells];
        let mut too_many = false;
        for entry in &*entries {
            let spread = spread(entry.hash(), attempt);
            for place in shape.places(spread) {
                let place = place as usize;
                sums[place] ^= spread;
                counts[place] = counts[place].wrapping_add(1);
                too_many |= counts[place] == 0;
            }
        }
        if too_many {
            return Ok(None);
        }
        // The low part holds the cells that wait to be peeled, the high part those that were peeled. A cell
        // waits at most once, so both fit, and the spare element keeps them apart.
        let mut order = vec![0u32; cells + 1];
        let mut waiting = 0;
        for (place, &count) in counts.iter().enumerate() {
            order[waiting] = place as u32;
            waiting += usize::from(count == 1);
        }
        let mut start = order.len();
        while waiting > 0 {
            waiting -= 1;
            let own = order[waiting];
            // Its hash may have been peeled through another of its cells.
            if counts[own as usize] == 0 {
                continue;
            }
            start -= 1;
            order[start] = own;
            let spread = sums[own as usize];
            for place in shape.places(spread) {
                sums[place as usize] ^= spread;
                counts[place as usize] -= 1;
                order[waiting] = place as u32;
                waiting += usize::from(counts[place as usize] == 1);
            }
            sums[own as usize] = spread;
        }
        let items = entries.len();
        let is_whole = order.len() - start == items;
        Ok(is_whole.then_some(Self { shape, attempt, items, sums, order, start }))
    }

    /// Returns, for each cell that belongs to a hash, the number that is stored with the hash. `entries` are
    /// the peeled ones.
    ///
    /// Carrying the numbers along while peeling takes more time than this pass at the end.
    pub(crate) fn numbers<E: Entry>(&self, entries: &[E]) -> Vec<u64> {
        let mut numbers = vec![0; self.sums.len()];
        for entry in entries {
            let spread = spread(entry.hash(), self.attempt);
            let places = self.shape.places(spread).map(|place| place as usize);
            if spread == 0 {
                // The sum 0 also marks cells that belong to no hash. They get the number too, which is harmless:
                // nothing reads it.
                for place in places.into_iter().filter(|&place| self.sums[place] == 0) {
                    numbers[place] = entry.number();
                }
                continue;
            }
            // A selection rather than a branch: which of the three it is cannot be predicted.
            let own = if self.sums[places[0]] == spread { places[0] } else { places[2] };
            let own = if self.sums[places[1]] == spread { places[1] } else { own };
            numbers[own] = entry.number();
        }
        numbers
    }

    /// Returns the cells of `width` bits, and the probe that queries need. The xor of the cells of a hash is
    /// its fingerprint, xored with the value of `number` for its own cell, shifted left by `shift` bits.
    pub(crate) fn fill(&self, width: u32, shift: u32, number: impl Fn(usize) -> u64) -> (FuseProbe, Vec<u8>) {
        let mut cells = vec![0; memory_bytes(self.shape, width) as usize];
        let owners = || self.order[self.start..].iter().map(|&own| (own.into(), self.sums[own as usize]));
        let sum = |own: u64, spread| number(own as usize) << shift ^ fingerprint(spread);
        let narrow = owners().map(|(own, spread)| (own, spread, sum(own, spread)));
        let shape = &self.shape;
        match width {
            8 => fill_bytes::<1>(&mut cells, shape, narrow),
            16 => fill_bytes::<2>(&mut cells, shape, narrow),
            32 => fill_bytes::<4>(&mut cells, shape, narrow),
            _ if !is_wide(width) => fill_bits(&mut cells, shape, width, narrow),
            _ => {
                let sum = |own: u64, spread| {
                    u128::from(number(own as usize)) << shift ^ u128::from(fingerprint(spread))
                };
                let wide = owners().map(|(own, spread)| (own, spread, sum(own, spread)));
                fill_wide(&mut cells, shape, width, wide);
            }
        }
        (FuseProbe::new(self.shape, width, self.attempt), cells)
    }
}

/// A cell, the spread hash that it belongs to, and the value that the three cells of that hash must combine
/// to.
type Owner<S> = (u64, u64, S);

/// Fills the cells in order. Each cell is still 0 when its turn comes, and gets the difference to the other
/// two.
fn fill_bits(cells: &mut [u8], shape: &Shape, width: u32, owners: impl Iterator<Item = Owner<u64>>) {
    for (own, spread, sum) in owners {
        let lacking = (xor_of_cells(cells, shape, width, spread) ^ sum) << (64 - width);
        let bit = own * u64::from(width);
        if let Some(word) = cells[(bit / 8) as usize..].first_chunk_mut::<8>() {
            *word = (u64::from_le_bytes(*word) | lacking >> (64 - width) << (bit % 8)).to_le_bytes();
        }
    }
}

/// Like [`fill_bits`], for cells that may not fit in a word.
fn fill_wide(cells: &mut [u8], shape: &Shape, width: u32, owners: impl Iterator<Item = Owner<u128>>) {
    for (own, spread, sum) in owners {
        let lacking = (xor_of_wide_cells(cells, shape, width, spread) ^ sum) << (128 - width);
        let bit = own * u64::from(width);
        if let Some(word) = cells[(bit / 8) as usize..].first_chunk_mut::<16>() {
            *word = (u128::from_le_bytes(*word) | lacking >> (128 - width) << (bit % 8)).to_le_bytes();
        }
    }
}

/// Like [`fill_bits`], for cells of `BYTES` bytes: a read wider than the last write would make the processor
/// wait.
fn fill_bytes<const BYTES: usize>(cells: &mut [u8], shape: &Shape, owners: impl Iterator<Item = Owner<u64>>) {
    for (own, spread, sum) in owners {
        let mut lacking = sum.to_le_bytes();
        for place in shape.places(spread) {
            let cell = &cells[place as usize * BYTES..][..BYTES];
            lacking.iter_mut().zip(cell).for_each(|(lacking, cell)| *lacking ^= cell);
        }
        cells[own as usize * BYTES..][..BYTES].copy_from_slice(&lacking[..BYTES]);
    }
}

/// Groups hashes by digit, in ascending order of the digits, so that their cells are close together.
fn gather<E: Entry>(entries: &mut [E], digit: impl Fn(E) -> usize) {
    let mut ends = [0usize; 256];
    for &entry in &*entries {
        ends[digit(entry)] += 1;
    }
    let mut next = [0usize; 256];
    let mut total = 0;
    for (next, end) in next.iter_mut().zip(&mut ends) {
        *next = total;
        total += *end;
        *end = total;
    }
    for bucket in 0..256 {
        while next[bucket] < ends[bucket] {
            let mut entry = entries[next[bucket]];
            let mut target = digit(entry);
            while target != bucket {
                core::mem::swap(&mut entry, &mut entries[next[target]]);
                next[target] += 1;
                target = digit(entry);
            }
            entries[next[bucket]] = entry;
            next[bucket] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn gathering_sorts_by_digit_and_loses_nothing() {
        let mut rng = Rng::new(1);
        for length in [0usize, 1, 2, 255, 256, 10_000] {
            let hashes: Vec<u64> = (0..length).map(|_| rng.next_u64()).collect();
            let mut gathered = hashes.clone();
            gather(&mut gathered, |hash| (hash >> 56) as usize);
            assert!(gathered.is_sorted_by_key(|hash| hash >> 56), "{length}");
            let sorted = |mut hashes: Vec<u64>| {
                hashes.sort_unstable();
                hashes
            };
            assert_eq!(sorted(gathered), sorted(hashes));
        }
    }

    /// The first attempt fails as rarely as the sizes promise.
    #[test]
    fn the_first_attempt_mostly_works() {
        let mut rng = Rng::new(2);
        for items in [1usize, 2, 3, 8, 30, 140, 300, 650, 2000, 10_000, 11_500, 40_000, 160_000] {
            let trials = 200_000usize.div_ceil(items).min(500);
            let works = |_: &usize| {
                let mut hashes: Vec<u64> = (0..items).map(|_| rng.next_u64()).collect();
                Peeled::attempt(&mut hashes, 0).unwrap().is_some()
            };
            let worked = (0..trials).filter(works).count() as f64;
            let (least, _) = crate::stats::binomial_band(trials as u64, 0.8, 1e-6);
            assert!(worked >= least, "{items} items: {worked} of {trials}");
        }
    }
}
