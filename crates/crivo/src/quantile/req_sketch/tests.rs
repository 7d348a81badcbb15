use super::levels::ReqLevel;
use super::*;
use crate::quantile::kept::{Level, Plan};
use crate::rng::Rng;
use crate::{ErrorKind, Estimate, Guarantee};
use alloc::vec::Vec;

const TAILS: [Tail; 2] = [Tail::High, Tail::Low];

fn filled(k: u64, tail: Tail, values: impl Iterator<Item = u64>) -> ReqSketch<u64> {
    let mut sketch = ReqSketch::for_k(k, tail).unwrap();
    values.for_each(|value| sketch.insert(value).unwrap());
    sketch
}

#[test]
fn few_values_are_exact() {
    for tail in TAILS {
        let sketch = filled(32, tail, (1..=199).rev());
        assert_eq!(sketch.rank(&100), Estimate::exact(100.0));
        let median = sketch.quantile(0.5).unwrap();
        assert_eq!((*median.lower(), *median.value(), *median.upper()), (100, 100, 100));
        assert_eq!(median.guarantee(), Guarantee::Certain);
    }
}

#[test]
fn weight_is_kept_and_levels_are_sorted() {
    for tail in TAILS {
        let mut sketch = ReqSketch::for_k(4, tail).unwrap();
        for value in 0..20_000u64 {
            sketch.insert(value * 7919 % 20_011).unwrap();
            assert_eq!(sketch.total(), value + 1);
        }
        assert!(sketch.levels().skip(1).all(<[u64]>::is_sorted) && sketch.kept.levels.count() > 4);
    }
}

/// The exact tail: with an error at the other end only.
#[test]
fn the_accurate_end_is_exact() {
    for tail in TAILS {
        let sketch = filled(8, tail, (0..100_000).map(|i| i * 7919 % 100_003));
        let mut sorted: Vec<u64> = (0..100_000).map(|i| i * 7919 % 100_003).collect();
        sorted.sort_unstable();
        if tail == Tail::High {
            sorted.reverse();
        }
        for place in [1, 20, 8 * 18 - 2] {
            let below = f64::from(if tail == Tail::High { 100_000 - place } else { place + 1 });
            assert_eq!(sketch.rank(&sorted[place as usize]), Estimate::exact(below));
        }
        assert!(matches!(sketch.rank(&sorted[50_000]).guarantee(), Guarantee::Proven { .. }));
        assert_eq!((sketch.min(), sketch.max()), (sorted.iter().min(), sorted.iter().max()));
    }
}

/// When all sections are compacted for the first time, and an odd number of values would leave, one of as many values as the
/// protected half has leaves too: the rank next to it is not certain.
#[test]
fn a_compaction_of_all_sections_takes_a_protected_value_along() {
    let mut sketch = ReqSketch::<u64>::with_seed(4, Tail::High, 1).unwrap();
    let protected = 4 * 18;
    let least = 1 << 40;
    (least..least + protected).for_each(|value| sketch.insert(value).unwrap());
    sketch.insert_weighted(0, 2).unwrap();
    let mut below = 2;
    while sketch.levels().next().is_none_or(|level| below < 11_000_000 || level.len() > protected as usize) {
        sketch.insert(below).unwrap();
        below += 1;
        assert!(below < 12_000_000, "all sections are compacted");
    }
    assert!(sketch.rank(&(least - 1)).contains(below as f64));
}

