//! One sketch for each key: see [`PerKey`].

use crate::sketch::{Insert, Sketch};
use crate::{Error, Estimate, HyperLogLog, Item, MergeLaw, Result};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::hash::Hash;
use std::collections::HashMap;

/// A sketch for each key, within a limit of memory: distinct users per tenant, latencies per endpoint.
///
/// All sketches are copies of one empty sketch. While memory lasts, every key has a sketch of its own. When the limit is
/// reached, no new keys are admitted, and the keys that came last give their sketches up to the [rest](Self::rest): one sketch of
/// all other keys together, which also estimates how many they are. **A key that [`get`](Self::get) finds has seen all of its
/// items**; the items of all other keys are in the rest, so that nothing is lost.
///
/// # Memory
/// The limit covers the sketches, the keys and their places in the table. A text or slice counts with its length; what other
/// keys hold on the heap is not known here. Sketches whose merge is exact count for what they hold, so that small groups are
/// cheap. Others cannot move to the rest later, so that each key reserves the most memory that its sketch can come to hold
/// ([`memory_bound`](Member::memory_bound)). Sketches without such a bound are refused.
///
/// ```
/// use crivo::{ExaLogLog, PerKey};
/// let mut users = PerKey::new(ExaLogLog::for_error(0.02)?, 1 << 20)?;
/// for visit in 0..100_000u64 {
///     users.insert(["acme", "globex", "initech"][visit as usize % 3], &(visit % 5000))?;
/// }
/// assert_eq!(users.len(), 3);
/// let acme = users.get("acme").expect("three keys fit").estimate();
/// assert!(acme.contains(5000.0), "{acme}");
/// assert!(users.rest().is_none());
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// Any other sketch is changed by [`update`](Self::update):
///
/// ```
/// use crivo::{Kll, PerKey};
/// let mut latencies = PerKey::new(Kll::<f64>::for_error(0.01)?, 10 << 20)?;
/// for (endpoint, seconds) in [("/login", 0.02), ("/search", 0.31), ("/login", 0.05)] {
///     latencies.update(endpoint, |sketch| sketch.insert(seconds))?;
/// }
/// assert_eq!(latencies.get("/login").expect("it fits").total(), 2);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PerKey<K, S> {
    empty: S,
    /// The most memory that one sketch comes to hold.
    bound: usize,
    keys: HashMap<K, Own<S>>,
    rest: Option<Rest<S>>,
    /// What the keys take, at what they hold or at the most, as the sketch allows.
    bytes: usize,
    max_bytes: usize,
    max_keys: usize,
    is_measured: bool,
    admitted: u64,
}

/// What a [`PerKey`] keeps for each key: any sketch, or a type around one.
pub trait Member: Clone {
    /// Returns the memory in bytes, including the struct itself.
    fn memory_bytes(&self) -> usize;
    /// Returns the most memory in bytes that it can take, or `None` if there is no limit.
    fn memory_bound(&self) -> Option<usize>;
    /// Returns whether merged parts equal the whole.
    fn merges_exactly(&self) -> bool;
    /// Merges a member of the same table.
    ///
    /// # Errors
    /// As the merge of the sketch.
    fn absorb(&mut self, other: &Self) -> Result<()>;
}

impl<S: Sketch + Clone> Member for S {
    fn memory_bytes(&self) -> usize {
        Sketch::memory_bytes(self)
    }

    fn memory_bound(&self) -> Option<usize> {
        Sketch::memory_bound(self)
    }

    fn merges_exactly(&self) -> bool {
        self.merge_law() == Some(MergeLaw::Exact)
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.merge_any(other)
    }
}

/// The sketch of one key.
#[derive(Clone, Debug)]
struct Own<S> {
    sketch: S,
    /// When the key came: the last ones go first.
    place: u64,
    /// What the key itself takes.
    key_bytes: usize,
}

/// All other keys together.
#[derive(Clone, Debug)]
struct Rest<S> {
    sketch: S,
    keys: HyperLogLog,
}

/// How far off the number of other keys may be.
const REST_KEYS_ERROR: f64 = 0.02;

