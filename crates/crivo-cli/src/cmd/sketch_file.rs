//! Reading sketch files.

use crate::input::{is_stdin, read_up_to};
use crate::session::Session;
use anyhow::{Context, Result, anyhow, bail};
use crivo::sketch::{Fact, FactValue, Sketch};
use crivo::{DecodeOptions, Family, HashSpec, Header, ItemForm, Kind, Kll, Number, ReqSketch};
use crivo_interop::Format;
use crivo_report::seed;
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The sketch in a file.
pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Box<dyn Sketch>> {
    let bytes = read(path, options, session)?;
    decode(&bytes, options).with_context(|| path.display().to_string())
}

/// The sketch in a file, which must be a `wanted` one.
pub(super) fn load_as<S: Sketch + Clone>(
    path: &Path,
    options: &DecodeOptions,
    wanted: Kind,
    session: &Session,
) -> Result<S> {
    cast(path, &*load(path, options, session)?, wanted)
}

fn cast<S: Sketch + Clone>(path: &Path, sketch: &dyn Sketch, wanted: Kind) -> Result<S> {
    if let Some(sketch) = sketch.downcast_ref::<S>() {
        return Ok(sketch.clone());
    }
    let found = sketch.kind();
    let of = if found == wanted { " of other items" } else { "" };
    bail!(
        "{path}: its kind is {}{of} ({}), but {} ({}) is needed; see: crivo info {path}",
        found.name(),
        found.family().name(),
        wanted.name(),
        wanted.family().name(),
        path = path.display(),
    )
}

/// Refuses to look up texts in a sketch of typed values, which would find no number.
pub(super) fn check_takes_texts(path: &Path, spec: &HashSpec) -> Result<()> {
    if spec.form() == ItemForm::Typed {
        bail!(
            "{}: it was made from typed values, such as integers, but the command looks up texts and would not find \
             them; ask it from the program that made it, or make it from texts (in Python: update(..., text=True))",
            path.display()
        );
    }
    Ok(())
}

/// Sketches that became one.
pub(super) struct Union {
    pub(super) sketch: Box<dyn Sketch>,
    pub(super) folded: Vec<Folded>,
}

/// A sketch that was folded to the size of a smaller one.
#[derive(Debug, Serialize)]
pub(super) struct Folded {
    pub(super) file: String,
    pub(super) parameter: &'static str,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// The sketch of all that the sketches in `paths` have seen; there is at least one. With `fold`, sketches are folded to
/// the size of the smallest.
pub(super) fn load_merged(
    paths: &[PathBuf],
    fold: bool,
    options: &DecodeOptions,
    session: &Session,
) -> Result<Union> {
    let first = &paths[0];
    let mut merged = load(first, options, session)?;
    let mut facts = vec![merged.facts()];
    let mut parameter = None;
    let info = merged.kind().info();
    let mut seeds: Vec<(u64, &Path)> =
        merged.random_seed().map(|seed| (seed, &**first)).into_iter().collect();
    for path in &paths[1..] {
        let other = load(path, options, session)?;
        merged = widened(merged, &*other);
        let mut other = widened(other, &*merged);
        if fold {
            facts.push(other.facts());
            let is_finer = fold_to(&mut merged, &*other) || fold_to(&mut other, &*merged);
            parameter = parameter.or(if is_finer { differing(&facts) } else { None });
        }
        if let Some(own) = other.random_seed() {
            // The merged sketch has the seed of the first alone.
            if let Some((_, same)) = seeds.iter().find(|(seed, _)| *seed == own) {
                bail!(
                    "{}: has the seed {} as {} has, so they made the same choices; give each part a seed of its own",
                    path.display(),
                    seed(own),
                    same.display()
                );
            }
            seeds.push((own, path));
        }
        if merged.merge_law().is_none() {
            bail!(
                "{}: its kind, {}, cannot be merged; build one from all inputs",
                first.display(),
                info.kind.name()
            );
        }
        merged
            .merge_any(&*other)
            .with_context(|| format!("{}: does not merge with {}", path.display(), first.display()))?;
    }
    let folded = parameter.map_or_else(Vec::new, |parameter| {
        let to = count_of(&merged.facts(), parameter);
        let sizes = facts.iter().map(|facts| count_of(facts, parameter));
        let changed = paths.iter().zip(sizes).filter(|(_, from)| *from != to);
        changed.map(|(path, from)| Folded { file: path.display().to_string(), parameter, from, to }).collect()
    });
    Ok(Union { sketch: merged, folded })
}

/// Folds a sketch to the size of a smaller one; false if it cannot.
fn fold_to(sketch: &mut Box<dyn Sketch>, smaller: &dyn Sketch) -> bool {
    let folded = sketch.kind().info().fold.and_then(|fold| fold(&**sketch, smaller));
    folded.map(|folded| *sketch = folded).is_some()
}

/// The first parameter in which the last sketch differs from the one before.
fn differing(facts: &[Vec<Fact>]) -> Option<&'static str> {
    let [.., before, last] = facts else { return None };
    before.iter().zip(last).find(|(before, last)| before.value != last.value).map(|(fact, _)| fact.name)
}

