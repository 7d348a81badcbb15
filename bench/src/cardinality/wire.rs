//! Counters in a file: the bytes, and the time to write and to read them.

use super::PRECISION;
use crate::Options;
use crate::harness::{Column, Contender, best, interleave, print_contenders};
use crate::keys::SplitMix64;
use bench_report::Targets;
use crivo::{ExaLogLog, HyperLogLog};
use datasketches::cpc::CpcSketch;
use datasketches::hll::{HllSketch, HllType};
use std::hint::black_box;

/// Calls per timing.
const CALLS: usize = 100;
const COLUMNS: [Column; 4] =
    [Column::Time("write"), Column::Time("read"), Column::Time("both"), Column::Value("bytes")];
const COMPACT: &str = "crivo ExaLogLog (compact)";
/// The time in nanoseconds that writing and reading compact bytes may take.
const MOST: f64 = 50_000.0;

pub(crate) fn run(options: &Options, targets: &mut Targets) {
    for &n in options.sizes() {
        let keys = SplitMix64::new(n as u64).take(n);
        let mut exa = ExaLogLog::for_precision(PRECISION).expect("this precision is valid");
        let mut hll = HyperLogLog::for_precision(PRECISION).expect("this precision is valid");
        let mut cpc = CpcSketch::new(PRECISION).expect("the crate accepts this precision");
        let mut hll4 = HllSketch::new(PRECISION, HllType::Hll4).expect("the crate accepts this precision");
        for &key in &keys {
            exa.insert(&key);
            hll.insert(&key);
            cpc.update(key);
            hll4.update(key);
        }
        let mut contenders = vec![
            contender("crivo ExaLogLog", || exa.to_bytes(), |bytes| ExaLogLog::from_bytes(bytes).is_ok()),
            contender(COMPACT, || exa.to_compact_bytes(), |bytes| ExaLogLog::from_bytes(bytes).is_ok()),
            contender("crivo HyperLogLog", || hll.to_bytes(), |bytes| HyperLogLog::from_bytes(bytes).is_ok()),
            contender("datasketches CPC", || cpc.serialize(), |bytes| CpcSketch::deserialize(bytes).is_ok()),
            contender(
                "datasketches Hll4",
                || hll4.serialize(),
                |bytes| HllSketch::deserialize(bytes).is_ok(),
            ),
        ];
        interleave(&mut contenders, options.rounds);
        print_contenders(
            &format!("Counters in a file: precision 12, {n} distinct u64"),
            &COLUMNS,
            &contenders,
        );
        let both = best(&contenders, COMPACT, "both");
        targets.at_most(format!("{COMPACT} write and read vs 50 µs: {n}"), both, MOST, 1.0);
    }
}

fn contender<'a>(
    name: &'static str,
    write: impl Fn() -> Vec<u8> + 'a,
    read: impl Fn(&[u8]) -> bool + 'a,
) -> Contender<'a> {
    let bytes = write();
    assert!(read(&bytes), "{name} reads its own bytes");
    Contender::new(name, move |samples| {
        samples.time("write", CALLS, || (0..CALLS).for_each(|_| drop(black_box(write()))));
        samples.time("read", CALLS, || (0..CALLS).for_each(|_| _ = black_box(read(black_box(&bytes)))));
        samples.time("both", CALLS, || (0..CALLS).for_each(|_| _ = black_box(read(&black_box(write())))));
        samples.record("bytes", bytes.len() as f64);
    })
}
