//! `crivo similar`: how alike?

mod print;
mod reading;

use super::item_set::Place;
use super::sketch_file::{is_sketch, load, load_as};
use crate::args::{FormArgs, FromArgs, HashArgs, LimitArgs, SaveArgs, TextArgs, ValueArgs, parse_share};
use crate::input::Columns;
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::Sketch;
use crivo::{HashSpec, Kind, OnePermutation};
use crivo_report::Report;
use print::{Compared, Signature};
use reading::{Kept, Reading};
use std::path::{Path, PathBuf};

/// How alike files are: the share of all their different items that both have
///
/// The items are the lines, or with --column the values of a column; with --shingle, a file is one text and its items
/// are runs of words. The answer comes from a one-permutation signature of each file, whose size follows from --error:
/// about 10 KB unless told, whatever the file. A file may also be a sketch that was saved, here with --save or by another
/// verb with a kind that can be compared. Whether the items of two sketches are of one sort, such as users, is not in
/// them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo similar monday.csv tuesday.csv --column user
  crivo similar draft.txt final.txt --shingle words:3
  crivo similar --exact chapter1.txt chapter2.txt chapter3.txt --shingle chars:5
  crivo similar monday.csv --column user --save monday.crv
  crivo similar tuesday.csv --column user --from monday.crv --save both.crv
  crivo similar monday.crv tuesday.csv --column user    # a saved sketch beside data
'crivo dups' finds the alike among many.")]
pub(crate) struct Similar {
    /// Files to compare, gzip and zstd too, or saved sketches; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,

    #[command(flatten)]
    text: TextArgs,

    #[command(flatten)]
    from: FromArgs,

    /// Half-width of the 95 % interval; 0.02 unless told
    #[arg(long, value_name = "ERROR", value_parser = parse_share, conflicts_with = "from")]
    error: Option<f64>,

    /// Compare the items themselves, which are kept: never errs, whatever the hashes
    #[arg(long, conflicts_with_all = ["error", "save", "from"])]
    exact: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    #[command(flatten)]
    form: FormArgs,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// Without --error.
const DEFAULT_ERROR: f64 = 0.02;

pub(crate) enum Plan {
    /// Makes a sketch of one file.
    Save { reading: Reading, sketch: OnePermutation, target: Target },
    /// Compares files, by their items if there is a hash for these.
    Compare { sides: Vec<(PathBuf, Side)>, exact: Option<HashSpec>, limit: LimitArgs },
}

/// A file to compare.
pub(crate) enum Side {
    Saved(Box<dyn Sketch>),
    /// Data, and what to make of them unless they are kept.
    Data(Reading, Option<OnePermutation>),
}

/// The items of a file.
enum Items {
    Sketch(Box<dyn Sketch>),
    /// Their places among the items of all files, sorted.
    All(Vec<Place>),
}

impl Verb for Similar {
    type Plan = Plan;
    type Report = Box<dyn Report>;

    fn manner(&self) -> Manner {
        self.form.manner(self.quiet)
    }

    fn plan(self, session: &Session) -> Result<Plan> {
        let target = self.save.target(session)?;
        if target.is_none() && self.from.is_given() {
            bail!(
                "--from goes on with a sketch that is to be saved; give --save, or name the sketch among the files"
            );
        }
        match (&self.files[..], target) {
            ([file], Some(target)) => {
                if is_sketch(file, session)? {
                    bail!("{}: this is a sketch already; name a file of data", file.display());
                }
                let sketch = self.begun(session)?;
                Ok(Plan::Save { reading: self.reading(file, session)?, sketch, target })
            }
            (_, Some(_)) => {
                bail!("--save is for one file; name it alone, and compare the saved sketches then")
            }
            ([_], None) => bail!("name two files or more to compare; --save FILE.crv keeps a sketch of one"),
            _ => {
                let exact = self.exact.then(|| self.hash.spec(session)).transpose()?;
                Ok(Plan::Compare { sides: self.sides(session)?, exact, limit: self.limit })
            }
        }
    }

