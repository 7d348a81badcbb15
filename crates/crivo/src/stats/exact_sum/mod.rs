//! Sums of numbers without rounding.

use crate::Number;
use alloc::vec::Vec;
use libm::{fabs, scalbn, sqrt};

/// The exponent of the lowest digit: below every square of a number (2⁻²¹⁴⁸), and a multiple of the digit size.
const LOWEST: i32 = -2176;
/// The number of digits. They reach 2²³⁶⁸, more than 2⁶⁴ times the square of a sum of 2⁶⁴ of the largest numbers.
const DIGITS: usize = 142;
/// The number of additions before carries must be settled: digits have 32 bits, in 64-bit words.
const MOST_UNSETTLED: u32 = 1 << 29;
/// The index of the ones digit.
const ONES: usize = (-LOWEST / 32) as usize;
/// Quotients from 2⁵³ on are integers.
const SPARSE: f64 = 9_007_199_254_740_992.0;

/// A sum of numbers, or of their squares, that is rounded only when it is read. So it does not depend on the order of
/// the numbers, nor on how they were split and merged.
///
/// It is a fixed-point number that reaches from the square of the least number to beyond 2⁶⁴ squares of the largest: no
/// square overflows, and none underflows.
#[derive(Clone, Debug)]
pub(crate) struct ExactSum {
    digits: [i64; DIGITS],
    unsettled: u32,
}

impl ExactSum {
    pub(crate) const fn new() -> Self {
        Self { digits: [0; DIGITS], unsettled: 0 }
    }

    /// Adds a finite number `times` times.
    #[inline]
    pub(crate) fn add(&mut self, number: Number, times: u64) {
        let (nearest, rest) = number.parts();
        for part in [Scaled::from_f64(nearest), Scaled::from_integer(rest)] {
            if part.mantissa != 0 {
                let mantissa = u128::from(part.mantissa) * u128::from(times);
                self.add_scaled(part.negative, mantissa, part.exponent);
            }
        }
    }

    /// Adds the square of a finite number `times` times.
    #[inline]
    pub(crate) fn add_square(&mut self, number: Number, times: u64) {
        let (nearest, rest) = number.parts();
        let nearest = Scaled::from_f64(nearest);
        self.add_times_product(nearest, nearest, times);
        if rest != 0 {
            // (a + b)² = a² + 2·a·b + b².
            let (rest, twice) =
                (Scaled::from_integer(rest), Scaled { exponent: nearest.exponent + 1, ..nearest });
            self.add_times_product(twice, rest, times);
            self.add_times_product(rest, rest, times);
        }
    }

    #[inline]
    fn add_times_product(&mut self, one: Scaled, other: Scaled, times: u64) {
        let product = u128::from(one.mantissa) * u128::from(other.mantissa);
        let (negative, exponent) = (one.negative != other.negative, one.exponent + other.exponent);
        // A count times half of the product has 128 bits.
        for (half, exponent) in [(product as u64, exponent), ((product >> 64) as u64, exponent + 64)] {
            if half != 0 {
                self.add_scaled(negative, u128::from(half) * u128::from(times), exponent);
            }
        }
    }

    /// Adds ±mantissa·2^exponent, which must not be smaller than the square of the least number.
    #[inline]
    fn add_scaled(&mut self, negative: bool, mantissa: u128, exponent: i32) {
        if self.unsettled == MOST_UNSETTLED {
            self.settle();
        }
        self.unsettled += 1;
        let place = (exponent - LOWEST) as u32;
        let (first, shift) = ((place / 32) as usize, place % 32);
        // 128 bits with a shift of less than 32 take at most five digits.
        let low = mantissa << shift;
        let high = if shift == 0 { 0 } else { (mantissa >> (128 - shift)) as i64 };
        let parts = [low as u32, (low >> 32) as u32, (low >> 64) as u32, (low >> 96) as u32].map(i64::from);
        let Some(digits) = self.digits.get_mut(first..first + 5) else { return };
        for (digit, part) in digits.iter_mut().zip(parts.into_iter().chain([high])) {
            *digit += if negative { -part } else { part };
        }
    }

