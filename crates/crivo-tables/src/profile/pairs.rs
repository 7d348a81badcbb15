//! Finds columns that are equal, that have the same distribution, and that could be joined.

use super::report::ColumnPlace;
use anyhow::Result;
use crivo::Estimate;
use crivo::profile::{ColumnSummary, ColumnType, Key, Overlap};

/// A column that is compared with others.
#[derive(Debug)]
pub(super) struct Compared {
    pub(super) place: ColumnPlace,
    pub(super) summary: ColumnSummary,
    /// The fingerprint of the values and their rows, if it is known.
    pub(super) fingerprint: Option<u64>,
}

/// The relations between columns that a report shows.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    pub(crate) groups: Vec<Group>,
    /// Columns that could be joined, the most similar first.
    pub(crate) pairs: Vec<PairReport>,
}

/// Two or more columns with the same values.
#[derive(Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) alike: Alike,
    pub(crate) columns: Vec<ColumnPlace>,
}

/// How similar the columns of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alike {
    /// The columns have the same value in every row.
    Equal,
    /// The columns have the same values equally often, but in other rows, or the rows are unknown.
    SameDistribution,
}

impl Alike {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::SameDistribution => "same_distribution",
        }
    }
}

/// Two columns, one of which contains nearly all distinct values of the other, beyond chance.
#[derive(Debug)]
pub(crate) struct PairReport {
    pub(crate) a: ColumnPlace,
    pub(crate) b: ColumnPlace,
    pub(crate) overlap: Overlap,
}

/// The largest number of columns that are compared. The number of pairs grows with its square.
pub(crate) const MOST_COLUMNS: usize = 200;

/// Finds the relations: equal columns first, then columns with the same distribution, then columns to join.
pub(super) fn find(columns: &[Compared]) -> Result<Relations> {
    let mut pairs = Vec::new();
    // For each column, the first column with the same values: itself, or an earlier one.
    let mut firsts: Vec<usize> = (0..columns.len()).collect();
    for (number, a) in columns.iter().enumerate() {
        for (other, b) in columns.iter().enumerate().skip(number + 1) {
            if firsts[other] == firsts[number] || !could_match(&a.summary, &b.summary) {
                continue;
            }
            let overlap = a.summary.overlap(&b.summary)?;
            if overlap.same_counts {
                firsts[other] = firsts[number];
            } else if is_joinable(&a.summary, &b.summary, &overlap, a.place.table == b.place.table) {
                pairs.push(PairReport { a: a.place, b: b.place, overlap });
            }
        }
    }
    let alike = |pair: &PairReport| pair.overlap.jaccard.value();
    pairs.sort_by(|a, b| alike(b).total_cmp(&alike(a)));
    Ok(Relations { groups: groups(columns, &firsts), pairs })
}

/// Returns the groups of columns with one first column, and in each the columns that are equal in every row.
fn groups(columns: &[Compared], firsts: &[usize]) -> Vec<Group> {
    let (mut equal, mut alike) = (Vec::new(), Vec::new());
    let group = |alike: Alike, members: &[usize]| {
        let columns = members.iter().map(|&member| columns[member].place).collect();
        Group { alike, columns }
    };
    for first in 0..columns.len() {
        let members: Vec<usize> = (first..columns.len()).filter(|&member| firsts[member] == first).collect();
        if members.len() < 2 {
            continue;
        }
        // Columns that are equal in every row form a class; classes are in the order of their first columns.
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for &member in &members {
            let same = |class: &&mut Vec<usize>| are_equal(&columns[class[0]], &columns[member]);
            match classes.iter_mut().find(same) {
                Some(class) => class.push(member),
                None => classes.push(vec![member]),
            }
        }
        let several = classes.iter().filter(|class| class.len() > 1);
        equal.extend(several.map(|class| group(Alike::Equal, class)));
        if classes.len() > 1 {
            alike.push(group(Alike::SameDistribution, &members));
        }
    }
    equal.into_iter().chain(alike).collect()
}

/// Returns whether two columns with the same values have them in the same rows.
fn are_equal(a: &Compared, b: &Compared) -> bool {
    a.fingerprint.is_some() && (a.fingerprint, a.summary.rows()) == (b.fingerprint, b.summary.rows())
}

/// Returns whether the values are worth comparing. Columns of one value match many others, which says nothing.
fn could_match(a: &ColumnSummary, b: &ColumnSummary) -> bool {
    nature(a) == nature(b) && [a, b].iter().all(|column| column.distinct().upper() >= 2.0)
}

