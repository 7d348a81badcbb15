//! What changed between two profiles: see [`Drift`].
//!
//! Both tables are taken as samples of what could have come. A change is *significant* when the error bars of the old and of
//! the new answer do not meet. Bars hold what the sketches do not know, and what another sample would have had instead.
//! All comparisons together give a false alarm with at most one minus the confidence, approximately for means and for
//! different values: each bar is that much wider (Bonferroni), and each of two bars takes half of what a comparison may
//! miss.

use super::classify::ColumnType;
use super::column_profile::ColumnProfile;
use super::column_summary::ColumnSummary;
use super::ranks::Ranks;
use super::table_profile::TableProfile;
use super::value_table::Counted;
use crate::estimate::{check_confidence, count_down, count_up};
use crate::stats::{beta_i_inverse, clopper_pearson, normal_quantile};
use crate::{Element, Estimate, Guarantee, Number, Result};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use libm::{fabs, log, sqrt};

/// The most frequent values of either side are compared.
const TOP: usize = 10;
/// Two distributions of which not all values are known are compared at so many quantiles of each.
const QUANTILES: u32 = 500;
/// Means of fewer values are not compared: that all of so few are equal by chance is not rare, and they tell nothing of
/// how much others would differ.
const LEAST_FOR_MEAN: u64 = 8;

/// What is different in a newer table: from [`TableProfile::drift`].
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
    /// How many comparisons were made.
    pub comparisons: usize,
}

/// What is different in a column.
#[derive(Clone, Debug)]
pub struct ColumnDrift {
    /// Its name.
    pub column: String,
    /// The older and the newer type. A single value can make another type: this is what is there, not a comparison.
    pub types: (ColumnType, ColumnType),
    /// The older and the newer least value, as written. Not a comparison either: more rows reach further.
    pub minimum: (Option<Vec<u8>>, Option<Vec<u8>>),
    /// The older and the newer greatest value.
    pub maximum: (Option<Vec<u8>>, Option<Vec<u8>>),
    /// Whether a time of either has `Z` or an offset.
    pub has_zones: bool,
    /// All comparisons, also those that found nothing.
    pub changes: Vec<Change>,
}

/// What two columns are compared in.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// The share of rows without a value.
    Missing,
    /// How many different values there are, unless that follows from the number of rows: where more rows have more
    /// of them, or more rows fewer for each row, nothing changed.
    Distinct,
    /// The mean, of at least eight numbers on either side.
    Mean,
    /// All ranks, of numbers or times. Old and new are the medians.
    Distribution,
    /// The share of values that are this one, of those among the ten most frequent of either side.
    Share {
        /// The value, or its first 128 bytes.
        value: Vec<u8>,
        /// Whether there is more of it.
        truncated: bool,
    },
}

impl Measure {
    /// The name, in lower case.
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
    /// What was compared.
    pub measure: Measure,
    /// The older answer, with a bar for what another sample would have had too.
    pub old: Estimate,
    /// The newer answer.
    pub new: Estimate,
    /// How large the change is: for shares, their difference; for means, their difference in standard deviations of the
    /// older column, infinite where it had none; for counts of different values, the quotient minus one; for distributions, the greatest difference
    /// of two shares up to a value.
    pub effect: f64,
    /// Whether it is more than chance and the errors of both.
    pub significant: bool,
}

impl TableProfile {
    /// What changed in a newer table. All comparisons together give a false alarm, something significant in two samples of
    /// the same, with a probability of at most 1 − `confidence`; approximately, as far as means of few or very
    /// unequal numbers and counts of different values go. Types, ends, added and gone columns stand outside of this: they are
    /// told as they are.
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
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1, `Incompatible` when the hashes differ.
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

/// A [`Measure`] as the tables have it.
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
    /// What there is to compare.
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

    /// The answers to a question, and whether they differ more than they do with the probability `miss` by chance.
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
        let (effect, significant) = match &question {
            Question::Missing | Question::Share(_) => (difference, apart(&old, &new)),
            Question::Mean => {
                let deviation = self.old.standard_deviation().unwrap_or(0.0);
                (if difference == 0.0 { 0.0 } else { difference / deviation }, apart(&old, &new))
            }
            Question::Distinct => (new.value() / old.value() - 1.0, self.is_other_variety(&old, &new)),
            Question::Distribution => {
                let distance = distance(self.old.ranks(), self.new.ranks());
                let chance = chance_distance(self.old.values(), self.new.values(), miss / 2.0);
                let unknown = self.old.ranks().error(miss / 4.0) + self.new.ranks().error(miss / 4.0);
                (distance, distance > chance + unknown)
            }
        };
        Change { measure: question.measure(), old, new, effect, significant }
    }

    /// The larger standard deviation of both: few values may have none by chance where many have one.
    fn deviation(&self) -> f64 {
        let [old, new] = [&self.old, &self.new].map(|side| side.standard_deviation().unwrap_or(0.0));
        old.max(new)
    }

    /// Whether there are more different values, and more for each row too, or fewer and fewer. More rows alone show more
    /// values, and fewer for each row.
    fn is_other_variety(&self, old: &Estimate, new: &Estimate) -> bool {
        let (old_rows, new_rows) = (self.old.values() as f64, self.new.values() as f64);
        let more = old.upper() < new.lower() && old.upper() / old_rows < new.lower() / new_rows;
        let fewer = new.upper() < old.lower() && new.upper() / new_rows < old.lower() / old_rows;
        more || fewer
    }
}

