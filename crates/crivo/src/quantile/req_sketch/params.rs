//! The size of a [`ReqSketch`](super::ReqSketch), and its accurate end.

use super::K_RANGE;
use crate::codec::{Reader, put_u64_varint};
use crate::element::name_of;
use crate::sketch::{Fact, Params};
use crate::{Element, Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// The end of the order at which a [`ReqSketch`](super::ReqSketch) is accurate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tail {
    /// The greatest values: high percentiles.
    #[default]
    High,
    /// The least values: low percentiles.
    Low,
}

impl Tail {
    /// Returns the name: `high` or `low`.
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Low => "low",
        }
    }
}

/// The params: k, the accurate end, the type of the values, and the seed, which a merge does not compare.
#[derive(Clone)]
pub(crate) struct ReqSize<T> {
    pub(super) k: u32,
    pub(super) tail: Tail,
    pub(super) seed: u64,
    values: PhantomData<fn(T) -> T>,
}

impl<T> ReqSize<T> {
    pub(super) fn new(k: u64, tail: Tail, seed: u64) -> Result<Self> {
        if K_RANGE.contains(&k) {
            return Ok(Self { k: k as u32, tail, seed, values: PhantomData });
        }
        Err(Error::invalid(format!("k must be 4 to 65536, got {k}; 32 is usual")))
    }
}

impl<T: Element> Params for ReqSize<T> {
    const NAMES: &[&str] = &["k", "low"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.k.into(), (self.tail == Tail::Low).into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let tail = match numbers[1] {
            0 => Tail::High,
            1 => Tail::Low,
            other => return Err(Error::malformed(format!("the accurate end must be 0 or 1, got {other}"))),
        };
        Self::new(numbers[0], tail, 0)
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::text("elements", name_of(T::TAG)),
            Fact::count("k", self.k.into()),
            Fact::text("tail", self.tail.name()),
        ]
    }

    fn write(&self, params: &mut Vec<u8>) {
        params.push(T::TAG);
        self.numbers().into_iter().for_each(|number| put_u64_varint(params, number));
        params.extend(self.seed.to_le_bytes());
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        params.tag_of::<T>()?;
        let numbers = [params.u64_varint()?, params.u64_varint()?];
        let seed = params.u64()?;
        params.finish()?;
        Ok(Self { seed, ..Self::of(&numbers)? })
    }
}
