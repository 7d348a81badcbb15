//! Which columns look equal, and which could be joined.

use super::report::ColumnPlace;
use anyhow::Result;
use crivo::Estimate;
use crivo::profile::{ColumnSummary, ColumnType, Key, Overlap};

/// Two columns worth telling of.
#[derive(Debug)]
pub(crate) struct PairReport {
    pub(crate) a: ColumnPlace,
    pub(crate) b: ColumnPlace,
    pub(crate) relation: Relation,
    pub(crate) overlap: Overlap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// The same values, each as often.
    Equal,
    /// Nearly all different values of one are in the other, beyond chance.
    Joinable,
}

impl Relation {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Joinable => "joinable",
        }
    }
}

/// Of so many columns all pairs are compared; their number grows with the square.
pub(crate) const MOST_COLUMNS: usize = 200;

/// All pairs worth telling of, equal ones first, then by how alike they are.
pub(super) fn find(columns: &[(ColumnPlace, ColumnSummary)]) -> Result<Vec<PairReport>> {
    let mut pairs = Vec::new();
    for (number, (a, first)) in columns.iter().enumerate() {
        for (b, second) in &columns[number + 1..] {
            if !could_match(first, second) {
                continue;
            }
            let overlap = first.overlap(second)?;
            if let Some(relation) = relation(first, second, &overlap, a.table == b.table) {
                pairs.push(PairReport { a: *a, b: *b, relation, overlap });
            }
        }
    }
    let alike = |pair: &PairReport| pair.overlap.jaccard.value();
    pairs.sort_by(|a, b| a.relation.cmp(&b.relation).then(alike(b).total_cmp(&alike(a))));
    Ok(pairs)
}

/// Whether it is worth while to compare the values: columns of one value match many and tell nothing.
fn could_match(a: &ColumnSummary, b: &ColumnSummary) -> bool {
    nature(a) == nature(b) && [a, b].iter().all(|column| column.distinct().upper() >= 2.0)
}

/// The type of most values: a column of numbers with a few words among them is no column of words here.
fn nature(column: &ColumnSummary) -> ColumnType {
    let classes = column.classes();
    classes.into_iter().max_by_key(|(_, values)| *values).map_or(ColumnType::Empty, |(class, _)| class)
}

fn relation(a: &ColumnSummary, b: &ColumnSummary, overlap: &Overlap, same_table: bool) -> Option<Relation> {
    /// The share of one column's different values that must be in the other.
    const CONTAINED: f64 = 0.9;
    if overlap.same_counts {
        return Some(Relation::Equal);
    }
    let (inner, outer, contained) = if overlap.of_self.value() >= overlap.of_other.value() {
        (a, b, overlap.of_self)
    } else {
        (b, a, overlap.of_other)
    };
    let different = inner.distinct().lower();
    let joinable = contained.lower() >= CONTAINED
        && match nature(inner) {
            ColumnType::Text => different >= least_texts(same_table),
            ColumnType::Integer => integers_match(different, contained, outer, &overlap.jaccard, same_table),
            ColumnType::Date | ColumnType::Timestamp => !same_table && different >= MANY,
            // Measured values and flags are no keys.
            _ => false,
        };
    joinable.then_some(Relation::Joinable)
}

/// So many different values are not shared by accident, whatever their type.
const MANY: f64 = 50.0;

/// Texts are seldom equal by chance, but words such as yes and no stand in many columns of one table.
fn least_texts(same_table: bool) -> f64 {
    if same_table { 10.0 } else { 3.0 }
}

/// Small whole numbers are everywhere: hours are all among the minutes. They match if one column is a key and the other
/// uses most of it, or, of two tables, if so many would not be shared by numbers drawn from the same range.
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

/// How much of the range between its least and its largest number a column uses.
fn density(column: &ColumnSummary) -> f64 {
    let number = |text: Option<&[u8]>| -> Option<f64> { std::str::from_utf8(text?).ok()?.parse().ok() };
    match (number(column.minimum()), number(column.maximum())) {
        (Some(least), Some(most)) => (column.distinct().value() / (most - least + 1.0)).min(1.0),
        _ => 1.0,
    }
}

