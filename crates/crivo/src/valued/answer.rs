//! What a query says, and how sure it is.

use super::value::Cell;
use libm::{log, pow};

/// What is known of an item that may be inside.
///
/// If the item was inserted, its value is at most [`value`](Self::value), for certain. Whether it is less is a matter of
/// chance, and [`overestimated`](Self::overestimated) is how likely it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueAnswer<V> {
    pub(super) value: V,
    pub(super) odds: Odds,
}

impl<V: Copy> ValueAnswer<V> {
    /// The value: never below the one that the item was inserted with.
    pub fn value(&self) -> V {
        self.value
    }

    /// Of the items inside that are answered this value, the share whose own value is less: what an item of which nothing
    /// else is known is over-estimated with.
    ///
    /// It is read off the cells: how many are empty, how many are below the value and how many equal to it tell the load
    /// and the value's rank among all, for any distribution. A filter without an empty cell tells nothing of its load;
    /// then it is 1.
    pub fn overestimated(&self) -> f64 {
        self.odds.overestimated
    }

    /// The probability that an item which was never inserted is answered this value or a larger one: exact at the present
    /// state of the cells.
    pub fn fpr(&self) -> f64 {
        self.odds.fpr
    }
}

/// What the thesis calls the four results of asking for an item *with a value*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict<V> {
    /// A cell of the item is empty: it was never inserted, with any value. Certain.
    Absent,
    /// The answer is this value, below the claimed one: the item was never inserted with that. Certain.
    Below(V),
    /// The answer is the claimed value: very likely it was inserted with it.
    Equal,
    /// The answer is this value, above the claimed one: it may have been inserted with that, and others raised its cells.
    Above(V),
}

impl<V: Copy + PartialOrd> Verdict<V> {
    /// Whether the item was certainly not inserted with the claimed value.
    ///
    /// ```
    /// use crivo::valued::Verdict;
    /// assert!(Verdict::Below(0.3).is_refuted() && !Verdict::Above(0.5).is_refuted());
    /// ```
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Absent | Self::Below(_))
    }

    /// `absent`, `below`, `equal` or `above`.
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

/// How many cells are empty, below an answer, and at most that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) cells: u64,
    pub(super) empty: u64,
    /// The empty ones too.
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
    /// A share G(v) of the cells at most v is e^{−λ(1−F(v))}, and that of the empty ones e^{−λ}: together they give F(v),
    /// and F(v⁻) likewise. An item with a smaller value, F(v⁻) of all, is answered v when the others leave all its cells
    /// at v or more, but not all above: (1 − G(v⁻))ᵏ − (1 − G(v))ᵏ. One with this value, F(v) − F(v⁻) of all, unless they
    /// leave all above.
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
