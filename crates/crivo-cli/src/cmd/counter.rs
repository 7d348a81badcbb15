//! Any kind of counter of different items.

use anyhow::Result;
use crivo::sketch::{Cardinality, Insert, Sketch};
use crivo::{Estimate, HashSpec, MergeLaw};

/// A sketch that takes items in and says how many different ones there were.
pub(crate) struct Counter(Box<dyn Sketch>);

impl Counter {
    /// None if the sketch answers another question.
    pub(crate) fn new(sketch: Box<dyn Sketch>) -> Option<Self> {
        sketch.kind().info().cardinality.and_then(|view| view(&*sketch))?;
        Some(Self(sketch))
    }

    /// Another one, that has counted the same.
    pub(crate) fn copy(&self) -> Self {
        Self(self.0.boxed())
    }

    /// How it hashes.
    pub(crate) fn spec(&self) -> HashSpec {
        self.0.hashing().copied().unwrap_or_default()
    }

    pub(crate) fn sketch(&self) -> &dyn Sketch {
        &*self.0
    }

    /// Whether it grows with the items.
    pub(crate) fn grows(&self) -> bool {
        self.0.memory_bound().is_none()
    }

    /// Whether each thread may have one of its own: it is small, and counters of parts give, merged, the counter of the
    /// whole, in every byte.
    pub(crate) fn may_be_shared(&self) -> bool {
        /// A larger one is not kept once for each thread.
        const SMALL: usize = 16 << 20;
        !self.grows() && self.0.merge_law() == Some(MergeLaw::Exact) && self.0.memory_bytes() <= SMALL
    }

    pub(crate) fn merge(&mut self, other: &Self) -> Result<()> {
        Ok(self.0.merge_any(&*other.0)?)
    }

    pub(crate) fn insert_hashes(&mut self, hashes: &[u64]) -> crivo::Result<()> {
        self.insert().try_insert_hashes(hashes)
    }

    /// Inserts so many hashes, always the same ones: to see how it grows.
    pub(crate) fn insert_random(&mut self, number: u64) -> crivo::Result<()> {
        const BLOCK: u64 = 1 << 12;
        let mut rng = crivo::rng::Rng::new(0);
        for begin in (0..number).step_by(BLOCK as usize) {
            let hashes: Vec<u64> = (begin..number.min(begin + BLOCK)).map(|_| rng.next_u64()).collect();
            self.insert_hashes(&hashes)?;
        }
        Ok(())
    }

    pub(crate) fn estimate(&self) -> Estimate {
        let view = self.0.kind().info().cardinality.and_then(|view| view(&*self.0));
        view.map(Cardinality::estimate).expect("checked when it was made")
    }

    fn insert(&mut self) -> &mut dyn Insert {
        let view = self.0.kind().info().insert.and_then(|view| view(&mut *self.0));
        view.expect("every counter takes items in")
    }
}
