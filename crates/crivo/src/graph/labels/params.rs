//! The size of adjacency labels, and the threshold for an edge: see [`LabelParams`].

use crate::sketch::{Fact, Params, narrow};
use crate::stats::{binomial_cdf, binomial_sf};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;
use core::fmt;
use libm::{acos, exp2};

/// The largest number of slots of a label.
pub(super) const MAX_SLOTS: u32 = 1 << 16;

/// The kind of signature in a label, which determines the similarity of two sets. The number is its id in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum LabelScheme {
    /// A few bits of each smallest value, as in a [`BBitMinHash`](crate::similarity::BBitMinHash): Jaccard's similarity
    /// J.
    MinHash = 1,
    /// Signs along random directions, as in a [`SimHash`](crate::SimHash): the cosine, for sets |A∩B| / √(|A|·|B|).
    SimHash = 2,
}

impl LabelScheme {
    /// Returns `min-hash` or `sim-hash`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MinHash => "min-hash",
            Self::SimHash => "sim-hash",
        }
    }
}

/// The parameters of adjacency labels: their size, and how many slots of two labels must agree for an edge.
///
/// Slots of two labels agree with a probability that rises with the similarity of the vertices' sets: with J it is C +
/// (1−C)J with C = 2⁻ᵇ for b bits per slot, with the cosine of the angle θ it is 1 − θ/π. So the number of agreeing
/// slots is binomial, and both error rates are tails of it.
///
/// ```
/// use crivo::graph::{LabelParams, LabelScheme};
/// // The sets of a tree: J = 1/2 for edges, at most 1/3 for other pairs.
/// let params = LabelParams::for_rates(LabelScheme::MinHash, (1.0 / 3.0, 0.01), (0.5, 0.01))?;
/// assert_eq!((params.slots(), params.bits(), params.threshold()), (646, 1, 459));
/// assert!(params.fpr(1.0 / 3.0) <= 0.01 && params.fnr(0.5) <= 0.01);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelParams {
    scheme: LabelScheme,
    slots: u32,
    bits: u32,
    threshold: u32,
}

impl LabelParams {
    /// Returns labels of `slots` slots of `bits` bits, of which `threshold` must agree for an edge.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless there are 1 to 65,536 slots of 1, 2, 4, 8 or 16 bits (1 bit for signs), and the
    /// threshold is 1 to the number of slots.
    pub fn exact(scheme: LabelScheme, slots: u32, bits: u32, threshold: u32) -> Result<Self> {
        if !(1..=MAX_SLOTS).contains(&slots) {
            return Err(Error::invalid(format!(
                "a label has 1 to {MAX_SLOTS} slots, got {slots}; 640 are usual"
            )));
        }
        let widths = widths(scheme);
        if !widths.contains(&bits) {
            return Err(Error::invalid(format!(
                "the bits of a slot of {} must be one of {widths:?}, got {bits}; 1 is usual",
                scheme.name()
            )));
        }
        if !(1..=slots).contains(&threshold) {
            return Err(Error::invalid(format!(
                "the threshold must be 1 to {slots}, the number of slots, got {threshold}"
            )));
        }
        Ok(Self { scheme, slots, bits, threshold })
    }

    /// Returns the smallest labels with a false-positive rate of at most `not_edge.1` for pairs of similarity
    /// `not_edge.0` or less, and a false-negative rate of at most `edge.1` for edges of similarity `edge.0` or more.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless 0 ≤ `not_edge.0` < `edge.0` ≤ 1, both rates lie strictly between 0 and 1, and
    /// labels of 65,536 slots or fewer reach them.
    pub fn for_rates(scheme: LabelScheme, not_edge: (f64, f64), edge: (f64, f64)) -> Result<Self> {
        for (name, rate) in [("false positives", not_edge.1), ("false negatives", edge.1)] {
            if !(rate > 0.0 && rate < 1.0) {
                return Err(Error::invalid(format!(
                    "the rate of {name} must lie strictly between 0 and 1, got {rate}; 0.01 is usual"
                )));
            }
        }
        let (low, high) = (not_edge.0, edge.0);
        if !(0.0 <= low && low < high && high <= 1.0) {
            return Err(Error::invalid(format!(
                "similarities must be at least 0 for pairs that are not edges, higher for edges, and at most 1, got {low} and \
                 {high}"
            )));
        }
        let mut smallest: Option<Self> = None;
        // The widest slots come first: they need the fewest slots, and limit the search for the others.
        for &bits in widths(scheme).iter().rev() {
            let most =
                smallest.map_or(MAX_SLOTS, |label| MAX_SLOTS.min((label.bits_per_vertex() - 1) / bits));
            let chances = [low, high].map(|similarity| agreement(scheme, bits, similarity));
            if let Some((slots, threshold)) = fewest_slots(chances, [not_edge.1, edge.1], most) {
                smallest = Some(Self { scheme, slots, bits, threshold });
            }
        }
        smallest.ok_or_else(|| {
            Error::invalid(format!(
                "no label of {MAX_SLOTS} slots separates similarities of {low} and {high} with {} false positives and {} \
                 false negatives; allow more errors, or take another representation",
                not_edge.1, edge.1
            ))
        })
    }

