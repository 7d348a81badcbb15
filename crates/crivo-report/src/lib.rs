//! Results of the programs of Crivo, as text for people and as records for programs.
//!
//! A [`Report`] is a value: it holds its numbers, and describes them as text and as records. A [`Renderer`] prints
//! any report as text, or its records as JSON, CSV or Markdown. Everything in the data that a terminal would obey
//! is escaped.
//!
//! The crate uses no terminal, no files and no process: a report becomes bytes. This library is internal to the
//! programs of Crivo. The public interface of the project is the crate `crivo`.

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
    alike, alike_cells, amount, but_for_collisions, confidence, estimate, estimate_cells,
    estimate_cells_in_list, fact, percent, quantile_cells, quantile_cells_by, rate, seed, signed_cells, time,
    value,
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
