//! `crivo similar`: how alike?

mod items;
mod report;
mod signing;
#[cfg(test)]
mod tests;
mod within;

use super::sketch_file::{is_sketch, load};
use crate::args::{
    AnswerArgs, ByArgs, FromArgs, HashArgs, LimitArgs, SaveArgs, TextArgs, ValueArgs, parse_share,
};
use crate::input::Columns;
use crate::output::Target;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::similarity::jaccard_sorted;
use crivo::sketch::Sketch;
use crivo::{Estimate, SimHash};
use crivo_report::Report;
use items::{Data, Grouped, Items, Kept};
use report::{Matrix, Signature};
use signing::{SignatureKind, Signing, Weights, exact_cosine, exact_similarity};
use std::path::{Path, PathBuf};

/// Estimate how similar files are (Jaccard similarity)
///
/// The Jaccard similarity is the share of all distinct items that both files contain. Items are lines, or the values of
/// --column; with --shingle, a file is one text and its items are runs of words. Files with up to 8,192 distinct items
/// are compared exactly. Larger files are compared by one-permutation signatures whose size follows from --error: about
/// 10 KB by default, whatever the size of the file. A file may also be a sketch saved by --save, or by another verb
/// with a comparable kind. A sketch does not record what its items are, such as users or pages.
///
/// --kind weighted and --kind simhash compare items with weights: as often as they occur, or as --weight says. The
/// weighted similarity is Σ min / Σ max of the weights. The similarity of simhash is 1 - θ/π, for the angle θ between
/// the vectors of weights, so files without a common item have similarity 0.5; the cosine of θ is printed too.
///
/// --within finds, among many files or groups, the pairs whose simhash fingerprints of 64 bits differ in at most this many
/// bits, without a comparison of all pairs. With --save, an index keeps the fingerprints of the files, numbered from 1 in
/// their order; named among the files later, it lists its documents that are near the other files.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo similar monday.csv tuesday.csv --column user
  crivo similar draft.txt final.txt --shingle words:3
  crivo similar --exact chapter1.txt chapter2.txt chapter3.txt --shingle chars:5
  crivo similar monday.csv --column user --save monday.crv
  crivo similar tuesday.csv --column user --from monday.crv --save both.crv
  crivo similar monday.crv tuesday.csv --column user    # a saved sketch and data
  crivo similar visits.csv --column user --by page    # the groups of one table
  crivo similar may.csv june.csv --column product --kind weighted --weight units
  crivo similar draft.txt final.txt --shingle words:1 --kind simhash
  crivo similar notes/*.txt --shingle words:1 --within 6 --save notes.crv
  crivo similar notes.crv new.txt --shingle words:1
'crivo dups' finds near-duplicates among many documents.")]
pub(crate) struct Similar {
    /// Files to compare, plain, gzip or zstd, or saved sketches; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    values: ValueArgs,

    #[command(flatten)]
    text: TextArgs,

    #[command(flatten)]
    by: ByArgs,

    #[command(flatten)]
    from: FromArgs,

    /// The kind of signature, which determines what similarity means [default: one-permutation]
    #[arg(long, value_enum, conflicts_with_all = ["exact", "from"])]
    kind: Option<SignatureKind>,

    /// List the pairs whose fingerprints of 64 bits differ in at most this many bits; 3 to 10 are usual
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(0..=64),
          conflicts_with_all = ["kind", "error", "exact", "from"])]
    within: Option<u32>,

    /// Weight each record by this column, a number; records without a weight are left out and reported
    #[arg(long, value_name = "COLUMN", conflicts_with = "exact", help_heading = "Input")]
    weight: Option<String>,

    /// Half-width of the 95 % interval [default: 0.02, or 0.031 for simhash]
    #[arg(long, value_name = "ERROR", value_parser = parse_share, conflicts_with = "from")]
    error: Option<f64>,

    /// Keep and compare the items themselves: exact, even if hashes collide
    #[arg(long, conflicts_with_all = ["error", "save", "from"])]
    exact: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// One of the files that are compared.
enum Side {
    Saved(Box<dyn Sketch>),
    Data(Data),
}

/// What data become.
enum Made {
    Sketch(Box<Signing>, LimitArgs),
    Items(Kept),
    /// There are none.
    Nothing,
}

impl Verb for Similar {
    type Report = Box<dyn Report>;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Box<dyn Report>> {
        let target = self.save.target(session)?;
        if target.is_none() && self.from.saved(true, false)?.is_some() {
            bail!(
                "--from goes on with a sketch that is to be saved; give --save, or name the sketch among the files"
            );
        }
        if self.asks_for_bits(session)? {
            return Ok(Box::new(self.near(target.as_ref(), session)?));
        }
        if self.by.by.is_some() {
            return self.compare_groups(session);
        }
        match (&self.files[..], target) {
            ([file], Some(target)) => self.save_sketch(file, &target, session),
            (_, Some(_)) => {
                bail!("--save is for one file; name it alone, and compare the saved sketches then")
            }
            ([_], None) => bail!(
                "name two files or more to compare, or --by COLUMN for the groups of one; --save FILE.crv keeps a sketch"
            ),
            _ => self.compare(session),
        }
    }
}

impl Made {
    /// The items of a file, and how many values were empty.
    fn items(&mut self, side: Side) -> Result<(Items, u64)> {
        match (side, self) {
            (Side::Saved(sketch), _) => Ok((Items::Sketch(sketch, None), 0)),
            (Side::Data(data), Self::Sketch(empty, limit)) => {
                let mut signing = empty.clone();
                let totals = data.fill(&mut signing, *limit)?;
                Ok((signing.items()?, totals.missing))
            }
            (Side::Data(data), Self::Items(kept)) => {
                let (places, missing) = kept.take(data)?;
                Ok((Items::All(places), missing))
            }
            (Side::Data(_), Self::Nothing) => unreachable!("there are no data"),
        }
    }
}

/// The first and the second, the first and the third, the second and the third, and so on.
fn pairs(number: usize) -> impl Iterator<Item = [usize; 2]> {
    (1..number).flat_map(|second| (0..second).map(move |first| [first, second]))
}

fn matrix(files: Vec<PathBuf>, all: &[Items], missing: Vec<u64>) -> Result<Matrix> {
    let alike = |pair: [usize; 2]| alike(pair.map(|place| &*files[place]), pair.map(|place| &all[place]));
    let similarities = pairs(all.len()).map(alike).collect::<Result<_>>()?;
    let cosine = |pair: [usize; 2]| cosine(pair.map(|place| &all[place])).transpose();
    let cosines = pairs(all.len()).filter_map(cosine).collect::<Result<_>>()?;
    Ok(Matrix { files, pairs: similarities, missing, cosines })
}

/// The cosine of the angle between two files, if they are compared as vectors.
fn cosine(items: [&Items; 2]) -> Result<Option<Estimate>> {
    let [Items::Sketch(one, few), Items::Sketch(other, other_few)] = items else { return Ok(None) };
    let (Some(one), Some(other)) = (one.downcast_ref::<SimHash>(), other.downcast_ref()) else {
        return Ok(None);
    };
    Ok(Some(match (few, other_few) {
        (Some(few), Some(other)) => Estimate::exact(exact_cosine(few, other)),
        _ => one.cosine(other)?,
    }))
}

/// How alike two files are.
fn alike(files: [&Path; 2], items: [&Items; 2]) -> Result<Estimate> {
    Ok(match items {
        [Items::All(one), Items::All(other)] => Estimate::exact(jaccard_sorted(one, other)),
        [Items::Sketch(sketch, Some(one)), Items::Sketch(_, Some(other))] => {
            Estimate::exact(exact_similarity(sketch.kind(), one, other))
        }
        [Items::Sketch(one, _), Items::Sketch(other, _)] => {
            let [first, second] = files.map(Path::display);
            let Some(similarity) = one.kind().info().similarity else {
                bail!("{first}: a {} cannot estimate similarity; see: crivo info {first}", one.kind().name());
            };
            similarity(&**one, &**other).with_context(|| format!("{first} and {second}"))?
        }
        _ => unreachable!("--exact refuses sketches"),
    })
}

impl Similar {
    /// Saves a sketch of the data.
    fn save_sketch(&self, file: &Path, target: &Target, session: &Session) -> Result<Box<dyn Report>> {
        if is_sketch(file, session)? {
            bail!("{}: this is a sketch already; name a file of data", file.display());
        }
        let mut signing = match self.from.saved(true, false)? {
            None => self.empty(session)?,
            Some(saved) => {
                self.hash.check_beside_saved()?;
                let options = self.hash.decode_options(self.limit, session)?;
                Signing::from_saved(saved.path, &*load(saved.path, &options, session)?)?
            }
        };
        let totals = self.data(file, self.columns(&signing)?, session)?.fill(&mut signing, self.limit)?;
        let sketch = signing.finish()?;
        let bytes = sketch.to_bytes();
        let (kind, file_bytes) = (sketch.kind().name(), bytes.len() as u64);
        let saved = session.save(Some(target), || bytes).unwrap_or_default();
        let (items, missing) = (totals.items, totals.missing);
        Ok(Box::new(Signature { saved, kind, items, missing, file_bytes }))
    }

    /// Compares files of data, or sketches of them.
    fn compare(self, session: &Session) -> Result<Box<dyn Report>> {
        let options = self.hash.decode_options(self.limit, session)?;
        let mut saved = Vec::new();
        for path in &self.files {
            saved.push(if is_sketch(path, session)? { Some(load(path, &options, session)?) } else { None });
        }
        let first = saved.iter().zip(&self.files).find_map(|(saved, path)| Some((path, saved.as_deref()?)));
        let all_saved = saved.iter().all(Option::is_some);
        if let Some((path, _)) = first {
            if self.exact {
                bail!("{}: --exact needs the data, and this is a sketch of them", path.display());
            }
            self.check_beside_sketch(path, all_saved, session)?;
        }
        let mut made = match first {
            _ if self.exact => Made::Items(Kept::new(self.hash.spec(session)?, self.limit)),
            _ if all_saved => Made::Nothing,
            Some((path, sketch)) => Made::Sketch(Box::new(Signing::like(path, sketch)?), self.limit),
            None => Made::Sketch(Box::new(self.empty(session)?), self.limit),
        };
        let columns = match &made {
            Made::Sketch(signing, _) => self.columns(signing)?,
            _ => Columns::default(),
        };
        let side = |(saved, path): (Option<_>, &PathBuf)| match saved {
            Some(sketch) => Ok(Side::Saved(sketch)),
            None => self.data(path, columns.clone(), session).map(Side::Data),
        };
        let sides = saved.into_iter().zip(&self.files).map(side).collect::<Result<Vec<_>>>()?;
        let (mut all, mut missing) = (Vec::new(), Vec::new());
        for side in sides {
            let (items, missing_here) = made.items(side)?;
            all.push(items);
            missing.push(missing_here);
        }
        Ok(Box::new(matrix(self.files, &all, missing)?))
    }

    /// Refuses what the sketch in `path` has decided, and what speaks of data where `all` are sketches.
    fn check_beside_sketch(&self, path: &Path, all: bool, session: &Session) -> Result<()> {
        let (path, is_of_text) = (path.display(), self.text.is_given());
        for (flag, is_given) in [
            ("--kind", self.kind.is_some()),
            ("--error", self.error.is_some()),
            ("--seed", self.hash.is_seeded()),
        ] {
            if is_given {
                bail!("{path}: this sketch has a kind, an error and a seed already; leave out {flag}");
            }
        }
        if all && (is_of_text || self.values.is_given() || self.weight.is_some()) {
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

    /// Compares the groups of a table.
    fn compare_groups(&self, session: &Session) -> Result<Box<dyn Report>> {
        if self.exact || self.text.is_given() {
            bail!("--by compares sets of values; leave out --exact and --shingle");
        }
        let empty = self.empty(session)?;
        let columns = Columns { by: self.by.by.as_deref(), ..self.columns(&empty)? };
        let input = self.values.open(&self.files, columns, self.limit, session)?;
        let grouped = Grouped { input, most: self.by.groups, limit: self.limit };
        let (names, all) = grouped.read(&empty, session)?;
        let missing = vec![0; names.len()];
        Ok(Box::new(matrix(names, &all, missing)?))
    }

    fn empty(&self, session: &Session) -> Result<Signing> {
        let kind = self.kind.unwrap_or(SignatureKind::OnePermutation);
        let signing = Signing::new(kind, self.error, self.hash.spec(session)?)?;
        self.limit.check(signing.sketch_bytes() as u64 * self.files.len() as u64)?;
        Ok(signing)
    }

    /// The column of the weights.
    fn columns(&self, signing: &Signing) -> Result<Columns<&str>> {
        let column = self.weight.as_deref();
        if column.is_some() && self.text.is_given() {
            bail!("--weight is for the records of a table, and shingles have none; leave out --weight");
        }
        match signing.weights() {
            Weights::None if column.is_some() => bail!(
                "the items of a {} have no weights; choose --kind weighted or --kind simhash, or leave out --weight",
                signing.kind().name()
            ),
            Weights::None | Weights::FromZero => Ok(Columns { weight: column, ..Columns::default() }),
            Weights::Any => Ok(Columns { kept: column, ..Columns::default() }),
        }
    }

    /// The records of a file, or its texts: its records, or itself.
    fn data(&self, path: &Path, columns: Columns<&str>, session: &Session) -> Result<Data> {
        let shingles = if self.text.is_given() { Some(self.text.shingles()?) } else { None };
        let file = [path.to_owned()];
        let input = if shingles.is_none() || self.values.is_given() {
            self.values.open(&file, columns, self.limit, session)?
        } else {
            self.values.format().open_whole(&file, self.limit, session)?
        };
        Ok(Data { input, shingles })
    }
}
