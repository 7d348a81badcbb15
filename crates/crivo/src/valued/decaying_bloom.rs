//! A filter of values that decay: see [`DecayingBloom`].

use super::cell_table::CellTable;
use super::fading::{Fading, MAX_LIFE, TICKS};
use super::filter::filter_of_values;
use super::params::LinearBloomParams;
use crate::sketch::{Empty, Fact, OfSize, Params, check_same, shell};
use crate::{HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;

/// A decaying Bloom filter: a [`LinearBloom`](crate::LinearBloom) whose values decay with time and distance, such as a
/// routing table in fixed memory.
///
/// # Use when / not when
/// Use it where old news counts less, and news from far away too: a node keeps one filter per neighbour, with what can
/// be reached through that neighbour and how well, and sends a request to the neighbour with the highest answer. Values
/// are positive. For values that do not decay use [`LinearBloom`](crate::LinearBloom). For recent frequencies use
/// [`CountMin::halve`](crate::CountMin::halve).
///
/// # Guarantee
/// After s steps an item of value v is worth v·fˢ, and g times that at a neighbour that it was announced to with the
/// share g. While this is at least the floor, the item is reported, never with less (up to a rounding error of 10⁻⁷ of
/// it); below the floor it is forgotten. The answer may be too high: by rounding up, by at most a factor of f^{−1/256}
/// for the insertion and as much for each announcement (0.27 % at f = ½), and if larger values fill all its cells, as
/// in a [`LinearBloom`](crate::LinearBloom) of the items that are not forgotten.
///
/// # Space
/// Four bytes per cell, whatever the values: 644,691 cells or 2.6 MB for 100,000 items of which 1 % get too high an
/// answer.
///
/// # Time
/// An insertion takes k scattered cells and a logarithm, a query k cells and an exponential. [`advance`](Self::advance)
/// takes constant time; once in 8 million steps it rewrites the cells.
///
/// # Merge
/// Exact (the maximum of the remaining lives, cell by cell): the table of both streams, whatever their ages;
/// commutative, associative and idempotent. Decay and merge commute. [`merge_attenuated`](Self::merge_attenuated) takes
/// in the announcement of a neighbour.
///
/// # Hostile input
/// An attacker who knows the seed can raise the cells of chosen items, and a neighbour may announce false values. Use
/// [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::valued::{DecayingBloom, Fading, LinearBloomParams};
/// let params = LinearBloomParams::for_distortion(1000, 0.01)?;
/// let fading = Fading::new(0.5, 0.01)?; // half as much each step, forgotten below 1 %
/// let (mut here, mut neighbour) = (DecayingBloom::with_params(params, fading), DecayingBloom::with_params(params, fading));
/// neighbour.insert("printer", 1.0)?;
/// neighbour.advance(2);
/// here.merge_attenuated(&neighbour, 0.5)?; // one hop away counts half
/// assert!((0.125..0.1255).contains(&here.value("printer").unwrap())); // an eighth, rounded up
/// here.advance(4);
/// assert_eq!(here.value("printer"), None); // 0.0078 is below the floor
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// value 1, f = ½, floor 0.01  →  6.64 steps to live, 1701 ticks of 1/256 step
/// now 512: cell = 512 + 1701  →  it keeps the tick at which it falls below the floor; the greatest wins
/// advance(2): now 1024        →  no cell is touched, and all have 512 ticks less to live: worth a quarter
/// announced at g = ½          →  256 ticks less
/// ```
///
/// # References
/// Rhea and Kubiatowicz, Probabilistic location and routing, doi:10.1109/INFCOM.2002.1019375, for filters that weigh
/// near items more · Lima, Baquero and Miranda, doi:10.1145/2480362.2480467, for searches in multi-hop networks. New
/// here: a cell stores the time at which it expires, so that decay is a clock and the laws are exact.
///
/// # Measured
/// `crivo-lab run c-decaying-bloom`; the last full run is in `docs/lab`.
#[derive(Clone)]
pub struct DecayingBloom {
    fading: Fading,
    /// The present time in ticks; a cell up to here is empty.
    now: u32,
    table: CellTable<u32>,
}

impl DecayingBloom {
    /// Creates an empty table of this size.
    pub fn with_params(params: LinearBloomParams, fading: Fading) -> Self {
        Self::empty(Size { params, fading }, HashSpec::default())
    }

    /// Advances the clock by this many steps.
    pub fn advance(&mut self, steps: u64) {
        let ticks = steps.saturating_mul(TICKS.into());
        if ticks > MAX_LIFE.into() {
            self.table.clear();
            self.now = 0;
            return;
        }
        // Everything inserted from now on must expire before the clock overflows.
        if u64::from(self.now) + ticks > u64::from(u32::MAX - MAX_LIFE - 1) {
            let now = core::mem::take(&mut self.now);
            self.table.cells_mut().iter_mut().for_each(|cell| *cell = cell.saturating_sub(now));
        }
        self.now += ticks as u32;
    }

    /// Returns the rule of decay.
    pub fn fading(&self) -> Fading {
        self.fading
    }

    /// Merges the announcement of a neighbour: all its values, multiplied by `share`.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `share` is above 0 and at most 1, and `Incompatible` if size, decay or hash
    /// differ. On error `self` is unchanged.
    pub fn merge_attenuated(&mut self, other: &Self, share: f64) -> Result<()> {
        let lost = self.fading.ticks_lost(share)?;
        check_same(self, other)?;
        self.take_in(other, lost);
        Ok(())
    }

    fn take_in(&mut self, other: &Self, lost: u32) {
        let now = self.now;
        for (cell, theirs) in self.table.cells_mut().iter_mut().zip(other.left()) {
            // A cell without remaining life stays empty.
            let left = theirs.saturating_sub(lost);
            *cell = if left == 0 { *cell } else { (now + left).max(*cell) };
        }
    }

    /// Returns the remaining life of each cell: 1 for a value at the floor, 0 for an empty cell.
    fn left(&self) -> impl Iterator<Item = u32> + '_ {
        self.table.cells().iter().map(|&cell| self.written(cell))
    }

    /// Returns the cell of a value. A value below the floor is forgotten at once.
    #[inline]
    fn cell_of(&self, value: f64) -> Result<u32> {
        let life = self.fading.life(value)?;
        Ok(life.map_or(0, |life| self.now + life + 1))
    }

    #[inline]
    fn value_of(&self, cell: u32) -> Option<f64> {
        (cell > self.now).then(|| self.fading.value(cell - self.now - 1))
    }

    #[inline]
    fn empty_cell(&self) -> u32 {
        self.now
    }

    /// Returns the remaining life of a cell.
    #[inline]
    fn written(&self, cell: u32) -> u32 {
        cell.saturating_sub(self.now)
    }

    fn of(size: Size, table: CellTable<u32>) -> Self {
        Self { fading: size.fading, now: 0, table }
    }

    fn raise_to(&mut self, other: &Self) {
        self.take_in(other, 0);
    }
}

