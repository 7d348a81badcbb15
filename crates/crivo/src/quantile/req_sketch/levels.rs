//! The levels of a [`ReqSketch`](super::ReqSketch): relative compactors.

use super::Tail;
use crate::Result;
use crate::codec::{Reader, put_u64_varint};
use crate::quantile::kept::{Compaction, Level, Plan};
use crate::rng::Rng;
use alloc::vec::Vec;

/// The sections of a level outside its protected half. A schedule of s sections repeats after 2ˢ compactions, and the
/// relative error holds down to tails of about this share of all values: 18 sections, 4 in a million.
pub(super) const SECTIONS: u32 = 18;
/// The schedule of a level at its end.
const LAST: u32 = (1 << SECTIONS) - 1;

/// Levels of equal sizes: a half of sections that are compacted, and a protected half at the accurate end.
#[derive(Clone)]
pub(super) struct Compactors {
    /// The number of values in a section.
    pub(super) k: usize,
    pub(super) tail: Tail,
}

impl Compactors {
    /// Returns the number of values in the protected half of a level.
    pub(super) fn protected(&self) -> usize {
        SECTIONS as usize * self.k
    }
}

/// The state of one level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ReqLevel {
    len: u32,
    /// Counts compactions, from 1 again after 2ˢ − 1: as many sections as it has trailing ones, and one more, are compacted
    /// next. A merge joins the bits of both.
    schedule: u32,
    /// How often the schedule has started again.
    pub(super) rounds: u64,
    /// The coins drawn; one coin decides two compactions of equally many sections.
    coins: u64,
    /// Bit j − 1 is set if the last compaction of j sections has drawn a coin, and the next one keeps the other half.
    drawn: u32,
    /// The half that the next compaction keeps, where a bit of `drawn` is set.
    next_halves: u32,
}

impl ReqLevel {
    /// Returns whether a compaction may have compacted all sections.
    pub(super) fn has_compacted_all(&self) -> bool {
        self.rounds > 0 || self.schedule >> (SECTIONS - 1) != 0
    }
}

impl Level for ReqLevel {
    fn len(&self) -> u32 {
        self.len
    }

    fn set_len(&mut self, len: u32) {
        self.len = len;
    }

    fn coins(&self) -> u64 {
        self.coins
    }

    /// Forgets which halves were next, since the other sketch may have drawn the same coins.
    fn joined(self, other: Self) -> Self {
        Self {
            len: self.len,
            schedule: self.schedule | other.schedule,
            rounds: self.rounds.saturating_add(other.rounds),
            coins: self.coins.saturating_add(other.coins),
            drawn: 0,
            next_halves: 0,
        }
    }

    fn write(&self, payload: &mut Vec<u8>) {
        for number in
            [self.schedule.into(), self.rounds, self.coins, self.drawn.into(), self.next_halves.into()]
        {
            put_u64_varint(payload, number);
        }
    }

    fn read(len: u32, payload: &mut Reader<'_>) -> Result<Option<Self>> {
        let bits = |payload: &mut Reader<'_>| payload.u64_varint().map(|number| u32::try_from(number).ok());
        let (schedule, rounds, coins) = (bits(payload)?, payload.u64_varint()?, payload.u64_varint()?);
        let (Some(schedule), Some(drawn), Some(next_halves)) = (schedule, bits(payload)?, bits(payload)?)
        else {
            return Ok(None);
        };
        let is_possible = schedule <= LAST
            && drawn <= LAST
            && next_halves & !drawn == 0
            && coins >= u64::from(drawn.count_ones())
            && (coins == 0) == (schedule == 0)
            && rounds <= coins;
        Ok(is_possible.then_some(Self { len, schedule, rounds, coins, drawn, next_halves }))
    }
}

impl Plan for Compactors {
    type Level = ReqLevel;
    const LEAVES_MOST: bool = true;

    fn sizes(&self, count: usize) -> impl Iterator<Item = (usize, usize)> {
        let protected = self.protected();
        (0..count).rev().map(move |level| (level, if level == 0 { 3 * protected } else { 2 * protected }))
    }

    /// The sections that are due leave, with everything beyond them, and one value more if that is an odd number.
    fn compaction(&self, level: &mut ReqLevel, len: usize, rng: &mut Rng) -> Compaction {
        let sections = (level.schedule.trailing_ones() + 1).min(SECTIONS);
        if level.schedule == LAST {
            level.schedule = 1;
            level.rounds += 1;
        } else {
            level.schedule += 1;
        }
        let bit = 1 << (sections - 1);
        let keeps_second = if level.drawn & bit == 0 {
            level.coins += 1;
            let coin = rng.coin();
            level.next_halves = level.next_halves & !bit | if coin { 0 } else { bit };
            coin
        } else {
            let half = level.next_halves & bit != 0;
            level.next_halves &= !bit;
            half
        };
        level.drawn ^= bit;
        let stays = 2 * self.protected() - sections as usize * self.k;
        Compaction { pairs: (len - stays).div_ceil(2), takes_greatest: self.tail == Tail::Low, keeps_second }
    }
}
