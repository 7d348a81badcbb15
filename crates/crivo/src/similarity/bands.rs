//! Locality-sensitive hashing by bands of a signature: see [`LshParams`].

use super::signature::MAX_K;
use crate::hash::mix;
use crate::stats::beta_i;
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use libm::{ceil, exp, expm1, lgamma, log1p, pow};

/// The bands and rows of locality-sensitive hashing. A signature is cut into b bands of r rows; two sets of similarity
/// s share a band with the probability 1 − (1 − sʳ)ᵇ, which rises steeply with s.
///
/// ```
/// use crivo::similarity::LshParams;
/// let params = LshParams::for_targets((0.6, 0.01), (0.9, 0.99))?;
/// assert_eq!((params.bands(), params.rows()), (20, 15));
/// assert!(params.probability(0.6)? <= 0.01 && params.probability(0.9)? >= 0.99);
/// println!("{params:#}"); // its S-curve
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LshParams {
    bands: u32,
    rows: u32,
}

impl LshParams {
    /// Returns exactly this many bands of this many rows.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless both are 1 or more and their product is at most 65,536.
    pub fn exact(bands: u32, rows: u32) -> Result<Self> {
        match bands.checked_mul(rows) {
            Some(1..=MAX_K) => Ok(Self { bands, rows }),
            _ => Err(Error::invalid(format!(
                "bands and rows must be 1 or more, and their product at most {MAX_K}, got {bands} bands of \
                 {rows} rows; 16 of 8 are usual"
            ))),
        }
    }

    /// Returns the fewest slots at which sets of similarity `low.0` are candidates with a probability of at most
    /// `low.1`, and sets of similarity `high.0` with a probability of at least `high.1`.
    ///
    /// More rows need more slots to find similar sets, so the smallest number of rows that keeps out dissimilar sets is
    /// best.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless all four lie strictly between 0 and 1, `high.0` is above `low.0`, and 65,536
    /// slots suffice.
    pub fn for_targets(low: (f64, f64), high: (f64, f64)) -> Result<Self> {
        for (name, value) in [
            ("the lower similarity", low.0),
            ("the probability at the lower similarity", low.1),
            ("the higher similarity", high.0),
            ("the probability at the higher similarity", high.1),
        ] {
            check_inside(name, value)?;
        }
        if low.0 >= high.0 {
            return Err(Error::invalid(format!(
                "the higher similarity must be above the lower one, got {} and {}; swap them or move them apart",
                high.0, low.0
            )));
        }
        let sizes = (1..=MAX_K).map_while(|rows| Self::with_probability(rows, high));
        let fewest = sizes.filter(|params| params.chance(low.0) <= low.1).min_by_key(Self::slots);
        fewest.ok_or_else(|| {
            Error::invalid(format!(
                "no {MAX_K} slots make candidates of at most {} of the pairs at {} and at least {} of those at \
                 {}; move the targets apart",
                low.1, low.0, high.1, high.0
            ))
        })
    }

    /// Returns the most rows, and so the fewest false candidates, in at most `slots` slots at which sets of similarity
    /// `threshold` are candidates with a probability of at least `recall`, with as few bands as that takes.
    ///
    /// ```
    /// # use crivo::similarity::LshParams;
    /// let params = LshParams::for_recall(0.8, 0.995, 256)?;
    /// assert_eq!((params.bands(), params.rows()), (29, 8));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `threshold` is above 0 and at most 1, `recall` lies strictly between 0 and 1,
    /// `slots` is at most 65,536, and the slots suffice.
    pub fn for_recall(threshold: f64, recall: f64, slots: u32) -> Result<Self> {
        check_threshold(threshold)?;
        check_inside("the recall", recall)?;
        check_slots(slots)?;
        if threshold == 1.0 {
            return Self::exact(1, slots);
        }
        let sizes = (1..=slots).map_while(|rows| Self::with_probability(rows, (threshold, recall)));
        sizes.filter(|params| params.slots() <= slots).last().ok_or_else(|| {
            Error::invalid(format!(
                "{slots} slots cannot find {recall} of the pairs at {threshold}; use more slots or ask for a lower recall"
            ))
        })
    }

