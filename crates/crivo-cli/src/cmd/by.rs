//! `--by`: an answer for each group of records.

use super::steps::{StepEnd, Stepped, Stream};
use crate::args::{ByArgs, LimitArgs};
use crate::input::{Batch, Input, NotNumbers, Totals, Wants};
use anyhow::{Result, bail};
use crivo_report::{Page, Records, Report, count, plural, shown, size};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

/// A stream for each of the first groups, and one for all others together.
struct Streams<S, M> {
    apart: HashMap<Box<[u8]>, Counted<S>>,
    others: Option<Counted<S>>,
    make: M,
    most: u64,
    limit: LimitArgs,
    /// What all of them take, names included, when it was last looked at.
    bytes: u64,
    name_bytes: u64,
}

struct Counted<S> {
    stream: S,
    items: u64,
}

impl<S: Stream> Counted<S> {
    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        self.items += items.len() as u64;
        self.stream.take(batch, items)
    }
}

/// Reads everything into one stream for each group, each of which `make` begins.
pub(super) fn read_groups<S, R>(
    input: Input,
    wants: Wants,
    by: &ByArgs,
    limit: LimitArgs,
    make: impl Fn() -> Result<S>,
) -> Result<Groups<R>>
where
    S: Stream<Answer = Stepped<R>>,
{
    if by.groups == 0 {
        bail!("--groups must be at least 1");
    }
    let (apart, others) = (HashMap::new(), None);
    let mut streams = Streams { apart, others, make, most: by.groups, limit, bytes: 0, name_bytes: 0 };
    let totals = input.read(wants, |batch| {
        let mut names = batch.groups.iter().enumerate().peekable();
        let mut start = 0;
        while let Some((place, name)) = names.next() {
            // Records of one group often follow each other.
            if names.peek().is_none_or(|&(_, next)| next != name) {
                streams.take(name, batch, start..place + 1)?;
                start = place + 1;
            }
        }
        streams.check_memory().map(ControlFlow::Continue)
    })?;
    streams.answer(totals)
}

impl<S, R, M> Streams<S, M>
where
    S: Stream<Answer = Stepped<R>>,
    M: Fn() -> Result<S>,
{
    fn take(&mut self, name: &[u8], batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        if let Some(group) = self.apart.get_mut(name) {
            return group.take(batch, items);
        }
        // New groups may take half of the memory; what is known of the first ones may still grow then.
        if (self.apart.len() as u64) < self.most && self.bytes < self.limit.max_memory / 2 {
            self.name_bytes += name.len() as u64;
            let group = Counted { stream: (self.make)()?, items: 0 };
            return self.apart.entry(name.into()).or_insert(group).take(batch, items);
        }
        if self.others.is_none() {
            self.others = Some(Counted { stream: (self.make)()?, items: 0 });
        }
        self.others.as_mut().map_or(Ok(()), |others| others.take(batch, items))
    }

    fn check_memory(&mut self) -> Result<()> {
        let streams = self.apart.values().chain(&self.others).map(|group| group.stream.memory_bytes() as u64);
        self.bytes = self.name_bytes + streams.sum::<u64>();
        if self.bytes > self.limit.max_memory {
            bail!(
                "{} take {}, more than --max-memory {}; raise it, or keep fewer with --groups",
                plural(self.apart.len() as u64, "group", "groups"),
                size(self.bytes),
                size(self.limit.max_memory)
            );
        }
        Ok(())
    }

    fn answer(self, totals: Totals) -> Result<Groups<R>> {
        let answer = |mut group: Counted<S>| {
            let end = StepEnd::after(group.items);
            Ok::<_, anyhow::Error>((group.items, group.stream.answer(end)?.answer))
        };
        let mut apart = Vec::with_capacity(self.apart.len());
        for (name, group) in self.apart {
            apart.push((name, answer(group)?));
        }
        apart.sort_by(|(one, (more, _)), (other, (less, _))| less.cmp(more).then_with(|| one.cmp(other)));
        Ok(Groups {
            apart: apart.into_iter().map(|(name, (_, answer))| (name, answer)).collect(),
            others: self.others.map(answer).transpose()?.map(|(_, answer)| answer),
            items: totals.items,
            missing: totals.missing,
            not_numbers: totals.not_numbers,
        })
    }
}

/// The answer for each group.
#[derive(Debug)]
pub(crate) struct Groups<R> {
    /// The largest first.
    pub(super) apart: Vec<(Box<[u8]>, R)>,
    /// The answer for all groups that were not kept apart.
    pub(super) others: Option<R>,
    pub(super) items: u64,
    pub(super) missing: u64,
    not_numbers: NotNumbers,
}

/// `groups` are answered for apart, all others together if there are `others`.
#[derive(Serialize)]
#[serde(tag = "type", rename = "groups")]
struct GroupsRecord {
    groups: u64,
    others: bool,
    items: u64,
    missing: u64,
    not_numbers: u64,
}

