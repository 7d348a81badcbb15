//! `crivo dups --like`: the documents that are like one.

use super::Dups;
use super::names::Names;
use crate::input::{Batch, Wants};
use crate::output::{Answer, Output, alike, count, plural, remark, value};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::similarity::ExactSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

impl Dups {
    /// Compares every document with the one in `file`, exactly.
    pub(super) fn run_like(&self, file: &Path, session: &Session) -> Result<ExitCode> {
        let (shingles, spec) = (self.text.shingles()?, self.hash.spec(session)?);
        let wanted = self.values.format().open_whole(&[file.to_owned()], &self.limit, session)?;
        let input = self.open(session)?;
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
        let mut names = if self.is_of_records() { Names::rows(!self.json) } else { Names::Own(Vec::new()) };
        let (mut found, mut documents) = (Vec::new(), 0);
        input.map(Wants::default().and_values(), work, |batch, similarities: Vec<f64>| {
            let is_itself = || batch.source.path().and_then(|path| fs::canonicalize(path).ok()) == itself;
            for place in batch.places() {
                documents += u64::from(place.is_some());
                match place.map(|place| (place, similarities[place])) {
                    Some((place, similarity))
                        if similarity >= self.threshold && (self.is_of_records() || !is_itself()) =>
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
        let mut output = Output::new();
        for &(similarity, place) in &found {
            if self.json {
                output.json(&Answer::Like { document: names.for_machines(place), similarity })?;
            } else {
                output.line(&format!("{}  {}", alike(similarity), names.for_people(place)))?;
            }
        }
        output.flush()?;
        if !self.quiet && !self.json {
            let all = plural(documents, "document", "documents");
            let found = count(found.len() as u64);
            remark(&format!("{found} of {all} at least {} alike", value(self.threshold)));
        }
        Ok(if found.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}
