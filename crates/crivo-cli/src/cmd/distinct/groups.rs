//! `crivo distinct --by`: how many distinct in each group.

use super::left_out;
use super::tally::{Shape, Tally};
use crate::args::LimitArgs;
use crate::input::{Input, Totals, Wants};
use anyhow::{Result, bail};
use crivo::{Estimate, HashSpec, HyperLogLog};
use crivo_report::{
    Align, Bar, Page, Records, Report, Table, Text, but_for_collisions, count, estimate_cells_in_list,
    plural, shown, size, time,
};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Records to count in groups.
pub(crate) struct Counting {
    input: Input,
    shape: Shape,
    spec: HashSpec,
    room: Room,
    /// Whether the user says how many groups are kept.
    is_told: bool,
    /// How many of the largest groups are wanted.
    top: Option<u64>,
}

/// The maximum number of groups, the memory of each without its name, and the memory of all.
#[derive(Clone, Copy)]
struct Room {
    most: usize,
    group_bytes: u64,
    max_bytes: u64,
}

/// A counter for each of the first groups, and one for all others together.
struct Groups {
    room: Room,
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
    shape: Shape,
    spec: HashSpec,
}

struct Group {
    tally: Tally,
    items: u64,
}

impl Group {
    fn new(tally: Tally) -> Self {
        Self { tally, items: 0 }
    }

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

impl Groups {
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
            self.bytes += self.room.group_bytes + name.len() as u64;
            let group = Group::new(self.shape.tally(self.spec)?);
            return self.apart.entry(name.into()).or_insert(group).insert(hash, time, latest);
        }
        if self.others.is_none() {
            let names =
                HyperLogLog::for_precision(HyperLogLog::for_error(0.01)?.precision())?.with_hash(self.spec);
            self.others = Some(Others { group: Group::new(self.shape.tally(self.spec)?), names });
        }
        let others = self.others.as_mut().expect("made above");
        others.names.insert_hash(self.spec.hash_bytes(name));
        others.group.insert(hash, time, latest)
    }

    fn has_room(&self, name: &[u8]) -> bool {
        let bytes = self.bytes + self.room.group_bytes + name.len() as u64;
        self.apart.len() < self.room.most && bytes <= self.room.max_bytes
    }

    /// Makes room by the groups that have nothing left in the window, a few times in its length at most.
    fn drop_expired(&mut self) {
        let Some(window) = self.window else { return };
        if self.latest < self.swept.saturating_add((window / 8).max(1)) {
            return;
        }
        self.swept = self.latest;
        let latest = self.latest;
        let (bytes, late, group_bytes) = (&mut self.bytes, &mut self.late, self.room.group_bytes);
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

impl Counting {
    /// `groups` is how many are kept, and `top` how many are shown; none means as many as there is room for.
    pub(super) fn new(
        input: Input,
        shape: Shape,
        spec: HashSpec,
        groups: Option<u64>,
        top: Option<u64>,
        limit: LimitArgs,
    ) -> Result<Self> {
        let room = room(shape.tally(spec)?.full_bytes()?, groups, limit.max_memory)?;
        Ok(Self { input, shape, spec, room, is_told: groups.is_some(), top })
    }

    /// Reads everything.
    pub(super) fn read(self) -> Result<GroupCounts> {
        let Self { input, shape, spec, room, is_told, top } = self;
        let mut groups = Groups {
            room,
            bytes: 0,
            window: shape.tally(spec)?.window(),
            latest: 0,
            swept: 0,
            late: 0,
            apart: HashMap::new(),
            others: None,
            shape,
            spec,
        };
        let totals = input.read(Wants::hashes(spec), |batch| {
            for (place, (name, &hash)) in batch.groups.iter().zip(batch.hashes).enumerate() {
                groups.insert(name, hash, batch.times.get(place..=place).unwrap_or_default())?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        groups.end_together();
        Ok(groups.count(&totals, top, is_told))
    }
}

fn room(full: u64, groups: Option<u64>, max_memory: u64) -> Result<Room> {
    /// The place in the table.
    const BESIDE: u64 = 64;
    // The counters of all other groups: of their items, and of their names.
    let others = full + (1 << 16);
    let (group_bytes, max_bytes) = (full + BESIDE, max_memory.saturating_sub(others));
    let fit = max_bytes / group_bytes;
    let most = match groups {
        Some(0) => bail!("--groups must be at least 1"),
        Some(groups) if groups > fit => bail!(
            "{} groups may take {} each, more than --max-memory {} together; raise it, or ask for fewer \
             groups or a larger --error",
            count(groups),
            size(group_bytes),
            size(max_memory)
        ),
        Some(groups) => usize::try_from(groups)?,
        None if fit == 0 => bail!(
            "one group may take {}, and all others together as much, more than --max-memory {}; raise it, or ask \
             for a larger --error",
            size(group_bytes),
            size(max_memory)
        ),
        None => usize::MAX,
    };
    Ok(Room { most, group_bytes, max_bytes })
}

/// How many distinct items each group has.
#[derive(Debug)]
pub(super) struct GroupCounts {
    /// The largest first, as many as are wanted.
    rows: Vec<(Box<[u8]>, Estimate, u64)>,
    /// Groups that were counted apart, wanted or not.
    groups: u64,
    others: Option<OtherCounts>,
    /// What was counted, in a window.
    window: Option<String>,
    until: Option<u64>,
    items: u64,
    missing: u64,
    late: u64,
    /// Whether the user said how many groups are counted apart.
    is_told: bool,
}

/// Groups that were counted together.
#[derive(Debug)]
struct OtherCounts {
    groups: Estimate,
    distinct: Estimate,
    items: u64,
}

impl Groups {
    fn count(self, totals: &Totals, top: Option<u64>, is_told: bool) -> GroupCounts {
        let in_window = self.tallies().find(|tally| tally.until().is_some());
        let (window, until) = (in_window.map(Tally::noun), in_window.and_then(Tally::until));
        let late = self.late + self.tallies().map(Tally::late).sum::<u64>();
        let others = self.others.as_ref().map(|Others { group, names }| OtherCounts {
            groups: names.estimate(),
            distinct: group.tally.estimate(),
            items: group.items,
        });
        let rows = self.apart.into_iter().map(|(name, group)| (name, group.tally.estimate(), group.items));
        // A group that has nothing left in the window is none.
        let mut rows: Vec<_> = rows.filter(|(_, distinct, _)| distinct.value() > 0.0).collect();
        rows.sort_by(|a, b| {
            let [one, other] = [a.1.value(), b.1.value()];
            other.partial_cmp(&one).unwrap_or(Ordering::Equal).then_with(|| a.0.cmp(&b.0))
        });
        let groups = rows.len() as u64;
        rows.truncate(top.and_then(|top| usize::try_from(top).ok()).unwrap_or(usize::MAX));
        let Totals { items, missing, .. } = *totals;
        GroupCounts { rows, groups, others, window, until, items, missing, late, is_told }
    }
}

/// Without a name it is about all others.
#[derive(Serialize)]
#[serde(tag = "type", rename = "distinct")]
struct GroupRecord<'a> {
    group: Option<Text<'a>>,
    distinct: Bar,
    items: u64,
}

/// `groups` were counted apart, all others together if there are `others`.
#[derive(Serialize)]
#[serde(tag = "type", rename = "groups")]
struct GroupsRecord {
    groups: u64,
    others: bool,
    other_groups: Option<Bar>,
    until: Option<String>,
    items: u64,
    missing: u64,
    late: u64,
}

impl Report for GroupCounts {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        let mut push = |name: String, distinct: &Estimate| {
            let [value, bar] = estimate_cells_in_list(distinct);
            table.push([name, format!("{value} distinct"), bar]);
        };
        for (name, distinct, _) in &self.rows {
            push(if name.is_empty() { "(empty)".into() } else { shown(name) }, distinct);
        }
        if let Some(others) = &self.others {
            let [groups, bar] = estimate_cells_in_list(&others.groups);
            push(format!("(other groups: {groups} {bar})"), &others.distinct);
        }
        table.shorten(0, page.width());
        table.print(page);
        let hidden = self.groups - self.rows.len() as u64;
        if hidden > 0 {
            page.line(&format!("{} not shown", plural(hidden, "smaller group", "smaller groups")));
        }
        let mut told: Vec<Estimate> = self.rows.iter().map(|row| row.1).collect();
        if let Some(others) = &self.others {
            told.extend([others.groups, others.distinct]);
        }
        for line in but_for_collisions(&told).iter().chain(&self.window) {
            page.line(line);
        }
        for line in left_out(self.missing, self.late) {
            page.line(&line);
        }
        if self.others.is_some() {
            page.remark(&format!(
                "the first {} are counted separately, all others together; {}",
                plural(self.groups, "group", "groups"),
                if self.is_told { "raise --groups" } else { "raise --max-memory or --error to count more" }
            ));
        }
    }

    fn records(&self, records: &mut Records) {
        for (name, distinct, items) in &self.rows {
            let (group, distinct) = (Some(Text::from(&name[..])), (*distinct).into());
            records.row(&GroupRecord { group, distinct, items: *items });
        }
        if let Some(OtherCounts { distinct, items, .. }) = self.others {
            records.row(&GroupRecord { group: None, distinct: distinct.into(), items });
        }
        let Self { groups, items, missing, late, .. } = *self;
        let (others, other_groups) = (self.others.is_some(), self.others.as_ref().map(|it| it.groups.into()));
        let until = self.until.map(time);
        records.total(&GroupsRecord { groups, others, other_groups, until, items, missing, late });
    }
}
