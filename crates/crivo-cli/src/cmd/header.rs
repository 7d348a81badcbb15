//! The header above the records of tables.

use crate::input::Batch;
use anyhow::{Result, bail};

/// The header of the first table; the other tables must have the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Header(Option<Vec<u8>>);

impl Header {
    /// Whether `batch` brings the first one.
    pub(super) fn see(&mut self, batch: &Batch<'_>) -> Result<bool> {
        match (batch.header, &self.0) {
            (Some(header), None) => {
                self.0 = Some(header.to_vec());
                Ok(true)
            }
            (Some(header), Some(first)) if header != first => bail!(
                "{}: the header differs from that of the first table, so the rows do not belong together; \
                 ask for it alone",
                batch.source.name()
            ),
            _ => Ok(false),
        }
    }

    pub(super) fn get(&self) -> Option<&[u8]> {
        self.0.as_deref()
    }
}
