//! Probabilistic counting: see [`ProbabilisticCounting`].

use super::cell_bytes::read_words;
use super::mean_law::{Cell, MeanLaw, PoissonMoments, chances};
use super::precision::{self, OfPrecision, Precision, of_precision};
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, Payload, shell};
use crate::{Error, Estimate, HashSpec, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Probabilistic counting, the sketch of Flajolet and Martin and the first of its kind: estimates the number
/// of distinct items from bitmaps of ranks.
///
/// # Use when / not when
/// Use it as a baseline for its successors: it has the smallest error for a number of cells, since a bitmap
/// keeps every rank. Not to count: a bitmap takes eight bytes. In as many bytes,
/// [`HyperLogLog`](crate::HyperLogLog) has eight times the cells and half the error, and is exact for few
/// items, where this sketch is least accurate.
///
/// # Guarantee
/// A standard error of 0.777/√m with m = 2^precision bitmaps, from 3m items on. With fewer than m it is about
/// 1/√n: half the items do not affect the mean. The 95 % interval follows the law of that mean at every
/// number of items, including skewness; its coverage is tested from one item to 10⁹.
/// [`Guarantee::Approximate`](crate::Guarantee::Approximate).
///
/// # Space
/// | precision | standard error | 95 % interval | memory and file |
/// |---|---|---|---|
/// | 6 | 9.7 % | ±21.4 % | 0.5 kB |
/// | 8 | 4.9 % | ±10.1 % | 2 kB |
/// | 10 | 2.4 % | ±4.9 % | 8 kB |
/// | 12 | 1.2 % | ±2.4 % | 33 kB |
///
/// # Time
/// One bit per insertion, no arithmetic beyond a shift and a count of zeros; an estimate reads all bitmaps
/// once and solves for three numbers with a few dozen sums of 60 terms; a merge is a vectorised union of
/// bits.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in memory and in bytes;
/// commutative, associative, idempotent. If the precisions differ, [`fold`](Self::fold) the finer sketch
/// first.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that fill the bitmaps. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::baseline::ProbabilisticCounting;
/// let mut visitors = ProbabilisticCounting::for_error(0.05)?; // ±5 % at 95 % confidence, from 3m items on
/// visitors.extend(0..40_000u32);
/// assert!(visitors.estimate().contains(40_000.0), "{}", visitors.estimate());
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// hash   1 1 0 0 | 0 0 0 1 0 1 …      the first bits choose a bitmap, the leading zeros of the rest one of its bits:
///        bitmap 12   bit 3            half of the items have bit 0, a quarter bit 1, an eighth bit 2 …
///
/// bitmap 12   1 1 1 1 0 1 0 0 …       R = 4: its lowest zero is bit 4. The mean of R over all bitmaps grows by
///             0 1 2 3 4 5             one when the number of items doubles.
/// ```
/// For many items the answer is m·2^mean/0.77351. For fewer it is the number of items with the observed mean.
///
/// # References
/// Flajolet and Martin, doi:10.1016/0022-0000(85)90041-8. New here: the mean is inverted below the limit, the
/// remaining bias of order 1/m is removed, and the interval is derived (`mean_law.rs`).
///
/// # Measured
/// `crivo-lab run c-probabilistic-counting`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct ProbabilisticCounting {
    /// The bitmaps; bits 0 to 63 − precision of each are in use.
    bitmaps: Box<[u64]>,
    spec: HashSpec,
    precision: u8,
}

impl ProbabilisticCounting {
    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let precision = u32::from(self.precision);
        let bitmap = &mut self.bitmaps[(hash >> (64 - precision)) as usize];
        // The last bit also stands for the few hashes with more zeros than there are bits.
        let bit = 1 << (hash << precision | 1 << precision).leading_zeros();
        let is_new = *bitmap & bit == 0;
        *bitmap |= bit;
        is_new
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.insert_hash(hash);
        }
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        let sum: u64 = self.bitmaps.iter().map(|bitmap| u64::from(bitmap.trailing_ones())).sum();
        let occupied = self.bitmaps.iter().filter(|&&bitmap| bitmap != 0).count();
        let mean = sum as f64 / self.bitmaps.len() as f64;
        law(self.precision).estimate(mean, occupied as f64, confidence)
    }

    /// Returns the relative standard error of the estimate of `items` distinct items: 0.777/√m for many
    /// items, about 1/√n below m items.
    ///
    /// ```
    /// # use crivo::baseline::ProbabilisticCounting;
    /// assert!((ProbabilisticCounting::standard_error_at(12, 1_000_000)? - 0.0121).abs() < 1e-4);
    /// assert!((ProbabilisticCounting::standard_error_at(12, 100)? - 0.1).abs() < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `precision` is 4 to 18.
    pub fn standard_error_at(precision: u8, items: u64) -> Result<f64> {
        precision::check(precision, Self::REACH_AT_12)?;
        Ok(law(precision).standard_error(items as f64))
    }
}

