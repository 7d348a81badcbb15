//! The number of slots for a target error.

use super::signature::MAX_K;
use crate::estimate::check_confidence;
use crate::stats::{binomial_cdf, binomial_sf, normal_quantile};
use crate::{Error, Result};
use alloc::format;
use libm::{ceil, floor, log, sqrt};

/// Returns a number of slots that is certainly enough for estimates within `error` of the true value with probability
/// `confidence`: (2 + θ)/θ² · ln(2/δ), from Chernoff's bound. [`slots_for_error`] is the exact number, about a quarter
/// of it.
///
/// ```
/// use crivo::similarity::{slots_by_bound, slots_for_error};
/// assert_eq!(slots_by_bound(0.1, 0.95)?, 775);
/// assert_eq!(slots_for_error(0.1, 0.95)?, 100);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `InvalidArgument` unless both lie strictly between 0 and 1, and the number is below 2⁵³.
pub fn slots_by_bound(error: f64, confidence: f64) -> Result<u64> {
    check_target(error, confidence)?;
    let slots = ceil((2.0 + error) / (error * error) * log(2.0 / (1.0 - confidence)));
    if slots < 9e15 { Ok(slots as u64) } else { Err(too_small(error, confidence)) }
}

/// Returns an error that this many slots certainly keep with probability `confidence`: the inverse of
/// [`slots_by_bound`], θ = (L + √(L² + 8kL))/(2k) with L = ln(2/δ).
///
/// ```
/// use crivo::similarity::{error_by_bound, slots_by_bound};
/// let error = error_by_bound(775, 0.95)?;
/// assert!((error - 0.1).abs() < 1e-4);
/// assert_eq!(slots_by_bound(error + 1e-9, 0.95)?, 775);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `InvalidArgument` if there are no slots, or unless `confidence` lies strictly between 0 and 1.
pub fn error_by_bound(slots: u64, confidence: f64) -> Result<f64> {
    check_confidence(confidence)?;
    check_slots(slots)?;
    let (k, surprise) = (slots as f64, log(2.0 / (1.0 - confidence)));
    Ok((surprise + sqrt(surprise * surprise + 8.0 * k * surprise)) / (2.0 * k))
}

/// Returns the standard error of the share of agreeing slots, for independent slots and sets of this similarity:
/// √(J(1−J)/k).
///
/// ```
/// use crivo::similarity::standard_error;
/// assert_eq!(standard_error(0.5, 100)?, 0.05);
/// assert_eq!(standard_error(1.0, 100)?, 0.0);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `InvalidArgument` if there are no slots, or unless `similarity` is 0 to 1.
pub fn standard_error(similarity: f64, slots: u64) -> Result<f64> {
    check_slots(slots)?;
    if !(0.0..=1.0).contains(&similarity) {
        return Err(Error::invalid(format!("a similarity must be 0 to 1, got {similarity}")));
    }
    Ok(sqrt(similarity * (1.0 - similarity) / slots as f64))
}

/// Returns the smallest number of slots whose estimates are within `error` of the true value with probability
/// `confidence`, for sets of any similarity, if the number of agreeing slots is binomial. For
/// [`MinHash`](crate::MinHash) it nearly is; for [`OnePermutation`](crate::OnePermutation) it varies less.
///
/// # Errors
/// Returns `InvalidArgument` unless both lie strictly between 0 and 1, and 65,536 slots or fewer are enough.
pub fn slots_for_error(error: f64, confidence: f64) -> Result<u32> {
    check_target(error, confidence)?;
    let miss = 1.0 - confidence;
    // The normal approximation is off by a few percent; a tenth fewer slots are too few.
    let z = normal_quantile(miss / 2.0) / (2.0 * error);
    let start = floor(0.9 * z * z - 10.0).clamp(1.0, f64::from(MAX_K) + 1.0) as u32;
    let mut worst = 0.5 + error;
    (start..=MAX_K)
        .find(|&k| {
            let (place, chance) = worst_miss(k, error, worst);
            worst = place;
            chance <= miss
        })
        .ok_or_else(|| too_small(error, confidence))
}

