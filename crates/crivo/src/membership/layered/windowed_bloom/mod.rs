//! A Bloom filter over a time window: see [`WindowedBloom`].

mod params;

pub use params::WindowedParams;

use super::Layers;
use super::layer::{self, Layer};
use super::layering::Layering;
use crate::codec::put_u64_varint;
use crate::hash::Item;
use crate::kind::Kind;
use crate::memory::BATCH;
use crate::sketch::{Core, Empty, Fact, Membership, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// A Bloom filter over a sliding time window: was an item inserted recently? Older items expire.
///
/// Times are numbers that the caller chooses: seconds, microseconds, or the index of the item. They never go
/// back: a time before the [latest](Self::latest) counts as the latest.
///
/// # Use when / not when
/// Use it for an endless stream of which only the last hours matter: requests that must not be repeated,
/// pages that may be visited again tomorrow. Not if nothing is to expire: a
/// [`ScalableBloom`](crate::ScalableBloom) checks one filter instead of several. Not to count: a
/// [`SlidingHyperLogLog`](crate::SlidingHyperLogLog) estimates the number of distinct items in any window.
///
/// # Guarantee
/// An item is certainly found up to the age of the window. From an age of one more generation on
/// ([`forgets_after`](WindowedParams::forgets_after)) it has expired without a trace; in between it may be
/// found. The false-positive rate never exceeds the target, whatever is inserted and however much: each of
/// the g + 1 generations keeps to its share of it. (The probability that two 64-bit hashes are equal comes on
/// top.) [`fpr`](Self::fpr) has deterministic bounds at the present fill. Only merges can raise the rate:
/// [`fpr_limit`](Self::fpr_limit) returns by how much.
///
/// # Space
/// Generations are allocated when their first item comes. The table shows the bits for each item of a window
/// that contains as many items as planned, all of them distinct, with all generations full:
///
/// | rate | 1 generation | 2 | 4 | 8 | 16 |
/// |---|---|---|---|---|---|
/// | 1 % | 28.9 | 22.9 | 20.4 | 19.8 | 20.1 |
/// | 0.1 % | 38.5 | 30.1 | 26.4 | 25.2 | 25.3 |
///
/// An item that comes again in a later generation takes bits there too. With more items than planned a
/// generation grows like a [`ScalableBloom`](crate::ScalableBloom).
///
/// # Time
/// An insertion and a query for an absent item check every layer of every generation, a few bits of each; a
/// repeat is mostly found in the latest generation, which is checked first. A new generation drops the oldest
/// at once, and a long pause drops all of them. [`contains_hashes_at`](Self::contains_hashes_at) and
/// [`insert_hashes_at`](Self::insert_hashes_at) overlap the cache misses of many items.
///
/// # Merge
/// Bounded: no item within the window is lost, and at worst the limits of both filters add up. Generations
/// begin at multiples of their span, so the generations of two filters cover the same times; they are merged
/// in pairs like two [`ScalableBloom`](crate::ScalableBloom)s. The latest time is the later of both. Merging
/// a filter with itself changes nothing.
///
/// # Hostile input
/// Items chosen to fill it make it grow early, but never raise its rate for other items. Items chosen to be
/// false positives remain: use [`HashSpec::keyed`]. A time far in the future makes everything else expire:
/// check times that come from others.
///
/// # Example
/// ```
/// use crivo::WindowedBloom;
/// use crivo::membership::WindowedParams;
/// let hour = WindowedParams::for_fpr(10_000, 0.001, 3600, 4)?; // in seconds
/// let mut seen = WindowedBloom::with_params(hour);
/// assert!(seen.insert_at("request 7", 1000)); // new
/// assert!(!seen.insert_at("request 7", 4000)); // a repeat: its age counts from here on
/// assert!(seen.contains_at("request 7", 7600)); // an hour later
/// assert!(!seen.contains_at("request 7", 8500)); // another quarter of an hour later it has expired
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
///            ◀─────────── window ───────────▶ now
/// ┆ dropped ┆ ■■□■□■■□ ┆ □■■□■□□■ ┆ ■□■□■□□■ ┆ ■□□■□       generations of window/g time units,
/// ─┴─────────┴──────────┴──────────┴──────────┴────────▶    each a filter that grows by layers
///                                              insertions go to the latest, even if another reports the item
/// a query checks all g + 1, the latest first; the rate of each is at most P/(g + 1)
/// ```
///
/// # References
/// Generations of filters for duplicates in a stream: Metwally, Agrawal and El Abbadi, doi:10.1145/1060745.1060753
/// (jumping windows). Their layers: Almeida and others, doi:10.1016/j.ipl.2006.10.007.
///
/// # Measured
/// `crivo-lab run c-windowed-bloom`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct WindowedBloom {
    params: WindowedParams,
    spec: HashSpec,
    layering: Layering,
    span: u64,
    latest: u64,
    /// The generations that have items and are not too old, the oldest first.
    generations: Vec<Generation>,
}

