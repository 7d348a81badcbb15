//! The file format of a [`Kll`].

use super::levels::Geometric;
use super::{Kll, KllSize, Spread};
use crate::codec::{Reader, put_u64_varint};
use crate::kind::Kind;
use crate::quantile::kept::{Kept, malformed};
use crate::rng::Rng;
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Element, Result};
use alloc::vec;
use alloc::vec::Vec;
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
        KllSize::new(self.k(), self.seed())
    }
}

impl<T: Element> Core for Kll<T> {
    const KIND: Kind = Kind::Kll;

    fn heap_bytes(&self) -> usize {
        self.kept.heap_bytes()
    }

    /// A sketch of 2⁶⁴ values has 65 − log₂ k levels, and a merge may add one.
    fn heap_bound(&self) -> Option<usize> {
        self.kept.heap_bound(66 - self.k().ilog2() as usize)
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend_from_slice(&self.kept.rng.state().to_le_bytes());
        payload.extend_from_slice(&self.inherited.variance.to_bits().to_le_bytes());
        put_u64_varint(payload, self.inherited.most);
        self.kept.write(payload);
    }

    fn read(KllSize { k, seed, .. }: KllSize<T>, file: &mut Payload<'_>) -> Result<Self> {
        let rng = Rng::new(file.bytes.u64()?);
        let inherited = read_spread(&mut file.bytes)?;
        let kept = Kept::read(Geometric::new(k), seed, rng, file, size_of::<Self>())?;
        if kept.ends.is_none() && inherited != Spread::default() {
            return Err(malformed());
        }
        Ok(Self { kept, inherited })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("total", self.total()),
            Fact::count("kept", self.kept() as u64),
            Fact::count("levels", self.kept.levels.count() as u64),
            Fact::number("rank_error", self.rank_error()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.kept.check_room_for(other.total())?;
        if other.is_empty() {
            return Ok(());
        }
        if self.is_empty() {
            let seed = self.seed();
            *self = other.clone();
            self.kept.seed = seed;
            return Ok(());
        }
        // Both may have drawn the same coins, so the errors add up at worst.
        let (ours, theirs) = (self.spread(), other.spread());
        let deviation = sqrt(ours.variance) + sqrt(theirs.variance);
        self.inherited =
            Spread { variance: deviation * deviation, most: ours.most.saturating_add(theirs.most) };
        self.kept.absorb(&other.kept);
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
