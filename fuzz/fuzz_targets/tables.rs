//! Files of CSV, TSV, JSON, lines and anything else, as the command reads them: an error or an answer.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| crivo_cli::fuzzing::table(bytes));
