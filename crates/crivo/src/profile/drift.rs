//! Changes between two profiles: see [`Drift`].
//!
//! Both tables are treated as samples. A change is *significant* if the intervals of the old and of the new answer do
//! not overlap. The intervals cover both the error of the sketches and the sampling error. All comparisons together
//! give a false alarm with a probability of at most one minus the confidence (approximately, for means and for distinct
//! values): each interval is widened accordingly (Bonferroni), and each of the two intervals of a comparison takes half
//! of its error probability.

use super::classify::ColumnType;
use super::column_profile::ColumnProfile;
use super::column_summary::ColumnSummary;
use super::ranks::Ranks;
use super::table_profile::TableProfile;
use super::value_table::Counted;
use crate::estimate::{check_confidence, count_down, count_up};
use crate::stats::{clopper_pearson, normal_quantile, student_reach};
use crate::{Element, Estimate, Guarantee, Number, Result};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use libm::{fabs, log, sqrt};

/// The number of most frequent values of either side that are compared.
const TOP: usize = 10;
/// The number of quantiles of each side at which two distributions are compared, if not all their values are known.
const QUANTILES: u32 = 500;
/// The fewest values for a comparison of means. Fewer values are often all equal by chance, and then say nothing about
/// the spread of others.
const LEAST_FOR_MEAN: u64 = 8;

/// The changes in a newer table: the result of [`TableProfile::drift`].
#[derive(Clone, Debug)]
pub struct Drift {
    /// The rows of the older and of the newer table.
    pub rows: (u64, u64),
    /// Columns that only the newer table has.
    pub added: Vec<String>,
    /// Columns that only the older table has.
    pub gone: Vec<String>,
    /// The columns of both.
    pub columns: Vec<ColumnDrift>,
    /// The number of comparisons.
    pub comparisons: usize,
}

/// The changes in one column.
#[derive(Clone, Debug)]
pub struct ColumnDrift {
    /// The name of the column.
    pub column: String,
    /// The older and the newer type. A single value can change the type: this is a fact, not a statistical comparison.
    pub types: (ColumnType, ColumnType),
    /// The older and the newer least value, as written. Not a statistical comparison either: more rows reach further.
    pub minimum: (Option<Vec<u8>>, Option<Vec<u8>>),
    /// The older and the newer greatest value.
    pub maximum: (Option<Vec<u8>>, Option<Vec<u8>>),
    /// Whether any time on either side has `Z` or an offset.
    pub has_zones: bool,
    /// All comparisons, including those without a significant change.
    pub changes: Vec<Change>,
}

/// The property in which two columns are compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// The share of rows with a missing value.
    Missing,
    /// The number of distinct values, unless it follows from the number of rows: if more rows have more distinct values
    /// but fewer per row, nothing changed.
    Distinct,
    /// The mean, of at least eight numbers on either side.
    Mean,
    /// All ranks of numbers or times. Old and new are the medians.
    Distribution,
    /// The share of this value, for values among the ten most frequent of either side.
    Share {
        /// The value, or its first 128 bytes.
        value: Vec<u8>,
        /// Whether the value is longer than that.
        truncated: bool,
    },
}

impl Measure {
    /// Returns the name, in lower case.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Distinct => "distinct",
            Self::Mean => "mean",
            Self::Distribution => "distribution",
            Self::Share { .. } => "share",
        }
    }
}

/// One comparison.
#[derive(Clone, Debug)]
pub struct Change {
    /// The property that was compared.
    pub measure: Measure,
    /// The older answer, with an interval that includes the sampling error.
    pub old: Estimate,
    /// The newer answer.
    pub new: Estimate,
    /// The size of the change: for shares, their difference; for means, their difference in standard deviations of the
    /// older column, infinite if it had none; for numbers of distinct values, the quotient minus one; for
    /// distributions, the greatest difference of their distribution functions.
    pub effect: f64,
    /// How far the errors of the sketches may have moved the effect, in either direction; 0 if both columns are exact, and
    /// for missing values and means.
    pub error: f64,
    /// Whether the change exceeds chance and the errors of both sketches.
    pub significant: bool,
}

