//! The intervals contain the truth as often as they say, on bytes that were written and read again.

use crivo::Estimate;
use crivo::rng::Rng;
use crivo::stats::binomial_band;
use crivo_interop::{AirliftHll, CountMin, Hll, Kll, PostgresHll, RedisHll, Theta, UpdateTheta};

/// The probability that a correct interval fails a check.
const FALSE_ALARM: f64 = 1e-6;
/// The confidence of the default intervals.
const CONFIDENCE: f64 = 0.95;

/// Checks that of `trials` intervals of about 95 % enough contain the truth, which `trial` returns with the interval, and that their
/// mean is the truth: the values deviate by `error` standard errors of the mean at most six times.
pub(crate) fn check(
    name: &str,
    trials: u64,
    deviation: f64,
    mut trial: impl FnMut(&mut Rng) -> (Estimate, f64),
) {
    let mut rng = Rng::new(trials ^ name.len() as u64);
    let (mut hits, mut excess) = (0, 0.0);
    for _ in 0..trials {
        let (estimate, truth) = trial(&mut rng);
        hits += u64::from(estimate.contains(truth));
        excess += estimate.value() / truth - 1.0;
    }
    let (least, _) = binomial_band(trials, CONFIDENCE, FALSE_ALARM);
    let (bias, tolerance) = (excess / trials as f64, 5.0 * deviation / (trials as f64).sqrt());
    println!("{name}: {hits} of {trials}, at least {least}; bias {bias:.5}, at most {tolerance:.5}");
    assert!(hits as f64 >= least, "{name}: {hits} of {trials} intervals contain the truth, expected {least}");
    assert!(bias.abs() <= tolerance, "{name}: a bias of {bias}, expected {tolerance} at most");
}

/// The theta sketch of this many random items, as another process reads it.
fn theta(lg_k: u8, first: u64, count: u64) -> Theta {
    let mut sketch = UpdateTheta::for_lg_k(lg_k).unwrap();
    (first..first + count).for_each(|item| sketch.insert(&item));
    Theta::from_bytes(&sketch.sketch().to_compact_bytes()).unwrap()
}

#[test]
fn theta_counts() {
    for items in [33u64, 70, 500, 20_000] {
        check(&format!("theta of {items}"), 2000, 1.0 / 30f64.sqrt(), |rng| {
            (theta(5, rng.next_u64() >> 1, items).estimate(), items as f64)
        });
    }
}

#[test]
fn theta_set_operations() {
    check("union", 1000, 1.0 / 62f64.sqrt(), |rng| {
        let first = rng.next_u64() >> 1;
        let (a, b) = (theta(6, first, 3000), theta(6, first + 2000, 3000));
        (Theta::union([&a, &b], 6).unwrap().estimate(), 5000.0)
    });
    // A fifth of 64 to 120 hashes are shared: at least 10 on average.
    check("intersection", 1000, 1.0 / 10f64.sqrt(), |rng| {
        let first = rng.next_u64() >> 1;
        let (a, b) = (theta(6, first, 3000), theta(6, first + 2000, 3000));
        (a.intersection(&b).unwrap().estimate(), 1000.0)
    });
    check("difference", 1000, 1.0 / 30f64.sqrt(), |rng| {
        let first = rng.next_u64() >> 1;
        let (a, b) = (theta(6, first, 3000), theta(6, first + 2000, 3000));
        (a.difference(&b).unwrap().estimate(), 2000.0)
    });
    check("similarity", 1000, 1.0 / 10f64.sqrt(), |rng| {
        let first = rng.next_u64() >> 1;
        let (a, b) = (theta(6, first, 3000), theta(6, first + 2000, 3000));
        (a.similarity(&b).unwrap(), 0.2)
    });
}

fn hll(lg_k: u8, first: u64, count: u64) -> Hll {
    let mut sketch = Hll::for_lg_k(lg_k).unwrap();
    (first..first + count).for_each(|item| sketch.insert(&item));
    Hll::from_bytes(&sketch.to_bytes()).unwrap()
}

#[test]
fn hyperloglogs_of_one_stream() {
    for (lg_k, items) in [(4, 9u64), (4, 500), (6, 12), (6, 40), (6, 1000), (8, 26), (8, 20_000)] {
        let deviation = 0.84 / f64::from(1u32 << lg_k).sqrt();
        check(&format!("2^{lg_k} registers of {items}"), 2000, deviation, |rng| {
            (hll(lg_k, rng.next_u64() >> 1, items).estimate(), items as f64)
        });
    }
}

#[test]
fn merged_hyperloglogs() {
    for (lg_k, items) in [(6, 100u64), (6, 3000), (8, 10_000)] {
        let deviation = 1.05 / f64::from(1u32 << lg_k).sqrt();
        check(&format!("merged 2^{lg_k} registers of {items}"), 1000, deviation, |rng| {
            let first = rng.next_u64() >> 1;
            let mut merged = hll(lg_k, first, items);
            merged.merge(&hll(lg_k + 1, first + items / 2, items / 2 * 3));
            (merged.estimate(), (2 * items) as f64)
        });
    }
}

