//! Heavy hitters: counters for the items that may be among the most frequent.

mod misra_gries;
mod queue;
mod space_saving;
mod summary;
mod table;
mod threshold;

pub use misra_gries::MisraGries;
pub use space_saving::SpaceSaving;

use crate::Estimate;

/// An item that is among the most frequent, with its count and what is known about its rank.
///
/// ```
/// use crivo::MisraGries;
/// let mut words = MisraGries::<String>::for_counters(100)?;
/// "to be or not to be".split(' ').for_each(|word| words.add(word, 1));
/// let first = &words.top(3)[0];
/// assert_eq!((first.item().as_str(), first.count().value()), ("be", 2.0));
/// assert!(first.is_rank_guaranteed()); // "to" is as frequent, but not more
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hitter<T> {
    item: T,
    count: Estimate,
    is_rank_guaranteed: bool,
}

impl<T> Hitter<T> {
    /// Returns a reference to the item.
    pub fn item(&self) -> &T {
        &self.item
    }

    /// Returns the item.
    pub fn into_item(self) -> T {
        self.item
    }

    /// Returns how often it was added. The bounds are deterministic, and the value is the lower one.
    pub fn count(&self) -> Estimate {
        self.count
    }

    /// Returns whether its rank is certain: all items before it were added at least as often, and no other
    /// item more often.
    pub fn is_rank_guaranteed(&self) -> bool {
        self.is_rank_guaranteed
    }
}

