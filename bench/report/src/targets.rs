//! What we want to reach, checked against the same run.

use crate::table::{print_table, significant};

/// One comparison of ours with a reference.
struct Target {
    what: String,
    ours: f64,
    reference: f64,
    wanted: Wanted,
}

/// What `ours / reference` is to be.
enum Wanted {
    AtMost(f64),
    Below(f64),
}

impl Wanted {
    fn is_met(&self, ratio: f64) -> bool {
        match *self {
            Self::AtMost(limit) => ratio <= limit,
            Self::Below(limit) => ratio < limit,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::AtMost(limit) => format!("≤ {limit:.3}"),
            Self::Below(limit) => format!("< {limit:.3}"),
        }
    }
}

/// Every comparison of the run.
#[derive(Default)]
pub struct Targets(Vec<Target>);

impl Targets {
    /// Wants `ours` to be at most `limit` times `reference`. Times enter as the best round of each, which is
    /// what noise moves least.
    pub fn at_most(&mut self, what: String, ours: f64, reference: f64, limit: f64) {
        self.0.push(Target { what, ours, reference, wanted: Wanted::AtMost(limit) });
    }

    /// Wants `ours` to be less than `reference`.
    pub fn below(&mut self, what: String, ours: f64, reference: f64) {
        self.0.push(Target { what, ours, reference, wanted: Wanted::Below(1.0) });
    }

    /// Prints one line per target.
    pub fn print(&self) {
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
                    target.wanted.text(),
                    if target.wanted.is_met(ratio) { "✓" } else { "✗" }.to_owned(),
                ]
            }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_is_at_most_but_not_below() {
        let mut targets = Targets::default();
        targets.at_most("tie".to_owned(), 1.0, 1.0, 1.0);
        targets.below("tie".to_owned(), 1.0, 1.0);
        let met = |ratio| targets.0.iter().map(|target| target.wanted.is_met(ratio)).collect::<Vec<_>>();
        assert_eq!(met(0.999), [true, true]);
        assert_eq!(met(1.0), [true, false]);
        assert_eq!(met(1.001), [false, false]);
    }
}
