//! What is in a table? Its columns, each with its type, its different values, its ends, quantiles and most frequent values.

mod classify;
mod column;
mod drift;
mod overlap;
mod params;
mod ranks;
mod rest;
mod summary;
mod table;
mod value_table;
mod wire;

pub use classify::ColumnType;
pub use column::ColumnProfile;
pub use drift::{Change, ColumnDrift, Drift, Measure};
pub use overlap::Overlap;
pub use params::ProfileParams;
pub use ranks::Bin;
pub use summary::{ColumnSummary, Key, TopValue};
pub use table::TableProfile;

#[cfg(test)]
mod tests;