impl TableProfile {
    /// Compares a newer table with this one. All comparisons together give a false alarm, a significant change between
    /// two samples of the same distribution, with a probability of at most 1 − `confidence`; approximately, as far as
    /// means of few or very unequal numbers and numbers of distinct values are concerned. Types, ends, added and
    /// removed columns are not part of this: they are reported as they are.
    ///
    /// ```
    /// use crivo::{HashSpec, TableProfile};
    /// use crivo::profile::{ColumnProfile, ProfileParams};
    /// let params = ProfileParams::default();
    /// let table = |texts: [&str; 2]| {
    ///     let mut column = ColumnProfile::with_params(params);
    ///     (0..1000).for_each(|row| column.add(texts[row % 2].as_bytes()));
    ///     TableProfile::from_columns(params, HashSpec::default(), 1000, vec![("state".into(), column)])
    /// };
    /// let drift = table(["open", "closed"])?.drift(&table(["open", "lost"])?, 0.95)?;
    /// let changed: Vec<_> = drift.columns[0].changes.iter().filter(|change| change.significant).collect();
    /// assert_eq!(changed.len(), 2); // the shares of "closed" and of "lost"
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1, and `Incompatible` if the hashes
    /// differ.
    pub fn drift(&self, newer: &Self, confidence: f64) -> Result<Drift> {
        check_confidence(confidence)?;
        self.hash_spec().check_same(newer.hash_spec())?;
        let (old_columns, new_columns) = (self.by_name(), newer.by_name());
        let only_in = |one: &Self, other: &BTreeMap<&str, &ColumnProfile>| -> Vec<String> {
            let names = one.columns().map(|(name, _)| name);
            names.filter(|name| !other.contains_key(name)).map(String::from).collect()
        };
        let pairs: Vec<(&str, Pair)> = self
            .columns()
            .filter_map(|(name, old)| {
                let pair = Pair { old: old.summary(), new: new_columns.get(name)?.summary() };
                Some((name, pair))
            })
            .collect();
        let questions: Vec<Vec<Question<'_>>> = pairs.iter().map(|(_, pair)| pair.questions()).collect();
        let comparisons = questions.iter().map(Vec::len).sum::<usize>();
        let miss = (1.0 - confidence) / comparisons.max(1) as f64;
        let end = |end: Option<&[u8]>| end.map(<[u8]>::to_vec);
        let columns = pairs.iter().zip(questions).map(|((name, pair), questions)| ColumnDrift {
            column: String::from(*name),
            types: (pair.old.column_type(), pair.new.column_type()),
            minimum: (end(pair.old.minimum()), end(pair.new.minimum())),
            maximum: (end(pair.old.maximum()), end(pair.new.maximum())),
            has_zones: pair.old.has_zones() || pair.new.has_zones(),
            changes: questions.into_iter().map(|question| pair.compare(question, miss)).collect(),
        });
        Ok(Drift {
            rows: (self.rows(), newer.rows()),
            added: only_in(newer, &old_columns),
            gone: only_in(self, &new_columns),
            columns: columns.collect(),
            comparisons,
        })
    }
}

/// A column, before and after.
struct Pair {
    old: ColumnSummary,
    new: ColumnSummary,
}

/// A [`Measure`] before its values are copied.
#[derive(Clone, Copy)]
enum Question<'a> {
    Missing,
    Distinct,
    Mean,
    Distribution,
    Share(Counted<'a>),
}

impl Question<'_> {
    fn measure(&self) -> Measure {
        match self {
            Self::Missing => Measure::Missing,
            Self::Distinct => Measure::Distinct,
            Self::Mean => Measure::Mean,
            Self::Distribution => Measure::Distribution,
            Self::Share(value) => {
                Measure::Share { value: value.text.to_vec(), truncated: value.is_truncated() }
            }
        }
    }
}

