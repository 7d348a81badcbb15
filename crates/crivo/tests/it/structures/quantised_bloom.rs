use super::Subject;
use super::linear_bloom::{ValueForHash, valued_methods};
use crate::golden::{assert_fingerprint, check, check_cases, filled};
use crivo::hash::reduce;
use crivo::rng::Rng;
use crivo::valued::Level;
use crivo::valued::{LinearBloomParams, QuantisedBloom, Scale};
use crivo::{HashSpec, Kind};

impl<L: Level> ValueForHash for QuantisedBloom<L> {
    type Value = f64;

    /// Whole numbers of the scale, so that arithmetic does not round before the filter does.
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
    check_cases(linear::<u8>(101, 4), 20, 200);
    check("logarithmic", &filled(logarithmic::<u8>(64, 3)(HashSpec::default()), 30));
    check("u16", &filled(linear::<u16>(50, 3)(HashSpec::default()), 30));
    check("logarithmic-u16", &filled(logarithmic::<u16>(50, 3)(HashSpec::default()), 30));
}

#[test]
fn fingerprint() {
    let makes: [&dyn Fn(HashSpec) -> QuantisedBloom<u8>; 3] =
        [&linear(1, 1), &linear(67, 3), &logarithmic(128, 5)];
    assert_fingerprint(Kind::QuantisedBloom, &makes, 0x3b4c_150d_8a9a_5f57);
}

#[test]
fn fingerprint_of_two_bytes() {
    let makes: [&dyn Fn(HashSpec) -> QuantisedBloom<u16>; 2] = [&linear(30, 2), &logarithmic(64, 4)];
    assert_fingerprint(Kind::QuantisedBloom, &makes, 0xbcfa_197a_1a92_a210);
}
