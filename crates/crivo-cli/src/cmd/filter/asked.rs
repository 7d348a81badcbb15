//! A saved filter that is asked, whatever its items are.

use super::near::{NearFilter, Reach};
use super::saved::Saved;
use crate::input::{Batch, Wants};
use anyhow::Result;
use crivo::{Estimate, HashSpec};
use std::ffi::OsString;

/// A filter of items, or of texts.
pub(super) enum Filter<'a> {
    Items(Saved<'a>),
    Texts(NearFilter),
}

impl Filter<'_> {
    pub(super) fn spec(&self) -> HashSpec {
        match self {
            Self::Items(filter) => filter.spec(),
            Self::Texts(filter) => filter.spec(),
        }
    }

    /// What it needs of the records.
    pub(super) fn wants(&self) -> Wants {
        match self {
            Self::Items(filter) => Wants::hashes(filter.spec()),
            Self::Texts(_) => Wants::default().and_values(),
        }
    }

    pub(super) fn contains_keys(&self, keys: &[OsString]) -> Result<Vec<bool>> {
        match self {
            Self::Items(filter) => {
                let spec = filter.spec();
                let hashes: Vec<u64> =
                    keys.iter().map(|key| spec.hash_bytes(key.as_encoded_bytes())).collect();
                Ok(filter.contains_hashes(&hashes))
            }
            Self::Texts(filter) => filter.contains_keys(keys),
        }
    }

    pub(super) fn contains_items(&self, batch: &Batch<'_>) -> Result<Vec<bool>> {
        match self {
            Self::Items(filter) => Ok(filter.contains_hashes(batch.hashes)),
            Self::Texts(filter) => filter.contains_items(batch),
        }
    }

    /// The false-positive rate, if it is known; and for texts the distances at which it is 1 %.
    pub(super) fn rates(&self) -> Result<(Option<Estimate>, Option<Reach>)> {
        match self {
            Self::Items(filter) => Ok((filter.fpr(), None)),
            Self::Texts(filter) => Ok((None, Some(filter.reach()?))),
        }
    }
}