/// Returns the type of most values: a column of numbers with a few words is a column of numbers here.
fn nature(column: &ColumnSummary) -> ColumnType {
    let classes = column.classes();
    classes.into_iter().max_by_key(|(_, values)| *values).map_or(ColumnType::Empty, |(class, _)| class)
}

fn is_joinable(a: &ColumnSummary, b: &ColumnSummary, overlap: &Overlap, same_table: bool) -> bool {
    /// The share of one column's distinct values that must be in the other.
    const CONTAINED: f64 = 0.9;
    let (inner, outer, contained) = if overlap.of_self.value() >= overlap.of_other.value() {
        (a, b, overlap.of_self)
    } else {
        (b, a, overlap.of_other)
    };
    let different = inner.distinct().lower();
    contained.lower() >= CONTAINED
        && match nature(inner) {
            ColumnType::Text => different >= least_texts(same_table),
            ColumnType::Integer => integers_match(different, contained, outer, &overlap.jaccard, same_table),
            ColumnType::Date | ColumnType::Timestamp => !same_table && different >= MANY,
            // Measured values and flags are not keys.
            _ => false,
        }
}

/// The number of distinct values that two columns do not share by chance, whatever their type.
const MANY: f64 = 50.0;

/// Returns the least number of distinct texts. Texts are seldom equal by chance, but words such as yes and no occur
/// in many columns of one table.
fn least_texts(same_table: bool) -> f64 {
    if same_table { 10.0 } else { 3.0 }
}

/// Returns whether two columns of integers match. Small integers occur in many columns: all hours are also minutes.
/// Columns match if one is a key and the other uses most of it; or, for columns of two tables, if integers drawn at
/// random from the same range would not share this many values.
fn integers_match(
    different: f64,
    contained: Estimate,
    outer: &ColumnSummary,
    jaccard: &Estimate,
    same_table: bool,
) -> bool {
    if jaccard.lower() < 0.5 {
        return false;
    }
    let is_key = outer.key() != Key::No;
    is_key && different >= MANY || !same_table && beyond_chance(different, contained.lower(), density(outer))
}

/// Returns the share of the integers between its minimum and maximum that a column uses.
fn density(column: &ColumnSummary) -> f64 {
    let number = |text: Option<&[u8]>| -> Option<f64> { std::str::from_utf8(text?).ok()?.parse().ok() };
    match (number(column.minimum()), number(column.maximum())) {
        (Some(least), Some(most)) => (column.distinct().value() / (most - least + 1.0)).min(1.0),
        _ => 1.0,
    }
}

/// Returns whether `draws` numbers, each of which hits with probability `chance`, would hit a share of at least
/// `share` with a probability below 1e-9, by Chernoff's bound.
fn beyond_chance(draws: f64, share: f64, chance: f64) -> bool {
    if chance >= share {
        return false;
    }
    let term = |p: f64, q: f64| if p == 0.0 { 0.0 } else { p * (p / q).ln() };
    let divergence = term(share, chance) + term(1.0 - share, 1.0 - chance);
    draws * divergence > 1e9_f64.ln()
}

#[cfg(test)]
mod tests {
    use super::super::tracked::TrackedColumn;
    use super::*;
    use crate::tables::Column;
    use crivo::HashSpec;
    use crivo::profile::{ColumnProfile, ProfileParams};

    fn compared<T: ToString>(values: impl IntoIterator<Item = T>, table: usize) -> Compared {
        let mut column = TrackedColumn::new(ColumnProfile::with_params(ProfileParams::default()));
        for value in values {
            match value.to_string().as_bytes() {
                b"" => column.add_missing(1),
                text => column.add(text, HashSpec::default().hash_bytes(text)),
            }
        }
        let place = ColumnPlace { table, column: 0 };
        Compared { place, summary: column.profile.summary(), fingerprint: Some(column.fingerprint) }
    }

    fn column<T: ToString>(values: impl IntoIterator<Item = T>) -> ColumnSummary {
        compared(values, 0).summary
    }

    /// Returns whether two columns could be joined, as columns of one table and as columns of two tables.
    fn joinable(a: &ColumnSummary, b: &ColumnSummary) -> [bool; 2] {
        [0, 1].map(|table| {
            let compared = |summary: &ColumnSummary, table| {
                let place = ColumnPlace { table, column: 0 };
                Compared { place, summary: summary.clone(), fingerprint: None }
            };
            !find(&[compared(a, 0), compared(b, table)]).unwrap().pairs.is_empty()
        })
    }

