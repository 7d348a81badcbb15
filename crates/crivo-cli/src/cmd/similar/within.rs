//! `crivo similar --within`: files whose fingerprints differ in a few bits, without a comparison of all pairs.

use super::Similar;
use super::items::{Data, Grouped, Items};
use super::signing::Signing;
use crate::cmd::sketch_file::{kind_of, load_as};
use crate::input::Columns;
use crate::output::Target;
use crate::session::Session;
use anyhow::{Context, Result, bail};
use crivo::similarity::HammingParams;
use crivo::{HammingIndex, Kind, SimHash};
use crivo_report::{Page, Records, Report, Text, named, plural, size};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Two files whose fingerprints differ in a few bits.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "within")]
struct PairRecord<'a> {
    a: Text<'a>,
    b: Text<'a>,
    bits: u32,
}

/// All such pairs, the most similar first.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "near")]
pub(super) struct Near {
    #[serde(skip)]
    found: Vec<(PathBuf, PathBuf, u32)>,
    /// Files that were read, and documents of a saved index.
    documents: u64,
    within: u32,
    pairs: u64,
    missing: u64,
    saved: Option<String>,
    /// How large the saved index is.
    #[serde(skip)]
    file_bytes: u64,
}

impl Report for Near {
    fn text(&self, page: &mut Page) {
        for (a, b, bits) in &self.found {
            page.line(&format!("{}  {}  {}", plural((*bits).into(), "bit", "bits"), named(a), named(b)));
        }
        let documents = plural(self.documents, "document", "documents");
        let pairs = plural(self.pairs, "pair", "pairs");
        page.note(&format!("{pairs} of {documents} within {} of 64 bits", self.within));
        if self.missing > 0 {
            page.note(&format!("{} left out", plural(self.missing, "missing value", "missing values")));
        }
        if let Some(saved) = &self.saved {
            page.line(&format!("{saved}: hamming-index of {documents}, {}", size(self.file_bytes)));
        }
    }

    fn records(&self, records: &mut Records) {
        for (a, b, bits) in &self.found {
            let [a, b] = [a, b].map(|name| Text::from(Path::as_os_str(name).as_encoded_bytes()));
            records.row(&PairRecord { a, b, bits: *bits });
        }
        records.total(self);
    }
}

/// A saved index among the files.
struct Saved<'a> {
    path: &'a Path,
    index: HammingIndex,
}

impl Similar {
    /// Whether fingerprints are asked for: with --within, or by the name of an index.
    pub(super) fn asks_for_bits(&self, session: &Session) -> Result<bool> {
        let is_index = |path: &PathBuf| Ok(kind_of(path, session)? == Some(Kind::HammingIndex));
        Ok(self.within.is_some()
            || self.files.iter().map(is_index).collect::<Result<Vec<_>>>()?.contains(&true))
    }

