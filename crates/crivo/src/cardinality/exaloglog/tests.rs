use super::estimator::{Evidence, Law};
use super::registers::largest_value;
use super::tokens::{hash_of, is_valid};
use super::*;
use crate::ErrorKind;
use crate::cardinality::precision::{MAX_PRECISION, MIN_PRECISION};
use crate::rng::Rng;
use alloc::format;
use libm::{exp, expm1, pow};

/// Returns a sketch of random hashes.
fn filled(precision: u8, items: u64) -> ExaLogLog {
    let mut rng = Rng::new(items);
    let mut sketch = ExaLogLog::for_precision(precision).unwrap();
    (0..items).for_each(|_| {
        sketch.insert_hash(rng.next_u64());
    });
    sketch
}

fn evidence(sketch: &ExaLogLog) -> Evidence {
    let Form::Dense(registers) = &sketch.form else { panic!("{sketch:?} has no registers") };
    Evidence::of(registers, sketch.precision.into())
}

/// Returns −log₂ of the probability of a value.
fn exponent(value: u32, precision: u32) -> u32 {
    (3 + (value - 1) / 4).min(64 - precision)
}

#[test]
fn a_register_by_hand() {
    let mut sketch = ExaLogLog::for_precision(4).unwrap();
    let hash = |zeros: u32, sub: u64| 1 << (63 - zeros) | 9 << 2 | sub;
    // Values 9, 15, 12 and 1 in register 9: the bits of 12, 9, 1, and of 0, which always counts as seen.
    for (zeros, sub) in [(2, 0), (3, 2), (2, 3), (0, 0)] {
        sketch.insert_hash(hash(zeros, sub));
    }
    let bit = |value: u32| 1 << (20 - (15 - value));
    assert_eq!(sketch.registers()[9], 15 << 20 | bit(12) | bit(9) | bit(1) | bit(0));
    assert_eq!(sketch.registers().iter().filter(|&&state| state != 0).count(), 1);
}

#[test]
fn the_evidence_is_what_the_registers_show() {
    for (precision, items) in [(4u8, 13u64), (4, 100), (6, 100_000), (10, 5000), (18, 10_000)] {
        let mut sketch = filled(precision, items);
        // Including values at the maximum.
        for hash in 0..200 {
            sketch.insert_hash(hash << (hash % 50));
        }
        let mut came = 0;
        let mut missing = 0u128;
        let p = u32::from(precision);
        for state in sketch.registers() {
            let largest = state >> 20;
            for value in 1.max(largest.saturating_sub(20))..=largest_value(p) {
                if value == largest || value < largest && state >> (20 - (largest - value)) & 1 == 1 {
                    came += 1;
                } else {
                    missing += 1 << (64 - p - exponent(value, p));
                }
            }
        }
        let evidence = evidence(&sketch);
        assert_eq!((evidence.came.iter().sum::<u32>(), evidence.missing), (came, missing), "{precision}");
    }
}

/// The moments of order 0 to 3 of a sum of independent parts.
type Moments = [f64; 4];

fn plus(sum: Moments, part: Moments) -> Moments {
    let [s0, s1, s2, s3] = sum;
    let [p0, p1, p2, p3] = part;
    [
        s0 * p0,
        s1 * p0 + s0 * p1,
        s2 * p0 + 2.0 * s1 * p1 + s0 * p2,
        s3 * p0 + 3.0 * (s2 * p1 + s1 * p2) + s0 * p3,
    ]
}

fn mixture(a: Moments, b: Moments) -> Moments {
    core::array::from_fn(|i| a[i] + b[i])
}

/// Returns the moments of `a` in an event of this probability.
fn event(chance: f64, a: f64) -> Moments {
    [chance, chance * a, chance * a * a, chance * a * a * a]
}