    /// Returns the probability that a pair of sets of this similarity is reported as an edge, which is the
    /// false-positive rate for pairs that are not edges. NaN unless `similarity` is 0 to 1.
    pub fn fpr(&self, similarity: f64) -> f64 {
        binomial_sf(u64::from(self.threshold) - 1, self.slots.into(), self.agreement(similarity))
    }

    /// Returns the probability that a pair of sets of this similarity is not reported as an edge, which is the
    /// false-negative rate for edges. NaN unless `similarity` is 0 to 1.
    pub fn fnr(&self, similarity: f64) -> f64 {
        binomial_cdf(u64::from(self.threshold) - 1, self.slots.into(), self.agreement(similarity))
    }

    /// Returns the probability that a slot of two labels agrees.
    pub fn agreement(&self, similarity: f64) -> f64 {
        if (0.0..=1.0).contains(&similarity) {
            agreement(self.scheme, self.bits, similarity)
        } else {
            f64::NAN
        }
    }

    /// Returns the number of agreeing slots of two labels.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless both have the number of words of such a label.
    pub fn agreeing(&self, first: &[u64], second: &[u64]) -> Result<u32> {
        if first.len() != self.words() || second.len() != self.words() {
            return Err(Error::invalid(format!(
                "a label has {} words, got {} and {}; take labels of one graph",
                self.words(),
                first.len(),
                second.len()
            )));
        }
        Ok(self.equal_slots(first, second))
    }

    /// Returns whether two labels mean an edge; no other data are needed.
    ///
    /// # Errors
    /// Fails as [`agreeing`](Self::agreeing) does.
    pub fn is_edge(&self, first: &[u64], second: &[u64]) -> Result<bool> {
        Ok(self.agreeing(first, second)? >= self.threshold)
    }

    /// Returns the number of agreeing slots, for labels with the right number of words.
    #[inline]
    pub(super) fn equal_slots(&self, first: &[u64], second: &[u64]) -> u32 {
        let lowest_bits = u64::MAX / ((1 << self.bits) - 1);
        let different = |(one, other): (&u64, &u64)| {
            // Gathers the bits of each slot in its lowest bit, half as many at each step.
            let mut bits = one ^ other;
            let mut step = self.bits / 2;
            while step > 0 {
                bits |= bits >> step;
                step /= 2;
            }
            (bits & lowest_bits).count_ones()
        };
        // The bits behind the last slot are 0 in both.
        self.slots - first.iter().zip(second).map(different).sum::<u32>()
    }

    /// Returns the kind of signature.
    pub fn scheme(&self) -> LabelScheme {
        self.scheme
    }

    /// Returns the slots of a label.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// Returns the bits of a slot.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the number of slots that must agree for an edge.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// Returns the bits of a label.
    pub fn bits_per_vertex(&self) -> u32 {
        self.slots * self.bits
    }

    /// Returns the 64-bit words of a label.
    pub(super) fn words(&self) -> usize {
        self.bits_per_vertex().div_ceil(64) as usize
    }
}

impl fmt::Display for LabelParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slots, bits, threshold, .. } = self;
        let bit = if *bits == 1 { "bit" } else { "bits" };
        write!(f, "{}, {slots} slots of {bits} {bit}, an edge from {threshold} on", self.scheme.name())
    }
}

