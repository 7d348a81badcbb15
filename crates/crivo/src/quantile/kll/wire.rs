//! The file format of a [`Kll`].

use super::levels::{Level, Levels, room};
use super::{Kll, KllSize, MOST, Spread};
use crate::codec::{Reader, put_u64_varint};
use crate::kind::Kind;
use crate::rng::Rng;
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Element, Error, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use libm::sqrt;

shell!(impl[T: Element] Kll<T>, Kll: hashes_nothing, clears, merges);

impl<T: Element> Extend<T> for Kll<T> {
    /// Takes all values in, except those without a rank (NaN), which are skipped: [`insert`](Self::insert) refuses them.
    ///
    /// # Panics
    /// After 2⁶⁴ − 2³² values.
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values.into_iter().filter(Element::has_rank) {
            self.insert(value).expect("fewer than 2⁶⁴ − 2³² values");
        }
    }
}

impl<T: Element> FromIterator<T> for Kll<T> {
    /// A sketch whose ranks are off by at most 1 % of all values, with 95 % confidence. Values without a rank (NaN) are skipped.
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut sketch = Self::for_error(0.01).expect("the default error is in range");
        sketch.extend(values);
        sketch
    }
}

impl<T: Element> OfSize for Kll<T> {
    type Params = KllSize<T>;

    fn params(&self) -> KllSize<T> {
        KllSize::new(self.k(), self.seed)
    }
}

impl<T: Element> Core for Kll<T> {
    const KIND: Kind = Kind::Kll;

    fn heap_bytes(&self) -> usize {
        let ends = self.ends.as_ref().map_or(0, |(min, max)| min.heap_bytes() + max.heap_bytes());
        self.levels.memory_bytes() + ends
    }

    /// Elements that own memory may own any amount of it. Others are at most as many as two sketches keep, since a merge holds
    /// the values of both; a sketch of 2⁶⁴ values has 65 − log₂ k levels.
    fn heap_bound(&self) -> Option<usize> {
        let k = self.levels.k();
        let levels = 66 - k.ilog2() as usize;
        let values = 2 * room(k, levels) + 64;
        (!core::mem::needs_drop::<T>()).then(|| values * size_of::<T>() + levels * size_of::<Level>())
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend_from_slice(&self.rng.state().to_le_bytes());
        payload.extend_from_slice(&self.inherited.variance.to_bits().to_le_bytes());
        put_u64_varint(payload, self.inherited.most);
        payload.push(self.levels.count() as u8);
        for (number, level) in self.levels.states().iter().enumerate() {
            put_u64_varint(payload, self.levels.of(number).len() as u64);
            put_u64_varint(payload, level.coins);
            payload.push(level.next_half.map_or(0, |second| 1 + u8::from(second)));
        }
        if let Some((min, max)) = &self.ends {
            min.encode(payload);
            max.encode(payload);
        }
        self.levels.items().iter().for_each(|value| value.encode(payload));
    }

    fn read(KllSize { k, seed, .. }: KllSize<T>, file: &mut Payload<'_>) -> Result<Self> {
        let rng = Rng::new(file.bytes.u64()?);
        let inherited = read_spread(&mut file.bytes)?;
        let levels = read_levels(&mut file.bytes)?;
        let kept: u64 = levels.iter().map(|level| u64::from(level.len)).sum();
        let left = file.bytes.rest().len() as u64;
        if kept > (room(k as usize, levels.len()) as u64).min(left) {
            return Err(malformed());
        }
        // The heap memory of the values is less than their bytes in the file.
        let slots = (size_of::<T>() as u64) * kept + (size_of::<Level>() * levels.len()) as u64;
        file.check_memory(size_of::<Self>() as u64 + slots + left)?;
        let ends = if levels.len() > 1 { Some((file.bytes.element()?, file.bytes.element()?)) } else { None };
        let mut items: Vec<T> = Vec::with_capacity(kept as usize);
        for _ in 0..kept {
            items.push(file.bytes.element()?);
        }
        file.bytes.finish()?;
        let levels = Levels::from_parts(k as usize, levels, items).ok_or_else(malformed)?;
        let sketch = Self { seed, rng, levels, ends, inherited };
        if sketch.is_possible() { Ok(sketch) } else { Err(malformed()) }
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("total", self.total()),
            Fact::count("kept", self.kept() as u64),
            Fact::count("levels", self.levels.count() as u64),
            Fact::number("rank_error", self.rank_error()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.check_room_for(other.total())?;
        if other.is_empty() {
            return Ok(());
        }
        if self.is_empty() {
            *self = Self { seed: self.seed, ..other.clone() };
            return Ok(());
        }
        // Both may have drawn the same coins, so the errors add up at worst. Coins drawn from now on are new.
        let (ours, theirs) = (self.spread(), other.spread());
        let deviation = sqrt(ours.variance) + sqrt(theirs.variance);
        self.inherited =
            Spread { variance: deviation * deviation, most: ours.most.saturating_add(theirs.most) };
        self.rng = Rng::new(self.rng.next_u64() ^ other.rng.clone().next_u64().rotate_left(32));
        if let Some((least, greatest)) = &other.ends {
            self.widen(least, greatest);
        }
        self.levels.absorb(&other.levels);
        while self.levels.overflows() {
            if let Some((least, greatest)) = self.levels.compact(&mut self.rng) {
                self.widen(&least, &greatest);
            }
        }
        self.levels.shrink();
        Ok(())
    }
}

fn read_spread(payload: &mut Reader<'_>) -> Result<Spread> {
    let variance = f64::from_bits(payload.u64()?);
    let most = payload.u64_varint()?;
    // A coin moves a rank by at least one.
    let is_sound = variance.is_finite() && variance.is_sign_positive() && (most == 0) == (variance == 0.0);
    if is_sound { Ok(Spread { variance, most }) } else { Err(malformed()) }
}

/// Reads the levels. The caller checks the largest number of values against the rest of the payload.
fn read_levels(payload: &mut Reader<'_>) -> Result<Vec<Level>> {
    let count = usize::from(payload.u8()?);
    if !(1..=u64::BITS as usize).contains(&count) {
        return Err(malformed());
    }
    let mut levels = Vec::with_capacity(count);
    let mut weight = 0u128;
    for number in 0..count {
        let len = u32::try_from(payload.u64_varint()?).map_err(|_| malformed())?;
        let coins = payload.u64_varint()?;
        let next_half = match payload.u8()? {
            0 => None,
            1 => Some(false),
            2 => Some(true),
            _ => return Err(malformed()),
        };
        let is_last = number + 1 == count;
        let never_halved = coins == 0 && next_half.is_none();
        if is_last && !(never_halved && (len > 0 || count == 1)) || next_half.is_some() && coins == 0 {
            return Err(malformed());
        }
        if number > 0 {
            weight += u128::from(len) << number;
        }
        levels.push(Level { len, coins, next_half });
    }
    // Every coin took at least two values of its level.
    let most = weight + u128::from(levels[0].len);
    let fits = |(number, level): (usize, &Level)| u128::from(level.coins) << (number + 1) <= most;
    if weight <= u128::from(MOST) && levels.iter().enumerate().all(fits) {
        Ok(levels)
    } else {
        Err(malformed())
    }
}

fn malformed() -> Error {
    Error::malformed("the file is corrupt: its values, levels and counts contradict each other")
}

impl<T: Element> Kll<T> {
    /// Returns whether the values have ranks and lie between the ends of all values that left the lowest level.
    fn is_possible(&self) -> bool {
        let Some((min, max)) = &self.ends else {
            return self.levels.items().iter().all(Element::has_rank) && self.inherited == Spread::default();
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
