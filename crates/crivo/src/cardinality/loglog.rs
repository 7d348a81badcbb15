//! `LogLog`: see [`LogLog`].

use super::mean_law::{Cell, MeanLaw, PoissonMoments, chances};
use super::precision::{self, OfPrecision, Precision, of_precision};
use super::registers;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, Payload, shell};
use crate::{Estimate, HashSpec, Result};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// `LogLog`, the predecessor of HyperLogLog: estimates the number of distinct items from the mean of the
/// registers.
///
/// # Use when / not when
/// Use it as a baseline for its successors, or to reproduce the literature on it. Not to count:
/// [`HyperLogLog`](crate::HyperLogLog) keeps the same registers, has an error one fifth smaller, and is exact
/// for few items, where `LogLog` is least accurate.
///
/// # Guarantee
/// A standard error of 1.298/√m with m = 2^precision registers, from m items on. With fewer it is about
/// 0.71/√n. The 95 % interval follows the law of the mean register at every number of items, including
/// skewness; its coverage is tested from one item to 10⁹.
/// [`Guarantee::Approximate`](crate::Guarantee::Approximate).
///
/// # Space
/// | precision | standard error | 95 % interval | memory | file |
/// |---|---|---|---|---|
/// | 8 | 8.1 % | ±17.3 % | 0.3 kB | 0.2 kB |
/// | 10 | 4.1 % | ±8.3 % | 1 kB | 0.8 kB |
/// | 12 | 2.0 % | ±4.1 % | 4 kB | 3 kB |
/// | 14 | 1.0 % | ±2.0 % | 16 kB | 12 kB |
///
/// # Time
/// One register per insertion, no arithmetic beyond a shift and a count of zeros; an estimate reads all
/// registers once and solves for three numbers with a few dozen sums of 60 terms; a merge is a vectorised
/// maximum.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in memory and in bytes;
/// commutative, associative, idempotent. If the precisions differ, [`fold`](Self::fold) the finer sketch
/// first.
///
/// # Hostile input
/// An attacker who knows the seed can choose items that raise all registers to their maximum. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::baseline::LogLog;
/// let mut visitors = LogLog::for_error(0.05)?; // ±5 % at 95 % confidence, from m items on
/// visitors.extend(0..40_000u32);
/// assert!(visitors.estimate().contains(40_000.0), "{}", visitors.estimate());
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// hash   1 1 0 0 | 0 0 0 1 0 1 1 …      the first bits choose a register; the rank of the rest is the position
///        register 12   rank 4           of its first one. A register keeps its largest rank. The mean of
///                                       all registers grows by one when the number of items doubles.
/// ```
/// For many items the answer is α·m·2^mean with α = 0.39701. For fewer it is the number of items with the
/// observed mean.
///
/// # References
/// Durand and Flajolet, doi:10.1007/978-3-540-39658-1_55. New here: the mean is inverted below the limit, the
/// remaining bias of order 1/m is removed, and the interval is derived (`mean_law.rs`).
///
/// # Measured
/// `crivo-lab run c-loglog`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct LogLog {
    registers: Box<[u8]>,
    spec: HashSpec,
    precision: u8,
}

impl LogLog {
    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        registers::raise(&mut self.registers, hash)
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        registers::raise_all(&mut self.registers, hashes);
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        let sum: u64 = self.registers.iter().map(|&rank| u64::from(rank)).sum();
        let occupied = self.registers.iter().filter(|&&rank| rank > 0).count();
        let mean = sum as f64 / self.registers.len() as f64;
        law(self.precision).estimate(mean, occupied as f64, confidence)
    }

    /// Returns the relative standard error of the estimate of `items` distinct items: 1.298/√m for many
    /// items, about 0.71/√n below m items.
    ///
    /// ```
    /// # use crivo::baseline::LogLog;
    /// assert!((LogLog::standard_error_at(12, 1_000_000)? - 0.0203).abs() < 1e-4);
    /// assert!((LogLog::standard_error_at(12, 100)? - 0.0720).abs() < 1e-4);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `precision` is 4 to 18.
    pub fn standard_error_at(precision: u8, items: u64) -> Result<f64> {
        precision::check(precision, Self::REACH_AT_12)?;
        Ok(law(precision).standard_error(items as f64))
    }

    /// Returns the registers in order.
    pub fn registers(&self) -> &[u8] {
        &self.registers
    }
}

/// Returns the law of the mean rank: a register exceeds k if one of its items has k zeros, which a share of
/// 2^−k has.
fn law(precision: u8) -> MeanLaw<impl Fn(f64) -> Cell> {
    let ranks = 65 - usize::from(precision);
    MeanLaw {
        cells: f64::from(1u32 << precision),
        step: 0.0,
        cell: move |load| {
            PoissonMoments::of_tails(chances(load, ranks).into_iter().take(ranks)).given_total(load)
        },
    }
}