/// The largest size of all labels: 2⁴⁰ bits (128 GiB), or 1 GiB where addresses have 32 bits.
const MAX_BITS: u64 = if usize::BITS < 64 { 1 << 33 } else { 1 << 40 };

/// The size of the labels of a graph.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct LabelsSize {
    pub(in crate::graph) vertices: u32,
    pub(in crate::graph) label: LabelParams,
}

impl LabelsSize {
    pub(super) fn new(vertices: u32, label: LabelParams) -> Result<Self> {
        let size = Self { vertices, label };
        if size.words() <= MAX_BITS / 64 {
            return Ok(size);
        }
        Err(Error::invalid(format!(
            "labels take at most {MAX_BITS} bits, but {vertices} vertices need {} words; allow more errors or take fewer \
             vertices",
            size.words()
        )))
    }

    /// Returns the words of all labels.
    pub(super) fn words(&self) -> u64 {
        u64::from(self.vertices) * self.label.words() as u64
    }
}

impl Params for LabelsSize {
    const NAMES: &[&str] = &["vertices", "scheme", "slots", "bits", "threshold"];

    fn numbers(&self) -> Vec<u64> {
        let LabelParams { scheme, slots, bits, threshold } = self.label;
        vec![self.vertices.into(), scheme as u64, slots.into(), bits.into(), threshold.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let id = numbers[1];
        let schemes = [LabelScheme::MinHash, LabelScheme::SimHash];
        let scheme = schemes.into_iter().find(|&scheme| scheme as u64 == id).ok_or_else(|| {
            Error::unsupported(format!("unknown scheme {id} of labels: written by a newer Crivo; upgrade"))
        })?;
        let [slots, bits, threshold] = [narrow(numbers[2])?, narrow(numbers[3])?, narrow(numbers[4])?];
        Self::new(narrow(numbers[0])?, LabelParams::exact(scheme, slots, bits, threshold)?)
    }

    fn memory_bytes(&self) -> u64 {
        8 * self.words()
    }

    fn facts(&self) -> Vec<Fact> {
        let LabelParams { scheme, slots, bits, threshold } = self.label;
        vec![
            Fact::count("vertices", self.vertices.into()),
            Fact::text("scheme", scheme.name()),
            Fact::count("slots", slots.into()),
            Fact::count("bits", bits.into()),
            Fact::count("threshold", threshold.into()),
        ]
    }
}

/// Returns the possible bits of a slot.
fn widths(scheme: LabelScheme) -> &'static [u32] {
    match scheme {
        LabelScheme::MinHash => &[1, 2, 4, 8, 16],
        LabelScheme::SimHash => &[1],
    }
}

fn agreement(scheme: LabelScheme, bits: u32, similarity: f64) -> f64 {
    match scheme {
        LabelScheme::MinHash => {
            let by_chance = exp2(-f64::from(bits));
            by_chance + (1.0 - by_chance) * similarity
        }
        LabelScheme::SimHash => 1.0 - acos(similarity) / PI,
    }
}

