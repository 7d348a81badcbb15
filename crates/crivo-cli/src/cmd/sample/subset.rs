//! The part of all records, or of their weight, for which a condition holds.

use super::drawn::Drawn;
use crate::args::Where;
use crivo::Estimate;
use crivo_report::{Page, Records, amount, as_bar, estimate, rate};
use serde::Serialize;

/// `weight` is the weight of all records, and null without --weight; then the sum is a number of records.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "subset")]
pub(super) struct Subset {
    r#where: String,
    #[serde(serialize_with = "as_bar")]
    share: Estimate,
    #[serde(serialize_with = "as_bar")]
    sum: Estimate,
    weight: Option<f64>,
}

impl Subset {
    /// `None` if the sample has no sums.
    pub(super) fn new(drawn: &Drawn, condition: &Where) -> Option<Self> {
        let [sum, share] = drawn.subset(condition)?;
        Some(Self { r#where: condition.text.clone(), share, sum, weight: drawn.total_weight() })
    }

    pub(super) fn text(&self, page: &mut Page) {
        if self.weight.is_some() {
            page.line(&format!("share of the weight: {}", rate(&self.share)));
            page.line(&format!("sum of the weights: {}", amount(&self.sum)));
        } else {
            page.line(&format!("share of the records: {}", rate(&self.share)));
            page.line(&format!("records: {}", estimate(&self.sum, "")));
        }
    }

    pub(super) fn records(&self, records: &mut Records) {
        records.row(self);
    }
}
