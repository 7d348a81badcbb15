//! `crivo verify`: is a sketch file whole?

use super::sketch_file::{authentic, read};
use crate::args::{FormArgs, KeyArgs, LimitArgs};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result};
use clap::Args;
use crivo::{DecodeOptions, ErrorKind, Kind};
use crivo_report::{Page, Records, Report, named, size};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Check that sketch files are intact
///
/// A file is intact if its checksum is correct, its contents decode, and encoding them again gives the same bytes. With
/// the key, the tag of a keyed file is verified too: the file is corrupt if someone without the key has changed it.
/// Without the key, only the header and the checksum of a keyed file are checked, and the output says so.
///
/// The exit code is 0 if all files are intact, 1 if one is corrupt, and 2 if one cannot be checked: it is missing,
/// larger than --max-memory, written by a later version of Crivo, or has another key. The other files are checked all
/// the same.
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

    #[command(flatten)]
    form: FormArgs,
}

/// What was found of each file.
pub(crate) struct Verified(Vec<(PathBuf, Result<Whole>)>);

/// An intact file.
struct Whole {
    kind: Kind,
    file_bytes: u64,
    /// Whether its contents were looked at too, for which a key may be needed.
    is_decoded: bool,
    authentic: Option<bool>,
}

impl Verb for Verify {
    type Report = Verified;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, session: &Session) -> Result<Verified> {
        let options = self.key.decode_options(self.limit, session)?;
        let verify = |path: PathBuf| {
            let found = verify(&path, &options, session);
            (path, found)
        };
        Ok(Verified(self.files.into_iter().map(verify).collect()))
    }
}

/// `decoded` is false for a keyed file without its key, and `authentic` for one without a tag. Fields that a corrupt
/// file does not provide are null, and so is the error of an intact file, and `authentic` for a file without a key or
/// whose key was not given.
#[derive(Serialize)]
#[serde(tag = "type", rename = "verified")]
struct FileRecord {
    file: String,
    ok: bool,
    decoded: bool,
    authentic: Option<bool>,
    kind: Option<&'static str>,
    file_bytes: Option<u64>,
    error: Option<String>,
}

impl Report for Verified {
    fn text(&self, page: &mut Page) {
        for (path, found) in &self.0 {
            page.line(&match found {
                Ok(Whole { kind, file_bytes, is_decoded, authentic }) => {
                    let beside = match authentic {
                        _ if !is_decoded => {
                            "; to check its contents and tag, give its key with --secret-file"
                        }
                        Some(true) => ", authentic",
                        Some(false) => ", not authenticated: it has no tag",
                        None => "",
                    };
                    format!("{}: ok, {} in {}{beside}", named(path), kind.name(), size(*file_bytes))
                }
                // It begins with the name.
                Err(error) => format!("{error:#}"),
            });
        }
    }

    fn records(&self, records: &mut Records) {
        for (path, found) in &self.0 {
            let whole = found.as_ref().ok();
            records.row(&FileRecord {
                file: path.display().to_string(),
                ok: whole.is_some(),
                decoded: whole.is_some_and(|whole| whole.is_decoded),
                authentic: whole.and_then(|whole| whole.authentic),
                kind: whole.map(|whole| whole.kind.name()),
                file_bytes: whole.map(|whole| whole.file_bytes),
                error: found.as_ref().err().map(|error| format!("{error:#}")),
            });
        }
    }

    fn exit_code(&self) -> u8 {
        let code = |found: &Result<Whole>| match found {
            Ok(_) => 0,
            Err(error) if is_damage(error) => 1,
            Err(_) => 2,
        };
        self.0.iter().map(|(_, found)| code(found)).max().unwrap_or(0)
    }
}

/// The file decodes, but Crivo would write its contents differently.
#[derive(Debug)]
struct NotCanonical;

impl std::error::Error for NotCanonical {}

impl std::fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("its encoding is not the one that Crivo writes; create the file again from its data")
    }
}

/// Whether the file itself is to blame.
fn is_damage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<NotCanonical>()
            || cause.downcast_ref::<crivo::Error>().is_some_and(|error| error.kind() == ErrorKind::Malformed)
    })
}

fn verify(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Whole> {
    let bytes = read(path, options, session)?;
    let check = || -> Result<Whole> {
        let header = crivo::peek(&bytes)?;
        let is_decoded = match crivo::decode(&bytes, options) {
            // Written again, a file from before there were tags has one.
            Ok(_) if authentic(&header, true) == Some(false) => true,
            Ok(sketch) if sketch.to_bytes() == bytes || sketch.to_compact_bytes() == bytes => true,
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
