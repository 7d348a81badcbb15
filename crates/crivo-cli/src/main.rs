//! The `crivo` command. All of it is in the library beside it, so that fuzzers can call it.

#[global_allocator]
static MEMORY: crivo_program::Allocator = crivo_program::Allocator;

fn main() -> std::process::ExitCode {
    crivo_cli::main()
}