    /// Returns the places of the columns in groups.
    fn grouped(columns: &mut [Compared]) -> Vec<(Alike, Vec<usize>)> {
        for (number, column) in columns.iter_mut().enumerate() {
            column.place.column = number;
        }
        let groups = find(columns).unwrap().groups;
        let places = |group: &Group| group.columns.iter().map(|place| place.column).collect();
        groups.iter().map(|group| (group.alike, places(group))).collect()
    }

    #[test]
    fn equal_columns_are_equal_in_every_row() {
        let clicked = ["1", "0", "0", "1", ""];
        let bought = ["0", "1", "0", "1", ""];
        let (equal, alike) = (Alike::Equal, Alike::SameDistribution);
        let mut columns = [compared(clicked, 0), compared(bought, 0)];
        assert_eq!(grouped(&mut columns), [(alike, vec![0, 1])]);
        let mut columns = [compared(clicked, 0), compared(clicked, 0), compared(clicked, 1)];
        assert_eq!(grouped(&mut columns), [(equal, vec![0, 1, 2])], "of two tables too");
        let late = ["", "1", "0", "0", "1"];
        let mut columns = [clicked, bought, clicked, late, bought].map(|values| compared(values, 0));
        let all = (alike, vec![0, 1, 2, 3, 4]);
        assert_eq!(grouped(&mut columns), [(equal, vec![0, 2]), (equal, vec![1, 4]), all.clone()]);
        for column in &mut columns {
            column.fingerprint = None;
        }
        assert_eq!(grouped(&mut columns), [all], "a saved profile knows no rows");
        let mut columns = [compared([1, 1, 2, 3], 0), compared([1, 2, 2, 3], 0)];
        assert_eq!(grouped(&mut columns), [], "the same values, not as often");
        assert_eq!(grouped(&mut [compared([7, 7], 0), compared([7, 7], 0)]), [], "one value tells nothing");
        let mut columns = [compared(["1", "2"], 0), compared(["1", "2", ""], 1)];
        assert_eq!(grouped(&mut columns), [(alike, vec![0, 1])], "one has a row more");
    }

    #[test]
    fn small_numbers_are_not_joinable_and_keys_are() {
        let (hour, minute) = (column((0..1000).map(|i| i % 24)), column((0..1000).map(|i| i % 60)));
        assert_eq!(joinable(&hour, &minute), [false; 2]);
        let (day, other_day) = (column((0..1000).map(|i| i % 31)), column((0..900).map(|i| i % 31)));
        assert_eq!(joinable(&day, &other_day), [false; 2], "a dense range, and no key");
        let (key, user) = (column(0..1000), column((0..5000).map(|i| i % 900)));
        assert_eq!(joinable(&user, &key), [true; 2]);
        let sparse = |most: u64| column((0..most).flat_map(|i| [i * 7919, i * 7919]));
        assert_eq!(joinable(&sparse(300), &sparse(290)), [false, true], "beyond chance");
        assert_eq!(joinable(&sparse(300), &sparse(3)), [false; 2], "too little of it");
        let delay = column((0..1000).map(|i| if i == 7 { "late".into() } else { (i % 90).to_string() }));
        assert_eq!(joinable(&minute, &delay), [false; 2], "one word does not make it text");
    }

    #[test]
    fn texts() {
        let codes = |range: std::ops::Range<u32>| column(range.map(|i| format!("c{i}")));
        assert_eq!(joinable(&codes(0..3), &codes(0..16)), [false, true]);
        assert_eq!(joinable(&codes(0..12), &codes(0..16)), [true; 2]);
        assert_eq!(joinable(&codes(0..2), &codes(0..16)), [false; 2]);
        assert_eq!(joinable(&codes(8..24), &codes(0..16)), [false; 2], "half is not nearly all");
    }

    #[test]
    fn chance_is_bounded_as_chernoff_has_it() {
        // A hundred hits of a hundred at probability one half: 2^-100; 29 hits: 2^-29 = 1.9e-9.
        assert!(
            beyond_chance(100.0, 1.0, 0.5) && beyond_chance(30.0, 1.0, 0.5) && !beyond_chance(29.0, 1.0, 0.5)
        );
        assert!(!beyond_chance(1e9, 0.9, 0.9) && !beyond_chance(1e9, 0.9, 1.0), "chance explains it");
        assert!(beyond_chance(1.0, 1.0, 0.0), "what cannot be by chance");
    }
}
