//! From a set of hashes to cells that know them.

use super::probe::{FuseProbe, fingerprint, is_wide, memory_bytes, spread};
use super::shape::Shape;
use crate::memory::{xor_of_cells, xor_of_wide_cells};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// So many times cells are tried to be found, each time with others for every hash.
pub(crate) const ATTEMPTS: u8 = 64;

/// Up to so many hashes the cells of all stay in the cache, in whatever order the hashes come.
const CACHED_HASHES: usize = 1 << 15;

/// A hash, and what is kept with it.
pub(crate) trait Entry: Copy + Ord {
    /// Nothing in a plain set.
    type Kept: Kept;

    fn hash(self) -> u64;
    fn kept(self) -> Self::Kept;
}

/// What is kept with a hash: a number, which adds up by xor as the hashes do.
pub(crate) trait Kept: Copy + Default {
    fn xor(self, other: Self) -> Self;
    fn number(self) -> u64;
}

impl Entry for u64 {
    type Kept = ();

    #[inline]
    fn hash(self) -> u64 {
        self
    }

    #[inline]
    fn kept(self) {}
}

impl Kept for () {
    #[inline]
    fn xor(self, (): ()) {}

    #[inline]
    fn number(self) -> u64 {
        0
    }
}

impl Entry for (u64, u64) {
    type Kept = u64;

    #[inline]
    fn hash(self) -> u64 {
        self.0
    }

    #[inline]
    fn kept(self) -> u64 {
        self.1
    }
}

impl Kept for u64 {
    #[inline]
    fn xor(self, other: u64) -> u64 {
        self ^ other
    }

    #[inline]
    fn number(self) -> u64 {
        self
    }
}

/// Every hash with a cell of its own.
///
/// A cell that only one hash has is that hash's own. Without this hash others may be alone in their cells: they are
/// *peeled* next, until none is left. Filled in the reverse order, each hash finds its own cell empty and the other
/// two settled.
pub(crate) struct Peeled<K> {
    shape: Shape,
    attempt: u8,
    /// How many different hashes there are.
    pub(crate) items: usize,
    /// In a hash's own cell: the spread hash.
    sums: Vec<u64>,
    /// In a hash's own cell: what is kept with it.
    kept: Vec<K>,
    /// From `start`: the own cells, the last peeled first.
    order: Vec<u32>,
    start: usize,
}

