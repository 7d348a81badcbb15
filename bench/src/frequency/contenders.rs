//! The frequency sketches, all with 4 rows of 2^16 counters.

use crate::keys::{SEED, in_batches};
use asap_sketchlib::{CountMinSketch, DataInput, FastPath, Vector2D};
use crivo::frequency::CountMinParams;
use crivo::{CountMin, Item};
use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hash};

pub(crate) const ROWS: u8 = 4;
pub(crate) const WIDTH: u32 = 1 << 16;

/// An item that every sketch takes.
pub(crate) trait Key: Copy + Hash + Item {
    fn input(&self) -> DataInput<'_>;
}

impl Key for u64 {
    #[inline]
    fn input(&self) -> DataInput<'_> {
        DataInput::U64(*self)
    }
}

impl Key for &str {
    #[inline]
    fn input(&self) -> DataInput<'_> {
        DataInput::Str(self)
    }
}

/// A sketch that counts items of type `K`.
pub(crate) trait Counter<K: Key>: Sized {
    const NAME: &'static str;

    fn new() -> Self;

    fn add(&mut self, item: K);

    fn frequency(&self, item: K) -> f64;

    #[inline(never)]
    fn add_all(&mut self, items: &[K]) {
        for &item in items {
            self.add(item);
        }
    }

    /// The sum of the frequencies.
    #[inline(never)]
    fn sum_all(&self, items: &[K]) -> f64 {
        items.iter().map(|&item| self.frequency(item)).sum()
    }
}

/// One item at a time; `CONSERVATIVE` chooses the update rule.
pub(crate) struct Crivo<const CONSERVATIVE: bool>(CountMin);

impl<K: Key, const CONSERVATIVE: bool> Counter<K> for Crivo<CONSERVATIVE> {
    const NAME: &'static str = if CONSERVATIVE { "crivo conservative" } else { "crivo" };

    fn new() -> Self {
        let params = CountMinParams::exact(WIDTH.into(), ROWS.into()).expect("this shape is valid");
        Self(CountMin::with_params(if CONSERVATIVE { params.conservative() } else { params }))
    }

    #[inline]
    fn add(&mut self, item: K) {
        self.0.add(&item, 1);
    }

    #[inline]
    fn frequency(&self, item: K) -> f64 {
        self.0.frequency(&item).value()
    }
}

/// Many items at once; hashing them is part of the time.
pub(crate) struct CrivoBatch<const CONSERVATIVE: bool>(Crivo<CONSERVATIVE>);

impl<K: Key, const CONSERVATIVE: bool> Counter<K> for CrivoBatch<CONSERVATIVE> {
    const NAME: &'static str = if CONSERVATIVE { "crivo conservative (batch)" } else { "crivo (batch)" };

    fn new() -> Self {
        Self(<Crivo<CONSERVATIVE> as Counter<K>>::new())
    }

    fn add(&mut self, item: K) {
        self.0.add(item);
    }

    fn frequency(&self, item: K) -> f64 {
        self.0.frequency(item)
    }

    #[inline(never)]
    fn add_all(&mut self, items: &[K]) {
        let sketch = &mut self.0.0;
        let spec = *sketch.hash_spec();
        in_batches(&spec, items, |hashes| sketch.add_hashes(hashes));
    }

    #[inline(never)]
    fn sum_all(&self, items: &[K]) -> f64 {
        let sketch = &self.0.0;
        let mut sum = 0.0;
        in_batches(sketch.hash_spec(), items, |hashes| {
            sum += sketch.frequency_hashes(hashes).iter().map(crivo::Estimate::value).sum::<f64>();
        });
        sum
    }
}

pub(crate) struct Asap(CountMinSketch<Vector2D<i32>, FastPath>);

impl<K: Key> Counter<K> for Asap {
    const NAME: &'static str = "asap_sketchlib (fast path, i32)";

    fn new() -> Self {
        Self(CountMinSketch::with_dimensions(ROWS.into(), WIDTH as usize))
    }

    #[inline]
    fn add(&mut self, item: K) {
        self.0.update(&item.input());
    }

    #[inline]
    fn frequency(&self, item: K) -> f64 {
        self.0.estimate(&item.input()).into()
    }
}

pub(crate) struct Cmsketch {
    sketch: cmsketch::CMSketchU32,
    hasher: FixedState,
}

impl<K: Key> Counter<K> for Cmsketch {
    const NAME: &'static str = "cmsketch (u32, foldhash)";

    fn new() -> Self {
        let confidence = 1.0 - 0.5f64.powi(ROWS.into());
        Self {
            sketch: cmsketch::CMSketchU32::new(2.0 / f64::from(WIDTH), confidence),
            hasher: FixedState::with_seed(SEED),
        }
    }

    #[inline]
    fn add(&mut self, item: K) {
        self.sketch.inc(self.hasher.hash_one(item));
    }

    #[inline]
    fn frequency(&self, item: K) -> f64 {
        self.sketch.estimate(self.hasher.hash_one(item)).into()
    }
}

pub(crate) struct Datasketches(datasketches::countmin::CountMinSketch<u64>);

impl<K: Key> Counter<K> for Datasketches {
    const NAME: &'static str = "datasketches CountMin (u64)";

    fn new() -> Self {
        let sketch = datasketches::countmin::CountMinSketch::new(ROWS, WIDTH);
        Self(sketch.expect("the crate accepts this shape"))
    }

    #[inline]
    fn add(&mut self, item: K) {
        self.0.update(item);
    }

    #[inline]
    fn frequency(&self, item: K) -> f64 {
        self.0.estimate(item) as f64
    }
}

pub(crate) struct Conservative<K: Hash>(count_min_sketch::CountMinSketch32<K>);

impl<K: Key> Counter<K> for Conservative<K> {
    const NAME: &'static str = "count-min-sketch (u32, conservative)";

    fn new() -> Self {
        // The crate derives its shape: width = 2 × capacity / tolerance, rows = ⌊-log2(1 − probability)⌋.
        let sketch = count_min_sketch::CountMinSketch32::new(WIDTH as usize / 2, 0.94, 1.0);
        Self(sketch.expect("the crate accepts this shape"))
    }

    #[inline]
    fn add(&mut self, item: K) {
        self.0.increment(&item);
    }

    #[inline]
    fn frequency(&self, item: K) -> f64 {
        self.0.estimate(&item).into()
    }
}
