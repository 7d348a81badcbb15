//! Merging the samples of two streams.

use super::Reservoir;
use crate::rng::Rng;
use crate::{Error, Result};

impl<T> Reservoir<T> {
    /// Merges the sample of another stream into this one, which becomes a sample of both streams.
    ///
    /// ```
    /// # use crivo::Reservoir;
    /// let (mut left, mut right) = (Reservoir::for_k(10, 1)?, Reservoir::for_k(10, 2)?);
    /// left.extend(0..100);
    /// right.extend(100..1000);
    /// left.merge(&right)?; // about nine of ten are now from the right
    /// assert_eq!((left.sample().len(), left.total()), (10, 1000));
    /// let twin = left.clone();
    /// assert!(left.merge(&twin).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `Incompatible` if `k` differs, or if both have items and the same seed; `Full` if the two streams have
    /// 2⁶⁴ items or more. On error `self` is unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<()>
    where
        T: Clone,
    {
        if self.k != other.k {
            return Err(Error::incompatible("k", self.k, other.k, "build both with the same k"));
        }
        if self.is_empty() || other.is_empty() {
            if self.is_empty() && !other.is_empty() {
                *self = other.clone();
            }
            return Ok(());
        }
        self.lots.check_apart(&other.lots)?;
        let Some(total) = self.total.checked_add(other.total) else {
            return Err(Error::full(
                "the two streams together have 2^64 items or more; keep the samples separate",
            ));
        };
        if total <= u64::from(self.k) {
            other.items.iter().for_each(|item| self.push(item.clone()));
        } else {
            self.choose(other);
        }
        (self.total, self.next) = (total, total);
        if total >= u64::from(self.k) {
            self.draw_threshold();
        }
        Ok(())
    }

    /// Draws how many of the k items come from each stream, one by one without replacement, and which.
    fn choose(&mut self, other: &Self)
    where
        T: Clone,
    {
        let rng = self.lots.rng();
        let (mut ours, mut left) = (0, self.total);
        for drawn in 0..u64::from(self.k) {
            if rng.below(self.total + other.total - drawn) < left {
                ours += 1;
                left -= 1;
            }
        }
        let mut keep = Choice { needed: ours, left: self.items.len() as u64 };
        self.items.retain(|_| keep.takes(rng));
        let mut keep = Choice { needed: u64::from(self.k) - ours, left: other.items.len() as u64 };
        let theirs = other.items.iter().filter(|_| keep.takes(self.lots.rng()));
        self.items.reserve_exact(self.k as usize - ours as usize);
        self.items.extend(theirs.cloned());
    }
}

/// Chooses a number of the remaining items; every subset of that size is equally likely.
struct Choice {
    needed: u64,
    left: u64,
}

impl Choice {
    fn takes(&mut self, rng: &mut Rng) -> bool {
        let is_taken = rng.below(self.left) < self.needed;
        self.left -= 1;
        self.needed -= u64::from(is_taken);
        is_taken
    }
}
