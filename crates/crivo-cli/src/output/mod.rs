//! Answers to standard output, sketches to files, progress to the terminal.

mod bar;
mod fitted;
mod human;
mod json;
mod profile;
mod save;
mod table;
mod width;

pub(crate) use bar::{AnyBar, Bar, Number, Point, QuantileBar};
pub(crate) use crivo_program::{
    Output, Progress, count, escape, json_text, named, number, one_line, plural, remark, shown, shown_column,
    shown_within, size, whole,
};
pub(crate) use fitted::{Field, print_fitted};
pub(crate) use human::{
    alike, alike_cells, but_for_collisions, estimate, estimate_cells, estimate_in_list, fact, percent,
    quantile_cells, quantile_cells_by, rate, seed, time, value,
};
pub(crate) use json::{
    Answer, CounterCost, FactJson, FilterCost, FilterJson, Name, OtherGroups, PlanRow, SetJson, Side, Text,
    Work,
};
pub(crate) use profile::{
    BinJson, ColumnJson, ColumnName, ColumnTypes, LengthsJson, NewEndJson, QuantileJson, TopJson,
};
pub(crate) use save::{Target, check_new_folder, is_stdout, save_and_print};
pub(crate) use table::{Align, Table, terminal_width};
pub(crate) use width::{display_width, shorten, speaks_utf8};