filter_of_values!(impl[] DecayingBloom, DecayingBloom, f64, u32);
shell!(@for_target [] DecayingBloom, LinearBloomParams::for_distortion(items: u64, rate: f64), fading: Fading);

/// Tables are equal if the remaining lives of their cells are.
impl PartialEq for DecayingBloom {
    fn eq(&self, other: &Self) -> bool {
        check_same(self, other).is_ok() && self.left().eq(other.left())
    }
}

/// The number of cells, and their rule of decay.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    params: LinearBloomParams,
    fading: Fading,
}

impl Size {
    fn possible(&self) -> impl Fn(u32) -> bool + use<> {
        let longest = self.fading.longest_life();
        move |cell| cell - 1 <= longest
    }
}

impl OfSize for DecayingBloom {
    type Params = Size;

    fn params(&self) -> Size {
        Size { params: self.table.params(), fading: self.fading }
    }
}

impl Params for Size {
    const NAMES: &[&str] = &["cells", "hashes", "factor", "floor"];
    const REALS: &[&str] = &["factor", "floor"];

    fn numbers(&self) -> Vec<u64> {
        let [cells, hashes] = self.params.numbers();
        vec![cells, hashes, self.fading.factor().to_bits(), self.fading.floor().to_bits()]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let params = LinearBloomParams::of([numbers[0], numbers[1]])?;
        let fading = Fading::new(f64::from_bits(numbers[2]), f64::from_bits(numbers[3]))?;
        Ok(Self { params, fading })
    }

