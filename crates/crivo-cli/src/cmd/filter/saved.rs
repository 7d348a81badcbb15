//! A saved filter, to be asked.

use super::membership;
use crate::cmd::sketch_file::{decode, other_family, read, warn_if_untagged};
use crate::mapped::FileBytes;
use crate::session::Session;
use anyhow::{Context, Result};
use crivo::sketch::{Membership, Sketch};
use crivo::{DecodeOptions, ErrorKind, Estimate, Family, FilterView, HashSpec};
use std::path::Path;

/// The bytes of a sketch file.
pub(super) fn map(path: &Path, options: &DecodeOptions, session: &Session) -> Result<FileBytes> {
    match FileBytes::map(path)? {
        Some(bytes) => {
            warn_if_untagged(path, &bytes, session).with_context(|| path.display().to_string())?;
            Ok(bytes)
        }
        None => read(path, options, session).map(FileBytes::Read),
    }
}

/// A filter that answers.
pub(crate) enum Saved<'a> {
    /// From its file, without memory of its own.
    View(FilterView<'a>),
    Loaded(Box<dyn Sketch>, HashSpec),
}

impl Saved<'static> {
    /// Returns the filter if it must be loaded; none if its kind allows a view, whose checksum is verified on request.
    pub(super) fn check(
        path: &Path,
        bytes: &[u8],
        options: &DecodeOptions,
        verify: bool,
    ) -> Result<Option<Self>> {
        let name = || path.display().to_string();
        match FilterView::open(bytes, options) {
            Ok(view) if verify => view.verify().map(|()| None).with_context(name),
            Ok(_) => Ok(None),
            // Whatever else is wrong, loading says it best.
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                Self::load(path, bytes, options).map(Some)
            }
            Err(error) => Err(error).with_context(name),
        }
    }

    pub(crate) fn load(path: &Path, bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let filter = decode(bytes, options).with_context(|| path.display().to_string())?;
        match (membership(&*filter), filter.hashing()) {
            (Some(_), Some(&spec)) => Ok(Self::Loaded(filter, spec)),
            _ => Err(other_family(path, filter.kind(), Family::Membership)),
        }
    }
}

impl Saved<'_> {
    /// How items must be hashed.
    pub(crate) fn spec(&self) -> HashSpec {
        match self {
            Self::View(view) => *view.hash_spec(),
            Self::Loaded(_, spec) => *spec,
        }
    }

    pub(crate) fn contains_hash(&self, hash: u64) -> bool {
        match self {
            Self::View(view) => view.contains_hash(hash),
            Self::Loaded(filter, _) => ask(&**filter).contains_hash(hash),
        }
    }

    pub(crate) fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        match self {
            Self::View(view) => view.contains_hashes(hashes),
            Self::Loaded(filter, _) => ask(&**filter).contains_hashes(hashes),
        }
    }

    /// Returns the false-positive rate, which only a loaded filter knows.
    pub(crate) fn fpr(&self) -> Option<Estimate> {
        match self {
            Self::View(_) => None,
            Self::Loaded(filter, _) => Some(ask(&**filter).fpr()),
        }
    }
}

fn ask(filter: &dyn Sketch) -> &dyn Membership {
    membership(filter).expect("checked when it was loaded")
}