/// The items of `span` time units, which start at a multiple of `span`.
#[derive(Clone, PartialEq)]
struct Generation {
    /// The number of the multiple.
    number: u64,
    layers: Layers,
}

/// In a file a generation has an age, a number of layers, and at least one layer.
const LEAST_GENERATION_BYTES: usize = 2 + layer::LEAST_LAYER_BYTES;

impl WindowedBloom {
    /// Inserts an item at time `at`; returns true if it certainly was not inserted within the window before.
    /// In either case its age counts from now on.
    #[inline]
    pub fn insert_at<T: Item + ?Sized>(&mut self, item: &T, at: u64) -> bool {
        self.insert_hash_at(self.spec.hash(item), at)
    }

    /// Inserts the item with this hash at time `at`; returns true if it certainly was not inserted within the
    /// window before.
    #[inline]
    pub fn insert_hash_at(&mut self, hash: u64, at: u64) -> bool {
        self.advance(at);
        self.insert_hash(hash)
    }

    /// Inserts many items at one time by their hashes, overlapping the cache misses; returns for each whether
    /// it certainly was not inserted within the window, nor occurs before in `hashes`.
    pub fn insert_hashes_at(&mut self, hashes: &[u64], at: u64) -> Vec<bool> {
        self.advance(at);
        let mut news = Vec::with_capacity(hashes.len());
        for block in hashes.chunks(BATCH) {
            for generation in &self.generations {
                generation.layers.prefetch(block);
            }
            news.extend(block.iter().map(|&hash| self.insert_hash(hash)));
        }
        news
    }

    /// Inserts at the latest time.
    #[inline]
    fn insert_hash(&mut self, hash: u64) -> bool {
        let number = self.latest / self.span;
        if self.generations.last().is_none_or(|last| last.number != number) {
            self.open(number);
        }
        let Some((latest, older)) = self.generations.split_last_mut() else { return false };
        latest.layers.insert(hash) && !older.iter().rev().any(|generation| generation.layers.contains(hash))
    }

    #[cold]
    fn open(&mut self, number: u64) {
        self.generations.reserve_exact(1);
        self.generations.push(Generation { number, layers: Layers::new(self.layering) });
    }

    /// Moves the latest time to `at` without an item; returns true if that is later than before.
    #[inline]
    pub fn advance(&mut self, at: u64) -> bool {
        let moves = at > self.latest;
        if moves {
            self.latest = at;
            self.drop_old();
        }
        moves
    }

    #[inline]
    fn drop_old(&mut self) {
        let oldest = self.oldest_at(self.latest);
        if self.generations.first().is_some_and(|first| first.number < oldest) {
            self.generations.retain(|generation| generation.number >= oldest);
            self.generations.shrink_to_fit();
        }
    }

    /// Returns the number of the oldest generation that is in the window at a time.
    #[inline]
    fn oldest_at(&self, at: u64) -> u64 {
        (at / self.span).saturating_sub(self.params.generations().into())
    }

    /// Returns whether the item may have been inserted within the window before `at`: `false` is certain.
    #[inline]
    pub fn contains_at<T: Item + ?Sized>(&self, item: &T, at: u64) -> bool {
        self.contains_hash_at(self.spec.hash(item), at)
    }

    /// Returns whether the item with this hash may have been inserted within the window before `at`.
    #[inline]
    pub fn contains_hash_at(&self, hash: u64, at: u64) -> bool {
        self.asked_at(at).any(|generation| generation.layers.contains(hash))
    }

    /// Returns for each of many items whether it may have been inserted within the window before `at`,
    /// overlapping the cache misses.
    pub fn contains_hashes_at(&self, hashes: &[u64], at: u64) -> Vec<bool> {
        layer::contains_all(&self.asked_at(at).flat_map(|generation| generation.layers.asked()), hashes)
    }

    /// Returns the generations that are in the window at a time, in the order in which they are checked.
    #[inline]
    fn asked_at(&self, at: u64) -> impl Iterator<Item = &Generation> + Clone {
        let oldest = self.oldest_at(at.max(self.latest));
        self.generations.iter().rev().take_while(move |generation| generation.number >= oldest)
    }

