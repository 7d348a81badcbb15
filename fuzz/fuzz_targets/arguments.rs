//! Command lines: each is refused or understood, and what it plans is planned.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| crivo_cli::fuzzing::arguments(bytes));
