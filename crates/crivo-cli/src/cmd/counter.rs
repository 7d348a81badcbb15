//! Any kind of counter of distinct items.

use super::few::Few;
use crivo::sketch::{Cardinality, Insert, Sketch};
use crivo::{Estimate, HashSpec, MergeLaw};

/// A sketch that counts distinct items.
pub(crate) struct Counter {
    sketch: Box<dyn Sketch>,
    /// The items themselves, while they are few.
    few: Option<Few<u64>>,
}

impl Clone for Counter {
    fn clone(&self) -> Self {
        Self { sketch: self.sketch.boxed(), few: self.few.clone() }
    }
}

impl Counter {
    /// None if the sketch answers another question.
    pub(crate) fn new(sketch: Box<dyn Sketch>) -> Option<Self> {
        sketch.kind().info().cardinality.and_then(|view| view(&*sketch))?;
        Some(Self { sketch, few: None })
    }

    /// Creates an empty counter that is exact for few items.
    #[must_use]
    pub(crate) fn exact_while_few(self) -> Self {
        Self { few: Some(Few::default()), ..self }
    }

    /// How it hashes.
    pub(crate) fn spec(&self) -> HashSpec {
        self.sketch.hashing().copied().unwrap_or_default()
    }

    pub(crate) fn sketch(&self) -> &dyn Sketch {
        &*self.sketch
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.sketch.memory_bytes() + self.few.as_ref().map_or(0, Few::memory_bytes)
    }

    /// The memory that it never exceeds, if there is such a bound.
    pub(crate) fn memory_bound(&self) -> Option<usize> {
        let few = if self.few.is_some() { Few::<u64>::FULL_BYTES } else { 0 };
        Some(self.sketch.memory_bound()? + few)
    }

    /// Whether it grows with the items.
    pub(crate) fn grows(&self) -> bool {
        self.sketch.memory_bound().is_none()
    }

    /// Whether each thread may have one of its own: it is small, and counters of parts give, merged, the counter of the
    /// whole, in every byte.
    pub(crate) fn may_be_shared(&self) -> bool {
        /// A larger one is not kept once for each thread.
        const SMALL: usize = 16 << 20;
        !self.grows()
            && self.sketch.merge_law() == Some(MergeLaw::Exact)
            && self.sketch.memory_bytes() <= SMALL
    }

    pub(crate) fn merge(&mut self, other: &Self) -> crivo::Result<()> {
        match &other.few {
            Some(few) => self.keep_few(few.items()),
            None => self.few = None,
        }
        self.sketch.merge_any(&*other.sketch)
    }

    pub(crate) fn insert_hashes(&mut self, hashes: &[u64]) -> crivo::Result<()> {
        self.keep_few(hashes);
        self.insert().try_insert_hashes(hashes)
    }

    fn keep_few(&mut self, hashes: &[u64]) {
        if let Some(few) = &mut self.few
            && hashes.iter().any(|&hash| few.insert(hash).is_none())
        {
            self.few = None;
        }
    }

    /// Inserts this many hashes, always the same ones, to measure how the counter grows.
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
        if let Some(few) = &self.few {
            return Estimate::exact(few.items().len() as f64);
        }
        let view = self.sketch.kind().info().cardinality.and_then(|view| view(&*self.sketch));
        view.map(Cardinality::estimate).expect("checked when it was made")
    }

    fn insert(&mut self) -> &mut dyn Insert {
        let view = self.sketch.kind().info().insert.and_then(|view| view(&mut *self.sketch));
        view.expect("every counter takes items in")
    }
}
