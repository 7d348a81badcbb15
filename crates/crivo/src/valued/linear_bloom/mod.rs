//! A Bloom filter with a value for each item: see [`LinearBloom`].

use super::cell_table::CellTable;
use super::filter::filter_of_values;
use super::params::LinearBloomParams;
use super::value::{CellValue, check_values};
use crate::sketch::{Empty, Fact, OfSize, Params};
use crate::{HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// A linear Bloom filter: a Bloom filter that stores a value with each item and answers *certainly not inserted* or
/// *inserted with at most this value*.
///
/// # Use when / not when
/// Use it where the greatest value of each item counts: the best offer, the last time seen, the largest size. The
/// answer for an inserted item is never too low. Not for counts that add up: use [`CountMin`](crate::CountMin). Not for
/// keys that are all known in advance: a [`BloomierFilter`](crate::BloomierFilter) returns their exact values. A
/// [`QuantisedBloom`](crate::valued::QuantisedBloom) takes an eighth of the memory where values may be rounded, and a
/// [`DecayingBloom`](crate::valued::DecayingBloom) forgets with time.
///
/// # Guarantee
/// An inserted item is always reported, with its value or a larger one. The answer is too high if items with larger
/// values fill all its cells: with n items of distinct values this happens to a share of
/// [`LinearBloomParams::distortion_at`]`(n)` of them, whatever the distribution of the values, and more often to small
/// values than to large ones ([`theory`](crate::valued::theory)). [`answer`](Self::answer) computes this probability
/// for one answer from the cells themselves. An item that was not inserted is reported with the probability
/// [`fpr`](Self::fpr), exact for the present fill.
///
/// # Space
/// A cell takes as many bytes as a value. With 8 bytes each, for 1 million items:
///
/// | answered too high | false-positive rate | cells per item | hash functions | memory |
/// |---|---|---|---|---|
/// | 10 % | 29 % | 2.74 | 3 | 22 MB |
/// | 1 % | 4.6 % | 6.45 | 5 | 52 MB |
/// | 0.1 % | 0.66 % | 10.47 | 8 | 84 MB |
///
/// # Time
/// An insertion or a query takes k scattered cells. [`insert_hashes`](Self::insert_hashes) and
/// [`value_hashes`](Self::value_hashes) overlap the cache misses of many items.
///
/// # Merge
/// Exact (the maximum, cell by cell): the filter of both streams; commutative, associative and idempotent.
///
/// # Hostile input
/// An attacker who knows the seed can raise the cells of chosen items. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::LinearBloom;
/// let mut best = LinearBloom::for_distortion(10_000, 0.01)?;
/// for (shop, offer) in [("north", 3.5), ("south", 4.25), ("north", 3.75)] {
///     best.insert(shop, offer)?;
/// }
/// assert_eq!(best.value("north"), Some(3.75));
/// assert_eq!(best.value("east"), None); // certain
/// let answer = best.answer("south").unwrap();
/// assert!(answer.overestimated() < 1e-9);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// insert (a, 0.3) → cells 1, 3, 7      each cell keeps the greatest value inserted into it
/// insert (b, 0.5) → cells 3, 7, 10     a query takes the least of its cells
/// insert (c, 0.7) → cells 4, 7, 10
///   0   1   2   3   4   5   6   7   8   9   10
///       0.3     0.5 0.7         0.7         0.7      a → min(0.3, 0.5, 0.7) = 0.3
///                                                    d → cells 1, 4, 10 → 0.3: d with 0.4 is certainly absent
/// ```
///
/// # References
/// C. Ferreira, Análise do erro de estimação em Filtros de Bloom Lineares, University of Minho 2017. New here: the
/// number of values in a cell is Poisson, which gives the distribution of answers in closed form, and the probability
/// of each answer from the cells. Bloom, doi:10.1145/362686.362692.
///
/// # Measured
/// `crivo-lab run c-linear-bloom`, `e-l-cells`, `e-l-queries`, `e-l-distortion`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct LinearBloom<V: CellValue> {
    table: CellTable<V::Cell>,
}

impl<V: CellValue> LinearBloom<V> {
    /// Creates an empty filter of this size.
    pub fn with_params(params: LinearBloomParams) -> Self {
        Self::empty(Size::new(params), HashSpec::default())
    }

    /// Creates an empty filter that answers too high for at most a share of `rate` of `items` items.
    ///
    /// # Errors
    /// Fails as [`LinearBloomParams::for_distortion`] does.
    pub fn for_distortion(items: u64, rate: f64) -> Result<Self> {
        Ok(Self::with_params(LinearBloomParams::for_distortion(items, rate)?))
    }

    fn of(_: Size<V>, table: CellTable<V::Cell>) -> Self {
        Self { table }
    }

    /// Refuses the one value that no cell can store: NaN, or the greatest value of an integer type.
    #[inline]
    #[expect(clippy::unused_self, reason = "other filters have a scale")]
    fn cell_of(&self, value: V) -> Result<V::Cell> {
        value.to_cell()
    }

    #[inline]
    #[expect(clippy::unused_self, reason = "other filters have a scale")]
    fn value_of(&self, cell: V::Cell) -> Option<V> {
        (cell != V::Cell::default()).then(|| V::from_cell(cell))
    }

    #[inline]
    #[expect(clippy::unused_self, reason = "in other filters cells become empty")]
    fn empty_cell(&self) -> V::Cell {
        V::Cell::default()
    }

    #[expect(clippy::unused_self, reason = "in other filters cells become empty")]
    fn written(&self, cell: V::Cell) -> V::Cell {
        cell
    }

    fn raise_to(&mut self, other: &Self) {
        self.table.raise_to(&other.table);
    }
}

filter_of_values!(impl[V: CellValue] LinearBloom<V>, LinearBloom, V, V::Cell);

/// The number of cells, and the type of their values.
#[derive(Clone, Copy)]
pub(crate) struct Size<V> {
    params: LinearBloomParams,
    values: PhantomData<V>,
}

impl<V: CellValue> Size<V> {
    fn new(params: LinearBloomParams) -> Self {
        Self { params, values: PhantomData }
    }

    /// NaN and −0 have bit patterns, but no cells.
    #[expect(clippy::unused_self, reason = "in other filters values have an end")]
    fn possible(&self) -> impl Fn(V::Cell) -> bool + use<V> {
        |cell| V::from_cell(cell).to_cell() == Ok(cell)
    }
}

impl<V: CellValue> OfSize for LinearBloom<V> {
    type Params = Size<V>;

    fn params(&self) -> Size<V> {
        Size::new(self.table.params())
    }
}

impl<V: CellValue> Params for Size<V> {
    const NAMES: &[&str] = &["values", "cells", "hashes"];

    fn numbers(&self) -> Vec<u64> {
        let [cells, hashes] = self.params.numbers();
        vec![V::TAG.into(), cells, hashes]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        check_values::<V>(numbers[0])?;
        LinearBloomParams::of([numbers[1], numbers[2]]).map(Self::new)
    }

    fn memory_bytes(&self) -> u64 {
        self.params.cell_bytes::<V::Cell>()
    }

    fn facts(&self) -> Vec<Fact> {
        let [cells, hashes] = self.params.facts();
        vec![Fact::text("values", V::NAME), cells, hashes]
    }
}

#[cfg(test)]
mod tests;
