//! What a sketch of any format can be asked.

use super::Format;
use crate::ForeignItem;
use crivo::foreign::unsupported;
use crivo::sketch::{Fact, FactValue};
use crivo::{Error, Estimate, Number, QuantileEstimate, Result};

/// An item with its frequency.
pub type Frequency = (String, Estimate);

/// The questions to a sketch. What a format cannot answer, it refuses.
pub(crate) trait Answers {
    fn format(&self) -> Format;

    /// The name of the format, with the type of the values where there are several.
    fn full_name(&self) -> &'static str {
        self.format().name()
    }

    fn bytes(&self) -> Vec<u8>;

    /// What describes the sketch, in an order for people.
    fn facts(&self) -> Vec<Fact>;

    fn cardinality_within(&self, _confidence: f64) -> Result<Estimate> {
        Err(self.refusal("does not count distinct items"))
    }

    fn number_quantiles(&self, _qs: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        Err(self.no_quantiles())
    }

    /// The number of all values or occurrences.
    fn occurrences(&self) -> Result<u64> {
        Err(self.refusal("does not count occurrences"))
    }

    fn frequency_within(&self, _item: ForeignItem<'_>, _confidence: f64) -> Result<Estimate> {
        Err(self.refusal("does not know how often an item occurs"))
    }

    /// All kept items, the most frequent first, and the greatest frequency that another item can have.
    fn most_frequent(&self) -> Result<(Vec<Frequency>, u64)> {
        Err(self.refusal("does not keep its most frequent items; a sketch of frequent items does"))
    }

    fn has(&self, _item: ForeignItem<'_>) -> Result<bool> {
        Err(self.refusal("is no filter"))
    }

    fn no_quantiles(&self) -> Error {
        self.refusal("has no quantiles of numbers; KLL and REQ sketches of numbers and t-digests have")
    }

    /// The false-positive rate.
    fn rate(&self) -> Result<f64> {
        Err(self.refusal("is no filter"))
    }

    fn refusal(&self, what: &str) -> Error {
        unsupported(format!("a {} {what}", self.full_name()))
    }
}

pub(crate) fn count(name: &'static str, value: u64) -> Fact {
    Fact { name, value: FactValue::Count(value) }
}

pub(crate) fn number(name: &'static str, value: f64) -> Fact {
    Fact { name, value: FactValue::Number(value) }
}

pub(crate) fn text(name: &'static str, value: impl Into<String>) -> Fact {
    Fact { name, value: FactValue::Text(value.into()) }
}

pub(crate) fn estimate(name: &'static str, value: Estimate) -> Fact {
    Fact { name, value: FactValue::Estimate(value) }
}