    fn run(plan: Plan, session: &Session) -> Result<Box<dyn Report>> {
        match plan {
            Plan::Save { reading, mut sketch, target } => {
                let totals = reading.fill(&mut sketch)?;
                let (bytes, kind) = (sketch.to_bytes(), sketch.kind().name());
                let file_bytes = bytes.len() as u64;
                let saved = session.save(Some(&target), || bytes).unwrap_or_default();
                let (items, nulls) = (totals.items, totals.nulls);
                Ok(Box::new(Signature { saved, kind, items, nulls, file_bytes }))
            }
            Plan::Compare { sides, exact, limit } => {
                let mut kept = Kept::new(exact.unwrap_or_default(), limit);
                let (mut files, mut items) = (Vec::new(), Vec::new());
                for (path, side) in sides {
                    let (found, nulls) = match side {
                        Side::Saved(sketch) => (Items::Sketch(sketch), 0),
                        Side::Data(reading, None) => {
                            let (places, totals) = reading.all_items(&mut kept)?;
                            (Items::All(places), totals.nulls)
                        }
                        Side::Data(reading, Some(mut sketch)) => {
                            let totals = reading.fill(&mut sketch)?;
                            (Items::Sketch(Box::new(sketch)), totals.nulls)
                        }
                    };
                    files.push((path, nulls));
                    items.push(found);
                }
                Ok(Box::new(Compared::new(files, &items)?))
            }
        }
    }
}

impl Similar {
    /// The sketch to go on with, or an empty one.
    fn begun(&self, session: &Session) -> Result<OnePermutation> {
        let Some(saved) = self.from.saved(true, false)? else { return self.empty(session) };
        self.hash.check_beside_saved()?;
        let options = self.hash.decode_options(&self.limit, session)?;
        load_as(saved.path, &options, Kind::OnePermutation, session)
    }

    /// All files, each with its sketch if it has one.
    fn sides(&self, session: &Session) -> Result<Vec<(PathBuf, Side)>> {
        let options = self.hash.decode_options(&self.limit, session)?;
        let mut saved = Vec::new();
        for path in &self.files {
            saved.push(if is_sketch(path, session)? { Some(load(path, &options, session)?) } else { None });
        }
        let all = saved.iter().all(Option::is_some);
        let first = saved.iter().zip(&self.files).find_map(|(saved, path)| Some((path, saved.as_deref()?)));
        if let Some((path, _)) = first {
            if self.exact {
                bail!("{}: --exact needs the data, and this is a sketch of them", path.display());
            }
            self.check_beside_sketch(path, all, session)?;
        }
        let empty = match first {
            _ if self.exact || all => None,
            Some((path, sketch)) => Some(empty_twin(path, sketch)?),
            None => Some(self.empty(session)?),
        };
        let side = |(path, saved): (&PathBuf, Option<_>)| {
            let side = match saved {
                Some(sketch) => Side::Saved(sketch),
                None => Side::Data(self.reading(path, session)?, empty.clone()),
            };
            Ok((path.clone(), side))
        };
        self.files.iter().zip(saved).map(side).collect()
    }

    /// The items of a file of data.
    fn reading(&self, path: &Path, session: &Session) -> Result<Reading> {
        let (file, is_of_text) = ([path.to_owned()], self.text.is_given());
        let input = if is_of_text && !self.values.is_given() {
            self.values.format().open_whole(&file, &self.limit, session)?
        } else {
            self.values.open(&file, Columns::default(), &self.limit, session)?
        };
        let shingles = is_of_text.then(|| self.text.shingles()).transpose()?;
        Ok(Reading { input, shingles })
    }

    /// Refuses what the sketch in `path` has decided, and what speaks of data where `all` are sketches.
    fn check_beside_sketch(&self, path: &Path, all: bool, session: &Session) -> Result<()> {
        let (path, is_of_text) = (path.display(), self.text.is_given());
        for (flag, is_given) in [("--error", self.error.is_some()), ("--seed", self.hash.is_seeded())] {
            if is_given {
                bail!("{path}: this sketch was made with an error and a seed of its own; leave out {flag}");
            }
        }
        if all && (is_of_text || self.values.is_given()) {
            bail!(
                "{path}: all files are sketches, and no data are read; leave out --column, --format, --shingle and the like"
            );
        }
        if is_of_text {
            session.remark(&format!(
                "{path}: how its items were made is not in it; they should be runs of the same --shingle"
            ));
        }
        Ok(())
    }

    fn empty(&self, session: &Session) -> Result<OnePermutation> {
        let sketch = OnePermutation::for_error(self.error.unwrap_or(DEFAULT_ERROR))?;
        self.limit.check(sketch.memory_bytes() as u64 * self.files.len() as u64)?;
        Ok(OnePermutation::for_slots(sketch.k())?.with_hash(self.hash.spec(session)?))
    }
}

/// An empty sketch that can be compared with the saved one.
fn empty_twin(path: &Path, saved: &dyn Sketch) -> Result<OnePermutation> {
    let Some(sketch) = saved.downcast_ref::<OnePermutation>() else {
        bail!(
            "{path}: data can be compared with a one-permutation that 'crivo similar --save' made, not with a {}; sketch \
             the data in the same way first",
            saved.kind().name(),
            path = path.display()
        );
    };
    Ok(OnePermutation::for_slots(sketch.k())?.with_hash(*sketch.hash_spec()))
}
