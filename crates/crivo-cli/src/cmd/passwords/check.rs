//! `crivo passwords check`: how often was a password seen?

use super::StateArgs;
use crate::args::{AnswerArgs, ValueArgs, parse_count};
use crate::input::{Columns, Input, Wants, is_stdin};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::Estimate;
use crivo_report::{Page, Records, Report, as_bar, count, estimate_cells, plural};
use serde::Serialize;
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Check how often passwords were seen
///
/// Asks for one password on a terminal without showing it, or reads many from standard input or a file; the answers are
/// numbered from 1 in the order of the input. No password is ever printed.
///
/// With --too-common, the exit code is 1 if a password is too common, and 0 if none is.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo passwords check --state common.crv --secret-file common.key
  crivo passwords check --state common.crv --secret-file common.key --too-common 100 < new-passwords
  crivo passwords check --state common.crv --secret-file common.key --file accounts.csv --column password")]
pub(crate) struct Check {
    /// Accepts a password on the command line only to refuse it without printing it.
    #[arg(hide = true)]
    on_the_command_line: Vec<OsString>,

    #[command(flatten)]
    state: StateArgs,

    /// Treat a password as too common if it was seen at least this often
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    too_common: Option<u64>,

    /// File of passwords to check; standard input by default or for -
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    file: Option<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

fn parse_limit(text: &str) -> Result<u64, String> {
    match parse_count(text)? {
        0 => Err("expected at least 1: all passwords are seen 0 times or more".into()),
        limit => Ok(limit),
    }
}

impl Verb for Check {
    type Report = Checked;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Checked> {
        if !self.on_the_command_line.is_empty() {
            bail!(
                "a password does not belong on the command line, where other users see it and the shell writes it down; \
                 leave it out to be asked for it, or send passwords to standard input. If this was a real password, change it"
            );
        }
        let sketch = self.state.load(self.state.key(session)?, session)?;
        let file = self.file.as_ref().filter(|path| !is_stdin(path));
        let input = if file.is_none() && std::io::stdin().is_terminal() {
            None
        } else {
            let files = file.map_or(&[][..], std::slice::from_ref);
            let input = self.values.open(files, Columns::default(), self.state.limit, session)?;
            Some(Input { answers_early: true, hides_data: true, prints: true, ..input })
        };
        let limit = self.too_common;
        let check = |number, hash| {
            let times = sketch.frequency_hash(hash);
            Password { number, times, too_common: limit.map(|limit| times.value() >= limit as f64) }
        };
        let Some(input) = input else {
            return match rpassword::prompt_password("Password: ") {
                Ok(password) => {
                    Ok(Checked::Typed(check(None, sketch.hash_spec().hash_bytes(password.as_bytes()))))
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => Ok(Checked::Interrupted),
                Err(error) => Err(error).context("the terminal; send the password to standard input"),
            };
        };
        let (mut records, mut too_common) = (0, 0);
        let totals = input.read(Wants::hashes(*sketch.hash_spec()), |batch| {
            let numbers = records + 1..;
            let checked = numbers.zip(batch.places()).filter_map(|(number, place)| {
                records = number;
                Some(check(Some(number), batch.hashes[place?]))
            });
            let checked = Passwords(checked.collect());
            too_common +=
                checked.0.iter().filter(|password| password.too_common == Some(true)).count() as u64;
            session.show(&checked)?;
            // A reader may be waiting at the other end of the pipe.
            session.flush()?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Checked::Many(AllChecked {
            items: totals.items,
            missing: totals.missing,
            too_common: limit.map(|_| too_common),
            passwords: sketch.total(),
        }))
    }
}

/// The number is null if it was typed, and the verdict without `--too-common`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "password")]
pub(crate) struct Password {
    number: Option<u64>,
    #[serde(serialize_with = "as_bar")]
    times: Estimate,
    too_common: Option<bool>,
}

impl Report for Password {
    fn text(&self, page: &mut Page) {
        let number = self.number.map(|number| format!("{number}\t")).unwrap_or_default();
        let verdict = if self.too_common == Some(true) { "too common: " } else { "" };
        page.line(&format!("{number}{verdict}{}", seen(&self.times)));
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.too_common == Some(true))
    }
}

/// The passwords of a batch.
struct Passwords(Vec<Password>);

impl Report for Passwords {
    fn text(&self, page: &mut Page) {
        self.0.iter().for_each(|password| password.text(page));
    }

    fn records(&self, records: &mut Records) {
        self.0.iter().for_each(|password| records.row(password));
    }
}

/// What was found of a stream, at its end; all `passwords` that were counted.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "passwords_checked")]
pub(crate) struct AllChecked {
    items: u64,
    missing: u64,
    too_common: Option<u64>,
    passwords: u64,
}

impl Report for AllChecked {
    fn text(&self, page: &mut Page) {
        let all = plural(self.passwords, "password was counted", "passwords were counted");
        page.line(&match self.too_common {
            None => all,
            Some(number) => format!("{} of {} too common; {all}", count(number), count(self.items)),
        });
    }

