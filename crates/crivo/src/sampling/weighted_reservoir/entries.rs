//! The entries of a weighted sample, as a heap.

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