/// Whether two bars do not meet.
fn apart(one: &Estimate, other: &Estimate) -> bool {
    one.upper() < other.lower() || other.upper() < one.lower()
}

/// The share of a count between two bounds, and of all counts that could as well have come.
fn share([least, most]: [u64; 2], of: u64, confidence: f64) -> Estimate {
    let lower = clopper_pearson(least, of, confidence).0;
    let upper = clopper_pearson(most.min(of), of, confidence).1;
    Estimate::new(least as f64 / of as f64, lower, upper, Guarantee::Proven { confidence })
}

/// The mean of values with this deviation, with its standard error.
fn mean(side: &ColumnSummary, deviation: f64, confidence: f64) -> Estimate {
    let (value, count) = (side.mean().map_or(0.0, Number::to_f64), side.finite() as f64);
    let reach = student_reach(count - 1.0, confidence) * deviation / sqrt(count);
    // A mean so large that its bar has no end tells nothing.
    let reach = if reach.is_finite() { reach } else { f64::MAX };
    Estimate::new(value, value - reach, value + reach, Guarantee::Approximate { confidence })
}

fn normal_reach(confidence: f64) -> f64 {
    normal_quantile(0.5 + confidence / 2.0)
}

/// How many deviations Student's t is within: t² / (t² + ν) is of a beta distribution with the shapes 1/2 and ν/2. Either
/// share is asked for, since the other minus one has no digits left where it is small.
fn student_reach(freedom: f64, confidence: f64) -> f64 {
    let share = beta_i_inverse(0.5, freedom / 2.0, confidence);
    let rest = beta_i_inverse(freedom / 2.0, 0.5, 1.0 - confidence);
    sqrt(freedom * share / rest)
}

/// How many different values there are, and could as well have been: by the inequality of Efron and Stein, the variance of
/// this number is at most the expected number of values that come once.
fn distinct(side: &ColumnSummary, confidence: f64) -> Estimate {
    // Half of what may be missed is for the sketch.
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

/// The greatest distance of the two distributions.
fn distance(old: &Ranks, new: &Ranks) -> f64 {
    let totals = [old, new].map(|ranks| count_down(ranks.total()).max(1.0));
    let mut points = old.points(QUANTILES);
    points.extend(new.points(QUANTILES));
    points.sort_unstable_by(Number::order);
    points.dedup();
    let (before, after) = (old.ranks_of(&points), new.ranks_of(&points));
    before.iter().zip(after).map(|(a, b)| fabs(a / totals[0] - b / totals[1])).fold(0.0, f64::max)
}

/// What two samples of one distribution are apart with this probability, by the limit law of Kolmogorov and Smirnov.
fn chance_distance(old: u64, new: u64, miss: f64) -> f64 {
    let (old, new) = (old as f64, new as f64);
    sqrt(-log(miss / 2.0) / 2.0) * sqrt(1.0 / old + 1.0 / new)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From closed forms: with one degree of freedom the tangent, with two 2(p − 1/2)/√(2p(1 − p)); with very many, the normal.
    #[test]
    fn reach_of_student() {
        let close = |freedom: f64, confidence: f64, expected: f64| {
            let error = fabs(student_reach(freedom, confidence) / expected - 1.0);
            assert!(
                error < 1e-8,
                "{freedom} {confidence}: {} {expected}",
                student_reach(freedom, confidence)
            );
        };
        for confidence in [0.5, 0.95, 0.9999] {
            close(1.0, confidence, libm::tan(core::f64::consts::FRAC_PI_2 * confidence));
            let below = 0.5 + confidence / 2.0;
            close(2.0, confidence, 2.0 * (below - 0.5) / sqrt(2.0 * below * (1.0 - below)));
            for freedom in [1e10, 1e15, 1.8e19] {
                close(freedom, confidence, normal_reach(confidence));
            }
        }
    }
}
