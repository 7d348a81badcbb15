//! `crivo lab`, for those who remember it.

use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;

/// The lab is a program of its own: crivo-lab
#[derive(Args, Debug)]
#[command(hide = true, disable_help_flag = true)]
pub(crate) struct Lab {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Verb for Lab {
    type Report = ();

    fn manner(&self) -> Manner {
        Manner::default()
    }

    fn run(self, _session: &Session) -> Result<()> {
        let words = if self.words.is_empty() { "list".into() } else { self.words.join(" ") };
        bail!("the lab is a program of its own: cargo run --release -p crivo-lab -- {words}");
    }
}
