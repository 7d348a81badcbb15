//! `crivo similar`: how alike?

mod print;

use super::item_set::{ItemSet, Place};
use super::sketch_file::{is_sketch, load, load_as};
use crate::args::{FromArgs, HashArgs, LimitArgs, SaveArgs, TextArgs, ValueArgs, parse_share};
use crate::input::{Columns, Input, Totals, Wants};
use crate::output::{Answer, Target, plural, remark, save_and_print, size};
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::similarity::jaccard_sorted;
use crivo::sketch::Sketch;
use crivo::{Estimate, HashSpec, Kind, OnePermutation};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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

    /// JSON objects instead of text, one for each pair
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// Without --error.
const DEFAULT_ERROR: f64 = 0.02;

/// The items of a file.
enum Items {
    Sketch(Box<dyn Sketch>),
    /// Their places among the items of all files, sorted.
    All(Vec<Place>),
}

/// How alike two are.
#[derive(Clone, Copy, Debug)]
enum Alike {
    Estimate(Estimate),
    Exact(f64),
}

impl Similar {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let target = self.save.target(session)?;
        if target.is_none() && self.from.saved(true, false)?.is_some() {
            bail!(
                "--from goes on with a sketch that is to be saved; give --save, or name the sketch among the files"
            );
        }
        match (&self.files[..], &target) {
            ([file], Some(target)) => self.save_sketch(file, target, session)?,
            (_, Some(_)) => {
                bail!("--save is for one file; name it alone, and compare the saved sketches then")
            }
            ([_], None) => bail!("name two files or more to compare; --save FILE.crv keeps a sketch of one"),
            _ => self.compare(session)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn save_sketch(&self, file: &Path, target: &Target, session: &Session) -> Result<()> {
        if is_sketch(file, session)? {
            bail!("{}: this is a sketch already; name a file of data", file.display());
        }
        let mut sketch = match self.from.saved(true, false)? {
            None => self.empty(session)?,
            Some(saved) => {
                self.hash.check_beside_saved()?;
                load_as(
                    saved.path,
                    &self.hash.decode_options(&self.limit, session)?,
                    Kind::OnePermutation,
                    session,
                )?
            }
        };
        let Totals { items, nulls, .. } = self.fill(&mut sketch, file, session)?;
        let (bytes, kind) = (sketch.to_bytes(), sketch.kind().name());
        let file_bytes = bytes.len() as u64;
        save_and_print(
            Some(target),
            || bytes,
            |output, saved| {
                let saved = saved.unwrap_or_default();
                if self.json {
                    return output.json(&Answer::Signature { saved, kind, items, nulls, file_bytes });
                }
                output.line(&format!(
                    "{saved}: {kind} of {}, {}",
                    plural(items, "item", "items"),
                    size(file_bytes)
                ))
            },
            session,
        )
    }

    fn compare(&self, session: &Session) -> Result<()> {
        let options = self.hash.decode_options(&self.limit, session)?;
        let mut saved = Vec::new();
        for path in &self.files {
            saved.push(if is_sketch(path, session)? { Some(load(path, &options, session)?) } else { None });
        }
        let first = saved.iter().position(Option::is_some);
        if let Some(first) = first.filter(|_| self.exact) {
            bail!("{}: --exact needs the data, and this is a sketch of them", self.files[first].display());
        }
        if let Some(first) = first {
            self.check_beside_sketch(&self.files[first], saved.iter().all(Option::is_some))?;
        }
        let empty = match first.and_then(|first| Some((&self.files[first], saved[first].as_ref()?))) {
            _ if self.exact || saved.iter().all(Option::is_some) => None,
            Some((path, sketch)) => Some(empty_twin(path, &**sketch)?),
            None => Some(self.empty(session)?),
        };
        let (mut sides, mut nulls) = (Vec::new(), Vec::new());
        let mut kept = Kept { limit: &self.limit, set: ItemSet::default(), places: 0 };
        for (path, saved) in self.files.iter().zip(saved) {
            let (items, totals) = match (saved, &empty) {
                (Some(sketch), _) => (Items::Sketch(sketch), Totals::default()),
                (None, None) => self.all_items(path, &mut kept, session)?,
                (None, Some(empty)) => {
                    let mut sketch = empty.clone();
                    let totals = self.fill(&mut sketch, path, session)?;
                    (Items::Sketch(Box::new(sketch)), totals)
                }
            };
            sides.push(items);
            nulls.push(totals.nulls);
        }
        self.print(&sides, &nulls)
    }

    /// Refuses what the sketch in `path` has decided, and what speaks of data where `all` are sketches.
    fn check_beside_sketch(&self, path: &Path, all: bool) -> Result<()> {
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
        if is_of_text && !self.quiet {
            remark(&format!(
                "{path}: how its items were made is not in it; they should be runs of the same --shingle"
            ));
        }
        Ok(())
    }

    /// How alike the files at two places are.
    fn alike(&self, sides: &[Items], first: usize, second: usize) -> Result<Alike> {
        Ok(match (&sides[first], &sides[second]) {
            (Items::All(first), Items::All(second)) => Alike::Exact(jaccard_sorted(first, second)),
            (Items::Sketch(one), Items::Sketch(other)) => {
                let Some(similarity) = one.kind().info().similarity else {
                    bail!(
                        "{path}: a {} does not tell how alike two are; see: crivo info {path}",
                        one.kind().name(),
                        path = self.files[first].display()
                    );
                };
                let (first, second) = (self.files[first].display(), self.files[second].display());
                Alike::Estimate(
                    similarity(&**one, &**other).with_context(|| format!("{first} and {second}"))?,
                )
            }
            _ => unreachable!("--exact refuses sketches"),
        })
    }

    fn empty(&self, session: &Session) -> Result<OnePermutation> {
        let sketch = OnePermutation::for_error(self.error.unwrap_or(DEFAULT_ERROR))?;
        self.limit.check(sketch.memory_bytes() as u64 * self.files.len() as u64)?;
        Ok(OnePermutation::for_slots(sketch.k())?.with_hash(self.hash.spec(session)?))
    }

    fn fill(&self, sketch: &mut OnePermutation, path: &Path, session: &Session) -> Result<Totals> {
        let spec = *sketch.hash_spec();
        self.read(
            path,
            spec,
            |hashes| {
                sketch.insert_hashes(hashes);
                Ok(())
            },
            session,
        )
    }

    fn all_items(&self, path: &Path, kept: &mut Kept<'_>, session: &Session) -> Result<(Items, Totals)> {
        let spec = self.hash.spec(session)?;
        let (mut places, mut different, mut items) = (Vec::new(), 0, 0);
        let mut take = |hash: u64, item: &[u8]| {
            places.push(kept.set.place(hash, item));
            items += 1;
            if places.len() > 2 * different + (1 << 20) {
                tidy(&mut places);
                different = places.len();
            }
            kept.check(places.len())
        };
        let mut totals = if self.text.is_given() {
            let (shingles, hasher) = (self.text.shingles()?, spec.bytes_hasher());
            self.texts(path, session)?.read(Wants::default().and_values(), |batch| {
                let mut taken = Ok(());
                for place in 0..batch.items {
                    shingles.for_each_text(batch.values.get(place), |shingle| {
                        if taken.is_ok() {
                            taken = take(hasher.hash(shingle), shingle);
                        }
                    });
                }
                taken.map(ControlFlow::Continue)
            })?
        } else {
            self.rows(path, session)?.read(Wants::hashes(spec).and_values(), |batch| {
                batch.hashed_values().try_for_each(|(hash, value)| take(hash, value))?;
                Ok(ControlFlow::Continue(()))
            })?
        };
        totals.items = items;
        tidy(&mut places);
        kept.places += places.len();
        Ok((Items::All(places), totals))
    }

    /// The records of a file.
    fn rows(&self, path: &Path, session: &Session) -> Result<Input> {
        self.values.open(&[path.to_owned()], Columns::default(), &self.limit, session)
    }

    /// The texts of a file: its records, or itself.
    fn texts(&self, path: &Path, session: &Session) -> Result<Input> {
        if self.values.is_given() {
            return self.rows(path, session);
        }
        self.values.format().open_whole(&[path.to_owned()], &self.limit, session)
    }

    /// Hands the hashes of all items of a file to `take`.
    fn read(
        &self,
        path: &Path,
        spec: HashSpec,
        mut take: impl FnMut(&[u64]) -> Result<()>,
        session: &Session,
    ) -> Result<Totals> {
        if !self.text.is_given() {
            return self.rows(path, session)?.read(Wants::hashes(spec), |batch| {
                take(batch.hashes)?;
                Ok(ControlFlow::Continue(()))
            });
        }
        let shingles = self.text.shingles()?;
        let mut items = 0;
        let mut totals = self.texts(path, session)?.map(
            Wants::default().and_values(),
            move |(), batch| {
                let mut hashes = Vec::new();
                for place in 0..batch.items {
                    shingles.for_each(batch.values.get(place), &spec, |hash| hashes.push(hash));
                }
                Ok(hashes)
            },
            |_, hashes: Vec<u64>| {
                items += hashes.len() as u64;
                take(&hashes)?;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        totals.items = items;
        Ok(totals)
    }
}

/// The items of all files that `--exact` compares.
struct Kept<'a> {
    limit: &'a LimitArgs,
    set: ItemSet,
    /// How many places the files before have.
    places: usize,
}

impl Kept<'_> {
    /// Refuses to keep more than allowed, with so many places of the present file.
    fn check(&self, places: usize) -> Result<()> {
        // A vector that grows has up to three times the room that it needs for a moment.
        let bytes = self.set.memory_bytes() + (self.places + 3 * places) * size_of::<Place>();
        self.limit.check_items(bytes, "--exact")
    }
}

/// Each place once, in order.
fn tidy(places: &mut Vec<Place>) {
    places.sort_unstable();
    places.dedup();
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
