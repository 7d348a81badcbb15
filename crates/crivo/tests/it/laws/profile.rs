//! The profile of merged parts is that of the whole, as far as a profile guarantees it.

use super::merge::cut;
use crate::structures::Subject;
use crate::structures::table_profile::text;
use crivo::profile::ColumnSummary;
use crivo::rng::Rng;
use crivo::{HashSpec, TableProfile};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The answers that a merge preserves exactly.
fn exact(summary: &ColumnSummary) -> impl PartialEq + Debug {
    let text = |end: Option<&[u8]>| end.map(<[u8]>::to_vec);
    (
        (summary.rows(), summary.missing(), summary.column_type(), summary.classes(), summary.distinct()),
        (text(summary.minimum()), text(summary.maximum()), summary.lengths(), summary.sample().to_vec()),
        (summary.mean(), summary.standard_deviation(), summary.is_exact()),
    )
}

/// Rows, missing values, types, distinct values, ends, lengths, samples, means and deviations are those of one pass;
/// bounds of frequencies stay deterministic, and quantiles stay within their error.
pub(super) fn merge_keeps_profile(make: impl Fn(HashSpec) -> TableProfile) {
    let mut rng = Rng::new(5);
    let empty = make(HashSpec::default());
    for length in empty.lengths() {
        for part_count in 2..=5 {
            let items = TableProfile::stream(&mut rng, length);
            let parts: Vec<TableProfile> = cut(&mut rng, &items, part_count)
                .iter()
                .map(|part| empty.clone().having_seen(part))
                .collect();
            let before = parts.clone();
            let merged = parts.iter().fold(empty.clone(), TableProfile::merged_with);
            assert_eq!(parts, before, "a merge changed its source");
            let whole = empty.clone().having_seen(&items);
            for ((name, whole), (_, merged)) in whole.columns().zip(merged.columns()) {
                let (whole, merged) = (whole.summary(), merged.summary());
                assert_eq!(exact(&whole), exact(&merged));
                assert!(whole.overlap(&merged).unwrap().same_counts);
                let mut counts: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
                for item in &items {
                    let hash = empty.hash_spec().hash(item);
                    *counts.entry(text(name, hash).into_bytes()).or_default() += 1;
                }
                let (total, counters) = (items.len() as u64, u64::from(empty.params().counters()));
                assert!(merged.floor() <= 2 * total / counters);
                let top = merged.top(usize::MAX);
                for value in top.iter().filter(|value| !value.truncated) {
                    assert!(value.count.contains(counts[&value.value] as f64), "{value:?}");
                }
                let beyond = counts.iter().filter(|(text, _)| text.len() <= 128);
                for (text, &count) in beyond {
                    let is_top = top.iter().any(|value| value.value == *text);
                    assert!(is_top || count <= merged.floor(), "{count} of {text:?}");
                }
            }
        }
    }
}
