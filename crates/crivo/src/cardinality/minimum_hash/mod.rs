//! The minimum hash: see [`MinimumHash`].

use super::cell_bytes::read_words;
use super::mean_law::{Cell, MeanLaw, PoissonMoments};
use crate::codec::Reader;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, OfSize, Params, Payload, narrow, shell};
use crate::{Error, Estimate, Guarantee, HashSpec, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use libm::{exp, expm1, log, log1p};

/// The smallest number of cells besides a single one: with fewer, the error has no simple limit law.
const LEAST_CELLS: u32 = 16;
/// Half a megabyte, for a standard error of 0.4 %. A sketch of another kind is far smaller at that error.
const MOST_CELLS: u32 = 65_536;
/// An empty cell: the fraction 1, in units of 2⁻⁶³.
const EMPTY: u64 = 1 << 63;
const UNIT: f64 = 1.0 / 9_223_372_036_854_775_808.0;

/// The minimum-hash sketch: estimates the number of distinct items from the smallest hash in each of many
/// cells.
///
/// # Use when / not when
/// Use it as a baseline for its successors or, with one cell, to see the idea behind them all: of n hashes
/// uniform in 0 to 1 the smallest is about 1/(n + 1). Not to count: a cell takes eight bytes. In as many
/// bytes, [`HyperLogLog`](crate::HyperLogLog) has eight times the cells and less than half the error, and is
/// exact for few items.
///
/// # Guarantee
/// With m cells a standard error of 1/√m, from m items on; with fewer about 0.58/√n. The 95 % interval
/// follows the law of the mean of the minima at every number of items, including skewness; its coverage is
/// tested from one item to 10⁹. [`Guarantee::Approximate`].
///
/// With one cell the answer is 1/h − 1. Its standard error is infinite, since h may be arbitrarily small. The
/// 95 % interval is 146 times as long as its lower bound, and exact: h exceeds x with probability (1 − x)ⁿ.
/// [`Guarantee::Proven`].
///
/// # Space
/// | cells | standard error | 95 % interval | memory and file |
/// |---|---|---|---|
/// | 1 | infinite | from 1/40 to 3.7 times | 48 bytes |
/// | 64 | 12.5 % | ±27.9 % | 0.6 kB |
/// | 1024 | 3.1 % | ±6.3 % | 8 kB |
/// | 4096 | 1.6 % | ±3.1 % | 33 kB |
/// | 65,536 | 0.4 % | ±0.8 % | 524 kB |
///
/// # Time
/// One cell per insertion, no arithmetic beyond a shift; an estimate adds up all cells once and solves for
/// three numbers in a few dozen steps; a merge is a vectorised minimum.
///
/// # Merge
/// Exact: the merged sketch equals the sketch of one pass over both streams, in memory and in bytes;
/// commutative, associative, idempotent. Both sketches must have the same number of cells.
///
/// # Hostile input
/// An attacker who knows the seed needs one item with a small hash to count for millions. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::baseline::MinimumHash;
/// let mut visitors = MinimumHash::for_error(0.05)?; // ±5 % at 95 % confidence, from m items on
/// visitors.extend(0..40_000u32);
/// assert!(visitors.estimate().contains(40_000.0), "{}", visitors.estimate());
///
/// let mut one = MinimumHash::for_cells(1)?;
/// one.extend(0..40_000u32);
/// assert!(one.estimate().contains(40_000.0), "{}", one.estimate());
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// 0 |---h---------x-----x--x---------x----x---| 1      five hashes, the smallest at 0.09: 1/0.09 − 1 ≈ 10
///
/// many cells: the first bits of a hash choose one, the rest is a position between 0 and 1. An empty cell is at 1.
/// ```
/// For many items the answer is m(m − 1)/Σ over the cells. For fewer it is the number of items with the
/// observed mean.
///
/// # References
/// Bar-Yossef et al., doi:10.1007/3-540-45726-7_1 · averaged over cells: Giroire,
/// doi:10.1016/j.dam.2008.06.020 (`MinCount`, with one minimum per cell). New here: the mean is inverted
/// below the limit, and the interval is derived (`mean_law.rs`).
///
/// # Measured
/// `crivo-lab run c-minimum-hash`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct MinimumHash {
    /// The smallest hash of each cell, as a fraction of 1 in units of 2⁻⁶³.
    cells: Box<[u64]>,
    spec: HashSpec,
}

impl MinimumHash {
    /// Returns the smallest sketch whose 95 % interval extends at most `error` (relative) to either side,
    /// from as many items on as it has cells.
    ///
    /// ```
    /// # use crivo::baseline::MinimumHash;
    /// assert_eq!(MinimumHash::for_error(0.05)?.cells(), 2048);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.0077.
    pub fn for_error(error: f64) -> Result<Self> {
        Self::for_cells(fewest_cells("error", error, |cells| law(cells).limit_reach())?)
    }

