//! `crivo passwords check`: how often was a password seen?

use super::StateArgs;
use crate::args::{ValueArgs, parse_count};
use crate::input::{Batch, Columns, Input, Wants, is_stdin};
use crate::output::{Answer, Output, count, estimate_cells, plural};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::{CountMin, Estimate};
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// How often a password was seen
///
/// Asks for one password on a terminal, where it is not shown, or takes many from standard input or a file; these are
/// answered in their order, by their numbers from 1. No password is ever printed.
///
/// With --too-common, the exit code is 1 if a password is too common, and 0 if none is.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo passwords check --state common.crv --secret-file common.key
  crivo passwords check --state common.crv --secret-file common.key --too-common 100 < new-passwords
  crivo passwords check --state common.crv --secret-file common.key --file accounts.csv --column password")]
pub(crate) struct Check {
    /// There for whoever tries it, to be refused without a word of it being shown.
    #[arg(hide = true)]
    on_the_command_line: Vec<OsString>,

    #[command(flatten)]
    state: StateArgs,

    /// A password that was seen so often, or more, is too common
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    too_common: Option<u64>,

    /// A file of passwords to check; standard input unless told, or for -
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    file: Option<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,

    /// JSON objects instead of text, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

fn parse_limit(text: &str) -> Result<u64, String> {
    match parse_count(text)? {
        0 => Err("expected at least 1: all passwords are seen 0 times or more".into()),
        limit => Ok(limit),
    }
}

impl Check {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        if !self.on_the_command_line.is_empty() {
            bail!(
                "a password does not belong on the command line, where other users see it and the shell writes it down; \
                 leave it out to be asked for it, or send passwords to standard input. If that was one, it is known now"
            );
        }
        let sketch = self.state.load(self.state.key(session)?, session)?;
        let mut answers = Answers { check: self, sketch: &sketch, output: Output::new(), too_common: 0 };
        let file = self.file.as_ref().filter(|path| !is_stdin(path));
        if file.is_none() && std::io::stdin().is_terminal() {
            match rpassword::prompt_password("Password: ") {
                Ok(password) => answers.print(None, sketch.hash_spec().hash_bytes(password.as_bytes()))?,
                Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(ExitCode::from(130)),
                Err(error) => return Err(error).context("the terminal; send the password to standard input"),
            }
        } else {
            self.read(file, &mut answers, session)?;
        }
        answers.output.flush()?;
        Ok(ExitCode::from(u8::from(answers.too_common > 0)))
    }

    /// One answer for each password, and a line about all.
    fn read(&self, file: Option<&PathBuf>, answers: &mut Answers<'_>, session: &Session) -> Result<()> {
        let input = self.values.open(
            file.map_or(&[], std::slice::from_ref),
            Columns::default(),
            &self.state.limit,
            session,
        )?;
        let input = Input { answers_early: true, hides_data: true, prints: true, ..input };
        let mut records = 0;
        let totals = input.read(Wants::hashes(*answers.sketch.hash_spec()), |batch| {
            answers.print_all(batch, &mut records)?;
            Ok(ControlFlow::Continue(()))
        })?;
        let Answers { output, sketch, too_common, .. } = answers;
        let (passwords, too_common) = (sketch.total(), self.too_common.map(|_| *too_common));
        if self.json {
            let (checked, nulls) = (totals.items, totals.nulls);
            return output.json(&Answer::PasswordsChecked { checked, nulls, too_common, passwords });
        }
        let all = plural(passwords, "password was counted", "passwords were counted");
        match too_common {
            None => output.line(&all),
            Some(number) => {
                output.line(&format!("{} of {} too common; {all}", count(number), count(totals.items)))
            }
        }
    }
}

struct Answers<'a> {
    check: &'a Check,
    sketch: &'a CountMin,
    output: Output,
    too_common: u64,
}

impl Answers<'_> {
    /// Those of a batch, after so many records.
    fn print_all(&mut self, batch: &Batch<'_>, records: &mut u64) -> Result<()> {
        for place in batch.places() {
            *records += 1;
            if let Some(place) = place {
                self.print(Some(*records), batch.hashes[place])?;
            }
        }
        // Somebody may be waiting at the other end of the pipe.
        self.output.flush()
    }

    fn print(&mut self, number: Option<u64>, hash: u64) -> Result<()> {
        let times = self.sketch.frequency_hash(hash);
        let too_common = self.check.too_common.map(|limit| times.value() >= limit as f64);
        self.too_common += u64::from(too_common == Some(true));
        if self.check.json {
            return self.output.json(&Answer::Password { number, times: times.into(), too_common });
        }
        let number = number.map(|number| format!("{number}\t")).unwrap_or_default();
        let verdict = if too_common == Some(true) { "too common: " } else { "" };
        self.output.line(&format!("{number}{verdict}{}", seen(&times)))
    }
}

/// `seen about 1,235 times  (at least 95 %: 1,190 to 1,235)`
fn seen(times: &Estimate) -> String {
    let [value, bar] = estimate_cells(times);
    match value.as_str() {
        "0" => "never seen".into(),
        "1" => format!("seen about once  {bar}"),
        _ => format!("seen about {value} times  {bar}"),
    }
}