impl Pair {
    /// Returns the comparisons to make.
    fn questions(&self) -> Vec<Question<'_>> {
        let (old, new) = (&self.old, &self.new);
        let mut questions = Vec::new();
        if old.rows() > 0 && new.rows() > 0 {
            questions.push(Question::Missing);
        }
        if old.values() == 0 || new.values() == 0 {
            return questions;
        }
        questions.push(Question::Distinct);
        let (before, after) = (old.column_type(), new.column_type());
        if before.is_number() && after.is_number() && old.finite().min(new.finite()) >= LEAST_FOR_MEAN {
            questions.push(Question::Mean);
        }
        if before.is_number() && after.is_number() || before.is_time() && after.is_time() {
            questions.push(Question::Distribution);
        }
        let is_old = |value: &Counted<'_>| old.top_counted(TOP).any(|other| other.is_same_value(value));
        let top = old.top_counted(TOP).chain(new.top_counted(TOP).filter(|value| !is_old(value)));
        questions.extend(top.map(Question::Share));
        questions
    }

    /// Answers a question for both sides, and checks whether they differ by more than chance explains, except with the
    /// probability `miss`.
    fn compare(&self, question: Question<'_>, miss: f64) -> Change {
        let confidence = 1.0 - miss / 2.0;
        let both = |answer: &dyn Fn(&ColumnSummary) -> Estimate| (answer(&self.old), answer(&self.new));
        let (old, new) = match &question {
            Question::Missing => both(&|side| share([side.missing(); 2], side.rows(), confidence)),
            Question::Share(value) => both(&|side| share(side.count_of(value), side.values(), confidence)),
            Question::Mean => both(&|side| mean(side, self.deviation(), confidence)),
            Question::Distinct => both(&|side| distinct(side, confidence)),
            Question::Distribution => both(&median),
        };
        let difference = new.value() - old.value();
        let (effect, error, significant) = match &question {
            Question::Missing => (difference, 0.0, apart(&old, &new)),
            Question::Share(value) => (difference, self.share_error(value), apart(&old, &new)),
            Question::Mean => {
                let deviation = self.old.standard_deviation().unwrap_or(0.0);
                (if difference == 0.0 { 0.0 } else { difference / deviation }, 0.0, apart(&old, &new))
            }
            Question::Distinct => {
                let effect = new.value() / old.value() - 1.0;
                (effect, self.distinct_error(effect, confidence), self.is_other_variety(&old, &new))
            }
            Question::Distribution => {
                let distance = distance(self.old.ranks(), self.new.ranks());
                let chance = chance_distance(self.old.values(), self.new.values(), miss / 2.0);
                let unknown = self.old.ranks().error(miss / 4.0) + self.new.ranks().error(miss / 4.0);
                (distance, unknown, distance > chance + unknown)
            }
        };
        Change { measure: question.measure(), old, new, effect, error, significant }
    }

    /// Returns how far the bounds of a value's counts leave the difference of its shares open.
    fn share_error(&self, value: &Counted<'_>) -> f64 {
        let width = |side: &ColumnSummary| {
            let [least, most] = side.count_of(value);
            (most - least) as f64 / side.values() as f64
        };
        width(&self.old) + width(&self.new)
    }

    /// Returns how far the intervals of the sketches leave the quotient of the numbers of distinct values open.
    fn distinct_error(&self, effect: f64, confidence: f64) -> f64 {
        let [old, new] = [&self.old, &self.new].map(|side| side.distinct_at(0.5 + confidence / 2.0));
        let [least, most] = [new.lower() / old.upper(), new.upper() / old.lower()].map(|it| it - 1.0);
        (effect - least).max(most - effect)
    }

    /// Returns the larger standard deviation of both: a few values may have none by chance.
    fn deviation(&self) -> f64 {
        let [old, new] = [&self.old, &self.new].map(|side| side.standard_deviation().unwrap_or(0.0));
        old.max(new)
    }

    /// Returns whether there are more distinct values, and also more per row, or fewer of both. More rows alone show
    /// more distinct values, but fewer per row.
    fn is_other_variety(&self, old: &Estimate, new: &Estimate) -> bool {
        let (old_rows, new_rows) = (self.old.values() as f64, self.new.values() as f64);
        let more = old.upper() < new.lower() && old.upper() / old_rows < new.lower() / new_rows;
        let fewer = new.upper() < old.lower() && new.upper() / new_rows < old.lower() / old_rows;
        more || fewer
    }
}

