//! Bands and rows from a threshold and a recall: see [`NearParams`].

use super::super::LshParams;
use crate::stats::{beta_i, binomial_cdf, binomial_quantile, clopper_pearson};
use crate::{DEFAULT_CONFIDENCE, Error, Estimate, Guarantee, Result};
use alloc::format;

/// The default recall: the share of pairs at the threshold that is found.
const DEFAULT_RECALL: f64 = 0.995;
/// The numbers of slots to try. More slots mean fewer comparisons in vain; up to 160 the signature takes less time than
/// cutting the text. Where 160 allow only one row, nearly all pairs would be candidates, and two rows are worth up to
/// 640 slots. The rest takes up to 4,096.
const SLOTS: [u32; 3] = [160, 640, 4096];
/// The share of misses allowed for slots that disagree, if the bands are given.
const MISSED: f64 = 0.001;
/// The number of values of a kept slot, which is one byte.
const SLOT_VALUES: f64 = 256.0;

/// The parameters of a search for near-duplicates: the threshold, and how reliably pairs are found.
///
/// Two sets of similarity s agree in each slot of their signatures with probability s. They are compared if they agree
/// in all rows of some band ([`LshParams`]), and in enough slots overall.
///
/// ```
/// use crivo::similarity::NearParams;
/// let params = NearParams::for_threshold(0.8)?;
/// assert_eq!((params.bands(), params.rows(), params.slots()), (20, 6, 120));
/// assert!(params.recall(0.8) > 0.995);
/// assert!(params.recall(0.9) > 0.999_999);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearParams {
    threshold: f64,
    /// `None` finds only equal sets.
    bands: Option<LshParams>,
    least_agreement: u32,
}

impl NearParams {
    /// Returns parameters for pairs of at least this similarity, of which 99.5 % are found at the threshold, and more
    /// above it. Equal sets are always found.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `threshold` is at least 0.0015 and at most 1.
    pub fn for_threshold(threshold: f64) -> Result<Self> {
        Self::for_recall(threshold, DEFAULT_RECALL)
    }

    /// Returns parameters for pairs of at least this similarity, of which the share `recall` is found at the threshold,
    /// and more above it.
    ///
    /// Half of the allowed misses go to the bands, half to the slots that must agree overall. Up to 160 slots hold as
    /// many rows as reach the recall; low thresholds take up to 4,096 slots.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `threshold` is above 0 and at most 1, `recall` lies strictly between 0 and 1,
    /// and 4,096 slots suffice.
    pub fn for_recall(threshold: f64, recall: f64) -> Result<Self> {
        check_threshold(threshold)?;
        if !(recall > 0.0 && recall < 1.0) {
            return Err(Error::invalid(format!(
                "recall must be a number between 0 and 1, got {recall}; 0.995 is usual"
            )));
        }
        let missed = (1.0 - recall) / 2.0;
        let fits = |slots: u32| LshParams::for_recall(threshold, 1.0 - missed, slots);
        let bands = match (fits(SLOTS[0]), fits(SLOTS[1])) {
            (Ok(usual), _) if usual.rows() > 1 => usual,
            (_, Ok(large)) if large.rows() > 1 => large,
            _ => fits(SLOTS[2])?,
        };
        Ok(Self::made(threshold, bands, missed))
    }

    /// Returns parameters for pairs of at least this similarity that share one of these bands. One in a thousand of
    /// those at the threshold is missed nevertheless, because enough slots must agree overall.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless the threshold is above 0 and at most 1.
    pub fn with_bands(threshold: f64, bands: LshParams) -> Result<Self> {
        check_threshold(threshold)?;
        Ok(Self::made(threshold, bands, MISSED))
    }

    fn made(threshold: f64, bands: LshParams, missed: f64) -> Self {
        if threshold == 1.0 {
            return Self { threshold, bands: None, least_agreement: 0 };
        }
        // Fewer slots agree with at most this probability.
        let least = binomial_quantile(bands.slots().into(), agreement(threshold), missed);
        Self { threshold, bands: Some(bands), least_agreement: least as u32 }
    }

    /// Returns the least similarity of near-duplicates.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Returns the number of bands of a signature; 0 at the threshold 1, where a fingerprint finds equal sets.
    pub fn bands(&self) -> u32 {
        self.bands.map_or(0, |bands| bands.bands())
    }

    /// Returns the number of slots in a band.
    pub fn rows(&self) -> u32 {
        self.bands.map_or(0, |bands| bands.rows())
    }

    /// Returns the number of slots in a signature.
    pub fn slots(&self) -> u32 {
        self.bands.map_or(0, |bands| bands.slots())
    }

