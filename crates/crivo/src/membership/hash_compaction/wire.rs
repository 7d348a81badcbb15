//! The state of a set, and its bytes (`docs/FORMAT.md`).

use super::params::{TAIL, homes};
use super::union::union;
use super::{HashCompaction, HashCompactionParams, home, room_for, words_for};
use crate::bits::BitVec;
use crate::codec::put_u64_varint;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, Payload};
use crate::{Error, Result};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The bytes of a waiting fingerprint in a tree whose nodes have room for 11 and are at least half full.
const WAITING_BYTES: usize = 18;

impl Core for HashCompaction {
    const KIND: Kind = Kind::HashCompaction;

    fn heap_bytes(&self) -> usize {
        self.words.capacity() * 8 + self.waiting.len() * WAITING_BYTES
    }

    fn heap_bound(&self) -> Option<usize> {
        None
    }

    fn write(&self, payload: &mut Vec<u8>) {
        if !self.waiting.is_empty() {
            return Self::with_sorted(self.params, self.spec, self.len, self.fingerprints()).write(payload);
        }
        put_u64_varint(payload, self.len);
        let bits = self.params.fingerprint_bits();
        let end = payload.len() + (self.cells as usize * bits as usize).div_ceil(8);
        self.words.iter().for_each(|word| payload.extend_from_slice(&word.to_le_bytes()));
        payload.truncate(end);
    }

    fn read(params: HashCompactionParams, file: &mut Payload<'_>) -> Result<Self> {
        let (items, bits) = (params.items(), params.fingerprint_bits());
        let len = file.bytes.u64_varint()?;
        let table = file.bytes.take_rest();
        let cells = table.len() as u64 * 8 / u64::from(bits);
        let misplaced =
            || Error::malformed(format!("the table does not hold {len} fingerprints in their cells"));
        if len > cells || homes(room_for(items, len)) > cells {
            return Err(misplaced());
        }
        file.check_memory(words_for(cells, bits) as u64 * 8)?;
        let mut words = Vec::with_capacity(words_for(cells, bits));
        words.extend(BitVec::from_bytes(cells * u64::from(bits), table).ok_or_else(misplaced)?.words());
        words.push(0);
        let homes = homes(room_for(items, len));
        let waiting = BTreeSet::new();
        let set = Self { params, spec: file.spec, words, cells, homes, waiting, walked: 0, len };
        // Every fingerprint must be where an insertion puts it, and there must be no superfluous cell.
        let (mut end, mut count, mut last) = (0, 0, 0);
        for index in 0..cells {
            let fingerprint = set.cell(index);
            if fingerprint != 0 {
                let is_in_place = index == home(params, homes, fingerprint).max(end);
                if fingerprint <= last || !is_in_place {
                    return Err(misplaced());
                }
                (end, count, last) = (index + 1, count + 1, fingerprint);
            }
        }
        if count != len || cells != cells_for(homes, end) {
            return Err(misplaced());
        }
        Ok(set)
    }

    fn state(&self) -> Vec<Fact> {
        vec![Fact::count("len", self.len), Fact::rate("fpr", self.fpr())]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        let both = union(self.fingerprints(), other.fingerprints());
        *self = Self::with_sorted(self.params, self.spec, both.clone().count() as u64, both);
        Ok(())
    }
}

/// Returns the number of cells of a table whose last used cell is before `end`.
fn cells_for(homes: u64, end: u64) -> u64 {
    homes + (end.saturating_sub(homes) + 1).next_multiple_of(TAIL)
}
