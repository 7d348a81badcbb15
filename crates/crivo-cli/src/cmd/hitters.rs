//! Sketches of the most frequent items, of any kind.

use super::sketch_file::load;
use crate::session::Session;
use anyhow::{Result, bail};
use clap::ValueEnum;
use crivo::frequency::Majority;
use crivo::sketch::Sketch;
use crivo::{DecodeOptions, Estimate, HashSpec, MisraGries, SpaceSaving};
use crivo_report::size;
use std::path::Path;

/// Which sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TopKind {
    /// The fastest
    MisraGries,
    /// Half the counters for the same error, and slower: a new item replaces the item with the smallest count
    SpaceSaving,
    /// One item: the only one that can have more than half of all
    Majority,
}

/// An item that is kept.
#[derive(Debug)]
pub(super) struct Hitter {
    pub(super) item: Vec<u8>,
    pub(super) count: Estimate,
    pub(super) is_rank_guaranteed: bool,
}

/// Ranks the items of a sketch of another library, which come with the highest lower bound first. No other item has more than `floor`.
pub(super) fn ranked(items: Vec<(String, Estimate)>, floor: u64) -> Vec<Hitter> {
    let mut hitters: Vec<Hitter> = items
        .into_iter()
        .map(|(item, count)| Hitter { item: item.into_bytes(), count, is_rank_guaranteed: false })
        .collect();
    // The least that one before has, and the most that one behind has.
    let mut before = f64::INFINITY;
    for hitter in &mut hitters {
        hitter.is_rank_guaranteed = before >= hitter.count.upper();
        before = before.min(hitter.count.lower());
    }
    let mut behind = floor as f64;
    for hitter in hitters.iter_mut().rev() {
        hitter.is_rank_guaranteed &= hitter.count.lower() >= behind;
        behind = behind.max(hitter.count.upper());
    }
    hitters
}

#[derive(Clone)]
pub(super) enum Hitters {
    MisraGries(MisraGries<Vec<u8>>),
    SpaceSaving(SpaceSaving<Vec<u8>>),
    Majority(Majority<Vec<u8>>),
}

/// The maximum error of a count, as a share of all items, without --error and --memory.
const ERROR: f64 = 0.0002;

/// An empty sketch of a kind with counters.
macro_rules! with_counters {
    ($kind:ident, $error:expr, $memory:expr, $spec:expr) => {{
        type This = $kind<Vec<u8>>;
        let sketch = match $memory {
            None => This::for_error($error.unwrap_or(ERROR))?,
            // The other half is for the items themselves.
            Some(memory) if memory >= 2 * This::memory_for(1) => This::for_memory(memory / 2)?,
            Some(_) => bail!(
                "--memory must be at least {}, which one counter takes with its item",
                size(2 * This::memory_for(1))
            ),
        };
        Self::$kind(sketch.with_hash($spec))
    }};
}

/// The value for the sketch with counters inside, or another one for a majority.
macro_rules! either {
    ($self:expr, $sketch:ident => $value:expr, $majority:ident => $other:expr) => {
        match $self {
            Self::MisraGries($sketch) => $value,
            Self::SpaceSaving($sketch) => $value,
            Self::Majority($majority) => $other,
        }
    };
}

impl Hitters {
    /// Creates an empty sketch.
    pub(super) fn new(
        kind: TopKind,
        error: Option<f64>,
        memory: Option<u64>,
        spec: HashSpec,
    ) -> Result<Self> {
        Ok(match kind {
            TopKind::MisraGries => with_counters!(MisraGries, error, memory, spec),
            TopKind::SpaceSaving => with_counters!(SpaceSaving, error, memory, spec),
            TopKind::Majority if error.is_some() || memory.is_some() => {
                bail!(
                    "--kind majority keeps one item, so neither --error nor --memory applies; leave them out"
                )
            }
            TopKind::Majority => Self::Majority(Majority::new()),
        })
    }

    /// Reads the sketch of a file.
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        let sketch = load(path, options, session)?;
        if let Some(sketch) = sketch.downcast_ref() {
            return Ok(Self::MisraGries(MisraGries::clone(sketch)));
        }
        if let Some(sketch) = sketch.downcast_ref() {
            return Ok(Self::SpaceSaving(SpaceSaving::clone(sketch)));
        }
        if let Some(sketch) = sketch.downcast_ref() {
            return Ok(Self::Majority(Majority::clone(sketch)));
        }
        let (kind, path) = (sketch.kind(), path.display());
        bail!(
            "{path}: its kind is {} ({}), but misra-gries, space-saving or majority (frequency), with texts, is needed; \
             see: crivo info {path}",
            kind.name(),
            kind.family().name()
        )
    }

    pub(super) fn sketch(&self) -> &dyn Sketch {
        either!(self, sketch => sketch, majority => majority)
    }

    pub(super) fn is_majority(&self) -> bool {
        matches!(self, Self::Majority(_))
    }

    pub(super) fn spec(&self) -> HashSpec {
        self.sketch().hashing().copied().unwrap_or_default()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.sketch().memory_bytes()
    }

    /// The memory when all counters are in use, without the items.
    pub(super) fn full_bytes(&self) -> u64 {
        self.memory_for(either!(self, sketch => sketch.counters(), _majority => 1))
    }

    /// The memory of the counters that are not in use.
    pub(super) fn unused_bytes(&self) -> u64 {
        let used = either!(self, sketch => sketch.len() as u32, _majority => 1);
        self.full_bytes() - self.memory_for(used)
    }

    fn memory_for(&self, counters: u32) -> u64 {
        match self {
            Self::MisraGries(_) => MisraGries::<Vec<u8>>::memory_for(counters),
            Self::SpaceSaving(_) => SpaceSaving::<Vec<u8>>::memory_for(counters),
            Self::Majority(_) => size_of::<Majority<Vec<u8>>>() as u64,
        }
    }

    pub(super) fn add(&mut self, item: &[u8], hash: u64, count: u64) {
        either!(self, sketch => sketch.add_hashed(item, hash, count), majority => majority.add(item, count));
    }

    pub(super) fn frequency(&self, item: &[u8], hash: u64) -> Estimate {
        either!(self, sketch => sketch.frequency_hashed(item, hash), majority => majority.frequency(item))
    }

    /// The sum of all counts.
    pub(super) fn total(&self) -> u64 {
        either!(self, sketch => sketch.total(), majority => majority.total())
    }

    /// No item that is not kept has more.
    pub(super) fn floor(&self) -> u64 {
        either!(self, sketch => sketch.floor(), majority => majority.floor())
    }

    /// All kept items, the most frequent first.
    pub(super) fn ranked(&self) -> Vec<Hitter> {
        either!(self, sketch => {
            let hitter = |hitter: crivo::frequency::Hitter<Vec<u8>>| Hitter {
                count: hitter.count(),
                is_rank_guaranteed: hitter.is_rank_guaranteed(),
                item: hitter.into_item(),
            };
            sketch.top(usize::MAX).into_iter().map(hitter).collect()
        }, majority => {
            let hitter = |item: &Vec<u8>| {
                let count = majority.frequency(&item[..]);
                Hitter { item: item.clone(), count, is_rank_guaranteed: count.lower() >= self.floor() as f64 }
            };
            majority.candidate().map(hitter).into_iter().collect()
        })
    }
}
