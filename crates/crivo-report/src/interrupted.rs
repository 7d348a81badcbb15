//! The part of the input that an interrupted run has read.

use crate::plural;
use serde::Serialize;

/// The part of the input that had been read when the run was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interrupted {
    /// The number of rows, missing values included.
    pub rows: u64,
    /// The share of the input that these rows are, if the size of the input is known.
    pub share: Option<f64>,
}

impl Interrupted {
    /// Returns a text such as `interrupted after 11 % of the input (372,606 rows)`.
    pub fn text(&self) -> String {
        let rows = plural(self.rows, "row", "rows");
        match self.share {
            // Rounded down, because 100 % would mean the whole input.
            Some(share) => format!("interrupted after {} % of the input ({rows})", (share * 100.0).floor()),
            None => format!("interrupted after {rows}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_never_called_all() {
        let text = |share| Interrupted { rows: 372_606, share }.text();
        assert_eq!(text(Some(0.9999)), "interrupted after 99 % of the input (372,606 rows)");
        assert_eq!(text(Some(1.0)), "interrupted after 100 % of the input (372,606 rows)");
        assert_eq!(text(None), "interrupted after 372,606 rows");
    }
}
