//! Changes since an older profile, beyond the error bars of both.

use super::points::{figure, point};
use super::records::{ChangeJson, ColumnTypes, DriftJson, NewEndJson};
use super::report::whole_characters;
use super::words::{short_percent, some_names, top_text};
use anyhow::Result;
use crivo::profile::{Change, ColumnDrift, ColumnProfile, Drift, Measure, ProfileParams};
use crivo::{Number, TableProfile};
use crivo_report::{
    Align, Field, Page, Records, Report, Text, count, percent, plural, print_fitted, shown, shown_column,
    significant as significant_digits,
};
use std::cmp::Ordering;

/// The confidence of a run: the probability that any of its comparisons gives a false alarm is at most one minus
/// this.
const CONFIDENCE: f64 = 0.95;

/// The changes from one table to another.
#[derive(Debug)]
pub struct DriftReport {
    drift: Drift,
    /// The smallest effect that counts.
    at_least: f64,
}

impl DriftReport {
    /// Compares two tables. A change counts if its effect is at least `at_least`. The effect is the difference for
    /// shares and distributions, the difference in standard deviations for means, and the relative difference for
    /// distinct values.
    ///
    /// # Errors
    /// If the tables cannot be compared.
    pub fn new(old: &TableProfile, new: &TableProfile, at_least: f64) -> Result<Self> {
        Ok(Self { drift: old.drift(new, CONFIDENCE)?, at_least })
    }

    /// Returns whether a column, a type or a figure has changed.
    pub fn has_changed(&self) -> bool {
        let columns = &self.drift.columns;
        let in_columns =
            columns.iter().any(|column| is_retyped(column) || self.counted(column).next().is_some());
        in_columns || !self.drift.added.is_empty() || !self.drift.gone.is_empty()
    }

    /// Returns the changes that count.
    fn counted<'a>(&self, column: &'a ColumnDrift) -> impl Iterator<Item = &'a Change> {
        let at_least = self.at_least;
        column.changes.iter().filter(move |change| counts(change, at_least))
    }

    /// Returns the rows of a column: its type, its figures, and the values whose shares changed most.
    fn rows(&self, column: &ColumnDrift) -> Vec<[String; 5]> {
        /// The largest number of values shown for a column. More values would repeat the same finding.
        const MOST: usize = 3;
        let name = shown_column(&column.column);
        let mut rows = Vec::new();
        if is_retyped(column) {
            let [old, new] = [column.types.0, column.types.1].map(|it| it.name().to_owned());
            rows.push([name.clone(), "type".into(), old, new, String::new()]);
        }
        let is_share = |change: &&Change| matches!(change.measure, Measure::Share { .. });
        let (mut shares, figures): (Vec<_>, Vec<_>) = self.counted(column).partition(is_share);
        shares.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
        let listed = figures.into_iter().chain(shares.iter().copied().take(MOST));
        rows.extend(listed.map(|change| row(&name, column, change)));
        if shares.len() > MOST {
            let more = plural((shares.len() - MOST) as u64, "more value", "more values");
            rows.push([name, more, String::new(), String::new(), "--json lists them".into()]);
        }
        rows.iter_mut().skip(1).for_each(|row| row[0].clear());
        rows
    }

    /// Returns the number of significant changes that are too small to count.
    fn small(&self) -> u64 {
        let changes = self.drift.columns.iter().flat_map(|column| &column.changes);
        changes.filter(|change| change.significant && !counts(change, self.at_least)).count() as u64
    }
}

fn counts(change: &Change, at_least: f64) -> bool {
    change.significant && change.effect.abs() >= at_least
}

fn is_retyped(column: &ColumnDrift) -> bool {
    column.types.0 != column.types.1
}

impl Report for DriftReport {
    /// Writes a table of all changes.
    fn text(&self, page: &mut Page) {
        let (drift, room) = (&self.drift, page.width());
        let rows: Vec<[String; 5]> = drift.columns.iter().flat_map(|column| self.rows(column)).collect();
        let (old, new) = drift.rows;
        page.line(&format!("{} → {}", count(old), plural(new, "row", "rows")));
        for (names, what) in [(&drift.added, "new columns"), (&drift.gone, "columns that are gone")] {
            if !names.is_empty() {
                let names: Vec<String> = names.iter().map(|name| shown_column(name)).collect();
                page.sentence(&format!("{what}: {}", some_names(&names)));
            }
        }
        if !rows.is_empty() {
            print_fitted(page, &fields(&rows), room);
        }
        let further: Vec<String> = drift.columns.iter().flat_map(new_ends).map(|end| end.words()).collect();
        if !further.is_empty() {
            let further = some_names(&further);
            page.sentence(&format!("beyond the old range, where more rows may lie: {further}"));
        }
        let small = self.small();
        if small > 0 {
            let changes = plural(small, "change is", "changes are");
            page.line(&format!("{changes} smaller than {}, and not counted", percent(self.at_least)));
        } else if !self.has_changed() && drift.comparisons > 0 {
            page.line("nothing changed beyond the error bars");
        }
        page.sentence(&certainty(drift));
    }

