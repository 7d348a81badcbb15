//! What the tests of Crivo's programs share: a program run in a directory of its own, and what must hold for each of them.

#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "in a test a failed step is a failed test"
)]

pub mod browser;
mod dir;
mod examples;
mod json;
mod kept;
mod readme;
pub mod terminal;

pub use dir::{Dir, Run};
pub use examples::every_example_parses;
pub use json::{fields, is_as_kept};
pub use kept::is_kept;
pub use readme::{Shown, prints_what_it_shows};