/// Returns the largest probability, over all similarities, that the share of agreeing slots out of `k` is off by more
/// than `error`; and the share m/k that is just too large there, to start the next search from.
///
/// The probability jumps where a count m of slots begins to be too many, just below J = m/k − θ, and is largest at one
/// of these places, or at its mirror image 1 − J. As the counts that are too small keep their distance to m, it rises
/// and falls once as m grows.
fn worst_miss(k: u32, error: f64, guess: f64) -> (f64, f64) {
    let slots = f64::from(k);
    let (least, apart) = (floor(slots * error) + 1.0, floor(2.0 * slots * error) + 1.0);
    let chance = |m: f64| {
        let truth = (m / slots - error).clamp(0.0, 1.0);
        let too_few = if m < apart { 0.0 } else { binomial_cdf((m - apart) as u64, k.into(), truth) };
        binomial_sf(m as u64 - 1, k.into(), truth) + too_few
    };
    let mut m = floor(guess * slots).clamp(least, slots.max(least));
    let mut most = if m > slots { 0.0 } else { chance(m) };
    for step in [1.0, -1.0] {
        while (least..=slots).contains(&(m + step)) && chance(m + step) > most {
            m += step;
            most = chance(m);
        }
    }
    (m / slots, most)
}

fn check_target(error: f64, confidence: f64) -> Result<()> {
    check_confidence(confidence)?;
    if error > 0.0 && error < 1.0 {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "an error of similarity must lie strictly between 0 and 1, got {error}; 0.05 is usual"
    )))
}

fn check_slots(slots: u64) -> Result<()> {
    if slots > 0 { Ok(()) } else { Err(Error::invalid("a signature needs at least 1 slot, got none")) }
}

fn too_small(error: f64, confidence: f64) -> Error {
    Error::invalid(format!(
        "an error of {error} at a confidence of {confidence} needs too many slots; ask for a larger error"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every count at which the probability jumps, without a search.
    fn worst_of_all(k: u32, error: f64) -> f64 {
        let slots = f64::from(k);
        let miss = |m: u32| {
            let truth = f64::from(m) / slots - error - 1e-13;
            if truth <= 0.0 {
                return 0.0;
            }
            let is_off = |&x: &u32| libm::fabs(f64::from(x) / slots - truth) > error;
            (0..=k).filter(is_off).map(|x| crate::stats::binomial_pmf(x.into(), k.into(), truth)).sum()
        };
        (1..=k).map(miss).fold(0.0, f64::max)
    }

    #[test]
    fn the_exact_number_is_the_smallest() {
        for error in [0.9, 0.5, 0.3, 0.2, 0.11] {
            for confidence in [0.5, 0.95, 0.99] {
                let k = slots_for_error(error, confidence).unwrap();
                let context = (error, confidence, k);
                assert!(worst_of_all(k, error) <= 1.0 - confidence + 1e-9, "{context:?}");
                for fewer in 1..k {
                    assert!(worst_of_all(fewer, error) > 1.0 - confidence - 1e-9, "{context:?}: {fewer}");
                }
            }
        }
    }

    #[test]
    fn the_bound_turns_around() {
        for slots in [1, 25, 1000, 1 << 40] {
            let error = error_by_bound(slots, 0.99).unwrap();
            let back = (2.0 + error) / (error * error) * log(2.0 / 0.01);
            assert!((back / slots as f64 - 1.0).abs() < 1e-9, "{slots}: {back}");
        }
        assert!(error_by_bound(0, 0.95).is_err() && error_by_bound(100, 1.0).is_err());
        assert!(standard_error(0.5, 0).is_err() && standard_error(f64::NAN, 10).is_err());
    }

    #[test]
    fn sizes_of_targets() {
        let exact = [0.2, 0.1, 0.05, 0.02, 0.01, 0.004].map(|error| slots_for_error(error, 0.95).unwrap());
        assert_eq!(exact, [25, 100, 390, 2425, 9650, 60_125]);
        assert_eq!(slots_by_bound(0.1, 0.95), Ok(775));
        for bad in [0.0, 1.0, -0.1, 2.0, f64::NAN, f64::INFINITY, 1e-300] {
            assert!(slots_for_error(bad, 0.95).is_err() && slots_by_bound(bad, 0.95).is_err(), "{bad}");
            if bad != 1e-300 {
                assert!(slots_for_error(0.1, bad).is_err() && slots_by_bound(0.1, bad).is_err(), "{bad}");
            }
        }
        assert!(slots_for_error(0.0038, 0.95).is_err() && slots_for_error(0.0039, 0.95).is_ok());
    }
}
