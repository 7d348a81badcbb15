//! An answer for each group of records.

use super::parse_count;
use clap::Args;

/// Which groups.
#[derive(Args, Clone, Debug)]
pub(crate) struct ByArgs {
    /// Answer separately for each value of this column, the largest group first
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["save", "from"], help_heading = "Groups")]
    pub(crate) by: Option<String>,

    /// Maximum number of groups: the first in the input; all others are combined into one
    #[arg(long, value_name = "N", value_parser = parse_count, default_value = "1000", requires = "by",
          help_heading = "Groups")]
    pub(crate) groups: u64,
}
