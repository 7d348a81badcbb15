//! Turns files and pipes into hashes, values and numbers, in input order, on all cores.
//!
//! An [`Input`] says what to read and how: sources, compressed or not, in one of the formats of [`Syntax`]. Threads
//! take turns at reading a piece of the input, which ends at a record end. Each thread parses and hashes its piece
//! and keeps the requested columns. The caller receives the pieces in input order, so that no answer and no saved
//! byte depends on the number of threads.
//!
//! The crate has no arguments, no terminal and no process-wide state: its caller observes a run through a
//! [`Watch`]. This library is internal to the programs of Crivo. The public interface of the project is the crate
//! `crivo`.

mod batch;
mod batches;
mod budget;
mod cut;
mod driver;
mod fault;
mod field_names;
mod fields;
mod filters;
mod findings;
mod foreign;
mod format;
mod gate;
mod gzip;
mod head;
mod iceberg;
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
pub use filters::FilterAnswers;
pub use findings::{BatchValues, Texts, TimeSorts, Wants};
pub use format::{Format, extension};
pub use head::Head;
pub use iceberg::IcebergColumns;
pub use input::{Columns, Input, Syntax};
pub use json_path::MOST_NAMES;
pub use ledger::{NotNumbers, Totals};
pub use logs::Conversion;
pub use missing::Missing;
#[cfg(feature = "parquet")]
pub use parquet::text as canonical_text;
pub use parquet::{ask_filters, iceberg_values, is_fenced};
pub use reads::{Reads, Sequence};
pub use sniff::Guess;
pub use source::{Source, SourceFormat, check_file, is_parquet, is_stdin, read_up_to};
pub use step::Step;
pub use table::Header;
pub use tables::{Column, Group, Room, Table, TableColumn};
pub use watch::{Progress, Unwatched, Watch};

use fault::Fault;
use findings::{Findings, Span};
