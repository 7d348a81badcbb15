//! The bytes of kept values in a file.

use super::{Kept, Level, Levels, MOST, Plan};
use crate::codec::{Reader, put_u64_varint};
use crate::rng::Rng;
use crate::sketch::Payload;
use crate::{Element, Error, Result};
use alloc::vec::Vec;
use core::cmp::Ordering;

impl<T: Element, P: Plan> Kept<T, P> {
    /// Appends the levels, the ends and the values.
    pub(in crate::quantile) fn write(&self, payload: &mut Vec<u8>) {
        payload.push(self.levels.count() as u8);
        for (number, level) in self.levels.states().iter().enumerate() {
            put_u64_varint(payload, self.levels.of(number).len() as u64);
            level.write(payload);
        }
        if let Some((min, max)) = &self.ends {
            min.encode(payload);
            max.encode(payload);
        }
        self.levels.items().iter().for_each(|value| value.encode(payload));
    }

    /// Reads what [`write`](Self::write) wrote, to the end of the file; everything else in the sketch takes `others`
    /// bytes.
    pub(in crate::quantile) fn read(
        plan: P,
        seed: u64,
        rng: Rng,
        file: &mut Payload<'_>,
        others: usize,
    ) -> Result<Self> {
        let levels = read_levels::<P::Level>(&mut file.bytes)?;
        let kept: u64 = levels.iter().map(|level| u64::from(level.len())).sum();
        let left = file.bytes.rest().len() as u64;
        if kept > (plan.room(levels.len()) as u64).min(left) {
            return Err(malformed());
        }
        // The heap memory of the values is less than their bytes in the file.
        let slots = (size_of::<T>() as u64) * kept + (size_of::<P::Level>() * levels.len()) as u64;
        file.check_memory(others as u64 + slots + left)?;
        let ends = if levels.len() > 1 { Some((file.bytes.element()?, file.bytes.element()?)) } else { None };
        let mut items: Vec<T> = Vec::with_capacity(kept as usize);
        for _ in 0..kept {
            items.push(file.bytes.element()?);
        }
        file.bytes.finish()?;
        let levels = Levels::from_parts(plan, levels, items).ok_or_else(malformed)?;
        let kept = Self { seed, rng, levels, ends };
        if kept.is_possible() { Ok(kept) } else { Err(malformed()) }
    }

    /// Returns whether the values have ranks and lie between the ends of all values that left the lowest level.
    fn is_possible(&self) -> bool {
        let Some((min, max)) = &self.ends else {
            return self.levels.items().iter().all(Element::has_rank);
        };
        let lies_between =
            |value: &T| min.order(value) != Ordering::Greater && value.order(max) != Ordering::Greater;
        min.has_rank()
            && max.has_rank()
            && lies_between(min)
            && (1..self.levels.count()).all(|level| self.levels.of(level).iter().all(lies_between))
            && self.levels.of(0).iter().all(Element::has_rank)
    }
}

/// Reads the levels. The caller checks the largest number of values against the rest of the payload.
fn read_levels<L: Level>(payload: &mut Reader<'_>) -> Result<Vec<L>> {
    let count = usize::from(payload.u8()?);
    if !(1..=u64::BITS as usize).contains(&count) {
        return Err(malformed());
    }
    let mut levels: Vec<L> = Vec::with_capacity(count);
    let mut weight = 0u128;
    for number in 0..count {
        let len = u32::try_from(payload.u64_varint()?).map_err(|_| malformed())?;
        let level = L::read(len, payload)?.ok_or_else(malformed)?;
        let is_last = number + 1 == count;
        let mut untouched = L::default();
        untouched.set_len(len);
        if is_last && !(level == untouched && (len > 0 || count == 1)) {
            return Err(malformed());
        }
        if number > 0 {
            weight += u128::from(len) << number;
        }
        levels.push(level);
    }
    // Every coin took at least two values of its level.
    let most = weight + u128::from(levels[0].len());
    let fits = |(number, level): (usize, &L)| u128::from(level.coins()) << (number + 1) <= most;
    if weight <= u128::from(MOST) && levels.iter().enumerate().all(fits) {
        Ok(levels)
    } else {
        Err(malformed())
    }
}

pub(in crate::quantile) fn malformed() -> Error {
    Error::malformed("the file is corrupt: its values, levels and counts contradict each other")
}
