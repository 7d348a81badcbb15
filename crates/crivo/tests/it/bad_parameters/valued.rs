//! Filters of values.

use super::assert_refused;
use crivo::LinearBloom;
use crivo::valued::{DecayingBloom, Fading, LinearBloomParams, QuantisedBloom, Scale};

#[test]
fn filters_of_values() {
    for bad in [0.0, -0.1, 1.0, 1.5, f64::NAN, f64::INFINITY, 1e-300] {
        let value = bad.to_string();
        assert_refused("LinearBloomParams::for_distortion", &value, || {
            LinearBloomParams::for_distortion(1000, bad)
        });
    }
    for bad in [0.0, -0.1, 1.0, 1.5, f64::NAN, f64::INFINITY, 1.0 - 1e-9] {
        assert_refused("Fading::new", &bad.to_string(), || Fading::new(bad, 0.01));
    }
    for bad in [0, u64::MAX] {
        let value = bad.to_string();
        assert_refused("LinearBloomParams::exact", &value, || LinearBloomParams::exact(bad, 4));
        assert_refused("LinearBloomParams::for_distortion", &value, || {
            LinearBloomParams::for_distortion(bad, 0.01)
        });
        assert_refused("LinearBloomParams::for_memory", &value, || {
            LinearBloomParams::for_memory(bad, 8, 100)
        });
    }
    for bad in [0, 65, u32::MAX] {
        let value = bad.to_string();
        assert_refused("LinearBloomParams::exact", &value, || LinearBloomParams::exact(100, bad));
        assert_refused("LinearBloomParams::for_memory", &value, || {
            LinearBloomParams::for_memory(1000, bad, 100)
        });
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_refused("Fading::new", &bad.to_string(), || Fading::new(0.5, bad));
    }
    for (lower, upper) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        let value = lower.to_string();
        assert_refused("Scale::linear", &value, || Scale::linear(lower, upper));
        assert_refused("Scale::logarithmic", &value, || Scale::logarithmic(lower, upper));
    }
    let params = LinearBloomParams::exact(100, 3).unwrap();
    let mut real = LinearBloom::with_params(params);
    assert_refused("insert", "NaN", || real.insert("a", f64::NAN));
    assert_refused("insert_positions", "100", || real.insert_positions(&[100], 1.0));
    let mut bytes = LinearBloom::with_params(params);
    assert_refused("insert", "255", || bytes.insert("a", 255u8));
    let mut scaled = QuantisedBloom::<u8>::with_params(params, Scale::linear(0.0, 1.0).unwrap());
    assert_refused("insert", "1.5", || scaled.insert("a", 1.5));
    let mut faded = DecayingBloom::with_params(params, Fading::new(0.5, 0.01).unwrap());
    assert_refused("insert", "-2", || faded.insert("a", -2.0));
    let announced = faded.clone();
    assert_refused("merge_attenuated", "1.5", || faded.merge_attenuated(&announced, 1.5));
    assert!(real.is_empty() && bytes.is_empty() && scaled.is_empty() && faded.is_empty());
}
