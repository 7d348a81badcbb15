//! What the programs of Crivo share: `crivo`, the command, and `crivo-lab`, the lab.
//!
//! A program gives [`run`] its name, its arguments and what to do, and its memory to [`Allocator`]. Then a signal leaves no half of a
//! file, an error is one line on standard error with exit code 2, a closed pipe ends it quietly, and running out of memory is reported.
//! Files come into being whole ([`write_whole`], [`Draft`]); what people read passes [`Output`] and [`remark`], where nothing
//! of the data can do harm.
//!
//! This library is for these programs, and no interface for others: that is the crate `crivo`.

mod advice;
mod allocator;
mod arguments;
mod color;
mod descriptors;
pub mod interrupt;
mod output;
mod progress;
mod run;
mod screen;
mod write;

pub use advice::Habits;
pub use allocator::Allocator;
pub use arguments::{all_cores, parse_seed};
pub use color::Color;
pub use descriptors::{stdin_is_closed, stdout_is_closed};
pub use output::{Output, remark};
pub use progress::Progress;
pub use run::run;
pub use write::{
    Draft, Existing, folder_of, remove_drafts, try_remove_drafts, write_whole, write_whole_with,
};
