//! Sketches for quantiles, ranks and range counts.

mod dyadic_count_min;
mod kept;
mod kll;
mod log_quantiles;
mod req_sketch;

pub use dyadic_count_min::{DyadicCountMin, DyadicParams};
pub use dyadic_count_min::{blocks_of, pieces};
pub use kll::Kll;
pub(crate) use kll::{ERROR_TIMES_K, quantile_of, radius_of, rank_of};
pub use log_quantiles::{LogQuantiles, LogQuantilesParams};
pub use req_sketch::{ReqSketch, Tail};

use crate::{Element, Error, Estimate, Result};
use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Returns the smallest rank that is at least `q` times `total`. A product within rounding error of an integer counts
/// as that integer: 0.07 of 100 is 7, though the nearest `f64` to 0.07 is greater than 0.07.
fn target_rank(q: f64, total: u64) -> u64 {
    let product = q * total as f64;
    let nearest = libm::round(product);
    let is_whole = libm::fabs(product - nearest) <= 4.0 * f64::EPSILON * product;
    (if is_whole { nearest } else { libm::ceil(product) } as u64).min(total)
}

pub(crate) fn check_share_of_all(q: f64) -> Result<()> {
    if (0.0..=1.0).contains(&q) {
        return Ok(());
    }
    Err(Error::invalid(format!("a quantile must be a share of 0 to 1, got {q}; 0.5 is the median")))
}

/// Refuses edges that do not ascend or have no rank.
fn check_ascending<T: Element>(edges: &[T]) -> Result<()> {
    if let Some(edge) = edges.iter().find(|edge| !edge.has_rank()) {
        return Err(Error::invalid(format!("{edge:?} has no rank among values; leave it out")));
    }
    let out_of_order = |pair: &&[T]| pair[0].order(&pair[1]) != Ordering::Less;
    if let Some([one, next, ..]) = edges.windows(2).find(out_of_order) {
        return Err(Error::invalid(format!(
            "edges must ascend, got {one:?} before {next:?}; sort them and remove repetitions"
        )));
    }
    Ok(())
}

/// Returns the share of `total` values up to each of these splits, from their ranks.
fn shares_of<T: Element>(splits: &[T], total: u64, rank: impl Fn(&T) -> Estimate) -> Result<Vec<Estimate>> {
    check_ascending(splits)?;
    let total = total.max(1) as f64;
    let share = |split| {
        let rank = rank(split);
        Estimate::new(rank.value() / total, rank.lower() / total, rank.upper() / total, rank.guarantee())
    };
    Ok(splits.iter().map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_round_shares_are_round() {
        for (q, total, rank) in [
            (0.07, 100, 7),
            (0.29, 100, 29),
            (0.5, 5, 3),
            (0.0, 9, 0),
            (1.0, 9, 9),
            (1e-300, 9, 1),
            (1.0, u64::MAX, u64::MAX),
            (0.999_999, 1_000_000, 999_999),
        ] {
            assert_eq!(target_rank(q, total), rank, "{q} of {total}");
        }
    }
}
