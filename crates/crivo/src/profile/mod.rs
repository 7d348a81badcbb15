//! Profiles of tables: for each column its type, distinct values, ends, quantiles and most frequent values.

mod by_value;
mod classify;
mod column_profile;
mod column_summary;
mod drift;
mod overlap;
mod params;
mod ranks;
mod table_profile;
mod top_value;
mod value_summaries;
mod value_table;
mod wire;

pub use classify::ColumnType;
pub use column_profile::ColumnProfile;
pub use column_summary::{ColumnSummary, Key};
pub use drift::{Change, ColumnDrift, Drift, Measure};
pub use overlap::Overlap;
pub use params::ProfileParams;
pub use ranks::Bin;
pub use table_profile::TableProfile;
pub use top_value::{KnownValue, TopValue};

#[cfg(test)]
mod tests;
