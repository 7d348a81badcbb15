//! Whether a table is as another one, up to chance, the errors of the sketches and an effect that is allowed.

use super::finer::{Finer, counting_exactly};
use super::judge::{Judged, Outcome};
use super::rules::DriftRules;
use crate::input::profile::{change_words, only_columns};
use anyhow::{Result, bail};
use crivo::TableProfile;
use crivo::profile::{Change, ColumnDrift};
use crivo_report::percent;

/// Judges each column of the older table.
pub(super) fn judge(rules: &DriftRules, old: TableProfile, new: &TableProfile) -> Result<Vec<Judged>> {
    for name in &rules.ignore {
        if old.column(name).is_none() && new.column(name).is_none() {
            bail!("drift.ignore: neither the table nor {} has a column {name}", rules.since.display());
        }
    }
    let is_wanted = |name: &str| !rules.ignore.iter().any(|ignored| ignored == name);
    let (old, new) = (only_columns(old, is_wanted)?, only_columns(new.clone(), is_wanted)?);
    let drift = old.drift(&new, 1.0 - rules.false_alarms.0)?;
    let expected = format!("no change of {} or more", percent(rules.at_least.0));
    let judged = |column: &str, outcome, found| Judged {
        column: Some(column.into()),
        rule: "drift".into(),
        outcome,
        expected: expected.clone(),
        found,
        error: None,
    };
    let mut all = Vec::new();
    for column in &drift.columns {
        let (outcome, changes) = outcome(&column.changes, rules.at_least.0);
        let mut judged = judged(&column.column, outcome, words(column, &changes));
        if outcome == Outcome::Unknown {
            judged.error = error(&old, &new, column, &changes, rules.at_least.0);
        }
        all.push(judged);
    }
    all.extend(drift.gone.iter().map(|name| judged(name, Outcome::Fails, "no such column".into())));
    Ok(all)
}

/// The outcome of one column, and the changes that decide it.
pub(super) fn outcome(changes: &[Change], at_least: f64) -> (Outcome, Vec<&Change>) {
    let size = |change: &Change| change.effect.abs();
    let is_broken = |change: &&Change| change.significant && size(change) - change.error >= at_least;
    let is_open = |change: &&Change| change.error > 0.0 && size(change) + change.error >= at_least;
    let mut found: Vec<&Change> = changes.iter().filter(is_broken).collect();
    let mut outcome = Outcome::Fails;
    if found.is_empty() {
        found = changes.iter().filter(is_open).collect();
        outcome = if found.is_empty() { Outcome::Holds } else { Outcome::Unknown };
    }
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    (outcome, found)
}

/// The largest of the changes.
fn words(column: &ColumnDrift, changes: &[&Change]) -> String {
    /// More would repeat the same finding.
    const MOST: usize = 3;
    let mut words: Vec<String> =
        changes.iter().take(MOST).map(|change| change_words(column, change)).collect();
    if changes.len() > MOST {
        words.push(format!("{} more", changes.len() - MOST));
    }
    if words.is_empty() { "no such change".into() } else { words.join("; ") }
}

/// The error that would decide all these changes, if both tables are profiled with it.
fn error(
    old: &TableProfile,
    new: &TableProfile,
    column: &ColumnDrift,
    changes: &[&Change],
    at_least: f64,
) -> Option<f64> {
    let kept = old.params().kept().min(new.params().kept());
    let tables =
        [old, new].map(|table| table.column(&column.column).map(|it| it.summary().distinct().upper()));
    let distinct = tables.into_iter().flatten().fold(1.0, f64::max);
    let exactly = counting_exactly(kept, distinct);
    let needs = changes
        .iter()
        .map(|change| exactly.or_narrower(change.error, (change.effect.abs() - at_least).abs()));
    needs.reduce(Finer::and)?.error()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::Estimate;
    use crivo::profile::Measure;

    fn change(effect: f64, error: f64, significant: bool) -> Change {
        let zero = Estimate::exact(0.0);
        Change { measure: Measure::Mean, old: zero, new: zero, effect, error, significant }
    }

    #[test]
    fn a_rule_fails_only_if_no_sketch_explains_it() {
        let of = |effect, error, significant| outcome(&[change(effect, error, significant)], 0.1).0;
        assert_eq!(of(0.2, 0.0, true), Outcome::Fails);
        assert_eq!(of(-0.2, 0.1, true), Outcome::Fails);
        assert_eq!(of(0.2, 0.15, true), Outcome::Unknown, "it may be 5 % only");
        assert_eq!(of(0.2, 0.0, false), Outcome::Holds, "chance");
        assert_eq!(of(0.05, 0.01, true), Outcome::Holds, "small");
        assert_eq!(of(0.05, 0.06, false), Outcome::Unknown);
        let both = [change(0.2, 0.15, true), change(f64::INFINITY, 0.0, true)];
        let (outcome, changes) = outcome(&both, 0.1);
        assert_eq!((outcome, changes.len()), (Outcome::Fails, 1));
    }
}
