//! `crivo dups --group`: groups of records, each with its set of items.

use super::documents::Collection;
use super::names::Names;
use super::print::Work;
use super::{Dups, What};
use crate::input::{Batch, Columns, Input, Wants};
use crate::output::{plural, remark, size};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::similarity::{GroupedRows, NearDuplicates, NearParams, Verify};
use std::ops::ControlFlow;
use std::time::Instant;

impl Dups {
    pub(super) fn run_on_sets(
        &self,
        params: NearParams,
        group: &str,
        item: &str,
        session: &Session,
    ) -> Result<()> {
        let begin = Instant::now();
        if self.what == What::Stream {
            bail!("--output stream is for documents; of groups say --output groups or pairs");
        }
        if group.is_empty() {
            bail!("--group needs a name or a number from 1");
        }
        let columns = Columns { values: vec![item], by: Some(group), ..Columns::default() };
        let input = self.values.format().open(&self.paths, columns, "--item", &self.limit, session)?;
        let input = Input { needs_values: true, ..input };
        let spec = self.hash.spec(session)?;
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
            // They are sorted beside themselves for a moment.
            self.check_sets(names.len(), 2 * rows.memory_bytes() + name_bytes)?;
            Ok(ControlFlow::Continue(()))
        })?;
        if names.is_empty() && !self.quiet {
            remark("there is no record with an item; check the input");
        }
        let read = Instant::now();
        let keeps_sets = self.compares_sets();
        let mut search = if keeps_sets {
            NearDuplicates::keeping_sets(params)
        } else {
            NearDuplicates::with_params(params)
        };
        let mut inserted = Ok(());
        let other_bytes = 2 * rows.memory_bytes() + name_bytes;
        rows.for_each(|_, items| {
            if inserted.is_ok() {
                inserted = search
                    .insert(&search.sign(items))
                    .map_err(Into::into)
                    .and_then(|_| self.check_sets(names.len(), search.memory_bytes() + other_bytes));
            }
        });
        inserted?;
        drop(rows);
        let verify = if keeps_sets { Verify::Kept } else { Verify::Signature };
        let all = Collection {
            search,
            names: Names::Own(names),
            name_bytes,
            sizes: Vec::new(),
            empty: totals.nulls,
        };
        self.answer(&all, verify, &Work { target: self.target(session)?, input: None, begin, read }, session)
    }

    fn check_sets(&self, groups: usize, bytes: usize) -> Result<()> {
        if bytes as u64 > self.limit.max_memory {
            bail!(
                "the sets of {} take more than --max-memory {}; raise it",
                plural(groups as u64, "group", "groups"),
                size(self.limit.max_memory)
            );
        }
        Ok(())
    }
}
