//! Signatures of pairs of sets, and the common tests of their estimates.

use super::sets::Sizes;
use super::{COVERAGE_TRIALS, Coverage, FALSE_ALARM, Sample};
use crivo::rng::Rng;
use crivo::similarity::Scheme;
use crivo::sketch::Insert;
use crivo::stats::{binomial_band, binomial_pmf, clopper_pearson};
use crivo::{DEFAULT_CONFIDENCE, Estimate, HashSpec};

/// The similarities that every signature is tested at.
pub(super) const SIMILARITIES: [f64; 5] = [0.0, 0.05, 0.5, 0.95, 1.0];

/// The sketches of two sets of these sizes, with their own seed.
pub(super) fn pair<S: Insert>(make: impl Fn(HashSpec) -> S, sizes: Sizes, seed: u64) -> [S; 2] {
    let spec = HashSpec::seeded(seed);
    sizes.hashes(spec).map(|hashes| {
        let mut sketch = make(spec);
        sketch.try_insert_hashes(&hashes).unwrap();
        sketch
    })
}

/// Draws the slots of two sets of any size: the smallest of n values below 2³², for each part of the union. With bins,
/// n is the number of items of a bin, and a bin without items is empty.
pub(super) fn drawn_slots(k: usize, sizes: [f64; 3], seed: u64) -> [Vec<u32>; 2] {
    let mut rng = Rng::new(seed);
    let mut least = |items: f64| {
        let value = -(1.0 - rng.unit()).ln() / items * 2f64.powi(32);
        if value < f64::from(Scheme::EMPTY) { value as u32 } else { Scheme::EMPTY }
    };
    let mut slots = [Vec::new(), Vec::new()];
    for _ in 0..k {
        let [first, second, both] = sizes.map(&mut least);
        slots[0].push(first.min(both));
        slots[1].push(second.min(both));
    }
    slots
}

/// Errors and coverage of estimates of a similarity, one estimate per seed.
pub(super) struct Verdict {
    pub(super) errors: Sample,
    coverage: Coverage,
    truth: f64,
}

pub(super) fn judged(truth: f64, answer: impl Fn(u64) -> Estimate) -> Verdict {
    let (mut errors, mut coverage) = (Sample::default(), Coverage::default());
    for seed in 0..COVERAGE_TRIALS {
        let estimate = answer(seed);
        errors.push(estimate.value() - truth);
        coverage.push(&estimate, truth);
    }
    Verdict { errors, coverage, truth }
}

impl Verdict {
    /// Checks for no bias and this standard deviation. Disjoint sets agree by collision only: hardly ever.
    pub(super) fn assert_errors(&self, deviation: f64, context: &str) {
        if self.truth == 0.0 {
            assert!(self.errors.mean() < 1e-5, "{context}: {} of the slots agree", self.errors.mean());
            return;
        }
        self.errors.assert_mean(0.0, deviation, context);
        self.errors.assert_deviation(0.0, deviation, context);
    }

    /// Intervals contain the true value as often as Clopper and Pearson's do if the number of agreeing slots out of `k`
    /// is binomial with probability `chance(similarity)`; at 0 only the lower side can miss.
    pub(super) fn assert_binomial(&self, k: u64, chance: impl Fn(f64) -> f64, context: &str) {
        let agree = chance(self.truth);
        let holds = |&hits: &u64| {
            let (lower, upper) = clopper_pearson(hits, k, DEFAULT_CONFIDENCE);
            lower <= agree && (agree <= upper || self.truth == 0.0)
        };
        let expected: f64 = (0..=k).filter(holds).map(|hits| binomial_pmf(hits, k, agree)).sum();
        // A collision may make one miss: slots of sets as small as these collide less than once in two million.
        let with_accidents = (expected - k as f64 * 5e-7).clamp(0.0, 1.0);
        let (least, _) = binomial_band(self.coverage.trials, with_accidents, FALSE_ALARM);
        let (_, most) = binomial_band(self.coverage.trials, expected.min(1.0), FALSE_ALARM);
        let covered = self.coverage.covered;
        let shown = format!("{context}: {covered} of {} intervals hold the truth", self.coverage.trials);
        assert!((least..=most).contains(&(covered as f64)), "{shown}, expected {least} to {most}");
        self.assert_rule(k as f64, context);
    }

    /// The rule of coverage, in slots. Bounds that are whole slots apart, and half a slot wider than necessary on
    /// either side, are held to the upper limit from fifteen slots on; not at 0 and 1, which cannot be missed from one
    /// side.
    pub(super) fn assert_rule(&self, slots: f64, context: &str) {
        let share = self.coverage.covered as f64 / self.coverage.trials as f64;
        let half_width = self.coverage.half_widths / self.coverage.trials as f64 * slots;
        assert!(share >= 0.93, "{context}: {share} of intervals hold the truth");
        if half_width > 15.0 && self.truth > 0.0 && self.truth < 1.0 {
            self.coverage.assert_balance(context);
            assert!(
                share <= 0.97,
                "{context}: {share} of intervals (half-width {half_width}) hold the truth"
            );
        }
        if std::env::var_os("CRIVO_SHOW_COVERAGE").is_some() {
            println!("{context}: {:.2} %, half-width {half_width:.1} slots", share * 100.0);
        }
    }
}

/// The slots of the signatures of huge sets.
pub(super) const HUGE_SLOTS: usize = 128;

/// Sets so large that distinct items have the same value; a slot sees `in_slot` of all. The error that is left after
/// the correction comes from sizes that are themselves estimates.
pub(super) fn assert_huge_sets(scheme: Scheme, sizes: [f64; 3], in_slot: impl Fn(f64) -> f64) {
    for all in sizes {
        for similarity in SIMILARITIES {
            let both = in_slot(all) * similarity;
            let apart = (in_slot(all) - both) / 2.0;
            let verdict = judged(similarity, |seed| {
                let [first, second] = drawn_slots(HUGE_SLOTS, [apart, apart, both], seed);
                scheme.similarity(&first, &second)
            });
            let context = format!("{all} items, similarity {similarity}");
            verdict.assert_rule(HUGE_SLOTS as f64, &context);
            // At 0 the estimate is cut, and errs to one side.
            if similarity > 0.0 {
                let errors = &verdict.errors;
                errors.assert_mean(0.0, errors.moment(0.0, 2).sqrt(), &context);
            }
        }
    }
}