    fn all_layers(&self) -> impl Iterator<Item = &Layer> {
        self.generations.iter().flat_map(|generation| &generation.layers.list)
    }

    /// Returns the probability that an item that was not inserted is reported at the latest time: 1 − Π(1 −
    /// f) over the layers of all generations. Layers of one level share positions, so the rate certainly lies
    /// between the bounds.
    pub fn fpr(&self) -> Estimate {
        layer::fpr(self.all_layers())
    }

    /// Returns the highest false-positive rate of the present layers, however full they are, apart from the
    /// probability that two 64-bit hashes are equal. A merge may add up both limits.
    pub fn fpr_limit(&self) -> f64 {
        layer::fpr_limit(self.all_layers(), &self.layering)
    }

    /// Returns the latest time seen; 0 if there was none.
    pub fn latest(&self) -> u64 {
        self.latest
    }
}

shell!(WindowedBloom: hashes, empty(WindowedParams), merges,
    for_target(WindowedParams::for_fpr(items: u64, fpr: f64, window: u64, generations: u32)));

impl Core for WindowedBloom {
    const KIND: Kind = Kind::WindowedBloom;

    fn heap_bytes(&self) -> usize {
        let layers: usize = self.generations.iter().map(|generation| generation.layers.memory_bytes()).sum();
        self.generations.capacity() * size_of::<Generation>() + layers
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.latest);
        put_u64_varint(payload, self.generations.len() as u64);
        let mut later = self.latest / self.span;
        for generation in self.generations.iter().rev() {
            put_u64_varint(payload, later - generation.number);
            generation.layers.write(payload);
            later = generation.number;
        }
    }

    fn read(params: WindowedParams, file: &mut Payload<'_>) -> Result<Self> {
        let mut filter = Self::empty(params, file.spec);
        filter.latest = file.bytes.u64_varint()?;
        let count = file.bytes.u64_varint()?;
        if count > (file.bytes.rest().len() / LEAST_GENERATION_BYTES) as u64 {
            return Err(Error::malformed(format!("the file cannot contain {count} generations")));
        }
        let oldest = filter.oldest_at(filter.latest);
        let mut later = filter.latest / filter.span;
        filter.generations.reserve_exact(count as usize);
        file.check_memory(filter.memory_bytes() as u64)?;
        for place in 0..count {
            let age = file.bytes.u64_varint()?;
            let number = later.checked_sub(age).filter(|&number| number >= oldest && (age > 0 || place == 0));
            let number =
                number.ok_or_else(|| Error::malformed(format!("generation {place} is out of order")))?;
            let layers = Layers::read(filter.layering, file)?;
            if layers.is_empty() {
                return Err(Error::malformed(format!("generation {place} is empty")));
            }
            filter.generations.push(Generation { number, layers });
            file.check_memory(filter.memory_bytes() as u64)?;
            later = number;
        }
        filter.generations.reverse();
        Ok(filter)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("latest", self.latest),
            Fact::count("layers", self.all_layers().count() as u64),
            Fact::number("fpr_limit", self.fpr_limit()),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.advance(other.latest);
        let oldest = self.oldest_at(self.latest);
        for theirs in other.generations.iter().filter(|theirs| theirs.number >= oldest) {
            match self.generations.binary_search_by_key(&theirs.number, |ours| ours.number) {
                Ok(place) => self.generations[place].layers.merge(&theirs.layers),
                Err(place) => {
                    self.generations.reserve_exact(1);
                    self.generations.insert(place, theirs.clone());
                }
            }
        }
        Ok(())
    }
}

impl Empty for WindowedBloom {
    fn empty(params: WindowedParams, spec: HashSpec) -> Self {
        let (layering, span) = (params.layering(), params.span());
        Self { params, spec, layering, span, latest: 0, generations: Vec::new() }
    }

    /// Returns whether no item is left at the latest time.
    fn has_nothing(&self) -> bool {
        self.generations.is_empty()
    }
}

/// Queries at the latest time.
impl Membership for WindowedBloom {
    fn contains_hash(&self, hash: u64) -> bool {
        self.contains_hash_at(hash, self.latest)
    }

    fn fpr(&self) -> Estimate {
        self.fpr()
    }

    fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        self.contains_hashes_at(hashes, self.latest)
    }
}

#[cfg(test)]
mod tests;
