use super::*;
use crivo::LinearBloom;
use crivo::valued::{CellValue, LinearBloomParams};

/// Writes the methods of a filter of values. `value_for` gives the value of an item, which follows from its hash, so
/// that repeated items have the same value.
macro_rules! valued_methods {
    ($value:ty) => {
        type Answer = Option<crivo::valued::ValueAnswer<$value>>;
        verbs!();

        fn scale(&self) -> usize {
            self.params().cells() as usize
        }

        fn see<T: crivo::Item + ?Sized>(&mut self, item: &T) {
            let value = self.value_for(self.spec().hash(item));
            self.insert(item, value).unwrap();
        }

        fn see_hash(&mut self, hash: u64) {
            self.insert_hash(hash, self.value_for(hash)).unwrap();
        }

        fn see_hashes(&mut self, hashes: &[u64]) {
            let items: Vec<(u64, $value)> = hashes.iter().map(|&hash| (hash, self.value_for(hash))).collect();
            self.insert_hashes(&items).unwrap();
        }

        fn ask<T: crivo::Item + ?Sized>(&self, item: &T) -> Self::Answer {
            assert_eq!(self.value(item), self.answer(item).map(|answer| answer.value()));
            assert_eq!(self.contains(item), self.answer(item).is_some());
            self.answer(item)
        }

        fn ask_hash(&self, hash: u64) -> Self::Answer {
            self.answer_hash(hash)
        }

        fn ask_hashes(&self, hashes: &[u64]) -> Vec<Self::Answer> {
            let answers = self.answer_hashes(hashes);
            assert_eq!(
                self.value_hashes(hashes),
                answers.iter().map(|answer| answer.map(|answer| answer.value())).collect::<Vec<_>>()
            );
            answers
        }
    };
}
pub(super) use valued_methods;

/// The value of an item.
pub(crate) trait ValueForHash {
    type Value;
    fn value_for(&self, hash: u64) -> Self::Value;
}

impl<V: CellValue + FromHash> ValueForHash for LinearBloom<V> {
    type Value = V;

    fn value_for(&self, hash: u64) -> V {
        V::from_hash(hash)
    }
}

impl<V: CellValue + FromHash> Subject for LinearBloom<V> {
    valued_methods!(V);

    fn peculiar(&mut self, rng: &mut Rng) {
        let positions = [rng.below(self.params().cells())];
        self.insert_positions(&positions, V::from_hash(rng.next_u64())).unwrap();
    }
}

pub(crate) fn make<V: CellValue + FromHash>(cells: u64, hashes: u32) -> impl Fn(HashSpec) -> LinearBloom<V> {
    move |spec| LinearBloom::with_params(LinearBloomParams::exact(cells, hashes).unwrap()).with_hash(spec)
}

#[test]
fn files() {
    let mut extremes = make::<f64>(64, 3)(HashSpec::default());
    for (item, value) in
        [f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY].into_iter().enumerate()
    {
        extremes.insert(&item, value).unwrap();
    }
    check("extremes", &extremes);
    check("i16", &filled(make::<i16>(50, 3)(HashSpec::default()), 30));
    check("u8", &filled(make::<u8>(50, 3)(HashSpec::default()), 30));
    macro_rules! one_of_each {
        ($($type:ident),+) => {
            $(let mut filter = LinearBloom::<$type>::with_params(LinearBloomParams::exact(10, 2).unwrap());
            filter.insert("one", 1 as $type).unwrap();
            filter.insert("least", $type::MIN).unwrap();
            check(stringify!($type), &filter);)+
        };
    }
    one_of_each!(f32, u64, i64, u32, i32, u16, i8);
}