    /// Returns the bands and rows of at most `slots` slots with the least weighted error about a threshold: the mean
    /// probability of a false candidate below it times 1 − `false_negative_weight`, plus that of a missed pair above it
    /// times `false_negative_weight`, for uniformly distributed similarities.
    ///
    /// ```
    /// # use crivo::similarity::LshParams;
    /// let balanced = LshParams::for_threshold(0.5, 128, 0.5)?;
    /// assert_eq!((balanced.bands(), balanced.rows()), (25, 5));
    /// let thorough = LshParams::for_threshold(0.5, 128, 0.9)?;
    /// assert!(thorough.probability(0.5)? > balanced.probability(0.5)?);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `threshold` and `false_negative_weight` lie strictly between 0 and 1, and
    /// `slots` is 1 to 65,536.
    pub fn for_threshold(threshold: f64, slots: u32, false_negative_weight: f64) -> Result<Self> {
        check_inside("the threshold", threshold)?;
        check_inside("the weight of false negatives", false_negative_weight)?;
        check_slots(slots)?;
        let mut best = (f64::INFINITY, Self { bands: slots, rows: 1 });
        for rows in 1..=slots {
            let error = |bands| Self { bands, rows }.weighted_error(threshold, false_negative_weight);
            // As the number of bands grows, the error falls and then rises.
            let (mut low, mut high) = (1, slots / rows);
            while low < high {
                let middle = low + (high - low) / 2;
                if error(middle) <= error(middle + 1) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            if error(low) < best.0 {
                best = (error(low), Self { bands: low, rows });
            }
        }
        Ok(best.1)
    }

    /// Returns the fewest bands of this many rows with at least this probability; `None` if that takes too many.
    fn with_probability(rows: u32, (similarity, probability): (f64, f64)) -> Option<Self> {
        let bands = log1p(-probability) / log1p(-pow(similarity, f64::from(rows)));
        if bands.is_nan() || bands >= f64::from(MAX_K) {
            return None;
        }
        let enough = |bands: u32| Self { bands, rows }.chance(similarity) >= probability;
        // The quotient may be off by a rounding error.
        let guess = (ceil(bands) as u32).max(2);
        let bands = [guess - 1, guess, guess + 1].into_iter().find(|&bands| enough(bands))?;
        Self::exact(bands, rows).ok()
    }

    /// Computes the weighted error; ∫ (1 − sʳ)ᵇ ds is an incomplete beta function of sʳ.
    fn weighted_error(self, threshold: f64, false_negative_weight: f64) -> f64 {
        let (shape, bands) = (1.0 / f64::from(self.rows), f64::from(self.bands) + 1.0);
        let all_missed = shape * exp(lgamma(shape) + lgamma(bands) - lgamma(shape + bands));
        let missed_below = all_missed * beta_i(shape, bands, pow(threshold, f64::from(self.rows)));
        let (false_positive, false_negative) = (threshold - missed_below, all_missed - missed_below);
        false_positive * (1.0 - false_negative_weight) + false_negative * false_negative_weight
    }

    /// Returns the number of bands, b.
    pub fn bands(&self) -> u32 {
        self.bands
    }

    /// Returns the number of slots in a band, r.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the number of slots in all bands. A signature may have more.
    pub fn slots(&self) -> u32 {
        self.bands * self.rows
    }

    /// Returns the probability that sets of this similarity share a band: 1 − (1 − sʳ)ᵇ.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `similarity` is 0 to 1.
    pub fn probability(&self, similarity: f64) -> Result<f64> {
        check_unit("a similarity", similarity)?;
        Ok(self.chance(similarity))
    }

    /// Returns the [`probability`](Self::probability) for a similarity that was already checked.
    pub(crate) fn chance(self, similarity: f64) -> f64 {
        -expm1(f64::from(self.bands) * log1p(-pow(similarity, f64::from(self.rows))))
    }

    /// Returns the similarity at which sets share a band with this probability: (1 − (1 − p)^{1/b})^{1/r}.
    ///
    /// ```
    /// # use crivo::similarity::LshParams;
    /// let params = LshParams::exact(32, 16)?;
    /// assert!((params.similarity_at(0.005)? - 0.5783).abs() < 5e-5);
    /// assert!((params.similarity_at(0.95)? - 0.8599).abs() < 5e-5);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `probability` is 0 to 1.
    pub fn similarity_at(&self, probability: f64) -> Result<f64> {
        check_unit("a probability", probability)?;
        let band = -expm1(log1p(-probability) / f64::from(self.bands));
        Ok(pow(band, 1.0 / f64::from(self.rows)))
    }

    /// Returns the S-curve: the probability at the similarities 0, 1/n, 2/n, … 1.
    pub fn curve(&self, n: u32) -> Vec<(f64, f64)> {
        let n = n.max(1);
        let similarity = |step| f64::from(step) / f64::from(n);
        (0..=n).map(|step| (similarity(step), self.chance(similarity(step)))).collect()
    }

    /// Returns the key of each band of a signature without empty slots.
    #[inline]
    pub(crate) fn keys(self, slots: &[u32]) -> impl Iterator<Item = u64> + use<'_> {
        slots.chunks_exact(self.rows as usize).take(self.bands as usize).map(key)
    }
}

