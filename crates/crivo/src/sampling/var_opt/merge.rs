//! Merging the samples of two streams.

use super::entries::{Entry, draw};
use super::{MOST_MERGED, VarOpt};
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;

impl<T> VarOpt<T> {
    /// Merges the sample of another stream into this one, which becomes a sample of both streams.
    ///
    /// ```
    /// # use crivo::VarOpt;
    /// let (mut left, mut right) = (VarOpt::for_k(10, 1)?, VarOpt::for_k(10, 2)?);
    /// for item in 0..1000 {
    ///     left.insert(item, 1.0)?;
    ///     right.insert(1000 + item, 9.0)?;
    /// }
    /// left.merge(&right)?; // about nine of ten are now from the right
    /// assert_eq!((left.sample().len(), left.total_weight()), (10, 10_000.0));
    /// let twin = left.clone();
    /// assert!(left.merge(&twin).is_err());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `Incompatible` if `k` differs, or if both have items and the same seed, and `Full` if the sum of all weights would
    /// exceed `f64::MAX`/2. On error `self` is unchanged.
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
        let sum = self.total_weight() + other.total_weight();
        if sum > MOST_MERGED {
            return Err(Error::full(format!(
                "the weights of a sample have a sum of at most {MOST_MERGED:.1e}, and both have {sum:.1e}; give the weights a larger unit"
            )));
        }
        self.total = self.total.saturating_add(other.total);
        self.weight.merge(&other.weight);
        if !other.entries.is_empty() {
            self.join(other);
        }
        Ok(())
    }

    /// Drops entries of both samples one by one, with a threshold that rises, until k are left.
    ///
    /// The light items with the lower threshold come first. The light items of the other sample stand for their common
    /// adjusted weight; they become light together, when the threshold reaches it. So each drop is the same for all
    /// items of one adjusted weight, whichever of them are in the samples, as the intervals need it (STATISTICS).
    fn join(&mut self, other: &Self)
    where
        T: Clone,
    {
        let thresholds = [self.threshold(), other.threshold()];
        let mut heavy = core::mem::take(&mut self.entries);
        let mut light = heavy.split_off(self.heavy);
        let mut later = other.entries[other.heavy..].to_vec();
        heavy.extend(other.entries[..other.heavy].iter().cloned());
        let mut sum = self.light_weight.clone();
        if thresholds[0] > thresholds[1] {
            core::mem::swap(&mut light, &mut later);
            sum = other.light_weight.clone();
        }
        let last = thresholds[0].max(thresholds[1]);
        let later = later.into_iter().map(|entry| (last, entry));
        let mut waiting: Vec<_> = later.chain(heavy.into_iter().map(|entry| (entry.weight, entry))).collect();
        waiting.sort_by(|a, b| a.0.total_cmp(&b.0));
        let excess = (light.len() + waiting.len()).saturating_sub(self.k as usize);
        let mut waiting = waiting.into_iter().peekable();
        for _ in 0..excess {
            let mut joining: Vec<(f64, Entry<T>)> = Vec::new();
            let mut others = light.len() as f64 - 1.0;
            loop {
                let before = joining.last().map(|(weight, _)| *weight);
                let joins = |next: &(f64, Entry<T>)| {
                    others < 1.0 || before == Some(next.0) || sum.value() >= others * next.0
                };
                let Some(next) = waiting.next_if(joins) else { break };
                sum.add(next.0);
                others += 1.0;
                joining.push(next);
            }
            let weights = joining.iter().map(|(weight, _)| *weight);
            match draw(self.lots.rng(), weights, sum.value() / others) {
                Some(place) => drop(joining.swap_remove(place)),
                None if light.is_empty() => drop(joining.swap_remove(0)),
                None => drop(light.swap_remove(self.lots.rng().below(light.len() as u64) as usize)),
            }
            light.extend(joining.into_iter().map(|(_, entry)| entry));
        }
        // If the other sample has no weight, or if rounding has kept the threshold down.
        while let Some((weight, entry)) = waiting.next_if(|next| next.0 <= last) {
            sum.add(weight);
            light.push(entry);
        }
        self.heavy = waiting.len();
        self.light_weight = sum;
        // In ascending order, which is a heap.
        self.entries = Vec::with_capacity(waiting.len() + light.len());
        self.entries.extend(waiting.map(|(_, entry)| entry));
        self.entries.append(&mut light);
    }
}
