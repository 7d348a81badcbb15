//! How answers are printed.

use crate::session::Manner;
use clap::Args;
use crivo_report::Form;

/// The output-format flags of verbs that also answer programs.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FormArgs {
    /// Print JSON objects instead of text, one per line
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Print comma-separated values instead of text: rows only, without totals
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    csv: bool,

    /// Print Markdown tables instead of text
    #[arg(long, conflicts_with_all = ["json", "csv"], help_heading = "Output")]
    markdown: bool,
}

/// The flags of verbs that may also print warnings.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    form: FormArgs,

    /// Suppress progress and warnings
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl AnswerArgs {
    /// Returns how to answer.
    pub(crate) fn manner(self) -> Manner {
        self.form.manner(self.quiet)
    }
}

impl FormArgs {
    /// Returns how to answer; if `quiet`, without warnings.
    pub(crate) fn manner(self, quiet: bool) -> Manner {
        let form = match self {
            Self { json: true, .. } => Form::Json,
            Self { csv: true, .. } => Form::Csv,
            Self { markdown: true, .. } => Form::Markdown,
            _ => Form::Text,
        };
        Manner { form, quiet }
    }

    /// Returns the flag that asks for another output format than text.
    pub(crate) fn flag(self) -> Option<&'static str> {
        match self {
            Self { json: true, .. } => Some("--json"),
            Self { csv: true, .. } => Some("--csv"),
            Self { markdown: true, .. } => Some("--markdown"),
            _ => None,
        }
    }
}