/// Declares what the two structures share: the queries on their summary, and their shell. Each has its
/// `RULES`, and one has a `$queue` that follows from the summary.
macro_rules! heavy_hitters {
    ($type:ident $(, $queue:ident)?) => {
        impl<T: Element + Item + Ord> $type<T> {
            /// Returns the memory in bytes of a sketch whose counters are all in use, without the heap memory
            /// of items.
            pub fn memory_for(counters: u32) -> u64 {
                size_of::<Self>() as u64 + u64::from(counters) * Self::COUNTER_BYTES as u64
            }

            /// Adds `count` occurrences of an item, which is copied only if it is new.
            #[inline]
            pub fn add<Q>(&mut self, item: &Q, count: u64)
            where
                T: Borrow<Q>,
                Q: Item + Ord + ToOwned<Owned = T> + ?Sized,
            {
                self.add_hashed(item, self.summary.spec.hash(item), count);
            }

            /// Adds `count` occurrences of an item whose hash, by [`hash_spec`](Self::hash_spec), is known.
            ///
            /// ```
            #[doc = concat!("use crivo::", stringify!($type), ";")]
            #[doc = concat!("let mut words = ", stringify!($type), "::<String>::for_counters(10)?;")]
            /// let hash = words.hash_spec().hash("sieve");
            /// words.add_hashed("sieve", hash, 3);
            /// assert_eq!(words.frequency_hashed("sieve", hash).value(), 3.0);
            /// # Ok::<(), crivo::Error>(())
            /// ```
            #[inline]
            pub fn add_hashed<Q>(&mut self, item: &Q, hash: u64, count: u64)
            where
                T: Borrow<Q>,
                Q: Item + Ord + ToOwned<Owned = T> + ?Sized,
            {
                if count == 0 {
                    return;
                }
                let summary = &mut self.summary;
                summary.total = summary.total.saturating_add(count);
                match summary.table.find(item, short(hash)) {
                    Ok(place) => summary.table.raise(place, count),
                    Err(slot) => self.enter(item, short(hash), count, slot),
                }
            }

            /// Returns how often an item was added. An item that is not kept was added at most
            /// [`floor`](Self::floor) times.
            #[inline]
            pub fn frequency<Q>(&self, item: &Q) -> Estimate
            where
                T: Borrow<Q>,
                Q: Item + Ord + ?Sized,
            {
                self.frequency_hashed(item, self.summary.spec.hash(item))
            }

            /// Returns the [`frequency`](Self::frequency) of an item whose hash is known.
            #[inline]
            pub fn frequency_hashed<Q>(&self, item: &Q, hash: u64) -> Estimate
            where
                T: Borrow<Q>,
                Q: Item + Ord + ?Sized,
            {
                self.summary.frequency(item, hash)
            }

            /// Returns the most frequent items, at most `most` of them: by lower bound, then by upper bound,
            /// then in the order of the items.
            pub fn top(&self, most: usize) -> Vec<Hitter<T>> {
                self.summary.top(most)
            }

            /// Returns the items that were certainly added more than `threshold` times, ranked as by
            /// [`top`](Self::top).
            ///
            /// ```
            #[doc = concat!("# use crivo::", stringify!($type), ";")]
            #[doc = concat!("let mut ports = ", stringify!($type), "::<u64>::for_counters(10)?;")]
            /// ports.add(&80u64, 500);
            /// ports.add(&443u64, 900);
            /// assert_eq!(ports.certainly_above(500)[0].item(), &443);
            /// assert_eq!(ports.possibly_above(499)?.len(), 2);
            /// # Ok::<(), crivo::Error>(())
            /// ```
            pub fn certainly_above(&self, threshold: u64) -> Vec<Hitter<T>> {
                self.summary.certainly_above(threshold)
            }

            /// Returns the items that may have been added more than `threshold` times, which include all that
            /// were.
            ///
            /// # Errors
            /// `InvalidArgument` if `threshold` is below the [`floor`](Self::floor): items that are not kept
            /// may be above it too.
            pub fn possibly_above(&self, threshold: u64) -> Result<Vec<Hitter<T>>> {
                self.summary.possibly_above(threshold)
            }

            /// Returns the most occurrences that an item can have without being kept; no error is larger.
            pub fn floor(&self) -> u64 {
                self.summary.floor
            }

            /// Returns the sum of all added counts; it saturates at the largest `u64`.
            pub fn total(&self) -> u64 {
                self.summary.total
            }

            /// Returns the number of kept items.
            pub fn len(&self) -> usize {
                self.summary.table.len()
            }

            /// Returns the number of counters.
            pub fn counters(&self) -> u32 {
                self.summary.table.most() as u32
            }
        }

        shell!(impl[T: Element + Item + Ord] $type<T>, $type: hashes_by(self => &self.summary.spec), starts, merges,
            for_numbers(for_counters, Counters(counters: u32), "Creates an empty sketch with this many counters.", "there are 1 to 2²⁶"));

        impl<T: Element + Item + Ord> OfSize for $type<T> {
            type Params = OfElements<T, Counters>;

            fn params(&self) -> Self::Params {
                Counters(self.counters()).into()
            }
        }

        impl<T: Element + Item + Ord> Core for $type<T> {
            const KIND: Kind = Kind::$type;

            fn heap_bytes(&self) -> usize {
                self.summary.table.memory_bytes() $(+ self.$queue.memory_bytes())?
            }

            fn heap_bound(&self) -> Option<usize> {
                None
            }

            fn write(&self, payload: &mut Vec<u8>) {
                self.summary.write(payload);
            }

            fn read(size: Self::Params, file: &mut Payload<'_>) -> Result<Self> {
                let summary = Summary::read(RULES, size.0, file, size_of::<Self>())?;
                Ok(Self { summary $(, $queue: Default::default())? })
            }

            fn state(&self) -> Vec<Fact> {
                self.summary.state(RULES)
            }

            fn absorb(&mut self, other: &Self) -> Result<()> {
                self.summary.absorb(&other.summary);
                $(self.$queue.clear();)?
                Ok(())
            }
        }

        impl<T: Element + Item + Ord> Empty for $type<T> {
            fn empty(size: Self::Params, spec: HashSpec) -> Self {
                Self { summary: Summary::new(size.0, spec) $(, $queue: Default::default())? }
            }

            fn has_nothing(&self) -> bool {
                self.summary.total == 0
            }
        }

        impl<T: Element + Item + Ord> Extend<T> for $type<T> {
            /// Adds one occurrence of each item.
            fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
                items.into_iter().for_each(|item| self.add(&item, 1));
            }
        }

        impl<T: Element + Item + Ord> FromIterator<T> for $type<T> {
            /// A sketch that holds every item with more than 0.1 % of the occurrences.
            fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
                let mut sketch = Self::for_error(0.001).expect("the default size is in range");
                sketch.extend(items);
                sketch
            }
        }

        impl<T: Element + Item + Ord> PartialEq for $type<T> {
            fn eq(&self, other: &Self) -> bool {
                self.summary == other.summary
            }
        }
    };
}
use heavy_hitters;

#[cfg(test)]
mod tests;
