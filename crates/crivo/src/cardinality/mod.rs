//! How many different? Counting distinct items in fixed memory.

/// What counters share, from their `insert_hash`, `estimate_within` and `spec`.
macro_rules! counter_methods {
    ($type:ty) => {
        impl $type {
            /// Inserts an item; true when the sketch changed.
            #[inline]
            pub fn insert<T: crate::Item + ?Sized>(&mut self, item: &T) -> bool {
                self.insert_hash(self.spec.hash(item))
            }

            /// How many different items were inserted, at 95 %.
            pub fn estimate(&self) -> crate::Estimate {
                self.estimate_within(crate::DEFAULT_CONFIDENCE)
            }

            /// [`estimate`](Self::estimate) at another confidence.
            ///
            /// # Errors
            /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
            pub fn estimate_at(&self, confidence: f64) -> crate::Result<crate::Estimate> {
                crate::estimate::check_confidence(confidence)?;
                Ok(self.estimate_within(confidence))
            }

            /// An empty sketch of this size that hashes by `spec`.
            #[must_use]
            pub fn with_hash(mut self, spec: crate::HashSpec) -> Self {
                self.clear();
                self.spec = spec;
                self
            }

            /// How it hashes.
            pub fn hash_spec(&self) -> &crate::HashSpec {
                &self.spec
            }
        }

        impl crate::sketch::Cardinality for $type {
            fn estimate(&self) -> crate::Estimate {
                self.estimate()
            }
        }
    };
}

/// Collecting items into a counter of a size of its own, which `$size` describes.
macro_rules! collects_into {
    ($type:ty, $make:expr, $size:literal) => {
        impl<T: crate::Item> FromIterator<T> for $type {
            #[doc = $size]
            fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
                let mut sketch = $make.expect("the default size is in range");
                sketch.extend(items);
                sketch
            }
        }
    };
}

mod entries;
mod exaloglog;
mod hyperloglog;
mod joint;
mod k_min_values;
mod linear_counting;
mod loglog;
mod martingale;
mod mean_law;
mod minimum_hash;
mod precision;
mod probabilistic_counting;
mod registers;
mod sets;
mod sliding;
mod words;

pub use exaloglog::ExaLogLog;
pub use hyperloglog::{Estimator, HyperLogLog};
pub use joint::Joint;
pub use k_min_values::KMinValues;
pub(crate) use k_min_values::Owner;
pub use linear_counting::LinearCounting;
pub use loglog::LogLog;
pub use martingale::{Evolving, Martingale};
pub use minimum_hash::MinimumHash;
pub use probabilistic_counting::ProbabilisticCounting;
pub use sets::Sets;
pub use sliding::SlidingHyperLogLog;
