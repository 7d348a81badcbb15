//! `crivo completions`: what the Tab key knows.

use crate::output::Output;
use crate::session::Session;
use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::process::ExitCode;

/// Print the completions of verbs and flags for a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo completions bash > ~/.local/share/bash-completion/completions/crivo
  crivo completions zsh > ~/.zfunc/_crivo
  crivo completions fish > ~/.config/fish/completions/crivo.fish")]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Cli::command(), "crivo", &mut script);
        let mut output = Output::new();
        output.bytes(&script)?;
        output.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
