//! The search for a free slot when all four slots of an item are occupied.

use super::{CuckooFilter, Place};
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;

/// The maximum number of slots that a search visits: enough to fill 96 % of the slots.
const REACH: usize = 8000;

/// A slot on the path, its fingerprint, the previous step, and the side on which its neighbour is already on
/// a path.
#[derive(Clone, Copy)]
struct Step {
    slot: usize,
    fingerprint: u32,
    before: u16,
    knows_right: bool,
}

/// The last step of a path, and the free slot after it.
struct Way {
    last: usize,
    free: usize,
}

impl CuckooFilter {
    /// Makes room along the shortest path to a free slot, or else puts the item outside the slots.
    #[inline(never)]
    pub(super) fn put_by_moving(&mut self, place: Place) -> Result<()> {
        // If four copies fill the slots, no path leads out of them.
        if place.slots().into_iter().all(|slot| self.slots.get(slot) == place.fingerprint) {
            return self.put_beside(place);
        }
        let mut steps = Vec::with_capacity(64);
        match self.search(place, &mut steps) {
            Some(way) => self.move_along(&steps, &way, place.fingerprint),
            None => self.put_beside(place)?,
        }
        Ok(())
    }

    /// Searches breadth first. No slot occurs twice on the path that is found, since the search would have
    /// reached it the first time.
    fn search(&self, place: Place, steps: &mut Vec<Step>) -> Option<Way> {
        for start in place.starts {
            let [left, right] = self.slots.pair(start);
            steps.push(Step { slot: start, fingerprint: left, before: u16::MAX, knows_right: true });
            steps.push(Step { slot: start + 1, fingerprint: right, before: u16::MAX, knows_right: false });
        }
        // In a small filter a long search would only revisit the same slots.
        let reach = REACH.min(4 * self.params.slots() as usize);
        let mut last = 0;
        while last < steps.len() {
            let Step { slot, fingerprint, knows_right, .. } = steps[last];
            // A fingerprint in the way can move to its other window, or to the other slot of its own window.
            let [own, other] = self.params.place_in_slot(slot, fingerprint).starts;
            let neighbour = 2 * own + 1 - slot;
            let [left, right] = self.slots.pair(other);
            let beside = self.slots.get(neighbour);
            // One branch for all three slots, rarely taken.
            if left.min(right).min(beside) == 0 {
                let free = [(left, other), (right, other + 1), (beside, neighbour)];
                return free
                    .into_iter()
                    .find(|&(content, _)| content == 0)
                    .map(|(_, free)| Way { last, free });
            }
            if steps.len() < reach {
                let (before, goes_right) = (last as u16, own == slot);
                steps.extend_from_slice(&[
                    Step { slot: other, fingerprint: left, before, knows_right: true },
                    Step { slot: other + 1, fingerprint: right, before, knows_right: false },
                    Step { slot: neighbour, fingerprint: beside, before, knows_right: !goes_right },
                ]);
                // A neighbour that is already on a path need not be added again.
                steps.truncate(steps.len() - usize::from(goes_right == knows_right));
            }
            last += 1;
        }
        None
    }

    /// Moves every fingerprint on the path by one step, starting at its end, and puts the new fingerprint at
    /// its start.
    fn move_along(&mut self, steps: &[Step], way: &Way, fingerprint: u32) {
        let mut free = way.free;
        let mut step = steps.get(way.last);
        while let Some(&Step { slot, fingerprint, before, .. }) = step {
            self.slots.set(free, fingerprint);
            free = slot;
            step = steps.get(usize::from(before));
        }
        self.slots.set(free, fingerprint);
    }

    #[cold]
    fn put_beside(&mut self, place: Place) -> Result<()> {
        let most = self.params.most_overflow();
        if self.overflow.len() >= most {
            return Err(Error::full(format!(
                "no room for another item: {} are inside, {:.1} % of the slots are taken, and {most} items \
                 without a slot are kept separately; create the filter for more items, or insert fewer \
                 copies (an item has four slots)",
                self.len,
                self.fill() * 100.0
            )));
        }
        let index = self.overflow.partition_point(|cell| *cell <= place.cell());
        self.overflow.reserve_exact(1);
        self.overflow.insert(index, place.cell());
        Ok(())
    }
}