impl fmt::Display for LshParams {
    /// Prints `16 bands of 8 rows`; `{:#}` adds the S-curve, one line for every twentieth of similarity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bands of {} rows", self.bands, self.rows)?;
        if f.alternate() {
            for (similarity, probability) in self.curve(20) {
                let bar = "#".repeat(libm::round(probability * 50.0) as usize);
                write!(f, "\n{similarity:.2} {probability:.4} {bar}")?;
            }
        }
        Ok(())
    }
}

/// Hashes the slots of a band, two at a time. The hash is part of the file format: filters of bands store it.
#[inline]
pub(crate) fn key(slots: &[u32]) -> u64 {
    let (pairs, last) = slots.as_chunks();
    let word = |&[first, second]: &[u32; 2]| u64::from(first) << 32 | u64::from(second);
    let words = pairs.iter().map(word).chain(last.iter().map(|&slot| u64::from(slot)));
    words.fold(0, |key, word| mix(key ^ word))
}

fn check_inside(name: &str, value: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(Error::invalid(format!("{name} must lie strictly between 0 and 1, got {value}")))
}

fn check_unit(name: &str, value: f64) -> Result<()> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(Error::invalid(format!("{name} must be 0 to 1, got {value}")))
}

/// Refuses a number that is not a similarity above 0.
pub(crate) fn check_threshold(threshold: f64) -> Result<()> {
    if threshold > 0.0 && threshold <= 1.0 {
        return Ok(());
    }
    Err(Error::invalid(format!("a threshold must be above 0 and at most 1, got {threshold}; 0.8 is usual")))
}

