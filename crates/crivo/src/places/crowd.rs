//! A sorted list of entries: see [`Crowd`].

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The maximum number of entries in a piece, which bounds how many entries an insertion moves.
const PIECE: usize = 512;

/// Sorted entries, in an order that the caller knows, cut into pieces: a search takes logarithmic time, and a
/// new entry moves few others. No piece is empty.
///
/// `order` compares an entry with the wanted one. No two entries are equal.
#[derive(Clone)]
pub(crate) struct Crowd<E> {
    pieces: Vec<Vec<E>>,
}

impl<E> Default for Crowd<E> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

impl<E: Copy> Crowd<E> {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns whether there are more than `most` entries; `most` is less than half a piece.
    pub(crate) fn len_is_above(&self, most: usize) -> bool {
        self.pieces.len() > 1 || self.pieces.first().is_some_and(|piece| piece.len() > most)
    }

    /// Returns the piece of the wanted entry, and its position in the piece, or the position where it would
    /// be inserted.
    fn seek(&self, order: impl Fn(E) -> Ordering) -> (usize, Result<usize, usize>) {
        let behind = self.pieces.partition_point(|piece| order(piece[0]).is_le());
        let number = behind.saturating_sub(1);
        let place =
            self.pieces.get(number).map_or(Err(0), |piece| piece.binary_search_by(|&entry| order(entry)));
        (number, place)
    }

    /// Returns the wanted entry, if it exists.
    pub(crate) fn get(&self, order: impl Fn(E) -> Ordering) -> Option<E> {
        let (number, place) = self.seek(order);
        place.ok().map(|place| self.pieces[number][place])
    }

    /// Returns a mutable reference to the wanted entry, if it exists. Its order must not change.
    pub(crate) fn get_mut(&mut self, order: impl Fn(E) -> Ordering) -> Option<&mut E> {
        let (number, place) = self.seek(order);
        place.ok().map(|place| &mut self.pieces[number][place])
    }

    /// Inserts an entry that is not in the list.
    pub(crate) fn insert(&mut self, entry: E, order: impl Fn(E) -> Ordering) {
        let (number, place) = self.seek(order);
        let (Ok(place) | Err(place)) = place;
        let Some(piece) = self.pieces.get_mut(number) else {
            self.pieces.push(vec![entry]);
            return;
        };
        piece.insert(place, entry);
        if piece.len() > PIECE {
            let rest = piece.split_off(PIECE / 2);
            self.pieces.insert(number + 1, rest);
        }
    }

    /// Removes the wanted entry, if it exists.
    pub(crate) fn remove(&mut self, order: impl Fn(E) -> Ordering) {
        if let (number, Ok(place)) = self.seek(order) {
            self.pieces[number].remove(place);
            if self.pieces[number].is_empty() {
                self.pieces.remove(number);
            }
        }
    }

    /// Returns an iterator over all entries in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = E> + Clone + '_ {
        self.pieces.iter().flatten().copied()
    }

    /// Returns the heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let entries: usize = self.pieces.iter().map(Vec::capacity).sum();
        self.pieces.capacity() * size_of::<Vec<E>>() + entries * size_of::<E>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::collections::BTreeSet;
    use core::cell::Cell;

    #[test]
    fn a_crowd_is_an_ordered_set() {
        let mut rng = Rng::new(1);
        let (mut crowd, mut model) = (Crowd::<u32>::default(), BTreeSet::new());
        for step in 0..40_000u64 {
            let entry = rng.below(6000) as u32;
            let order = |other: u32| other.cmp(&entry);
            assert_eq!(crowd.get(order), model.contains(&entry).then_some(entry));
            // First more insertions than removals, then the other way round.
            if model.contains(&entry) && (step > 25_000 || step % 4 == 0) {
                crowd.remove(order);
                model.remove(&entry);
            } else if step < 25_000 && model.insert(entry) {
                crowd.insert(entry, order);
            }
            if step % 500 == 0 {
                assert!(crowd.iter().eq(model.iter().copied()));
            }
        }
        for &entry in &model {
            crowd.remove(|other| other.cmp(&entry));
        }
        assert!(crowd.is_empty() && crowd.iter().next().is_none());
    }

    #[test]
    fn searches_are_logarithmic_in_any_order_of_arrival() {
        let n = 100_000u32;
        let arrivals: [fn(u32) -> u32; 3] =
            [|i| i, |i| u32::MAX - i, |i| if i % 2 == 0 { i } else { u32::MAX - i }];
        for arrival in arrivals {
            let mut crowd = Crowd::<u32>::default();
            let compared = Cell::new(0u64);
            for entry in (0..n).map(arrival) {
                let order = |other: u32| {
                    compared.set(compared.get() + 1);
                    other.cmp(&entry)
                };
                assert_eq!(crowd.get(order), None);
                crowd.insert(entry, order);
            }
            // Two searches, each with at most log₂ n + 2 comparisons.
            assert!(compared.get() <= 2 * u64::from(n) * 19, "{}", compared.get());
            assert!(crowd.pieces.iter().all(|piece| piece.len() <= PIECE));
            assert!(crowd.pieces.len() < n as usize / PIECE * 3);
        }
    }
}
