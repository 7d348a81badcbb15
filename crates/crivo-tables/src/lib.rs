//! From files and pipes to hashes, values and numbers, in input order, on all cores.
//!
//! An [`Input`] says what to read, and how: sources, compressed or not, in one of the formats that a [`Syntax`] names.
//! Threads take turns at reading a piece of the input, cut at a record end; each parses and hashes its piece, and notes what is
//! wanted. The caller receives it in input order, so that no answer and no saved byte depends on the number of threads.
//!
//! There are no arguments here, no terminal and no process: who waits is a [`Watch`]. This library is for the programs of
//! Crivo, and no interface for others: that is the crate `crivo`.

mod batch;
mod batches;
mod budget;
mod cut;
mod driver;
mod fault;
mod field_names;
mod fields;
mod findings;
mod foreign;
mod format;
mod gate;
mod gzip;
mod head;
mod input;
mod json;
mod json_path;
mod ledger;
mod lines;
mod logs;
mod missing;
mod number;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet.rs"]
mod parquet;
mod passed;
mod peek;
pub mod profile;
mod reader;
mod reads;
mod row_groups;
mod sniff;
mod source;
mod step;
mod table;
mod tables;
mod time;
mod turns;
mod watch;
mod zstd;

pub use batch::Batch;
pub use field_names::{FieldNames, Parts as RecordParts};
pub use findings::{BatchValues, Texts, TimeSorts, Wants};
pub use format::{Format, extension};
pub use head::Head;
pub use input::{Columns, Input, Syntax};
pub use json_path::MOST_NAMES;
pub use ledger::{NotNumbers, Totals};
pub use logs::Conversion;
pub use missing::Missing;
pub use parquet::is_fenced;
pub use reads::{Reads, Sequence};
pub use sniff::Guess;
pub use source::{Source, SourceFormat, check_file, is_parquet, is_stdin, read_up_to};
pub use step::Step;
pub use table::Header;
pub use tables::{Column, Group, Room, Table, TableColumn};
pub use watch::{Progress, Unwatched, Watch};

use fault::Fault;
use findings::{Findings, Span};
