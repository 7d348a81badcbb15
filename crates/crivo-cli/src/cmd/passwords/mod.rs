//! `crivo passwords`: is it too common?

mod add;
mod check;
mod key;

use super::sketch_file::load_as;
use crate::args::{LimitArgs, decode_options, read_key};
use crate::session::Session;
use crate::verb::{Verb as _, answers};
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use crivo::hash::Algorithm;
use crivo::{CountMin, Kind};
use std::path::PathBuf;

/// Count passwords without storing them, and find passwords that are too common
///
/// The state is a Count-Min sketch: a table of counters at positions chosen by a keyed hash (SipHash). It contains no
/// password and only a fingerprint of the key, so it may be stored and copied: without the key nobody can test guesses
/// on it. It does not protect against an attacker who has both the state and the key, who can test as many guesses as
/// time allows, nor against one who can add passwords and observe which counters change. Keep the key apart from the
/// state.
///
/// Without the key, the state reveals how many passwords were counted, how often the most common ones occurred (but not
/// which they are), and, from two copies, how many counters changed between them. The fingerprint lets anyone test
/// guesses of the key: a random key withstands this, a key that a person made up may not. Nobody without the key can
/// change the counters unnoticed: the file has an authentication tag.
///
/// A count is never too low. It may be too high, within the error bar; then a rare password is refused.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crivo passwords add leaked.txt.gz --state common.crv --secret-file common.key
  crivo passwords check --state common.crv --secret-file common.key --too-common 100
  crivo merge monday.crv tuesday.crv -o both.crv --secret-file common.key")]
pub(crate) enum Passwords {
    Add(add::Add),
    Check(check::Check),
}

answers!(Passwords: Add, Check);

/// Where the counters are, and what they are hashed with.
#[derive(Args, Debug)]
struct StateArgs {
    /// File of the counters
    #[arg(long, value_name = "FILE.crv")]
    state: PathBuf,

    /// File with the secret key: 16 bytes or 32 hexadecimal digits
    #[arg(long, value_name = "FILE")]
    secret_file: PathBuf,

    #[command(flatten)]
    limit: LimitArgs,
}

impl StateArgs {
    fn key(&self, session: &Session) -> Result<[u8; 16]> {
        read_key(&self.secret_file, session)
    }

    /// The counters of the file.
    fn load(&self, key: [u8; 16], session: &Session) -> Result<CountMin> {
        let options = decode_options(Some(key), self.limit);
        let sketch: CountMin = load_as(&self.state, &options, Kind::CountMin, session)?;
        if sketch.hash_spec().algorithm() != Algorithm::SipHash {
            bail!(
                "{}: was made without a secret key, so that anybody could test guesses on it; create another state with \
                 'crivo passwords add'",
                self.state.display()
            );
        }
        Ok(sketch)
    }
}
