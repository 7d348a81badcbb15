//! How long labels are, and when two of them mean an edge: see [`LabelParams`].

use crate::sketch::{Fact, Params, narrow};
use crate::stats::{binomial_cdf, binomial_sf};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;
use core::fmt;
use libm::{acos, exp2};

/// The most slots of a label.
pub(super) const MAX_SLOTS: u32 = 1 << 16;

/// What a label keeps of a vertex's set, and so what the similarity of two sets is. The number is its id in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum LabelScheme {
    /// A few bits of each smallest value, as in a [`BBitMinHash`](crate::similarity::BBitMinHash): Jaccard's similarity J.
    MinHash = 1,
    /// Signs along random directions, as in a [`SimHash`](crate::SimHash): the cosine, of sets |A∩B| / √(|A|·|B|).
    SimHash = 2,
}

impl LabelScheme {
    /// `min-hash` or `sim-hash`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MinHash => "min-hash",
            Self::SimHash => "sim-hash",
        }
    }
}

/// The size of labels, and how many slots of two have to agree for an edge.
///
/// Slots of two labels agree with a probability that rises with the similarity of the vertices' sets: by J it is C +
/// (1−C)J with C = 2⁻ᵇ for b bits a slot, by the cosine of the angle θ it is 1 − θ/π. So the number of slots that agree
/// is binomial, and both rates of error are tails of it.
///
/// ```
/// use crivo::graph::{LabelParams, LabelScheme};
/// // The sets of a tree: J = 1/2 for edges, 1/3 at most for others.
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
    /// Labels of `slots` slots of `bits` bits, of which `threshold` have to agree for an edge.
    ///
    /// # Errors
    /// `InvalidArgument` unless there are 1 to 65,536 slots, of 1, 2, 4, 8 or 16 bits (of one by signs), and the
    /// threshold is 1 to as many.
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

    /// The smallest labels that take at most a share `not_edge.1` of pairs with the similarity `not_edge.0` or less for
    /// edges, and at most a share `edge.1` of edges with the similarity `edge.0` or more for none.
    ///
    /// # Errors
    /// `InvalidArgument` unless 0 ≤ `not_edge.0` < `edge.0` ≤ 1, both shares lie strictly between 0 and 1, and labels
    /// of 65,536 slots or fewer reach them.
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
                "similarities must be 0 or more for pairs that are no edges, more for edges, and 1 at most, got {low} and \
                 {high}"
            )));
        }
        let mut smallest: Option<Self> = None;
        // The widest first: they need the fewest slots, and limit the search for the others.
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
                "no label of {MAX_SLOTS} slots tells similarities of {low} and {high} apart with {} false positives and {} \
                 false negatives; allow more errors, or take another representation",
                not_edge.1, edge.1
            ))
        })
    }

    /// The probability that a pair of sets so alike is taken for an edge: of a pair that is none, a false positive. NaN
    /// unless `similarity` is 0 to 1.
    pub fn fpr(&self, similarity: f64) -> f64 {
        binomial_sf(u64::from(self.threshold) - 1, self.slots.into(), self.agreement(similarity))
    }

    /// The probability that a pair of sets so alike is taken for no edge: of an edge, a false negative. NaN unless
    /// `similarity` is 0 to 1.
    pub fn fnr(&self, similarity: f64) -> f64 {
        binomial_cdf(u64::from(self.threshold) - 1, self.slots.into(), self.agreement(similarity))
    }

    /// The probability that a slot of two labels agrees.
    pub fn agreement(&self, similarity: f64) -> f64 {
        if (0.0..=1.0).contains(&similarity) {
            agreement(self.scheme, self.bits, similarity)
        } else {
            f64::NAN
        }
    }

    /// How many slots of two labels agree.
    ///
    /// # Errors
    /// `InvalidArgument` unless both have the words of such a label.
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

    /// Whether two labels mean an edge: nothing else is asked.
    ///
    /// # Errors
    /// As [`agreeing`](Self::agreeing).
    pub fn is_edge(&self, first: &[u64], second: &[u64]) -> Result<bool> {
        Ok(self.agreeing(first, second)? >= self.threshold)
    }

    /// The slots that agree, of labels with as many words as they should have.
    #[inline]
    pub(super) fn equal_slots(&self, first: &[u64], second: &[u64]) -> u32 {
        let lowest_bits = u64::MAX / ((1 << self.bits) - 1);
        let different = |(one, other): (&u64, &u64)| {
            // Each slot's lowest bit gathers its other bits, half as many at a step.
            let mut bits = one ^ other;
            let mut step = self.bits / 2;
            while step > 0 {
                bits |= bits >> step;
                step /= 2;
            }
            (bits & lowest_bits).count_ones()
        };
        // What lies behind the last slot is 0 in both.
        self.slots - first.iter().zip(second).map(different).sum::<u32>()
    }

    /// What labels keep.
    pub fn scheme(&self) -> LabelScheme {
        self.scheme
    }

    /// The slots of a label.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The bits of a slot.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// So many slots have to agree for an edge.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// The bits of a label.
    pub fn bits_per_vertex(&self) -> u32 {
        self.slots * self.bits
    }

    /// The words of 64 bits of a label.
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

/// The most bits of all labels: 2⁴⁰, 128 GiB, or 1 GiB where an address has 32 bits.
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
            "labels take {MAX_BITS} bits at most, but {vertices} vertices need {} words; allow more errors or take fewer \
             vertices",
            size.words()
        )))
    }

    /// The words of all labels.
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

/// The bits that a slot can have.
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

/// The fewest slots, and how many of them have to agree, so that both tails are small enough.
///
/// Where 2s slots are too few, so are s: what a slot more can spoil, because thresholds are whole numbers, twice as
/// many make up for. So the search begins at half of the largest power of two that does not do.
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
    // One slot more raises the least threshold by one or not at all.
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

    /// All slots and thresholds are tried: none smaller meets both targets.
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

    /// Erratum 4: the cosine of parent and child is 1/√2, of siblings 1/2, and signs agree in 3/4 and 2/3 of places.
    /// One bit of a smallest value agrees as often at J = 1/2 and 1/3: both need the same labels.
    #[test]
    fn signs_and_single_bits_tell_trees_as_well() {
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
        // What LOPES prints as the threshold, and what its formula gives, lie below and at the siblings' similarity.
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