    fn memory_bytes(&self) -> u64 {
        self.params.cell_bytes::<u32>()
    }

    fn facts(&self) -> Vec<Fact> {
        let [cells, hashes] = self.params.facts();
        let (factor, floor) = (self.fading.factor(), self.fading.floor());
        vec![Fact::number("factor", factor), Fact::number("floor", floor), cells, hashes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, codec};

    fn table(factor: f64, floor: f64) -> DecayingBloom {
        DecayingBloom::with_params(
            LinearBloomParams::exact(2003, 4).unwrap(),
            Fading::new(factor, floor).unwrap(),
        )
    }

    #[test]
    fn the_drawing_of_the_page() {
        let mut drawn = table(0.5, 0.01);
        drawn.advance(2);
        assert_eq!(drawn.now, 512);
        assert_eq!(drawn.cell_of(1.0), Ok(512 + 1701 + 1));
        drawn.insert("a", 1.0).unwrap();
        drawn.advance(2);
        assert!((drawn.value("a").unwrap() / 0.25 - 1.0).abs() < 0.0027);
    }

    #[test]
    fn powers_of_the_factor_are_exact() {
        let mut table = table(0.5, 1.0 / 1024.0);
        table.insert("a", 1.0).unwrap();
        for steps in 0..=10 {
            let truth = libm::pow(0.5, f64::from(steps));
            assert!((table.value("a").unwrap() / truth - 1.0).abs() < 1e-9, "{steps}");
            table.advance(1);
        }
        assert_eq!(table.value("a"), None, "below the floor");
        assert!(table.is_empty() && table == self::table(0.5, 1.0 / 1024.0));
        table.insert("a", 0.0009).unwrap();
        assert!(table.is_empty(), "below the floor from the start");
    }

    /// A table that decays for the longest possible life, and far beyond the range of the clock.
    #[test]
    fn the_clock_never_overflows() {
        let mut table = table(0.9, 1e-3);
        let mut truth = 0.0;
        for year in 0..2000u64 {
            let steps = (year * 7919) % 40_000;
            table.advance(steps);
            truth *= libm::pow(0.9, steps as f64);
            if year % 3 == 0 {
                table.insert("a", 2.5).unwrap();
                truth = 2.5;
            }
            match table.value("a") {
                Some(value) => assert!(value >= truth * (1.0 - 1e-7) && value <= truth * 1.000_42, "{year}"),
                None => assert!(truth < 1e-3, "{year}: {truth}"),
            }
        }
        table.advance(u64::MAX);
        assert!(table.is_empty());
    }

    #[test]
    fn impossible_values_and_shares_are_refused() {
        let mut ours = table(0.5, 0.01);
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(ours.insert("a", bad).is_err(), "{bad}");
            assert!(ours.merge_attenuated(&table(0.5, 0.01), bad).is_err(), "{bad}");
        }
        assert!(ours.merge_attenuated(&table(0.5, 0.01), 1.5).is_err());
        assert!(ours.merge(&table(0.5, 0.02)).is_err() && ours.merge(&table(0.25, 0.01)).is_err());
        assert!(ours.is_empty());
        ours.insert("a", f64::MAX).unwrap();
        assert_eq!(ours.value("a"), Some(f64::MAX));
    }

    #[test]
    fn impossible_cells_are_refused() {
        let fading = Fading::new(0.5, 0.01).unwrap();
        let small = DecayingBloom::with_params(LinearBloomParams::exact(1, 1).unwrap(), fading);
        let with_cell = |cell: u32| {
            let mut params = Vec::new();
            OfSize::params(&small).write(&mut params);
            let bytes =
                codec::seal(Kind::DecayingBloom, Some(small.hash_spec()), &params, &cell.to_le_bytes());
            DecayingBloom::from_bytes(&bytes)
        };
        assert!(with_cell(0).is_ok() && with_cell(fading.longest_life() + 1).is_ok());
        assert!(with_cell(fading.longest_life() + 2).is_err() && with_cell(u32::MAX).is_err());
    }
}
