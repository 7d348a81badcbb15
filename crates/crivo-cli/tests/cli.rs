//! Runs the real command, as a user would.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]
#![expect(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "plain beats fast where inputs are made"
)]

#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/color.rs"]
mod color;
#[path = "cli/count.rs"]
mod count;
#[path = "cli/determinism.rs"]
mod determinism;
#[path = "cli/distinct.rs"]
mod distinct;
#[path = "cli/draw.rs"]
mod draw;
#[path = "cli/dups.rs"]
mod dups;
#[path = "cli/dups_chain.rs"]
mod dups_chain;
#[path = "cli/dups_large.rs"]
mod dups_large;
#[cfg(target_os = "linux")]
#[path = "cli/ends.rs"]
mod ends;
#[path = "cli/every_verb.rs"]
mod every_verb;
#[path = "cli/every_way.rs"]
mod every_way;
#[path = "cli/exact.rs"]
mod exact;
#[path = "cli/explain.rs"]
mod explain;
#[path = "cli/filter.rs"]
mod filter;
#[path = "cli/filter_change.rs"]
mod filter_change;
#[path = "cli/filter_kinds.rs"]
mod filter_kinds;
#[path = "cli/foreign.rs"]
mod foreign;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/from.rs"]
mod from;
#[path = "cli/graph.rs"]
mod graph;
#[path = "cli/habits.rs"]
mod habits;
#[path = "cli/house.rs"]
mod house;
#[path = "cli/hyphenate.rs"]
mod hyphenate;
#[path = "cli/interrupt.rs"]
#[cfg(unix)]
mod interrupt;
#[path = "cli/join.rs"]
mod join;
#[path = "cli/json.rs"]
mod json;
#[path = "cli/keys.rs"]
mod keys;
#[path = "cli/kmers.rs"]
mod kmers;
#[path = "cli/large_shapes.rs"]
mod large_shapes;
#[path = "cli/manual.rs"]
mod manual;
#[cfg(target_os = "linux")]
#[path = "cli/memory.rs"]
mod memory;
#[path = "cli/numbers.rs"]
mod numbers;
#[path = "cli/one_table.rs"]
mod one_table;
#[path = "cli/papercuts.rs"]
mod papercuts;
#[path = "cli/parquet.rs"]
#[cfg(feature = "parquet")]
mod parquet;
#[path = "cli/parquet_bad.rs"]
#[cfg(feature = "parquet")]
mod parquet_bad;
#[path = "cli/parquet_hostile.rs"]
#[cfg(all(feature = "parquet", target_os = "linux"))]
mod parquet_hostile;
#[path = "cli/passwords.rs"]
mod passwords;
#[path = "cli/pipes.rs"]
mod pipes;
#[path = "cli/plan.rs"]
mod plan;
#[path = "cli/profile.rs"]
mod profile;
#[path = "cli/profile_columns.rs"]
mod profile_columns;
#[path = "cli/profile_output.rs"]
mod profile_output;
#[path = "cli/profile_warnings.rs"]
mod profile_warnings;
#[path = "cli/puffin.rs"]
#[cfg(feature = "parquet")]
mod puffin;
#[path = "cli/real_data.rs"]
mod real_data;
#[path = "cli/relative.rs"]
mod relative;
#[path = "cli/removals.rs"]
mod removals;
#[path = "cli/route.rs"]
mod route;
#[path = "cli/sample.rs"]
mod sample;
#[path = "cli/saving.rs"]
mod saving;
#[path = "cli/schema.rs"]
mod schema;
#[path = "cli/seen.rs"]
mod seen;
#[path = "cli/seen_window.rs"]
mod seen_window;
#[path = "cli/similar.rs"]
mod similar;
#[path = "cli/sniffing.rs"]
mod sniffing;
#[path = "cli/spell.rs"]
mod spell;
#[path = "cli/subsets.rs"]
mod subsets;
#[path = "cli/support.rs"]
mod support;
#[path = "cli/tail.rs"]
mod tail;
#[path = "cli/terminal.rs"]
mod terminal;
#[path = "cli/times.rs"]
mod times;
#[path = "cli/top.rs"]
mod top;
#[cfg(unix)]
#[path = "cli/two_at_once.rs"]
mod two_at_once;
#[path = "cli/validator.rs"]
mod validator;
#[path = "cli/values.rs"]
mod values;
#[path = "cli/verbs.rs"]
mod verbs;
#[path = "cli/widths.rs"]
mod widths;
#[path = "cli/within.rs"]
mod within;
