//! `crivo filter build`: a filter of everything read.

use super::different::different_hashes;
use super::inserter::Inserter;
use super::membership;
use crate::args::{FilterKind, HashArgs, InputArgs, LimitArgs, OutputArgs, parse_count, parse_share};
use crate::input::{Input, Totals, Wants};
use crate::output::{Answer, FactJson, Output, Target, count, plural, rate, remark, size};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::sketch::Sketch;
use crivo::{ErrorKind, HashSpec, MakeFilter};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Make a filter of all items
///
/// The filter is one of a set: items that repeat count once.
///
/// Without --capacity the hashes of the different items are kept, 8 to 32 bytes each, until their number
/// is known, and the filter is made exactly large enough. With --capacity nothing but the filter is kept;
/// only a filter that items can be removed from needs the hashes all the same, to take each item in once.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo filter build words.txt.gz -o words.crv
  crivo filter build visits.csv --column user -o users.crv --fpr 0.001
  crivo filter build blocked.txt -o blocked.crv --kind cuckoo    # items can be removed
  zcat *.gz | crivo filter build -o seen.crv --capacity 1e9 --fpr 0.01
'crivo plan membership' compares the kinds.")]
pub(crate) struct Build {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    output: OutputArgs,

    /// Which filter
    #[arg(long, value_name = "KIND", default_value = "bloom", value_parser = FilterKind::parser())]
    kind: FilterKind,

    /// Probability of a wrong yes
    #[arg(long, value_name = "P", default_value_t = 0.01, value_parser = parse_share)]
    fpr: f64,

    /// How many different items the filter is made for, such as 20000 or 1e9
    #[arg(long, value_name = "N", value_parser = parse_count)]
    capacity: Option<u64>,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// A filter and what went into it.
struct Built {
    filter: Box<dyn Sketch>,
    totals: Totals,
    /// At least so many different items were inserted.
    inserted: u64,
}

impl Build {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let spec = self.hash.spec(session)?;
        self.check_plan(self.capacity.unwrap_or(1))?;
        let built = match (self.kind.target.make, self.capacity) {
            (MakeFilter::Frozen(_), Some(_)) => bail!(
                "--capacity is for filters that items are inserted into; a {} is made from all items at once, \
                 so leave it out",
                self.kind.info.kind.name()
            ),
            (MakeFilter::Empty(make), Some(capacity)) if !self.kind.info.copies => {
                let (target, input) = self.open(session)?;
                (self.stream(input, make(capacity, self.fpr, spec)?, spec)?, target)
            }
            _ => {
                let (target, input) = self.open(session)?;
                (self.collect(input, spec)?, target)
            }
        };
        let (built, target) = built;
        let bytes = built.filter.to_bytes();
        target.write(&bytes, session)?;
        self.report(&built, &target, bytes.len() as u64)?;
        Ok(ExitCode::SUCCESS)
    }

    fn open(&self, session: &Session) -> Result<(Target, Input)> {
        Ok((self.output.target(session)?, self.input.open(&self.limit, session)?))
    }

    /// The memory of the filter, which must be allowed.
    fn check_plan(&self, items: u64) -> Result<u64> {
        let bytes = (self.kind.target.plan)(items, self.fpr)?.memory_bytes;
        self.limit.check(bytes)?;
        Ok(bytes)
    }

    /// Nothing but the filter is kept.
    fn stream(&self, input: Input, empty: Box<dyn Sketch>, spec: HashSpec) -> Result<Built> {
        let mut inserter = Inserter::new(empty, &self.limit, "raise --capacity");
        let totals = input.read(Wants::hashes(spec), |batch| {
            inserter.insert_all(batch.hashes)?;
            Ok(ControlFlow::Continue(()))
        })?;
        let (filter, inserted) = inserter.finish();
        Ok(Built { filter, totals, inserted })
    }

    /// Keeps the hashes until all different ones are known.
    fn collect(&self, input: Input, spec: HashSpec) -> Result<Built> {
        let advice = match self.kind.target.make {
            MakeFilter::Empty(_) => "say about how many there are with --capacity",
            MakeFilter::Frozen(_) => "raise it, or choose a --kind that takes --capacity",
        };
        let (hashes, totals) = different_hashes(input, spec, &self.limit, advice)?;
        let items = hashes.len() as u64;
        let planned = self.capacity.unwrap_or(items.max(1));
        let together = memory_to_make(self.kind, items, self.check_plan(planned)?);
        if together > self.limit.max_memory {
            bail!(
                "the hashes of {} different items and their filter take {}, more than --max-memory {}; {advice}",
                count(items),
                size(together),
                size(self.limit.max_memory)
            );
        }
        let filter =
            filter_of(self.kind, &hashes, planned, self.fpr, spec).map_err(|error| match error.kind() {
                ErrorKind::Full => anyhow::Error::from(error).context(format!(
                    "the filter is full before all {} are in, and nothing was saved; raise --capacity",
                    plural(items, "item", "items")
                )),
                _ => error.into(),
            })?;
        Ok(Built { filter, totals, inserted: items })
    }

    fn report(&self, built: &Built, target: &Target, file_bytes: u64) -> Result<()> {
        let Built { filter, totals, inserted } = built;
        let fpr = membership(&**filter).expect("only filters are built").fpr();
        let mut output = Output::new();
        if self.json {
            output.json(&Answer::Filter {
                saved: target.name(),
                kind: self.kind.info.kind.name(),
                items: totals.items,
                nulls: totals.nulls,
                file_bytes,
                memory_bytes: filter.memory_bytes() as u64,
                fpr: fpr.into(),
                facts: FactJson(&filter.facts()),
            })?;
        } else {
            output.line(&format!(
                "{}: {} of {} in {}",
                target.name(),
                self.kind.info.kind.name(),
                plural(totals.items, "item", "items"),
                size(file_bytes)
            ))?;
            output.line(&format!("a wrong yes: {}", rate(&fpr)))?;
            if totals.nulls > 0 {
                output.line(&format!("{} left out", plural(totals.nulls, "empty value", "empty values")))?;
            }
        }
        if let Some(capacity) = self.capacity
            && *inserted > capacity
            && fpr.value() > self.fpr
            && !self.quiet
        {
            remark(&format!(
                "there are more different items than the capacity of {}, so a wrong yes is likelier than \
                 the {} asked for; raise --capacity, or use --kind scalable",
                count(capacity),
                self.fpr
            ));
        }
        output.flush()
    }
}

/// A filter of different items, made for so many.
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

/// The memory it takes to make a filter of so many bytes from the hashes of its items.
pub(crate) fn memory_to_make(kind: FilterKind, items: u64, filter_bytes: u64) -> u64 {
    let bytes_an_item = match kind.target.make {
        MakeFilter::Empty(_) => 8,
        // The hashes, and the order in which a static filter takes them.
        MakeFilter::Frozen(_) => 24,
    };
    filter_bytes.saturating_add(items.saturating_mul(bytes_an_item))
}
