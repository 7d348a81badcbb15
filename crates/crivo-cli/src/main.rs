//! The `crivo` command. All code is in the library of this package, so that fuzzers can call it.

#[global_allocator]
static MEMORY: crivo_program::Allocator = crivo_program::Allocator;

fn main() -> std::process::ExitCode {
    crivo_cli::main()
}
