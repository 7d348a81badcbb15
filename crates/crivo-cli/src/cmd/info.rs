//! `crivo info`: what is in a sketch file.

use super::foreign;
use super::sketch_file::{authentic, decode, other_family, read};
use crate::args::{FormArgs, KeyArgs, LimitArgs};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::hash::Algorithm;
use crivo::sketch::Sketch;
use crivo::{DecodeOptions, Family, Header, ItemForm};
use crivo_interop::{Foreign, Format, Theta};
use crivo_report::{FactJson, Page, Records, Report, fact, named, seed, size};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Describe the contents of a sketch file
///
/// For keyed files without their key, only the header is shown. Sketches of DataSketches,
/// Redis, postgresql-hll and Spark are recognised too.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo info words.crv
  crivo info --json *.crv
  crivo info visitors.theta    # a sketch of DataSketches")]
pub(crate) struct Info {
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

impl Verb for Info {
    type Report = Sketches;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, session: &Session) -> Result<Sketches> {
        self.of(None, session)
    }
}

impl Info {
    /// What is in each file; sketches of other families than `family` are refused, if there is one.
    pub(crate) fn of(self, family: Option<Family>, session: &Session) -> Result<Sketches> {
        let options = self.key.decode_options(self.limit, session)?;
        let look = |path: &PathBuf| {
            let bytes = read(path, &options, session)?;
            if let Some(format) = Format::of(&bytes) {
                if let Some(family) = family {
                    bail!(
                        "{}: another library has written it, as {}; a {} sketch of Crivo is needed",
                        path.display(),
                        format.name(),
                        family.name()
                    );
                }
                return Ok(Found::foreign(path, bytes.len(), foreign::decode(path, &bytes)?));
            }
            let kind = crivo::peek(&bytes)?.kind;
            if let Some(family) = family.filter(|&family| family != kind.family()) {
                return Err(other_family(path, kind, family));
            }
            let info = SketchInfo::of(path, &bytes, &options);
            Ok(vec![Found::Own(info.with_context(|| path.display().to_string())?)])
        };
        let found: Vec<Vec<Found>> = self.files.iter().map(look).collect::<Result<_>>()?;
        Ok(Sketches(found.into_iter().flatten().collect()))
    }
}

/// What is in each file.
pub(crate) struct Sketches(Vec<Found>);

enum Found {
    Own(SketchInfo),
    /// A sketch that another library has written.
    Foreign {
        path: PathBuf,
        file_bytes: u64,
        sketch: Foreign,
    },
}

impl Found {
    /// What another library has written: the file, and the sketches in it if there are several.
    fn foreign(path: &Path, bytes: usize, sketch: Foreign) -> Vec<Self> {
        let parts: Vec<Self> = match &sketch {
            Foreign::Puffin(file) => file.columns().map(|column| Self::column(path, column)).collect(),
            _ => Vec::new(),
        };
        let file = Self::Foreign { path: path.to_owned(), file_bytes: bytes as u64, sketch };
        std::iter::once(file).chain(parts).collect()
    }

    /// The sketch of a column in a Puffin file.
    fn column(path: &Path, (field, sketch): (i32, &Theta)) -> Self {
        let path = PathBuf::from(format!("{}, field {field}", path.display()));
        let file_bytes = sketch.to_bytes().len() as u64;
        Self::Foreign { path, file_bytes, sketch: Foreign::Theta(sketch.clone()) }
    }
}

/// A sketch that another library has written.
#[derive(Serialize)]
#[serde(tag = "type", rename = "foreign")]
struct ForeignRecord<'a> {
    file: String,
    format: &'static str,
    file_bytes: u64,
    facts: FactJson<'a>,
}

struct SketchInfo {
    path: PathBuf,
    header: Header,
    file_bytes: u64,
    /// None without the key that it needs.
    sketch: Option<Box<dyn Sketch>>,
}

/// `facts` is null if the key is missing.
#[derive(Serialize)]
#[serde(tag = "type", rename = "sketch")]
struct SketchRecord<'a> {
    file: String,
    kind: &'static str,
    family: &'static str,
    hash: Option<&'static str>,
    /// Hexadecimal: the seed, or the fingerprint of the key.
    seed: Option<String>,
    /// How values became items: "typed" or "text"; null if the file does not say it.
    items: Option<&'static str>,
    keyed: bool,
    /// Whether its tag fits the key; null if it has no key, or the key was not given.
    authentic: Option<bool>,
    file_bytes: u64,
    memory_bytes: Option<u64>,
    facts: Option<FactJson<'a>>,
}

