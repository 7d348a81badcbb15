//! Tables of frequencies: never too low, with errors on both sides, or with decay.

use crate::structures::{OPTIONS, Subject, specs};
use crivo::frequency::{CountMinParams, SignedCountMin};
use crivo::membership::{SpectralBloom, SpectralParams};
use crivo::rng::Rng;
use crivo::{CountMin, CountSketch, Estimate, HashSpec};
use std::collections::HashMap;

fn assert_ordered(answer: Estimate) {
    assert!(
        0.0 <= answer.lower() && answer.lower() <= answer.value() && answer.value() <= answer.upper(),
        "{answer}"
    );
}

/// A table of frequencies that counts are added to.
pub(super) trait Adds: Subject<Answer = Estimate> {
    fn add_many(&mut self, hash: u64, count: u64);
}

impl Adds for CountMin {
    fn add_many(&mut self, hash: u64, count: u64) {
        self.add_hash(hash, count);
    }
}

impl Adds for SpectralBloom {
    fn add_many(&mut self, hash: u64, count: u64) {
        self.add_hash(hash, count);
    }
}

/// A count of any size, mostly small; the largest saturate the counters.
fn any_count(rng: &mut Rng) -> u64 {
    let bits = [2, 2, 2, 10, 31, 33, 63][rng.below(7) as usize];
    rng.below(1 << bits)
}

/// Compares with exact counts, after all kinds of adds, merges and round trips through bytes.
pub(super) fn never_too_low<S: Adds>(make: impl Fn(HashSpec) -> S) {
    for spec in specs() {
        let mut rng = Rng::new(60);
        for _ in 0..20 {
            let mut sketch = make(spec);
            let mut truth: HashMap<u64, u128> = HashMap::new();
            for _ in 0..20 {
                let length = rng.below(sketch.scale() as u64 + 2) as usize;
                let items = S::stream(&mut rng, length);
                let hashes: Vec<u64> = items.iter().map(|item| spec.hash(item)).collect();
                let mut count = 1;
                match rng.below(5) {
                    0 => items.iter().for_each(|item| sketch.see(item)),
                    1 => sketch.see_hashes(&hashes),
                    2 => {
                        count = any_count(&mut rng);
                        for &hash in &hashes {
                            sketch.add_many(hash, count);
                        }
                    }
                    3 => sketch = sketch.emptied().having_seen(&items).merged_with(&sketch),
                    _ => {
                        sketch =
                            S::from_bytes_with(&sketch.to_bytes(), &OPTIONS).unwrap().having_seen(&items);
                    }
                }
                for &hash in &hashes {
                    *truth.entry(hash).or_default() += u128::from(count);
                }
                for (&hash, &truth) in &truth {
                    let answer = sketch.ask_hash(hash);
                    assert!(answer.upper() >= truth as f64, "{answer}, but it came {truth} times");
                    assert_ordered(answer);
                }
                (0..100).for_each(|_| assert_ordered(sketch.ask_hash(rng.next_u64())));
            }
            sketch.clear();
            assert!(sketch.is_empty());
            assert!(truth.keys().all(|&hash| sketch.ask_hash(hash).upper() == 0.0));
        }
    }
}

/// A table that raises only the counters that it must.
pub(super) trait Conservative: Adds {
    /// An empty table of the same size and hash that raises all counters.
    fn plain(&self) -> Self;
    fn total(&self) -> u64;
    fn cells(&self) -> Vec<u64>;
}

impl Conservative for CountMin {
    fn plain(&self) -> Self {
        let params = self.params();
        let like = CountMinParams::exact(params.width(), params.depth()).unwrap();
        CountMin::with_params(like.with_counter_bits(params.counter_bits()).unwrap()).with_hash(self.spec())
    }

    fn total(&self) -> u64 {
        self.total()
    }

    fn cells(&self) -> Vec<u64> {
        (0..self.params().depth()).flat_map(|row| self.row(row).unwrap()).collect()
    }
}

impl Conservative for SpectralBloom {
    fn plain(&self) -> Self {
        let params = self.params();
        let like = SpectralParams::exact(params.counters(), params.hashes()).unwrap();
        SpectralBloom::with_params(like.with_counter_bits(params.counter_bits()).unwrap())
            .with_hash(self.spec())
    }

    fn total(&self) -> u64 {
        self.total()
    }

    fn cells(&self) -> Vec<u64> {
        self.counters().iter().map(u64::from).collect()
    }
}

/// Conservative updates never answer more than plain ones, and never less than the truth.
pub(super) fn conservative_below_plain<S: Conservative>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(61);
    for spec in specs() {
        let mut conservative = make(spec);
        let mut plain = conservative.plain();
        let mut truth: HashMap<u64, u64> = HashMap::new();
        let mut gain = 0.0;
        for item in S::stream(&mut rng, 20 * conservative.scale()) {
            let count = 1 + rng.below(9);
            conservative.add_many(spec.hash(&item), count);
            plain.add_many(spec.hash(&item), count);
            *truth.entry(item).or_default() += count;
        }
        for (item, &truth) in &truth {
            let (less, more) = (conservative.ask(item), plain.ask(item));
            assert!(truth as f64 <= less.upper() && less.value() <= more.value(), "{truth} {less} {more}");
            gain += more.value() - less.value();
        }
        assert!(gain > 0.0, "conservative updates gained nothing");
    }
}

/// A table of counts that go up and down.
pub(super) trait Signed: Subject<Answer = Estimate> {
    fn add_signed(&mut self, hash: u64, count: i64);
    fn total(&self) -> i64;
    fn volume(&self) -> u64;
}