    /// Writes a record for each comparison, and one for the whole.
    fn records(&self, records: &mut Records) {
        let drift = &self.drift;
        for column in &drift.columns {
            for change in &column.changes {
                let value = match &change.measure {
                    Measure::Share { value, truncated } => {
                        Some(Text::from(whole_characters(value, *truncated)))
                    }
                    _ => None,
                };
                records.row(&ChangeJson {
                    column: &column.column,
                    measure: change.measure.name(),
                    value,
                    old: change.old.into(),
                    new: change.new.into(),
                    effect: Some(change.effect).filter(|effect| effect.is_finite()),
                    test: test(&change.measure),
                    significant: change.significant,
                    counts: counts(change, self.at_least),
                });
            }
        }
        let retyped = drift.columns.iter().filter(|column| is_retyped(column));
        let types = retyped.map(|column| ColumnTypes {
            column: &column.column,
            old: column.types.0.name(),
            new: column.types.1.name(),
        });
        records.total(&DriftJson {
            changed: self.has_changed(),
            at_least: Some(self.at_least).filter(|&least| least > 0.0),
            added: &drift.added,
            gone: &drift.gone,
            types: types.collect(),
            old_rows: drift.rows.0,
            new_rows: drift.rows.1,
            new_ends: drift.columns.iter().flat_map(new_ends).map(|it| it.json()).collect(),
            comparisons: drift.comparisons as u64,
            confidence: CONFIDENCE,
        });
    }

    /// Returns 1 if anything has changed.
    fn exit_code(&self) -> u8 {
        u8::from(self.has_changed())
    }
}

/// A minimum or maximum of numbers or times that lies beyond the old one. It is a fact, not a significant change.
struct NewEnd<'a> {
    column: &'a str,
    end: &'static str,
    old: &'a [u8],
    new: &'a [u8],
}

impl<'a> NewEnd<'a> {
    /// Returns a text such as `fare maximum 900 (was 75)`.
    fn words(&self) -> String {
        let (column, [old, new]) = (shown_column(self.column), [self.old, self.new].map(shown));
        format!("{column} {} {new} (was {old})", self.end)
    }

    fn json(&self) -> NewEndJson<'a> {
        NewEndJson { column: self.column, end: self.end, old: self.old.into(), new: self.new.into() }
    }
}

fn new_ends(column: &ColumnDrift) -> Vec<NewEnd<'_>> {
    let in_order = column.types.1.is_number() || column.types.1.is_time();
    if is_retyped(column) || !in_order {
        return Vec::new();
    }
    let ends =
        [("minimum", &column.minimum, Ordering::Less), ("maximum", &column.maximum, Ordering::Greater)];
    let ends = ends.into_iter().filter_map(|(end, texts, beyond)| {
        let (old, new) = (texts.0.as_deref()?, texts.1.as_deref()?);
        let is_new = position(new)?.partial_cmp(&position(old)?) == Some(beyond);
        is_new.then_some(NewEnd { column: &column.column, end, old, new })
    });
    ends.collect()
}

/// Returns a number, or a time as a number.
fn position(text: &[u8]) -> Option<Number> {
    let mut column = ColumnProfile::with_params(ProfileParams::default());
    column.add(text);
    column.summary().quantile(0.5).map(|it| *it.value())
}

/// Returns the sentence on the probability of a false alarm. Columns and types are facts, to which it does not
/// apply.
fn certainty(drift: &Drift) -> String {
    if drift.comparisons == 0 {
        return "no figures could be compared".into();
    }
    let comparisons = plural(drift.comparisons as u64, "comparison of figures", "comparisons of figures");
    format!(
        "{comparisons}; all together, at most about {} for a false alarm among them",
        percent(1.0 - CONFIDENCE)
    )
}

fn fields(rows: &[[String; 5]]) -> Vec<Field> {
    let field = |place: usize, title: &'static str, rank, least| Field {
        title: title.into(),
        align: Align::Left,
        rank,
        least,
        cells: rows.iter().map(|row| row[place].clone()).collect(),
    };
    vec![
        field(0, "column", 0, Some(8)),
        field(1, "what", 1, Some(12)),
        field(2, "old", 2, Some(7)),
        field(3, "new", 3, Some(7)),
        field(4, "change", 4, Some(12)),
    ]
}

/// Returns a change as text: `missing 0 → 2.5 % (+2.5 points)`.
pub fn change_words(column: &ColumnDrift, change: &Change) -> String {
    let [_, what, old, new, effect] = row("", column, change);
    format!("{what} {old} → {new} ({effect})")
}

fn row(name: &str, column: &ColumnDrift, change: &Change) -> [String; 5] {
    let what = match &change.measure {
        Measure::Share { value, truncated } => {
            format!("share of {}", top_text(whole_characters(value, *truncated), *truncated))
        }
        Measure::Distribution => "spread (median)".into(),
        measure => measure.name().into(),
    };
    let show = |number: f64| match change.measure {
        Measure::Missing | Measure::Share { .. } => short_percent(number),
        Measure::Distinct => count(number.round() as u64),
        Measure::Mean => figure(number),
        Measure::Distribution => point(column.types.1, column.has_zones, number),
    };
    [name.into(), what, show(change.old.value()), show(change.new.value()), effect(change)]
}

/// Returns the size of a change as text.
fn effect(change: &Change) -> String {
    let effect = change.effect;
    let sign = if effect < 0.0 { "−" } else { "+" };
    let size = short_percent(effect.abs());
    match change.measure {
        Measure::Missing | Measure::Share { .. } => format!("{sign}{} points", size.trim_end_matches(" %")),
        Measure::Distinct => format!("{sign}{size}"),
        Measure::Mean if effect.is_infinite() => "was constant".into(),
        Measure::Mean => format!("{sign}{} deviations", significant_digits(effect.abs(), 2)),
        Measure::Distribution => format!("{size} moved"),
    }
}

/// Returns how a change is distinguished from chance.
fn test(measure: &Measure) -> &'static str {
    match measure {
        Measure::Missing | Measure::Share { .. } => "intervals of shares",
        Measure::Distinct => "intervals of counts, and for each row",
        Measure::Mean => "intervals of means",
        Measure::Distribution => "distance of Kolmogorov and Smirnov",
    }
}
