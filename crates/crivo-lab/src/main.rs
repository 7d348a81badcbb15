//! The `crivo-lab` program: measures again what the science claims.

mod answer;
mod command;

#[global_allocator]
static MEMORY: crivo_program::Allocator = crivo_program::Allocator;

fn main() -> std::process::ExitCode {
    crivo_program::run("crivo-lab", |cli: command::Cli| cli.run())
}
