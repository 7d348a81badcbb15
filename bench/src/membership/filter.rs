//! What every contender can do, whatever its crate calls it.

/// A filter over keys of type `K`.
///
/// The loops over many keys, here and in the other families, are never inlined: next to the constructor the
/// compiler would see the parameters as constants and build a loop for these alone, which no program that
/// keeps or reads its filters gets.
pub(crate) trait Filter<K: Copy>: Sized {
    const NAME: &'static str;

    fn new(n: usize, fpr: f64) -> Self;

    fn insert(&mut self, key: K);

    fn contains(&self, key: K) -> bool;

    #[inline(never)]
    fn insert_all(&mut self, keys: &[K]) {
        for &key in keys {
            self.insert(key);
        }
    }

    #[inline(never)]
    fn count_present(&self, keys: &[K]) -> usize {
        keys.iter().filter(|&&key| self.contains(key)).count()
    }
}

/// A filter that many threads insert into at once.
pub(crate) trait SharedFilter: Sync {
    fn insert(&self, key: u64);

    fn contains(&self, key: u64) -> bool;
}
