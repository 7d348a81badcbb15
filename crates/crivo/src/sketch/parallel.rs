//! Sketches filled and merged on several threads, with [`rayon`] (feature `rayon`).
//!
//! A sketch whose merge is exact implements [`ParallelExtend`](rayon::iter::ParallelExtend) and
//! [`FromParallelIterator`](rayon::iter::FromParallelIterator): each thread fills a sketch, and the sketches are merged. The
//! result is the sketch that one thread would have made, bit for bit, whatever the number of threads.
//!
//! ```
//! use crivo::HyperLogLog;
//! use rayon::prelude::*;
//! let users: HyperLogLog = (0..1_000_000u64).into_par_iter().map(|visit| visit % 50_000).collect();
//! let one_by_one: HyperLogLog = (0..50_000u64).collect();
//! assert_eq!(users, one_by_one);
//! ```

use super::{Core, Empty, Sketch, merge};
use crate::{Item, Result};
use alloc::vec::Vec;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::{Mutex, PoisonError};

/// Hashes that a thread collects before it takes a sketch from the pool: enough that taking it costs nothing next to filling it.
const BLOCK: usize = 4096;

/// Fills sketches of the size and hash of `sketch`, as many as threads work at once, and merges them into it.
pub(crate) fn extend<S: Core + Empty, T: Item + Send>(
    sketch: &mut S,
    items: impl IntoParallelIterator<Item = T>,
    fill: fn(&mut S, &[u64]),
) {
    let spec = sketch.spec().copied().unwrap_or_default();
    let empty = S::empty(sketch.params(), spec);
    let pool = Mutex::new(Vec::new());
    let flush = |hashes: &[u64]| {
        let taken = lock(&pool).pop();
        let mut part = taken.unwrap_or_else(|| empty.clone());
        fill(&mut part, hashes);
        lock(&pool).push(part);
    };
    let rest = items.into_par_iter().fold(Vec::new, |mut hashes: Vec<u64>, item| {
        hashes.push(spec.hash(&item));
        if hashes.len() == BLOCK {
            flush(&hashes);
            hashes.clear();
        }
        hashes
    });
    rest.for_each(|hashes| flush(&hashes));
    for part in lock(&pool).iter() {
        merge(sketch, part).expect("sketches of one size and hash merge");
    }
}

/// A panic of another thread ends the whole call, so that no one sees what it left.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Merges all sketches of a parallel iterator; `None` if there are none.
///
/// ```
/// use crivo::{CountMin, parallel::merge_all};
/// use rayon::prelude::*;
/// let days = (0..30u64).into_par_iter().map(|day| {
///     let mut visits = CountMin::for_error(0.01, 0.01).expect("valid targets");
///     (0..100).for_each(|user| visits.add(&(user % (day + 1)), 1));
///     visits
/// });
/// let month = merge_all(days)?.expect("30 days");
/// assert_eq!(month.total(), 3000);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// `Incompatible` if the sketches differ in size or hash.
pub fn merge_all<S: Sketch>(sketches: impl IntoParallelIterator<Item = S>) -> Result<Option<S>> {
    let merged = sketches.into_par_iter().map(Ok).try_reduce_with(|mut all, sketch| {
        all.merge_any(&sketch)?;
        Ok(all)
    });
    merged.transpose()
}

#[cfg(test)]
mod tests {
    use crate::{BloomFilter, CountMin, ExaLogLog, HyperLogLog, MinHash};
    use rayon::iter::{IntoParallelIterator, ParallelExtend, ParallelIterator};

    /// More items than a block, and a number that no block divides.
    const ITEMS: u32 = 100_003;

    #[test]
    fn threads_make_the_sketch_of_one_thread() {
        let items = || (0..ITEMS).map(|item| item % 40_000);
        let parallel = || (0..ITEMS).into_par_iter().map(|item| item % 40_000);
        assert_eq!(parallel().collect::<HyperLogLog>(), items().collect::<HyperLogLog>());
        assert_eq!(parallel().collect::<ExaLogLog>(), items().collect::<ExaLogLog>());

        let mut filters =
            [BloomFilter::for_fpr(40_000, 0.01).unwrap(), BloomFilter::for_fpr(40_000, 0.01).unwrap()];
        filters[0].extend(items());
        filters[1].par_extend(parallel());
        assert_eq!(filters[0], filters[1]);

        let mut counts =
            [CountMin::for_error(0.001, 0.01).unwrap(), CountMin::for_error(0.001, 0.01).unwrap()];
        counts[0].extend(items());
        counts[1].par_extend(parallel());
        assert_eq!(counts[0], counts[1]);
        assert_eq!(counts[0].total(), u64::from(ITEMS));

        let mut signatures = [MinHash::for_slots(64).unwrap(), MinHash::for_slots(64).unwrap()];
        signatures[0].extend(items());
        signatures[1].par_extend(parallel());
        assert_eq!(signatures[0], signatures[1]);
    }

    #[test]
    fn what_was_inside_before_stays() {
        let mut sketch = HyperLogLog::for_precision(10).unwrap();
        sketch.extend(0..500u32);
        sketch.par_extend((500..1000u32).into_par_iter());
        let mut whole = HyperLogLog::for_precision(10).unwrap();
        whole.extend(0..1000u32);
        assert_eq!(sketch, whole);
    }
}