#[test]
fn values_without_rank_are_refused() {
    let mut sketch = ReqSketch::for_k(32, Tail::High).unwrap();
    sketch.insert_all(&[1.0, -0.0]).unwrap();
    let before = sketch.clone();
    assert_eq!(sketch.insert_all(&[2.0, f64::NAN]).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(sketch.insert_weighted(f64::NAN, 2).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(sketch, before);
    assert!(sketch.histogram(&[f64::NAN]).is_err() && sketch.shares(&[2.0, 2.0]).is_err());
}

/// The sizes of the levels do not depend on the values, and the bound on the numbers in them only.
#[test]
fn the_promised_error_is_met_at_any_length() {
    for k in [4, 5, 8, 16, 43] {
        let mut sketch = ReqSketch::for_k(k, Tail::Low).unwrap();
        let promise = ERROR_TIMES_K / (k - 2) as f64;
        let mut rng = Rng::new(k);
        for step in 0..14 {
            let length = (100 * k) << step.min(10);
            for _ in 0..length {
                sketch.insert(rng.next_u64()).unwrap();
            }
            for share in [1e-4, 3e-4, 0.001, 0.002, 0.004, 0.01, 0.03, 0.1, 0.3, 0.9] {
                let rank = sketch.rank(&((share * u64::MAX as f64) as u64));
                let tail = share * sketch.total() as f64;
                let half = (rank.upper() - rank.value()).min(rank.value() - rank.lower());
                // The number of random values up to a share deviates from its mean.
                let allowed = promise * (tail + 6.0 * libm::sqrt(tail)) + 1.0;
                assert!(
                    half <= allowed,
                    "k {k}, {share} of {}: {rank}, not within {promise}",
                    sketch.total()
                );
            }
        }
    }
}

/// One level, and what really happened to the values of a tail in it.
#[derive(Clone)]
struct Watched {
    level: ReqLevel,
    /// The values in the tail, and all, in the level.
    tail: u64,
    len: u64,
    /// The values in the tail that went up, at least.
    up: u64,
    /// The compactions that reached into the tail.
    reached: u64,
}

impl Watched {
    fn new() -> Self {
        Self { level: ReqLevel::default(), tail: 0, len: 0, up: 0, reached: 0 }
    }

    /// Fills the level with the fewest values of the tail that let the next compaction reach into it, and compacts it.
    fn reach(&mut self, plan: &Compactors, rng: &mut Rng) {
        let size = 2 * plan.protected() as u64;
        let len = size.max(self.len);
        let leaves =
            2 * plan.compaction(&mut self.level.clone(), len as usize, &mut Rng::new(0)).pairs as u64;
        let wanted = (len + 1).saturating_sub(leaves);
        if rng.below(4) > 0 && wanted > self.tail {
            self.len = self.len.max(wanted);
            self.tail = wanted;
        }
        self.len = self.len.max(size);
        self.compact(plan, rng);
    }

    fn compact(&mut self, plan: &Compactors, rng: &mut Rng) {
        let leaves = 2 * plan.compaction(&mut self.level, self.len as usize, rng).pairs as u64;
        let gone = self.tail.saturating_sub(self.len - leaves);
        self.reached += u64::from(gone > 0);
        self.up += gone / 2;
        self.tail -= gone;
        self.len -= leaves;
    }

    fn assert_bounded(&self, plan: &Compactors) {
        let reach = plan.reach(&[self.level, ReqLevel::default()], &[self.tail, self.up]);
        let coins = self.reached.min(self.level.coins());
        assert!(
            reach.variance >= coins as f64,
            "{} reached, bound {}: {self:?}",
            self.reached,
            reach.variance
        );
    }
}

impl core::fmt::Debug for Watched {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?} with {} of {}, {} up", self.level, self.tail, self.len, self.up)
    }
}

/// An adversary who spends as few values of the tail as possible does not exceed the bound, whatever is merged.
#[test]
fn compactions_that_reach_into_a_tail_are_bounded() {
    let mut rng = Rng::new(3);
    for round in 0..200 {
        let plan = Compactors { k: 4 + round % 3, tail: Tail::High };
        let mut parts: Vec<Watched> = (0..3).map(|_| Watched::new()).collect();
        for _ in 0..300 {
            let part = rng.below(parts.len() as u64) as usize;
            if rng.below(100) == 0 && parts.len() > 1 {
                let other = parts.swap_remove(part);
                let whole = &mut parts[0];
                whole.level = whole.level.joined(other.level);
                whole.tail += other.tail;
                whole.len += other.len;
                whole.up += other.up;
                whole.reached += other.reached;
                if whole.len >= 2 * plan.protected() as u64 {
                    whole.compact(&plan, &mut rng);
                }
                whole.assert_bounded(&plan);
            } else {
                for _ in 0..rng.below(12) {
                    parts[part].reach(&plan, &mut rng);
                    parts[part].assert_bounded(&plan);
                }
            }
        }
    }
}

/// Sections that are compacted: one, two, one, three, …; and all of them twice in each round.
#[test]
fn the_schedule_is_that_of_the_trailing_ones() {
    let plan = Compactors { k: 4, tail: Tail::High };
    let size = 2 * plan.protected();
    let (mut level, mut rng) = (ReqLevel::default(), Rng::new(1));
    let mut sections = || plan.compaction(&mut level, size, &mut rng).pairs / 2;
    assert!((0..8).map(|_| sections()).eq([1, 2, 1, 3, 1, 2, 1, 4]));
    let whole = (8..1usize << 18).filter(|_| sections() == 18).count();
    assert_eq!((whole, level.rounds), (2, 1));
}

#[test]
fn parts_with_one_seed_may_share_coins() {
    let part = |seed| {
        let mut sketch = ReqSketch::with_seed(16, Tail::High, seed).unwrap();
        sketch.insert_all(&(0..30_000u64).collect::<Vec<_>>()).unwrap();
        sketch
    };
    let mut merged = part(1);
    merged.merge(&part(2)).unwrap();
    let apart = merged.rank(&15_000);
    assert_eq!(merged.lineage.sharing, 1);
    merged.merge(&part(1)).unwrap();
    assert_eq!(merged.lineage.sharing, 2);
    let mut alike = part(1);
    alike.merge(&part(1)).unwrap();
    let width = |answer: Estimate| answer.upper() - answer.lower();
    let alike_rank = alike.rank(&15_000);
    // √2 as wide, where no certain bound is closer.
    let ratio = width(alike_rank) / width(apart);
    assert!((1.3..1.42).contains(&ratio), "{alike_rank} {apart}");
    assert_ne!(alike.kept.rng.state(), part(1).kept.rng.state(), "the next coins are not the parts'");
}