fn check_slots(slots: u32) -> Result<()> {
    if (1..=MAX_K).contains(&slots) {
        return Ok(());
    }
    Err(Error::invalid(format!("slots must be 1 to {MAX_K}, got {slots}; 128 are usual")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        let params = LshParams::exact(20, 15).unwrap();
        assert!((params.probability(0.6).unwrap() - 0.0094).abs() < 5e-5);
        assert!((params.probability(0.9).unwrap() - 0.9901).abs() < 5e-5);
        let params = LshParams::exact(32, 16).unwrap();
        for (probability, similarity) in [(0.005, 0.5783), (0.95, 0.8599)] {
            assert!((params.similarity_at(probability).unwrap() - similarity).abs() < 5e-5);
            assert!((params.probability(similarity).unwrap() - probability).abs() < 2e-4);
        }
    }

    #[test]
    fn targets_are_met_with_the_fewest_slots() {
        for (low, high) in [
            ((0.6, 0.01), (0.9, 0.99)),
            ((0.3, 0.05), (0.7, 0.9)),
            ((0.5, 0.001), (0.95, 0.999)),
            ((0.1, 0.5), (0.9, 0.5)),
            ((0.79, 0.1), (0.82, 0.2)),
        ] {
            let params = LshParams::for_targets(low, high).unwrap();
            let meets = |params: &LshParams| params.chance(low.0) <= low.1 && params.chance(high.0) >= high.1;
            assert!(meets(&params), "{params}");
            for rows in 1..params.slots() {
                for bands in 1..=(params.slots() - 1) / rows {
                    assert!(!meets(&LshParams { bands, rows }), "{params}, but also {bands} of {rows}");
                }
            }
        }
        assert!(LshParams::for_targets((0.8, 0.01), (0.801, 0.99)).is_err());
    }

    #[test]
    fn recall_is_met_with_the_most_rows_and_the_fewest_bands() {
        for (threshold, recall, slots) in
            [(0.8, 0.995, 128), (0.5, 0.9, 64), (0.95, 0.999, 1000), (0.3, 0.99, 50)]
        {
            let params = LshParams::for_recall(threshold, recall, slots).unwrap();
            let (bands, rows) = (params.bands(), params.rows());
            assert!(params.chance(threshold) >= recall && params.slots() <= slots);
            assert!(bands == 1 || LshParams { bands: bands - 1, rows }.chance(threshold) < recall);
            assert!(LshParams { bands: slots / (rows + 1), rows: rows + 1 }.chance(threshold) < recall);
        }
        assert_eq!(LshParams::for_recall(1.0, 0.5, 100).unwrap(), LshParams { bands: 1, rows: 100 });
        assert!(LshParams::for_recall(0.1, 0.99, 10).is_err());
    }

    /// Checks by Simpson's rule, over all sizes.
    #[test]
    fn the_weighted_error_is_the_least() {
        let area = |from: f64, to: f64, f: &dyn Fn(f64) -> f64| {
            let steps = 400;
            let width = (to - from) / f64::from(steps);
            let weight = |i| {
                if i == 0 || i == steps {
                    1.0
                } else if i % 2 == 1 {
                    4.0
                } else {
                    2.0
                }
            };
            (0..=steps).map(|i| weight(i) * f(from + f64::from(i) * width)).sum::<f64>() * width / 3.0
        };
        for (threshold, weight) in [(0.5, 0.5), (0.8, 0.5), (0.8, 0.9), (0.2, 0.3)] {
            let error = |params: &LshParams| {
                let wrong = area(0.0, threshold, &|s| params.chance(s));
                let missed = area(threshold, 1.0, &|s| 1.0 - params.chance(s));
                (1.0 - weight) * wrong + weight * missed
            };
            let best = LshParams::for_threshold(threshold, 64, weight).unwrap();
            assert!((best.weighted_error(threshold, weight) - error(&best)).abs() < 1e-5, "{best}");
            for rows in 1..=64 {
                for bands in 1..=64 / rows {
                    let other = LshParams { bands, rows };
                    assert!(error(&best) < error(&other) + 1e-5, "{best}, but also {other}");
                }
            }
        }
    }

    #[test]
    fn the_curve_rises_from_nothing_to_certainty() {
        for (bands, rows) in [(1, 1), (16, 8), (1, 65_536), (65_536, 1)] {
            let curve = LshParams::exact(bands, rows).unwrap().curve(100);
            assert_eq!((curve.len(), curve[0], curve[100]), (101, (0.0, 0.0), (1.0, 1.0)));
            assert!(curve.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        }
        let shown = format!("{:#}", LshParams::exact(20, 15).unwrap());
        assert!(
            shown.starts_with("20 bands of 15 rows\n0.00 0.0000 \n") && shown.lines().count() == 22,
            "{shown}"
        );
    }

    #[test]
    fn absurd_targets_are_refused() {
        for bad in [0.0, 1.0, -0.1, 2.0, f64::NAN, f64::INFINITY] {
            assert!(LshParams::for_targets((bad, 0.1), (0.9, 0.9)).is_err(), "{bad}");
            assert!(LshParams::for_targets((0.1, bad), (0.9, 0.9)).is_err(), "{bad}");
            assert!(LshParams::for_targets((0.1, 0.1), (bad, 0.9)).is_err(), "{bad}");
            assert!(LshParams::for_targets((0.1, 0.1), (0.9, bad)).is_err(), "{bad}");
            assert!(LshParams::for_recall(0.8, bad, 100).is_err(), "{bad}");
            assert!(LshParams::for_threshold(bad, 100, 0.5).is_err(), "{bad}");
            assert!(LshParams::for_threshold(0.5, 100, bad).is_err(), "{bad}");
            assert!(bad == 1.0 || LshParams::for_recall(bad, 0.9, 100).is_err(), "{bad}");
            let params = LshParams::exact(2, 2).unwrap();
            let is_unit = (0.0..=1.0).contains(&bad);
            assert_eq!(
                (params.probability(bad).is_ok(), params.similarity_at(bad).is_ok()),
                (is_unit, is_unit)
            );
        }
        for (bands, rows) in [(0, 1), (1, 0), (u32::MAX, 2), (65_537, 1), (257, 256)] {
            assert!(LshParams::exact(bands, rows).is_err(), "{bands} {rows}");
        }
        assert!(
            LshParams::for_recall(0.8, 0.9, 0).is_err() && LshParams::for_threshold(0.5, 0, 0.5).is_err()
        );
        assert!(LshParams::for_recall(0.8, 0.9, u32::MAX).is_err());
    }
}
