//! Parquet files as the command reads them: an error or an answer, in memory proportional to their length.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| crivo_cli::fuzzing::parquet(bytes));
