//! Whether the rules of a table hold.

use super::figures::{Bounds, Point, Share};
use super::finer::{Finer, counting_exactly};
use super::rules::{ColumnRules, Elsewhere, Rules};
use anyhow::Result;
use crivo::profile::{ColumnSummary, ColumnType};
use crivo::{Estimate, Guarantee, TableProfile};
use crivo_report::{count, percent, plural, shown, shown_column, whole};
use std::collections::HashMap;

/// The probability that the error of any sketch makes the verdict on any rule wrong.
pub(super) const CHANCE: f64 = 0.001;

/// Whether a rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    Fails,
    /// The error of the sketches is too large to decide.
    Unknown,
    Holds,
}

impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fails => "fails",
            Self::Unknown => "unknown",
            Self::Holds => "holds",
        }
    }

    /// Whether the figure between `lower` and `upper` is within these bounds.
    pub(super) fn of<T: PartialOrd + Copy>(bounds: &Bounds<T>, [lower, upper]: [T; 2]) -> Self {
        let least = |figure| bounds.at_least.is_none_or(|least| figure >= least);
        let most = |figure| bounds.at_most.is_none_or(|most| figure <= most);
        if !least(upper) || !most(lower) {
            Self::Fails
        } else if least(lower) && most(upper) {
            Self::Holds
        } else {
            Self::Unknown
        }
    }
}

/// A rule, and whether it holds.
#[derive(Debug)]
pub(super) struct Judged {
    /// None for rules of the whole table.
    pub(super) column: Option<String>,
    pub(super) rule: String,
    pub(super) outcome: Outcome,
    pub(super) expected: String,
    pub(super) found: String,
    /// If it cannot be judged: the error that would decide, if any does.
    pub(super) error: Option<f64>,
}

impl Judged {
    /// What is judged: `user: unique`, or `rows`.
    pub(super) fn name(&self) -> String {
        let column = self.column.as_deref().map(|column| shown_column(column) + ": ");
        column.unwrap_or_default() + &self.rule
    }
}

/// The columns of other files.
pub(super) type Others = HashMap<Elsewhere, ColumnSummary>;

/// Judges all rules but those of drift. `now` is the time in seconds since 1970.
pub(super) fn judge(rules: &Rules, table: &TableProfile, others: &Others, now: f64) -> Result<Vec<Judged>> {
    let mut all = Vec::new();
    if let Some(rows) = &rules.table.rows {
        let found = table.rows();
        let outcome = Outcome::of(rows, [found; 2]);
        all.push(of_table("rows", outcome, rows.words(count), count(found)));
    }
    if rules.table.other_columns == Some(false) {
        let names = table.columns().map(|(name, _)| name);
        let other: Vec<String> =
            names.filter(|name| !rules.columns.contains_key(*name)).map(shown_column).collect();
        let outcome = if other.is_empty() { Outcome::Holds } else { Outcome::Fails };
        let found = if other.is_empty() { "no others".into() } else { format!("also {}", some(&other)) };
        all.push(of_table("other_columns", outcome, "only columns with rules".into(), found));
    }
    let confidence = 1.0 - CHANCE / rules.columns.values().map(questions).sum::<usize>().max(1) as f64;
    // In the order of the table; columns that are not there come last.
    for (name, column) in table.columns() {
        if let Some(rules) = rules.columns.get(name) {
            let mut of =
                OfColumn { name, summary: column.summary(), kept: table.params().kept(), all: Vec::new() };
            of.judge(rules, others, confidence, now)?;
            all.append(&mut of.all);
        }
    }
    for (name, _) in
        rules.columns.iter().filter(|(name, rules)| !rules.optional && table.column(name).is_none())
    {
        let mut judged = of_table("present", Outcome::Fails, "a column".into(), "no such column".into());
        judged.column = Some(name.clone());
        all.push(judged);
    }
    Ok(all)
}

fn of_table(rule: &str, outcome: Outcome, expected: String, found: String) -> Judged {
    Judged { column: None, rule: rule.into(), outcome, expected, found, error: None }
}

