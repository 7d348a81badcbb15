//! The `crivo` command. All of it is in the library beside it, so that fuzzers can call it.

fn main() -> std::process::ExitCode {
    crivo_cli::main()
}
