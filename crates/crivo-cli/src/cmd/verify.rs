//! `crivo verify`: is a sketch file whole?

use super::sketch_file::{authentic, read};
use crate::args::{KeyArgs, LimitArgs};
use crate::output::{Answer, Output, named, one_line, size};
use anyhow::{Context, Result};
use clap::Args;
use crivo::{DecodeOptions, ErrorKind, Kind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Whether sketch files are whole
///
/// A file is whole if its checksum holds, its contents decode, and what was decoded is written again byte for byte. With
/// its key, a keyed file is held against its tag, too: it is damaged if somebody without the key has changed it. Of a keyed
/// file without its key, only the header and the checksum are looked at, and that is said.
///
/// The exit code is 0 if all are whole, 1 if one is damaged, and 2 if one cannot be looked at: it is missing, larger than
/// --max-memory, of a later Crivo, or has another key. The others are looked at all the same.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo verify monday.crv
  crivo verify *.crv --json")]
pub(crate) struct Verify {
    /// Sketch files
    #[arg(required = true, value_name = "FILE.crv")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// One JSON object for each file instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// A file that is whole.
struct Whole {
    kind: Kind,
    file_bytes: u64,
    /// Whether its contents were looked at too, for which a key may be needed.
    is_decoded: bool,
    authentic: Option<bool>,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let options = self.key.decode_options(&self.limit)?;
        let mut output = Output::new();
        let mut code = 0;
        for path in &self.files {
            let found = verify(path, &options);
            code = code.max(match &found {
                Ok(_) => 0,
                Err(error) if is_damage(error) => 1,
                Err(_) => 2,
            });
            self.print(&mut output, path, &found)?;
        }
        output.flush()?;
        Ok(ExitCode::from(code))
    }

    fn print(&self, output: &mut Output, path: &Path, found: &Result<Whole>) -> Result<()> {
        let file = path.display().to_string();
        if self.json {
            let whole = found.as_ref().ok();
            return output.json(&Answer::Verified {
                ok: whole.is_some(),
                decoded: whole.is_some_and(|whole| whole.is_decoded),
                authentic: whole.and_then(|whole| whole.authentic),
                kind: whole.map(|whole| whole.kind.name()),
                file_bytes: whole.map(|whole| whole.file_bytes),
                error: found.as_ref().err().map(|error| format!("{error:#}")),
                file,
            });
        }
        output.line(&match found {
            Ok(Whole { kind, file_bytes, is_decoded, authentic }) => {
                let beside = match authentic {
                    _ if !is_decoded => "; to look at its contents and tag, give its key with --secret-file",
                    Some(true) => ", authentic",
                    Some(false) => ", not authenticated: it has no tag",
                    None => "",
                };
                format!("{}: ok, {} in {}{beside}", named(path), kind.name(), size(*file_bytes))
            }
            // It begins with the name.
            Err(error) => one_line(&format!("{error:#}")).into_owned(),
        })
    }
}

/// It decodes, and what it holds would be written otherwise.
#[derive(Debug)]
struct NotCanonical;

impl std::error::Error for NotCanonical {}

impl std::fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("it is not written as Crivo writes its contents; make it again from its data")
    }
}

/// Whether the file itself is to blame.
fn is_damage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<NotCanonical>()
            || cause.downcast_ref::<crivo::Error>().is_some_and(|error| error.kind() == ErrorKind::Malformed)
    })
}

fn verify(path: &Path, options: &DecodeOptions) -> Result<Whole> {
    let bytes = read(path, options)?;
    let check = || -> Result<Whole> {
        let header = crivo::peek(&bytes)?;
        let is_decoded = match crivo::decode(&bytes, options) {
            // Written again, a file from before there were tags has one.
            Ok(sketch) if authentic(&header, true) == Some(false) || sketch.to_bytes() == bytes => true,
            Ok(_) => return Err(NotCanonical.into()),
            // The checksum comes before the key.
            Err(error) if header.keyed && options.key.is_none() && error.kind() == ErrorKind::Unsupported => {
                false
            }
            Err(error) => return Err(error.into()),
        };
        let authentic = authentic(&header, is_decoded);
        Ok(Whole { kind: header.kind, file_bytes: bytes.len() as u64, is_decoded, authentic })
    };
    check().with_context(|| path.display().to_string())
}