/// The number of questions to sketches whose intervals have a confidence.
fn questions(rules: &ColumnRules) -> usize {
    usize::from(rules.distinct.is_some()) + usize::from(rules.unique) + rules.quantiles.len()
}

/// The first of several texts.
fn some(texts: &[String]) -> String {
    const MOST: usize = 5;
    let first = texts[..texts.len().min(MOST)].join(", ");
    if texts.len() > MOST { format!("{first} and {} more", texts.len() - MOST) } else { first }
}

struct OfColumn<'a> {
    name: &'a str,
    summary: ColumnSummary,
    /// The number of hashes that its sketch keeps.
    kept: u32,
    all: Vec<Judged>,
}

impl OfColumn<'_> {
    fn add(&mut self, rule: &str, outcome: Outcome, expected: String, found: String) {
        self.all.push(Judged { column: Some(self.name.into()), ..of_table(rule, outcome, expected, found) });
    }

    /// Says which error would tell.
    fn if_unknown(&mut self, finer: Finer) {
        if let Some(Judged { outcome: Outcome::Unknown, error, .. }) = self.all.last_mut() {
            *error = finer.error();
        }
    }

    fn judge(&mut self, rules: &ColumnRules, others: &Others, confidence: f64, now: f64) -> Result<()> {
        self.add("present", Outcome::Holds, "a column".into(), "a column".into());
        if let Some(wanted) = rules.column_type {
            self.column_type(wanted.column_type());
        }
        if let Some(bounds) = &rules.missing {
            let share = self.summary.missing() as f64 / self.summary.rows().max(1) as f64;
            let outcome = Outcome::of(
                &Bounds { at_least: bounds.at_least.map(|it| it.0), at_most: bounds.at_most.map(|it| it.0) },
                [share; 2],
            );
            let rows = plural(self.summary.missing(), "row", "rows");
            self.add("missing", outcome, bounds.words(Share::words), format!("{} ({rows})", percent(share)));
        }
        if let Some(bounds) = &rules.distinct {
            self.distinct(bounds, confidence);
        }
        if rules.unique {
            self.unique(confidence);
        }
        if let Some(bounds) = &rules.range {
            self.range(bounds);
        }
        if let Some(values) = &rules.values {
            let allowed: Vec<&[u8]> = values.iter().map(|value| value.0.as_bytes()).collect();
            self.values(&allowed);
        }
        for (rank, bounds) in &rules.quantiles {
            self.quantile(rank.0, bounds, confidence);
        }
        if let Some(age) = rules.max_age {
            self.age(age.0.as_secs_f64(), now);
        }
        if let Some(elsewhere) = &rules.contained_in {
            self.contained(elsewhere, &others[elsewhere])?;
        }
        Ok(())
    }

    /// Every value is of this type or of a narrower one.
    fn column_type(&mut self, wanted: ColumnType) {
        let fits = |class| {
            class == wanted
                || wanted == ColumnType::Text
                || wanted == ColumnType::Float && class == ColumnType::Integer
                || wanted == ColumnType::Timestamp && class == ColumnType::Date
        };
        let other = self.other_classes(fits);
        let outcome = if other.is_none() { Outcome::Holds } else { Outcome::Fails };
        let found = other.unwrap_or_else(|| self.summary.column_type().name().into());
        self.add("type", outcome, wanted.name().into(), found);
    }

    /// `3 of 1,000 values are text`, if there are others.
    fn other_classes(&self, fits: impl Fn(ColumnType) -> bool) -> Option<String> {
        let classes = self.summary.classes();
        let other: Vec<_> = classes.into_iter().filter(|&(class, _)| !fits(class)).collect();
        let (class, _) = other.iter().max_by_key(|(_, values)| *values)?;
        let values: u64 = other.iter().map(|(_, values)| values).sum();
        let of = plural(self.summary.values(), "value is", "values are");
        Some(format!("{} of {of} {}", count(values), class.name()))
    }

    fn distinct(&mut self, bounds: &Bounds<u64>, confidence: f64) {
        let known = self.summary.distinct_at(confidence);
        let ends = [known.lower().ceil() as u64, known.upper() as u64];
        let outcome = Outcome::of(bounds, ends);
        self.add("distinct", outcome, bounds.words(count), about(&known));
        let gaps = [bounds.at_least, bounds.at_most].into_iter().flatten();
        let gap = gaps.map(|bound| (bound as f64 - known.value()).abs()).fold(f64::INFINITY, f64::min);
        let width = (known.upper() - known.value()).max(known.value() - known.lower());
        self.if_unknown(self.exactly().or_narrower(width, gap));
    }

    /// What is needed to count all values one by one.
    fn exactly(&self) -> Finer {
        counting_exactly(self.kept, self.summary.distinct().upper())
    }

    fn unique(&mut self, confidence: f64) {
        let values = plural(self.summary.values(), "value", "values");
        let (outcome, found) = match self.summary.is_unique_at(confidence) {
            Some(true) => (Outcome::Holds, format!("{values}, all distinct")),
            None => (Outcome::Unknown, format!("no repetition is known among {values}")),
            Some(false) => (Outcome::Fails, self.repetition(confidence)),
        };
        self.add("unique", outcome, "no value twice".into(), found);
        self.if_unknown(self.exactly());
    }

    fn repetition(&self, confidence: f64) -> String {
        let (first, values) = (self.summary.known().next(), count(self.summary.values()));
        match first {
            Some(first) if first.least > 1 => {
                let distinct = about(&self.summary.distinct_at(confidence));
                format!(
                    "{} occurs {} times; {distinct} distinct of {values}",
                    shown(first.value),
                    count(first.least)
                )
            }
            _ => format!("{} distinct of {values}", about(&self.summary.distinct_at(confidence))),
        }
    }

    fn range(&mut self, bounds: &Bounds<Point>) {
        let fits = |class: ColumnType| if bounds.are_times() { class.is_time() } else { class.is_number() };
        let words = bounds.words(Point::words);
        if let Some(other) = self.other_classes(fits) {
            return self.add("range", Outcome::Fails, words, other);
        }
        let end = |text: Option<&[u8]>| text.and_then(|text| Some((Point::parse(text)?, shown(text))));
        let ends = [self.summary.minimum(), self.summary.maximum()].map(end);
        let [Some((least, from)), Some((most, to))] = ends else {
            return self.add("range", Outcome::Holds, words, "no values".into());
        };
        let is_within = bounds.at_least.is_none_or(|bound| least.number >= bound.number)
            && bounds.at_most.is_none_or(|bound| most.number <= bound.number);
        let outcome = if is_within { Outcome::Holds } else { Outcome::Fails };
        self.add("range", outcome, words, format!("{from} to {to}"));
    }

    fn values(&mut self, allowed: &[&[u8]]) {
        let (mut other, mut occurrences, mut is_open) = (Vec::new(), 0, !self.summary.is_exact());
        for known in self.summary.known() {
            // Of a longer value only the beginning is known.
            let begins =
                |allowed: &&[u8]| allowed.len() > known.value.len() && allowed.starts_with(known.value);
            if known.truncated && allowed.iter().any(begins) {
                is_open = true;
            } else if known.truncated || !allowed.contains(&known.value) {
                occurrences += known.least;
                other.push(format!("{} ({})", shown(known.value), count(known.least)));
            }
        }
        let expected = format!("one of {}", plural(allowed.len() as u64, "value", "values"));
        let (outcome, found) = if !other.is_empty() {
            let found = plural(occurrences, "other value", "other values");
            (Outcome::Fails, format!("{found}: {}", some(&other)))
        } else if is_open {
            (Outcome::Unknown, "not all values are known".into())
        } else {
            (Outcome::Holds, format!("{} of them", count(self.summary.known().len() as u64)))
        };
        self.add("values", outcome, expected, found);
        self.if_unknown(self.exactly());
    }

    fn quantile(&mut self, q: f64, bounds: &Bounds<Point>, confidence: f64) {
        let (rule, words) = (format!("quantile {}", percent(q)), bounds.words(Point::words));
        let is_time = bounds.are_times();
        let fits = |class: ColumnType| if is_time { class.is_time() } else { class.is_number() };
        if let Some(other) = self.other_classes(fits) {
            return self.add(&rule, Outcome::Fails, words, other);
        }
        // An interval that is certain and shorter at 95 % is all the more so at a higher confidence.
        let certain = self.summary.quantile(q).filter(|it| it.guarantee() == Guarantee::Certain);
        let Some(known) = certain.or_else(|| self.summary.quantile_at(q, confidence)) else {
            return self.add(&rule, Outcome::Holds, words, "no values".into());
        };
        let point = |number| Point { number, is_time };
        let ends = [*known.lower(), *known.upper()];
        let outcome = Outcome::of(bounds, ends.map(point));
        let [value, lower, upper] = [*known.value(), ends[0], ends[1]].map(|it| point(it).words());
        let found = if lower == upper { value } else { format!("{value} (between {lower} and {upper})") };
        self.add(&rule, outcome, words, found);
        let total = self.summary.values() as f64;
        let share = |number| self.summary.rank(number).map_or(q, |rank| rank.value() / total);
        let gaps = [bounds.at_least, bounds.at_most].into_iter().flatten();
        let gap = gaps.map(|bound| (share(bound.number) - q).abs()).fold(f64::INFINITY, f64::min);
        let width = (share(ends[1]) - q).max(q - share(ends[0]));
        self.if_unknown(self.exactly().or_narrower(width, gap));
    }

    /// The newest time is at most this many seconds old.
    fn age(&mut self, most: f64, now: f64) {
        let expected = format!("at most {} old", age_words(most));
        let newest = self.summary.maximum().filter(|_| self.summary.column_type().is_time());
        let Some((newest, time)) = newest.and_then(|text| Some((shown(text), Point::parse(text)?))) else {
            let found = self.other_classes(ColumnType::is_time).unwrap_or_else(|| "no times".into());
            return self.add("max_age", Outcome::Fails, expected, found);
        };
        let age = now - time.number.to_f64();
        let outcome = if age <= most { Outcome::Holds } else { Outcome::Fails };
        let age = if age < 0.0 { "in the future".into() } else { format!("{} old", age_words(age)) };
        self.add("max_age", outcome, expected, format!("{newest}, {age}"));
    }

    /// Every value occurs in another column.
    fn contained(&mut self, elsewhere: &Elsewhere, other: &ColumnSummary) -> Result<()> {
        let share = self.summary.overlap(other)?.of_self;
        let expected =
            format!("values of {} in {}", shown_column(&elsewhere.column), elsewhere.file.display());
        let shares = |[lower, upper]: [f64; 2]| {
            let [lower, upper] = [lower, upper].map(percent);
            if lower == upper { lower } else { format!("{lower} to {upper}") }
        };
        let absent = shares([1.0 - share.upper(), 1.0 - share.lower()]);
        // A hash that is absent there proves a value that is absent, whatever the error.
        let (outcome, found) = if share.value() < 1.0 {
            (Outcome::Fails, format!("{absent} of the distinct values are absent"))
        } else if share.lower() < 1.0 {
            (
                Outcome::Unknown,
                format!("no absent value is known; at most {} are", percent(1.0 - share.lower())),
            )
        } else {
            (Outcome::Holds, "all values".into())
        };
        self.add("contained_in", outcome, expected, found);
        let most = self.summary.distinct().upper().max(other.distinct().upper());
        self.if_unknown(counting_exactly(self.kept, most));
        Ok(())
    }
}

/// A number of distinct values.
fn about(known: &Estimate) -> String {
    let [value, lower, upper] = [known.value(), known.lower().ceil(), known.upper().floor()].map(whole);
    if lower == upper { value } else { format!("{value} (between {lower} and {upper})") }
}

fn age_words(seconds: f64) -> String {
    const UNITS: [(f64, &str, &str); 3] =
        [(86_400.0, "day", "days"), (3600.0, "hour", "hours"), (60.0, "minute", "minutes")];
    let unit = UNITS.iter().find(|(unit, ..)| seconds >= 2.0 * unit);
    let (unit, one, many) = unit.unwrap_or(&(1.0, "second", "seconds"));
    plural((seconds / unit).floor() as u64, one, many)
}
