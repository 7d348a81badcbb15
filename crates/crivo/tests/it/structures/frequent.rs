//! The most frequent elements: here the hashes of items.

use super::*;
use crivo::frequency::Majority;
use crivo::{MisraGries, SpaceSaving};

macro_rules! frequent {
    ($sketch:ident, $this:ident => $scale:expr $(, $stream:item)?) => {
        impl Subject for $sketch<u64> {
            const MEMORY_IS_CANONICAL: bool = false;
            type Answer = Estimate;
            verbs!();

            fn scale(&self) -> usize {
                let $this = self;
                $scale
            }

            fn see_hash(&mut self, hash: u64) {
                self.add(&hash, 1);
            }

            fn see_hashes(&mut self, hashes: &[u64]) {
                self.extend(hashes.iter().copied());
            }

            fn ask_hash(&self, hash: u64) -> Estimate {
                self.frequency(&hash)
            }

            fn peculiar(&mut self, rng: &mut Rng) {
                let count = rng.next_u64() >> rng.below(64);
                self.add(&rng.below(2 * self.scale() as u64), count);
            }

            $($stream)?
        }
    };
}
frequent!(MisraGries, sketch => sketch.counters() as usize);
frequent!(SpaceSaving, sketch => sketch.counters() as usize);
frequent!(Majority, _sketch => 10,
    /// Few distinct items, so that one of them often has a majority.
    fn stream(rng: &mut Rng, len: usize) -> Vec<u64> {
        (0..len).map(|_| rng.below(4) & rng.below(4)).collect()
    }
);

pub(crate) fn misra_gries(counters: u32) -> impl Fn(HashSpec) -> MisraGries<u64> {
    move |spec| MisraGries::for_counters(counters).unwrap().with_hash(spec)
}

pub(crate) fn space_saving(counters: u32) -> impl Fn(HashSpec) -> SpaceSaving<u64> {
    move |spec| SpaceSaving::for_counters(counters).unwrap().with_hash(spec)
}

pub(crate) fn majority(_: HashSpec) -> Majority<u64> {
    Majority::new()
}

#[test]
fn files() {
    macro_rules! check_elements {
        ($sketch:ident) => {
            let mut numbers = $sketch::<i64>::for_counters(20).unwrap();
            (0..200).for_each(|i: i64| numbers.add(&(i % 37 - 18), 1 + i as u64 % 5));
            check("signed", &numbers);
            let mut texts = $sketch::<String>::for_counters(20).unwrap();
            (0..200).for_each(|i: u64| texts.add(format!("item {}", i % 23).as_str(), 1 + i % 5));
            check("text", &texts);
            let mut bytes = $sketch::<Vec<u8>>::for_counters(20).unwrap();
            (0..200u8).for_each(|i| bytes.add(&[i % 29, 255 - i][..usize::from(i % 3)], 1));
            check("bytes", &bytes);
            let mut saturated = filled($sketch::for_counters(5).unwrap(), 20);
            (0..9u64).for_each(|i| saturated.add(&i, u64::MAX - i));
            check("saturated", &saturated);
        };
    }
    check_elements!(MisraGries);
    check_elements!(SpaceSaving);
}

#[test]
fn majority_files() {
    let mut majority = Majority::new();
    majority.add(&7u64, 1000);
    check("surplus", &majority);
    majority.add(&7u64, u64::MAX);
    check("saturated", &majority);
    check("signed", &Majority::from_iter([-5i64, 3, -5]));
    check("text", &Majority::from_iter(["one".to_string(), "two".into(), "one".into()]));
    check("bytes", &Majority::from_iter([vec![0u8, 255], vec![], vec![0, 255]]));
}