of_precision!(LogLog of "registers", ", from as many items on as it has registers", 0.05 => 12, at least 0.005 and 0.00254);
shell!(LogLog: hashes, starts, merges, set, counts,
    collects(Self::for_precision(14), "Creates a sketch of precision 14: 1 % standard error in 16 kB."));

impl OfPrecision for LogLog {
    const REACH_AT_12: &str = "±4.1 %";

    fn reach(precision: u8) -> f64 {
        law(precision).limit_reach()
    }

    fn limit_error(precision: u8) -> f64 {
        law(precision).limit_standard_error()
    }

    fn most_bytes(precision: u8) -> usize {
        size_of::<Self>() + (1 << precision)
    }

    fn coarser(&self, precision: u8) -> Self {
        let mut folded = self.clone();
        while folded.precision > precision {
            folded.registers = registers::fold(&folded.registers);
            folded.precision -= 1;
        }
        folded
    }
}

impl Core for LogLog {
    const KIND: Kind = Kind::LogLog;

    fn heap_bytes(&self) -> usize {
        self.registers.len()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        registers::to_bytes(&self.registers, payload);
    }

    fn read(Precision(precision): Precision, file: &mut Payload<'_>) -> Result<Self> {
        file.check_memory(Self::most_bytes(precision) as u64)?;
        let registers = registers::from_bytes(file.bytes.take_rest(), precision)?;
        Ok(Self { registers, spec: file.spec, precision })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::number("standard_error", Self::limit_error(self.precision)),
            Fact::estimate("cardinality", self.estimate()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        registers::merge(&mut self.registers, &other.registers);
        Ok(())
    }
}

impl Empty for LogLog {
    fn empty(Precision(precision): Precision, spec: HashSpec) -> Self {
        Self { registers: vec![0; 1 << precision].into_boxed_slice(), spec, precision }
    }

    fn has_nothing(&self) -> bool {
        self.registers.iter().all(|&rank| rank == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::mean_law::assert_derived;
    use super::*;
    use crate::ErrorKind;
    use libm::pow;

    #[test]
    fn the_law_is_that_of_one_register() {
        // The largest of c ranks is at most k with probability (1 − 2^−k)^c.
        let given = |items: i32| {
            let at_most = |k: i32| pow(1.0 - pow(2.0, f64::from(-k)), f64::from(items));
            core::array::from_fn(|power| {
                let term = |k| (at_most(k) - at_most(k - 1)) * pow(f64::from(k), power as f64 + 1.0);
                (1..53).map(term).sum()
            })
        };
        assert_derived(&law(12), given);
    }

    /// An erratum of the literature: α = 0.39701 belongs to ranks, which are one more than the number of
    /// zeros.
    #[test]
    fn far_out_the_formula_is_the_published_one() {
        for mean in [10.3, 15.0, 20.8] {
            let published = 0.39701 * 4096.0 * pow(2.0, mean);
            let ours = law(12).items_at_mean(mean);
            assert!((ours / published - 1.0).abs() < 2e-4, "{mean}: {ours} {published}");
        }
        assert!((law(12).limit_standard_error() * 64.0 - 1.298).abs() < 1e-3);
    }

    #[test]
    fn a_saturated_sketch_has_a_lower_bound_only() {
        let mut sketch = LogLog::for_precision(4).unwrap();
        (0..16u64).for_each(|register| {
            sketch.insert_hash(register << 60);
        });
        assert_eq!(sketch.registers(), [61; 16]);
        let estimate = sketch.estimate();
        assert!(estimate.lower() > 1e17 && estimate.value().is_finite(), "{estimate}");
        assert!(estimate.upper().is_infinite(), "{estimate}");
        assert_eq!(LogLog::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
    }

    #[test]
    fn targets_choose_the_precision() {
        let error = |e: f64| LogLog::for_error(e).map(|sketch| sketch.precision());
        assert_eq!((error(0.96), error(0.0829), error(0.083)), (Ok(4), Ok(11), Ok(10)));
        assert_eq!(LogLog::for_standard_error(0.0204).unwrap().precision(), 12);
        assert_eq!(LogLog::for_memory(4200).unwrap().precision(), 12);
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
                let mut sketch = LogLog::for_precision(precision).unwrap();
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
        let mut sketch = LogLog::for_precision(10).unwrap();
        sketch.insert("kept");
        let before = sketch.clone();
        let others = [
            LogLog::for_precision(11).unwrap(),
            LogLog::for_precision(10).unwrap().with_hash(HashSpec::seeded(9)),
        ];
        for other in others {
            assert_eq!(sketch.merge(&other).unwrap_err().kind(), ErrorKind::Incompatible);
            assert_eq!(sketch, before);
        }
    }
}
