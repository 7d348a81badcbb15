//! The params of sketches that keep values.

use super::{Element, name_of};
use crate::codec::{Reader, put_u64_varint};
use crate::sketch::{Fact, Params};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// The params `k` (`LEAST` to `MOST`), the type of the values, and a seed, which a merge does not compare.
#[derive(Clone)]
pub(crate) struct KeptSize<T, const LEAST: u64, const MOST: u64> {
    pub(crate) k: u64,
    pub(crate) seed: u64,
    values: PhantomData<fn(T) -> T>,
}

impl<T, const LEAST: u64, const MOST: u64> KeptSize<T, LEAST, MOST> {
    pub(crate) fn new(k: u64, seed: u64) -> Self {
        Self { k, seed, values: PhantomData }
    }
}

impl<T: Element, const LEAST: u64, const MOST: u64> Params for KeptSize<T, LEAST, MOST> {
    const NAMES: &[&str] = &["k"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.k]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let k = numbers[0];
        if (LEAST..=MOST).contains(&k) {
            return Ok(Self::new(k, 0));
        }
        Err(Error::malformed(format!("k must be {LEAST} to {MOST}, got {k}")))
    }

    fn facts(&self) -> Vec<Fact> {
        vec![Fact::text("elements", name_of(T::TAG)), Fact::count("k", self.k)]
    }

    fn write(&self, params: &mut Vec<u8>) {
        params.push(T::TAG);
        put_u64_varint(params, self.k);
        params.extend(self.seed.to_le_bytes());
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        params.tag_of::<T>()?;
        let (k, seed) = (params.u64_varint()?, params.u64()?);
        params.finish()?;
        Ok(Self { seed, ..Self::of(&[k])? })
    }

    fn is_same(&self, other: &Self) -> bool {
        self.k == other.k
    }
}

/// The params of a structure that keeps elements: the type of the elements, and the structure's own params.
#[derive(Clone)]
pub(crate) struct OfElements<T, P>(pub(crate) P, PhantomData<T>);

impl<T, P> From<P> for OfElements<T, P> {
    fn from(size: P) -> Self {
        Self(size, PhantomData)
    }
}

impl<T: Element, P: Params> Params for OfElements<T, P> {
    const REMEDY: &str = P::REMEDY;
    const NAMES: &[&str] = P::NAMES;

    fn numbers(&self) -> Vec<u64> {
        self.0.numbers()
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        P::of(numbers).map(Self::from)
    }

    fn memory_bytes(&self) -> u64 {
        self.0.memory_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::text("elements", name_of(T::TAG))];
        facts.extend(self.0.facts());
        facts
    }

    fn write(&self, params: &mut Vec<u8>) {
        params.push(T::TAG);
        self.0.write(params);
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        params.tag_of::<T>()?;
        P::read(params).map(Self::from)
    }
}
