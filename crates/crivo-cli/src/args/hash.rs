//! How items are hashed.

use super::{LimitArgs, parse_seed};
use crate::input::read_up_to;
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::{DecodeOptions, HashSpec, ItemForm};
use std::path::{Path, PathBuf};

/// For verbs that make a sketch.
#[derive(Args, Debug)]
pub(crate) struct HashArgs {
    /// Random seed of the hash, decimal or 0x…; sketches merge only if they have the same seed
    ///
    /// Another seed gives an independent second estimate. A seed does not protect against items that were chosen to
    /// collide: use --secret-file for that.
    #[arg(long, value_name = "N", value_parser = parse_seed, conflicts_with = "secret_file", help_heading = "Hash")]
    seed: Option<u64>,

    #[command(flatten)]
    key: KeyArgs,
}

/// For verbs that read a sketch.
#[derive(Args, Debug)]
pub(crate) struct KeyArgs {
    /// File with a secret key against hostile input: 16 bytes or 32 hexadecimal digits
    ///
    /// Items are then hashed with SipHash. The sketch file stores only a fingerprint of the key and an authentication
    /// tag. Reading the sketch requires the key, and fails if someone without the key has changed the file. The key
    /// does not hide the contents of a sketch: the files of 'crivo top' and 'crivo profile' contain items in clear
    /// text.
    #[arg(long, value_name = "FILE", help_heading = "Hash")]
    secret_file: Option<PathBuf>,
}

impl HashArgs {
    /// The hash that the flags ask for.
    pub(crate) fn spec(&self, session: &Session) -> Result<HashSpec> {
        let spec = match (self.seed, self.key.key(session)?) {
            (_, Some(key)) => HashSpec::keyed(key),
            (Some(seed), None) => HashSpec::seeded(seed),
            (None, None) => HashSpec::default(),
        };
        // Every value is hashed as its text.
        Ok(spec.with_form(ItemForm::Text))
    }

    /// The hash that the flags ask for, of k-mers, which are hashed as numbers.
    pub(crate) fn kmer_spec(&self, session: &Session) -> Result<HashSpec> {
        Ok(self.spec(session)?.with_form(ItemForm::Unmarked))
    }

    /// Refuses a seed next to a saved sketch, which has its own.
    pub(crate) fn check_beside_saved(&self) -> Result<()> {
        if self.seed.is_some() {
            bail!("--seed cannot be used with --from: the saved sketch has a seed already; leave it out");
        }
        Ok(())
    }

    /// Refuses a saved sketch whose hash differs from the one that the flags ask for.
    pub(crate) fn check_agrees(&self, saved: &HashSpec, session: &Session) -> Result<()> {
        if self.is_given() && self.spec(session)?.with_form(saved.form()) != *saved {
            bail!(
                "the saved sketch was made with another seed or key; give the same --seed or --secret-file, or leave \
                 it out"
            );
        }
        Ok(())
    }

    /// Whether a seed or a key is given.
    pub(crate) fn is_given(&self) -> bool {
        self.is_seeded() || self.key.secret_file.is_some()
    }

    /// Whether a seed is given.
    pub(crate) fn is_seeded(&self) -> bool {
        self.seed.is_some()
    }

    /// What reading a sketch file may need.
    pub(crate) fn decode_options(&self, limit: LimitArgs, session: &Session) -> Result<DecodeOptions> {
        self.key.decode_options(limit, session)
    }
}

impl KeyArgs {
    /// What reading a sketch file may need.
    pub(crate) fn decode_options(&self, limit: LimitArgs, session: &Session) -> Result<DecodeOptions> {
        Ok(decode_options(self.key(session)?, limit))
    }

    fn key(&self, session: &Session) -> Result<Option<[u8; 16]>> {
        self.secret_file.as_deref().map(|path| read_key(path, session)).transpose()
    }
}

/// Also accepts old files without a tag, with a warning.
pub(crate) fn decode_options(key: Option<[u8; 16]>, limit: LimitArgs) -> DecodeOptions {
    DecodeOptions { key, max_memory: Some(limit.max_memory), accept_untagged: true }
}

/// The key in a file.
pub(crate) fn read_key(path: &Path, session: &Session) -> Result<[u8; 16]> {
    /// More bytes than any notation of a key needs.
    const LIMIT: u64 = 1024;
    session.will_read(path)?;
    warn_if_shared(path, session);
    let key = read_up_to(session.open_plain(path)?, LIMIT).and_then(|bytes| match bytes {
        Some(bytes) => parse_key(&bytes),
        None => bail!("expected 16 bytes or 32 hexadecimal digits, found more than {LIMIT} bytes; {ADVICE}"),
    });
    key.with_context(|| path.display().to_string())
}

/// Warns once if other users may read the key.
#[cfg(unix)]
fn warn_if_shared(path: &Path, session: &Session) {
    use std::os::unix::fs::PermissionsExt;
    let is_shared =
        std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o077 != 0);
    if is_shared && session.tells_of_key() {
        session.warn(&format!(
            "{}: other users may read this key; take that away with: chmod 600 {}",
            path.display(),
            shell_word(&path.display().to_string())
        ));
    }
}

/// Quotes a path so that a shell reads it as one word and a command does not read it as a flag.
#[cfg(unix)]
fn shell_word(path: &str) -> String {
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(not(unix))]
fn warn_if_shared(_path: &Path, _session: &Session) {}

const ADVICE: &str = "make a key with: (umask 077; head -c 16 /dev/urandom > FILE)";

/// Parses a key. Messages never quote the bytes found, which may be secret.
fn parse_key(bytes: &[u8]) -> Result<[u8; 16]> {
    if let Ok(key) = bytes.try_into() {
        return Ok(key);
    }
    let text = bytes.trim_ascii();
    let digits: Option<Vec<u8>> =
        text.iter().map(|&c| char::from(c).to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    match digits {
        Some(digits) if digits.len() == 32 => {
            Ok(std::array::from_fn(|i| digits[2 * i] << 4 | digits[2 * i + 1]))
        }
        _ => bail!("expected 16 bytes or 32 hexadecimal digits, found {} bytes; {ADVICE}", bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        assert_eq!(parse_key(b"0123456789abcdef").unwrap(), *b"0123456789abcdef");
        let hex = b"000102030405060708090A0b0c0d0e0f\n";
        assert_eq!(parse_key(hex).unwrap(), std::array::from_fn(|i| u8::try_from(i).unwrap()));
        for bad in [&b""[..], b"0123456789abcde", b"00010203040506070809zz0b0c0d0e0f", &[b'0'; 34]] {
            assert!(parse_key(bad).is_err());
        }
    }
}
