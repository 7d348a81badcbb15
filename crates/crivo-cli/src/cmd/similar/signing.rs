//! Signatures of every kind, with the items themselves while they are few.

use super::items::Items;
use crate::cmd::few::{Distinct, Few};
use crate::cmd::memory::of_entry;
use anyhow::{Result, bail};
use clap::ValueEnum;
use crivo::similarity::BBitMinHash;
use crivo::sketch::Sketch;
use crivo::{HashSpec, Kind, MinHash, OnePermutation, SimHash, WeightedMinHash};
use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::Path;

/// Which signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SignatureKind {
    /// Jaccard similarity of sets: one hash function, the fastest
    OnePermutation,
    /// Jaccard similarity of sets: a hash function for each slot
    #[value(name = "minhash", alias = "min-hash")]
    MinHash,
    /// Jaccard similarity of sets: two bits of each slot, a ninth of the file
    #[value(name = "b-bit", alias = "b-bit-min-hash")]
    BBit,
    /// Share of the weight that both files contain; items weigh as often as they occur
    #[value(name = "weighted", alias = "weighted-min-hash")]
    Weighted,
    /// Angle between the files as vectors; items weigh as often as they occur
    #[value(name = "simhash", alias = "sim-hash")]
    SimHash,
}

/// Which weights items may have.
pub(super) enum Weights {
    None,
    FromZero,
    /// Negative numbers too.
    Any,
}

/// Without --error.
const DEFAULT_ERROR: f64 = 0.02;

/// The bits of a slot of a b-bit signature. At b bits, an error that holds for every similarity takes a number of slots
/// proportional to 1/(1 − 2⁻ᵇ)², and b/(1 − 2⁻ᵇ)² is smallest at 2.
const BITS: u32 = 2;

/// A signature that is being made.
#[derive(Clone)]
enum Signature {
    OnePermutation(OnePermutation),
    MinHash(MinHash),
    /// With the bits that stay of each slot.
    BBit(OnePermutation, u32),
    /// With the weights of all items, which must be known before the first is added.
    Weighted(WeightedMinHash, HashMap<u64, f64>),
    SimHash(SimHash),
}

/// A signature that is being made, and the items while they are few.
#[derive(Clone)]
pub(super) struct Signing {
    signature: Signature,
    few: Option<Few<Weighed>>,
}

/// An item by its hash, with its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighed {
    hash: u64,
    weight: f64,
}