impl<R> Groups<R> {
    /// What is said of all groups.
    pub(super) fn note(&self, page: &mut Page) {
        if self.others.is_some() {
            let groups = count(self.apart.len() as u64);
            page.remark(&format!(
                "the first {groups} groups are separate, all others are combined; raise --groups or --max-memory"
            ));
        }
        if self.missing > 0 {
            page.note(&format!("{} left out", plural(self.missing, "missing value", "missing values")));
        }
        if self.not_numbers.count > 0 {
            let values =
                plural(self.not_numbers.count, "value that is not a number", "values that are not numbers");
            page.note(&format!("{values} left out, the first: {}", self.not_numbers.first()));
        }
    }

    /// Each answer with the name of its group; the others have none.
    pub(super) fn answers(&self) -> impl Iterator<Item = (Option<&[u8]>, &R)> {
        let apart = self.apart.iter().map(|(name, answer)| (Some(&name[..]), answer));
        apart.chain(self.others.iter().map(|answer| (None, answer)))
    }
}

impl<R: Report> Report for Groups<R> {
    fn text(&self, page: &mut Page) {
        for (place, (name, answer)) in self.answers().enumerate() {
            if place > 0 {
                page.line("");
            }
            page.line(&match name {
                None => "(other groups):".into(),
                Some(b"") => "(empty):".into(),
                Some(name) => shown(name) + ":",
            });
            answer.text(page);
        }
        self.note(page);
    }

    fn records(&self, records: &mut Records) {
        for (name, answer) in self.answers() {
            records.of_group(name, |records| answer.records(records));
        }
        records.total(&GroupsRecord {
            groups: self.apart.len() as u64,
            others: self.others.is_some(),
            items: self.items,
            missing: self.missing,
            not_numbers: self.not_numbers.count,
        });
    }
}

/// An answer for all records, or for each group of them.
#[derive(Debug)]
pub(crate) enum AllOrGroups<R> {
    All(R),
    Groups(Groups<R>),
}

impl<R: Report> Report for AllOrGroups<R> {
    fn text(&self, page: &mut Page) {
        match self {
            Self::All(answer) => answer.text(page),
            Self::Groups(groups) => groups.text(page),
        }
    }

    fn records(&self, records: &mut Records) {
        match self {
            Self::All(answer) => answer.records(records),
            Self::Groups(groups) => groups.records(records),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cmd::count::Count;
    use crate::cmd::numbers::Quantiles;
    use crate::cmd::sample::Sample;
    use crate::cmd::top::Top;
    use crate::testing::Folder;

    fn visits() -> Folder {
        let rows = |group: &str, rows: u32| {
            (0..rows).map(|row| format!("{group},{row},p{}\n", row % 3)).collect::<String>()
        };
        let table = format!("site,ms,page\n{}{}{},7,p0\n", rows("b", 4), rows("a", 9), "");
        Folder::with(&[("t.csv", &table)])
    }

    #[test]
    fn the_largest_group_comes_first() {
        let folder = visits();
        let text = folder.printed::<Quantiles>("@t.csv -c ms --by site --quantiles 0.5");
        let of = |name: &str, median: u32, numbers: &str| {
            format!("{name}:\n0.5  {median}  (exact)\nof {numbers}\n")
        };
        let expected =
            [of("a", 4, "9 numbers"), of("b", 1, "4 numbers"), of("(empty)", 7, "1 number")].join("\n");
        assert_eq!(text, expected);
        let answers = folder.json::<Count>("@t.csv -c page --by site --key p0 --json");
        assert_eq!((&answers[0]["group"], &answers[0]["frequency"]["value"]), (&"a".into(), &3.into()));
        let end = answers.last().unwrap();
        assert_eq!((&end["type"], &end["groups"], &end["items"]), (&"groups".into(), &3.into(), &14.into()));
        assert!(end.get("group").is_none(), "{end}");
        let table = folder.printed::<Top>("@t.csv -c page --by site -k 1 --csv");
        assert!(table.starts_with("type,group,rank,item,count.value,"), "{table}");
        assert_eq!(
            table.lines().map(|line| line.split(',').nth(1).unwrap()).collect::<Vec<_>>(),
            ["group", "a", "b", ""]
        );
    }

    #[test]
    fn groups_that_are_not_kept_are_one() {
        let folder = visits();
        let (report, recorded) = folder.run::<Top>("@t.csv -c page --by site --groups 1 --json").unwrap();
        recorded.session.finish(&report).unwrap();
        let printed = recorded.printed();
        let groups: Vec<serde_json::Value> =
            printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(groups[0]["group"], "b", "the first in the input");
        let others = groups.iter().find(|it| it["type"] == "top" && it["group"].is_null()).unwrap();
        assert_eq!((&others["items"], &groups.last().unwrap()["others"]), (&10.into(), &true.into()));
        assert!(folder.error::<Top>("@t.csv -c page --by site --groups 0").contains("--groups"));
        assert!(folder.error::<Top>("@t.csv -c page --by nope").contains("no column 'nope'"));
    }

    #[test]
    fn a_sample_of_groups_is_one_table() {
        let folder = visits();
        let text = folder.printed::<Sample>("@t.csv --by site -k 2 --seed 1");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines.len()), ("site,ms,page", 6));
        assert_eq!(lines[1..].iter().filter(|line| line.starts_with("a,")).count(), 2);
    }
}
