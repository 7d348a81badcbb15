//! Files of Parquet as the command reads them: an error or an answer, in memory that fits their length.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| crivo_cli::fuzzing::parquet(bytes));