#[test]
fn few_items_and_registers_merge_in_either_order() {
    check("few into registers", 1000, 0.9 / 8.0, |rng| {
        let first = rng.next_u64() >> 1;
        let (mut few, many) = (hll(6, first, 6), hll(6, first + 3, 1000));
        few.merge(&many);
        (few.estimate(), 1003.0)
    });
}

#[test]
fn hyperloglogs_of_redis() {
    for items in [50u64, 8000, 60_000] {
        let deviation = 1.05 / 128.0;
        check(&format!("redis of {items}"), 400, deviation, |rng| {
            let first = rng.next_u64() >> 1;
            let [mut a, mut b] = [RedisHll::new(), RedisHll::new()];
            (first..first + items / 2).for_each(|item| a.insert(item.to_le_bytes()));
            (first + items / 4..first + items).for_each(|item| b.insert(item.to_le_bytes()));
            a.merge(&b);
            (RedisHll::from_bytes(&a.to_bytes()).unwrap().estimate(), items as f64)
        });
    }
}

#[test]
fn hyperloglogs_of_postgres() {
    // Also where a narrow register is at its limit, and where the hashes just became registers.
    for (precision, width, items) in
        [(8, 5, 15u64), (8, 5, 25), (8, 5, 3000), (8, 4, 100_000), (7, 3, 1200), (6, 8, 50_000)]
    {
        let deviation = 1.05 / f64::from(1u32 << precision).sqrt();
        let name = format!("postgres, 2^{precision} registers of {width} bits, of {items}");
        let trials = if items > 10_000 { 200 } else { 1000 };
        check(&name, trials, deviation, |rng| {
            let first = rng.next_u64() >> 1;
            let [mut a, mut b] = [(); 2].map(|()| PostgresHll::with_size(precision, width).unwrap());
            (first..first + items / 2).for_each(|item| a.insert(item.to_le_bytes()));
            (first + items / 4..first + items).for_each(|item| b.insert(item.to_le_bytes()));
            a.merge(&b).unwrap();
            (PostgresHll::from_bytes(&a.to_bytes()).unwrap().estimate(), items as f64)
        });
    }
}

#[test]
fn hyperloglogs_of_airlift() {
    // Also where the last entries just became registers.
    for (precision, items) in [(8, 36u64), (8, 37), (8, 3000), (4, 40), (11, 100_000)] {
        let deviation = 1.05 / f64::from(1u32 << precision).sqrt();
        let trials = if items > 10_000 { 200 } else { 1000 };
        check(&format!("airlift, 2^{precision} registers of {items}"), trials, deviation, |rng| {
            let first = rng.next_u64() >> 1;
            let [mut a, mut b] = [(); 2].map(|()| AirliftHll::for_precision(precision).unwrap());
            (first..first + items / 2).for_each(|item| a.insert(item.to_le_bytes()));
            (first + items / 4..first + items).for_each(|item| b.insert(item.to_le_bytes()));
            a.merge(&b).unwrap();
            (AirliftHll::from_bytes(&a.to_bytes()).unwrap().estimate(), items as f64)
        });
    }
}

/// The interval of a frequency in a sketch of `DataSketches`, over sets of items that differ from trial to trial.
#[test]
fn frequencies_of_count_min() {
    const TRIALS: u64 = 400;
    let (least, _) = binomial_band(TRIALS, CONFIDENCE, FALSE_ALARM);
    for (rows, width) in [(1, 30), (3, 40), (5, 100)] {
        let mut rng = Rng::new(rows);
        let mut hits = 0;
        for _ in 0..TRIALS {
            let mut sketch = CountMin::with_size(rows as u8, width).unwrap();
            let first = rng.next_u64() >> 1;
            (0..300).for_each(|item| sketch.add(&(first + item), 1 + 100 / (item + 1)).unwrap());
            let item = rng.below(300);
            let read = CountMin::from_bytes(&sketch.to_bytes()).unwrap();
            hits += u64::from(read.frequency(&(first + item)).contains((1 + 100 / (item + 1)) as f64));
        }
        println!("{rows} rows of {width}: {hits} of {TRIALS}, at least {least}");
        assert!(hits as f64 >= least, "{rows} rows of {width}: {hits} of {TRIALS}, expected {least}");
    }
}

/// The bound is proven, so that more intervals than 95 % contain the truth.
#[test]
fn ranks() {
    for (parts, name) in [(1, "ranks"), (5, "ranks after merges")] {
        check(name, 400, 1.0 / 20.0, |rng| {
            const VALUES: u32 = 6000;
            let mut values: Vec<u32> = (0..VALUES).collect();
            for last in (1..values.len()).rev() {
                values.swap(last, rng.below(last as u64 + 1) as usize);
            }
            let sketch = values.chunks(values.len() / parts).map(|part| {
                let mut sketch = Kll::with_seed(20, rng.next_u64()).unwrap();
                for &value in part {
                    sketch.insert(i64::from(value)).unwrap();
                }
                Kll::<i64>::from_bytes(&sketch.to_bytes()).unwrap()
            });
            let merged = sketch.reduce(|mut all, part| {
                all.merge(&part).unwrap();
                all
            });
            let at = i64::from(VALUES / 2);
            (merged.unwrap().rank(&at), f64::from(VALUES / 2 + 1))
        });
    }
}