    /// Returns the number of slots in which two sets must agree to be compared.
    pub fn least_agreement(&self) -> u32 {
        self.least_agreement
    }

    /// Returns a lower bound on the probability that a pair of this similarity is found: 0 below the threshold.
    pub fn recall(&self, similarity: f64) -> f64 {
        if similarity.is_nan() || similarity < self.threshold {
            return 0.0;
        }
        let Some(bands) = self.bands.filter(|_| similarity < 1.0) else { return 1.0 };
        let too_few = match self.least_agreement {
            0 => 0.0,
            least => binomial_cdf(u64::from(least) - 1, bands.slots().into(), agreement(similarity)),
        };
        (bands.chance(similarity) - too_few).max(0.0)
    }
}

impl NearParams {
    /// Estimates the similarity of two documents whose signatures were [verified](super::Verify::Signature) as this
    /// similar, with a 95 % interval.
    ///
    /// ```
    /// use crivo::similarity::NearParams;
    /// let alike = NearParams::for_threshold(0.8)?.estimate(0.85);
    /// assert!(alike.lower() < 0.8 && alike.upper() > 0.9 && (alike.value() - 0.85).abs() < 0.005);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn estimate(&self, similarity: f64) -> Estimate {
        let (agree, slots) = (self.agreeing(similarity), u64::from(self.slots()));
        let (lower, upper) = clopper_pearson(agree, slots, DEFAULT_CONFIDENCE);
        let [value, lower, upper] = [agree as f64 / slots as f64, lower, upper].map(similarity_of);
        Estimate::new(value, lower, upper, Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE })
    }

    /// Returns the probability that two documents whose signatures were [verified](super::Verify::Signature) as this
    /// similar are below the threshold, for a uniform prior of similarities.
    ///
    /// ```
    /// use crivo::similarity::NearParams;
    /// let params = NearParams::for_threshold(0.8)?;
    /// assert!(params.chance_below(0.7) > 0.99 && params.chance_below(0.95) < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn chance_below(&self, similarity: f64) -> f64 {
        let (agree, slots) = (self.agreeing(similarity) as f64, f64::from(self.slots()));
        beta_i(agree + 1.0, slots - agree + 1.0, agreement(self.threshold))
    }

    fn agreeing(&self, similarity: f64) -> u64 {
        let slots = f64::from(self.slots());
        libm::round(agreement(similarity.clamp(0.0, 1.0)) * slots).min(slots) as u64
    }
}

fn check_threshold(threshold: f64) -> Result<()> {
    if threshold > 0.0 && threshold <= 1.0 {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "a threshold must be a number above 0 and at most 1, got {threshold}; 0.8 is usual"
    )))
}

/// Returns the probability that two sets of this similarity agree in a slot, of which one byte is kept.
fn agreement(similarity: f64) -> f64 {
    similarity + (1.0 - similarity) / SLOT_VALUES
}

/// Returns the similarity at which two sets agree in this share of their slots on average.
pub(super) fn similarity_of(share: f64) -> f64 {
    ((share * SLOT_VALUES - 1.0) / (SLOT_VALUES - 1.0)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::binomial_sf;

    #[test]
    fn the_recall_is_met_and_half_of_what_is_missed_left_to_each_cause() {
        for threshold in [0.02, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99] {
            for recall in [0.5, 0.9, 0.99, 0.995, 0.9999] {
                let params = NearParams::for_recall(threshold, recall).unwrap();
                let context = (threshold, recall, params);
                assert!(params.recall(threshold) >= recall, "{context:?}");
                let found = binomial_sf(
                    u64::from(params.least_agreement).wrapping_sub(1),
                    params.slots().into(),
                    agreement(threshold),
                );
                assert!(params.least_agreement == 0 || found >= 0.5 + recall / 2.0, "{context:?}");
                let mut last = 0.0;
                for similarity in (1..=100).map(|percent| f64::from(percent) / 100.0) {
                    assert!(params.recall(similarity) >= last, "{context:?}, {similarity}");
                    last = params.recall(similarity);
                }
                assert_eq!(last, 1.0);
            }
        }
    }

    #[test]
    fn sizes_for_usual_thresholds() {
        let sizes = [0.02, 0.2, 0.4, 0.5, 0.8, 0.9, 0.95, 1.0].map(|threshold| {
            let params = NearParams::for_threshold(threshold).unwrap();
            (params.bands(), params.rows(), params.least_agreement())
        });
        let expected = [
            (297, 1, 1),
            (147, 2, 41),
            (35, 2, 17),
            (45, 3, 52),
            (20, 6, 83),
            (14, 10, 115),
            (10, 15, 134),
            (0, 0, 0),
        ];
        assert_eq!(sizes, expected);
    }
}
