//! The bytes of a [`Kll`].

use super::levels::{Level, Levels, room};
use super::{K_RANGE, Kll, MOST, Spread};
use crate::codec::{self, DecodeOptions, Reader, put_u64_varint};
use crate::kind::Kind;
use crate::rng::Rng;
use crate::sketch::{Wire, wire_methods};
use crate::{Element, Error, Result};
use alloc::vec::Vec;
use core::cmp::Ordering;

wire_methods!(impl[T: Element] Kll<T>);

impl<T: Element> Wire for Kll<T> {
    fn to_bytes(&self) -> Vec<u8> {
        let mut params = Vec::with_capacity(20);
        params.push(T::TAG);
        put_u64_varint(&mut params, self.k());
        params.extend_from_slice(&self.seed.to_le_bytes());
        let mut payload = Vec::new();
        payload.extend_from_slice(&self.rng.state().to_le_bytes());
        payload.extend_from_slice(&self.inherited.variance.to_bits().to_le_bytes());
        put_u64_varint(&mut payload, self.inherited.most);
        payload.push(self.levels.count() as u8);
        for (number, level) in self.levels.states().iter().enumerate() {
            put_u64_varint(&mut payload, self.levels.of(number).len() as u64);
            put_u64_varint(&mut payload, level.coins);
            payload.push(level.next_half.map_or(0, |second| 1 + u8::from(second)));
        }
        if let Some((min, max)) = &self.ends {
            min.encode(&mut payload);
            max.encode(&mut payload);
        }
        self.levels.items().iter().for_each(|value| value.encode(&mut payload));
        codec::seal(Kind::Kll, None, &params, &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let [mut params, mut payload] = codec::open_without_hash(Kind::Kll, bytes)?;
        params.tag_of::<T>()?;
        let k = params.u64_varint()?;
        let seed = params.u64()?;
        params.finish()?;
        if !K_RANGE.contains(&k) {
            return Err(Error::malformed(alloc::format!(
                "k must be 8 to 1048576, got {k}; copy the file again"
            )));
        }
        let rng = Rng::new(payload.u64()?);
        let inherited = read_spread(&mut payload)?;
        let levels = read_levels(&mut payload)?;
        let kept: u64 = levels.iter().map(|level| u64::from(level.len)).sum();
        let is_sound = kept <= room(k as usize, levels.len()) as u64 && kept <= payload.rest().len() as u64;
        if !is_sound {
            return Err(malformed());
        }
        // What the values hold outside themselves is less than their bytes.
        let slots = (size_of::<T>() as u64) * kept + (size_of::<Level>() * levels.len()) as u64;
        let memory = size_of::<Self>() as u64 + slots + payload.rest().len() as u64;
        codec::check_memory(memory, options)?;
        let ends = if levels.len() > 1 { Some((payload.element()?, payload.element()?)) } else { None };
        let mut items: Vec<T> = Vec::with_capacity(kept as usize);
        for _ in 0..kept {
            items.push(payload.element()?);
        }
        payload.finish()?;
        let levels = Levels::from_parts(k as usize, levels, items).ok_or_else(malformed)?;
        let sketch = Self { seed, rng, levels, ends, inherited };
        if sketch.is_possible() { Ok(sketch) } else { Err(malformed()) }
    }
}

fn read_spread(payload: &mut Reader<'_>) -> Result<Spread> {
    let variance = f64::from_bits(payload.u64()?);
    let most = payload.u64_varint()?;
    // A coin is at least one rank.
    let is_sound = variance.is_finite() && variance.is_sign_positive() && (most == 0) == (variance == 0.0);
    if is_sound { Ok(Spread { variance, most }) } else { Err(malformed()) }
}

/// The greatest number of values is checked against what follows by the caller.
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
    // Every coin took two values of its level at least.
    let most = weight + u128::from(levels[0].len);
    let fits = |(number, level): (usize, &Level)| u128::from(level.coins) << (number + 1) <= most;
    if weight <= u128::from(MOST) && levels.iter().enumerate().all(fits) {
        Ok(levels)
    } else {
        Err(malformed())
    }
}

fn malformed() -> Error {
    Error::malformed(
        "the values, levels and numbers of this sketch contradict each other; copy the file again",
    )
}

impl<T: Element> Kll<T> {
    /// Whether the values have ranks and lie between the ends of all that left the lowest level.
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
