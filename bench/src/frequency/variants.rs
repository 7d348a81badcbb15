//! The tables of signed counts compared with Count-Min at equal memory; moments and the majority.

use super::contenders::{Counter, Crivo, ROWS, WIDTH};
use super::{COLUMNS, contender};
use crate::harness::{interleave, print_contenders};
use crate::keys::Stream;
use crivo::frequency::{CountSketchParams, Majority, SignedCountMin, SignedCountMinParams};
use crivo::{CountSketch, Moments};

const SHAPE: &str = "these are valid";

struct Signed(SignedCountMin);

impl Counter<u64> for Signed {
    const NAME: &'static str = "crivo SignedCountMin";

    fn new() -> Self {
        let params = SignedCountMinParams::exact(u64::from(WIDTH) / 2, ROWS.into()).expect(SHAPE);
        Self(SignedCountMin::with_params(params))
    }

    #[inline]
    fn add(&mut self, item: u64) {
        self.0.add(&item, 1).expect("it has room");
    }

    #[inline]
    fn frequency(&self, item: u64) -> f64 {
        self.0.frequency(&item).value()
    }
}

struct Unbiased(CountSketch);

impl Counter<u64> for Unbiased {
    const NAME: &'static str = "crivo CountSketch (7 rows)";

    fn new() -> Self {
        let width = u64::from(WIDTH) * u64::from(ROWS) / 2 / 7;
        Self(CountSketch::with_params(CountSketchParams::exact(width, 7).expect(SHAPE)))
    }

    #[inline]
    fn add(&mut self, item: u64) {
        self.0.add(&item, 1).expect("it has room");
    }

    #[inline]
    fn frequency(&self, item: u64) -> f64 {
        self.0.frequency(&item).value()
    }
}

/// It says nothing about one item: the time of updates is what counts.
struct ThreeMoments(Moments);

impl Counter<u64> for ThreeMoments {
    const NAME: &'static str = "crivo Moments (2 %)";

    fn new() -> Self {
        Self(Moments::for_error(0.02).expect(SHAPE))
    }

    #[inline]
    fn add(&mut self, item: u64) {
        self.0.add(&item, 1).expect("it has room");
    }

    fn frequency(&self, _: u64) -> f64 {
        f64::NAN
    }
}

/// It knows one candidate: the time of updates is what counts.
struct OneCandidate(Majority<u64>);

impl Counter<u64> for OneCandidate {
    const NAME: &'static str = "crivo Majority";

    fn new() -> Self {
        Self(Majority::new())
    }

    #[inline]
    fn add(&mut self, item: u64) {
        self.0.add(&item, 1);
    }

    fn frequency(&self, _: u64) -> f64 {
        f64::NAN
    }
}

pub(super) fn measure(streams: &[Stream<u64>], rounds: usize) {
    let mut contenders = vec![
        contender::<u64, Crivo<false>>(streams),
        contender::<u64, Signed>(streams),
        contender::<u64, Unbiased>(streams),
        contender::<u64, ThreeMoments>(streams),
        contender::<u64, OneCandidate>(streams),
    ];
    interleave(&mut contenders, rounds);
    let len = streams[0].items.len();
    let title = format!("Other tables of counts, {len} u64 Zipf(1.1) over 10^6 values");
    print_contenders(&title, &COLUMNS, &contenders);
}
