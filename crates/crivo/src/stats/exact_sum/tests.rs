use super::*;
use crate::rng::Rng;

fn sums(numbers: &[f64]) -> (ExactSum, ExactSum) {
    let (mut sum, mut squares) = (ExactSum::new(), ExactSum::new());
    for &number in numbers {
        sum.add(number.into(), 1);
        squares.add_square(number.into(), 1);
    }
    (sum, squares)
}

fn deviation(numbers: &[f64]) -> f64 {
    let (sum, squares) = sums(numbers);
    standard_deviation(&sum, &squares, numbers.len() as u64)
}

#[test]
fn nothing_is_lost() {
    let (sum, _) = sums(&[1e300, 1.0, -1e300, 1e-300, -1.0]);
    assert_eq!(sum.mean(1), 1e-300);
    let (sum, _) = sums(&[f64::MAX, f64::MAX, f64::MAX]);
    assert_eq!(sum.mean(3), f64::MAX);
    let (sum, _) = sums(&[5e-324, 5e-324, -1.5]);
    assert_eq!(sum.mean(3), -0.5);
    let (sum, _) = sums(&[5e-324, -5e-324]);
    assert_eq!(sum.mean(2), 0.0);
    let (sum, _) = sums(&[5e-324; 4]);
    assert_eq!(sum.mean(2), 1e-323);
}

#[test]
fn rounding_is_to_nearest_with_ties_to_even() {
    let tie = 2f64.powi(-53);
    assert_eq!(sums(&[1.0, tie]).0.mean(1), 1.0);
    assert_eq!(sums(&[1.0, tie, 5e-324]).0.mean(1), 1.0f64.next_up());
    assert_eq!(sums(&[1.0f64.next_up(), tie]).0.mean(1), 1.0f64.next_up().next_up());
    assert_eq!(sums(&[-1.0, -tie, -5e-324]).0.mean(1), -1.0f64.next_up());
}

#[test]
fn deviations_of_hard_cases() {
    assert_eq!(deviation(&[0.1; 7]), 0.0);
    let close = |numbers: &[f64], expected: f64| {
        let error = (deviation(numbers) / expected - 1.0).abs();
        assert!(error < 1e-15, "{numbers:?}: off by {error}");
    };
    close(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0], (32.0f64 / 7.0).sqrt());
    // A naive sum of squares loses everything here.
    close(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0], 30f64.sqrt());
    let (least, most) = (5e-324, f64::MAX);
    assert!((deviation(&[least, -least]) - 5e-324 * 2f64.sqrt()).abs() <= 5e-324);
    close(&[most, most / 2.0], most / 8f64.sqrt());
    assert_eq!(deviation(&[most, -most]), f64::INFINITY, "it is larger than any number");
}

/// Compares with 128-bit integers, which hold all sums here.
#[test]
fn whole_numbers_beyond_doubles_are_summed_up_exactly() {
    let mut rng = Rng::new(12);
    for bits in [20, 53, 57, 64] {
        let (mut sum, mut squares) = (ExactSum::new(), ExactSum::new());
        // With at most 57 bits, all squares together have 128.
        let (mut exact, mut exact_square) = (0i128, Some(0u128));
        let mut count = 0;
        for _ in 0..200 {
            let whole = i128::from(rng.next_u64() >> (64 - bits)) - (1 << (bits - 3));
            let times = 1 + rng.below(3);
            sum.add(whole.into(), times);
            squares.add_square(whole.into(), times);
            count += times;
            exact += whole * i128::from(times);
            let square = whole.unsigned_abs().checked_mul(whole.unsigned_abs() * u128::from(times));
            exact_square = exact_square.zip(square).and_then(|(sum, square)| sum.checked_add(square));
        }
        assert_eq!(sum.mean(1), Number::from(exact), "{bits}");
        if let Some(square) = exact_square.and_then(|square| i128::try_from(square).ok()) {
            assert_eq!(squares.mean(1), Number::from(square), "{bits}");
        } else {
            assert_eq!(bits, 64);
        }
        let mean = sum.mean(count).to_f64();
        assert!((mean / (exact as f64 / count as f64) - 1.0).abs() < 1e-15, "{bits}");
    }
    let ids = [9_007_199_254_740_993u64, 9_007_199_254_740_995, 9_007_199_254_740_997];
    let (mut sum, mut squares) = (ExactSum::new(), ExactSum::new());
    for id in ids {
        sum.add(id.into(), 1);
        squares.add_square(id.into(), 1);
    }
    assert_eq!(sum.mean(3), Number::from(ids[1]));
    assert_eq!(standard_deviation(&sum, &squares, 3), 2.0);
}