    /// Returns the smallest sketch whose relative standard error is at most `error`, from as many items on as
    /// it has cells.
    ///
    /// # Errors
    /// `InvalidArgument` unless `error` is a number and reachable: at least 0.00391.
    pub fn for_standard_error(error: f64) -> Result<Self> {
        Self::for_cells(fewest_cells("standard error", error, |cells| law(cells).limit_standard_error())?)
    }

    /// Returns the finest sketch that takes at most `bytes` bytes of memory.
    ///
    /// # Errors
    /// `InvalidArgument` if not even one cell fits.
    pub fn for_memory(bytes: u64) -> Result<Self> {
        let needed = |cells: u32| (size_of::<Self>() + 8 * cells as usize) as u64;
        let fitting = sizes().chain([1]).filter(|&cells| needed(cells) <= bytes).max();
        fitting.map_or_else(
            || {
                let least = needed(1);
                Err(Error::invalid(format!("a sketch takes at least {least} bytes, got {bytes}; allow more")))
            },
            Self::for_cells,
        )
    }

    /// Inserts the item with this hash; returns true if the sketch changed.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let bits = self.cells.len().trailing_zeros();
        // With one cell there are no bits of a cell number, and a shift by 64 would overflow.
        let cell = &mut self.cells[(hash >> 1 >> (63 - bits)) as usize];
        let fraction = (hash << bits) >> 1;
        let is_less = fraction < *cell;
        if is_less {
            *cell = fraction;
        }
        is_less
    }

    /// Inserts many items by their hashes.
    pub fn insert_hashes(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.insert_hash(hash);
        }
    }

    fn estimate_within(&self, confidence: f64) -> Estimate {
        if let [cell] = *self.cells {
            return estimate_of_one(cell, confidence);
        }
        let occupied = self.cells.iter().filter(|&&cell| cell != EMPTY).count() as f64;
        let sum: u128 = self.cells.iter().map(|&cell| u128::from(cell)).sum();
        // A fraction stands for the middle of the hashes that have it.
        let (cells, resolution) = (self.cells.len() as f64, self.resolution() as f64);
        let mean = (sum as f64 + 0.5 * resolution * occupied) * UNIT / cells;
        law(self.cells.len() as u32).estimate(mean, occupied, confidence)
    }

    /// Returns the unit of which the fractions of hashes are multiples.
    fn resolution(&self) -> u64 {
        (self.cells.len() as u64).div_ceil(2)
    }

    /// Returns the relative standard error of the estimate of `items` distinct items: 1/√m for many items,
    /// about 0.58/√n below m items, infinite with one cell.
    ///
    /// ```
    /// # use crivo::baseline::MinimumHash;
    /// assert!((MinimumHash::standard_error_at(1024, 1_000_000)? - 0.0312).abs() < 1e-4);
    /// assert_eq!(MinimumHash::standard_error_at(1, 1_000_000)?, f64::INFINITY);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `cells` is 1 or a power of two from 16 to 65,536.
    pub fn standard_error_at(cells: u32, items: u64) -> Result<f64> {
        Cells::new(cells)?;
        if cells == 1 && items > 0 {
            return Ok(f64::INFINITY);
        }
        Ok(law(cells).standard_error(items as f64))
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> u32 {
        self.cells.len() as u32
    }
}

/// Estimates from a single cell, whose exact law is known: the bounds contain all n for which neither P[h ≤
/// x] nor P[h ≥ x] is too small.
fn estimate_of_one(cell: u64, confidence: f64) -> Estimate {
    if cell == EMPTY {
        return Estimate::exact(0.0);
    }
    let tail = 0.5 * (1.0 - confidence);
    let below = cell as f64 * UNIT;
    let value = (1.0 / (below + 0.5 * UNIT) - 1.0).max(1.0);
    // ln P[h > x], where x is the last hash with this fraction; ln P[h ≥ x], where x is the first.
    let lower = (log1p(-tail) / log1p(-below - UNIT)).max(1.0);
    let upper = if cell == 0 { f64::INFINITY } else { (log(tail) / log1p(-below)).max(1.0) };
    Estimate::new(value, lower, upper, Guarantee::Proven { confidence })
}

/// The number of cells.
#[derive(Clone, Copy)]
pub(crate) struct Cells(u32);

impl Cells {
    fn new(cells: u32) -> Result<Self> {
        if cells == 1 || (LEAST_CELLS..=MOST_CELLS).contains(&cells) && cells.is_power_of_two() {
            return Ok(Self(cells));
        }
        Err(Error::invalid(format!(
            "the cells must be 1 or a power of two from {LEAST_CELLS} to {MOST_CELLS}, got {cells}; 4096 gives ±3.1 %"
        )))
    }
}

