//! A sketch that is created for a target has the parameters of that target.

use crivo::counting::{BinomialCounter, BinomialParams, MorrisParams};
use crivo::frequency::{CountSketchParams, SignedCountMin, SignedCountMinParams};
use crivo::graph::DeBruijnParams;
use crivo::membership::WindowedParams;
use crivo::profile::ProfileParams;
use crivo::quantile::DyadicParams;
use crivo::similarity::{DistanceBloom, DistanceParams, HammingParams, LshParams, Metric};
use crivo::valued::{DecayingBloom, Fading, LinearBloomParams, QuantisedBloom, Scale};
use crivo::{
    CountSketch, DeBruijn, DyadicCountMin, HammingIndex, LshIndex, MinHash, MorrisCounter, Result,
    TableProfile, WindowedBloom,
};

#[test]
fn counters_and_tables() -> Result<()> {
    assert_eq!(CountSketch::for_error(0.01, 0.02)?.params(), CountSketchParams::for_error(0.01, 0.02)?);
    assert_eq!(SignedCountMin::for_error(0.01, 0.02)?.params(), SignedCountMinParams::for_error(0.01, 0.02)?);
    let dyadic = DyadicCountMin::<u64>::for_error(16, 0.01, 0.02)?;
    assert_eq!(dyadic.params(), DyadicParams::for_error(16, 0.01, 0.02)?);
    let morris = MorrisCounter::for_error(0.1, 1_000_000, 7)?;
    assert_eq!((morris.params(), morris.seed()), (MorrisParams::for_error(0.1, 1_000_000)?, 7));
    let binomial = BinomialCounter::for_count(1_000_000, 12, 8)?;
    assert_eq!((binomial.params(), binomial.seed()), (BinomialParams::for_count(1_000_000, 12)?, 8));
    assert_eq!(TableProfile::for_error(0.03)?.params(), ProfileParams::for_error(0.03)?);
    Ok(())
}

#[test]
fn filters_and_indexes() -> Result<()> {
    assert_eq!(
        WindowedBloom::for_fpr(1000, 0.01, 60, 6)?.params(),
        WindowedParams::for_fpr(1000, 0.01, 60, 6)?
    );
    assert_eq!(DeBruijn::for_fpr(21, 1000, 0.02)?.params(), DeBruijnParams::for_fpr(21, 1000, 0.02)?);
    assert_eq!(HammingIndex::for_distance(3, 1000)?.params(), HammingParams::for_distance(3, 1000)?);
    let (metric, near, far) = (Metric::Hamming { bits: 256 }, (10.0, 0.01), (100.0, 0.02));
    assert_eq!(
        DistanceBloom::for_targets(metric, 100, near, far)?.params(),
        DistanceParams::for_targets(metric, 100, near, far)?
    );
    let (size, scale) = (LinearBloomParams::for_distortion(1000, 0.01)?, Scale::linear(0.0, 9.0)?);
    let quantised = QuantisedBloom::<u8>::for_distortion(1000, 0.01, scale)?;
    assert_eq!((quantised.params(), quantised.scale()), (size, scale));
    let fading = Fading::new(0.5, 0.01)?;
    assert_eq!(DecayingBloom::for_distortion(1000, 0.01, fading)?.params(), size);
    let like = MinHash::for_slots(128)?;
    assert_eq!(LshIndex::for_recall(0.8, 0.9, &like)?.params(), LshParams::for_recall(0.8, 0.9, 128)?);
    Ok(())
}
