//! What every benchmark prints: where and when it ran, tables, and whether its targets are met.

mod machine;
mod table;
mod targets;

pub use machine::print_head;
pub use table::{print_table, significant};
pub use targets::Targets;
