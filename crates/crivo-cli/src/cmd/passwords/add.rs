//! `crivo passwords add`: counts a stream of passwords.

use super::StateArgs;
use super::key::NewKey;
use crate::args::{AnswerArgs, InputArgs, parse_share, parse_size};
use crate::cmd::frequencies::{FrequencySize, add, count_min};
use crate::cmd::sketch_file::is_sketch;
use crate::input::{Columns, Input, Wants, is_stdin};
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::{CountMin, DEFAULT_CONFIDENCE, HashSpec};
use crivo_report::{Page, Records, Report, count, percent, plural, size, whole};
use serde::Serialize;
use std::ops::ControlFlow;

/// Count passwords without storing them
///
/// Creates the state, or continues it. A password is a sequence of bytes, taken unchanged except for the line end. If
/// neither the state nor the key exists, a key of 16 random bytes is created, readable by its owner only.
///
/// After an interrupt, the passwords read so far are counted and saved. Only one command uses the state at a time;
/// another command waits up to ten seconds.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo passwords add leaked.txt.gz --state common.crv --secret-file common.key
  crivo passwords add pwned.csv --column password --weight times --state common.crv --secret-file common.key
  tail -f new-passwords | crivo passwords add --state common.crv --secret-file common.key")]
pub(crate) struct Add {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    state: StateArgs,

    /// Weight each record by this column, a whole number; records without a weight are left out and reported
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    /// For a new state: maximum overestimate of a count, as a share of all passwords, exceeded for 1 % of them
    /// [default: 0.00001]
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with = "memory")]
    error: Option<f64>,

    /// For a new state: use this much memory instead of deriving it from --error
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// What is counted into.
struct Opened {
    sketch: CountMin,
    target: Target,
    new_key: Option<NewKey>,
}

/// All `passwords` so far. A count is too high by at most `too_high` with a probability of 95 %; `new_key` is null unless a
/// key was made.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "passwords_added")]
pub(crate) struct Addition {
    saved: String,
    items: u64,
    missing: u64,
    passwords: u64,
    too_high: f64,
    file_bytes: u64,
    new_key: Option<String>,
}

impl Verb for Add {
    type Report = Addition;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Addition> {
        let Opened { mut sketch, target, new_key } = self.open(session)?;
        let columns = Columns { copies: self.weight.as_deref(), ..Columns::default() };
        let input = self.input.open_beside(columns, self.state.limit, session)?;
        let input = Input { answers_early: true, hides_data: true, ..input };
        let before = sketch.total();
        let totals = input.read(Wants::hashes(*sketch.hash_spec()), |batch| {
            add(&mut sketch, batch.hashes, batch.copies);
            Ok(ControlFlow::Continue(()))
        })?;
        // A state without its key would be lost; a key without a state is the key of the next one.
        if let Some(key) = &new_key {
            key.save()?;
        }
        let bytes = sketch.to_bytes();
        // What is not saved has not been added: there is no other answer.
        target.write(&bytes, session)?;
        let passwords = sketch.total();
        Ok(Addition {
            saved: target.name(),
            items: passwords - before,
            missing: totals.missing,
            passwords,
            too_high: (sketch.params().error_at(DEFAULT_CONFIDENCE) * passwords as f64).floor(),
            file_bytes: bytes.len() as u64,
            new_key: new_key.as_ref().map(NewKey::name),
        })
    }
}

impl Report for Addition {
    fn text(&self, page: &mut Page) {
        if let Some(key) = &self.new_key {
            page.line(&format!("{key}: a new key; keep it, and apart from the state"));
        }
        page.line(&format!(
            "{}: {} added, {} in all, {}",
            self.saved,
            plural(self.items, "password", "passwords"),
            count(self.passwords),
            size(self.file_bytes)
        ));
        page.line(&format!(
            "a count is never too low, and too high by at most {}  (at least {})",
            whole(self.too_high),
            percent(DEFAULT_CONFIDENCE)
        ));
        if self.missing > 0 {
            page.line(&format!("{} left out", plural(self.missing, "missing value", "missing values")));
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

impl Add {
    /// The state of the file, or a new one.
    fn open(&self, session: &Session) -> Result<Opened> {
        let StateArgs { state, secret_file, limit } = &self.state;
        if state == secret_file {
            bail!("--state and --secret-file name one file; keep the key apart from the counters");
        }
        let has_key = is_stdin(secret_file) || secret_file.exists();
        if state.exists() {
            if !has_key && !is_sketch(state, session)? {
                bail!("{}: exists, but is not a state; name another file to create one", state.display());
            }
            if !has_key {
                bail!(
                    "{}: no such file, but {} was made with a key; give that one",
                    secret_file.display(),
                    state.display()
                );
            }
            if self.error.is_some() || self.memory.is_some() {
                bail!(
                    "{}: has its size already; leave out --error and --memory, or name a new --state",
                    state.display()
                );
            }
            let target = Target::in_place(state, session)?;
            let sketch = self.state.load(self.state.key(session)?, session)?;
            return Ok(Opened { sketch, target, new_key: None });
        }
        let target = Target::check(state, false, session)?;
        let new_key = if has_key { None } else { Some(NewKey::draw(secret_file, session)?) };
        let key = new_key.as_ref().map_or_else(|| self.state.key(session), |new| Ok(new.key))?;
        let sketch = count_min(self.size(), HashSpec::keyed(key), |bytes| limit.check(bytes))?;
        Ok(Opened { sketch, target, new_key })
    }

    fn size(&self) -> FrequencySize {
        /// A hundred of ten million passwords: a password that is common among this many occurs more often.
        const ERROR: f64 = 0.000_01;
        FrequencySize {
            error: Some(self.error.unwrap_or(ERROR)),
            delta: 0.01,
            memory: self.memory,
            // Fewer rare passwords are taken for common ones, and merged states still never say too little.
            conservative: true,
            weighted: self.weight.is_some(),
        }
    }
}
