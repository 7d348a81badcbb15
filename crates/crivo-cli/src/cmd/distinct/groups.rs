//! `crivo distinct --by`: how many different in each group.

use super::tally::Tally;
use super::{Distinct, print_left_out};
use crate::input::{Input, Totals};
use crate::output::{Answer, OtherGroups, Output, Text, count, estimate, plural, remark, shown, size, time};
use anyhow::{Result, bail};
use crivo::{Estimate, HashSpec, HyperLogLog};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A counter for each of the first groups, and one for all others together.
struct Groups<'a> {
    most: usize,
    apart: HashMap<Box<[u8]>, Group>,
    others: Option<Others>,
    make: &'a dyn Fn() -> Result<Tally>,
    spec: HashSpec,
}

struct Group {
    tally: Tally,
    items: u64,
}

struct Others {
    group: Group,
    /// How many they are.
    names: HyperLogLog,
}

impl Groups<'_> {
    /// `time` has the time of the item, if times were asked for.
    fn insert(&mut self, name: &[u8], hash: u64, time: &[u64]) -> Result<()> {
        let full = self.apart.len() >= self.most;
        let group = match self.apart.get_mut(name) {
            Some(group) => group,
            None if full => {
                if self.others.is_none() {
                    let names = HyperLogLog::with_spec(HyperLogLog::for_error(0.01)?.precision(), self.spec)?;
                    self.others = Some(Others { group: Group { tally: (self.make)()?, items: 0 }, names });
                }
                let others = self.others.as_mut().expect("made above");
                others.names.insert_hash(self.spec.hash_bytes(name));
                &mut others.group
            }
            None => {
                let group = Group { tally: (self.make)()?, items: 0 };
                self.apart.entry(name.into()).or_insert(group)
            }
        };
        group.items += 1;
        Ok(group.tally.insert(&[hash], time)?)
    }
}

impl Groups<'_> {
    /// Of every tally, the one of the others included.
    fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.apart.values().chain(self.others.as_ref().map(|others| &others.group)).map(|group| &group.tally)
    }

    /// Lets the windows of all groups end with the latest record of any.
    fn end_together(&mut self) {
        let Some(latest) = self.tallies().filter_map(Tally::until).max() else { return };
        for group in self.apart.values_mut().chain(self.others.as_mut().map(|others| &mut others.group)) {
            group.tally.advance(latest);
        }
    }
}

impl Distinct {
    /// Reads everything and prints each group, the largest first.
    pub(super) fn run_by_group(&self, input: Input, spec: HashSpec) -> Result<()> {
        let make = || self.tally(spec);
        let most = self.most_groups(&make)?;
        let mut groups = Groups { most, apart: HashMap::new(), others: None, make: &make, spec };
        let totals = input.read(spec, false, |batch| {
            for (place, (name, &hash)) in batch.groups.iter().zip(batch.hashes).enumerate() {
                groups.insert(name, hash, batch.times.get(place..=place).unwrap_or_default())?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        groups.end_together();
        self.print_groups(&groups, totals)
    }

    /// As many as fit into the memory when all are full.
    fn most_groups(&self, make: &dyn Fn() -> Result<Tally>) -> Result<usize> {
        /// The name and the place in the table.
        const BESIDE: u64 = 128;
        let full = make()?.full_bytes()? + BESIDE;
        let fit = self.limit.max_memory / full;
        match self.groups {
            Some(0) => bail!("--groups must be at least 1"),
            Some(groups) if groups > fit => bail!(
                "{} groups may take {} each, more than --max-memory {} together; raise it, or ask for fewer \
                 groups or a larger --error",
                count(groups),
                size(full),
                size(self.limit.max_memory)
            ),
            Some(groups) => Ok(usize::try_from(groups)?),
            None => Ok(usize::try_from(fit)?.max(1)),
        }
    }

    fn print_groups(&self, groups: &Groups<'_>, totals: Totals) -> Result<()> {
        let mut rows: Vec<(&[u8], &Group, Estimate)> =
            groups.apart.iter().map(|(name, group)| (&name[..], group, group.tally.estimate())).collect();
        rows.sort_by(|a, b| {
            let size = |row: &(&[u8], &Group, Estimate)| row.2.value();
            size(b).partial_cmp(&size(a)).unwrap_or(Ordering::Equal).then_with(|| a.0.cmp(b.0))
        });
        let kept = rows.len() as u64;
        let shown_rows =
            self.top.map_or(rows.len(), |top| rows.len().min(usize::try_from(top).unwrap_or(usize::MAX)));
        let mut output = Output::new();
        for (name, group, distinct) in &rows[..shown_rows] {
            if self.json {
                let (group, items) = (Text::from(*name), group.items);
                output.json(&Answer::Group { group, distinct: (*distinct).into(), items })?;
            } else {
                let name = if name.is_empty() { "(empty)".into() } else { shown(name) };
                output.line(&format!("{name}\t{}", estimate(distinct, "different")))?;
            }
        }
        let others = groups.others.as_ref();
        let until = groups.tallies().find_map(Tally::until).map(time);
        let late = groups.tallies().map(Tally::late).sum();
        let Totals { items, nulls } = totals;
        if self.json {
            let others = others.map(|Others { group, names }| OtherGroups {
                groups: names.estimate().into(),
                distinct: group.tally.estimate().into(),
                items: group.items,
            });
            output.json(&Answer::Groups { groups: kept, others, until, items, nulls, late })?;
            return output.flush();
        }
        let hidden = kept - shown_rows as u64;
        if hidden > 0 {
            output.line(&format!("{} not shown", plural(hidden, "smaller group", "smaller groups")))?;
        }
        if let Some(Others { group, names }) = others {
            let together = estimate(&group.tally.estimate(), "different");
            output.line(&format!("(other groups: {})\t{together}", estimate(&names.estimate(), "")))?;
        }
        if let Some(until) = &until {
            output.line(&self.noun(Some(until)))?;
        }
        print_left_out(&mut output, nulls, late)?;
        output.flush()?;
        if others.is_some() && !self.quiet {
            remark(&format!(
                "the first {} are counted apart, all others together; {}",
                plural(kept, "group", "groups"),
                if self.groups.is_some() {
                    "raise --groups"
                } else {
                    "raise --max-memory or --error to count more"
                }
            ));
        }
        Ok(())
    }
}
