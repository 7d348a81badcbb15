//! What a program of Crivo found, as text for people and as records for programs.
//!
//! A [`Report`] is a value: it knows its numbers, and how they are put into words and into records. A [`Renderer`] prints any
//! report: as text, or its records as JSON, CSV or Markdown. Nothing of the data can do harm in what is printed.
//!
//! There is no terminal here, no file and no process: a report becomes bytes. This library is for the programs of Crivo, and
//! no interface for others: that is the crate `crivo`.

mod bar;
mod estimates;
mod fitted;
mod interrupted;
mod json;
mod markup;
mod nearest;
mod numbers;
mod page;
mod paint;
mod records;
mod report;
mod table;
mod text;
mod text_bar;
mod value;
mod width;
mod wrap;

pub use bar::{AnyBar, Bar, Number, Point, QuantileBar, as_bar, as_bar_or_null, as_number};
pub use estimates::{
    alike, alike_cells, but_for_collisions, estimate, estimate_cells, estimate_cells_in_list, fact, percent,
    quantile_cells, quantile_cells_by, rate, seed, time, value,
};
pub use fitted::{Field, all_fit, print_fitted};
pub use interrupted::Interrupted;
pub use json::json_text;
pub use markup::escape;
pub use nearest::nearest;
pub use numbers::{count, number, plural, significant, size, whole};
pub use page::Page;
pub use records::Records;
pub use report::{Form, Renderer, Report};
pub use table::{Align, Table};
pub use text::{named, one_line, shown, shown_column, shown_within};
pub use text_bar::text_bar;
pub use value::{FactJson, Text, as_facts};
pub use width::{display_width, shorten};
pub use wrap::wrapped;
