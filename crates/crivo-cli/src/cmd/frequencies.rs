//! Sketches of frequencies.

use super::sketch_file::load;
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use crivo::frequency::{CountMinParams, CountSketchParams, SignedCountMin, SignedCountMinParams};
use crivo::membership::SpectralBloom;
use crivo::sketch::Sketch;
use crivo::{CountMin, CountSketch, DecodeOptions, Estimate, HashSpec};
use crivo_report::{estimate_cells, signed_cells, whole};
use std::path::Path;

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FrequencyKind {
    /// Never too low; its error is a share of all items
    CountMin,
    /// Takes negative weights; its error is a share of all items and removals
    SignedCountMin,
    /// Takes negative weights; too low as often as too high, and its error is small where few items are frequent
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
    pub(super) fn exact(count: i128) -> Self {
        Self { bar: Estimate::exact(count as f64), most: None }
    }

    /// Returns the cells of a table: the value, and the error bar with the deterministic bound. Where occurrences were removed,
    /// the value may be negative.
    pub(super) fn cells(&self, is_signed: bool) -> [String; 2] {
        let [value, bar] = if is_signed { signed_cells(&self.bar) } else { estimate_cells(&self.bar) };
        match self.most {
            Some(most) if most > self.bar.upper() => [value, format!("{bar}  never above {}", whole(most))],
            _ => [value, bar],
        }
    }
}

pub(super) enum Frequencies {
    Min(CountMin),
    Signed(SignedCountMin),
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

/// The columns of a table of signed counters with this many rows.
fn columns(memory: u64, rows: u32) -> Result<u64> {
    let column_bytes = 8 * u64::from(rows);
    if memory < column_bytes {
        bail!("--memory must be at least {column_bytes} bytes, got {memory}");
    }
    Ok(memory / column_bytes)
}

/// What a sketch adds whose counters only grow.
fn copies(change: i128, kind: &str) -> Result<u64> {
    u64::try_from(change).ok().with_context(|| {
        format!(
            "the weight {change} removes occurrences, and the counters of a {kind} only grow; save a sketch of --kind \
             signed-count-min or count-sketch"
        )
    })
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
            FrequencyKind::SignedCountMin | FrequencyKind::CountSketch if size.conservative => {
                bail!("--conservative is for --kind count-min: the counters of other kinds also go down")
            }
            FrequencyKind::SignedCountMin => {
                /// The depth of a table for the default --delta.
                const ROWS: u32 = 5;
                let params = match size.memory {
                    Some(memory) => SignedCountMinParams::exact(columns(memory, ROWS)?, ROWS)?,
                    None => SignedCountMinParams::for_error(size.error.unwrap_or(ERROR), size.delta)?,
                };
                check(params.memory_bytes())?;
                Ok(Self::Signed(SignedCountMin::with_params(params).with_hash(spec)))
            }
            FrequencyKind::CountSketch => {
                /// The fewest rows whose middle ones make a bar of 95 % with one row to spare.
                const ROWS: u32 = 7;
                let params = match (size.memory, size.error) {
                    (None, Some(error)) => CountSketchParams::for_error(error, size.delta)?,
                    (memory, _) => CountSketchParams::exact(columns(memory.unwrap_or(MEMORY), ROWS)?, ROWS)?,
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
        if let Some(sketch) = sketch.downcast_ref::<SignedCountMin>() {
            return Ok(Self::Signed(sketch.clone()));
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
            Self::Signed(sketch) => {
                Self::Signed(SignedCountMin::with_params(sketch.params()).with_hash(*sketch.hash_spec()))
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
            Self::Signed(sketch) => sketch,
            Self::Sketch(sketch) => sketch,
            Self::Spectral(filter) => filter,
        }
    }

    pub(super) fn spec(&self) -> HashSpec {
        self.sketch().hashing().copied().unwrap_or_default()
    }

    /// Adds each item as often as `changes` says, or once if that is empty. A negative change removes it.
    pub(super) fn add(&mut self, hashes: &[u64], changes: &[i128]) -> Result<()> {
        let kind = self.sketch().kind().name();
        let signed = |change: i128| {
            i64::try_from(change).ok().with_context(|| {
                format!(
                    "the weight {change} is beyond the counters of a {kind}, which have 64 bits and a sign"
                )
            })
        };
        let changed = hashes.iter().copied().zip(changes.iter().copied());
        match self {
            Self::Min(sketch) if changes.is_empty() => sketch.add_hashes(hashes),
            Self::Signed(sketch) if changes.is_empty() => sketch.add_hashes(hashes)?,
            Self::Sketch(sketch) if changes.is_empty() => sketch.add_hashes(hashes)?,
            Self::Spectral(filter) if changes.is_empty() => filter.add_hashes(hashes),
            Self::Min(sketch) => {
                for (hash, change) in changed {
                    sketch.add_hash(hash, copies(change, kind)?);
                }
            }
            Self::Signed(sketch) => {
                for (hash, change) in changed {
                    sketch.add_hash(hash, signed(change)?)?;
                }
            }
            Self::Sketch(sketch) => {
                for (hash, change) in changed {
                    sketch.add_hash(hash, signed(change)?)?;
                }
            }
            Self::Spectral(filter) => {
                for (hash, change) in changed {
                    filter.add_hash(hash, copies(change, kind)?);
                }
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
            Self::Signed(sketch) => {
                let bars = sketch.frequency_hashes(hashes).into_iter();
                bars.map(|bar| Frequency { bar, most: None }).collect()
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
            (Self::Signed(a), Self::Signed(b)) => Ok(a.inner_product_at(b, confidence)?),
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

    /// The sum of all that was added, and the sum of all that was removed.
    pub(super) fn added_and_removed(&self) -> [u64; 2] {
        /// From the difference of both and the sum of both, which is below 2^63.
        fn split(total: i64, volume: u64) -> [u64; 2] {
            let removed = ((i128::from(volume) - i128::from(total)) / 2) as u64;
            [volume - removed, removed]
        }
        match self {
            Self::Min(sketch) => [sketch.total(), 0],
            Self::Signed(sketch) => split(sketch.total(), sketch.volume()),
            Self::Sketch(sketch) => split(sketch.total(), sketch.volume()),
            Self::Spectral(filter) => [filter.total(), 0],
        }
    }
}
