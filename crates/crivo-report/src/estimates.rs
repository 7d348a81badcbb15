//! Estimates as text for people.

use crate::{count, number, shown, significant, whole};
use crivo::sketch::{Fact, FactValue};
use crivo::{Estimate, Guarantee, Number, QuantileEstimate};

/// Returns an estimated count and its error bar: `1,235 distinct  (95 %: 1,190 to 1,280)`. The true count is an
/// integer, so the bounds are rounded inwards to integers.
pub fn estimate(estimate: &Estimate, noun: &str) -> String {
    let noun = if noun.is_empty() { String::new() } else { format!(" {noun}") };
    let [value, bar] = estimate_cells(estimate);
    format!("{value}{noun}  {bar}")
}

/// Returns the value and the error bar of an estimated count, which is never negative: `1,235` and `(95 %: 1,190 to
/// 1,280)`.
pub fn estimate_cells(estimate: &Estimate) -> [String; 2] {
    cells_from(0.0, estimate)
}

/// Like [`estimate_cells`], for a count that may be negative, since items were removed more often than they were added.
pub fn signed_cells(estimate: &Estimate) -> [String; 2] {
    cells_from(f64::NEG_INFINITY, estimate)
}

/// The cells of a count that is at least this.
fn cells_from(least: f64, estimate: &Estimate) -> [String; 2] {
    let (mut lower, mut upper) = (estimate.lower().ceil(), estimate.upper().floor());
    if lower > upper {
        (lower, upper) = (estimate.lower().floor(), estimate.upper().ceil());
    }
    (lower, upper) = (lower.max(least), upper.max(least));
    let bar = bar(estimate, &whole(lower), &whole(upper));
    [whole(estimate.value().clamp(lower, upper)), format!("({bar})")]
}

/// Like [`estimate_cells`], for one of many lines below which [`but_for_collisions`] is printed once.
pub fn estimate_cells_in_list(number: &Estimate) -> [String; 2] {
    match number.collision_chance() {
        Some(_) => [whole(number.value()), "(exact)".into()],
        None => estimate_cells(number),
    }
}

/// Returns the note on numbers that are exact unless hashes collide, or `None` if there is no such number.
pub fn but_for_collisions<'a>(numbers: impl IntoIterator<Item = &'a Estimate>) -> Option<String> {
    let chances = numbers.into_iter().filter_map(Estimate::collision_chance);
    let chance = chances.reduce(|sum, chance| (sum + chance).min(1.0))?;
    let chance = significant(chance, 2);
    Some(format!("exact unless hashes collide: the probability of a collision is {chance}"))
}

/// Returns the value and the error bar of a quantile, in the unit of the data.
pub fn quantile_cells(quantile: &QuantileEstimate<Number>) -> [String; 2] {
    quantile_cells_by(quantile, |number| number.to_string())
}

/// Like `quantile_cells`, with values that `show` formats.
pub fn quantile_cells_by(
    quantile: &QuantileEstimate<Number>,
    show: impl Fn(Number) -> String,
) -> [String; 2] {
    let [value, lower, upper] = [quantile.value(), quantile.lower(), quantile.upper()].map(|&it| show(it));
    let bar = if quantile.lower() < quantile.upper() {
        format!("{}: {lower} to {upper}", confidence(quantile.guarantee()))
    } else if quantile.guarantee() == Guarantee::Certain {
        "exact".into()
    } else {
        format!("{}: {lower}", confidence(quantile.guarantee()))
    };
    [value, format!("({bar})")]
}

/// Returns a number of the data with all its digits and without commas.
pub fn value(number: f64) -> String {
    Number::from(number).to_string()
}

/// Returns an estimated probability and its error bar: `0.98 %  (95 %: 0.97 % to 0.99 %)`.
pub fn rate(estimate: &Estimate) -> String {
    let bar = bar(estimate, &percent(estimate.lower()), &percent(estimate.upper()));
    format!("{}  ({bar})", percent(estimate.value()))
}

