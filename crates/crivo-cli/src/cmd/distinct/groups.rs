//! `crivo distinct --by`: how many different in each group.

use super::tally::Tally;
use super::{Distinct, print_left_out};
use crate::input::{Input, Totals, Wants};
use crate::output::{
    Answer, OtherGroups, Output, Text, but_for_collisions, count, estimate_in_list, plural, remark, shown,
    size, time,
};
use anyhow::{Result, bail};
use crivo::{Estimate, HashSpec, HyperLogLog};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A counter for each of the first groups, and one for all others together.
struct Groups<'a> {
    most: usize,
    /// What a full group takes beside its name, and what all may take.
    group_bytes: u64,
    max_bytes: u64,
    /// What the groups may take when all are full, names included.
    bytes: u64,
    /// How long the window is, if there is one.
    window: Option<u64>,
    /// The latest time of all records, and when groups were last sorted out.
    latest: u64,
    swept: u64,
    /// Late records of groups that are no longer there.
    late: u64,
    apart: HashMap<Box<[u8]>, Group>,
    others: Option<Others>,
    make: &'a dyn Fn() -> Result<Tally>,
    spec: HashSpec,
}

struct Group {
    tally: Tally,
    items: u64,
}

impl Group {
    /// Lateness is judged by the `latest` record of all groups.
    fn insert(&mut self, hash: u64, time: &[u64], latest: u64) -> Result<()> {
        self.items += 1;
        self.tally.advance(latest);
        Ok(self.tally.insert(&[hash], time)?)
    }
}

struct Others {
    group: Group,
    /// How many they are.
    names: HyperLogLog,
}

impl Groups<'_> {
    /// `time` has the time of the item, if times were asked for.
    fn insert(&mut self, name: &[u8], hash: u64, time: &[u64]) -> Result<()> {
        self.latest = self.latest.max(time.first().copied().unwrap_or_default());
        let latest = self.latest;
        if let Some(group) = self.apart.get_mut(name) {
            return group.insert(hash, time, latest);
        }
        if !self.has_room(name) {
            self.drop_expired();
        }
        if self.has_room(name) {
            self.bytes += self.group_bytes + name.len() as u64;
            let group = Group { tally: (self.make)()?, items: 0 };
            return self.apart.entry(name.into()).or_insert(group).insert(hash, time, latest);
        }
        if self.others.is_none() {
            let names =
                HyperLogLog::for_precision(HyperLogLog::for_error(0.01)?.precision())?.with_hash(self.spec);
            self.others = Some(Others { group: Group { tally: (self.make)()?, items: 0 }, names });
        }
        let others = self.others.as_mut().expect("made above");
        others.names.insert_hash(self.spec.hash_bytes(name));
        others.group.insert(hash, time, latest)
    }

    fn has_room(&self, name: &[u8]) -> bool {
        let bytes = self.bytes + self.group_bytes + name.len() as u64;
        self.apart.len() < self.most && bytes <= self.max_bytes
    }

    /// Makes room by the groups that have nothing left in the window, a few times in its length at most.
    fn drop_expired(&mut self) {
        let Some(window) = self.window else { return };
        if self.latest < self.swept.saturating_add((window / 8).max(1)) {
            return;
        }
        self.swept = self.latest;
        let latest = self.latest;
        let (bytes, late, group_bytes) = (&mut self.bytes, &mut self.late, self.group_bytes);
        self.apart.retain(|name, group| {
            group.tally.advance(latest);
            let is_live = group.tally.estimate().value() > 0.0;
            if !is_live {
                *bytes -= group_bytes + name.len() as u64;
                *late += group.tally.late();
            }
            is_live
        });
    }

    /// Of every tally, the one of the others included.
    fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.apart.values().chain(self.others.as_ref().map(|others| &others.group)).map(|group| &group.tally)
    }

    /// Lets the windows of all groups end with the latest record of any.
    fn end_together(&mut self) {
        for group in self.apart.values_mut().chain(self.others.as_mut().map(|others| &mut others.group)) {
            group.tally.advance(self.latest);
        }
    }
}

impl Distinct {
    /// Reads everything and prints each group, the largest first.
    pub(super) fn run_by_group(&self, input: Input, spec: HashSpec) -> Result<()> {
        let make = || self.tally(spec);
        let (most, group_bytes, max_bytes) = self.most_groups(&make)?;
        let mut groups = Groups {
            most,
            group_bytes,
            max_bytes,
            bytes: 0,
            window: make()?.window(),
            latest: 0,
            swept: 0,
            late: 0,
            apart: HashMap::new(),
            others: None,
            make: &make,
            spec,
        };
        let totals = input.read(Wants::hashes(spec), |batch| {
            for (place, (name, &hash)) in batch.groups.iter().zip(batch.hashes).enumerate() {
                groups.insert(name, hash, batch.times.get(place..=place).unwrap_or_default())?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        groups.end_together();
        self.print_groups(&groups, &totals)
    }

    /// How many groups are kept at most, what each takes beside its name, and what all may take.
    fn most_groups(&self, make: &dyn Fn() -> Result<Tally>) -> Result<(usize, u64, u64)> {
        /// The place in the table.
        const BESIDE: u64 = 64;
        let full = make()?.full_bytes()?;
        // The counters of all other groups: of their items, and of their names.
        let others = full + (1 << 16);
        let (each, left) = (full + BESIDE, self.limit.max_memory.saturating_sub(others));
        let fit = left / each;
        match self.groups {
            Some(0) => bail!("--groups must be at least 1"),
            Some(groups) if groups > fit => bail!(
                "{} groups may take {} each, more than --max-memory {} together; raise it, or ask for fewer \
                 groups or a larger --error",
                count(groups),
                size(each),
                size(self.limit.max_memory)
            ),
            Some(groups) => Ok((usize::try_from(groups)?, each, left)),
            None if fit == 0 => bail!(
                "one group may take {}, and all others together as much, more than --max-memory {}; raise it, or ask \
                 for a larger --error",
                size(each),
                size(self.limit.max_memory)
            ),
            None => Ok((usize::MAX, each, left)),
        }
    }

    fn print_groups(&self, groups: &Groups<'_>, totals: &Totals) -> Result<()> {
        let mut rows: Vec<(&[u8], &Group, Estimate)> =
            groups.apart.iter().map(|(name, group)| (&name[..], group, group.tally.estimate())).collect();
        // A group that has nothing left in the window is none.
        rows.retain(|row| row.2.value() > 0.0);
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
                output.line(&format!("{name}\t{}", estimate_in_list(distinct, "different")))?;
            }
        }
        let others = groups.others.as_ref();
        let in_window = groups.tallies().find(|tally| tally.until().is_some());
        let until = in_window.and_then(Tally::until).map(time);
        let late = groups.late + groups.tallies().map(Tally::late).sum::<u64>();
        let Totals { items, nulls, .. } = *totals;
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
        let mut told: Vec<Estimate> = rows[..shown_rows].iter().map(|row| row.2).collect();
        if let Some(Others { group, names }) = others {
            let (names, together) = (names.estimate(), group.tally.estimate());
            let cells = [estimate_in_list(&names, ""), estimate_in_list(&together, "different")];
            output.line(&format!("(other groups: {})\t{}", cells[0], cells[1]))?;
            told.extend([names, together]);
        }
        if let Some(line) = but_for_collisions(&told) {
            output.line(&line)?;
        }
        if let Some(tally) = in_window {
            output.line(&tally.noun())?;
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
