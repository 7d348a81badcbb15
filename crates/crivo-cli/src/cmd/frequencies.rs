//! Sketches of frequencies.

use super::sketch_file::load;
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use crivo::frequency::{CountMinParams, CountSketchParams};
use crivo::membership::SpectralBloom;
use crivo::sketch::Sketch;
use crivo::{CountMin, CountSketch, DecodeOptions, Estimate, HashSpec};
use crivo_report::{estimate_cells, whole};
use std::path::Path;

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FrequencyKind {
    /// Never too low; its error is a share of all items
    CountMin,
    /// Too low as often as too high; its error is small where few items are frequent
    CountSketch,
}

/// What a sketch is made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrequencySize {
    /// Unless there is `memory`.
    pub(super) error: Option<f64>,
    pub(super) delta: f64,
    pub(super) memory: Option<u64>,
    pub(super) conservative: bool,
    /// Whether more than one is added at a time.
    pub(super) weighted: bool,
}

/// How often an item occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frequency {
    pub(super) bar: Estimate,
    /// What it is never above, if the table knows.
    pub(super) most: Option<f64>,
}

impl Frequency {
    pub(super) fn exact(count: u64) -> Self {
        Self { bar: Estimate::exact(count as f64), most: None }
    }

    /// Returns the cells of a table: the value, and the error bar with the deterministic bound.
    pub(super) fn cells(&self) -> [String; 2] {
        let [value, bar] = estimate_cells(&self.bar);
        match self.most {
            Some(most) if most > self.bar.upper() => [value, format!("{bar}  never above {}", whole(most))],
            _ => [value, bar],
        }
    }
}

pub(super) enum Frequencies {
    Min(CountMin),
    Sketch(CountSketch),
    /// Of 'crivo filter build'; never made here.
    Spectral(SpectralBloom),
}

/// Of a Count-Min sketch that nobody has sized.
const ERROR: f64 = 0.0001;
/// Of a Count-Sketch that nobody has sized.
const MEMORY: u64 = 4 << 20;

/// An empty Count-Min sketch, if `check` lets it take its memory.
pub(super) fn count_min(
    size: FrequencySize,
    spec: HashSpec,
    check: impl Fn(u64) -> Result<()>,
) -> Result<CountMin> {
    // Weights soon fill a counter of 32 bits.
    let bits = if size.weighted { 64 } else { 32 };
    let params = match size.memory {
        Some(memory) if size.weighted => CountMinParams::for_memory(memory / 2, size.delta)
            .with_context(|| format!("half of --memory {memory}, as weights need counters twice as large"))?,
        Some(memory) => CountMinParams::for_memory(memory, size.delta)?,
        None => CountMinParams::for_error(size.error.unwrap_or(ERROR), size.delta)?,
    };
    let params = params.with_counter_bits(bits)?;
    let params = if size.conservative { params.conservative() } else { params };
    check(params.memory_bytes())?;
    Ok(CountMin::with_params(params).with_hash(spec))
}

/// Adds each item as often as `copies` says, or once if that is empty.
pub(super) fn add(sketch: &mut CountMin, hashes: &[u64], copies: &[u64]) {
    if copies.is_empty() {
        sketch.add_hashes(hashes);
    }
    hashes.iter().zip(copies).for_each(|(&hash, &copies)| sketch.add_hash(hash, copies));
}

impl Frequencies {
    /// Creates an empty sketch, if `check` allows its memory.
    pub(super) fn new(
        kind: FrequencyKind,
        size: FrequencySize,
        spec: HashSpec,
        check: impl Fn(u64) -> Result<()>,
    ) -> Result<Self> {
        match kind {
            FrequencyKind::CountMin => count_min(size, spec, check).map(Self::Min),
            FrequencyKind::CountSketch if size.conservative => {
                bail!("--conservative is for --kind count-min: the counters of a count-sketch also go down")
            }
            FrequencyKind::CountSketch => {
                /// The fewest rows whose middle ones make a bar of 95 % with one row to spare.
                const ROWS: u32 = 7;
                const COLUMN_BYTES: u64 = 8 * ROWS as u64;
                let params = match (size.memory, size.error) {
                    (Some(memory), _) if memory < COLUMN_BYTES => {
                        bail!("--memory must be at least {COLUMN_BYTES} bytes, got {memory}")
                    }
                    (None, Some(error)) => CountSketchParams::for_error(error, size.delta)?,
                    (memory, _) => CountSketchParams::exact(memory.unwrap_or(MEMORY) / COLUMN_BYTES, ROWS)?,
                };
                check(params.memory_bytes())?;
                Ok(Self::Sketch(CountSketch::with_params(params).with_hash(spec)))
            }
        }
    }

