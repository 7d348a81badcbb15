//! Sketches and estimates through serde.

use crate::golden::golden_files;
use crivo::sketch::Sketch;
use crivo::{Estimate, HyperLogLog, KINDS, Kind, Kll, peek};
use crivo::{
    baseline, cardinality, counting, frequency, graph, membership, profile, quantile, sampling, similarity,
    valued,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Every golden file of a kind goes through three formats and comes back bit for bit. Files with a key, and files of other
/// elements than those of `T`, are not for this type.
fn round_trips<T: Sketch + Serialize + DeserializeOwned>(kind: Kind) {
    let mut tried = 0;
    for (_, bytes) in golden_files() {
        if peek(&bytes).map_or(true, |header| header.kind != kind) {
            continue;
        }
        let Ok(sketch) = T::from_bytes_with(&bytes, &crivo::DecodeOptions::default()) else { continue };
        let bytes = sketch.to_bytes();
        let json: T = serde_json::from_str(&serde_json::to_string(&sketch).unwrap()).unwrap();
        let packed: T = postcard::from_bytes(&postcard::to_allocvec(&sketch).unwrap()).unwrap();
        let mut written = Vec::new();
        ciborium::into_writer(&sketch, &mut written).unwrap();
        let cbor: T = ciborium::from_reader(&written[..]).unwrap();
        assert!([json, packed, cbor].iter().all(|it| it.to_bytes() == bytes), "{}", kind.name());
        tried += 1;
    }
    assert!(tried > 0, "there is no golden file for a {}", kind.name());
}

macro_rules! kinds {
    ($($kind:ident: $type:ty,)+) => {
        const TYPES: &[(Kind, fn(Kind))] = &[$((Kind::$kind, round_trips::<$type>)),+];
    };
}

kinds! {
    BloomFilter: membership::BloomFilter,
    BlockedBloom: membership::BlockedBloom,
    AtomicBloom: membership::AtomicBloom,
    CountingBloom: membership::CountingBloom,
    SpectralBloom: membership::SpectralBloom,
    DynamicBloom: membership::DynamicBloom,
    ScalableBloom: membership::ScalableBloom,
    PartitionedBloom: membership::PartitionedBloom,
    CompressedBloom: membership::CompressedBloom,
    CuckooFilter: membership::CuckooFilter,
    QuotientFilter: membership::QuotientFilter,
    HashCompaction: membership::HashCompaction,
    BinaryFuse: membership::BinaryFuse,
    CuckooTable: baseline::CuckooTable,
    DirectTable: baseline::DirectTable,
    WindowedBloom: membership::WindowedBloom,
    HyperLogLog: cardinality::HyperLogLog,
    ExaLogLog: cardinality::ExaLogLog,
    LinearCounting: cardinality::LinearCounting,
    MinimumHash: baseline::MinimumHash,
    ProbabilisticCounting: baseline::ProbabilisticCounting,
    LogLog: baseline::LogLog,
    KMinValues: cardinality::KMinValues,
    SlidingHyperLogLog: cardinality::SlidingHyperLogLog,
    Joint: cardinality::Joint,
    MartingaleHyperLogLog: cardinality::Martingale<cardinality::HyperLogLog>,
    MartingaleExaLogLog: cardinality::Martingale<cardinality::ExaLogLog>,
    CountMin: frequency::CountMin,
    SignedCountMin: frequency::SignedCountMin,
    CountSketch: frequency::CountSketch,
    SpaceSaving: frequency::SpaceSaving<u64>,
    MisraGries: frequency::MisraGries<u64>,
    Majority: frequency::Majority<u64>,
    Moments: frequency::Moments,
    Kll: quantile::Kll<u64>,
    DyadicCountMin: quantile::DyadicCountMin<u64>,
    LogQuantiles: quantile::LogQuantiles,
    ReqSketch: quantile::ReqSketch<u64>,
    Reservoir: sampling::Reservoir<u64>,
    WeightedReservoir: sampling::WeightedReservoir<u64>,
    VarOpt: sampling::VarOpt<u64>,
    BinomialCounter: counting::BinomialCounter,
    MorrisCounter: counting::MorrisCounter,
    BinomialArray: counting::BinomialArray,
    MorrisArray: counting::MorrisArray,
    MinHash: similarity::MinHash,
    OnePermutation: similarity::OnePermutation,
    BBitMinHash: similarity::BBitMinHash,
    WeightedMinHash: similarity::WeightedMinHash,
    SimHash: similarity::SimHash,
    LshIndex: similarity::LshIndex,
    HammingIndex: similarity::HammingIndex,
    LshBloom: similarity::LshBloom,
    DistanceBloom: similarity::DistanceBloom,
    LinearBloom: valued::LinearBloom<f64>,
    QuantisedBloom: valued::QuantisedBloom<u8>,
    DecayingBloom: valued::DecayingBloom,
    BloomierFilter: valued::BloomierFilter,
    AdjacencyMatrix: baseline::AdjacencyMatrix,
    AdjacencyList: baseline::AdjacencyList,
    ParentTree: graph::ParentTree,
    IntervalGraph: graph::IntervalGraph,
    EdgeBloom: graph::EdgeBloom,
    VertexBlooms: graph::VertexBlooms,
    DeBruijn: graph::DeBruijn,
    ExactDeBruijn: graph::ExactDeBruijn,
    IntersectionLabels: graph::IntersectionLabels,
    TreeLabels: graph::TreeLabels,
    BipartiteLabels: graph::BipartiteLabels,
    TableProfile: profile::TableProfile,
}

#[test]
fn every_kind_round_trips_through_json_postcard_and_cbor() {
    assert!(KINDS.iter().map(|info| info.kind).eq(TYPES.iter().map(|(kind, _)| *kind)));
    for (kind, round_trips) in TYPES {
        round_trips(*kind);
    }
}

#[test]
fn what_is_no_sketch_is_refused() {
    let error = |text: &str| serde_json::from_str::<HyperLogLog>(text).unwrap_err().to_string();
    assert!(error("7").contains("the bytes of a sketch"), "{}", error("7"));
    assert!(error("\"not base64!\"").contains("nvalid"), "{}", error("\"not base64!\""));
    let other = serde_json::to_string(&Kll::<f64>::for_k(200).unwrap()).unwrap();
    assert!(error(&other).contains("kll"), "{}", error(&other));
}

#[test]
fn estimates_are_the_objects_of_the_command() {
    let exact = Estimate::exact(12.0);
    let json = |estimate: &Estimate| serde_json::to_string(estimate).unwrap();
    let expected =
        r#"{"value":12.0,"lower":12.0,"upper":12.0,"exact":true,"guarantee":"certain","confidence":1.0}"#;
    assert_eq!(json(&exact), expected);
    let open =
        r#"{"value":3.0,"lower":1.0,"upper":null,"exact":false,"guarantee":"proven","confidence":0.9}"#;
    let read: Estimate = serde_json::from_str(open).unwrap();
    assert_eq!(read.upper(), f64::INFINITY);
    assert_eq!(json(&read), open);
    let mut few = HyperLogLog::for_precision(12).unwrap();
    few.extend(0..100u32);
    let few = few.estimate();
    let read: Estimate = serde_json::from_str(&json(&few)).unwrap();
    assert_eq!((read.value(), read.lower(), read.upper()), (few.value(), few.lower(), few.upper()));
    assert_eq!(read.guarantee(), few.guarantee());
    let chances = [read, few].map(|estimate| estimate.collision_chance().unwrap());
    assert!((chances[0] / chances[1] - 1.0).abs() < 1e-9, "{chances:?}");
    for wrong in [
        r#"{"value":1,"lower":2,"upper":3,"guarantee":"certain","confidence":1}"#,
        r#"{"value":1,"lower":1,"upper":3,"guarantee":"proven","confidence":2}"#,
        r#"{"value":1,"lower":1,"upper":3,"guarantee":"perhaps","confidence":0.5}"#,
    ] {
        assert!(serde_json::from_str::<Estimate>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn sketches_go_through_writers_and_readers() {
    let mut sketch = HyperLogLog::for_precision(12).unwrap();
    sketch.extend(0..5000u32);
    let mut file = Vec::new();
    sketch.to_writer(&mut file).unwrap();
    assert_eq!(HyperLogLog::from_reader(&file[..]).unwrap(), sketch);
    let error = HyperLogLog::from_reader(&file[..100]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
}