    fn records(&self, records: &mut Records) {
        records.total(self);
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.too_common.is_some_and(|number| number > 0))
    }
}

#[derive(Debug)]
pub(crate) enum Checked {
    Typed(Password),
    Many(AllChecked),
    /// The user interrupted the prompt.
    Interrupted,
}

impl Report for Checked {
    fn text(&self, page: &mut Page) {
        match self {
            Self::Typed(password) => password.text(page),
            Self::Many(all) => all.text(page),
            Self::Interrupted => {}
        }
    }

    fn records(&self, records: &mut Records) {
        match self {
            Self::Typed(password) => password.records(records),
            Self::Many(all) => all.records(records),
            Self::Interrupted => {}
        }
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self::Typed(password) => password.exit_code(),
            Self::Many(all) => all.exit_code(),
            Self::Interrupted => 130,
        }
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

#[cfg(test)]
mod tests {
    use super::super::add::Add;
    use super::*;
    use crate::testing::{Folder, printed, run};

    #[test]
    fn a_state_grows_and_answers() {
        let folder = Folder::new();
        let (state, key) = (folder.path("s.crv"), folder.path("k"));
        let of_state = ["--state", &state, "--secret-file", &key];
        let add = |name: &str, text: &str| {
            let file = folder.write(name, text);
            printed::<Add>(&[&of_state[..], &[&file]].concat()).1
        };
        let text = add("in", "sesame\nsesame\r\n open \n");
        let added = format!(
            "{key}: a new key; keep it, and apart from the state\n{state}: 3 passwords added, 3 in all, "
        );
        assert!(text.starts_with(&added), "{text}");
        assert!(text.contains("never too low, and too high by at most 0  (at least 95 %)\n"), "{text}");
        let text = add("more", "sesame\n\n");
        assert!(text.starts_with(&format!("{state}: 1 password added, 4 in all, ")), "{text}");
        let check = |text: &str, limit: &[&str]| {
            let file = folder.write("asked", text);
            let (report, text) = printed::<Check>(&[&of_state[..], &["--file", &file], limit].concat());
            (report.exit_code(), text)
        };
        let (code, text) = check("sesame\nopen\n open \n", &["--too-common", "3"]);
        assert_eq!(code, 1);
        assert_eq!(
            text,
            "1\ttoo common: seen about 3 times  (at least 95 %: 3)\n2\tnever seen\n3\tseen about once  (at least 95 %: 1)\n\
             1 of 3 too common; 4 passwords were counted\n"
        );
        let (code, text) = check("sesame\nopen\n", &["--too-common", "4"]);
        assert_eq!((code, text.lines().last()), (0, Some("0 of 2 too common; 4 passwords were counted")));
        let plain = "1\tseen about 3 times  (at least 95 %: 3)\n4 passwords were counted\n";
        assert_eq!(check("sesame\n", &[]), (0, plain.to_owned()), "no limit, no verdict");
    }

    #[test]
    fn tables_weigh_and_are_numbered() {
        let folder = Folder::new();
        let (state, key) = (folder.path("s.crv"), folder.path("k"));
        let table = folder.write("t.csv", "p,n\na,5000000000\n,7\nb,2\na,1\n");
        let of_state = ["--state", &state, "--secret-file", &key, "--column", "p", "--json"];
        let (_, text) = printed::<Add>(&[&of_state[..], &[&table, "--weight", "n"]].concat());
        let added = r#","items":5000000003,"missing":1,"passwords":5000000003,"#;
        assert!(text.starts_with(r#"{"type":"passwords_added","saved":"#) && text.contains(added), "{text}");
        let words = [&of_state[..], &["--file", &table, "--too-common", "3"]].concat();
        let (report, text) = printed::<Check>(&words);
        let Checked::Many(all) = report else { panic!("{report:?}") };
        assert_eq!((all.items, all.missing, all.too_common, all.exit_code()), (3, 1, Some(2), 1));
        let starts = [
            r#"{"type":"password","number":1,"times":{"value":5000000001,"#,
            r#"{"type":"password","number":3,"times":{"value":2,"#,
            r#"{"type":"password","number":4,"times":{"value":5000000001,"#,
            r#"{"type":"passwords_checked","items":3,"missing":1,"too_common":2,"passwords":5000000003}"#,
        ];
        assert_eq!(text.lines().count(), starts.len());
        for (line, start) in text.lines().zip(starts) {
            assert!(line.starts_with(start), "an empty value has a number and no answer: {line}");
        }
    }

    #[test]
    fn a_password_on_the_command_line_is_refused() {
        let error = run::<Check>(&["--state", "s", "--secret-file", "k", "correct-horse-7"]).err().unwrap();
        let text = error.to_string();
        assert!(text.contains("command line") && !text.contains("horse"), "{text}");
    }
}
