//! Tables of frequencies: never too low.

use crate::structures::{OPTIONS, Subject, specs};
use crivo::rng::Rng;
use crivo::sketch::Frequency;
use crivo::{CountMin, CountMinParams, Estimate, HashSpec, SpectralBloom, SpectralParams};
use std::collections::HashMap;

fn assert_ordered(answer: Estimate) {
    assert!(
        0.0 <= answer.lower() && answer.lower() <= answer.value() && answer.value() <= answer.upper(),
        "{answer}"
    );
}

/// A count of any size, small ones most often; the largest saturate the counters.
fn any_count(rng: &mut Rng) -> u64 {
    let bits = [2, 2, 2, 10, 31, 33, 63][rng.below(7) as usize];
    rng.below(1 << bits)
}

/// Against exact counts, through adds by every means, merges and trips through bytes.
pub(super) fn never_too_low<S: Subject + Frequency>(make: impl Fn(HashSpec) -> S) {
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
                            Frequency::add_hash(&mut sketch, hash, count).unwrap();
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
                    let answer = Frequency::frequency_hash(&sketch, hash);
                    assert!(answer.upper() >= truth as f64, "{answer}, but it came {truth} times");
                    assert_ordered(answer);
                }
                (0..100).for_each(|_| assert_ordered(Frequency::frequency_hash(&sketch, rng.next_u64())));
            }
            sketch.clear();
            assert!(sketch.is_empty());
            assert!(truth.keys().all(|&hash| Frequency::frequency_hash(&sketch, hash).upper() == 0.0));
        }
    }
}

/// A table that raises only the counters that it must.
pub(super) trait Conservative: Subject<Answer = Estimate> + Frequency {
    /// An empty one of the same size and hash that raises them all.
    fn plain(&self) -> Self;
    fn total(&self) -> u64;
    fn cells(&self) -> Vec<u64>;
}

impl Conservative for CountMin {
    fn plain(&self) -> Self {
        let params = self.params();
        let like = CountMinParams::exact(params.width(), params.depth()).unwrap();
        CountMin::with_spec(like.with_counter_bits(params.counter_bits()).unwrap(), self.spec())
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
        SpectralBloom::with_spec(like.with_counter_bits(params.counter_bits()).unwrap(), self.spec())
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
            Frequency::add_hash(&mut conservative, spec.hash(&item), count).unwrap();
            Frequency::add_hash(&mut plain, spec.hash(&item), count).unwrap();
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
