//! Checks the target of a filter: a number of items and a false-positive rate.

use crate::hash::TWO_TO_64;
use crate::{Error, Result};
use alloc::format;

/// Refuses a number of items and a rate that no filter of 64-bit hashes can meet.
pub(super) fn check_target(items: u64, fpr: f64) -> Result<()> {
    check_items(items)?;
    check_rate(fpr)?;
    let floor = items as f64 / TWO_TO_64;
    if fpr < 2.0 * floor {
        return Err(Error::invalid(format!(
            "a false-positive rate of {fpr} is out of reach for {items} items: their 64-bit hashes alone \
             collide with probability {floor:e}; choose at least twice that"
        )));
    }
    Ok(())
}

pub(super) fn check_rate(fpr: f64) -> Result<()> {
    if fpr > 0.0 && fpr < 1.0 {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "a false-positive rate must lie strictly between 0 and 1, got {fpr}; 0.01 is usual"
    )))
}

pub(super) fn check_items(items: u64) -> Result<()> {
    if items > 0 {
        return Ok(());
    }
    Err(Error::invalid("a filter needs room for at least 1 item, got 0; give the expected number of items"))
}
