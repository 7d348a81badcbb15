//! The second form of a sketch: registers, and the estimate that was counted along.

use super::coupons::{MOST, split};
use super::history::interval;
use crivo::foreign::estimate_of_ranks;
use crivo::{DEFAULT_CONFIDENCE, Estimate};

/// The registers of a sketch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Registers {
    lg_k: u8,
    ranks: Box<[u8]>,
    /// Σ 2⁻ʳ over registers r below 32, and over the others: two sums, both exact.
    pub(super) sums: [f64; 2],
    /// The estimate that has counted every change; none after a merge.
    pub(super) counted: Option<f64>,
}

/// 2⁻ʳ.
fn weight(rank: u8) -> f64 {
    libm::ldexp(1.0, -i32::from(rank))
}

/// Which of the sums a rank belongs to.
fn part(rank: u8) -> usize {
    usize::from(rank >= 32)
}

impl Registers {
    pub(super) fn new(lg_k: u8) -> Self {
        Self::of_ranks(lg_k, vec![0; 1 << lg_k].into(), None)
    }

    /// Creates the sketch with these registers, of at most 63 each.
    pub(super) fn of_ranks(lg_k: u8, ranks: Box<[u8]>, counted: Option<f64>) -> Self {
        let mut sums = [0.0; 2];
        ranks.iter().for_each(|&rank| sums[part(rank)] += weight(rank));
        Self { lg_k, ranks, sums, counted }
    }

    #[inline]
    pub(super) fn insert(&mut self, coupon: u32) {
        let (register, rank) = split(coupon, self.lg_k);
        if rank > self.ranks[register] {
            self.raise(register, rank);
        }
    }

    fn raise(&mut self, register: usize, rank: u8) {
        let chance = self.chance();
        if let Some(counted) = &mut self.counted {
            // Such a change happens once in 1/chance new items.
            *counted += 1.0 / chance;
        }
        let before = std::mem::replace(&mut self.ranks[register], rank);
        self.sums[part(before)] -= weight(before);
        self.sums[part(rank)] += weight(rank);
    }

    /// Returns the probability that a new item changes a register.
    fn chance(&self) -> f64 {
        (self.sums[0] + self.sums[1]) / self.ranks.len() as f64
    }

    /// From here on every change is counted.
    pub(super) fn start_history(&mut self, items: f64) {
        self.counted = Some(items);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let ranks = self.ranks.iter().zip(&other.ranks).map(|(&a, &b)| a.max(b)).collect();
        *self = Self::of_ranks(self.lg_k, ranks, None);
    }

    /// Returns the sketch that the stream would have made with fewer registers.
    pub(super) fn fold(&self, lg_k: u8) -> Self {
        let mut ranks = vec![0; 1 << lg_k];
        for (register, &rank) in self.ranks.iter().enumerate() {
            let place = &mut ranks[register & ((1 << lg_k) - 1)];
            *place = rank.max(*place);
        }
        Self::of_ranks(lg_k, ranks.into(), None)
    }

    pub(super) fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    pub(super) fn estimate(&self, confidence: f64) -> Estimate {
        match self.counted {
            Some(counted) => {
                interval(counted, self.ranks.len() as f64, self.chance(), self.used(), confidence)
            }
            None => self.estimate_of_registers(confidence),
        }
    }

    fn estimate_of_registers(&self, confidence: f64) -> Estimate {
        estimate_of_ranks(self.ranks.iter().copied(), self.lg_k, MOST, confidence)
    }

    /// Returns whether the registers can belong to the estimate that was counted along: it is at least the number of registers in use,
    /// and not eight times as large or small as the estimate from the registers. With 16 registers, where errors are largest, a stream
    /// has such registers with probability 10⁻⁹: the sum of 16 exponential variables would have to be below an eighth of its mean.
    pub(super) fn agree(&self) -> bool {
        let Some(counted) = self.counted else { return true };
        let (value, slack) = (self.estimate_of_registers(DEFAULT_CONFIDENCE).value(), 8.0);
        counted >= self.used() && counted <= slack * (value + 1.0) && value <= slack * (counted + 1.0)
    }

    /// Returns the number of registers in use.
    fn used(&self) -> f64 {
        self.ranks.iter().filter(|&&rank| rank > 0).count() as f64
    }
}