/// Returns the moments of a + b(c − x) over c Poisson with mean x, without c = 0 if `some`.
fn poisson(a: f64, b: f64, x: f64, some: bool) -> Moments {
    let all = [1.0, a, a * a + b * b * x, a * a * a + 3.0 * a * b * b * x + b * b * b * x];
    let none = event(if some { exp(-x) } else { 0.0 }, a - b * x);
    core::array::from_fn(|i| all[i] - none[i])
}

/// Follows one register, value by value from the largest on: in state 0 none has occurred yet, in state i the
/// largest occurred i values ago, and the last state looks no further. Returns the moments of the part of the
/// score that `share` of the register's own number of items does not explain, and the mean of score times
/// curvature.
fn one_register(load: f64, precision: u32, share: f64) -> (Moments, f64) {
    const STATES: usize = 22;
    let mut residual = [[0.0; 4]; STATES + 1];
    residual[0][0] = 1.0;
    // The sums of 1, s, t and st, for score s and curvature t.
    let mut joint = [[0.0; 4]; STATES + 1];
    joint[0][0] = 1.0;
    let then = |[n, s, t, st]: [f64; 4], chance: f64, score: f64, curvature: f64| {
        let product = st + s * curvature + t * score + n * score * curvature;
        [n, s + n * score, t + n * curvature, product].map(|sum| sum * chance)
    };
    for value in (1..=largest_value(precision)).rev() {
        let x = load * pow(2.0, -f64::from(exponent(value, precision)));
        let (chance, score) = (-expm1(-x), x / expm1(x));
        let curvature = -score * (x + score);
        let came = poisson(score, -share, x, true);
        let not = event(1.0 - chance, share * x - x);
        let unseen = poisson(0.0, -share, x, false);
        let (before, joint_before) = (residual, joint);
        residual = [[0.0; 4]; STATES + 1];
        joint = [[0.0; 4]; STATES + 1];
        let mut add = |state: usize, moments: Moments, sums: [f64; 4]| {
            residual[state] = mixture(residual[state], moments);
            joint[state] = mixture(joint[state], sums);
        };
        for state in 0..STATES {
            // A value is shown unless the largest is more than twenty above it.
            if state == STATES - 1 {
                add(state, plus(before[state], unseen), joint_before[state]);
                continue;
            }
            add(state + 1, plus(before[state], came), then(joint_before[state], chance, score, curvature));
            let next = if state == 0 { 0 } else { state + 1 };
            add(next, plus(before[state], not), then(joint_before[state], 1.0 - chance, -x, 0.0));
        }
    }
    (residual.into_iter().fold([0.0; 4], mixture), joint.iter().map(|sums| sums[3]).sum())
}

#[test]
fn the_law_is_the_theory() {
    for precision in [4u32, 11, 18] {
        let end = pow(2.0, 60.0 - f64::from(precision));
        for load in [0.02, 0.3, 1.0, 2.5, 10.0, 100.0, 5000.0, 3e6, end, 16.0 * end] {
            let (score, product) = one_register(load, precision, 0.0);
            let information = score[2];
            let (residual, _) = one_register(load, precision, information / load);
            let curvature = -(score[3] + product);
            let rest = 1.0 - information / load;
            let variance = residual[2] / (information * information);
            let third = (residual[3] + 3.0 * rest * rest * curvature) / pow(information, 3.0);
            let derived =
                [variance, curvature / (2.0 * information * information), third / pow(variance, 1.5)];
            let law = Law::at(load, precision);
            for (ours, theirs) in [law.variance, law.bias, law.skewness].into_iter().zip(derived) {
                let gap = (ours - theirs).abs() / theirs.abs().max(1.0);
                assert!(gap < 1e-6, "precision {precision}, load {load}: {ours} {theirs}");
            }
            assert!(residual[1].abs() < 1e-9 && (residual[0] - 1.0).abs() < 1e-9);
        }
    }
}

