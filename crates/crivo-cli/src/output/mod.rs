//! Answers to standard output, sketches to files, progress to the terminal.

mod json;
mod profile;
mod save;
mod terminal;

pub(crate) use crivo_program::{Output, Progress, remark};
pub(crate) use crivo_report::{
    Align, AnyBar, Bar, FactJson, Field, Number, Point, QuantileBar, Table, Text, alike, alike_cells,
    but_for_collisions, count, display_width, escape, estimate, estimate_cells, estimate_in_list, fact,
    json_text, named, number, one_line, percent, plural, print_fitted, quantile_cells, quantile_cells_by,
    rate, seed, shorten, shown, shown_column, size, time, value, whole,
};
pub(crate) use json::{Answer, FilterJson, Name, OtherGroups, Side};
pub(crate) use profile::{
    BinJson, ColumnJson, ColumnName, ColumnTypes, LengthsJson, NewEndJson, QuantileJson, TopJson,
};
pub(crate) use save::{Target, check_new_folder, is_stdout, save_and_print};
pub(crate) use terminal::{speaks_utf8, terminal_width};