#[test]
fn order_split_and_times_do_not_matter() {
    let mut rng = Rng::new(7);
    let numbers: Vec<f64> =
        (0..1000).map(|_| (rng.unit() - 0.5) * scalbn(1.0, (rng.below(2000) as i32) - 1000)).collect();
    let (sum, squares) = sums(&numbers);
    let backwards: Vec<f64> = numbers.iter().rev().copied().collect();
    assert_eq!((sum.clone(), squares.clone()), sums(&backwards));
    let (mut first, mut first_squares) = sums(&numbers[..313]);
    let (second, second_squares) = sums(&numbers[313..]);
    first.merge(&second);
    first_squares.merge(&second_squares);
    assert_eq!((first, first_squares), (sum, squares));

    for times in [0, 1, 3, 1 << 30, (1 << 40) + 12345] {
        let (mut at_once, mut squares_at_once) = (ExactSum::new(), ExactSum::new());
        at_once.add((-0.7).into(), times);
        squares_at_once.add_square((-0.7).into(), times);
        let (mut bits, mut squares_of_bits) = (ExactSum::new(), ExactSum::new());
        for bit in (0..64).filter(|bit| times >> bit & 1 == 1) {
            bits.add((-0.7 * scalbn(1.0, bit)).into(), 1);
            squares_of_bits.add_square((-0.7 * scalbn(1.0, bit / 2)).into(), 1 + u64::from(bit % 2 == 1));
        }
        assert_eq!((at_once, squares_at_once), (bits, squares_of_bits), "{times}");
    }
}

#[test]
fn sums_are_in_the_order_of_numbers() {
    let numbers = [-1e300, -1.0, -5e-324, 0.0, 5e-324, 0.5, 1e300];
    for (place, &one) in numbers.iter().enumerate() {
        for (other_place, &other) in numbers.iter().enumerate() {
            let (one, other) = (sums(&[one]).0, sums(&[other, 1.0, -1.0]).0);
            assert_eq!(one.is_at_most(&other), place <= other_place);
        }
    }
}

#[test]
fn unsettled_digits_are_carried_in_time() {
    let mut sum = ExactSum::new();
    sum.unsettled = MOST_UNSETTLED - 3;
    sum.digits = [i64::MAX >> 2; DIGITS];
    let mut expected = sum.settled();
    for _ in 0..10 {
        sum.add((-0.1).into(), u64::MAX);
        expected.merge(&{
            let mut one = ExactSum::new();
            one.add((-0.1).into(), u64::MAX);
            one
        });
    }
    assert_eq!(sum, expected);
    assert!(sum.unsettled < 20);
}

#[test]
fn parts_round_trip() {
    for numbers in [&[][..], &[-1e-200, 3.0, -7e100], &[5e-324], &[f64::MAX, f64::MAX], &[-0.5]] {
        let (sum, squares) = sums(numbers);
        for sum in [sum, squares] {
            let (negative, lowest, digits) = sum.to_parts();
            assert_eq!(ExactSum::from_parts(negative, lowest, &digits), Some(sum));
        }
    }
    for (negative, lowest, digits) in
        [(true, 0, &[][..]), (false, 1, &[]), (false, 0, &[0, 1]), (false, 0, &[1, 0]), (false, DIGITS, &[1])]
    {
        assert_eq!(ExactSum::from_parts(negative, lowest, digits), None);
    }
    assert_eq!(ExactSum::from_parts(false, usize::MAX, &[1]), None);
}
