//! Sums of the weights of a subset, and their intervals.

use super::VarOpt;
use crate::estimate::check_confidence;
use crate::stats::clopper_pearson;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Result};

/// What the sample contains of a subset and of its complement.
#[derive(Default)]
struct Hits {
    /// The weight of the heavy items of the subset.
    heavy: f64,
    /// The number of light items of the subset.
    light: u64,
    /// The weight of the light items of the subset, and of the other light items.
    kept: [f64; 2],
}

impl<T> VarOpt<T> {
    /// Estimates the sum of the weights of all items of the stream for which `has` is true, with a 95 % interval.
    pub fn subset_sum(&self, has: impl FnMut(&T) -> bool) -> Estimate {
        self.sum_of(&self.hits(has), DEFAULT_CONFIDENCE)
    }

    /// Like [`subset_sum`](Self::subset_sum), at another confidence.
    ///
    /// ```
    /// # use crivo::VarOpt;
    /// let mut sales = VarOpt::for_k(100, 5)?;
    /// for sale in 0..10_000u32 {
    ///     sales.insert(sale, f64::from(1 + sale % 7))?;
    /// }
    /// let usual = sales.subset_sum(|&sale| sale < 5000);
    /// let surer = sales.subset_sum_at(|&sale| sale < 5000, 0.999)?;
    /// assert!(surer.lower() < usual.lower() && usual.upper() < surer.upper());
    /// let share = sales.share_at(|&sale| sale < 5000, 0.999)?;
    /// assert_eq!(share.upper(), surer.upper() / sales.total_weight());
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn subset_sum_at(&self, has: impl FnMut(&T) -> bool, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.sum_of(&self.hits(has), confidence))
    }

    /// Estimates the share of the total weight that belongs to items for which `has` is true, with a 95 % interval.
    pub fn share(&self, has: impl FnMut(&T) -> bool) -> Estimate {
        self.share_of(&self.hits(has), DEFAULT_CONFIDENCE)
    }

    /// Like [`share`](Self::share), at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn share_at(&self, has: impl FnMut(&T) -> bool, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.share_of(&self.hits(has), confidence))
    }

    fn hits(&self, mut has: impl FnMut(&T) -> bool) -> Hits {
        let mut hits = Hits::default();
        for (place, entry) in self.entries.iter().enumerate() {
            let has = has(&entry.item);
            if place >= self.heavy {
                hits.light += u64::from(has);
                hits.kept[usize::from(!has)] += entry.weight;
            } else if has {
                hits.heavy += entry.weight;
            }
        }
        hits
    }

    fn sum_of(&self, hits: &Hits, confidence: f64) -> Estimate {
        let lights = (self.entries.len() - self.heavy) as u64;
        if lights == 0 {
            return Estimate::exact(hits.heavy);
        }
        let threshold = self.threshold();
        let value = hits.heavy + hits.light as f64 * threshold;
        let fewest = least_mean(hits.light, lights, confidence);
        let most = lights as f64 - least_mean(lights - hits.light, lights, confidence);
        // The subset weighs at least what is kept of it, and the rest of the stream what is kept of that.
        let lower = (fewest * threshold).max(hits.kept[0]);
        let upper = (most * threshold).min(self.light_weight.value() - hits.kept[1]);
        Estimate::new(value, hits.heavy + lower, hits.heavy + upper, Guarantee::Proven { confidence })
    }

    fn share_of(&self, hits: &Hits, confidence: f64) -> Estimate {
        let total = self.total_weight();
        if total <= 0.0 {
            // Any share is possible of no weight at all.
            return Estimate::new(0.0, 0.0, 1.0, Guarantee::Certain);
        }
        let sum = self.sum_of(hits, confidence);
        let share = |weight: f64| (weight / total).min(1.0);
        Estimate::new(share(sum.value()), share(sum.lower()), share(sum.upper()), sum.guarantee())
    }
}

/// Returns a lower bound, at one side of this confidence, of the mean number of successes, if `hits` of up to `trials`
/// independent trials with unknown and unequal probabilities succeeded.
///
/// For a mean of at most `hits` − 1, `hits` or more are most likely if the probabilities are equal (Hoeffding 1956,
/// theorem 4), so that the bound of Clopper and Pearson holds up to there. For every mean, Markov's inequality says that
/// `hits` or more have a probability of at most mean/`hits`.
fn least_mean(hits: u64, trials: u64, confidence: f64) -> f64 {
    let miss = 0.5 * (1.0 - confidence);
    let (share, _) = clopper_pearson(hits, trials, confidence);
    (share * trials as f64).min(hits.saturating_sub(1) as f64).max(miss * hits as f64)
}
