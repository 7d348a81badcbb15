//! Martingale counting: bias, spread and coverage from empty to 10⁹ items.

use super::counters::{assert_errors, for_each_stream};
use super::{COVERAGE_TRIALS, Coverage, Sample};
use crivo::cardinality::Martingale;
use crivo::rng::Rng;
use crivo::{ExaLogLog, HashSpec, HyperLogLog};

type Counter = Martingale<HyperLogLog>;

fn make(precision: u8) -> impl Fn(HashSpec) -> Counter {
    move |spec| Martingale::new(HyperLogLog::for_precision(precision).unwrap().with_hash(spec)).unwrap()
}

/// The number of items up to which a sketch keeps the hashes themselves.
fn sparse_limit(precision: u8) -> u64 {
    ((1 << precision) / 6).min(4096)
}

/// Simulates a stream of random hashes of which only those are drawn that change the registers: the wait for each is
/// geometric, a register is hit in proportion to its probability to rise, and then rises by one, and by one more with
/// every toss.
fn walk(precision: u8, checkpoints: &[u64], seed: u64, mut judge: impl FnMut(usize, &Counter)) {
    let mut rng = Rng::new(seed << 8 | u64::from(precision));
    let mut counter = make(precision)(HashSpec::default());
    let rest = 64 - usize::from(precision);
    let mut left = checkpoints.iter().enumerate().peekable();
    let mut judge_below = |items: f64, counter: &Counter| {
        while let Some((i, _)) = left.next_if(|&(_, &items_asked)| (items_asked as f64) < items) {
            judge(i, counter);
        }
        left.peek().is_some()
    };
    let mut items = 0.0;
    while counter.sketch().is_sparse() {
        if !judge_below(items + 1.0, &counter) {
            return;
        }
        counter.insert_hash(rng.next_u64());
        items += 1.0;
    }
    let mut by_rank = vec![Vec::new(); 66];
    for (register, rank) in (0u64..).zip(counter.sketch().registers()) {
        by_rank[usize::from(rank)].push(register);
    }
    let chances: Vec<f64> = (0..66).map(|rank| 2f64.powi(-rank - i32::from(precision))).collect();
    let mut probability: f64 =
        by_rank.iter().zip(&chances).map(|(here, chance)| here.len() as f64 * chance).sum();
    loop {
        let wait = ((1.0 - rng.unit()).ln() / (-probability).ln_1p()).floor() + 1.0;
        if !judge_below(items + wait, &counter) {
            return;
        }
        items += wait;
        let mut place = rng.unit() * probability;
        let mut rank = 0;
        while place >= by_rank[rank].len() as f64 * chances[rank] && rank < 64 {
            place -= by_rank[rank].len() as f64 * chances[rank];
            rank += 1;
        }
        // Rounding may lead past the last register: once in 10¹³.
        if by_rank[rank].is_empty() {
            continue;
        }
        let among = rng.below(by_rank[rank].len() as u64) as usize;
        let register = by_rank[rank].swap_remove(among);
        let risen = rank + 1 + rng.next_u64().leading_zeros() as usize;
        let first_one = if risen <= rest { 1 << (rest - risen) } else { 0 };
        assert!(counter.insert_hash(register << rest | first_one));
        by_rank[risen].push(register);
        probability += chances[risen] - chances[rank];
    }
}

/// The expected probability of a change at λ items per register: E 2^−M.
fn change_probability(load: f64) -> f64 {
    let at_most = |rank: i32| (-load * 2f64.powi(-rank)).exp();
    (1..64).map(|rank| 2f64.powi(-rank) * (at_most(rank) - at_most(rank - 1))).sum::<f64>() + at_most(0)
}

/// √Σ (1/q − 1) over the items that came to registers, relative to their number: the sum as an integral over the
/// logarithm of λ.
fn standard_error(precision: u8, items: u64) -> f64 {
    let m = f64::from(1u32 << precision);
    let (from, to) = ((sparse_limit(precision) + 1) as f64 / m, items as f64 / m);
    if to <= from {
        // Two items may share their 31 bits.
        return (0.5 / 2f64.powi(31)).sqrt();
    }
    let steps = 400;
    let width = (to / from).ln() / f64::from(steps);
    let at = |step: i32| from * (width * (f64::from(step) + 0.5)).exp();
    let sum: f64 = (0..steps).map(|step| (1.0 / change_probability(at(step)) - 1.0) * at(step) * width).sum();
    (sum * m).sqrt() / items as f64
}

#[test]
fn bias_and_spread_from_one_to_a_billion() {
    let checkpoints = [1, 10, 42, 43, 44, 50, 64, 128, 256, 640, 2560, 100_000, 10_000_000, 1_000_000_000];
    let mut errors: Vec<Sample> = checkpoints.iter().map(|_| Sample::default()).collect();
    for seed in 0..4000 {
        walk(8, &checkpoints, seed, |i, counter| {
            errors[i].push(counter.estimate().value() / checkpoints[i] as f64 - 1.0);
        });
    }
    for (&items, errors) in checkpoints.iter().zip(&errors) {
        assert_errors(errors, items, standard_error(8, items), "precision 8");
    }
    // Far from empty the relative variance is ln 2/m.
    let limit = (std::f64::consts::LN_2 / 256.0).sqrt();
    assert!((standard_error(8, 1_000_000_000) / limit - 1.0).abs() < 0.01);
}