macro_rules! signed {
    ($($type:ty),+) => {
        $(impl Signed for $type {
            fn add_signed(&mut self, hash: u64, count: i64) {
                self.add_hash(hash, count).unwrap();
            }

            fn total(&self) -> i64 {
                self.total()
            }

            fn volume(&self) -> u64 {
                self.volume()
            }
        })+
    };
}
signed!(SignedCountMin, CountSketch);

/// Compares with exact counts, after deletions, merges and round trips through bytes: total and volume are exact,
/// answers are within the volume, too high as well as too low if the table is crowded, and exact if everything else is
/// removed again.
pub(super) fn errs_to_both_sides<S: Signed>(make: impl Fn(HashSpec) -> S) {
    let (mut too_high, mut too_low) = (0, 0);
    for spec in specs() {
        let mut rng = Rng::new(62);
        for _ in 0..10 {
            let mut sketch = make(spec);
            let mut truth: HashMap<u64, i64> = HashMap::new();
            let mut volume = 0;
            for _ in 0..10 {
                let length = rng.below(sketch.scale() as u64 + 2) as usize;
                let hashes: Vec<u64> =
                    S::stream(&mut rng, length).iter().map(|item| spec.hash(item)).collect();
                let size = 1 << [1, 1, 8, 30][rng.below(4) as usize];
                let means = rng.below(3);
                let mut part = if means == 0 { sketch.clone() } else { sketch.emptied() };
                for &hash in &hashes {
                    let count = rng.below(2 * size) as i64 - size as i64;
                    part.add_signed(hash, count);
                    *truth.entry(hash).or_default() += count;
                    volume += count.unsigned_abs();
                }
                sketch = match means {
                    0 => part,
                    1 => sketch.merged_with(&part),
                    _ => S::from_bytes_with(&sketch.to_bytes(), &OPTIONS).unwrap().merged_with(&part),
                };
                assert_eq!((sketch.total(), sketch.volume()), (truth.values().sum(), volume));
                for (&hash, &truth) in &truth {
                    let answer = sketch.ask_hash(hash);
                    assert!(answer.lower() <= answer.value() && answer.value() <= answer.upper(), "{answer}");
                    assert!(
                        -(volume as f64) <= answer.lower() && answer.upper() <= volume as f64,
                        "{answer}"
                    );
                    too_high += u32::from(answer.value() > truth as f64);
                    too_low += u32::from(answer.value() < truth as f64);
                }
            }
            for (&hash, &count) in truth.iter().skip(1) {
                sketch.add_signed(hash, -count);
            }
            if let Some((&hash, &truth)) = truth.iter().next() {
                assert_eq!(sketch.ask_hash(hash).value(), truth as f64, "all others are gone");
            }
        }
    }
    assert!(too_high > 20 && too_low > 20, "{too_high} answers too high, {too_low} too low");
}

/// Compares halved counts with exact decayed counts, in units of 2⁻²⁰: never too low, and a counter of `parts` merged
/// parts is less than `parts` above the decayed counts in it; the product of two sketches is never too low either.
pub(super) fn halving_decays(make: impl Fn(HashSpec) -> CountMin) {
    const HALVINGS: u64 = 20;
    let mut rng = Rng::new(63);
    for spec in specs() {
        let empty = make(spec);
        let params = empty.params();
        // The same table without rounding: later counts weigh more, instead of earlier ones less.
        let unrounded =
            CountMinParams::exact(params.width(), params.depth()).unwrap().with_counter_bits(64).unwrap();
        for parts in [1, 2, 5u64] {
            let mut truth: HashMap<u64, u64> = HashMap::new();
            let mut exact = CountMin::with_params(unrounded).with_hash(spec);
            let mut sketches: Vec<CountMin> = (0..parts).map(|_| empty.clone()).collect();
            for halvings in 0..=HALVINGS {
                for sketch in &mut sketches {
                    for item in CountMin::stream(&mut rng, empty.scale()) {
                        let (hash, count) = (spec.hash(&(item % 100)), rng.below(4));
                        sketch.add_hash(hash, count);
                        exact.add_hash(hash, count << halvings);
                        *truth.entry(hash).or_default() += count << halvings;
                    }
                    *sketch = CountMin::from_bytes_with(&sketch.to_bytes(), &OPTIONS).unwrap();
                }
                let merged = sketches.iter().fold(empty.clone(), CountMin::merged_with);
                let merged = CountMin::from_bytes_with(&merged.to_bytes(), &OPTIONS).unwrap();
                let unit = (1u64 << halvings) as f64;
                let decayed = |count: u64| count as f64 / unit;
                for (&hash, &truth) in &truth {
                    let answer = merged.frequency_hash(hash);
                    assert!(answer.upper() >= decayed(truth), "{answer}, but it is {}", decayed(truth));
                    assert_ordered(answer);
                }
                assert!(merged.total() as f64 >= decayed(exact.total()));
                assert!((merged.total() as f64) < decayed(exact.total()) + parts as f64);
                let limit = 2f64.powi(params.counter_bits() as i32) - 1.0;
                for row in 0..params.depth() {
                    for (&cell, exact) in merged.row(row).unwrap().iter().zip(exact.row(row).unwrap()) {
                        let cell = cell as f64;
                        assert!(
                            cell == limit || cell < decayed(exact) + parts as f64,
                            "{cell} {}",
                            decayed(exact)
                        );
                        assert!(cell == limit || params.is_conservative() || cell >= decayed(exact));
                    }
                }
                if !params.is_conservative() {
                    let squares: f64 = truth.values().map(|&count| decayed(count).powi(2)).sum();
                    let moment = merged.second_moment().unwrap();
                    assert!(moment.upper() >= squares && moment.lower() <= moment.value(), "{moment}");
                }
                sketches.iter_mut().for_each(CountMin::halve);
            }
        }
    }
}