/// Returns the law of the mean of R, which exceeds k if bits 0 to k are all set; with a Poisson number of
/// items they are independent. Bit j is set by 2^−(j+1) of the items, and the last bit by as many as the one
/// before it.
fn law(precision: u8) -> MeanLaw<impl Fn(f64) -> Cell> {
    let bits = 64 - usize::from(precision);
    let cell = move |load| {
        let chances = &chances(load, bits)[..bits];
        let [mut tail, mut log_slope, mut log_curvature] = [1.0, 0.0, 0.0];
        let tails = chances[1..].iter().chain(chances.last()).map(|[chance, slope, curvature]| {
            let (slope, curvature) = (slope / chance, curvature / chance);
            tail *= chance;
            log_slope += slope;
            log_curvature += curvature - slope * slope;
            [tail, tail * log_slope, tail * (log_slope * log_slope + log_curvature)]
        });
        PoissonMoments::of_tails(tails).given_total(load)
    };
    MeanLaw { cells: f64::from(1u32 << precision), step: 0.0, cell }
}

of_precision!(ProbabilisticCounting of "bitmaps", ", from three times as many items on as it has bitmaps",
    0.05 => 10, at least 0.003 and 0.00152);
shell!(ProbabilisticCounting: hashes, starts, merges, set, counts,
    collects(Self::for_precision(12), "Creates a sketch of precision 12: 1.2 % standard error in 32 kB."));

impl OfPrecision for ProbabilisticCounting {
    const REACH_AT_12: &str = "±2.4 %";

    fn reach(precision: u8) -> f64 {
        law(precision).limit_reach()
    }

    fn limit_error(precision: u8) -> f64 {
        law(precision).limit_standard_error()
    }

    fn most_bytes(precision: u8) -> usize {
        size_of::<Self>() + (8 << precision)
    }

    fn coarser(&self, precision: u8) -> Self {
        let mut folded = self.clone();
        while folded.precision > precision {
            // The last bit of a bitmap's number becomes the first of the rest: one more zero, or none at all.
            let pairs = folded.bitmaps.as_chunks::<2>().0.iter();
            folded.bitmaps = pairs.map(|&[zero, one]| zero << 1 | u64::from(one != 0)).collect();
            folded.precision -= 1;
        }
        folded
    }
}

impl Core for ProbabilisticCounting {
    const KIND: Kind = Kind::ProbabilisticCounting;

    fn heap_bytes(&self) -> usize {
        size_of_val(&*self.bitmaps)
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.bitmaps.iter().flat_map(|bitmap| bitmap.to_le_bytes()));
    }

    fn read(Precision(precision): Precision, file: &mut Payload<'_>) -> Result<Self> {
        file.check_memory(Self::most_bytes(precision) as u64)?;
        let bitmaps = read_words(file.bytes.take_rest(), 1 << precision)?;
        let bits = 64 - precision;
        if bitmaps.iter().any(|bitmap| bitmap >> bits != 0) {
            return Err(Error::malformed(format!("a bitmap has more than {bits} bits")));
        }
        Ok(Self { bitmaps, spec: file.spec, precision })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::number("standard_error", Self::limit_error(self.precision)),
            Fact::estimate("cardinality", self.estimate()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        for (bitmap, theirs) in self.bitmaps.iter_mut().zip(&other.bitmaps) {
            *bitmap |= theirs;
        }
        Ok(())
    }
}

impl Empty for ProbabilisticCounting {
    fn empty(Precision(precision): Precision, spec: HashSpec) -> Self {
        Self { bitmaps: vec![0; 1 << precision].into_boxed_slice(), spec, precision }
    }