/// The simulated walk has the distribution of real inserts.
#[test]
fn walks_are_like_real_streams() {
    let checkpoints = [100, 1000, 10_000];
    let samples = || checkpoints.map(|_| Sample::default());
    let (mut real, mut walked) = (samples(), samples());
    for_each_stream(make(8), &checkpoints, 0..4000, |i, counter| real[i].push(counter.estimate().value()));
    for seed in 0..4000 {
        walk(8, &checkpoints, seed, |i, counter| walked[i].push(counter.estimate().value()));
    }
    for (i, &items) in checkpoints.iter().enumerate() {
        let context = format!("{items} items");
        let deviation = standard_error(8, items) * items as f64;
        real[i].assert_mean(items as f64, deviation, &context);
        real[i].assert_deviation(items as f64, deviation, &context);
        walked[i].assert_mean(real[i].mean(), deviation * 2f64.sqrt(), &context);
    }
}

/// Coverage from empty to `furthest` items, over 3,000 walks.
fn assert_coverage_up_to(precision: u8, furthest: u64) {
    let m = 1u64 << precision;
    let limit = sparse_limit(precision);
    let mut checkpoints = vec![
        0,
        1,
        2,
        limit,
        limit + 1,
        limit + 2,
        limit + 8,
        m / 4,
        m / 2,
        m,
        2 * m,
        3 * m,
        5 * m,
        10 * m,
        100 * m,
    ];
    checkpoints.extend([1_000_000, 100_000_000, 1_000_000_000]);
    checkpoints.sort_unstable();
    checkpoints.dedup();
    checkpoints.retain(|&items| items <= furthest);
    let mut coverage: Vec<Coverage> = checkpoints.iter().map(|_| Coverage::default()).collect();
    for seed in 0..COVERAGE_TRIALS {
        walk(precision, &checkpoints, seed, |i, counter| {
            coverage[i].push(&counter.estimate(), checkpoints[i] as f64);
        });
    }
    for (&items, coverage) in checkpoints.iter().zip(&coverage) {
        // The estimate moves by 1/q.
        let step = 1.0 / change_probability(items as f64 / m as f64);
        coverage.assert_rule(step, &format!("precision {precision}, {items} items"));
    }
}

#[test]
fn intervals_cover_from_empty_to_a_billion() {
    for precision in [4, 5, 6, 7, 8] {
        assert_coverage_up_to(precision, 1_000_000_000);
    }
    assert_coverage_up_to(10, 10_240);
}

#[test]
#[ignore = "long tier: 3,000 walks of up to 55,000 changes"]
fn intervals_cover_at_higher_precisions() {
    for precision in [9, 10, 11, 12] {
        assert_coverage_up_to(precision, 1_000_000_000);
    }
    assert_coverage_up_to(14, 1 << 16);
}

/// A counter that is planned for an error keeps it on average, and the next smaller one would not.
#[test]
fn a_target_is_met() {
    for precision in [4u8, 6, 8] {
        let mut reach = Sample::default();
        for seed in 0..COVERAGE_TRIALS {
            walk(precision, &[1_000_000_000], seed, |_, counter| {
                let estimate = counter.estimate();
                reach.push(
                    (estimate.upper() / estimate.value()).max(2.0 - estimate.lower() / estimate.value())
                        - 1.0,
                );
            });
        }
        let chosen = |error: f64| Counter::for_error(error).unwrap().sketch().precision();
        // The mean of a ratio of random sums lies above the ratio of the means by a share of order 1/m.
        let slack = 0.005 + 0.5 / f64::from(1u32 << precision);
        assert_eq!(chosen(reach.mean() * (1.0 + slack)), precision);
        assert_eq!(chosen(reach.mean() * (1.0 - slack)), precision + 1);
    }
}

/// The share of the hashes with this value; the end of values is out of reach here.
fn chance(value: u32) -> f64 {
    2f64.powi(-3 - (value as i32 - 1) / 4)
}

/// The values in a register's window of twenty that did not occur.
fn unseen(state: u32) -> impl Iterator<Item = u32> {
    let largest = state >> 20;
    let is_new = move |value: &u32| state >> (20 + value - largest) & 1 == 0;
    (largest.saturating_sub(20).max(1)..largest).filter(is_new)
}

/// The share of the hashes whose value lies above this one, and a random one among these values.
fn above(largest: u32, rng: &mut Rng) -> (f64, u32) {
    let in_group = f64::from(3 - (largest - 1) % 4) * chance(largest);
    let later = 4.0 * chance(largest);
    let place = rng.unit() * (in_group + later);
    let value = if place < in_group {
        largest + 1 + (place / chance(largest)) as u32
    } else {
        let group = (largest - 1) / 4 + 1 + rng.next_u64().leading_zeros();
        4 * group + 1 + rng.below(4) as u32
    };
    (in_group + later, value)
}

