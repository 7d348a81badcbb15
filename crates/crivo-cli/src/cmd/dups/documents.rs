//! Documents, files or records: read once, signed on all cores, compared.

use super::names::Names;
use super::print::{Summed, Work, answer};
use super::{Dups, Question, What};
use crate::cmd::header::Header;
use crate::input::{Batch, Input, Source, Wants};
use crate::output::Target;
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::HashSpec;
use crivo::similarity::{Document, NearDuplicates, NearParams, Shingles, Verify};
use crivo_report::{plural, size};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

/// All documents that were read.
pub(super) struct Collection {
    pub(super) search: NearDuplicates,
    pub(super) names: Names,
    /// What the names take, in bytes.
    pub(super) name_bytes: usize,
    /// The bytes of each document that is compared.
    pub(super) sizes: Vec<u32>,
    /// Documents without a run of words, and empty values.
    pub(super) empty: u64,
}

/// Documents to compare with each other.
pub(super) struct Documents {
    question: Question,
    input: Input,
    target: Option<Target>,
    shingles: Shingles,
    spec: HashSpec,
    /// What ends a record when records are written.
    record_end: u8,
    begin: Instant,
}

impl Dups {
    pub(super) fn documents(&self, question: Question, session: &Session) -> Result<Documents> {
        let begin = Instant::now();
        let target = self.target(session)?;
        let mut input = self.open(session)?;
        if question.compares_sets || question.what == What::Stream {
            input.sources.iter_mut().try_for_each(Source::keep)?;
        }
        let (shingles, spec) = (self.text.shingles()?, self.hash.spec(session)?);
        let record_end = self.values.format().record_end();
        Ok(Documents { question, input, target, shingles, spec, record_end, begin })
    }
}

impl Documents {
    pub(super) fn compare(self, session: &Session) -> Result<Summed> {
        let all = self.read(session)?;
        let sets = if all.search.keeps_sets() || !self.question.compares_sets {
            HashMap::new()
        } else {
            self.read_again(&all, session)?
        };
        let mut get = |document: u32, hashes: &mut Vec<u64>| {
            hashes.extend(sets.get(&document).into_iter().flatten());
        };
        let verify = if !self.question.compares_sets {
            Verify::Signature
        } else if all.search.keeps_sets() {
            Verify::Kept
        } else {
            Verify::Asked(&mut get)
        };
        let Self { question, input, target, record_end, begin, .. } = self;
        let read = Instant::now();
        let work = Work { question, target, input: Some(input), record_end, begin, read };
        answer(&all, verify, &work, session)
    }

    fn read(&self, session: &Session) -> Result<Collection> {
        let Self { question, shingles, spec, .. } = *self;
        let params = question.params;
        let mut all = Collection {
            search: question.search(),
            names: question.unit.names(question.what == What::Groups && session.is_text()),
            name_bytes: 0,
            sizes: Vec::new(),
            empty: 0,
        };
        // Rows of unlike tables cannot be printed below one header.
        let mut header = Header::default();
        let work = move |hashes: &mut Vec<u64>, batch: &Batch<'_>| {
            Ok((0..batch.items).map(|place| sign(&params, shingles, spec, batch, place, hashes)).collect())
        };
        self.input.clone().map(
            Wants::default().and_values(),
            work,
            |batch, documents: Vec<Option<Document>>| {
                if question.what == What::Stream {
                    header.see(batch)?;
                }
                for place in batch.places() {
                    all.take(batch, place.and_then(|place| Some((place, documents[place].as_ref()?))))?;
                }
                self.keep_in_memory(&mut all)?;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if all.search.is_empty() {
            session.remark("there is no document with words in it; check the input, --column and --shingle");
        }
        Ok(all)
    }

    /// Gives up the sets where they take too much: those of candidates are read again then.
    fn keep_in_memory(&self, all: &mut Collection) -> Result<()> {
        if all.memory_bytes() > self.question.max_memory && all.search.keeps_sets() {
            all.search.forget_sets();
        }
        self.check_memory(all, 0)
    }

    fn check_memory(&self, all: &Collection, more: usize) -> Result<()> {
        if all.memory_bytes() + more as u64 > self.question.max_memory {
            bail!(
                "{} take more than --max-memory {}; raise it{}",
                plural(all.search.len() as u64, "document", "documents"),
                size(self.question.max_memory),
                if more > 0 { ", or use --verify signature" } else { "" }
            );
        }
        Ok(())
    }

    /// The sets of all documents that will be compared, by a second pass.
    fn read_again(&self, all: &Collection, session: &Session) -> Result<HashMap<u32, Vec<u64>>> {
        session.remark(
            "the sets of all documents do not fit into --max-memory; those of candidates are read again",
        );
        let candidates = all.search.candidates();
        let mut sets: HashMap<u32, Vec<u64>> =
            candidates.into_iter().map(|document| (document, Vec::new())).collect();
        let Self { shingles, spec, .. } = *self;
        let work = move |(): &mut (), batch: &Batch<'_>| {
            let values = (0..batch.items).map(|place| shingles.hashes(batch.values.get(place), &spec));
            Ok(values.collect())
        };
        let (mut document, mut bytes) = (0, 0);
        self.input.clone().map(Wants::default().and_values(), work, |_, documents: Vec<Vec<u64>>| {
            for mut hashes in documents.into_iter().filter(|hashes| !hashes.is_empty()) {
                if let Some(set) = sets.get_mut(&document) {
                    hashes.sort_unstable();
                    hashes.dedup();
                    hashes.shrink_to_fit();
                    bytes += size_of_val(&hashes[..]) + size_of::<(u32, Vec<u64>)>();
                    *set = hashes;
                }
                document += 1;
            }
            self.check_memory(all, bytes)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(sets)
    }
}

/// None for a document without a run of words: it is like no other.
fn sign(
    params: &NearParams,
    shingles: Shingles,
    spec: HashSpec,
    batch: &Batch<'_>,
    place: usize,
    hashes: &mut Vec<u64>,
) -> Option<Document> {
    hashes.clear();
    shingles.for_each(batch.values.get(place), &spec, |hash| hashes.push(hash));
    (!hashes.is_empty()).then(|| params.sign(hashes))
}

impl Collection {
    fn memory_bytes(&self) -> u64 {
        (self.search.memory_bytes() + self.name_bytes + self.sizes.capacity() * 4) as u64
    }

    /// The next record, with its place in the batch if it is to be compared.
    fn take(&mut self, batch: &Batch<'_>, document: Option<(usize, &Document)>) -> Result<()> {
        let Some((place, document)) = document else {
            self.empty += 1;
            self.names.leave_out(self.search.len());
            return Ok(());
        };
        let text = batch.values.get(place);
        self.search.insert(document)?;
        self.name_bytes += self.names.push(batch.source, text);
        self.sizes.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
        Ok(())
    }
}
