//! From a set of hashes to cells that know them.

use super::probe::{ATTEMPTS, BYTES_BEHIND, FuseProbe, cell_bytes, fingerprint, spread};
use super::shape::Shape;
use crate::memory::xor_of_cells;
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Up to so many hashes the cells of all stay in the cache, in whatever order the hashes come.
const CACHED_HASHES: usize = 1 << 15;

/// Every hash with a cell of its own.
///
/// A cell that only one hash has is that hash's own. Without this hash others may be alone in their cells: they are
/// *peeled* next, until none is left. Filled in the reverse order, each hash finds its own cell empty and the other
/// two settled.
pub(super) struct Peeled {
    shape: Shape,
    attempt: u8,
    /// How many different hashes there are.
    pub(super) items: usize,
    /// In a hash's own cell: the spread hash.
    sums: Vec<u64>,
    /// From `start`: the own cells, the last peeled first.
    order: Vec<u32>,
    start: usize,
}

impl Peeled {
    /// Peels a set. Hashes may come twice, and in any order: the set alone decides the result.
    ///
    /// # Errors
    /// `InvalidArgument` when there are too many, `Unsupported` when no attempt works.
    pub(super) fn new(mut hashes: Vec<u64>) -> Result<Self> {
        hashes.shrink_to_fit();
        if let Some(peeled) = Self::attempt(&mut hashes, 0)? {
            return Ok(peeled);
        }
        // Equal hashes defeat every attempt. To look for them costs more than the first attempt, which mostly
        // tells that there are none.
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        hashes.shrink_to_fit();
        let first = u8::from(hashes.len() == count);
        for attempt in first..ATTEMPTS {
            if let Some(peeled) = Self::attempt(&mut hashes, attempt)? {
                return Ok(peeled);
            }
        }
        Err(Error::unsupported(format!(
            "{ATTEMPTS} attempts to place {} hashes failed, which hashes of chance never do: they were chosen \
             against the filter; hash the items with a secret key",
            hashes.len()
        )))
    }

    fn attempt(hashes: &mut [u64], attempt: u8) -> Result<Option<Self>> {
        let shape = Shape::for_items(hashes.len() as u64)?;
        if hashes.len() > CACHED_HASHES {
            gather(hashes, |hash| (spread(hash, attempt) >> 56) as usize);
        }
        let cells = shape.cells() as usize;
        let mut sums = vec![0u64; cells];
        let mut counts = vec![0u8; cells];
        let mut too_many = false;
        for &hash in &*hashes {
            let spread = spread(hash, attempt);
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
            let spread = sums[own as usize];
            for place in shape.places(spread) {
                sums[place as usize] ^= spread;
                counts[place as usize] -= 1;
                order[waiting] = place as u32;
                waiting += usize::from(counts[place as usize] == 1);
            }
            sums[own as usize] = spread;
        }
        let items = hashes.len();
        let is_whole = order.len() - start == items;
        Ok(is_whole.then_some(Self { shape, attempt, items, sums, order, start }))
    }

    /// The cells with fingerprints of `width` bits, and what a question needs beside them.
    pub(super) fn fill(&self, width: u32) -> (FuseProbe, Vec<u8>) {
        let probe = FuseProbe::new(self.shape, width, self.attempt);
        if self.items == 0 {
            return (probe, Vec::new());
        }
        let mut cells = vec![0; cell_bytes(self.shape, width) as usize + BYTES_BEHIND];
        match width {
            8 => self.fill_bytes::<1>(&mut cells),
            16 => self.fill_bytes::<2>(&mut cells),
            32 => self.fill_bytes::<4>(&mut cells),
            _ => self.fill_bits(&mut cells, width),
        }
        (probe, cells)
    }

    /// Each own cell is still 0: it gets what the other two lack.
    fn fill_bits(&self, cells: &mut [u8], width: u32) {
        for &own in &self.order[self.start..] {
            let spread = self.sums[own as usize];
            let lacking =
                (xor_of_cells(cells, &self.shape, width, spread) ^ fingerprint(spread)) << (64 - width);
            let bit = u64::from(own) * u64::from(width);
            if let Some(word) = cells[(bit / 8) as usize..].first_chunk_mut::<8>() {
                *word = (u64::from_le_bytes(*word) | lacking >> (64 - width) << (bit % 8)).to_le_bytes();
            }
        }
    }

    /// The same where a cell is `BYTES` bytes: to read more than was written makes the processor wait.
    fn fill_bytes<const BYTES: usize>(&self, cells: &mut [u8]) {
        for &own in &self.order[self.start..] {
            let spread = self.sums[own as usize];
            let mut lacking = fingerprint(spread).to_le_bytes();
            for place in self.shape.places(spread) {
                let cell = &cells[place as usize * BYTES..][..BYTES];
                lacking.iter_mut().zip(cell).for_each(|(lacking, cell)| *lacking ^= cell);
            }
            cells[own as usize * BYTES..][..BYTES].copy_from_slice(&lacking[..BYTES]);
        }
    }
}

/// Brings hashes of the same digit together, in the order of the digits: their cells lie side by side then.
fn gather(hashes: &mut [u64], digit: impl Fn(u64) -> usize) {
    let mut ends = [0usize; 256];
    for &hash in &*hashes {
        ends[digit(hash)] += 1;
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
            let mut hash = hashes[next[bucket]];
            let mut target = digit(hash);
            while target != bucket {
                core::mem::swap(&mut hash, &mut hashes[next[target]]);
                next[target] += 1;
                target = digit(hash);
            }
            hashes[next[bucket]] = hash;
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
