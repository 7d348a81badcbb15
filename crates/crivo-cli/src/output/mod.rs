//! Files that are written, and what the terminal can show.

mod save;
mod terminal;

pub(crate) use save::{Target, check_new_folder, is_stdout};
pub(crate) use terminal::{speaks_utf8, terminal_width};