/// Returns whether two intervals are disjoint.
fn apart(one: &Estimate, other: &Estimate) -> bool {
    one.upper() < other.lower() || other.upper() < one.lower()
}

/// Estimates a share from the bounds of a count, including the sampling error.
fn share([least, most]: [u64; 2], of: u64, confidence: f64) -> Estimate {
    let lower = clopper_pearson(least, of, confidence).0;
    let upper = clopper_pearson(most.min(of), of, confidence).1;
    Estimate::new(least as f64 / of as f64, lower, upper, Guarantee::Proven { confidence })
}

/// Estimates the mean of values with this standard deviation, with its sampling error.
fn mean(side: &ColumnSummary, deviation: f64, confidence: f64) -> Estimate {
    let (value, count) = (side.mean().map_or(0.0, Number::to_f64), side.finite() as f64);
    let reach = student_reach(count - 1.0, confidence) * deviation / sqrt(count);
    // The interval of so large a mean has no end, so it says nothing.
    let reach = if reach.is_finite() { reach } else { f64::MAX };
    Estimate::new(value, value - reach, value + reach, Guarantee::Approximate { confidence })
}

fn normal_reach(confidence: f64) -> f64 {
    normal_quantile(0.5 + confidence / 2.0)
}

/// Estimates the number of distinct values, including the sampling error: by the inequality of Efron and Stein, its
/// variance is at most the expected number of values that occur once.
fn distinct(side: &ColumnSummary, confidence: f64) -> Estimate {
    // Half of the error probability is spent on the sketch.
    let known = side.distinct_at(0.5 + confidence / 2.0);
    let singles = count_up(side.singles()) + 1.0;
    let reach = normal_reach(0.5 + confidence / 2.0) * sqrt(singles);
    let guarantee = Guarantee::Approximate { confidence };
    Estimate::new(known.value(), (known.lower() - reach).max(1.0), known.upper() + reach, guarantee)
}

fn median(side: &ColumnSummary) -> Estimate {
    match side.quantile(0.5) {
        Some(median) => {
            let [value, lower, upper] =
                [median.value(), median.lower(), median.upper()].map(|it| it.to_f64());
            Estimate::new(value, lower, upper, median.guarantee())
        }
        None => Estimate::exact(0.0),
    }
}

/// Returns the greatest distance of the two distribution functions.
fn distance(old: &Ranks, new: &Ranks) -> f64 {
    let totals = [old, new].map(|ranks| count_down(ranks.total()).max(1.0));
    let mut points = old.points(QUANTILES);
    points.extend(new.points(QUANTILES));
    points.sort_unstable_by(Number::order);
    points.dedup();
    let (before, after) = (old.ranks_of(&points), new.ranks_of(&points));
    before.iter().zip(after).map(|(a, b)| fabs(a / totals[0] - b / totals[1])).fold(0.0, f64::max)
}

/// Returns the distance that two samples of one distribution exceed with this probability, by the limit law of
/// Kolmogorov and Smirnov.
fn chance_distance(old: u64, new: u64, miss: f64) -> f64 {
    let (old, new) = (old as f64, new as f64);
    sqrt(-log(miss / 2.0) / 2.0) * sqrt(1.0 / old + 1.0 / new)
}
