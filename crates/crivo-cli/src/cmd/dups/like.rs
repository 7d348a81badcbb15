//! `crivo dups --like`: the documents that are like one.

use super::names::{Name, Names};
use super::{Dups, Unit};
use crate::input::{Batch, Wants};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::Estimate;
use crivo::similarity::ExactSet;
use crivo_report::{Page, Records, Report, alike, as_bar, count, plural, value};
use serde::Serialize;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

impl Dups {
    /// Compares every document with the one in `file`, exactly.
    pub(super) fn like(&self, file: &Path, session: &Session) -> Result<Alike> {
        let (shingles, spec) = (self.text.shingles()?, self.hash.spec(session)?);
        let wanted = self.values.format().open_whole(&[file.to_owned()], self.limit, session)?;
        let input = self.open(session)?;
        let unit = if self.is_of_records() { Unit::Record } else { Unit::File };
        let (threshold, mut names) = (self.threshold, unit.names(session.is_text()));
        let mut hashes = Vec::new();
        wanted.read(Wants::default().and_values(), |batch| {
            shingles.for_each(batch.values.get(0), &spec, |hash| hashes.push(hash));
            Ok(ControlFlow::Continue(()))
        })?;
        if hashes.is_empty() {
            bail!("{}: there are no words to compare with; check the file and --shingle", file.display());
        }
        let wanted = Arc::new(ExactSet::new(&hashes));
        let work = move |hashes: &mut Vec<u64>, batch: &Batch<'_>| {
            let alike = |place| {
                hashes.clear();
                shingles.for_each(batch.values.get(place), &spec, |hash| hashes.push(hash));
                if hashes.is_empty() { 0.0 } else { wanted.similarity(&ExactSet::new(hashes)) }
            };
            Ok((0..batch.items).map(alike).collect::<Vec<f64>>())
        };
        let itself = fs::canonicalize(file).ok();
        let (mut found, mut documents) = (Vec::new(), 0);
        input.map(Wants::default().and_values(), work, |batch, similarities: Vec<f64>| {
            let is_itself = || batch.source.path().and_then(|path| fs::canonicalize(path).ok()) == itself;
            for place in batch.places() {
                documents += u64::from(place.is_some());
                match place.map(|place| (place, similarities[place])) {
                    Some((place, similarity))
                        if similarity >= threshold && (unit == Unit::Record || !is_itself()) =>
                    {
                        names.push(batch.source, batch.values.get(place));
                        found.push((similarity, found.len() as u32));
                    }
                    _ => names.leave_out(found.len()),
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(Alike { found, names, documents, threshold })
    }
}

/// The documents that are like one, the most alike first.
pub(super) struct Alike {
    /// How alike, and which.
    found: Vec<(f64, u32)>,
    names: Names,
    documents: u64,
    threshold: f64,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "like")]
struct LikeRecord<'a> {
    document: Name<'a>,
    #[serde(serialize_with = "as_bar")]
    similarity: Estimate,
}

impl Report for Alike {
    fn text(&self, page: &mut Page) {
        for &(similarity, document) in &self.found {
            page.line(&format!("{}  {}", alike(similarity), self.names.for_people(document)));
        }
        let (found, all) = (count(self.found.len() as u64), plural(self.documents, "document", "documents"));
        page.remark(&format!("{found} of {all} with a similarity of at least {}", value(self.threshold)));
    }

    fn records(&self, records: &mut Records) {
        for &(similarity, document) in &self.found {
            let (document, similarity) = (self.names.for_machines(document), Estimate::exact(similarity));
            records.row(&LikeRecord { document, similarity });
        }
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.found.is_empty())
    }
}