    /// Adds the product of two digits at a place.
    fn add_product(&mut self, place: usize, one: i64, other: i64, negative: bool) {
        let product = one as u64 * other as u64;
        let (low, high) = (i64::from(product as u32), (product >> 32) as i64);
        for (digit, part) in [(place, low), (place + 1, high)] {
            if let Some(digit) = self.digits.get_mut(digit) {
                *digit += if negative { -part } else { part };
            }
        }
    }

    /// Settles carries, so that all digits except the highest are 0 to 2³² − 1. This form of a sum is unique.
    fn settle(&mut self) {
        let mut carry = 0;
        for digit in &mut self.digits[..DIGITS - 1] {
            let sum = *digit + carry;
            *digit = sum & 0xffff_ffff;
            carry = sum >> 32;
        }
        self.digits[DIGITS - 1] = self.digits[DIGITS - 1].wrapping_add(carry);
        self.unsettled = 1;
    }

    pub(crate) fn settled(&self) -> Self {
        let mut copy = self.clone();
        copy.settle();
        copy
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.settle();
        for (digit, theirs) in self.digits.iter_mut().zip(other.settled().digits) {
            *digit = digit.wrapping_add(theirs);
        }
        self.settle();
    }

    /// Returns whether the sum is negative, the place of its lowest non-zero digit, and all digits from there to the
    /// highest non-zero one.
    pub(crate) fn to_parts(&self) -> (bool, usize, Vec<u32>) {
        let (negative, digits) = self.magnitude();
        let (Some(lowest), Some(highest)) =
            (digits.iter().position(|&digit| digit != 0), digits.iter().rposition(|&digit| digit != 0))
        else {
            return (false, 0, Vec::new());
        };
        (negative, lowest, digits[lowest..=highest].iter().map(|&digit| digit as u32).collect())
    }

    /// Builds the sum from these parts; returns `None` if they are not the parts of a sum.
    pub(crate) fn from_parts(negative: bool, lowest: usize, digits: &[u32]) -> Option<Self> {
        let mut sum = Self::new();
        let places = sum.digits.get_mut(lowest..lowest.checked_add(digits.len())?)?;
        for (place, &digit) in places.iter_mut().zip(digits) {
            *place = if negative { -i64::from(digit) } else { digit.into() };
        }
        sum.settle();
        let is_trimmed = digits.first() != Some(&0) && digits.last() != Some(&0);
        let is_plain_zero = !digits.is_empty() || (!negative && lowest == 0);
        (is_trimmed && is_plain_zero).then_some(sum)
    }

    /// Returns whether the sum is at most another.
    pub(crate) fn is_at_most(&self, other: &Self) -> bool {
        // Settled digits are compared from the highest down; only the highest has a sign.
        self.settled().digits.iter().rev().le(other.settled().digits.iter().rev())
    }

    /// Returns whether the sum is negative, and its digits without the sign.
    fn magnitude(&self) -> (bool, [i64; DIGITS]) {
        let mut settled = self.settled();
        let negative = settled.digits[DIGITS - 1] < 0;
        if negative {
            settled.digits = settled.digits.map(i64::wrapping_neg);
            settled.settle();
        }
        (negative, settled.digits)
    }

    /// Returns the sum as m·2^e, with m rounded to the nearest `f64`.
    fn scaled(&self) -> (f64, i32) {
        let (negative, digits) = self.magnitude();
        let Some(highest) = digits.iter().rposition(|&digit| digit != 0) else { return (0.0, 0) };
        let lowest = highest.saturating_sub(3);
        let mut mantissa = digits[lowest..=highest].iter().rev().fold(0u128, |m, &d| m << 32 | d as u128);
        // The digits that are cut off only distinguish a tie from more than a tie.
        mantissa |= u128::from(digits[..lowest].iter().any(|&digit| digit != 0));
        let rounded = mantissa as f64;
        (if negative { -rounded } else { rounded }, LOWEST + 32 * lowest as i32)
    }