/// Returns an estimated sum, which is never negative, and its error bar: `5,120  (95 %: 4,900 to 5,340)`. An exact sum has
/// all its digits.
pub fn amount(estimate: &Estimate) -> String {
    if estimate.is_exact() {
        return format!("{}  (exact)", value(estimate.value()));
    }
    let shown = |sum: f64| if (1e3..1e15).contains(&sum) { whole(sum) } else { significant(sum, 4) };
    let bar = bar(estimate, &shown(estimate.lower()), &shown(estimate.upper()));
    format!("{}  ({bar})", shown(estimate.value()))
}

/// Returns a similarity from 0 to 1 with three decimals: `0.812`. Only equal sets have `1.000`.
pub fn alike(similarity: f64) -> String {
    let digits = format!("{similarity:.3}");
    if digits == "1.000" && similarity < 1.0 { "0.999".into() } else { digits }
}

/// Returns a similarity and its error bar: `0.812` and `95 %: 0.79 to 0.83`.
pub fn alike_cells(estimate: &Estimate) -> [String; 2] {
    [alike(estimate.value()), bar(estimate, &alike(estimate.lower()), &alike(estimate.upper()))]
}

fn bar(estimate: &Estimate, lower: &str, upper: &str) -> String {
    if estimate.lower() >= estimate.upper() && estimate.guarantee() == Guarantee::Certain {
        return "exact".into();
    }
    if let Some(chance) = estimate.collision_chance() {
        return format!("exact unless hashes collide: probability {}", significant(chance, 2));
    }
    let confidence = confidence(estimate.guarantee());
    if estimate.upper().is_infinite() {
        return format!("{confidence}: {lower} or more");
    }
    if lower == upper {
        return format!("{confidence}: {lower}");
    }
    format!("{confidence}: {lower} to {upper}")
}

/// Returns how far an interval can be trusted: `95 %`, `at least 95 %` or `certain`.
pub fn confidence(guarantee: Guarantee) -> String {
    match guarantee {
        Guarantee::Certain => "certain".into(),
        Guarantee::Proven { confidence } => format!("at least {}", percent(confidence)),
        Guarantee::Approximate { confidence } => percent(confidence),
    }
}

/// Returns a probability with three significant digits: `1.23 %`, `0.000123 %`.
pub fn percent(probability: f64) -> String {
    format!("{} %", number(probability * 100.0))
}

/// Returns microseconds since 1970 as a date and time: `2026-11-16T02:03:04Z`.
pub fn time(micros: u64) -> String {
    let time = i64::try_from(micros).ok().and_then(|micros| jiff::Timestamp::from_microsecond(micros).ok());
    time.map_or_else(|| format!("{} s", micros / 1_000_000), |time| time.to_string())
}

/// Returns a seed as `--seed` takes it: `0x0000000000000007`.
pub fn seed(seed: u64) -> String {
    format!("{seed:#018x}")
}

/// Returns the value of a fact as text.
pub fn fact(fact: &Fact) -> String {
    match &fact.value {
        FactValue::Count(value) => count(*value),
        FactValue::Seed(value) => seed(*value),
        FactValue::Number(value) => number(*value),
        FactValue::Text(text) => shown(text.as_bytes()),
        FactValue::Rate(value) => rate(value),
        FactValue::Estimate(value) => estimate(value, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages() {
        assert_eq!(
            [percent(0.95), percent(0.009_81), percent(1e-9), percent(0.0)],
            ["95 %", "0.981 %", "1.00e-7 %", "0 %"]
        );
        assert_eq!(percent(1.0), "100 %");
    }

    #[test]
    fn only_counts_with_removals_are_negative() {
        let count = Estimate::exact(-1234.0);
        assert_eq!(estimate_cells(&count), ["0", "(exact)"]);
        assert_eq!(signed_cells(&count), ["-1,234", "(exact)"]);
    }

    #[test]
    fn only_equal_sets_are_wholly_alike() {
        assert_eq!([0.0, 0.8125, 0.999_99, 1.0].map(alike), ["0.000", "0.812", "0.999", "1.000"]);
    }

    #[test]
    fn times() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(1_500_000), "1970-01-01T00:00:01.5Z");
        assert_eq!(time(u64::MAX), "18446744073709 s");
    }
}