    /// Finds the pairs of files or of groups, and of a file and a document of a saved index.
    pub(super) fn near(&self, target: Option<&Target>, session: &Session) -> Result<Near> {
        let (mut saved, mut data) = (None, Vec::new());
        for path in &self.files {
            match kind_of(path, session)? {
                None => data.push(path),
                Some(Kind::HammingIndex) => {
                    let options = self.hash.decode_options(self.limit, session)?;
                    let index = load_as(path, &options, Kind::HammingIndex, session)?;
                    if saved.replace(Saved { path, index }).is_some() {
                        bail!("{}: name one index only, and the files to compare with it", path.display());
                    }
                }
                Some(kind) => bail!(
                    "{}: --within compares data, or data with a hamming-index of 'crivo similar --within BITS --save', not a {}",
                    path.display(),
                    kind.name()
                ),
            }
        }
        let of_signatures =
            [("--kind", self.kind.is_some()), ("--error", self.error.is_some()), ("--exact", self.exact)];
        if let Some((flag, _)) = of_signatures.iter().find(|(_, is_given)| *is_given) {
            bail!("an index has fingerprints of 64 bits; leave out {flag}");
        }
        if let (Some(saved), true) = (&saved, self.text.is_given()) {
            session.remark(&format!(
                "{}: how its fingerprints were made is not in it; they should be of the same --shingle",
                saved.path.display()
            ));
        }
        let within = self.distance(saved.as_ref())?;
        let documents = self.documents(&data, session)?;
        let (path, mut index) = if let Some(saved) = saved {
            (Some(saved.path), saved.index)
        } else {
            let params = HammingParams::for_distance(within, documents.prints.len().max(1) as u64)?;
            (None, HammingIndex::with_params(params))
        };
        let last = index.iter().map(|(id, _)| id).max().unwrap_or(0);
        let is_left = u64::MAX - last >= documents.prints.len() as u64;
        let first =
            last.checked_add(1).filter(|_| is_left).context("no numbers are left above the index's")?;
        let name = |id: u64| match (path, id.checked_sub(first)) {
            (_, Some(place)) => documents.names[place as usize].clone(),
            (path, None) => format!("{} #{id}", path.unwrap_or(Path::new("")).display()).into(),
        };
        let mut found = Vec::new();
        if documents.prints.is_empty() {
            found.extend(index.pairs().map(|(a, b, bits)| (name(a), name(b), bits)));
        }
        for (id, &print) in (first..).zip(&documents.prints) {
            found.extend(index.similar(print).into_iter().map(|(other, bits)| (name(other), name(id), bits)));
            index.insert(id, print)?;
        }
        if index.len() < 2 && target.is_none() {
            bail!(
                "name two files or more to compare, or --by COLUMN for the groups of one; --save FILE.crv keeps an index"
            );
        }
        found.retain(|&(.., bits)| bits <= within);
        found.sort_by_key(|&(.., bits)| bits);
        let bytes = if target.is_some() { index.to_bytes() } else { Vec::new() };
        Ok(Near {
            pairs: found.len() as u64,
            found,
            documents: index.len() as u64,
            within,
            missing: documents.missing,
            file_bytes: bytes.len() as u64,
            saved: session.save(target, || bytes),
        })
    }

    /// The number of bits in which fingerprints may differ.
    fn distance(&self, saved: Option<&Saved<'_>>) -> Result<u32> {
        let Some(saved) = saved else { return self.within.context("there is no index without --within") };
        let most = saved.index.params().distance();
        match self.within {
            Some(within) if within > most => bail!(
                "{}: finds fingerprints within {most} bits, not within {within}; make the index again with --within {within}",
                saved.path.display()
            ),
            within => Ok(within.unwrap_or(most)),
        }
    }

    /// The fingerprints of files of data, or of the groups of a table.
    fn documents(&self, data: &[&PathBuf], session: &Session) -> Result<Documents> {
        let empty = Signing::fingerprint(self.hash.spec(session)?)?;
        self.limit.check(empty.full_bytes() as u64)?;
        let columns = self.columns(&empty)?;
        let mut documents = Documents::default();
        if let Some(by) = self.by.by.as_deref() {
            if self.text.is_given() {
                bail!("--by compares sets of values; leave out --shingle");
            }
            let files: Vec<PathBuf> = data.iter().copied().cloned().collect();
            let columns = Columns { by: Some(by), ..columns };
            let input = self.values.open(&files, columns, self.limit, session)?;
            let (names, all) =
                Grouped { input, most: self.by.groups, limit: self.limit }.read(&empty, session)?;
            documents.prints = all.iter().map(print).collect();
            documents.names = names;
            return Ok(documents);
        }
        let inputs: Vec<Data> =
            data.iter().map(|path| self.data(path, columns.clone(), session)).collect::<Result<_>>()?;
        for (path, input) in data.iter().zip(inputs) {
            let mut signing = empty.clone();
            documents.missing += input.fill(&mut signing, self.limit)?.missing;
            documents.prints.push(print(&signing.items()?));
            documents.names.push((*path).clone());
        }
        Ok(documents)
    }
}

/// The fingerprints of documents, and their names.
#[derive(Default)]
struct Documents {
    prints: Vec<u64>,
    names: Vec<PathBuf>,
    missing: u64,
}

fn print(items: &Items) -> u64 {
    let Items::Sketch(sketch, _) = items else { unreachable!("fingerprints are sketches") };
    sketch.downcast_ref::<SimHash>().map(SimHash::fingerprint).expect("fingerprints are of a SimHash")
}
