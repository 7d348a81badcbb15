//! Comparison of two counters of any kind: see [`compare_sets`].

use crate::cardinality::{HyperLogLog, Joint, KMinValues, Sets};
use crate::kind::{Kind, MergeLaw};
use crate::sketch::{Cardinality, Sketch};
use crate::{Error, Result};
use alloc::format;

/// Compares two counters of the same kind, parameters and hash: with the structure's own method for two sets,
/// or by [inclusion and exclusion](Sets::by_inclusion_exclusion). For two [`HyperLogLog`]s, the
/// intervals follow from the joint law of their registers, and are about half as long as intervals that are
/// added up, or shorter.
///
/// ```
/// use crivo::{Joint, compare_sets};
/// let (mut monday, mut tuesday) = (Joint::for_error(0.05)?, Joint::for_error(0.05)?);
/// monday.extend(0..40_000u32);
/// tuesday.extend(30_000..70_000u32);
/// let sets = compare_sets(&monday, &tuesday)?;
/// assert!(sets.union.contains(70_000.0) && sets.intersection.contains(10_000.0));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// `Unsupported` for a structure that does not count distinct items or whose merge is not exact;
/// `Incompatible` if kind, parameters or hash differ.
pub fn compare_sets(first: &dyn Sketch, second: &dyn Sketch) -> Result<Sets> {
    let info = first.kind().info();
    let cannot = || cannot(info.kind);
    let Some(counter) = info.cardinality else { return Err(cannot()) };
    if first.merge_law() != Some(MergeLaw::Exact) {
        return Err(cannot());
    }
    let mut both = first.boxed();
    both.merge_any(second)?;
    let count = |sketch| counter(sketch).map(Cardinality::estimate).ok_or_else(cannot);
    let union = count(&*both)?;
    let native = if let Some((first, second)) = pair::<KMinValues>(first, second) {
        [first.intersection(second)?, first.difference(second)?, first.similarity(second)?]
    } else if let Some((first, second)) = pair::<HyperLogLog>(first, second) {
        return first.sets(second);
    } else if let Some((first, second)) = pair::<Joint>(first, second) {
        [first.intersection(second)?, first.difference(second)?, first.similarity(second)?]
    } else {
        return Ok(Sets::by_inclusion_exclusion(count(first)?, count(second)?, union));
    };
    let [intersection, only_first, similarity] = native;
    Ok(Sets { union, intersection, only_first, similarity })
}

/// Returns both sketches as this type, if they are of it.
fn pair<'a, S: Sketch>(first: &'a dyn Sketch, second: &'a dyn Sketch) -> Option<(&'a S, &'a S)> {
    first.downcast_ref().zip(second.downcast_ref())
}

fn cannot(kind: Kind) -> Error {
    Error::unsupported(format!(
        "a {} cannot compare sets, which needs a counter of distinct items with an exact merge; use a joint",
        kind.name()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BloomFilter, ErrorKind};

    #[test]
    fn only_counters_of_a_kind_compare() {
        let kind_of =
            |first: &dyn Sketch, second: &dyn Sketch| compare_sets(first, second).unwrap_err().kind();
        let filter = BloomFilter::for_fpr(10, 0.01).unwrap();
        let counter = HyperLogLog::for_precision(10).unwrap();
        assert_eq!(kind_of(&filter, &filter), ErrorKind::Unsupported);
        assert_eq!(kind_of(&counter, &KMinValues::for_k(16).unwrap()), ErrorKind::Incompatible);
        assert_eq!(kind_of(&counter, &HyperLogLog::for_precision(11).unwrap()), ErrorKind::Incompatible);
    }
}
