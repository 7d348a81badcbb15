//! The filter of Silva's algorithms 3 to 5. The library's [`CuckooFilter`](crivo::CuckooFilter) is another one.

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

pub(super) struct Bucketed {
    /// The fingerprints, `slots` in each bucket; 0 is an empty slot.
    fingerprints: Vec<u16>,
    buckets: u64,
    slots: usize,
    bits: u32,
    places: Places,
}

impl Bucketed {
    pub(super) fn new(buckets: usize, slots: usize, bits: u32, places: Places) -> Self {
        Self { fingerprints: vec![0; buckets * slots], buckets: buckets as u64, slots, bits, places }
    }

    /// The fingerprint of an element, which is not 0, and its first bucket.
    fn place(&self, hash: u64) -> (u16, u64) {
        let fingerprint = 1 + (hash >> 32) % ((1 << self.bits) - 1);
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

    fn bucket(&mut self, bucket: u64) -> &mut [u16] {
        let begin = bucket as usize * self.slots;
        &mut self.fingerprints[begin..begin + self.slots]
    }

    /// Replaces one fingerprint `from` of the bucket by `to`, if there is one.
    fn replace(&mut self, bucket: u64, from: u16, to: u16) -> bool {
        let slot = self.bucket(bucket).iter_mut().find(|slot| **slot == from);
        slot.map(|slot| *slot = to).is_some()
    }

    /// Returns false if the limit of relocations is reached; some element has then lost its place.
    pub(super) fn insert(&mut self, hash: u64, rng: &mut Rng) -> bool {
        let (mut fingerprint, first) = self.place(hash);
        let second = self.other(first, fingerprint);
        if self.replace(first, 0, fingerprint) || self.replace(second, 0, fingerprint) {
            return true;
        }
        let mut bucket = if rng.below(2) == 0 { first } else { second };
        for _ in 0..MOST_RELOCATIONS {
            let victim = rng.below(self.slots as u64) as usize;
            std::mem::swap(&mut self.bucket(bucket)[victim], &mut fingerprint);
            bucket = self.other(bucket, fingerprint);
            if self.replace(bucket, 0, fingerprint) {
                return true;
            }
        }
        false
    }

    pub(super) fn contains(&mut self, hash: u64) -> bool {
        let (fingerprint, first) = self.place(hash);
        let second = self.other(first, fingerprint);
        self.bucket(first).contains(&fingerprint) || self.bucket(second).contains(&fingerprint)
    }

    /// Removes an element that was inserted.
    pub(super) fn remove(&mut self, hash: u64) {
        let (fingerprint, first) = self.place(hash);
        let second = self.other(first, fingerprint);
        let _ = self.replace(first, fingerprint, 0) || self.replace(second, fingerprint, 0);
    }
}
