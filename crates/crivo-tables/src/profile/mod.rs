//! Profiles of tables: reading, combining, and reporting as text, as records and as an HTML page.

mod column;
mod drift;
mod grouped;
mod html;
mod json;
mod order;
mod pairs;
mod parts;
mod points;
mod profiled;
mod records;
mod report;
mod semantic;
mod text;
mod tracked;
mod warnings;
mod words;

pub use drift::{DriftReport, change_words};
pub use grouped::GroupedProfile;
pub use parts::{Part, Parts};
pub use points::point;
pub use profiled::{Comparison, Profiled, Profiler, only_columns};
pub use report::ProfileReport;
