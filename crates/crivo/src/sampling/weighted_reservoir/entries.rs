//! The state of a weighted sample: its entries as a heap, and a sum of weights.

/// A kept item: the logarithm of its waiting time, and its weight.
#[derive(Clone, PartialEq)]
pub(super) struct Entry<T> {
    pub(super) log_wait: f64,
    pub(super) weight: f64,
    pub(super) item: T,
}

impl<T> Entry<T> {
    /// Returns whether the numbers are possible: the logarithms of waiting times and weights are below a thousand.
    pub(super) fn is_sound(&self) -> bool {
        self.weight > 0.0 && self.weight < f64::INFINITY && libm::fabs(self.log_wait) < 1000.0
    }
}

/// Returns whether no entry has a longer waiting time than its parent.
pub(super) fn is_heap<T>(entries: &[Entry<T>]) -> bool {
    (1..entries.len()).all(|place| entries[place].log_wait <= entries[(place - 1) / 2].log_wait)
}

/// Moves the first entry down to its place in the heap.
pub(super) fn sift_down<T>(entries: &mut [Entry<T>]) {
    let mut place = 0;
    loop {
        let (left, right) = (2 * place + 1, 2 * place + 2);
        if left >= entries.len() {
            return;
        }
        let is_right = right < entries.len() && entries[right].log_wait > entries[left].log_wait;
        let longer = if is_right { right } else { left };
        if entries[longer].log_wait <= entries[place].log_wait {
            return;
        }
        entries.swap(place, longer);
        place = longer;
    }
}

/// A compensated sum: the sum of many numbers together with its accumulated rounding error (Neumaier 1974).
#[derive(Clone, Default, PartialEq)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, number: f64) {
        let sum = self.sum + number;
        if sum < f64::INFINITY {
            self.lost +=
                if self.sum >= number { (self.sum - sum) + number } else { (number - sum) + self.sum };
        }
        self.sum = sum;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.add(other.sum);
        self.lost += other.lost;
    }

    pub(super) fn value(&self) -> f64 {
        self.sum + self.lost
    }

    pub(super) fn parts(&self) -> [f64; 2] {
        [self.sum, self.lost]
    }

    pub(super) fn from_parts([sum, lost]: [f64; 2]) -> Self {
        Self { sum, lost }
    }

    /// Returns whether a sum of non-negative numbers can have this value.
    pub(super) fn is_sound(&self) -> bool {
        self.sum.is_sign_positive()
            && !self.sum.is_nan()
            && libm::fabs(self.lost) <= self.sum
            && self.lost < f64::INFINITY
    }
}
