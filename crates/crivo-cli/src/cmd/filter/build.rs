//! `crivo filter build`: a filter of everything read.

use super::different::{Counted, Entry, different_hashes};
use super::inserter::Inserter;
use super::near::{NearArgs, Reach};
use super::{keeps_counts, membership};
use crate::args::{
    AnswerArgs, FilterKind, HashArgs, InputArgs, LimitArgs, OutputArgs, TextArgs, parse_count, parse_share,
};
use crate::input::{Input, Totals};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::membership::SpectralBloom;
use crivo::sketch::{Fact, Sketch};
use crivo::{ErrorKind, Estimate, HashSpec, MakeFilter};
use crivo_report::{Page, Records, Report, as_bar, as_facts, count, number, plural, rate, size};
use serde::Serialize;

/// Build a filter from all items
///
/// A filter represents a set: repeated items count once. A spectral filter represents a multiset: 'crivo count --from
/// FILE.crv KEY' answers how often an item occurred.
///
/// Without --capacity, the hashes of the distinct items are kept, 8 to 32 bytes each, until their number is known, and
/// the filter gets exactly the size it needs. With --capacity, only the filter is kept, except for filters that support
/// deletion: they still need the hashes, to insert each item once (a
/// spectral filter inserts every occurrence).
///
/// With --within, the filter also finds texts that differ a little from an item.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter build words.txt.gz -o words.crv
  crivo filter build visits.csv --column user -o users.crv --fpr 0.001
  crivo filter build blocked.txt -o blocked.crv --kind cuckoo    # items can be removed
  crivo filter build sales.csv --column product -o sold.crv --kind spectral && crivo count --from sold.crv tea
  zcat *.gz | crivo filter build -o seen.crv --capacity 1e9 --fpr 0.01
  crivo filter build titles.txt -o titles.crv --within 0.2
'crivo plan membership' compares the kinds.")]
pub(crate) struct Build {
    #[command(flatten)]
    pub(super) input: InputArgs,

    #[command(flatten)]
    pub(super) output: OutputArgs,

    /// The kind of filter
    #[arg(long, value_name = "KIND", default_value = "bloom", value_parser = FilterKind::parser())]
    kind: FilterKind,

    /// False-positive rate
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = parse_share)]
    pub(super) fpr: f64,

    /// Maximum number of distinct items, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub(super) capacity: Option<u64>,

    #[command(flatten)]
    pub(super) near: NearArgs,

    #[command(flatten)]
    pub(super) text: TextArgs,

    #[command(flatten)]
    pub(super) limit: LimitArgs,

    #[command(flatten)]
    pub(super) hash: HashArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// A filter was built and saved.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "filter")]
pub(crate) struct Built {
    pub(super) saved: String,
    pub(super) kind: &'static str,
    pub(super) items: u64,
    pub(super) missing: u64,
    pub(super) file_bytes: u64,
    pub(super) memory_bytes: u64,
    #[serde(serialize_with = "as_bar")]
    pub(super) fpr: Estimate,
    /// Of a filter of texts.
    #[serde(flatten)]
    pub(super) reach: Option<Reach>,
    #[serde(serialize_with = "as_facts")]
    pub(super) facts: Vec<Fact>,
}

impl Verb for Build {
    type Report = Built;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Built> {
        if let Some(within) = self.near.within {
            return self.build_near(within, session);
        }
        if self.text.is_given() {
            bail!("--shingle and --normalise are for filters of texts; give --within, or leave them out");
        }
        let (kind, capacity, spec) = (self.kind, self.capacity, self.hash.spec(session)?);
        self.check(capacity.unwrap_or(1))?;
        if let (MakeFilter::Frozen(_), Some(_)) = (kind.target.make, capacity) {
            bail!(
                "--capacity is for filters that items are inserted into; a {} is made from all items at once, \
                 so leave it out",
                kind.info.kind.name()
            );
        }
        let target = self.output.target(session)?;
        let input = self.input.open(self.limit, session)?;
        let (filter, totals, inserted) = match (kind.target.make, capacity) {
            // Only the filter is kept.
            (MakeFilter::Empty(make), Some(capacity))
                if !kind.info.copies || keeps_counts(kind.info.kind) =>
            {
                let empty = make(capacity, self.fpr, spec)?;
                let mut inserter = Inserter::new(empty, self.limit, "raise --capacity");
                let totals = inserter.read(input, spec)?;
                let (filter, inserted) = inserter.finish();
                (filter, totals, inserted)
            }
            _ => self.collect(input, spec)?,
        };
        let bytes = filter.to_bytes();
        target.write(&bytes, session)?;
        let fpr = membership(&*filter).expect("only filters are built").fpr();
        if let Some(capacity) = capacity
            && inserted > capacity
            && fpr.value() > self.fpr
        {
            session.remark(&format!(
                "there are more distinct items than the capacity of {}, so the false-positive rate exceeds \
                 the {} asked for; raise --capacity, or use --kind scalable",
                count(capacity),
                self.fpr
            ));
        }
        Ok(Built {
            saved: target.name(),
            kind: kind.info.kind.name(),
            items: totals.items,
            missing: totals.missing,
            file_bytes: bytes.len() as u64,
            memory_bytes: filter.memory_bytes() as u64,
            fpr,
            reach: None,
            facts: filter.facts(),
        })
    }
}