    /// Returns the sketch of a file.
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        let sketch = load(path, options, session)?;
        if let Some(sketch) = sketch.downcast_ref::<CountMin>() {
            return Ok(Self::Min(sketch.clone()));
        }
        if let Some(sketch) = sketch.downcast_ref::<CountSketch>() {
            return Ok(Self::Sketch(sketch.clone()));
        }
        if let Some(filter) = sketch.downcast_ref::<SpectralBloom>() {
            return Ok(Self::Spectral(filter.clone()));
        }
        let (info, path) = (sketch.kind().info(), path.display());
        bail!(
            "{path}: its kind is {} ({}), but a frequency sketch of 'crivo count' or a spectral filter is needed; see: crivo info {path}",
            info.kind.name(),
            info.kind.family().name()
        )
    }

    /// Creates an empty sketch that can be compared with this one.
    pub(super) fn empty_twin(&self) -> Self {
        match self {
            Self::Min(sketch) => {
                Self::Min(CountMin::with_params(sketch.params()).with_hash(*sketch.hash_spec()))
            }
            Self::Sketch(sketch) => {
                Self::Sketch(CountSketch::with_params(sketch.params()).with_hash(*sketch.hash_spec()))
            }
            Self::Spectral(filter) => {
                Self::Spectral(SpectralBloom::with_params(filter.params()).with_hash(*filter.hash_spec()))
            }
        }
    }

    pub(super) fn sketch(&self) -> &dyn Sketch {
        match self {
            Self::Min(sketch) => sketch,
            Self::Sketch(sketch) => sketch,
            Self::Spectral(filter) => filter,
        }
    }

    pub(super) fn spec(&self) -> HashSpec {
        self.sketch().hashing().copied().unwrap_or_default()
    }

    /// Adds each item as often as `copies` says, or once if that is empty.
    pub(super) fn add(&mut self, hashes: &[u64], copies: &[u64]) -> Result<()> {
        match self {
            Self::Min(sketch) => add(sketch, hashes, copies),
            Self::Sketch(sketch) if copies.is_empty() => sketch.add_hashes(hashes)?,
            Self::Sketch(sketch) => {
                for (&hash, &copies) in hashes.iter().zip(copies) {
                    let Ok(copies) = i64::try_from(copies) else {
                        bail!("a weight of {copies} is too large for a count-sketch; use --kind count-min");
                    };
                    sketch.add_hash(hash, copies)?;
                }
            }
            Self::Spectral(filter) if copies.is_empty() => filter.add_hashes(hashes),
            Self::Spectral(filter) => {
                hashes.iter().zip(copies).for_each(|(&hash, &copies)| filter.add_hash(hash, copies));
            }
        }
        Ok(())
    }

    /// How often each item was added, with the interval that the cells of the table allow.
    pub(super) fn frequencies(&self, hashes: &[u64]) -> Vec<Frequency> {
        match self {
            Self::Min(sketch) => {
                let close = sketch.empirical().frequency_hashes(hashes).into_iter();
                let usual = sketch.frequency_hashes(hashes);
                let most = |usual: Estimate| Some(usual.upper()).filter(|upper| upper.is_finite());
                close.zip(usual).map(|(bar, usual)| Frequency { bar, most: most(usual) }).collect()
            }
            Self::Sketch(sketch) => {
                let bars = sketch.empirical().frequency_hashes(hashes).into_iter();
                bars.map(|bar| Frequency { bar, most: None }).collect()
            }
            Self::Spectral(filter) => {
                let bars = filter.frequency_hashes(hashes).into_iter();
                let most = |bar: Estimate| Some(bar.upper()).filter(|upper| upper.is_finite());
                bars.map(|bar| Frequency { bar, most: most(bar) }).collect()
            }
        }
    }

    /// How many pairs of equal items two streams have.
    pub(super) fn inner_product(&self, other: &Self, confidence: f64) -> Result<Estimate> {
        match (self, other) {
            (Self::Min(a), Self::Min(b)) => Ok(a.inner_product_at(b, confidence)?),
            (Self::Sketch(a), Self::Sketch(b)) => Ok(a.inner_product_by_rows_at(b, confidence)?),
            (Self::Spectral(_), Self::Spectral(_)) => {
                bail!(
                    "spectral filters answer how often an item occurred, not how many pairs there are; use sketches of \
                     'crivo count --save'"
                )
            }
            _ => {
                let [one, other] = [self, other].map(|table| table.sketch().kind().name());
                bail!("one is a {one}, the other a {other}; make both of one kind")
            }
        }
    }

    /// The sum of all that was added.
    pub(super) fn total(&self) -> u64 {
        match self {
            Self::Min(sketch) => sketch.total(),
            Self::Sketch(sketch) => sketch.total().unsigned_abs(),
            Self::Spectral(filter) => filter.total(),
        }
    }
}