/// The limit law is the same at every precision, and its variance is the 0.132 of the page.
#[test]
fn the_limit_is_a_limit() {
    for precision in MIN_PRECISION..=MAX_PRECISION {
        let limit = Law::limit(precision.into());
        assert!((limit.variance - 0.132_03).abs() < 1e-5, "{}", limit.variance);
        for load in [1e5, 3e5, 7e6, 1e9] {
            let law = Law::at(load, precision.into());
            assert!((law.variance - limit.variance).abs() < 3e-5, "{precision} {load}");
            assert!((law.skewness - limit.skewness).abs() < 1e-2, "{precision} {load}");
        }
    }
}

#[test]
fn the_set_decides_the_form() {
    let spec = HashSpec::default();
    for precision in MIN_PRECISION..=MAX_PRECISION {
        let mut sketch = ExaLogLog::for_precision(precision).unwrap();
        let limit = sparse_limit(precision) as u64;
        for i in 0..limit {
            sketch.insert_hash(spec.hash(&i));
            sketch.insert_hash(spec.hash(&(i / 2)));
        }
        // Two of at most 4,096 items may share a token: the form changes an item or two later.
        assert!(sketch.is_sparse(), "{precision}");
        assert!(sketch.estimate().value() >= limit as f64 - 2.0, "{precision}");
        let dense_bytes = size_of::<ExaLogLog>() + bytes_of(precision);
        assert!(sketch.memory_bytes() <= dense_bytes, "{precision}: {}", sketch.memory_bytes());
        let sparse_file = sketch.to_bytes().len();
        (limit..limit + 3).for_each(|i| {
            sketch.insert_hash(spec.hash(&i));
        });
        assert!(!sketch.is_sparse(), "{precision}");
        assert!(sparse_file <= sketch.to_bytes().len(), "{precision}");
    }
}

#[test]
fn tokens_stand_for_their_hashes() {
    let mut rng = Rng::new(1);
    for _ in 0..2000 {
        // Many leading zeros, so that they reach into the low bits.
        let hash = rng.next_u64() >> rng.below(64);
        let token = token_of(hash);
        assert!(is_valid(token));
        assert_eq!(token_of(hash_of(token)), token);
        for precision in [4, 11, 13] {
            let of = |hash| {
                let mut registers = Registers::of_tokens(&Entries::default(), precision);
                registers.take(hash, precision.into());
                registers
            };
            assert!(of(hash) == of(hash_of(token)), "{hash:#x} {precision}");
        }
    }
    // Equal low bits and equally many zeros: Σ 4^(−1−z) for z below 38, and 4^(−38).
    let zeros = (0..38).map(|z| pow(4.0, -1.0 - f64::from(z))).sum::<f64>() + pow(4.0, -38.0);
    assert!((zeros / f64::from(1 << 26) * PLACES - 1.0).abs() < 1e-15);
}

#[test]
fn any_confidence_has_an_answer() {
    let mut sketch = ExaLogLog::for_precision(4).unwrap();
    for i in 0..2000u32 {
        sketch.insert(&i);
        let estimate = sketch.estimate_at(1.0 - f64::EPSILON).unwrap();
        assert!(estimate.contains(f64::from(i + 1)), "{i}: {estimate}");
        let narrow = sketch.estimate_at(f64::EPSILON).unwrap();
        assert!(narrow.upper() - narrow.lower() <= 2.0 + 0.1 * f64::from(i), "{narrow}");
    }
}

#[test]
fn a_saturated_sketch_has_a_lower_bound_only() {
    for precision in [4, 9] {
        let mut sketch = ExaLogLog::for_precision(precision).unwrap();
        let end = 62 - u32::from(precision);
        for register in 0..1u64 << precision {
            for zeros in (end - 6..=end).rev() {
                let one = if zeros == end { 0 } else { 1u64 << (63 - zeros) };
                for sub in 0..4 {
                    let estimate = sketch.estimate();
                    assert!(estimate.value().is_finite() && estimate.lower().is_finite(), "{estimate}");
                    sketch.insert_hash(one | register << 2 | sub);
                }
            }
        }
        let estimate = sketch.estimate();
        assert!(estimate.lower() > 1e19 && estimate.value().is_finite(), "{estimate}");
        assert!(estimate.upper().is_infinite());
        assert_eq!(evidence(&sketch).missing, 0);
    }
}

