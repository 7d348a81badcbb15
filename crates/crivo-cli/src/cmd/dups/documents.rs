//! Documents, files or records: read once, signed on all cores, compared.

use super::names::Names;
use super::print::Work;
use super::{Dups, What};
use crate::cmd::header::Header;
use crate::input::{Batch, Input, Source, Wants};
use crate::output::{plural, remark, size};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::HashSpec;
use crivo::similarity::{Document, NearDuplicates, NearParams, Shingles, Verify};
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

impl Dups {
    pub(super) fn run_on_documents(&self, params: NearParams, session: &Session) -> Result<()> {
        let begin = Instant::now();
        let target = self.target(session)?;
        let mut input = self.open(session)?;
        if self.compares_sets() || self.what == What::Stream {
            input.sources.iter_mut().try_for_each(Source::keep)?;
        }
        let all = self.read(input.clone(), params, session)?;
        let work = Work { target, input: Some(input.clone()), begin, read: Instant::now() };
        if !self.compares_sets() {
            return self.answer(&all, Verify::Signature, &work, session);
        }
        if all.search.keeps_sets() {
            return self.answer(&all, Verify::Kept, &work, session);
        }
        let sets = self.read_again(&all, input, session)?;
        let mut get = |document: u32, hashes: &mut Vec<u64>| {
            hashes.extend(sets.get(&document).into_iter().flatten());
        };
        self.answer(&all, Verify::Asked(&mut get), &work, session)
    }

    fn read(&self, input: Input, params: NearParams, session: &Session) -> Result<Collection> {
        let (shingles, spec) = (self.text.shingles()?, self.hash.spec(session)?);
        let keeps_sets = self.compares_sets();
        let mut all = Collection {
            search: if keeps_sets {
                NearDuplicates::keeping_sets(params)
            } else {
                NearDuplicates::with_params(params)
            },
            names: if self.is_of_records() {
                Names::rows(self.what == What::Groups && !self.json)
            } else {
                Names::Own(Vec::new())
            },
            name_bytes: 0,
            sizes: Vec::new(),
            empty: 0,
        };
        // Rows of unlike tables cannot be printed below one header.
        let mut header = Header::default();
        let work = move |hashes: &mut Vec<u64>, batch: &Batch<'_>| {
            Ok((0..batch.items).map(|place| sign(&params, shingles, spec, batch, place, hashes)).collect())
        };
        input.map(Wants::default().and_values(), work, |batch, documents: Vec<Option<Document>>| {
            if self.what == What::Stream {
                header.see(batch)?;
            }
            for place in batch.places() {
                all.take(batch, place.and_then(|place| Some((place, documents[place].as_ref()?))))?;
            }
            self.keep_in_memory(&mut all)?;
            Ok(ControlFlow::Continue(()))
        })?;
        if all.search.is_empty() && !self.quiet {
            remark("there is no document with words in it; check the input, --column and --shingle");
        }
        Ok(all)
    }

    /// Gives up the sets where they take too much: those of candidates are read again then.
    fn keep_in_memory(&self, all: &mut Collection) -> Result<()> {
        if all.memory_bytes() > self.limit.max_memory && all.search.keeps_sets() {
            all.search.forget_sets();
        }
        self.check_memory(all, 0)
    }

    fn check_memory(&self, all: &Collection, more: usize) -> Result<()> {
        if all.memory_bytes() + more as u64 > self.limit.max_memory {
            bail!(
                "{} take more than --max-memory {}; raise it{}",
                plural(all.search.len() as u64, "document", "documents"),
                size(self.limit.max_memory),
                if more > 0 { ", or say --verify signature" } else { "" }
            );
        }
        Ok(())
    }

    /// The sets of all documents that will be compared, by a second pass.
    fn read_again(
        &self,
        all: &Collection,
        input: Input,
        session: &Session,
    ) -> Result<HashMap<u32, Vec<u64>>> {
        if !self.quiet {
            remark(
                "the sets of all documents do not fit into --max-memory; those of candidates are read again",
            );
        }
        let candidates = all.search.candidates();
        let mut sets: HashMap<u32, Vec<u64>> =
            candidates.into_iter().map(|document| (document, Vec::new())).collect();
        let (shingles, spec) = (self.text.shingles()?, self.hash.spec(session)?);
        let work = move |(): &mut (), batch: &Batch<'_>| {
            let values = (0..batch.items).map(|place| shingles.hashes(batch.values.get(place), &spec));
            Ok(values.collect())
        };
        let (mut document, mut bytes) = (0, 0);
        input.map(Wants::default().and_values(), work, |_, documents: Vec<Vec<u64>>| {
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