/// Returns the fewest slots, and how many of them must agree, so that both tails are small enough.
///
/// If 2s slots are too few, so are s: one more slot can make an error rate worse, because thresholds are integers, but
/// doubling makes up for it. So the search begins at half of the largest power of two that is not enough.
fn fewest_slots(chances: [f64; 2], rates: [f64; 2], most: u32) -> Option<(u32, u32)> {
    let reaches = |slots: u32, threshold: u32| {
        threshold <= slots && binomial_cdf(u64::from(threshold) - 1, slots.into(), chances[1]) <= rates[1]
    };
    let keeps = |slots: u32, threshold: u32| {
        threshold > slots || binomial_sf(u64::from(threshold) - 1, slots.into(), chances[0]) <= rates[0]
    };
    let least_threshold = |slots: u32| {
        let (mut below, mut above) = (0, slots + 1);
        while above - below > 1 {
            let middle = u32::midpoint(below, above);
            if keeps(slots, middle) { above = middle } else { below = middle }
        }
        above
    };
    let too_few = (0..=MAX_SLOTS.ilog2() + 1)
        .map(|log| 1 << log)
        .take_while(|&slots| !reaches(slots, least_threshold(slots)));
    let first = too_few.last().map_or(1, |slots: u32| slots / 2 + 1);
    // One more slot raises the least threshold by one or not at all.
    let mut threshold = least_threshold(first);
    for slots in first..=most {
        while !keeps(slots, threshold) {
            threshold += 1;
        }
        if reaches(slots, threshold) {
            return Some((slots, threshold));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries all slots and thresholds: no smaller label meets both targets.
    #[test]
    fn targets_are_met_by_the_smallest_label() {
        for (low, high, fpr, fnr) in [
            (1.0 / 3.0, 0.5, 0.1, 0.2),
            (0.0, 0.2, 0.01, 0.01),
            (0.5, 7.0 / 11.0, 0.1, 0.1),
            (0.0, 1.0, 1e-6, 1e-6),
        ] {
            let params = LabelParams::for_rates(LabelScheme::MinHash, (low, fpr), (high, fnr)).unwrap();
            assert!(params.fpr(low) <= fpr && params.fnr(high) <= fnr, "{params}");
            for bits in [1, 2, 4, 8, 16] {
                for slots in 1..=(params.bits_per_vertex() - 1) / bits {
                    let meets = |threshold| {
                        let other = LabelParams::exact(LabelScheme::MinHash, slots, bits, threshold).unwrap();
                        other.fpr(low) <= fpr && other.fnr(high) <= fnr
                    };
                    assert!(!(1..=slots).any(meets), "{slots} slots of {bits} bits do, {params} is larger");
                }
            }
        }
    }

    /// The cosine of parent and child is 1/√2, of siblings 1/2, and signs agree in 3/4 and 2/3 of places. One bit of a
    /// smallest value agrees as often at J = 1/2 and 1/3: both need labels of the same size.
    #[test]
    fn signs_and_single_bits_need_labels_of_equal_size() {
        let by_signs = LabelParams::for_rates(
            LabelScheme::SimHash,
            (0.5, 0.01),
            (core::f64::consts::FRAC_1_SQRT_2, 0.01),
        );
        let by_signs = by_signs.unwrap();
        assert!((by_signs.agreement(core::f64::consts::FRAC_1_SQRT_2) - 0.75).abs() < 1e-15);
        assert!((by_signs.agreement(0.5) - 2.0 / 3.0).abs() < 1e-15);
        let by_bits = LabelParams::for_rates(LabelScheme::MinHash, (1.0 / 3.0, 0.01), (0.5, 0.01)).unwrap();
        assert_eq!((by_signs.slots(), by_signs.threshold()), (by_bits.slots(), by_bits.threshold()));
        assert_eq!(by_bits.bits(), 1);
        let share = f64::from(by_signs.threshold()) / f64::from(by_signs.slots());
        assert!((share - 0.708).abs() < 0.004, "{share}");
        // The threshold printed in Lopes 2017 lies below the similarity of siblings, and its formula gives exactly that
        // similarity.
        assert!(
            (by_signs.agreement(5.0 / 12.0) - 0.6368).abs() < 1e-4
                && by_signs.agreement(5.0 / 12.0) < 2.0 / 3.0
        );
    }

    #[test]
    fn slots_are_compared_in_every_width() {
        let mut rng = crate::rng::Rng::new(4);
        for bits in [1, 2, 4, 8, 16] {
            for slots in [1, 3, 64, 67] {
                let params = LabelParams::exact(LabelScheme::MinHash, slots, bits, 1).unwrap();
                let mut labels = [vec![0u64; params.words()], vec![0u64; params.words()]];
                let mut equal = 0;
                for slot in 0..slots {
                    let value = rng.below(1 << bits);
                    let change = if rng.below(2) == 0 { 0 } else { 1 << rng.below(bits.into()) };
                    equal += u32::from(change == 0);
                    let place = slot * bits;
                    labels[0][place as usize / 64] |= value << (place % 64);
                    labels[1][place as usize / 64] |= (value ^ change) << (place % 64);
                }
                assert_eq!(params.agreeing(&labels[0], &labels[1]), Ok(equal));
                assert_eq!(params.is_edge(&labels[0], &labels[1]), Ok(equal >= 1));
                assert!(params.is_edge(&labels[0], &[]).is_err());
            }
        }
    }
}
