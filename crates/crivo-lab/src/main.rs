//! The `crivo-lab` program: measures again what the science claims.

mod answer;
mod command;

#[global_allocator]
static MEMORY: crivo_program::Allocator = crivo_program::Allocator;

fn main() -> std::process::ExitCode {
    crivo_program::run("crivo-lab", crivo_program::Habits::default(), |cli: command::Cli| cli.run())
}
