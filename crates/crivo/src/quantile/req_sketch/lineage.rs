//! Which coins the parts of a [`ReqSketch`](super::ReqSketch) may share.

use crate::Result;
use crate::codec::{Reader, put_u64_varint};
use crate::quantile::kept::malformed;
use crate::rng::Rng;
use alloc::vec::Vec;

/// The number of places for seeds.
const PLACES: u64 = 1024;

/// A Bloom filter of the seeds of all parts, with one hash function: parts with disjoint filters have distinct seeds, and so
/// independent coins. A false positive makes intervals wider, never wrong.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lineage {
    places: [u64; (PLACES / 64) as usize],
    /// The most parts that may have drawn the same coins.
    pub(super) sharing: u64,
}

impl Lineage {
    pub(super) fn new(seed: u64) -> Self {
        let place = Rng::new(seed).below(PLACES) as usize;
        let mut places = [0; (PLACES / 64) as usize];
        places[place / 64] = 1 << (place % 64);
        Self { places, sharing: 1 }
    }

    /// Takes in the parts of another sketch.
    pub(super) fn join(&mut self, other: &Self) {
        let may_share = self.places.iter().zip(&other.places).any(|(ours, theirs)| ours & theirs != 0);
        self.sharing = if may_share {
            self.sharing.saturating_add(other.sharing)
        } else {
            self.sharing.max(other.sharing)
        };
        for (ours, theirs) in self.places.iter_mut().zip(&other.places) {
            *ours |= theirs;
        }
    }

    /// Appends the number of parts that may share coins, the number of taken places, and the places in ascending order.
    pub(super) fn write(&self, payload: &mut Vec<u8>) {
        let is_taken = |place: &u64| self.places[(place / 64) as usize] >> (place % 64) & 1 == 1;
        put_u64_varint(payload, self.sharing);
        put_u64_varint(payload, self.places.iter().map(|word| u64::from(word.count_ones())).sum());
        (0..PLACES).filter(is_taken).for_each(|place| put_u64_varint(payload, place));
    }

    pub(super) fn read(payload: &mut Reader<'_>) -> Result<Self> {
        let (sharing, count) = (payload.u64_varint()?, payload.u64_varint()?);
        let mut places = [0; (PLACES / 64) as usize];
        let mut least = 0;
        if sharing == 0 || count == 0 {
            return Err(malformed());
        }
        for _ in 0..count {
            let place = payload.u64_varint()?;
            if !(least..PLACES).contains(&place) {
                return Err(malformed());
            }
            places[(place / 64) as usize] |= 1 << (place % 64);
            least = place + 1;
        }
        Ok(Self { places, sharing })
    }
}