impl Report for Built {
    fn text(&self, page: &mut Page) {
        let items = plural(self.items, "item", "items");
        page.line(&format!("{}: {} of {items} in {}", self.saved, self.kind, size(self.file_bytes)));
        print_rate(page, &self.fpr, self.missing);
        if let Some(Reach { within, apart }) = self.reach {
            let [within, apart] = [within, apart.unwrap_or(1.0)].map(number);
            page.note(&format!(
                "for texts at distance {apart} or more; of texts within {within}, 99 % are found"
            ));
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// Prints the false-positive rate and the number of missing values.
pub(super) fn print_rate(page: &mut Page, fpr: &Estimate, missing: u64) {
    page.line(&format!("false-positive rate: {}", rate(fpr)));
    if missing > 0 {
        page.line(&format!("{} left out", plural(missing, "missing value", "missing values")));
    }
}

impl Build {
    /// Returns the memory of the filter, after a check against the limit.
    fn check(&self, items: u64) -> Result<u64> {
        let bytes = (self.kind.target.plan)(items, self.fpr)?.memory_bytes;
        self.limit.check(bytes)?;
        Ok(bytes)
    }

    fn collect(&self, input: Input, spec: HashSpec) -> Result<(Box<dyn Sketch>, Totals, u64)> {
        let Self { kind, fpr, .. } = *self;
        if keeps_counts(kind.info.kind) {
            return self.collect_as(input, spec, |items: &[Counted], capacity| {
                let mut filter = SpectralBloom::for_fpr(capacity, fpr)?.with_hash(spec);
                for item in items {
                    filter.add_hash(item.hash, item.times);
                }
                Ok(Box::new(filter))
            });
        }
        self.collect_as(input, spec, |hashes: &[u64], capacity| filter_of(kind, hashes, capacity, fpr, spec))
    }

    /// Keeps the hashes until all distinct ones are known. Returns the filter, what was read for it, and how many
    /// distinct items it contains.
    fn collect_as<E: Entry>(
        &self,
        input: Input,
        spec: HashSpec,
        make: impl Fn(&[E], u64) -> crivo::Result<Box<dyn Sketch>>,
    ) -> Result<(Box<dyn Sketch>, Totals, u64)> {
        let Self { kind, capacity, limit, .. } = *self;
        let advice = match kind.target.make {
            MakeFilter::Empty(_) => "give their approximate number with --capacity",
            MakeFilter::Frozen(_) => "raise it, or choose a --kind that takes --capacity",
        };
        let (hashes, totals) = different_hashes::<E>(input, spec, limit.max_memory, advice)?;
        let items = hashes.len() as u64;
        let planned = capacity.unwrap_or(items.max(1));
        let together = memory_to_make(kind, items, self.check(planned)?);
        if together > limit.max_memory {
            bail!(
                "the hashes of {} distinct items and their filter take {}, more than --max-memory {}; {advice}",
                count(items),
                size(together),
                size(limit.max_memory)
            );
        }
        let filter = make(&hashes, planned).map_err(|error| match error.kind() {
            ErrorKind::Full => anyhow::Error::from(error).context(format!(
                "the filter is full before all {} are in, and nothing was saved; raise --capacity",
                plural(items, "item", "items")
            )),
            _ => error.into(),
        })?;
        Ok((filter, totals, items))
    }
}

/// Builds a filter of these distinct items, sized for their number.
pub(crate) fn filter_of(
    kind: FilterKind,
    hashes: &[u64],
    capacity: u64,
    fpr: f64,
    spec: HashSpec,
) -> crivo::Result<Box<dyn Sketch>> {
    match kind.target.make {
        MakeFilter::Frozen(freeze) => freeze(hashes, fpr, spec),
        MakeFilter::Empty(make) => {
            let mut filter = make(capacity, fpr, spec)?;
            let insert = kind.info.insert.and_then(|view| view(&mut *filter));
            insert.map_or(Ok(()), |filter| filter.try_insert_hashes(hashes))?;
            Ok(filter)
        }
    }
}

/// Returns the memory that building a filter of this many bytes takes, with the hashes of its items.
pub(crate) fn memory_to_make(kind: FilterKind, items: u64, filter_bytes: u64) -> u64 {
    let bytes_an_item = match kind.target.make {
        MakeFilter::Empty(_) if keeps_counts(kind.info.kind) => 16,
        MakeFilter::Empty(_) => 8,
        // The hashes, and the order in which a static filter takes them.
        MakeFilter::Frozen(_) => 24,
    };
    filter_bytes.saturating_add(items.saturating_mul(bytes_an_item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::count::Count;
    use crate::cmd::filter::insert::Insert;
    use crate::cmd::filter::remove::Remove;
    use crate::testing::{Folder, printed, run};

    #[test]
    fn duplicates_take_no_room_and_empty_values_are_told() {
        let folder = Folder::new();
        let build = |name: &str, rows: &str| {
            let (data, saved) = (folder.write(&format!("{name}.csv"), rows), folder.path(name));
            printed::<Build>(&[&data, "--column", "user", "-o", &saved])
        };
        let (once, _) = build("once", "user\na\nb\n");
        let (often, printed) = build("often", "user,x\nb,\na,\n,1\nb,2\n");
        assert_eq!((once.items, once.missing, often.items, often.missing), (2, 0, 3, 1));
        assert_eq!((once.kind, once.file_bytes), ("bloom-filter", folder.read("once").len() as u64));
        assert_eq!(folder.read("once"), folder.read("often"));
        assert!(printed.starts_with(&format!("{}: bloom-filter of 3 items in ", often.saved)), "{printed}");
        assert!(printed.ends_with("\n1 missing value left out\n"), "{printed}");
    }

    #[test]
    fn too_small_a_capacity_is_told() {
        let folder = Folder::new();
        let data = folder.write("in", (0..2000).map(|i| i.to_string() + "\n").collect::<String>());
        for (flag, is_told) in [("--json", true), ("--markdown", true), ("--quiet", false)] {
            let saved = folder.path(flag);
            let (report, recorded) = run::<Build>(&[&data, "-o", &saved, "--capacity", "100", flag]).unwrap();
            assert!(report.fpr.value() > 0.01);
            let remarks = recorded.remarks();
            assert_eq!(remarks.iter().any(|remark| remark.contains("capacity of 100")), is_told, "{flag}");
        }
    }

    /// Whole or in parts, with a planned size or without; and what was inserted can be removed.
    #[test]
    fn a_spectral_filter_keeps_how_often() {
        let folder = Folder::with(&[
            ("all", "a\na\nb\na\nc\nb\n"),
            ("one", "a\nb\na\n"),
            ("two", "c\na\nb\n"),
            ("more", "a\na\nz\n"),
        ]);
        folder.report::<Build>("@all --kind spectral --capacity 3 -o @planned");
        let built = folder.report::<Build>("@all --kind spectral -o @collected");
        assert_eq!((built.items, built.fpr.value() < 0.011), (6, true));
        folder.report::<Build>("@one --kind spectral --capacity 3 -o @inserted");
        folder.report::<Insert>("@inserted @two");
        for name in ["planned", "inserted"] {
            assert_eq!(folder.read("collected"), folder.read(name), "{name}");
        }
        let times = |name: &str| {
            let printed = folder.printed::<Count>(&format!("--from @{name} a b c z"));
            let times = |line: &str| line.split_whitespace().nth(1).and_then(|word| word.parse().ok());
            printed.lines().filter_map(times).collect::<Vec<u64>>()
        };
        assert_eq!(times("collected"), [3, 2, 1, 0, 6]);
        folder.report::<Insert>("@inserted @more");
        assert_eq!(times("inserted"), [5, 2, 1, 1, 9]);
        folder.report::<Remove>("@inserted @more");
        assert_eq!(folder.read("inserted"), folder.read("collected"));
        let (_, recorded) = folder.run::<Build>("@all --kind spectral --capacity 3 -o @again").unwrap();
        assert!(recorded.remarks().is_empty(), "three distinct items fit: {:?}", recorded.remarks());
    }
}