fn count_of(facts: &[Fact], name: &str) -> u64 {
    match facts.iter().find(|fact| fact.name == name).map(|fact| &fact.value) {
        Some(FactValue::Count(count)) => *count,
        _ => 0,
    }
}

/// A sketch of doubles as one of numbers, which hold them, if another one is such.
fn widened(sketch: Box<dyn Sketch>, other: &dyn Sketch) -> Box<dyn Sketch> {
    if let (Some(doubles), true) =
        (sketch.downcast_ref::<Kll<f64>>(), other.downcast_ref::<Kll<Number>>().is_some())
    {
        return Box::new(Kll::<Number>::from(doubles));
    }
    if let (Some(doubles), true) =
        (sketch.downcast_ref::<ReqSketch<f64>>(), other.downcast_ref::<ReqSketch<Number>>().is_some())
    {
        return Box::new(ReqSketch::<Number>::from(doubles));
    }
    sketch
}

/// The sketch of the ranks of numbers in a file, whether they are all doubles or not.
pub(super) fn numbers_of(path: &Path, sketch: &dyn Sketch) -> Result<Kll<Number>> {
    match sketch.downcast_ref::<Kll<f64>>() {
        Some(doubles) => Ok(Kll::from(doubles)),
        None => cast(path, sketch, Kind::Kll),
    }
}

/// The sketch of the ranks of numbers that is accurate at one end, if the file has one of numbers.
pub(super) fn tail_of(sketch: &dyn Sketch) -> Option<ReqSketch<Number>> {
    let numbers = || sketch.downcast_ref::<ReqSketch<Number>>().cloned();
    sketch.downcast_ref::<ReqSketch<f64>>().map(ReqSketch::from).or_else(numbers)
}

/// At least a header.
pub(super) const HEAD: u64 = 64;

/// The bytes of a sketch file, no more of them than may be decoded.
pub(super) fn read(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Vec<u8>> {
    /// A file is hardly larger than the sketch in memory.
    const SLACK: u64 = 1 << 16;
    if !is_stdin(path) {
        session.files().will_load(path).with_context(|| path.display().to_string())?;
    }
    let mut reader = session.open_plain(path)?;
    let limit = options.max_memory.unwrap_or(u64::MAX).saturating_add(SLACK);
    let mut read = || {
        let mut head = Vec::new();
        reader.by_ref().take(HEAD).read_to_end(&mut head)?;
        if Format::of(&head).is_none() {
            warn_if_untagged(path, &head, session)?;
        }
        match read_up_to(head.as_slice().chain(&mut reader), limit)? {
            Some(bytes) => Ok(bytes),
            None => bail!("the file is larger than --max-memory allows; raise it"),
        }
    };
    read().with_context(|| path.display().to_string())
}

/// Says of a keyed file without a tag that nobody vouches for it. Refuses what is no sketch.
pub(super) fn warn_if_untagged(path: &Path, head: &[u8], session: &Session) -> Result<()> {
    let header = crivo::peek(head)?;
    if header.keyed && !header.tagged {
        session.warn(&format!(
            "{}: is not authenticated: an older version wrote it, or someone without the key changed it; if you trust \
             it, 'crivo merge' writes it again with a tag",
            path.display()
        ));
    }
    Ok(())
}

/// Whether a file begins as a sketch does.
pub(super) fn is_sketch(path: &Path, session: &Session) -> Result<bool> {
    Ok(kind_of(path, session)?.is_some())
}

/// The kind of a file that begins as a sketch does. Standard input and pipes, which can be read only once, are data.
pub(super) fn kind_of(path: &Path, session: &Session) -> Result<Option<Kind>> {
    if is_stdin(path) || !path.is_file() {
        return Ok(None);
    }
    let mut head = Vec::new();
    session
        .open_plain(path)?
        .take(HEAD)
        .read_to_end(&mut head)
        .with_context(|| path.display().to_string())?;
    Ok(crivo::peek(&head).ok().map(|header| header.kind))
}

/// Whether nobody without the key can have changed a keyed file: null without the key. One whose tag does not fit is not read.
pub(super) fn authentic(header: &Header, is_decoded: bool) -> Option<bool> {
    match (header.keyed, header.tagged) {
        (true, true) => is_decoded.then_some(true),
        (true, false) => Some(false),
        (false, _) => None,
    }
}

/// As the library's, with advice that fits the command.
pub(super) fn decode(bytes: &[u8], options: &DecodeOptions) -> Result<Box<dyn Sketch>> {
    if options.key.is_none() && crivo::peek(bytes)?.keyed {
        bail!("this sketch was made with a secret key; give it with --secret-file");
    }
    Ok(crivo::decode(bytes, options)?)
}

/// What to say about a sketch that answers another question.
pub(super) fn other_family(path: &Path, kind: Kind, wanted: Family) -> anyhow::Error {
    let info = kind.info();
    anyhow!(
        "{}: its kind is {} ({}), but a {} sketch is needed; see: crivo info {}",
        path.display(),
        info.kind.name(),
        info.kind.family().name(),
        wanted.name(),
        path.display()
    )
}
