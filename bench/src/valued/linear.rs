//! Filters that keep the largest value: every operation touches as many cells as one of a Count-Min does.

use crate::Options;
use crate::harness::{Column, Contender, best, interleave, print_contenders};
use crate::keys::SplitMix64;
use crate::memory::heap_held;
use bench_report::Targets;
use crivo::frequency::CountMinParams;
use crivo::valued::LinearBloomParams;
use crivo::valued::{DecayingBloom, Fading, QuantisedBloom, Scale};
use crivo::{CountMin, LinearBloom};

const HASHES: u32 = 4;
const COLUMNS: [Column; 5] = [
    Column::Time("insert"),
    Column::Time("query"),
    Column::Time("insert, batch"),
    Column::Time("query, batch"),
    Column::Value("MiB"),
];

/// A table of `cells` cells, four to an item.
trait Valued: Sized {
    const NAME: &'static str;
    type Value: Copy;

    fn new(cells: u64) -> Self;
    fn value_of(unit: f32) -> Self::Value;
    fn insert(&mut self, hash: u64, value: Self::Value);
    fn query(&self, hash: u64) -> f64;
    fn insert_batch(&mut self, entries: &[(u64, Self::Value)]);
    fn query_batch(&self, hashes: &[u64]) -> f64;
    fn clear(&mut self);

    #[inline(never)]
    fn insert_each(&mut self, entries: &[(u64, Self::Value)]) {
        for &(hash, value) in entries {
            self.insert(hash, value);
        }
    }

    #[inline(never)]
    fn query_each(&self, hashes: &[u64]) -> f64 {
        hashes.iter().map(|&hash| self.query(hash)).sum()
    }
}

impl Valued for CountMin {
    const NAME: &'static str = "crivo CountMin (32 bits)";
    type Value = ();

    fn new(cells: u64) -> Self {
        Self::with_params(
            CountMinParams::exact(cells / u64::from(HASHES), HASHES).expect("this shape is valid"),
        )
    }

    fn value_of(_: f32) {}

    #[inline]
    fn insert(&mut self, hash: u64, (): ()) {
        self.add_hash(hash, 1);
    }

    #[inline]
    fn query(&self, hash: u64) -> f64 {
        self.frequency_hash(hash).value()
    }

    fn insert_batch(&mut self, entries: &[(u64, ())]) {
        let hashes: Vec<u64> = entries.iter().map(|entry| entry.0).collect();
        self.add_hashes(&hashes);
    }

    fn query_batch(&self, hashes: &[u64]) -> f64 {
        self.frequency_hashes(hashes).iter().map(crivo::Estimate::value).sum()
    }

    fn clear(&mut self) {
        self.clear();
    }
}

fn cells(cells: u64) -> LinearBloomParams {
    LinearBloomParams::exact(cells, HASHES).expect("this shape is valid")
}

macro_rules! valued {
    ($name:literal, $type:ty, $value:ty, $new:expr) => {
        impl Valued for $type {
            const NAME: &'static str = $name;
            type Value = $value;

            fn new(cells: u64) -> Self {
                $new(cells)
            }

            fn value_of(unit: f32) -> $value {
                unit.into()
            }

            #[inline]
            fn insert(&mut self, hash: u64, value: $value) {
                self.insert_hash(hash, value).expect("a value of the range");
            }

            #[inline]
            fn query(&self, hash: u64) -> f64 {
                self.value_hash(hash).map_or(0.0, f64::from)
            }

            fn insert_batch(&mut self, entries: &[(u64, $value)]) {
                self.insert_hashes(entries).expect("values of the range");
            }

            fn query_batch(&self, hashes: &[u64]) -> f64 {
                self.value_hashes(hashes).into_iter().flatten().map(f64::from).sum()
            }

            fn clear(&mut self) {
                self.clear();
            }
        }
    };
}

/// Above 0, which no fading value is.
fn unit() -> Scale {
    Scale::linear(0.0, 1.0).expect("this scale is valid")
}

fn fading() -> Fading {
    Fading::new(0.5, 1e-9).expect("this fading is valid")
}

valued!("crivo LinearBloom (f32)", LinearBloom<f32>, f32, |size| Self::with_params(cells(size)));
valued!("crivo LinearBloom (f64)", LinearBloom<f64>, f64, |size| Self::with_params(cells(size)));
valued!("crivo QuantisedBloom (u8)", QuantisedBloom<u8>, f64, |size| Self::with_params(cells(size), unit()));
valued!("crivo DecayingBloom", DecayingBloom, f64, |size| Self::with_params(cells(size), fading()));

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    // In the cache of a core, in that of all, and far beyond.
    for size in [1 << 14, 1 << 18, 1 << 24] {
        let items = if options.quick { 100_000 } else { 1_000_000 };
        let mut random = SplitMix64::new(80);
        let entries: Vec<(u64, f32)> =
            (0..items).map(|_| (random.next(), ((random.next() >> 41) + 1) as f32 / 8_388_608.0)).collect();
        let mut contenders = vec![
            contender::<CountMin>(&entries, size),
            contender::<LinearBloom<f32>>(&entries, size),
            contender::<LinearBloom<f64>>(&entries, size),
            contender::<QuantisedBloom<u8>>(&entries, size),
            contender::<DecayingBloom>(&entries, size),
        ];
        interleave(&mut contenders, options.rounds);
        let title = format!("{HASHES} of {size} cells, {items} items");
        print_contenders(&format!("Values: {title}, 64-bit hashes given"), &COLUMNS, &contenders);
        for metric in ["insert", "query", "insert, batch", "query, batch"] {
            let what = format!("LinearBloom (f32) {metric} vs CountMin: {title}");
            let ours = best(&contenders, <LinearBloom<f32> as Valued>::NAME, metric);
            targets.at_most(what, ours, best(&contenders, CountMin::NAME, metric), 1.5);
        }
    }
}

fn contender<V: Valued>(entries: &[(u64, f32)], size: u64) -> Contender<'_> {
    Contender::new(V::NAME, move |samples| {
        let hashes: Vec<u64> = entries.iter().map(|entry| entry.0).collect();
        let entries: Vec<_> = entries.iter().map(|&(hash, unit)| (hash, V::value_of(unit))).collect();
        let (mut sketch, held) = heap_held(|| V::new(size));
        // Fresh memory is given by the system at its first use; that is not what is measured.
        sketch.clear();
        samples.time("insert", entries.len(), || sketch.insert_each(&entries));
        samples.time("query", hashes.len(), || sketch.query_each(&hashes));
        sketch.clear();
        samples.time("insert, batch", entries.len(), || {
            entries.chunks(1024).for_each(|entries| sketch.insert_batch(entries));
        });
        samples.time("query, batch", hashes.len(), || {
            hashes.chunks(1024).map(|hashes| sketch.query_batch(hashes)).sum::<f64>()
        });
        samples.record("MiB", held as f64 / f64::from(1 << 20));
    })
}