    fn has_nothing(&self) -> bool {
        self.bitmaps.iter().all(|&bitmap| bitmap == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::mean_law::assert_derived;
    use super::*;
    use crate::ErrorKind;
    use libm::{exp, lgamma, pow};

    /// Returns the probability that `items` items set bits 0 to k, for all k below 30: a binomial half of
    /// them sets bit 0, and the others must set the rest.
    fn all_set(most: usize) -> Vec<[f64; 30]> {
        let log_choose = |n: usize, i: usize| {
            lgamma(n as f64 + 1.0) - lgamma(i as f64 + 1.0) - lgamma((n - i) as f64 + 1.0)
        };
        let mut table = vec![[0.0; 30]; most + 1];
        for items in 0..=most {
            table[items][0] = 1.0 - pow(0.5, items as f64);
            for bit in 1..30 {
                let chance = |first: usize| exp(log_choose(items, first)) * pow(0.5, items as f64);
                table[items][bit] =
                    (1..=items).map(|first| chance(first) * table[items - first][bit - 1]).sum();
            }
        }
        table
    }

    #[test]
    fn the_law_is_that_of_one_bitmap() {
        let tails = all_set(120);
        let given = |items: i32| {
            core::array::from_fn(|power| {
                let moment = |k: usize| pow(k as f64, power as f64 + 1.0);
                let tails = tails[items as usize].iter().enumerate();
                tails.map(|(k, tail)| (moment(k + 1) - moment(k)) * tail).sum()
            })
        };
        assert_derived(&law(12), given);
    }

    #[test]
    fn far_out_the_formula_is_the_published_one() {
        for mean in [10.3, 15.0, 20.8] {
            let published = 4096.0 / 0.77351 * pow(2.0, mean);
            let ours = law(12).items_at_mean(mean);
            assert!((ours / published - 1.0).abs() < 2e-4, "{mean}: {ours} {published}");
        }
        assert!((law(12).limit_standard_error() * 64.0 - 0.78).abs() < 5e-3);
    }

    #[test]
    fn a_saturated_sketch_has_a_lower_bound_only() {
        let mut sketch = ProbabilisticCounting::for_precision(4).unwrap();
        for bitmap in 0..16u64 {
            for zeros in 0..60 {
                assert!(sketch.insert_hash(bitmap << 60 | 1 << (59 - zeros)));
            }
            assert!(!sketch.insert_hash(bitmap << 60), "the last bit takes all others");
        }
        let estimate = sketch.estimate();
        assert!(estimate.lower() > 1e17 && estimate.value().is_finite(), "{estimate}");
        assert!(estimate.upper().is_infinite());
        assert_eq!(ProbabilisticCounting::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
    }

    #[test]
    fn targets_choose_the_precision() {
        let error = |e: f64| ProbabilisticCounting::for_error(e).map(|sketch| sketch.precision());
        assert_eq!((error(0.52), error(0.0489), error(0.0491)), (Ok(4), Ok(11), Ok(10)));
        assert_eq!(ProbabilisticCounting::for_standard_error(0.0122).unwrap().precision(), 12);
        assert_eq!(ProbabilisticCounting::for_memory(33_000).unwrap().precision(), 12);
        for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, 1e-9] {
            assert_eq!(error(bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
        }
    }

    #[test]
    fn folding_is_the_coarser_sketch() {
        let spec = HashSpec::default();
        for items in [0u64, 1, 5, 100, 3000] {
            let mut hashes: Vec<u64> = (0..items).map(|item| spec.hash(&item)).collect();
            hashes.extend([0, 1, 1 << 63, u64::MAX, 1 << 52]);
            let at = |precision| {
                let mut sketch = ProbabilisticCounting::for_precision(precision).unwrap();
                sketch.insert_hashes(&hashes);
                sketch
            };
            for precision in 4..12 {
                assert_eq!(at(12).fold(precision).unwrap(), at(precision), "{items} items, {precision}");
            }
        }
    }

    #[test]
    fn unlike_sketches_do_not_merge() {
        let mut sketch = ProbabilisticCounting::for_precision(10).unwrap();
        sketch.insert("kept");
        let before = sketch.clone();
        let seeded = ProbabilisticCounting::for_precision(10).unwrap().with_hash(HashSpec::seeded(9));
        for other in [ProbabilisticCounting::for_precision(11).unwrap(), seeded] {
            assert_eq!(sketch.merge(&other).unwrap_err().kind(), ErrorKind::Incompatible);
            assert_eq!(sketch, before);
        }
    }
}
