//! What counts: all items, or those of a window of time.

use super::Distinct;
use crate::args::{CounterKind, CounterOrExact, LimitArgs, Saved};
use crate::cmd::counter::Counter;
use crate::cmd::foreign;
use crate::cmd::item_set::ItemSet;
use crate::cmd::sketch_file::{load, other_family};
use crate::input::{Batch, Wants};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::sketch::Sketch;
use crivo::{Estimate, ExaLogLog, Family, HashSpec, HyperLogLog, Kind, MergeLaw, SlidingHyperLogLog};
use crivo_interop::Foreign;
use crivo_report::time;
use std::ops::Range;
use std::time::Duration;

#[derive(Clone)]
pub(crate) enum Tally {
    All(Counter),
    /// The last `limit()` microseconds before the latest record.
    Window {
        sketch: SlidingHyperLogLog,
        /// Records that came too late for the window.
        late: u64,
    },
    /// The items themselves, hashed so.
    Exact {
        items: ItemSet,
        spec: HashSpec,
    },
}

/// What to count with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(super) kind: CounterOrExact,
    pub(super) error: f64,
    pub(super) items: Option<u64>,
    pub(super) precision: Option<u8>,
    pub(super) window: Option<Duration>,
    /// Whether there is memory to keep few items too.
    pub(super) exact_while_few: bool,
}

impl Shape {
    /// Creates an empty counter.
    pub(super) fn tally(&self, spec: HashSpec) -> Result<Tally> {
        let Some(window) = self.window else {
            return match self.kind.0 {
                Some(kind) => self.counter(kind, spec).map(Tally::All),
                None if self.precision.is_some() => bail!("--kind exact has no error; leave out --precision"),
                None => Ok(Tally::Exact { items: ItemSet::default(), spec }),
            };
        };
        let precision = match self.precision {
            Some(precision) => precision,
            None => HyperLogLog::for_error(self.error)?.precision(),
        };
        let window = u64::try_from(window.as_micros())?;
        Ok(Tally::Window {
            sketch: SlidingHyperLogLog::for_precision(precision, window)?.with_hash(spec),
            late: 0,
        })
    }

    fn counter(&self, kind: CounterKind, spec: HashSpec) -> Result<Counter> {
        let sketch: Box<dyn Sketch> = match self.precision {
            None => (kind.target)(self.error, self.items, spec)?,
            Some(precision) => match kind.info.kind {
                Kind::HyperLogLog => Box::new(HyperLogLog::for_precision(precision)?.with_hash(spec)),
                Kind::ExaLogLog => Box::new(ExaLogLog::for_precision(precision)?.with_hash(spec)),
                _ => bail!(
                    "--precision is for hyperloglog and exaloglog; use --error for a {}",
                    kind.info.kind.name()
                ),
            },
        };
        let counter = Counter::new(sketch).expect("kinds with a target are counters");
        Ok(if self.exact_while_few { counter.exact_while_few() } else { counter })
    }

    /// Creates an empty counter. Refuses a counter that would be too large when full; one that grows with its items is watched as it
    /// does.
    pub(super) fn checked(&self, spec: HashSpec, limit: LimitArgs) -> Result<Tally> {
        /// No sketch that starts small becomes larger.
        const LARGE: u64 = 64 << 20;
        let tally = self.tally(spec)?;
        tally.check_memory(limit)?;
        if let Tally::All(counter) = &tally
            && !counter.grows()
            && limit.max_memory < LARGE
        {
            limit.check(tally.full_bytes()?)?;
        }
        Ok(tally)
    }
}

impl Distinct {
    /// Returns a saved sketch of another library, or nothing if the file is another.
    pub(super) fn load_foreign(&self, saved: Saved<'_>, session: &Session) -> Result<Option<Foreign>> {
        let options = self.hash.decode_options(self.limit, session)?;
        Ok(foreign::load_alone(saved, &options, session)?.map(|(_, sketch)| sketch))
    }

    /// Returns the counter of a saved sketch.
    pub(super) fn load(&self, saved: Saved<'_>, session: &Session) -> Result<Tally> {
        self.hash.check_beside_saved()?;
        let sketch = load(saved.path, &self.hash.decode_options(self.limit, session)?, session)?;
        let kind = sketch.kind();
        if let Some(window) = sketch.downcast_ref::<SlidingHyperLogLog>() {
            if saved.goes_on && self.time.is_none() {
                bail!("{}: counts in a window of time; name the column with --time", saved.path.display());
            }
            return Ok(Tally::Window { sketch: window.clone(), late: 0 });
        }
        let counter = Counter::new(sketch).filter(|_| kind.info().insert.is_some());
        counter.map(Tally::All).ok_or_else(|| other_family(saved.path, kind, Family::Cardinality))
    }
}