/// Like [`walk`], for the registers of an `ExaLogLog`.
fn walk_exa(
    precision: u8,
    checkpoints: &[u64],
    seed: u64,
    mut judge: impl FnMut(usize, &Martingale<ExaLogLog>),
) {
    let mut rng = Rng::new(seed << 8 | u64::from(precision));
    let mut counter = Martingale::new(ExaLogLog::for_precision(precision).unwrap()).unwrap();
    let mut left = checkpoints.iter().enumerate().peekable();
    let mut judge_below = |items: f64, counter: &Martingale<ExaLogLog>| {
        while let Some((i, _)) = left.next_if(|&(_, &items_asked)| (items_asked as f64) < items) {
            judge(i, counter);
        }
        left.peek().is_some()
    };
    let mut items = 0.0;
    while counter.sketch().is_sparse() {
        if !judge_below(items + 1.0, &counter) {
            return;
        }
        counter.insert_hash(rng.next_u64());
        items += 1.0;
    }
    let weigh = |state: u32, rng: &mut Rng| {
        let largest = state >> 20;
        if largest == 0 { 1.0 } else { above(largest, rng).0 + unseen(state).map(chance).sum::<f64>() }
    };
    let mut chances: Vec<f64> =
        counter.sketch().registers().iter().map(|&state| weigh(state, &mut rng)).collect();
    loop {
        let all: f64 = chances.iter().sum();
        let probability = all / chances.len() as f64;
        let wait = ((1.0 - rng.unit()).ln() / (-probability).ln_1p()).floor() + 1.0;
        if !judge_below(items + wait, &counter) {
            return;
        }
        items += wait;
        let mut place = rng.unit() * all;
        let mut register = 0;
        while place >= chances[register] && register + 1 < chances.len() {
            place -= chances[register];
            register += 1;
        }
        let state = counter.sketch().registers()[register];
        // An empty register takes any value, as if its largest were 0, in the group before the first.
        let mut value = match state >> 20 {
            0 => 4 * rng.next_u64().leading_zeros() + 1 + rng.below(4) as u32,
            largest => above(largest, &mut rng).1,
        };
        for missed in unseen(state) {
            place -= chance(missed);
            if place < 0.0 {
                value = missed;
                break;
            }
        }
        let (zeros, low) = ((value - 1) / 4, u64::from((value - 1) % 4));
        assert!(counter.insert_hash(1 << (63 - zeros) | (register as u64) << 2 | low));
        chances[register] = weigh(counter.sketch().registers()[register], &mut rng);
    }
}

fn assert_exa_up_to(precision: u8, furthest: u64) {
    let m = 1u64 << precision;
    let limit = (3 * m / 4).min(4096);
    let mut checkpoints = vec![0, 1, 2, limit, limit + 1, limit + 8, m, 2 * m, 5 * m, 20 * m, 100 * m];
    checkpoints.extend([1_000_000, 100_000_000, 1_000_000_000]);
    checkpoints.sort_unstable();
    checkpoints.dedup();
    checkpoints.retain(|&items| items <= furthest);
    let mut coverage: Vec<Coverage> = checkpoints.iter().map(|_| Coverage::default()).collect();
    let mut errors: Vec<Sample> = checkpoints.iter().map(|_| Sample::default()).collect();
    let mut step = vec![0.0; checkpoints.len()];
    for seed in 0..COVERAGE_TRIALS {
        walk_exa(precision, &checkpoints, seed, |i, counter| {
            coverage[i].push(&counter.estimate(), checkpoints[i] as f64);
            errors[i].push(counter.estimate().value() / (checkpoints[i] as f64).max(1.0) - 1.0);
            // The estimate moves by 1/q.
            let probability = counter.sketch().change_probability() as f64 / 2f64.powi(64);
            step[i] += 1.0 / probability / COVERAGE_TRIALS as f64;
        });
    }
    for (i, &items) in checkpoints.iter().enumerate() {
        let context = format!("ExaLogLog of precision {precision}, {items} items");
        coverage[i].assert_rule(step[i], &context);
        // Far from empty the relative variance is 0.10145/m; with few items it is less.
        if items >= 100 * m {
            let deviation = (0.10145 / m as f64).sqrt();
            errors[i].assert_mean(0.0, deviation, &context);
            errors[i].assert_deviation(0.0, deviation, &context);
        }
    }
}

#[test]
fn exaloglog_covers_from_empty_to_a_billion() {
    assert_exa_up_to(4, 1_000_000_000);
    assert_exa_up_to(6, 10_000);
}

#[test]
#[ignore = "long tier: 3,000 walks of up to 30,000 changes"]
fn exaloglog_covers_at_higher_precisions() {
    assert_exa_up_to(6, 1_000_000_000);
    assert_exa_up_to(8, 30_000);
}
