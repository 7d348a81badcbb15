use super::linear_bloom::{ValueForHash, valued_methods};
use super::*;
use crivo::valued::{DecayingBloom, Fading, LinearBloomParams};

impl ValueForHash for DecayingBloom {
    type Value = f64;

    /// From the floor on.
    fn value_for(&self, hash: u64) -> f64 {
        self.fading().floor() * (1 + reduce(hash.rotate_left(20), 1000)) as f64
    }
}

impl Subject for DecayingBloom {
    valued_methods!(f64);

    fn peculiar(&mut self, rng: &mut Rng) {
        let announced = self.clone();
        self.advance(rng.below(4));
        self.merge_attenuated(&announced, 0.25).unwrap();
    }
}

pub(crate) fn make(cells: u64, hashes: u32, factor: f64, floor: f64) -> impl Fn(HashSpec) -> DecayingBloom {
    let (params, fading) =
        (LinearBloomParams::exact(cells, hashes).unwrap(), Fading::new(factor, floor).unwrap());
    move |spec| DecayingBloom::with_params(params, fading).with_hash(spec)
}

/// A table that has been in use: its clock is not at the start.
pub(crate) fn aged(cells: u64, hashes: u32) -> impl Fn(HashSpec) -> DecayingBloom {
    move |spec| {
        let mut table = make(cells, hashes, 0.5, 0.01)(spec);
        table.insert("old", 1.0).unwrap();
        table.advance(1000);
        table
    }
}

#[test]
fn files() {
    let mut faded = filled(make(64, 3, 0.9, 0.001)(HashSpec::default()), 30);
    faded.advance(40);
    check("faded", &faded);
    let mut extremes = make(64, 3, 0.25, 5e-324)(HashSpec::default());
    extremes.insert("most", f64::MAX).unwrap();
    extremes.insert("least", 5e-324).unwrap();
    check("extremes", &extremes);
}