#[test]
fn values_reach_their_ends() {
    for precision in [4u8, 18] {
        let mut sketch = ExaLogLog::for_precision(precision).unwrap();
        for hash in [0, 3, u64::MAX, 1, 1 << 63] {
            sketch.insert_hash(hash);
        }
        let registers = sketch.registers();
        let largest = largest_value(precision.into());
        // Values up to the largest, and 1.
        assert_eq!(registers[0], largest << 20 | 0b011 << 17);
        assert_eq!(*registers.last().unwrap(), 4 << 20 | 1 << 16);
        assert_eq!(ExaLogLog::from_bytes(&sketch.to_bytes()).unwrap(), sketch);
    }
}

/// Many single bits of a register are impossible: each is refused.
#[test]
fn impossible_registers_are_refused() {
    let sketch = filled(4, 100);
    let registers = sketch.registers();
    let try_with = |i: usize, state: u32| {
        let mut states = registers.clone();
        states[i] = state;
        let packed: Vec<u8> = states
            .chunks(2)
            .flat_map(|pair| (u64::from(pair[0]) | u64::from(pair[1]) << 28).to_le_bytes()[..7].to_vec())
            .collect();
        Registers::from_bytes(&packed, 4).is_some()
    };
    assert!((0..16).all(|i| try_with(i, registers[i]) && try_with(i, 0)));
    let end = largest_value(4);
    assert!(try_with(3, end << 20 | 0xf_ffff) && try_with(4, 21 << 20) && try_with(4, 20 << 20 | 1));
    // Beyond the maximum; a window without a largest value; one without the bit of 0; bits below that.
    for impossible in [(end + 1) << 20, 255 << 20, 1, 1 << 19, 20 << 20, 5 << 20, 5 << 20 | 1 << 15 | 1] {
        assert!(!try_with(0, impossible) && !try_with(15, impossible), "{impossible:#x}");
    }
    let mut short = sketch.to_bytes();
    short.truncate(60);
    assert!(ExaLogLog::from_bytes(&short).is_err());
}

#[test]
fn targets_choose_the_precision() {
    let error = |e: f64| ExaLogLog::for_error(e).map(|sketch| sketch.precision());
    assert_eq!((error(0.7), error(0.02), error(0.011)), (Ok(4), Ok(11), Ok(13)));
    assert!(ExaLogLog::for_memory(100).is_err());
    assert_eq!(ExaLogLog::for_memory(u64::MAX).unwrap().precision(), 18);
    assert_eq!(ExaLogLog::for_standard_error(0.01).unwrap().precision(), 11);
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-9] {
        assert_eq!(error(bad).unwrap_err().kind(), ErrorKind::InvalidArgument, "{bad}");
        assert!(ExaLogLog::for_standard_error(bad).is_err(), "{bad}");
    }
    for precision in [0, 3, 19, 64, 255] {
        assert!(ExaLogLog::for_precision(precision).is_err(), "{precision}");
    }
    let sketch = ExaLogLog::for_precision(10).unwrap();
    assert!(sketch.fold(3).is_err() && sketch.fold(11).is_err());
    assert!(sketch.estimate_at(1.0).is_err());
}

#[test]
fn unlike_sketches_do_not_merge() {
    let mut sketch = ExaLogLog::for_precision(10).unwrap();
    sketch.insert("kept");
    let before = sketch.clone();
    let others = [
        (ExaLogLog::for_precision(11).unwrap(), "precision: 10 and 11"),
        (ExaLogLog::for_precision(10).unwrap().with_hash(HashSpec::seeded(9)), "hash"),
    ];
    for (other, field) in others {
        let error = sketch.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(format!("{error}").contains(field), "{error}");
        assert_eq!(sketch, before);
    }
}
