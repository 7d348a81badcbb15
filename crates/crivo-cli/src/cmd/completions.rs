//! `crivo completions`: what the Tab key knows.

use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use crivo_report::{Page, Records, Report};

/// Print shell completions for verbs and flags
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo completions bash > ~/.local/share/bash-completion/completions/crivo
  crivo completions zsh > ~/.zfunc/_crivo
  crivo completions fish > ~/.config/fish/completions/crivo.fish")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Verb for Completions {
    type Report = Script;

    fn manner(&self) -> Manner {
        Manner::default()
    }

    fn run(self, _session: &Session) -> Result<Script> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Cli::command(), "crivo", &mut script);
        Ok(Script(script))
    }
}

/// What a shell reads.
pub(crate) struct Script(Vec<u8>);

impl Report for Script {
    fn text(&self, page: &mut Page) {
        page.bytes(&self.0);
    }

    fn records(&self, _records: &mut Records) {}
}
