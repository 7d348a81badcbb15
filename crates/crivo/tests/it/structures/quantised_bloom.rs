use super::linear_bloom::{ValueForHash, valued_methods};
use super::*;
use crivo::valued::{Level, LinearBloomParams, QuantisedBloom, Scale};

impl<L: Level> ValueForHash for QuantisedBloom<L> {
    type Value = f64;

    /// Integers of the scale, so that arithmetic does not round before the filter does.
    fn value_for(&self, hash: u64) -> f64 {
        let (lower, upper) = (self.scale().lower(), self.scale().upper());
        lower + reduce(hash.rotate_left(20), (upper - lower) as u64) as f64
    }
}

impl<L: Level> Subject for QuantisedBloom<L> {
    valued_methods!(f64);

    fn peculiar(&mut self, rng: &mut Rng) {
        let positions = [rng.below(self.params().cells())];
        self.insert_positions(&positions, self.value_for(rng.next_u64())).unwrap();
    }
}

fn make<L: Level>(cells: u64, hashes: u32, scale: Scale) -> impl Fn(HashSpec) -> QuantisedBloom<L> {
    move |spec| {
        QuantisedBloom::with_params(LinearBloomParams::exact(cells, hashes).unwrap(), scale).with_hash(spec)
    }
}

pub(crate) fn linear<L: Level>(cells: u64, hashes: u32) -> impl Fn(HashSpec) -> QuantisedBloom<L> {
    make(cells, hashes, Scale::linear(-1000.0, 1e6).unwrap())
}

pub(crate) fn logarithmic<L: Level>(cells: u64, hashes: u32) -> impl Fn(HashSpec) -> QuantisedBloom<L> {
    make(cells, hashes, Scale::logarithmic(1.0, 1e6).unwrap())
}

#[test]
fn files() {
    check("logarithmic", &filled(logarithmic::<u8>(64, 3)(HashSpec::default()), 30));
    check("u16", &filled(linear::<u16>(50, 3)(HashSpec::default()), 30));
    check("logarithmic-u16", &filled(logarithmic::<u16>(50, 3)(HashSpec::default()), 30));
}
