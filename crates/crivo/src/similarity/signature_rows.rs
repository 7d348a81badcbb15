//! The signatures of many documents, one after the other.

use alloc::vec::Vec;

/// The number of rows in a piece. Pieces never move once there are two, so that the list of a million signatures
/// neither copies itself as it grows nor takes more memory than it needs.
const PIECE: usize = 1 << 10;

/// Rows of equal width, by their number.
#[derive(Clone)]
pub(crate) struct Rows {
    width: usize,
    len: usize,
    pieces: Vec<Vec<u32>>,
}

impl Rows {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, len: 0, pieces: Vec::new() }
    }

    /// Returns the row with this number, which must exist.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> &[u32] {
        &self.pieces[number / PIECE][number % PIECE * self.width..][..self.width]
    }

    pub(crate) fn push(&mut self, row: &[u32]) {
        assert_eq!(row.len(), self.width);
        if self.len.is_multiple_of(PIECE) {
            let room = if self.len == 0 { 0 } else { PIECE * self.width };
            self.pieces.push(Vec::with_capacity(room));
        }
        self.pieces[self.len / PIECE].extend_from_slice(row);
        self.len += 1;
    }

    /// Removes a row, and gives its number to the last one.
    pub(crate) fn swap_remove(&mut self, number: usize) {
        self.len -= 1;
        let (piece, start) = (self.len / PIECE, self.len % PIECE * self.width);
        let last = self.pieces[piece].split_off(start);
        if start == 0 {
            self.pieces.truncate(piece);
        }
        if number < self.len {
            self.pieces[number / PIECE][number % PIECE * self.width..][..self.width].copy_from_slice(&last);
        }
    }

    /// Returns the heap memory.
    pub(crate) fn memory_bytes(&self) -> usize {
        let slots: usize = self.pieces.iter().map(Vec::capacity).sum();
        slots * size_of::<u32>() + self.pieces.capacity() * size_of::<Vec<u32>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn rows_are_those_of_one_list() {
        let mut rng = Rng::new(3);
        for width in [1, 3, 8] {
            let (mut rows, mut twin) = (Rows::new(width), Vec::new());
            for step in 0..12 * PIECE {
                // Grows past three pieces, and shrinks to nothing.
                if step < 5 * PIECE && step % 4 < 3 || twin.is_empty() {
                    let row: Vec<u32> = (0..width).map(|_| rng.next_u64() as u32).collect();
                    rows.push(&row);
                    twin.push(row);
                } else {
                    let number = rng.below(twin.len() as u64) as usize;
                    rows.swap_remove(number);
                    twin.swap_remove(number);
                }
                if step % 501 == 0 {
                    assert_eq!(rows.len, twin.len());
                    assert!(twin.iter().enumerate().all(|(number, row)| rows.get(number) == row));
                }
            }
            assert!(rows.len < 2);
        }
    }
}
