//! `crivo distinct --by`: how many distinct in each group.

use super::left_out;
use super::tally::{Shape, Tally};
use crate::args::LimitArgs;
use crate::input::{Input, Totals, Wants};
use anyhow::{Context, Result, bail};
use crivo::per_key::{Member, PerKey};
use crivo::{Estimate, HashSpec};
use crivo_report::{
    Align, Bar, Page, Records, Report, Table, Text, but_for_collisions, estimate_cells_in_list, plural,
    shown, size, time,
};
use serde::Serialize;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Records to count in groups.
pub(crate) struct Counting {
    input: Input,
    shape: Shape,
    spec: HashSpec,
    groups: PerKey<Vec<u8>, Group>,
    /// How many of the largest groups are wanted.
    top: Option<u64>,
}

/// A counter for each of the first groups, and one for all others together.
struct Groups {
    table: PerKey<Vec<u8>, Group>,
    /// How long the window is, if there is one.
    window: Option<u64>,
    /// The latest time of all records, and when groups were last sorted out.
    latest: u64,
    swept: u64,
    /// Late records of groups that are no longer there.
    late: u64,
}

#[derive(Clone)]
struct Group {
    tally: Tally,
    items: u64,
    /// The time of its latest item, if times were asked for.
    latest: u64,
}

impl Group {
    /// Lateness is judged by the `latest` record of all groups.
    fn insert(&mut self, hash: u64, time: &[u64], latest: u64) -> Result<()> {
        self.items += 1;
        self.latest = self.latest.max(time.first().copied().unwrap_or_default());
        self.tally.advance(latest);
        Ok(self.tally.insert(&[hash], time)?)
    }
}

impl Member for Group {
    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.tally.memory_bytes()
    }

    fn memory_bound(&self) -> Option<usize> {
        Some(size_of::<Self>() + self.tally.memory_bound()?)
    }

    fn merges_exactly(&self) -> bool {
        self.tally.merges_exactly()
    }

    fn absorb(&mut self, other: &Self) -> crivo::Result<()> {
        self.items += other.items;
        self.latest = self.latest.max(other.latest);
        self.tally.merge(&other.tally)
    }
}

impl Groups {
    /// `time` has the time of the item, if times were asked for.
    fn insert(&mut self, name: &[u8], hash: u64, time: &[u64]) -> Result<()> {
        self.latest = self.latest.max(time.first().copied().unwrap_or_default());
        let latest = self.latest;
        if self.window.is_some() && self.table.is_full() {
            self.drop_expired();
        }
        self.table.update(name, |group| group.insert(hash, time, latest))
    }

    /// Makes room by the groups that have nothing left in the window, a few times in its length at most.
    fn drop_expired(&mut self) {
        let Some(window) = self.window else { return };
        if self.latest < self.swept.saturating_add((window / 8).max(1)) {
            return;
        }
        self.swept = self.latest;
        let (latest, late) = (self.latest, &mut self.late);
        self.table.retain(|group| {
            let is_live = latest - group.latest < window;
            if !is_live {
                *late += group.tally.late();
            }
            is_live
        });
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
        let most = match groups {
            Some(0) => bail!("--groups must be at least 1"),
            Some(groups) => usize::try_from(groups)?,
            None => usize::MAX,
        };
        let tally = shape.tally(spec)?;
        tally.full_bytes()?;
        let groups = PerKey::new(Group { tally, items: 0, latest: 0 }, usize::try_from(limit.max_memory)?)
            .with_context(|| format!("--max-memory {}", size(limit.max_memory)))?
            .with_max_keys(most);
        Ok(Self { input, shape, spec, groups, top })
    }

    /// Reads everything.
    pub(super) fn read(self) -> Result<GroupCounts> {
        let Self { input, shape, spec, groups: table, top } = self;
        let window = shape.tally(spec)?.window();
        let mut groups = Groups { table, window, latest: 0, swept: 0, late: 0 };
        let totals = input.read(Wants::hashes(spec), |batch| {
            for (place, (name, &hash)) in batch.groups.iter().zip(batch.hashes).enumerate() {
                groups.insert(name, hash, batch.times.get(place..=place).unwrap_or_default())?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(groups.count(&totals, top))
    }
}

/// How many distinct items each group has.
#[derive(Debug)]
pub(super) struct GroupCounts {
    /// The largest first, as many as are wanted.
    rows: Vec<Row>,
    /// Groups that were counted apart, wanted or not.
    groups: u64,
    others: Option<OtherCounts>,
    /// What was counted, in a window.
    window: Option<String>,
    until: Option<u64>,
    items: u64,
    missing: u64,
    late: u64,
}

/// The name of a group, its distinct items and all its items.
type Row = (Box<[u8]>, Estimate, u64);

/// Groups that were counted together.
#[derive(Debug)]
struct OtherCounts {
    groups: Estimate,
    distinct: Estimate,
    items: u64,
}

impl Groups {
    fn count(mut self, totals: &Totals, top: Option<u64>) -> GroupCounts {
        // The windows of all groups end with the latest record of any.
        let (mut window, mut until, mut late) = (None, None, self.late);
        self.table.retain(|Group { tally, .. }| {
            tally.advance(self.latest);
            (window, until) = (tally.until().map(|_| tally.noun()), tally.until());
            late += tally.late();
            true
        });
        let others = self.table.rest().map(|(group, groups)| OtherCounts {
            groups,
            distinct: group.tally.estimate(),
            items: group.items,
        });
        let rows = self.table.iter().map(|(name, group)| (&name[..], group.tally.estimate(), group.items));
        // A group that has nothing left in the window is none.
        let rows = rows.filter(|(_, distinct, _)| distinct.value() > 0.0);
        let mut rows: Vec<_> = rows.map(|(name, distinct, items)| (name.into(), distinct, items)).collect();
        rows.sort_by(|a: &Row, b| {
            let [one, other] = [a.1.value(), b.1.value()];
            other.partial_cmp(&one).unwrap_or(Ordering::Equal).then_with(|| a.0.cmp(&b.0))
        });
        let groups = rows.len() as u64;
        rows.truncate(top.and_then(|top| usize::try_from(top).ok()).unwrap_or(usize::MAX));
        let Totals { items, missing, .. } = *totals;
        GroupCounts { rows, groups, others, window, until, items, missing, late }
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
                "the first {} are counted separately, all others together; --groups, --max-memory and --error \
                 decide how many",
                plural(self.groups, "group", "groups"),
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
