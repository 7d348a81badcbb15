//! The result of a query, and the probability that it is too high.

use super::value::Cell;
use libm::{log, pow};

/// The answer for an item that may be in the filter.
///
/// If the item was inserted, its value is at most [`value`](Self::value), for certain.
/// [`overestimated`](Self::overestimated) is the probability that its value is less.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueAnswer<V> {
    pub(super) value: V,
    pub(super) odds: Odds,
}

impl<V: Copy> ValueAnswer<V> {
    /// Returns the value, which is never below the one that the item was inserted with.
    pub fn value(&self) -> V {
        self.value
    }

    /// Returns the share of inserted items with this answer whose true value is less. It is the probability of
    /// over-estimation for an item about which nothing else is known.
    ///
    /// It is computed from the cells: the numbers of empty cells, of cells below the value and of cells equal to it
    /// determine the load and the rank of the value, for any distribution of values. If no cell is empty, the load is
    /// unknown and the result is 1.
    pub fn overestimated(&self) -> f64 {
        self.odds.overestimated
    }

    /// Returns the probability that an item that was never inserted gets this value or a larger one, exact for the
    /// present state of the cells.
    pub fn fpr(&self) -> f64 {
        self.odds.fpr
    }
}

/// The four results of asking whether an item was inserted *with a given value*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict<V> {
    /// A cell of the item is empty: the item was certainly never inserted, with any value.
    Absent,
    /// The answer is this value, below the given one: the item was certainly never inserted with the given value.
    Below(V),
    /// The answer is the given value: the item was very likely inserted with it.
    Equal,
    /// The answer is this value, above the given one: the item may have been inserted with the given value, and other
    /// items raised its cells.
    Above(V),
}

impl<V: Copy + PartialOrd> Verdict<V> {
    /// Returns whether the item was certainly not inserted with the given value.
    ///
    /// ```
    /// use crivo::valued::Verdict;
    /// assert!(Verdict::Below(0.3).is_refuted() && !Verdict::Above(0.5).is_refuted());
    /// ```
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Absent | Self::Below(_))
    }

    /// Returns `absent`, `below`, `equal` or `above`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Below(_) => "below",
            Self::Equal => "equal",
            Self::Above(_) => "above",
        }
    }

    pub(super) fn of<C: Cell>(answer: Option<V>, ours: C, claimed: C) -> Self {
        match (answer, ours.cmp(&claimed)) {
            (None, _) => Self::Absent,
            (Some(value), core::cmp::Ordering::Less) => Self::Below(value),
            (Some(_), core::cmp::Ordering::Equal) => Self::Equal,
            (Some(value), core::cmp::Ordering::Greater) => Self::Above(value),
        }
    }
}

/// The numbers of cells that are empty, below an answer, and at most the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) cells: u64,
    pub(super) empty: u64,
    /// Includes the empty cells.
    pub(super) below: u64,
    pub(super) at_most: u64,
}

/// The probabilities of a [`ValueAnswer`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Odds {
    overestimated: f64,
    fpr: f64,
}

impl Census {
    /// Computes the probabilities. The share of cells that are at most v is G(v) = e^{−λ(1−F(v))}, and that of empty
    /// cells is e^{−λ}: together they give F(v), and likewise F(v⁻). An item with a smaller value (a share F(v⁻) of
    /// all) gets the answer v if the others leave all its cells at v or more, but not all above v: (1 − G(v⁻))ᵏ − (1 −
    /// G(v))ᵏ. An item with the value v (a share F(v) − F(v⁻)) gets it unless the others leave all its cells above v.
    pub(super) fn odds(self, hashes: u32) -> Odds {
        let share = |count: u64| count as f64 / self.cells as f64;
        let all = |count: u64| pow(1.0 - share(count), f64::from(hashes));
        let fpr = all(self.below);
        if self.empty == 0 {
            return Odds { overestimated: 1.0, fpr };
        }
        let load = -log(share(self.empty));
        let quantile = |count: u64| (1.0 + log(share(count)) / load).clamp(0.0, 1.0);
        let (smaller, up_to) = (quantile(self.below), quantile(self.at_most));
        let raised = smaller * (all(self.below) - all(self.at_most));
        let kept = (up_to - smaller) * (1.0 - all(self.at_most));
        let overestimated = if raised > 0.0 { raised / (raised + kept) } else { 0.0 };
        Odds { overestimated, fpr }
    }
}
