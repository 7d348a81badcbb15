//! The filter of Silva's algorithms 3 to 5. The library's [`CuckooFilter`](crivo::CuckooFilter) is another one.

use std::collections::HashSet;
use std::ops::Range;

use crivo::HashSpec;
use crivo::rng::Rng;

/// Relocations before an insertion fails.
const MOST_RELOCATIONS: u32 = 500;

/// The rule for the second bucket.
#[derive(Clone, Copy)]
pub(super) enum Places {
    /// i ⊕ h(f), for tables of a power of two.
    Xor,
    /// (h(f) − i) mod m, for tables of any size.
    Involution,
    /// i + h(f), which does not lead back: a planted fault.
    OneWay,
}

/// The size of a filter.
#[derive(Clone, Copy)]
pub(super) struct BucketedParams {
    pub(super) buckets: u64,
    pub(super) slots: usize,
    /// Bits of a fingerprint, at most 16.
    pub(super) bits: u32,
    pub(super) places: Places,
}

impl BucketedParams {
    /// Buckets of four in a table of a power of two, of whose slots 95 % are filled at most, and the shortest fingerprints for this
    /// rate.
    pub(super) fn for_fpr(items: u64, fpr: f64) -> Self {
        let buckets = (items as f64 / (4.0 * 0.95)).ceil() as u64;
        let of_bits =
            |bits| Self { buckets: buckets.next_power_of_two(), slots: 4, bits, places: Places::Xor };
        (1..16).map(of_bits).find(|params| params.fpr_at(items) <= fpr).unwrap_or(of_bits(16))
    }

    /// The number of fingerprints: all but 0.
    fn fingerprints(&self) -> u64 {
        (1 << self.bits) - 1
    }

    /// The false-positive rate, the mean over all hash functions: an item and a query have one fingerprint, and the query's bucket is
    /// one of the two of the item, or its only one.
    pub(super) fn fpr_at(&self, items: u64) -> f64 {
        let missed = |fingerprint: u64| {
            let of_item = if self.other(0, fingerprint as u16) == 0 { 1.0 } else { 2.0 };
            let chance = of_item / (self.buckets * self.fingerprints()) as f64;
            (1.0 - chance).powf(items as f64)
        };
        1.0 - (1..=self.fingerprints()).map(missed).sum::<f64>() / self.fingerprints() as f64
    }

    pub(super) fn memory_bits(&self) -> u64 {
        self.buckets * self.slots as u64 * u64::from(self.bits)
    }

    /// The fingerprint of an element, which is not 0, and its first bucket.
    fn place(&self, hash: u64) -> (u16, u64) {
        let fingerprint = 1 + (hash >> 32) % self.fingerprints();
        (fingerprint as u16, ((hash & 0xffff_ffff) * self.buckets) >> 32)
    }

    fn other(&self, bucket: u64, fingerprint: u16) -> u64 {
        let hash = HashSpec::default().hash(&fingerprint) % self.buckets;
        match self.places {
            Places::Xor => bucket ^ hash,
            Places::Involution => (hash + self.buckets - bucket) % self.buckets,
            Places::OneWay => (hash + bucket) % self.buckets,
        }
    }

    fn slots(&self, bucket: u64) -> Range<usize> {
        let begin = bucket as usize * self.slots;
        begin..begin + self.slots
    }
}

pub(super) struct Bucketed {
    params: BucketedParams,
    /// The fingerprints by bucket; 0 is an empty slot.
    fingerprints: Vec<u16>,
}

impl Bucketed {
    pub(super) fn new(params: BucketedParams) -> Self {
        Self { params, fingerprints: vec![0; params.buckets as usize * params.slots] }
    }

    fn bucket(&mut self, bucket: u64) -> &mut [u16] {
        let slots = self.params.slots(bucket);
        &mut self.fingerprints[slots]
    }

    fn holds(&self, bucket: u64, fingerprint: u16) -> bool {
        self.fingerprints[self.params.slots(bucket)].contains(&fingerprint)
    }

    /// Replaces one fingerprint `from` of the bucket by `to`, if there is one.
    fn replace(&mut self, bucket: u64, from: u16, to: u16) -> bool {
        let slot = self.bucket(bucket).iter_mut().find(|slot| **slot == from);
        slot.map(|slot| *slot = to).is_some()
    }

    /// Returns false if the limit of relocations is reached; some element has then lost its place.
    pub(super) fn insert(&mut self, hash: u64, rng: &mut Rng) -> bool {
        let (mut fingerprint, first) = self.params.place(hash);
        let second = self.params.other(first, fingerprint);
        if self.replace(first, 0, fingerprint) || self.replace(second, 0, fingerprint) {
            return true;
        }
        let mut bucket = if rng.below(2) == 0 { first } else { second };
        for _ in 0..MOST_RELOCATIONS {
            let victim = rng.below(self.params.slots as u64) as usize;
            std::mem::swap(&mut self.bucket(bucket)[victim], &mut fingerprint);
            bucket = self.params.other(bucket, fingerprint);
            if self.replace(bucket, 0, fingerprint) {
                return true;
            }
        }
        false
    }

    pub(super) fn contains(&self, hash: u64) -> bool {
        let (fingerprint, first) = self.params.place(hash);
        self.holds(first, fingerprint) || self.holds(self.params.other(first, fingerprint), fingerprint)
    }

    /// The false-positive rate of its content: the share of all pairs of a bucket and a fingerprint that it reports.
    pub(super) fn fpr(&self) -> f64 {
        let of_bucket = |bucket: u64| {
            self.fingerprints[self.params.slots(bucket)]
                .iter()
                .filter(|&&fingerprint| fingerprint != 0)
                .flat_map(move |&fingerprint| {
                    [bucket, self.params.other(bucket, fingerprint)].map(|it| (it, fingerprint))
                })
        };
        let reported: HashSet<(u64, u16)> = (0..self.params.buckets).flat_map(of_bucket).collect();
        reported.len() as f64 / (self.params.buckets * self.params.fingerprints()) as f64
    }

    /// Removes an element that was inserted.
    pub(super) fn remove(&mut self, hash: u64) {
        let (fingerprint, first) = self.params.place(hash);
        let second = self.params.other(first, fingerprint);
        let _ = self.replace(first, fingerprint, 0) || self.replace(second, fingerprint, 0);
    }
}
