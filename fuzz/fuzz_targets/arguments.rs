//! Command lines: each is refused or parsed, and every accepted plan can be computed.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| crivo_cli::fuzzing::arguments(bytes));
