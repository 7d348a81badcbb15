//! Reproducible keys and streams.

use crivo::{HashSpec, Item};

/// Seeds every hash function that takes a seed.
pub(crate) const SEED: u64 = 0x5eed;

/// `SplitMix64`: the same keys in every run and on every machine. It is a bijection of its counter, so the
/// keys of one generator never repeat.
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next `count` keys.
    pub(crate) fn take(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.next()).collect()
    }

    /// Uniform in `[0, 1)`.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let chosen = (u128::from(self.next()) * (last as u128 + 1)) >> 64;
            items.swap(last, usize::try_from(chosen).expect("at most the last index"));
        }
    }
}

/// The keys as text of 16 hexadecimal digits, end to end; [`slices`] cuts it.
pub(crate) fn text(keys: &[u64]) -> String {
    use std::fmt::Write;
    let mut all = String::with_capacity(keys.len() * 16);
    for key in keys {
        write!(all, "{key:016x}").expect("writing to a string cannot fail");
    }
    all
}

/// The 16-byte strings of [`text`].
pub(crate) fn slices(text: &str) -> Vec<&str> {
    (0..text.len() / 16).map(|i| &text[i * 16..(i + 1) * 16]).collect()
}

/// How many key sets of `n` keys a measurement uses. Small structures get many sets of distinct keys: a
/// million keys in all are more than a branch predictor can learn the answers of, and enough to time.
pub(crate) fn sets_of(n: usize) -> usize {
    (1_000_000 / n).max(1)
}

/// A skewed stream.
pub(crate) struct Stream<K> {
    pub(crate) items: Vec<K>,
    /// Each value of the stream once, in random order.
    pub(crate) distinct: Vec<K>,
}

/// `sets` streams of `len` items each, Zipf with exponent 1.1 over a million values.
pub(crate) fn zipf_streams(len: usize, sets: usize) -> Vec<Stream<u64>> {
    const VALUES: usize = 1_000_000;
    const EXPONENT: f64 = 1.1;
    let mut random = SplitMix64::new(7);
    let values = random.take(VALUES);
    let cumulative: Vec<f64> = (1..=VALUES)
        .scan(0.0, |sum, rank| {
            *sum += (rank as f64).powf(-EXPONENT);
            Some(*sum)
        })
        .collect();
    let mass = cumulative[VALUES - 1];
    let mut stream = || {
        let items: Vec<u64> = (0..len)
            .map(|_| {
                let point = random.unit() * mass;
                values[cumulative.partition_point(|&sum| sum <= point).min(VALUES - 1)]
            })
            .collect();
        let mut distinct = items.clone();
        distinct.sort_unstable();
        distinct.dedup();
        random.shuffle(&mut distinct);
        Stream { items, distinct }
    };
    (0..sets).map(|_| stream()).collect()
}

/// The hash of every key, for the rows in which hashing is not part of the time.
pub(crate) fn hashed<K: Item>(keys: &[K]) -> Vec<u64> {
    let spec = HashSpec::default();
    keys.iter().map(|key| spec.hash(key)).collect()
}

/// Hashes the keys a thousand at a time and hands them to `work`, as a caller of the batch forms would.
pub(crate) fn in_batches<K: Item>(spec: &HashSpec, keys: &[K], mut work: impl FnMut(&[u64])) {
    const BATCH: usize = 1024;
    let mut hashes = [0; BATCH];
    for chunk in keys.chunks(BATCH) {
        let hashes = &mut hashes[..chunk.len()];
        for (hash, key) in hashes.iter_mut().zip(chunk) {
            *hash = spec.hash(key);
        }
        work(hashes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn text_is_cut_back_into_the_keys() {
        let keys = SplitMix64::new(1).take(10);
        let all = text(&keys);
        let read = slices(&all).into_iter().map(|digits| u64::from_str_radix(digits, 16).unwrap());
        assert_eq!(read.collect::<Vec<_>>(), keys);
    }

    #[test]
    fn streams_are_skewed_and_differ() {
        let streams = zipf_streams(20_000, 2);
        for stream in &streams {
            let mut counts: HashMap<u64, u64> = HashMap::new();
            for &item in &stream.items {
                *counts.entry(item).or_default() += 1;
            }
            assert_eq!(stream.distinct.len(), counts.len());
            assert!(stream.distinct.iter().all(|item| counts.contains_key(item)));
            let most = counts.into_values().max().unwrap();
            // The first rank has 1 / H(10^6, 1.1) = 1/8.07 of the mass; five standard deviations are 230.
            assert!(most.abs_diff(20_000 * 100 / 807) < 240, "{most}");
        }
        assert_ne!(streams[0].items, streams[1].items);
    }

    #[test]
    fn batches_cover_every_key_in_order() {
        let keys = SplitMix64::new(2).take(2500);
        let spec = HashSpec::default();
        let mut hashes = Vec::new();
        in_batches(&spec, &keys, |batch| hashes.extend_from_slice(batch));
        assert_eq!(hashes, hashed(&keys));
    }
}
