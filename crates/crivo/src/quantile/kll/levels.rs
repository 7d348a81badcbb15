//! The levels of a [`Kll`](super::Kll): their sizes and their coins.

use crate::Result;
use crate::codec::{Reader, put_u64_varint};
use crate::quantile::kept::{Compaction, Level, Plan};
use crate::rng::Rng;
use alloc::vec::Vec;

/// The smallest capacity of a level.
const LEAST: usize = 4;
/// The smallest capacity of the lowest level, where values arrive: sorting a few more at a time is faster.
const LEAST_NEW: usize = 32;

/// Levels of geometric sizes.
#[derive(Clone)]
pub(super) struct Geometric {
    pub(super) k: u32,
    /// How many levels there are from the highest down before the first with the smallest capacity.
    large: u32,
}

impl Geometric {
    pub(super) fn new(k: u64) -> Self {
        let larger = |&size: &usize| size > LEAST;
        let sizes = core::iter::successors(Some(k as usize), |&size| Some(below(size)));
        Self { k: k as u32, large: sizes.take_while(larger).count() as u32 }
    }
}

/// The capacity of the level below one of this capacity.
#[inline]
fn below(size: usize) -> usize {
    (2 * size).div_ceil(3).max(LEAST)
}

/// The state of one level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct KllLevel {
    len: u32,
    /// The coins drawn for compactions of the level since the last merge; one coin decides two compactions.
    pub(super) coins: u64,
    /// The half that the next compaction keeps, if the last one drew a coin: the other half.
    pub(super) next_half: Option<bool>,
}

impl Level for KllLevel {
    fn len(&self) -> u32 {
        self.len
    }

    fn set_len(&mut self, len: u32) {
        self.len = len;
    }

    fn coins(&self) -> u64 {
        self.coins
    }

    /// Forgets which half was next, since the other sketch may have drawn the same coins.
    fn joined(self, _: Self) -> Self {
        Self::default()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.coins);
        payload.push(self.next_half.map_or(0, |second| 1 + u8::from(second)));
    }

    fn read(len: u32, payload: &mut Reader<'_>) -> Result<Option<Self>> {
        let coins = payload.u64_varint()?;
        let next_half = match payload.u8()? {
            0 => None,
            1 => Some(false),
            2 => Some(true),
            _ => return Ok(None),
        };
        Ok((next_half.is_none() || coins > 0).then_some(Self { len, coins, next_half }))
    }
}

impl Plan for Geometric {
    type Level = KllLevel;
    const LEAVES_MOST: bool = false;

    /// k for the highest level, and for each other level two thirds of the capacity above it. Among geometric plans the
    /// ratio 1/√2 has the least error for its memory; two thirds is close to it and can be computed in integers.
    fn sizes(&self, count: usize) -> impl Iterator<Item = (usize, usize)> {
        let (mut size, least_new) = (self.k as usize, LEAST_NEW.min(self.k as usize));
        (0..count).rev().map(move |level| {
            let planned = if level == 0 { size.max(least_new) } else { size };
            size = below(size);
            (level, planned)
        })
    }

    fn lowest_full(&self, count: usize, len_of: impl Fn(usize) -> usize) -> Option<usize> {
        // Most compactions are of low levels, which all have the smallest capacity.
        let small = count.saturating_sub(self.large as usize);
        if small > 0 && len_of(0) >= LEAST_NEW.min(self.k as usize) {
            return Some(0);
        }
        (1..small).find(|&level| len_of(level) >= LEAST).or_else(|| {
            let full = self.sizes(count).filter(|&(level, size)| len_of(level) >= size);
            full.last().map(|(level, _)| level)
        })
    }

    /// All values leave; of an odd number the greatest stays.
    fn compaction(&self, level: &mut KllLevel, len: usize, rng: &mut Rng) -> Compaction {
        let keeps_second = level.next_half.take().unwrap_or_else(|| {
            level.coins += 1;
            let coin = rng.coin();
            level.next_half = Some(!coin);
            coin
        });
        Compaction { pairs: len / 2, takes_greatest: false, keeps_second }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_full_level_is_that_of_all_sizes() {
        let mut rng = Rng::new(1);
        for k in [8, 9, 31, 32, 33, 200, 210, 5000, 1 << 20] {
            let plan = Geometric::new(k);
            for count in 1..48 {
                let mut sizes: Vec<_> = plan.sizes(count).map(|(_, size)| size).collect();
                sizes.reverse();
                for _ in 0..20 {
                    // Most levels are one short of their capacity.
                    let lens: Vec<usize> =
                        sizes.iter().map(|size| size - usize::from(rng.below(8) > 0)).collect();
                    let expected = (0..count).find(|&level| lens[level] >= sizes[level]);
                    assert_eq!(plan.lowest_full(count, |level| lens[level]), expected, "{k}, {lens:?}");
                }
            }
        }
    }
}
