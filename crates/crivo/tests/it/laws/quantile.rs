//! Sketches of ranks and quantiles.

use crate::structures::log_quantiles::number;
use crate::structures::{OPTIONS, Subject, distinct, shuffled, specs};
use crivo::rng::Rng;
use crivo::{
    DyadicCountMin, ErrorKind, Estimate, Guarantee, HashSpec, Kll, LogQuantiles, QuantileEstimate, ReqSketch,
};
use std::collections::BTreeMap;

/// A confidence so high that thousands of comparisons fail by chance with a probability below 10⁻⁶.
const SURE: f64 = 1.0 - 1e-11;

/// A sketch of values that merges whatever the seeds are.
pub(crate) trait KeepsRanks: Subject {
    /// An empty sketch of the same size, or of another one.
    fn with_seed(&self, seed: u64, is_larger: bool) -> Self;
    fn total(&self) -> u64;
    fn ends(&self) -> (Option<&u64>, Option<&u64>);
    fn sure_rank(&self, value: u64) -> Estimate;
    fn median(&self) -> QuantileEstimate<u64>;
}

macro_rules! keeps_ranks {
    ($name:ident, |$this:ident, $k:ident, $seed:ident| $make:expr) => {
        impl KeepsRanks for $name<u64> {
            fn with_seed(&self, $seed: u64, is_larger: bool) -> Self {
                let ($this, $k) = (self, self.k() + u64::from(is_larger));
                $make.unwrap()
            }

            fn total(&self) -> u64 {
                self.total()
            }

            fn ends(&self) -> (Option<&u64>, Option<&u64>) {
                (self.min(), self.max())
            }

            fn sure_rank(&self, value: u64) -> Estimate {
                self.rank_at(&value, SURE).unwrap()
            }

            fn median(&self) -> QuantileEstimate<u64> {
                self.quantile(0.5).unwrap()
            }
        }
    };
}

keeps_ranks!(Kll, |_this, k, seed| Kll::with_seed(k, seed));
keeps_ranks!(ReqSketch, |this, k, seed| ReqSketch::with_seed(k, this.tail(), seed));

/// Sketches of parts, in any order of merges, keep every rank within the reported error, and the number, the least and
/// the greatest of all values exactly.
pub(super) fn merge_keeps_ranks<S: KeepsRanks>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(5);
    let empty = make(HashSpec::default());
    let mut other_k = empty.with_seed(1, true);
    other_k.see_hash(3);
    assert_eq!(empty.clone().merge_any(&other_k).unwrap_err().kind(), ErrorKind::Incompatible);
    for length in empty.lengths().into_iter().filter(|&length| length > 0) {
        for part_count in [2, 5, 16] {
            let values: Vec<u64> = (0..length).map(|_| rng.below(2 * length as u64)).collect();
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let parts: Vec<S> = values
                .chunks(length.div_ceil(part_count))
                .enumerate()
                .map(|(number, part)| {
                    // One seed for all of them in one round, and one for each in the next.
                    let seed = if part_count == 5 { 9 } else { number as u64 };
                    let mut sketch = empty.with_seed(seed, false);
                    sketch.see_hashes(part);
                    sketch
                })
                .collect();
            let before = parts.clone();
            let merge = |merged: S, part: &S| merged.merged_with(part);
            let forward = parts.iter().fold(empty.clone(), merge);
            let any_order = shuffled(&mut rng, &parts).iter().fold(empty.clone(), merge);
            let half = parts.len() / 2;
            let some = parts[..half].iter().fold(empty.clone(), merge);
            let as_tree = parts[half..].iter().fold(empty.clone(), merge).merged_with(&some);
            assert_eq!(parts, before, "a merge changed its source");
            for part in &parts {
                assert_eq!(&part.clone().merged_with(&empty), part, "merging nothing changed something");
            }
            for merged in [forward, any_order, as_tree] {
                assert_eq!(merged.total(), length as u64);
                assert_eq!(merged.ends(), (sorted.first(), sorted.last()));
                let mut is_exact = true;
                for value in sorted.iter().step_by(1 + length / 50) {
                    let truth = sorted.partition_point(|other| other <= value) as f64;
                    let answer = merged.sure_rank(*value);
                    assert!(answer.contains(truth), "{answer}, but the rank is {truth}: {merged:?}");
                    is_exact &= answer.lower() == answer.upper();
                }
                if is_exact {
                    assert_eq!(*merged.median().value(), sorted[length.div_ceil(2) - 1]);
                }
            }
        }
    }
}

