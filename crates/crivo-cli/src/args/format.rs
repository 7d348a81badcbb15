//! The format of each file: from a flag, from its name, or from its first lines.

use super::{FormatArgs, LimitArgs};
use crate::input::{Conversion, Format, Guess, Source, SourceFormat, Syntax, extension, is_parquet};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::ValueEnum;
use crivo_report::shown;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatName {
    Auto,
    Lines,
    Csv,
    Tsv,
    Jsonl,
    Parquet,
    Ws,
    Clf,
    Logfmt,
}

impl FormatName {
    /// None where the file decides.
    fn format(self) -> Option<Format> {
        match self {
            Self::Auto => None,
            Self::Lines => Some(Format::Lines),
            Self::Csv | Self::Ws | Self::Clf => Some(Format::Csv),
            Self::Tsv => Some(Format::Tsv),
            Self::Jsonl | Self::Logfmt => Some(Format::JsonLines),
            Self::Parquet => Some(Format::Parquet),
        }
    }

    /// Returns the conversion that produces this format from lines.
    fn conversion(self, header: bool) -> Option<Conversion> {
        match self {
            Self::Ws => Some(Conversion::Blanks { header }),
            Self::Clf => Some(Conversion::WebLog),
            Self::Logfmt => Some(Conversion::KeyValue),
            _ => None,
        }
    }
}

/// Why a table is needed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Need<'a> {
    /// The flag that lines cannot serve, if one was given.
    pub(super) flag: Option<&'a str>,
    /// Whether a column is wanted by its name.
    pub(super) names: bool,
    /// Whether lines would do, but a table is better.
    pub(super) rather_table: bool,
}

impl Need<'_> {
    /// Returns how to guess the format; none if lines serve as well.
    fn guess(&self, no_header: bool) -> Option<Guess> {
        match self {
            Self { names: true, .. } if !no_header => Some(Guess::Named),
            Self { flag: Some(_), .. } => Some(Guess::Numbered),
            _ if no_header => Some(Guess::Numbered),
            Self { rather_table: true, .. } => Some(Guess::Careful),
            _ => None,
        }
    }
}

impl FormatArgs {
    /// Opens the file at `path`, or standard input. Without a flag or a known name, inspects its first lines.
    pub(super) fn source(
        &self,
        path: &Path,
        need: Need<'_>,
        limit: LimitArgs,
        session: &Session,
    ) -> Result<Source> {
        let told = self.told_format(path);
        let format = told.unwrap_or(Format::Lines);
        let mut source = session.source(path, || Ok(self.source_format(path, format)))?;
        source.conversion = self.format.conversion(!self.no_header);
        let name = source.name();
        let guess = need.guess(self.no_header).filter(|_| told.is_none());
        if guess.is_some() && source.sends_parquet()? {
            source.format.syntax = Syntax::Parquet;
        }
        if source.format.syntax == Syntax::Parquet {
            // It is read from its end.
            source.keep()?;
            self.check(&name, source.format.syntax, need.flag)?;
            return Ok(source);
        }
        let mut head = || source.head(limit.max_memory, &session.watch());
        let mut guessed = None;
        if told == Some(Format::Csv) && self.delimiter.is_none() && self.format == FormatName::Auto {
            let delimiter = head()?.delimiter_of_csv();
            if delimiter != b',' {
                let shown = shown(&[delimiter]);
                session.remark(&format!("{name}: read with the separator '{shown}'; --delimiter changes it"));
                guessed = Some(Syntax::Table { delimiter, header: !self.no_header });
            }
        } else if let Some(guess) = guess
            && let Some(syntax) = head()?.guess(guess)
        {
            let syntax = self.with_header(syntax);
            session.remark(&format!("{name}: read as {}; --format changes it", in_words(syntax)));
            guessed = Some(syntax);
        }
        if let Some(syntax) = guessed {
            source.format.syntax = syntax;
        }
        self.check(&name, source.format.syntax, need.flag)?;
        Ok(source)
    }

    /// Returns the format from a flag, the name or the first bytes of a file; none if they do not decide.
    fn told_format(&self, path: &Path) -> Option<Format> {
        self.format.format().or_else(|| {
            if self.null {
                Some(Format::Lines)
            } else if is_parquet(path) {
                Some(Format::Parquet)
            } else {
                Format::by_name(path).or(self.delimiter.map(|_| Format::Csv))
            }
        })
    }

    fn source_format(&self, path: &Path, format: Format) -> SourceFormat {
        let header = !self.no_header;
        let syntax = match format {
            Format::Csv => Syntax::Table { delimiter: self.delimiter.unwrap_or(b','), header },
            Format::Tsv => Syntax::Table { delimiter: self.delimiter.unwrap_or(b'\t'), header },
            Format::JsonLines => Syntax::JsonLines,
            Format::Parquet => Syntax::Parquet,
            Format::Lines => Syntax::Lines { end: self.record_end() },
        };
        let json_by_name = self.format == FormatName::Auto && extension(path) == "json";
        SourceFormat {
            syntax,
            any_bytes: self.format == FormatName::Lines,
            json_by_name: json_by_name && format == Format::JsonLines,
            keeps_mark: false,
        }
    }

    /// --no-header goes before what the first record looks like.
    fn with_header(&self, syntax: Syntax) -> Syntax {
        match syntax {
            Syntax::Table { delimiter, header } => {
                Syntax::Table { delimiter, header: header && !self.no_header }
            }
            other => other,
        }
    }

    /// Whether the flags are for records that are written so.
    fn check(&self, name: &str, syntax: Syntax, needs_table: Option<&str>) -> Result<()> {
        let is_lines = matches!(syntax, Syntax::Lines { .. });
        if self.null && !is_lines {
            bail!("{name}: --null is for --format lines only");
        }
        let has_columns = matches!(self.format, FormatName::Ws | FormatName::Clf | FormatName::Logfmt);
        if has_columns && (self.delimiter.is_some() || self.no_header && self.format != FormatName::Ws) {
            bail!("{name}: --delimiter is not for this format, and --no-header only for ws; leave them out");
        }
        if !matches!(syntax, Syntax::Table { .. }) && (self.no_header || self.delimiter.is_some()) {
            bail!("{name}: --no-header and --delimiter are for tables; use --format csv or tsv");
        }
        if let (true, Some(flag)) = (is_lines, needs_table) {
            bail!("{name}: {flag} needs a table; use --format csv, tsv, jsonl, parquet, ws, clf or logfmt");
        }
        Ok(())
    }
}

/// `CSV, separated by ';', with a header`
fn in_words(syntax: Syntax) -> String {
    let Syntax::Table { delimiter, header } = syntax else { return "JSON Lines".into() };
    let kind = match delimiter {
        b'\t' => "TSV".into(),
        b',' => "CSV".into(),
        other => format!("CSV, separated by '{}'", shown(&[other])),
    };
    format!("{kind}, {} a header", if header { "with" } else { "without" })
}
