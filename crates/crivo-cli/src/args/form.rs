//! How answers are printed.

use crate::session::Manner;
use clap::Args;
use crivo_report::Form;

/// For verbs whose answers are for programs too.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FormArgs {
    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// A table of comma-separated values instead of text: the rows alone, without totals
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    csv: bool,

    /// Tables of Markdown instead of text
    #[arg(long, conflicts_with_all = ["json", "csv"], help_heading = "Output")]
    markdown: bool,
}

/// For verbs that may remark on what they read, too.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    form: FormArgs,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl AnswerArgs {
    /// How to answer.
    pub(crate) fn manner(self) -> Manner {
        self.form.manner(self.quiet)
    }
}

impl FormArgs {
    /// How to answer, without remarks if it is to be `quiet`.
    pub(crate) fn manner(self, quiet: bool) -> Manner {
        let form = match self {
            Self { json: true, .. } => Form::Json,
            Self { csv: true, .. } => Form::Csv,
            Self { markdown: true, .. } => Form::Markdown,
            _ => Form::Text,
        };
        Manner { form, quiet }
    }

    /// The flag that asks for another form than text.
    pub(crate) fn flag(self) -> Option<&'static str> {
        match self {
            Self { json: true, .. } => Some("--json"),
            Self { csv: true, .. } => Some("--csv"),
            Self { markdown: true, .. } => Some("--markdown"),
            _ => None,
        }
    }
}
