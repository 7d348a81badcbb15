//! Code that the programs of Crivo share: `crivo`, the command, and `crivo-lab`, the lab.
//!
//! A program passes its name, its arguments and its work to [`run`], and sets [`Allocator`] as its allocator. Then
//! a signal leaves no half-written file, an error is one line on standard error with exit code 2, a closed pipe
//! ends the program quietly, and running out of memory is reported. A file appears only when it is complete
//! ([`write_whole`], [`Draft`]). Text for people goes through [`Output`] and [`remark`], which escape everything in
//! the data that a terminal would obey.
//!
//! This library is internal to these programs. The public interface of the project is the crate `crivo`.

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
pub use run::{run, run_with};
pub use write::{
    Draft, Existing, folder_of, remove_drafts, try_remove_drafts, write_whole, write_whole_with,
};
