//! What we want to reach, checked against the same run.

use crate::harness::{print_table, significant};

/// One comparison: ours may be at most `limit` times the reference.
struct Target {
    what: String,
    ours: f64,
    reference: f64,
    limit: f64,
}

/// Every comparison of the run.
#[derive(Default)]
pub(crate) struct Targets(Vec<Target>);

impl Targets {
    /// Wants `ours` to be at most `limit` times `reference`. Times enter as the best round of each, which is
    /// what noise moves least.
    pub(crate) fn at_most(&mut self, what: String, ours: f64, reference: f64, limit: f64) {
        self.0.push(Target { what, ours, reference, limit });
    }

    /// Prints one line per target.
    pub(crate) fn print(&self) {
        if self.0.is_empty() {
            return;
        }
        print_table(
            "Targets",
            &["target", "ours", "reference", "ours / reference", "wanted", "met"],
            self.0.iter().map(|target| {
                let ratio = target.ours / target.reference;
                vec![
                    target.what.clone(),
                    significant(target.ours),
                    significant(target.reference),
                    format!("{ratio:.3}"),
                    format!("≤ {:.3}", target.limit),
                    if ratio <= target.limit { "✓" } else { "✗" }.to_owned(),
                ]
            }),
        );
    }
}