impl Distinct for Weighed {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn is_equal(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Signing {
    /// Starts a signature whose 95 % interval reaches `error` to either side.
    pub(super) fn new(kind: SignatureKind, error: Option<f64>, spec: HashSpec) -> Result<Self> {
        let wanted = error.unwrap_or(DEFAULT_ERROR);
        Ok(Self::of(match kind {
            SignatureKind::OnePermutation => {
                Signature::OnePermutation(OnePermutation::for_error(wanted)?.with_hash(spec))
            }
            SignatureKind::MinHash => Signature::MinHash(MinHash::for_error(wanted)?.with_hash(spec)),
            SignatureKind::BBit => {
                let of_slots = wanted * (1.0 - (-f64::from(BITS)).exp2());
                Signature::BBit(OnePermutation::for_error(of_slots)?.with_hash(spec), BITS)
            }
            SignatureKind::Weighted => {
                Signature::Weighted(WeightedMinHash::for_error(wanted)?.with_hash(spec), HashMap::new())
            }
            SignatureKind::SimHash => {
                let largest = || SimHash::for_bits(1024);
                Signature::SimHash(error.map_or_else(largest, SimHash::for_error)?.with_hash(spec))
            }
        }))
    }

    /// Starts a fingerprint of 64 bits, without the items.
    pub(super) fn fingerprint(spec: HashSpec) -> Result<Self> {
        const BITS: u32 = 64;
        Ok(Self { signature: Signature::SimHash(SimHash::for_bits(BITS)?.with_hash(spec)), few: None })
    }

    /// Starts a signature that can be compared with a saved one.
    pub(super) fn like(path: &Path, saved: &dyn Sketch) -> Result<Self> {
        let spec = saved.hashing().copied().unwrap_or_default();
        Ok(Self::of(if let Some(sketch) = saved.downcast_ref::<OnePermutation>() {
            Signature::OnePermutation(OnePermutation::for_slots(sketch.k())?.with_hash(spec))
        } else if let Some(sketch) = saved.downcast_ref::<MinHash>() {
            Signature::MinHash(MinHash::for_slots(sketch.k())?.with_hash(spec))
        } else if let Some(sketch) = saved.downcast_ref::<BBitMinHash>() {
            Signature::BBit(OnePermutation::for_slots(sketch.k())?.with_hash(spec), sketch.bits())
        } else if let Some(sketch) = saved.downcast_ref::<WeightedMinHash>() {
            Signature::Weighted(WeightedMinHash::for_slots(sketch.k())?.with_hash(spec), HashMap::new())
        } else if let Some(sketch) = saved.downcast_ref::<SimHash>() {
            Signature::SimHash(SimHash::for_bits(sketch.bits())?.with_hash(spec))
        } else {
            bail!(
                "{path}: data can be compared with a one-permutation, or another signature that 'crivo similar --save' made, \
                 not with a {}; sketch the data in the same way first",
                saved.kind().name(),
                path = path.display()
            );
        }))
    }

    /// Goes on with a saved signature.
    pub(super) fn from_saved(path: &Path, saved: &dyn Sketch) -> Result<Self> {
        let signature = if let Some(sketch) = saved.downcast_ref::<OnePermutation>() {
            Signature::OnePermutation(sketch.clone())
        } else if let Some(sketch) = saved.downcast_ref::<MinHash>() {
            Signature::MinHash(sketch.clone())
        } else if let Some(sketch) = saved.downcast_ref::<SimHash>() {
            Signature::SimHash(sketch.clone())
        } else {
            bail!(
                "{path}: its kind is {}, but one-permutation, min-hash or sim-hash is needed; the bits of a \
                 b-bit-min-hash and the weights of a weighted-min-hash are final",
                saved.kind().name(),
                path = path.display()
            );
        };
        Ok(Self { signature, few: None })
    }

    fn of(signature: Signature) -> Self {
        Self { signature, few: Some(Few::default()) }
    }

    pub(super) fn weights(&self) -> Weights {
        match self.signature {
            Signature::Weighted(..) => Weights::FromZero,
            Signature::SimHash(_) => Weights::Any,
            _ => Weights::None,
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.sketch().kind()
    }

    pub(super) fn spec(&self) -> HashSpec {
        self.sketch().hashing().copied().unwrap_or_default()
    }

    fn sketch(&self) -> &dyn Sketch {
        match &self.signature {
            Signature::OnePermutation(sketch) | Signature::BBit(sketch, _) => sketch,
            Signature::MinHash(sketch) => sketch,
            Signature::Weighted(sketch, _) => sketch,
            Signature::SimHash(sketch) => sketch,
        }
    }

    /// The memory of the signature and of a few items.
    pub(super) fn full_bytes(&self) -> usize {
        self.sketch().memory_bytes() + self.few.as_ref().map_or(0, |_| Few::<Weighed>::FULL_BYTES)
    }

    /// The memory of the signature alone.
    pub(super) fn sketch_bytes(&self) -> usize {
        self.sketch().memory_bytes()
    }

    /// The memory of the weights of all items, where they are kept.
    pub(super) fn weights_bytes(&self) -> usize {
        match &self.signature {
            Signature::Weighted(_, weights) => weights.capacity() * of_entry(size_of::<(u64, f64)>()),
            _ => 0,
        }
    }

    /// Adds items by their hashes. Each has weight 1 if there are no weights.
    pub(super) fn add(&mut self, hashes: &[u64], weights: &[f64]) -> Result<()> {
        let weight = |place: usize| weights.get(place).copied().unwrap_or(1.0);
        let has_weights = !matches!(self.weights(), Weights::None);
        let keep = |few: &mut Few<Weighed>| {
            (0..).zip(hashes).all(|(place, &hash)| {
                let kept = few.insert(Weighed { hash, weight: 0.0 });
                kept.map(|kept| kept.weight = if has_weights { kept.weight + weight(place) } else { 1.0 })
                    .is_some()
            })
        };
        if !self.few.as_mut().is_some_and(keep) {
            self.few = None;
        }
        match &mut self.signature {
            Signature::OnePermutation(sketch) | Signature::BBit(sketch, _) => sketch.insert_hashes(hashes),
            Signature::MinHash(sketch) => sketch.insert_hashes(hashes),
            Signature::Weighted(_, all) => {
                for (place, &hash) in hashes.iter().enumerate() {
                    *all.entry(hash).or_default() += weight(place);
                }
            }
            Signature::SimHash(sketch) if weights.is_empty() => sketch.add_hashes(hashes),
            Signature::SimHash(sketch) => {
                for (&hash, &weight) in hashes.iter().zip(weights) {
                    sketch.add_hash(hash, weight)?;
                }
            }
        }
        Ok(())
    }

    /// The finished signature.
    pub(super) fn finish(self) -> Result<Box<dyn Sketch>> {
        Ok(match self.signature {
            Signature::OnePermutation(sketch) => Box::new(sketch),
            Signature::MinHash(sketch) => Box::new(sketch),
            Signature::BBit(sketch, bits) => Box::new(BBitMinHash::freeze(&sketch, bits)?),
            Signature::Weighted(mut sketch, weights) => {
                for (hash, weight) in weights {
                    sketch.add_hash(hash, weight)?;
                }
                Box::new(sketch)
            }
            Signature::SimHash(sketch) => Box::new(sketch),
        })
    }

    /// The finished signature, and all items while they are few.
    pub(super) fn items(mut self) -> Result<Items> {
        let sorted = |few: Few<Weighed>| {
            let mut items = few.items().to_vec();
            items.sort_unstable_by_key(|item| item.hash);
            items
        };
        let few = self.few.take().map(sorted);
        Ok(Items::Sketch(self.finish()?, few))
    }
}

/// How alike the items of two files are, as a signature of `kind` estimates it.
pub(super) fn exact_similarity(kind: Kind, first: &[Weighed], second: &[Weighed]) -> f64 {
    if kind == Kind::SimHash { 1.0 - angle(first, second) / PI } else { share(first, second) }
}

/// The cosine of the angle between the vectors of two files.
pub(super) fn exact_cosine(first: &[Weighed], second: &[Weighed]) -> f64 {
    let angle = angle(first, second);
    // The cosine of the number next to π/2 is not quite 0.
    if (angle - FRAC_PI_2).abs() < 1e-15 { 0.0 } else { angle.cos() }
}

/// The weights of each item in both files, which are sorted.
fn weights<'a>(first: &'a [Weighed], second: &'a [Weighed]) -> impl Iterator<Item = (f64, f64)> + 'a {
    let (mut first, mut second) = (first.iter().peekable(), second.iter().peekable());
    std::iter::from_fn(move || {
        let next = first.peek().into_iter().chain(second.peek()).map(|item| item.hash).min()?;
        let weight = |item: Option<&Weighed>| item.map_or(0.0, |item| item.weight);
        let one = weight(first.next_if(|item| item.hash == next));
        Some((one, weight(second.next_if(|item| item.hash == next))))
    })
}

/// Σ min / Σ max of the weights: Jaccard's similarity if all weights are 1. It is 1 for two empty sets.
fn share(first: &[Weighed], second: &[Weighed]) -> f64 {
    let sums = weights(first, second).fold((0.0, 0.0), |(common, all), (one, other)| {
        (common + f64::min(one, other), all + f64::max(one, other))
    });
    if sums.1 > 0.0 { sums.0 / sums.1 } else { 1.0 }
}

/// The angle between the vectors of weights. As for a [`SimHash`], the angle between two zero vectors is 0, and a zero
/// vector is at a right angle to any other.
fn angle(first: &[Weighed], second: &[Weighed]) -> f64 {
    let length = |items: &[Weighed]| {
        let most = items.iter().map(|item| item.weight.abs()).fold(0.0, f64::max);
        let squares = items.iter().map(|item| (item.weight / most).powi(2));
        if most > 0.0 { most * squares.sum::<f64>().sqrt() } else { 0.0 }
    };
    let (one, other) = (length(first), length(second));
    match (one > 0.0, other > 0.0) {
        (true, true) => {}
        (false, false) => return 0.0,
        _ => return FRAC_PI_2,
    }
    // From both diagonals of the rhombus: precise for nearly parallel vectors too.
    let (short, long) = weights(first, second).fold((0.0, 0.0), |(short, long), (first, second)| {
        let (x, y) = (first / one, second / other);
        (short + (x - y).powi(2), long + (x + y).powi(2))
    });
    2.0 * f64::atan2(short.sqrt(), long.sqrt())
}