/// Whether `draws` numbers, each of which hits with the probability `chance`, would hit a share of `share` or more with
/// less than the probability 1e-9, by Chernoff's bound.
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
    use super::*;
    use crivo::profile::{ColumnProfile, ProfileParams};

    fn column<T: ToString>(values: impl IntoIterator<Item = T>) -> ColumnSummary {
        let mut column = ColumnProfile::with_params(ProfileParams::default());
        values.into_iter().for_each(|value| column.add(value.to_string().as_bytes()));
        column.summary()
    }

    /// What two columns of one table are, and what of two tables.
    fn relations(a: &ColumnSummary, b: &ColumnSummary) -> [Option<Relation>; 2] {
        [true, false]
            .map(|same| could_match(a, b).then(|| relation(a, b, &a.overlap(b).unwrap(), same)).flatten())
    }

    #[test]
    fn equal_columns() {
        let [x, y] = [column([3, 1, 2, 1]), column([1, 1, 2, 3])];
        assert_eq!(relations(&x, &y), [Some(Relation::Equal); 2]);
        assert_eq!(relations(&x, &column([1, 2, 2, 3])), [None; 2], "the same values, not as often");
        assert_eq!(relations(&column([7, 7]), &column([7, 7])), [None; 2], "one value tells nothing");
    }

    #[test]
    fn small_numbers_are_not_joinable_and_keys_are() {
        let (hour, minute) = (column((0..1000).map(|i| i % 24)), column((0..1000).map(|i| i % 60)));
        assert_eq!(relations(&hour, &minute), [None; 2]);
        let (day, other_day) = (column((0..1000).map(|i| i % 31)), column((0..900).map(|i| i % 31)));
        assert_eq!(relations(&day, &other_day), [None; 2], "a dense range, and no key");
        let (key, user) = (column(0..1000), column((0..5000).map(|i| i % 900)));
        assert_eq!(relations(&user, &key), [Some(Relation::Joinable); 2]);
        let sparse = |most: u64| column((0..most).flat_map(|i| [i * 7919, i * 7919]));
        assert_eq!(relations(&sparse(300), &sparse(290)), [None, Some(Relation::Joinable)], "beyond chance");
        assert_eq!(relations(&sparse(300), &sparse(3)), [None; 2], "too little of it");
        let delay = column((0..1000).map(|i| if i == 7 { "late".into() } else { (i % 90).to_string() }));
        assert_eq!(relations(&minute, &delay), [None; 2], "one word does not make it text");
    }

    #[test]
    fn texts() {
        let codes = |range: std::ops::Range<u32>| column(range.map(|i| format!("c{i}")));
        assert_eq!(relations(&codes(0..16), &codes(0..16)), [Some(Relation::Equal); 2]);
        assert_eq!(relations(&codes(0..3), &codes(0..16)), [None, Some(Relation::Joinable)]);
        assert_eq!(relations(&codes(0..12), &codes(0..16)), [Some(Relation::Joinable); 2]);
        assert_eq!(relations(&codes(0..2), &codes(0..16)), [None; 2]);
        assert_eq!(relations(&codes(8..24), &codes(0..16)), [None; 2], "half is not nearly all");
    }

    #[test]
    fn chance_is_bounded_as_chernoff_has_it() {
        // A hundred of a hundred at one half: 2^-100, and 29 are 2^-29 = 1.9e-9.
        assert!(
            beyond_chance(100.0, 1.0, 0.5) && beyond_chance(30.0, 1.0, 0.5) && !beyond_chance(29.0, 1.0, 0.5)
        );
        assert!(!beyond_chance(1e9, 0.9, 0.9) && !beyond_chance(1e9, 0.9, 1.0), "chance explains it");
        assert!(beyond_chance(1.0, 1.0, 0.0), "what cannot be by chance");
    }
}
