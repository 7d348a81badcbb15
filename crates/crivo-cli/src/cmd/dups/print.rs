//! The answers of `crivo dups`.

use super::documents::Collection;
use super::{Dups, What};
use crate::input::Input;
use crate::output::{Answer, Output, Target, count, number, percent, plural, remark, size};
use crate::session::Session;
use anyhow::Result;
use crivo::similarity::{Group, Summary, Verify};
use std::time::Instant;

/// Where answers go, and what they are made from.
pub(super) struct Work {
    pub(super) target: Option<Target>,
    /// The documents once more; none where the input cannot be had without some.
    pub(super) input: Option<Input>,
    /// When it began, and when all was read.
    pub(super) begin: Instant,
    pub(super) read: Instant,
}

/// What was printed.
enum Found<'a> {
    Pairs(u64),
    Groups(&'a [Group]),
}

impl Dups {
    /// Compares all documents and prints what was asked for.
    pub(super) fn answer(
        &self,
        all: &Collection,
        verify: Verify<'_>,
        work: &Work,
        session: &Session,
    ) -> Result<()> {
        if self.what == What::Pairs {
            let mut output = Output::new();
            let (mut pairs, mut printed) = (0, Ok(()));
            let summary = all.search.pairs(verify, |pair| {
                pairs += 1;
                if printed.is_ok() {
                    let [a, b] = [pair.first, pair.second].map(|document| all.names.for_machines(document));
                    printed = output.json(&Answer::Pair { a, b, similarity: pair.similarity });
                }
            })?;
            printed?;
            return self.end(&mut output, all, summary, &Found::Pairs(pairs), work);
        }
        let (mut groups, summary) = all.search.groups(verify, self.keep.into())?;
        // The largest first; those of one size are in the order of the input.
        groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
        let mut output = Output::new();
        match (self.what, &work.input) {
            (What::Stream, Some(input)) => {
                self.print_kept(&mut output, all, &groups, input, work.target.as_ref(), session)?;
            }
            _ => self.print_groups(&mut output, all, &groups)?,
        }
        self.end(&mut output, all, summary, &Found::Groups(&groups), work)
    }

    fn print_groups(&self, output: &mut Output, all: &Collection, groups: &[Group]) -> Result<()> {
        for (place, group) in groups.iter().enumerate() {
            if self.json {
                let keep = all.names.for_machines(group.keep);
                let drop = dropped(group).map(|document| all.names.for_machines(document)).collect();
                output.json(&Answer::Duplicates { keep, drop })?;
                continue;
            }
            if place > 0 {
                output.line("")?;
            }
            output.line(&format!("keep  {}", all.names.for_people(group.keep)))?;
            for document in dropped(group) {
                output.line(&format!("drop  {}", all.names.for_people(document)))?;
            }
        }
        Ok(())
    }

    /// The summary: to machines where the answers go, to people beside them.
    fn end(
        &self,
        output: &mut Output,
        all: &Collection,
        summary: Summary,
        found: &Found<'_>,
        work: &Work,
    ) -> Result<()> {
        let Summary { documents, different, candidates, verified, .. } = summary;
        let (mut pairs, mut groups, mut dropped, mut dropped_bytes) = (None, None, None, None);
        match found {
            Found::Pairs(found) => pairs = Some(*found),
            Found::Groups(found) => {
                let drop = found.iter().flat_map(self::dropped);
                let bytes = drop.clone().filter_map(|document| all.sizes.get(document as usize));
                let bytes = bytes.map(|&bytes| u64::from(bytes)).sum();
                (groups, dropped) = (Some(found.len() as u64), Some(drop.count() as u64));
                // The records of --group are not kept.
                dropped_bytes = self.group.is_none().then_some(bytes);
            }
        }
        let recall = all.search.params().recall(self.threshold);
        let [seconds, search_seconds] = [work.begin, work.read].map(|begin| begin.elapsed().as_secs_f64());
        if self.json {
            let (empty, threshold) = (all.empty, self.threshold);
            output.json(&Answer::Dups {
                documents,
                empty,
                different,
                candidates,
                verified,
                pairs,
                groups,
                dropped,
                dropped_bytes,
                threshold,
                recall,
                seconds,
                search_seconds,
            })?;
        }
        output.flush()?;
        if self.quiet || self.json {
            return Ok(());
        }
        let [one, many, empty] = if self.group.is_some() {
            ["group", "groups", "records without an item left out"]
        } else if self.is_of_records() {
            ["document", "documents", "without words left alone"]
        } else {
            ["file", "files", "without words left alone"]
        };
        let mut parts = vec![plural(documents, one, many)];
        if all.empty > 0 {
            parts.push(format!("{} {empty}", count(all.empty)));
        }
        parts.push(format!("{} equal to another", count(documents - different)));
        parts.push(format!("{} compared", plural(candidates, "candidate pair", "candidate pairs")));
        parts.push(format!("{} alike", count(verified)));
        remark(&parts.join(", "));
        if let Some(pairs) = pairs {
            remark(&plural(pairs, "pair of near-duplicates", "pairs of near-duplicates"));
        }
        if let (Some(groups), Some(dropped)) = (groups, dropped) {
            let bytes = dropped_bytes.map_or_else(String::new, |bytes| format!(" ({})", size(bytes)));
            let sets = plural(groups, "set of near-duplicates", "sets of near-duplicates");
            remark(&format!("{sets}; {}{bytes} can go", plural(dropped, one, many)));
        }
        let recall = match recall {
            1.0 => "all pairs are found".into(),
            _ => format!("{} of pairs just {} alike are found", percent(recall), number(self.threshold)),
        };
        remark(&format!("{recall}; {seconds:.2} s, {search_seconds:.2} s of it after reading"));
        Ok(())
    }
}

/// All but the one to keep.
pub(super) fn dropped(group: &Group) -> impl Iterator<Item = u32> + Clone {
    group.members.iter().copied().filter(|&document| document != group.keep)
}