/// A hash table is at most seven eighths full and doubles: each place may stand for two, each with a byte of control.
const fn place_bytes<K, S>() -> usize {
    2 * (size_of::<(K, Own<S>)>() + 1)
}

impl<K, S> PerKey<K, S>
where
    K: Item + Hash + Eq,
    S: Member,
{
    /// Creates an empty table whose sketches are copies of `empty`, of at most `max_bytes` bytes in all.
    ///
    /// # Errors
    /// `Unsupported` for sketches whose memory has no bound, `InvalidArgument` if the sketches of the rest and of one key do not
    /// fit.
    pub fn new(empty: S, max_bytes: usize) -> Result<Self> {
        let bound = empty.memory_bound().ok_or_else(|| {
            Error::unsupported(
                "a sketch whose memory grows with its input cannot be kept within a limit for each key",
            )
        })?;
        let keys = HyperLogLog::for_error(REST_KEYS_ERROR)?;
        let rest = bound + keys.memory_bound().unwrap_or_default();
        let least = rest + bound + place_bytes::<K, S>();
        if max_bytes < least {
            return Err(Error::invalid(format!(
                "a sketch for one key and one for the rest may take {least} bytes, more than the limit of {max_bytes}; \
                 raise the limit or use a smaller sketch"
            )));
        }
        Ok(Self {
            is_measured: empty.merges_exactly(),
            bound,
            empty,
            keys: HashMap::new(),
            rest: None,
            bytes: 0,
            max_bytes: max_bytes - rest,
            max_keys: usize::MAX,
            admitted: 0,
        })
    }

    /// Admits at most `max_keys` keys, even if the memory holds more.
    #[must_use]
    pub fn with_max_keys(self, max_keys: usize) -> Self {
        Self { max_keys, ..self }
    }

    /// Changes the sketch of a key, which is empty at first, or the sketch of the rest if there is no room for the key.
    pub fn update<Q, R>(&mut self, key: &Q, change: impl FnOnce(&mut S) -> R) -> R
    where
        K: Borrow<Q>,
        Q: Item + Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        if let Some(own) = self.keys.get_mut(key) {
            let before = own.sketch.memory_bytes();
            let answer = change(&mut own.sketch);
            let after = own.sketch.memory_bytes();
            if self.is_measured && after != before {
                self.bytes = self.bytes - before + after;
                self.make_room();
            }
            return answer;
        }
        if !self.is_full() {
            let mut sketch = self.empty.clone();
            let answer = change(&mut sketch);
            self.admit(key.to_owned(), sketch, size_of_val(key));
            self.make_room();
            return answer;
        }
        let rest = self.begun_rest();
        rest.keys.insert(key);
        change(&mut rest.sketch)
    }

    /// Inserts an item into the sketch of a key.
    ///
    /// # Errors
    /// As [`try_insert_hash`](Insert::try_insert_hash) of the sketch.
    pub fn insert<Q, T>(&mut self, key: &Q, item: &T) -> Result<bool>
    where
        K: Borrow<Q>,
        Q: Item + Hash + Eq + ToOwned<Owned = K> + ?Sized,
        T: Item + ?Sized,
        S: Sketch + Insert,
    {
        let hash = self.empty.hashing().copied().unwrap_or_default().hash(item);
        self.update(key, |sketch| sketch.try_insert_hash(hash))
    }

    /// Takes in the table of another part of the stream, whose sketches are copies of the same empty sketch. If either side has
    /// a rest, only keys with a sketch on both sides keep one: the rest may contain items of all others.
    ///
    /// # Errors
    /// As [`absorb`](Member::absorb) of the sketch; some keys may be merged then.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        if other.rest.is_some() {
            self.give_up(|key, _| !other.keys.contains_key(key))?;
        }
        if let Some(theirs) = other.rest {
            let rest = self.begun_rest();
            rest.sketch.absorb(&theirs.sketch)?;
            rest.keys.merge(&theirs.keys)?;
        }
        for (key, theirs) in other.keys {
            if let Some(own) = self.keys.get_mut(&key) {
                let before = own.sketch.memory_bytes();
                own.sketch.absorb(&theirs.sketch)?;
                if self.is_measured {
                    self.bytes = self.bytes - before + own.sketch.memory_bytes();
                }
            } else if !self.is_full() {
                self.admit(key, theirs.sketch, theirs.key_bytes);
            } else {
                let rest = self.begun_rest();
                rest.keys.insert(&key);
                rest.sketch.absorb(&theirs.sketch)?;
            }
            self.make_room();
        }
        Ok(())
    }

    /// Returns the sketch of a key, if it has one of its own.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&S>
    where
        K: Borrow<Q>,
    {
        self.keys.get(key).map(|own| &own.sketch)
    }

    /// Returns all keys that have a sketch of their own, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &S)> {
        self.keys.iter().map(|(key, own)| (key, &own.sketch))
    }

    /// Returns the number of keys that have a sketch of their own.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.rest.is_none()
    }

    /// Returns the sketch of all other keys together and how many they are; `None` while every key has a sketch of its own.
    pub fn rest(&self) -> Option<(&S, Estimate)> {
        self.rest.as_ref().map(|rest| (&rest.sketch, rest.keys.estimate()))
    }

    /// Changes every sketch, including the rest's, and drops those for which `keep` returns false. A table without a rest
    /// admits new keys again.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut S) -> bool) {
        self.keys.retain(|_, own| keep(&mut own.sketch));
        self.rest.take_if(|rest| !keep(&mut rest.sketch));
        self.bytes = self.keys.values().map(|own| self.bytes_of(own)).sum();
    }

    /// Returns the memory that the table holds, in bytes, as far as the limit covers it.
    pub fn memory_bytes(&self) -> usize {
        let keys = self.keys.values();
        let keys = keys.map(|own| own.sketch.memory_bytes() + own.key_bytes + place_bytes::<K, S>());
        let rest = self.rest.iter().map(|rest| rest.sketch.memory_bytes() + rest.keys.memory_bytes());
        keys.chain(rest).sum()
    }

    /// Returns whether no new key is admitted: because the limit is reached, or because the rest may contain items of the key.
    pub fn is_full(&self) -> bool {
        let least = if self.is_measured { self.empty.memory_bytes() } else { self.bound };
        self.rest.is_some()
            || self.keys.len() >= self.max_keys
            || self.bytes + least + place_bytes::<K, S>() > self.max_bytes
    }

    fn admit(&mut self, key: K, sketch: S, key_bytes: usize) {
        let own = Own { sketch, place: self.admitted, key_bytes };
        self.bytes += self.bytes_of(&own);
        self.keys.insert(key, own);
        self.admitted += 1;
    }

    fn bytes_of(&self, own: &Own<S>) -> usize {
        let sketch = if self.is_measured { own.sketch.memory_bytes() } else { self.bound };
        sketch + own.key_bytes + place_bytes::<K, S>()
    }

    fn begun_rest(&mut self) -> &mut Rest<S> {
        self.rest.get_or_insert_with(|| Rest {
            sketch: self.empty.clone(),
            keys: HyperLogLog::for_error(REST_KEYS_ERROR).expect("the error is in range"),
        })
    }

    /// Moves the keys that came last to the rest, an eighth of all at least, so that this is rare.
    fn make_room(&mut self) {
        while self.bytes > self.max_bytes && self.is_measured {
            let mut places: Vec<u64> = self.keys.values().map(|own| own.place).collect();
            let kept = places.len() * 7 / 8;
            let (_, &mut first, _) = places.select_nth_unstable(kept);
            self.give_up(|_, own| own.place >= first).expect("copies of one empty sketch merge exactly");
        }
    }

    /// Moves some keys to the rest.
    fn give_up(&mut self, is_moved: impl Fn(&K, &Own<S>) -> bool) -> Result<()> {
        let mut moved: Vec<(K, Own<S>)> = self.keys.extract_if(|key, own| is_moved(key, own)).collect();
        for (key, own) in moved.drain(..) {
            self.bytes -= self.bytes_of(&own);
            let rest = self.begun_rest();
            rest.keys.insert(&key);
            rest.sketch.absorb(&own.sketch)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