    /// Returns the sum divided by a count, as accurate as a number can be except for the rounding of both; infinite
    /// only if the quotient is.
    pub(crate) fn mean(&self, count: u64) -> Number {
        let (mantissa, exponent) = self.scaled();
        let quotient = scalbn(mantissa / count as f64, exponent);
        match self.whole_mean(count) {
            Some(whole) if fabs(quotient) >= SPARSE => whole,
            _ => Number::from(quotient),
        }
    }

    /// Returns the integer nearest to the quotient, unless the sum is very large.
    fn whole_mean(&self, count: u64) -> Option<Number> {
        let (negative, digits) = self.magnitude();
        let [whole @ .., top] = digits.get(ONES..ONES + 4)? else { return None };
        if digits[ONES + 4..].iter().any(|&digit| digit != 0) || *top >> 30 != 0 {
            return None;
        }
        let sum = whole.iter().rev().fold(*top as u128, |sum, &digit| sum << 32 | digit as u128);
        let count = u128::from(count);
        let quotient = (sum / count + u128::from(2 * (sum % count) >= count)) as i128;
        Some(Number::from(if negative { -quotient } else { quotient }))
    }
}

impl PartialEq for ExactSum {
    fn eq(&self, other: &Self) -> bool {
        self.settled().digits == other.settled().digits
    }
}

/// Returns the standard deviation of `count` numbers, at least two, with this sum and this sum of squares: √((n·Σx² −
/// (Σx)²) / (n·(n−1))), where the difference is not rounded. So equal numbers have a deviation of 0, and a small
/// deviation next to a large mean keeps all its digits.
pub(crate) fn standard_deviation(sum: &ExactSum, squares: &ExactSum, count: u64) -> f64 {
    let mut difference = ExactSum::new();
    let count_digits = [count & 0xffff_ffff, count >> 32];
    for (place, &digit) in squares.settled().digits.iter().enumerate() {
        for (above, &part) in count_digits.iter().enumerate() {
            difference.add_product(place + above, digit, part as i64, false);
        }
    }
    difference.settle();
    let (_, digits) = sum.magnitude();
    // A number is a multiple of 2^-1074, so the lowest digits of a sum are unused, and places do not fall below 0.
    let used = || digits.iter().enumerate().filter(|&(_, &digit)| digit != 0);
    for (place, &digit) in used() {
        for (other_place, &other) in used() {
            difference.add_product((place + other_place).saturating_sub(ONES), digit, other, true);
        }
    }
    let (mantissa, exponent) = difference.scaled();
    let n = count as f64;
    let (mantissa, exponent) =
        if exponent % 2 == 0 { (mantissa, exponent) } else { (mantissa * 2.0, exponent - 1) };
    scalbn(sqrt(mantissa.max(0.0) / n / (n - 1.0)), exponent / 2)
}

/// ±mantissa·2^exponent.
#[derive(Clone, Copy)]
struct Scaled {
    negative: bool,
    mantissa: u64,
    exponent: i32,
}

impl Scaled {
    /// Converts a finite number.
    #[inline]
    fn from_f64(number: f64) -> Self {
        debug_assert!(number.is_finite());
        let bits = number.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let field = (bits >> 52) as i32 & 0x7ff;
        let mantissa = if field == 0 { fraction } else { fraction | 1 << 52 };
        Self { negative: number.is_sign_negative(), mantissa, exponent: field.max(1) - 1075 }
    }

    #[inline]
    fn from_integer(number: i64) -> Self {
        Self { negative: number < 0, mantissa: number.unsigned_abs(), exponent: 0 }
    }
}

#[cfg(test)]
mod tests;