impl Params for Cells {
    const REMEDY: &str = "build both with the same number of cells";
    const NAMES: &[&str] = &["cells"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.0.into()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::new(narrow(numbers[0])?)
    }

    fn memory_bytes(&self) -> u64 {
        size_of::<MinimumHash>() as u64 + 8 * u64::from(self.0)
    }

    /// The file stores the logarithm of the number of cells.
    fn write(&self, params: &mut Vec<u8>) {
        params.push(self.0.ilog2() as u8);
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        let cells = 1u32.checked_shl(params.u8()?.into()).unwrap_or(0);
        params.finish()?;
        Self::new(cells)
    }
}

/// Returns the numbers of cells above one, in ascending order.
fn sizes() -> impl Iterator<Item = u32> {
    (LEAST_CELLS.ilog2()..=MOST_CELLS.ilog2()).map(|bits| 1 << bits)
}

/// Returns the fewest cells at which the error, called `name`, is at most the target.
fn fewest_cells(name: &str, error: f64, error_at: impl Fn(u32) -> f64) -> Result<u32> {
    sizes().find(|&cells| error_at(cells) <= error && error.is_finite()).ok_or_else(|| {
        let least = error_at(MOST_CELLS);
        Error::invalid(format!(
            "a relative {name} must be a number of at least {least:.5}, got {error}; 0.05 is usual"
        ))
    })
}

/// Returns the law of the mean of the minima. A minimum exceeds x with probability e^−λx: its moments are
/// integrals of that, and so are their derivatives.
fn law(cells: u32) -> MeanLaw<impl Fn(f64) -> Cell> {
    let cell = |load| {
        let [zeroth, first, second] = integrals(load);
        let moments = PoissonMoments {
            first: zeroth,
            first_slope: -first,
            first_curvature: second,
            second: 2.0 * first,
            second_slope: -2.0 * second,
            third: 3.0 * second,
        };
        moments.given_total(load)
    };
    MeanLaw { cells: f64::from(cells), step: 0.0, cell }
}

/// Returns ∫ xʲ e^−λx dx over 0 to 1, for j = 0, 1 and 2.
fn integrals(load: f64) -> [f64; 3] {
    if load < 1.0 {
        // Computed term by term: below 1 the closed forms are small differences of large terms.
        let (mut sums, mut term) = ([0.0; 3], 1.0);
        for i in 1..20 {
            let i = f64::from(i);
            for (sum, j) in sums.iter_mut().zip([0.0, 1.0, 2.0]) {
                *sum += term / (i + j);
            }
            term *= -load / i;
        }
        return sums;
    }
    let end = exp(-load);
    let zeroth = -expm1(-load) / load;
    let first = (zeroth - end) / load;
    [zeroth, first, (2.0 * first - end) / load]
}

shell!(MinimumHash: hashes, starts, merges, set, counts,
    for_numbers(for_cells, Cells(cells: u32), "Creates an empty sketch of `cells` cells.", "`cells` is 1 or a power of two from 16 to 65,536"),
    collects(Self::for_cells(4096), "Creates a sketch of 4096 cells: 1.6 % standard error."));

impl OfSize for MinimumHash {
    type Params = Cells;

    fn params(&self) -> Cells {
        Cells(self.cells())
    }
}

impl Core for MinimumHash {
    const KIND: Kind = Kind::MinimumHash;

    fn heap_bytes(&self) -> usize {
        size_of_val(&*self.cells)
    }

    fn write(&self, payload: &mut Vec<u8>) {
        payload.extend(self.cells.iter().flat_map(|cell| cell.to_le_bytes()));
    }

    fn read(Cells(cells): Cells, file: &mut Payload<'_>) -> Result<Self> {
        let cells = read_words(file.bytes.take_rest(), cells as usize)?;
        let sketch = Self { cells, spec: file.spec };
        let resolution = sketch.resolution();
        if sketch.cells.iter().any(|&cell| cell > EMPTY || cell % resolution != 0) {
            return Err(Error::malformed("a cell holds a value that no hash has"));
        }
        Ok(sketch)
    }

    fn state(&self) -> Vec<Fact> {
        let standard_error = match self.cells() {
            1 => f64::INFINITY,
            cells => law(cells).limit_standard_error(),
        };
        vec![Fact::number("standard_error", standard_error), Fact::estimate("cardinality", self.estimate())]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        for (cell, &theirs) in self.cells.iter_mut().zip(&other.cells) {
            *cell = (*cell).min(theirs);
        }
        Ok(())
    }
}

impl Empty for MinimumHash {
    fn empty(Cells(cells): Cells, spec: HashSpec) -> Self {
        Self { cells: vec![EMPTY; cells as usize].into_boxed_slice(), spec }
    }

    fn has_nothing(&self) -> bool {
        self.cells.iter().all(|&cell| cell == EMPTY)
    }
}

#[cfg(test)]
mod tests;