/// Compares ranges, ranks, classes and quantiles with exact counts, after adds, removals, merges and round trips
/// through bytes: deterministic bounds and upper bounds always hold, others at this confidence.
pub(super) fn ranges_hold(make: impl Fn(HashSpec) -> DyadicCountMin<u64>) {
    for spec in specs() {
        let mut rng = Rng::new(70);
        for round in 0..10 {
            let mut sketch = make(spec);
            let last = u64::MAX >> (64 - sketch.params().bits());
            let any_value = |rng: &mut Rng| match round % 3 {
                0 => rng.next_u64() & last,
                1 => rng.below(50).min(last),
                _ => last - (rng.next_u64() >> rng.below(64) & last),
            };
            let mut truth: BTreeMap<u64, u64> = BTreeMap::new();
            for _ in 0..8 {
                let mut part = sketch.emptied();
                for _ in 0..rng.below(40) {
                    let (value, count) = (any_value(&mut rng), rng.below(9));
                    part.add(value, count).unwrap();
                    *truth.entry(value).or_default() += count;
                }
                sketch =
                    if rng.below(2) == 0 { part.merged_with(&sketch) } else { sketch.merged_with(&part) };
                for (&value, count) in &mut truth {
                    let removed = rng.below(*count + 1);
                    sketch.remove(value, removed).unwrap();
                    *count -= removed;
                }
                sketch = DyadicCountMin::from_bytes_with(&sketch.to_bytes(), &OPTIONS).unwrap();
                assert_eq!(sketch.total(), truth.values().sum::<u64>());
                for _ in 0..30 {
                    let (one, other) = (any_value(&mut rng), any_value(&mut rng));
                    let range = one.min(other)..=one.max(other);
                    let inside = truth.range(range.clone()).map(|(_, count)| count).sum::<u64>() as f64;
                    let answer = sketch.range_at(range.clone(), SURE).unwrap();
                    assert!(answer.contains(inside), "{answer}, but {inside} lie in {range:?}: {sketch:?}");
                    assert!(sketch.range(range).unwrap().upper() >= inside);
                }
                let edge = any_value(&mut rng);
                let below = truth.range(..=edge).map(|(_, count)| count).sum::<u64>() as f64;
                let classes = sketch.histogram(&[edge]).unwrap();
                assert!(sketch.rank_at(&edge, SURE).unwrap().contains(below));
                assert!(classes[0].upper() >= below && classes[1].upper() >= sketch.total() as f64 - below);
                quantiles_hold(&sketch, &truth);
            }
        }
    }
}

fn quantiles_hold(sketch: &DyadicCountMin<u64>, truth: &BTreeMap<u64, u64>) {
    for rank in 1..=sketch.total().min(20) {
        let q = rank as f64 / sketch.total() as f64;
        let mut seen = 0;
        let value_of_rank = truth.iter().find(|&(_, count)| {
            seen += count;
            seen >= rank
        });
        let (&value, _) = value_of_rank.unwrap();
        let answer = sketch.quantile(q).unwrap();
        assert!(
            *answer.lower() <= value && value <= *answer.upper(),
            "{answer}, but {q} is {value}: {sketch:?}"
        );
        assert!(answer.lower() <= answer.value() && answer.value() <= answer.upper());
    }
}

