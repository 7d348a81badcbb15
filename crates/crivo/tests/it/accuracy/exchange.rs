//! Exchange between two parties: the number of errors.

use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::membership::exchange::{difference, question};
use crivo::{BloomFilter, DecodeOptions, HashSpec};

/// Simulates parties with this many items of their own and in common: the interval contains the number of items that
/// the difference misses, and the estimate is unbiased.
fn assert_mistakes(ours_alone: u64, theirs_alone: u64, common: u64, fpr: f64) {
    let items = |range: std::ops::Range<u64>| range.map(u64::to_le_bytes).collect::<Vec<_>>();
    let ours = items(0..ours_alone + common);
    let theirs = items(ours_alone..ours_alone + common + theirs_alone);
    let context = format!("{ours_alone} | {common} | {theirs_alone} at {fpr}");
    let asked = question(&ours, fpr, HashSpec::default()).unwrap();
    let params = BloomFilter::from_bytes(&asked).unwrap().params();
    let (mut coverage, mut excess) = (Coverage::default(), Sample::default());
    for seed in 0..COVERAGE_TRIALS {
        // The question, except its size, which is the same every time.
        let mut filter = BloomFilter::with_params(params).with_hash(HashSpec::seeded(seed));
        filter.extend(ours.iter().map(AsRef::<[u8]>::as_ref));
        let reply = difference(&filter.to_bytes(), &DecodeOptions::default(), &theirs).unwrap();
        let missed = theirs_alone as f64 - reply.items().len() as f64;
        coverage.push(&reply.wrong(), missed);
        excess.push(reply.wrong().value() - missed);
    }
    coverage.assert_rule(1.0, &context);
    excess.assert_mean(0.0, excess.moment(0.0, 2).sqrt(), &context);
}

#[test]
fn mistakes_are_covered() {
    assert_mistakes(100, 500, 100, 0.05);
    assert_mistakes(0, 300, 50, 0.3);
    assert_mistakes(50, 1000, 500, 0.01);
}