impl Tally {
    pub(super) fn check_memory(&self, limit: LimitArgs) -> Result<()> {
        match self {
            Self::Exact { items, .. } => limit.check_items(items.memory_bytes(), "--kind exact"),
            _ => limit.check(self.memory_bytes() as u64),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match self {
            Self::Exact { items, .. } => items.memory_bytes(),
            Self::All(counter) => counter.memory_bytes(),
            Self::Window { sketch, .. } => sketch.memory_bytes(),
        }
    }

    /// How it hashes.
    pub(super) fn spec(&self) -> HashSpec {
        match self {
            Self::All(counter) => counter.spec(),
            Self::Window { sketch, .. } => *sketch.hash_spec(),
            Self::Exact { spec, .. } => *spec,
        }
    }

    /// What it needs to know of the records.
    pub(super) fn wants(&self) -> Wants {
        let wants = Wants::hashes(self.spec());
        if matches!(self, Self::Exact { .. }) { wants.and_values() } else { wants }
    }

    /// What is counted.
    pub(super) fn noun(&self) -> String {
        match (self.window(), self.until()) {
            (Some(window), Some(until)) => {
                format!("distinct in {:?} until {}", Duration::from_micros(window), time(until))
            }
            _ => "distinct".into(),
        }
    }

    /// Takes in some items of a batch.
    pub(super) fn insert_batch(&mut self, batch: &Batch<'_>, items: Range<usize>) -> crivo::Result<()> {
        if let Self::Exact { items: known, .. } = self {
            for place in items {
                known.insert(batch.hashes[place], batch.values.get(place));
            }
            return Ok(());
        }
        self.insert(&batch.hashes[items.clone()], batch.times.get(items).unwrap_or_default())
    }

    /// `times` has one for each hash, if times were asked for.
    pub(super) fn insert(&mut self, hashes: &[u64], times: &[u64]) -> crivo::Result<()> {
        match self {
            Self::All(counter) => counter.insert_hashes(hashes)?,
            Self::Window { sketch, late } => {
                for (&hash, &time) in hashes.iter().zip(times) {
                    *late += u64::from(sketch.latest().saturating_sub(time) >= sketch.limit());
                    sketch.insert_hash(hash, time);
                }
            }
            Self::Exact { .. } => unreachable!("groups are refused, and batches have values"),
        }
        Ok(())
    }

    /// How long the window is.
    pub(super) fn window(&self) -> Option<u64> {
        match self {
            Self::All(_) | Self::Exact { .. } => None,
            Self::Window { sketch, .. } => Some(sketch.limit()),
        }
    }

    /// Moves the end of the window to `time`, unless it is there already.
    pub(super) fn advance(&mut self, time: u64) {
        if let Self::Window { sketch, .. } = self {
            sketch.advance(time);
        }
    }

    /// The end of the window.
    pub(super) fn until(&self) -> Option<u64> {
        match self {
            Self::All(_) | Self::Exact { .. } => None,
            Self::Window { sketch, .. } => {
                (!sketch.is_empty() || sketch.latest() > 0).then(|| sketch.latest())
            }
        }
    }

    pub(super) fn late(&self) -> u64 {
        match self {
            Self::All(_) | Self::Exact { .. } => 0,
            Self::Window { late, .. } => *late,
        }
    }

    pub(super) fn estimate(&self) -> Estimate {
        match self {
            Self::All(counter) => counter.estimate(),
            Self::Window { sketch, .. } => {
                sketch.estimate(sketch.limit()).expect("a window may be as wide as the limit")
            }
            Self::Exact { items, .. } => Estimate::exact(items.len() as f64),
        }
    }

    /// What can be saved; of the items themselves, nothing.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::All(counter) => counter.sketch().to_bytes(),
            Self::Window { sketch, .. } => sketch.to_bytes(),
            Self::Exact { .. } => Vec::new(),
        }
    }

    /// The memory that it never exceeds, if there is such a bound.
    pub(super) fn memory_bound(&self) -> Option<usize> {
        match self {
            Self::All(counter) => counter.memory_bound(),
            Self::Window { sketch, .. } => sketch.memory_bound(),
            Self::Exact { .. } => None,
        }
    }

    /// Whether the tallies of parts merge to the tally of the whole.
    pub(super) fn merges_exactly(&self) -> bool {
        let law = match self {
            Self::All(counter) => counter.sketch().merge_law(),
            Self::Window { sketch, .. } => sketch.merge_law(),
            Self::Exact { .. } => None,
        };
        law == Some(MergeLaw::Exact)
    }

    /// Takes in a tally of the same shape.
    pub(super) fn merge(&mut self, other: &Self) -> crivo::Result<()> {
        match (self, other) {
            (Self::All(counter), Self::All(other)) => counter.merge(other),
            (Self::Window { sketch, late }, Self::Window { sketch: other, late: more }) => {
                *late += more;
                sketch.merge(other)
            }
            _ => unreachable!("only tallies of one shape that do not keep their items are merged"),
        }
    }

    /// The memory that it never exceeds; an error if there is no such bound.
    pub(super) fn full_bytes(&self) -> Result<u64> {
        let kind = match self {
            Self::All(counter) => counter.sketch().kind().name(),
            Self::Window { sketch, .. } => sketch.kind().name(),
            Self::Exact { .. } => "set of items",
        };
        match self.memory_bound() {
            Some(bytes) => Ok(bytes as u64),
            None => {
                bail!("a {kind} grows with its items, so groups of it are not bounded; choose another --kind")
            }
        }
    }
}