impl<K: Kept> Peeled<K> {
    /// Peels a set. Hashes may come twice, and in any order: the set alone decides the result.
    ///
    /// # Errors
    /// `InvalidArgument` when there are too many, or a hash comes with two numbers, `Unsupported` when no attempt works.
    pub(crate) fn new<E: Entry<Kept = K>>(mut entries: Vec<E>) -> Result<Self> {
        entries.shrink_to_fit();
        if let Some(peeled) = Self::attempt(&mut entries, 0)? {
            return Ok(peeled);
        }
        // Equal hashes defeat every attempt. To look for them costs more than the first attempt, which mostly
        // tells that there are none.
        let count = entries.len();
        entries.sort_unstable();
        entries.dedup();
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].hash() == pair[1].hash()) {
            return Err(Error::invalid(format!(
                "a key has one value, but one (with the hash {:#x}) came with {} and with {}; choose between them",
                pair[0].hash(),
                pair[0].kept().number(),
                pair[1].kept().number()
            )));
        }
        entries.shrink_to_fit();
        let first = u8::from(entries.len() == count);
        for attempt in first..ATTEMPTS {
            if let Some(peeled) = Self::attempt(&mut entries, attempt)? {
                return Ok(peeled);
            }
        }
        Err(Error::unsupported(format!(
            "{ATTEMPTS} attempts to place {} hashes failed, which hashes of chance never do: they were chosen \
             against the filter; hash the items with a secret key",
            entries.len()
        )))
    }

    fn attempt<E: Entry<Kept = K>>(entries: &mut [E], attempt: u8) -> Result<Option<Self>> {
        let shape = Shape::for_items(entries.len() as u64)?;
        if entries.len() > CACHED_HASHES {
            gather(entries, |entry| (spread(entry.hash(), attempt) >> 56) as usize);
        }
        let cells = shape.cells() as usize;
        let mut sums = vec![0u64; cells];
        let mut kept = vec![K::default(); cells];
        let mut counts = vec![0u8; cells];
        let mut too_many = false;
        for entry in &*entries {
            let spread = spread(entry.hash(), attempt);
            for place in shape.places(spread) {
                let place = place as usize;
                sums[place] ^= spread;
                kept[place] = kept[place].xor(entry.kept());
                counts[place] = counts[place].wrapping_add(1);
                too_many |= counts[place] == 0;
            }
        }
        if too_many {
            return Ok(None);
        }
        // Below, the cells that wait to be peeled; above, those that were. A cell waits once at most, so both
        // have room, and the spare one keeps them apart.
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
            // Its hash may have been peeled by another of its cells.
            if counts[own as usize] == 0 {
                continue;
            }
            start -= 1;
            order[start] = own;
            let (spread, number) = (sums[own as usize], kept[own as usize]);
            for place in shape.places(spread) {
                sums[place as usize] ^= spread;
                kept[place as usize] = kept[place as usize].xor(number);
                counts[place as usize] -= 1;
                order[waiting] = place as u32;
                waiting += usize::from(counts[place as usize] == 1);
            }
            sums[own as usize] = spread;
            kept[own as usize] = number;
        }
        let items = entries.len();
        let is_whole = order.len() - start == items;
        Ok(is_whole.then_some(Self { shape, attempt, items, sums, kept, order, start }))
    }

    /// The cells of `width` bits, and what a question needs beside them. The cells of a hash add up to its fingerprint,
    /// xored with the number kept, moved up by `shift` bits.
    pub(crate) fn fill(&self, width: u32, shift: u32) -> (FuseProbe, Vec<u8>) {
        let mut cells = vec![0; memory_bytes(self.shape, width) as usize];
        match width {
            8 => self.fill_bytes::<1>(&mut cells, shift),
            16 => self.fill_bytes::<2>(&mut cells, shift),
            32 => self.fill_bytes::<4>(&mut cells, shift),
            _ if is_wide(width) => self.fill_wide(&mut cells, width, shift),
            _ => self.fill_bits(&mut cells, width, shift),
        }
        (FuseProbe::new(self.shape, width, self.attempt), cells)
    }

    /// The own cells in the order of filling, each with its spread hash and what its three cells have to add up to.
    fn owners(&self, shift: u32) -> impl Iterator<Item = (u64, u64, u128)> + '_ {
        self.order[self.start..].iter().map(move |&own| {
            let spread = self.sums[own as usize];
            let number = u128::from(self.kept[own as usize].number()) << shift;
            (own.into(), spread, number ^ u128::from(fingerprint(spread)))
        })
    }

    /// Each own cell is still 0: it gets what the other two lack.
    fn fill_bits(&self, cells: &mut [u8], width: u32, shift: u32) {
        for (own, spread, sum) in self.owners(shift) {
            let lacking = (xor_of_cells(cells, &self.shape, width, spread) ^ sum as u64) << (64 - width);
            let bit = own * u64::from(width);
            if let Some(word) = cells[(bit / 8) as usize..].first_chunk_mut::<8>() {
                *word = (u64::from_le_bytes(*word) | lacking >> (64 - width) << (bit % 8)).to_le_bytes();
            }
        }
    }

    /// The same where a cell may not fit into a word.
    fn fill_wide(&self, cells: &mut [u8], width: u32, shift: u32) {
        for (own, spread, sum) in self.owners(shift) {
            let lacking = (xor_of_wide_cells(cells, &self.shape, width, spread) ^ sum) << (128 - width);
            let bit = own * u64::from(width);
            if let Some(word) = cells[(bit / 8) as usize..].first_chunk_mut::<16>() {
                *word = (u128::from_le_bytes(*word) | lacking >> (128 - width) << (bit % 8)).to_le_bytes();
            }
        }
    }

    /// The same where a cell is `BYTES` bytes: to read more than was written makes the processor wait.
    fn fill_bytes<const BYTES: usize>(&self, cells: &mut [u8], shift: u32) {
        for (own, spread, sum) in self.owners(shift) {
            let mut lacking = (sum as u64).to_le_bytes();
            for place in self.shape.places(spread) {
                let cell = &cells[place as usize * BYTES..][..BYTES];
                lacking.iter_mut().zip(cell).for_each(|(lacking, cell)| *lacking ^= cell);
            }
            cells[own as usize * BYTES..][..BYTES].copy_from_slice(&lacking[..BYTES]);
        }
    }
}

/// Brings hashes of the same digit together, in the order of the digits: their cells lie side by side then.
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

    /// As few first attempts fail as the sizes promise.
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
