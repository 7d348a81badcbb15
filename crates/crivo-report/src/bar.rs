//! Estimates with their error bars, in `--json`.

use crivo::{DEFAULT_CONFIDENCE, Estimate, Guarantee, QuantileEstimate};
use serde::Serialize;
use serde::ser::Serializer;

/// An estimate with its error bar. The confidence of a certain estimate is 1, and an infinite upper bound is null.
/// If an answer is exact except for hash collisions, the bar has no length, and `collision_chance` is the
/// probability that two items share a hash.
#[derive(Debug, Serialize)]
pub struct Bar {
    value: f64,
    lower: f64,
    upper: Option<f64>,
    /// Whether the bar has no length and the guarantee is certain.
    exact: bool,
    guarantee: &'static str,
    confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    collision_chance: Option<f64>,
}

impl Bar {
    /// Creates the bar of an exact value.
    pub fn exact(value: f64) -> Self {
        Self {
            value,
            lower: value,
            upper: Some(value),
            exact: true,
            guarantee: Guarantee::Certain.name(),
            confidence: 1.0,
            collision_chance: None,
        }
    }

    /// Creates the bar of a value whose bounds hold with about the default confidence.
    pub fn approximate(value: f64, lower: f64, upper: f64) -> Self {
        let guarantee = Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE };
        let (name, confidence) = (guarantee.name(), guarantee.confidence());
        let upper = Some(upper).filter(|upper| upper.is_finite());
        Self { value, lower, upper, exact: false, guarantee: name, confidence, collision_chance: None }
    }

    /// Divides value and bounds by `whole`.
    #[must_use]
    pub fn share_of(self, whole: f64) -> Self {
        let share = |part: f64| if whole == 0.0 { 0.0 } else { part / whole };
        Self { value: share(self.value), lower: share(self.lower), upper: self.upper.map(share), ..self }
    }

    /// Raises negative values and bounds to 0, for a number that cannot be negative although the sketch allows it.
    #[must_use]
    pub fn not_negative(self) -> Self {
        Self { value: self.value.max(0.0), lower: self.lower.max(0.0), ..self }
    }
}

impl From<Estimate> for Bar {
    fn from(estimate: Estimate) -> Self {
        let guarantee = estimate.guarantee();
        Self {
            value: estimate.value(),
            lower: estimate.lower(),
            upper: Some(estimate.upper()).filter(|upper| upper.is_finite()),
            exact: guarantee == Guarantee::Certain && estimate.lower() >= estimate.upper(),
            guarantee: guarantee.name(),
            confidence: guarantee.confidence(),
            // Three digits, like the text: the formula is not more precise.
            collision_chance: estimate
                .collision_chance()
                .and_then(|chance| format!("{chance:.2e}").parse().ok()),
        }
    }
}

/// Serialises an estimate as a [`Bar`], for fields of records.
///
/// # Errors
/// The errors of the serializer.
pub fn as_bar<S: Serializer>(estimate: &Estimate, serializer: S) -> Result<S::Ok, S::Error> {
    Bar::from(*estimate).serialize(serializer)
}

/// Serialises an estimate as a [`Bar`], or as null if there is none, for fields of records.
///
/// # Errors
/// The errors of the serializer.
pub fn as_bar_or_null<S: Serializer>(estimate: &Option<Estimate>, serializer: S) -> Result<S::Ok, S::Error> {
    estimate.map(Bar::from).serialize(serializer)
}

/// Serialises a number of the data as a [`Number`], for fields of records.
///
/// # Errors
/// The errors of the serializer.
pub fn as_number<S: Serializer>(number: &crivo::Number, serializer: S) -> Result<S::Ok, S::Error> {
    Number::from(*number).serialize(serializer)
}

/// A number of the data. A whole number has all its digits and no decimal point; an infinite number is the text
/// `inf` or `-inf`.
#[derive(Clone, Copy, Debug)]
pub struct Number(crivo::Number);

impl<T: Into<crivo::Number>> From<T> for Number {
    fn from(number: T) -> Self {
        Self(number.into())
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0.to_integer(), self.0.to_f64()) {
            (Some(whole), _) => serializer.serialize_i128(whole),
            (None, number) if number.is_infinite() => serializer.collect_str(&number),
            (None, number) => serializer.serialize_f64(number),
        }
    }
}

/// A value on the axis of the data: a number, or the text of a time.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Point {
    /// A number.
    Number(Number),
    /// The text of a time.
    Time(String),
}

/// Like [`Bar`], in the unit of the data.
#[derive(Debug, Serialize)]
pub struct QuantileBar {
    value: Point,
    lower: Point,
    upper: Point,
    exact: bool,
    guarantee: &'static str,
    confidence: f64,
}

impl QuantileBar {
    /// Creates the bar of a quantile whose values `point` converts.
    pub fn new(quantile: &QuantileEstimate<crivo::Number>, point: impl Fn(crivo::Number) -> Point) -> Self {
        let guarantee = quantile.guarantee();
        Self {
            value: point(*quantile.value()),
            lower: point(*quantile.lower()),
            upper: point(*quantile.upper()),
            exact: guarantee == Guarantee::Certain && quantile.lower() >= quantile.upper(),
            guarantee: guarantee.name(),
            confidence: guarantee.confidence(),
        }
    }
}

impl From<&QuantileEstimate<crivo::Number>> for QuantileBar {
    fn from(quantile: &QuantileEstimate<crivo::Number>) -> Self {
        Self::new(quantile, |number| Point::Number(number.into()))
    }
}

/// The error bar of a count, or of a value of the data.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum AnyBar {
    /// A count.
    Number(Bar),
    /// A value of the data.
    Value(QuantileBar),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_certain_bar_without_length_is_exact() {
        let json = |bar: Bar| crate::json_text(&bar);
        assert_eq!(
            json(Bar::exact(12.0)),
            r#"{"value":12,"lower":12,"upper":12,"exact":true,"guarantee":"certain","confidence":1}"#
        );
        assert_eq!(
            json(Bar::approximate(12.5, 12.0, 13.0)),
            r#"{"value":12.5,"lower":12,"upper":13,"exact":false,"guarantee":"approximate","confidence":0.95}"#
        );
        let of = |estimate| json(Bar::from(estimate));
        assert!(of(Estimate::exact(3.0)).contains(r#""exact":true"#));
    }

    #[test]
    fn whole_numbers_have_no_point() {
        let json = |number: crivo::Number| serde_json::to_string(&Number::from(number)).unwrap();
        let numbers = [250.0, -1.0, 0.5, -0.0, f64::NEG_INFINITY].map(|it| json(it.into()));
        assert_eq!(numbers, ["250", "-1", "0.5", "0", "\"-inf\""]);
        assert_eq!(json((1i128 << 53 | 1).into()), "9007199254740993");
    }
}
