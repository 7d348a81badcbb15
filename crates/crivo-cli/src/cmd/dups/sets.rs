//! `crivo dups --group`: groups of records, each with its set of items.

use super::documents::Collection;
use super::names::Names;
use super::print::{Summed, Work, answer};
use super::{Dups, Question, What};
use crate::input::{Batch, Columns, Input, Wants};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::similarity::{GroupedRows, Verify};
use crivo_report::{plural, size};
use std::ops::ControlFlow;
use std::time::Instant;

impl Dups {
    /// Compares groups of records with each other.
    pub(super) fn sets(
        &self,
        question: Question,
        group: &str,
        item: &str,
        session: &Session,
    ) -> Result<Summed> {
        let begin = Instant::now();
        if self.print == What::Stream {
            bail!("--print stream is for documents; for groups use --print groups or pairs");
        }
        if group.is_empty() {
            bail!("--group needs a name or a number from 1");
        }
        let columns = Columns { values: vec![item], by: Some(group), ..Columns::default() };
        let input = self.values.format().open(&self.paths, columns, "--item", self.limit, session)?;
        let input = Input { needs_values: true, ..input };
        let (target, spec) = (self.target(session)?, self.hash.spec(session)?);
        let work = move |(): &mut (), batch: &Batch<'_>| {
            let hasher = spec.bytes_hasher();
            Ok(batch.groups.iter().map(|name| hasher.hash(name)).collect())
        };
        let (mut rows, mut names, mut name_bytes) = (GroupedRows::new(), Vec::<Box<[u8]>>::new(), 0);
        let totals = input.map(Wants::hashes(spec), work, |batch, groups: Vec<u64>| {
            for ((&item, &group), name) in batch.hashes.iter().zip(&groups).zip(batch.groups.iter()) {
                if rows.insert(group, item)? as usize == names.len() {
                    names.push(name.into());
                    name_bytes += size_of::<Box<[u8]>>() + name.len();
                }
            }
            // Sorting takes a second copy for a moment.
            check(names.len(), 2 * rows.memory_bytes() + name_bytes, question.max_memory)?;
            Ok(ControlFlow::Continue(()))
        })?;
        if names.is_empty() {
            session.remark("there is no record with an item; check the input");
        }
        let read = Instant::now();
        let (mut search, mut inserted) = (question.search(), Ok(()));
        let other_bytes = 2 * rows.memory_bytes() + name_bytes;
        rows.for_each(|_, items| {
            if inserted.is_ok() {
                inserted = search.insert(&search.sign(items)).map_err(Into::into).and_then(|_| {
                    check(names.len(), search.memory_bytes() + other_bytes, question.max_memory)
                });
            }
        });
        inserted?;
        drop(rows);
        let names = Names::Own(names);
        let all = Collection { search, names, name_bytes, sizes: Vec::new(), empty: totals.missing };
        let verify = if question.compares_sets { Verify::Kept } else { Verify::Signature };
        answer(&all, verify, &Work { question, target, input: None, record_end: b'\n', begin, read }, session)
    }
}

fn check(groups: usize, bytes: usize, max_memory: u64) -> Result<()> {
    if bytes as u64 > max_memory {
        bail!(
            "the sets of {} take more than --max-memory {}; raise it",
            plural(groups as u64, "group", "groups"),
            size(max_memory)
        );
    }
    Ok(())
}
