//! A saved filter that is asked, whatever its items are.

use super::near::{NearFilter, Reach};
use super::saved::Saved;
use crate::args::ItemArgs;
use crate::input::{Batch, Wants};
use anyhow::Result;
use crivo::{Estimate, HashSpec};
use crivo_interop::Foreign;
use std::ffi::OsString;

/// A filter of items, or of texts.
pub(super) enum Filter<'a> {
    Items(Saved<'a>),
    Texts(NearFilter),
    /// Of another library, which hashes the items itself.
    Foreign(Foreign, ItemArgs),
}

impl Filter<'_> {
    pub(super) fn spec(&self) -> HashSpec {
        match self {
            Self::Items(filter) => filter.spec(),
            Self::Texts(filter) => filter.spec(),
            Self::Foreign(..) => HashSpec::default(),
        }
    }

    /// What it needs of the records.
    pub(super) fn wants(&self) -> Wants {
        match self {
            Self::Items(filter) => Wants::hashes(filter.spec()),
            Self::Texts(_) | Self::Foreign(..) => Wants::default().and_values(),
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
            Self::Foreign(filter, items) => {
                let is_in = |key: &OsString| Ok(filter.contains(items.item(key.as_encoded_bytes())?)?);
                keys.iter().map(is_in).collect()
            }
        }
    }

    pub(super) fn contains_items(&self, batch: &Batch<'_>) -> Result<Vec<bool>> {
        match self {
            Self::Items(filter) => Ok(filter.contains_hashes(batch.hashes)),
            Self::Texts(filter) => filter.contains_items(batch),
            Self::Foreign(filter, items) => {
                let is_in = |place| Ok(filter.contains(items.item(batch.values.get(place))?)?);
                (0..batch.items).map(is_in).collect()
            }
        }
    }

    /// The false-positive rate, if it is known; and for texts the distances at which it is 1 %.
    pub(super) fn rates(&self) -> Result<(Option<Estimate>, Option<Reach>)> {
        match self {
            Self::Items(filter) => Ok((filter.fpr(), None)),
            Self::Texts(filter) => Ok((None, Some(filter.reach()?))),
            Self::Foreign(filter, _) => Ok((Some(Estimate::exact(filter.fpr()?)), None)),
        }
    }
}
