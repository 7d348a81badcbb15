//! Quantiles of a column's numbers within a relative error of their values.

use crate::{LogQuantiles, Number, QuantileEstimate};
use libm::{ceil, fabs, floor, round};

/// From here on an integer may have been rounded to the nearest `f64`.
const ROUNDED: f64 = 9_007_199_254_740_992.0;

/// Estimates a quantile of numbers between `ends`, which are all integers if `are_whole`. The interval is certain.
pub(super) fn quantile(
    values: &LogQuantiles,
    q: f64,
    [least, greatest]: [Number; 2],
    are_whole: bool,
) -> Option<QuantileEstimate<Number>> {
    let estimate = values.quantile(q).ok()?;
    let number = |number: f64| if are_whole { (number as i128).into() } else { Number::from(number) };
    let within = |number: Number| {
        if number < least {
            least
        } else if number > greatest {
            greatest
        } else {
            number
        }
    };
    let (mut lower, mut value, mut upper) = (*estimate.lower(), *estimate.value(), *estimate.upper());
    if fabs(lower) >= ROUNDED || fabs(upper) >= ROUNDED {
        (lower, upper) = (lower.next_down(), upper.next_up());
    }
    if are_whole {
        (lower, upper) = (ceil(lower), floor(upper));
        value = round(value).clamp(lower, upper);
    }
    let [value, lower, upper] = [value, lower, upper].map(|end| within(number(end)));
    Some(QuantileEstimate::new(value, lower, upper, estimate.guarantee()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2⁶² − 1 is counted as 2⁶², where a bucket begins, and 2⁶² + 1 too.
    #[test]
    fn rounded_integers_stay_inside() {
        let middle = 1i128 << 62;
        for near in [middle - 1, middle + 1] {
            let mut values = LogQuantiles::for_error(0.01).unwrap();
            values.insert(near as f64).unwrap();
            let answer = quantile(&values, 0.5, [(middle - 5).into(), (middle + 5).into()], true).unwrap();
            assert!(*answer.lower() <= near.into() && Number::from(near) <= *answer.upper(), "{answer}");
        }
    }
}
