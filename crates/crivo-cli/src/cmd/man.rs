//! `crivo man`: the manual as pages for `man`.

use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::builder::StyledStr;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man as ManPage;
use clap_mangen::roff::{Roff, roman};
use crivo_program::{Existing, write_whole};
use crivo_report::{Page, Records, Report, named};
use std::path::{Path, PathBuf};

/// Print a manual page, or write all of them to a directory
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo man -o ~/.local/share/man/man1
  crivo man distinct | man -l -
  crivo man filter build | man -l -")]
pub(crate) struct Man {
    /// The verb whose page to print [default: the command itself]
    #[arg(value_name = "VERB", conflicts_with = "output")]
    verb: Vec<String>,

    /// Write the pages of all verbs to this directory, which is created if necessary
    #[arg(long, short, value_name = "DIR", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl Verb for Man {
    type Report = Written;

    fn manner(&self) -> Manner {
        Manner::default()
    }

    fn run(self, _session: &Session) -> Result<Written> {
        let mut command = super::Cli::command();
        command.build();
        let Some(folder) = &self.output else { return Ok(Written::Page(page(self.find(&command)?)?)) };
        let pages = write_all(&command, folder).with_context(|| folder.display().to_string())?;
        Ok(Written::Files(folder.clone(), pages))
    }
}

/// A page, or how many there are in which directory.
pub(crate) enum Written {
    Page(Vec<u8>),
    Files(PathBuf, u64),
}

impl Report for Written {
    fn text(&self, page: &mut Page) {
        match self {
            Self::Page(text) => page.bytes(text),
            Self::Files(folder, pages) => page.line(&format!("{}: {pages} pages", named(folder))),
        }
    }

    fn records(&self, _records: &mut Records) {}
}

impl Man {
    fn find<'a>(&self, command: &'a Command) -> Result<&'a Command> {
        let mut found = command;
        for word in &self.verb {
            let Some(verb) = verbs(found).find(|verb| verb.get_name() == word) else {
                let known: Vec<&str> = verbs(found).map(Command::get_name).collect();
                if known.is_empty() {
                    bail!("'{}' has no verbs of its own; leave out '{word}'", name(found));
                }
                bail!("'{}' has no verb '{word}', but: {}", name(found), known.join(", "));
            };
            found = verb;
        }
        Ok(found)
    }
}

/// All that are shown but `help`, which says the same as the pages.
fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| verb.get_name() != "help" && !verb.is_hide_set())
}

/// `crivo-filter-build`
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// Returns how many.
fn write_all(command: &Command, folder: &Path) -> Result<u64> {
    std::fs::create_dir_all(folder)?;
    write_whole(&folder.join(format!("{}.1", name(command))), &page(command)?, Existing::Replace)?;
    verbs(command).try_fold(1, |pages, verb| Ok(pages + write_all(verb, folder)?))
}

fn page(command: &Command) -> Result<Vec<u8>> {
    let version = concat!("crivo ", env!("CARGO_PKG_VERSION"));
    let page = ManPage::new(command.clone()).source(version).manual("Crivo");
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    if command.get_arguments().next().is_some() {
        page.render_options_section(&mut text)?;
    }
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    if let Some(after) = command.get_after_help() {
        examples(after).to_writer(&mut text)?;
    }
    Ok(in_ascii(&String::from_utf8(text)?))
}

/// Every troff can read it, whatever it takes bytes for.
fn in_ascii(text: &str) -> Vec<u8> {
    let escape = |letter: char| {
        if letter.is_ascii() { letter.to_string() } else { format!("\\[u{:04X}]", u32::from(letter)) }
    };
    text.chars().map(escape).collect::<String>().into_bytes()
}

/// What stands below the flags in `--help`: line by line, as examples must be.
fn examples(after: &StyledStr) -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in after.to_string().lines().filter(|line| !line.starts_with("Example")) {
        section.text([roman(line)]);
    }
    section.control("fi", []);
    section
}
