//! What has changed since an older profile.

use crate::output::Output;
use anyhow::Result;
use crivo::Drift;

/// All comparisons of a run together give a false alarm with at most one minus this.
pub(super) const CONFIDENCE: f64 = 0.95;

/// Whether anything has changed.
pub(super) fn has_changed(drift: &Drift) -> bool {
    let changes = |column: &crivo::ColumnDrift| column.changes.iter().any(|change| change.significant);
    !drift.added.is_empty()
        || !drift.gone.is_empty()
        || drift.columns.iter().any(|column| column.types.0 != column.types.1 || changes(column))
}

pub(super) fn print(output: &mut Output, drift: &Drift, _room: usize) -> Result<()> {
    output.line(&format!("{drift:?}"))
}

pub(super) fn print_json(output: &mut Output, drift: &Drift) -> Result<()> {
    output.line(&format!("{drift:?}"))
}
