//! The entries of a sample as a heap, and the draw of the entry that is dropped.

use crate::rng::Rng;

/// A kept item and its weight.
#[derive(Clone, PartialEq)]
pub(super) struct Entry<T> {
    pub(super) weight: f64,
    pub(super) item: T,
}

/// Returns whether no entry is lighter than its parent.
pub(super) fn is_heap<T>(entries: &[Entry<T>]) -> bool {
    (1..entries.len()).all(|place| entries[(place - 1) / 2].weight <= entries[place].weight)
}

/// Moves the last entry up to its place in the heap.
pub(super) fn sift_up<T>(entries: &mut [Entry<T>]) {
    let mut place = entries.len().saturating_sub(1);
    while place > 0 {
        let parent = (place - 1) / 2;
        if entries[parent].weight <= entries[place].weight {
            return;
        }
        entries.swap(parent, place);
        place = parent;
    }
}

/// Moves the first entry down to its place in the heap.
pub(super) fn sift_down<T>(entries: &mut [Entry<T>]) {
    let mut place = 0;
    loop {
        let (left, right) = (2 * place + 1, 2 * place + 2);
        if left >= entries.len() {
            return;
        }
        let is_right = right < entries.len() && entries[right].weight < entries[left].weight;
        let lighter = if is_right { right } else { left };
        if entries[lighter].weight >= entries[place].weight {
            return;
        }
        entries.swap(place, lighter);
        place = lighter;
    }
}

/// Draws which of the items that become light is dropped, each with probability 1 − weight/threshold; `None` if an item
/// is dropped that was light before.
pub(super) fn draw(rng: &mut Rng, weights: impl Iterator<Item = f64>, threshold: f64) -> Option<usize> {
    let mut left = rng.unit();
    for (place, weight) in weights.enumerate() {
        left -= 1.0 - weight / threshold;
        if left < 0.0 {
            return Some(place);
        }
    }
    None
}
