//! The file format of a [`ReqSketch`].

use super::ReqSketch;
use super::levels::Compactors;
use super::lineage::Lineage;
use super::params::ReqSize;
use crate::kind::Kind;
use crate::quantile::kept::Kept;
use crate::rng::Rng;
use crate::sketch::{Core, Fact, OfSize, Payload, shell};
use crate::{Element, Result};
use alloc::vec;
use alloc::vec::Vec;

shell!(impl[T: Element] ReqSketch<T>, ReqSketch: hashes_nothing, clears, merges);

impl<T: Element> Extend<T> for ReqSketch<T> {
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

impl<T: Element> OfSize for ReqSketch<T> {
    type Params = ReqSize<T>;

    fn params(&self) -> ReqSize<T> {
        ReqSize::new(self.k(), self.tail(), self.seed()).expect("a sketch has a possible size")
    }
}

impl<T: Element> Core for ReqSketch<T> {
    const KIND: Kind = Kind::ReqSketch;

    fn heap_bytes(&self) -> usize {
        self.kept.heap_bytes()
    }

    /// A value of great weight may enter the highest of 64 levels.
    fn heap_bound(&self) -> Option<usize> {
        self.kept.heap_bound(u64::BITS as usize)
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend_from_slice(&self.kept.rng.state().to_le_bytes());
        self.lineage.write(payload);
        self.kept.write(payload);
    }

    fn read(size: ReqSize<T>, file: &mut Payload<'_>) -> Result<Self> {
        let rng = Rng::new(file.bytes.u64()?);
        let lineage = Lineage::read(&mut file.bytes)?;
        let plan = Compactors { k: size.k as usize, tail: size.tail };
        let kept = Kept::read(plan, size.seed, rng, file, size_of::<Self>())?;
        Ok(Self { kept, lineage })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("total", self.total()),
            Fact::count("kept", self.kept() as u64),
            Fact::count("levels", self.kept.levels.count() as u64),
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
        self.lineage.join(&other.lineage);
        self.kept.absorb(&other.kept);
        Ok(())
    }
}