/// Removing what was added gives the sketch without it.
pub(super) fn removals_undo(make: impl Fn(HashSpec) -> DyadicCountMin<u64>) {
    let mut rng = Rng::new(71);
    for spec in specs() {
        let mut sketch = make(spec);
        let shift = 64 - sketch.params().bits();
        for value in distinct(&mut rng, sketch.scale()) {
            sketch.add(value >> shift, 1).unwrap();
        }
        let before = sketch.clone();
        let others: Vec<(u64, u64)> = (0..100).map(|_| (rng.next_u64() >> shift, rng.below(1000))).collect();
        for &(value, count) in &others {
            sketch.add(value, count).unwrap();
        }
        for (value, count) in shuffled(&mut rng, &others) {
            sketch.remove(value, count).unwrap();
        }
        assert_eq!(sketch, before);
        assert_eq!(sketch.to_bytes(), before.to_bytes());
    }
}

/// Compares quantiles and ranks with the sorted values after insertions, removals, merges and round trips through
/// bytes: every interval contains the truth, and every value above the collapsed ones is within the relative error.
pub(super) fn values_hold(make: impl Fn(HashSpec) -> LogQuantiles) {
    for round in 0..8 {
        let mut rng = Rng::new(72 + round);
        let mut sketch = make(HashSpec::default());
        let any_number = |rng: &mut Rng| match round % 2 {
            0 => number(rng.next_u64()),
            _ => (rng.unit() - 0.3) * 1e4,
        };
        let mut values: Vec<f64> = Vec::new();
        for _ in 0..12 {
            let mut part = sketch.emptied();
            for _ in 0..rng.below(30) {
                let (value, count) = (any_number(&mut rng), rng.below(4));
                part.insert_weighted(value, count).unwrap();
                values.extend((0..count).map(|_| value));
            }
            sketch = if rng.below(2) == 0 { part.merged_with(&sketch) } else { sketch.merged_with(&part) };
            for _ in 0..rng.below(1 + values.len() as u64 / 2) {
                let value = values.swap_remove(rng.below(values.len() as u64) as usize);
                sketch.remove(value, 1).unwrap();
            }
            sketch = LogQuantiles::from_bytes(&sketch.to_bytes()).unwrap();
            values.sort_by(f64::total_cmp);
            assert_eq!(sketch.total(), values.len() as u64);
            values_are_near(&sketch, &values);
            for _ in 0..30 {
                let edge = any_number(&mut rng);
                let truth = values.partition_point(|&value| value <= edge) as f64;
                assert!(sketch.rank(edge).contains(truth), "{edge} has the rank {truth}: {sketch:?}");
                let classes = sketch.histogram(&[-edge.abs(), edge.abs().max(5e-324)]).unwrap();
                let inside =
                    values.iter().filter(|value| **value > -edge.abs() && **value <= edge.abs()).count();
                assert!(edge == 0.0 || classes[1].contains(inside as f64), "±{edge}: {inside}, {sketch:?}");
            }
        }
    }
}

fn values_are_near(sketch: &LogQuantiles, sorted: &[f64]) {
    let collapsed = sketch.collapsed();
    let mut without_error = 0;
    for (rank, &truth) in (1..).zip(sorted) {
        let answer = sketch.quantile(f64::from(rank) / sorted.len() as f64).unwrap();
        let [value, lower, upper] = [answer.value(), answer.lower(), answer.upper()].map(|end| *end);
        assert!(lower <= truth && truth <= upper, "{answer}, but rank {rank} is {truth}: {sketch:?}");
        assert!(lower <= value && value <= upper && answer.guarantee() == Guarantee::Certain, "{answer}");
        let allowed = sketch.params().relative_error() * truth.abs() + 5e-324;
        if (value - truth).abs() > allowed || truth != 0.0 && (lower == 0.0 || upper == 0.0) {
            without_error += 1;
            assert!(lower == 0.0 || upper == 0.0, "{answer}, but rank {rank} is {truth}: {sketch:?}");
        }
    }
    assert_eq!(without_error, collapsed, "{sketch:?}");
}