impl SketchInfo {
    fn of(path: &Path, bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let header = crivo::peek(bytes)?;
        let sketch = if header.keyed && options.key.is_none() { None } else { Some(decode(bytes, options)?) };
        Ok(Self { path: path.to_owned(), header, file_bytes: bytes.len() as u64, sketch })
    }

    fn authentic(&self) -> Option<bool> {
        authentic(&self.header, self.sketch.is_some())
    }

    fn memory_bytes(&self) -> Option<u64> {
        self.sketch.as_ref().map(|sketch| sketch.memory_bytes() as u64)
    }

    /// How values became items, if the file says so: as a sentence says it, and as a record does.
    fn items(&self) -> Option<(&'static str, &'static str)> {
        let form = self.header.form;
        match form {
            ItemForm::Unmarked => None,
            ItemForm::Typed => Some(("typed values", form.name())),
            ItemForm::Text => Some(("texts of values", form.name())),
        }
    }

    /// The name of the hash, and the seed, or the fingerprint of the key.
    fn hash(&self) -> Option<(&'static str, String)> {
        let name = self.header.algorithm.map(Algorithm::name)?;
        Some((name, seed(self.header.seed_or_fingerprint)))
    }
}

fn row(page: &mut Page, name: &str, value: &str) {
    page.line(&format!("  {name:<22} {value}"));
}

impl Report for Sketches {
    fn text(&self, page: &mut Page) {
        for found in &self.0 {
            let info = match found {
                Found::Own(info) => info,
                Found::Foreign { path, file_bytes, sketch } => {
                    let format = sketch.format();
                    page.line(&format!("{}: {}, {}", named(path), format.name(), format.summary()));
                    row(page, "file", &size(*file_bytes));
                    sketch.facts().iter().for_each(|it| row(page, &it.name.replace('_', " "), &fact(it)));
                    continue;
                }
            };
            let kind = info.header.kind;
            page.line(&format!("{}: {}, {}", named(&info.path), kind.name(), kind.summary()));
            let mut row = |name: &str, value: &str| row(page, name, value);
            if let Some((hash, seed)) = info.hash() {
                let what = if info.header.keyed { "with a key of fingerprint" } else { "with seed" };
                row("hash", &format!("{hash} {what} {seed}"));
            }
            if let Some((items, _)) = info.items() {
                row("items", items);
            }
            if info.header.keyed {
                let authentic = match info.authentic() {
                    Some(true) => "yes, its tag fits the key",
                    Some(false) => "no: it has no tag, so anyone with write access may have changed it",
                    None => "not known without the key",
                };
                row("authentic", authentic);
            }
            row("file", &size(info.file_bytes));
            if let Some(memory) = info.memory_bytes() {
                row("memory", &size(memory));
            }
            match &info.sketch {
                None => row("contents", "need the key: give it with --secret-file"),
                Some(sketch) => {
                    for found in &sketch.facts() {
                        row(&found.name.replace('_', " "), &fact(found));
                    }
                }
            }
        }
    }

    fn records(&self, records: &mut Records) {
        for found in &self.0 {
            let info = match found {
                Found::Own(info) => info,
                Found::Foreign { path, file_bytes, sketch } => {
                    records.row(&ForeignRecord {
                        file: path.display().to_string(),
                        format: sketch.format().name(),
                        file_bytes: *file_bytes,
                        facts: FactJson(&sketch.facts()),
                    });
                    continue;
                }
            };
            let facts = info.sketch.as_ref().map(|sketch| sketch.facts());
            let (hash, seed) = info.hash().unzip();
            records.row(&SketchRecord {
                file: info.path.display().to_string(),
                kind: info.header.kind.name(),
                family: info.header.kind.family().name(),
                hash,
                seed,
                items: info.items().map(|(_, name)| name),
                keyed: info.header.keyed,
                authentic: info.authentic(),
                file_bytes: info.file_bytes,
                memory_bytes: info.memory_bytes(),
                facts: facts.as_deref().map(FactJson),
            });
        }
    }
}
