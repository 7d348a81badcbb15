//! The file format of a [`LogQuantiles`].

use super::side::Side;
use super::{Collapsed, LogQuantiles, LogQuantilesParams};
use crate::codec::{Reader, put_u64_varint};
use crate::kind::Kind;
use crate::sketch::{Core, Fact, Payload};
use crate::{Error, Result};
use alloc::vec;
use alloc::vec::Vec;

impl Core for LogQuantiles {
    const KIND: Kind = Kind::LogQuantiles;

    fn heap_bytes(&self) -> usize {
        self.scale.heap_bytes() + self.sides.iter().map(Side::heap_bytes).sum::<usize>()
    }

    fn heap_bound(&self) -> Option<usize> {
        Some(self.scale.heap_bound() + 2 * self.params.buckets() as usize * size_of::<u64>())
    }

    fn write(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.zeros);
        put_u64_varint(payload, self.collapsed.up_to.into());
        if self.collapsed.up_to > 0 {
            self.collapsed.counts.iter().for_each(|&count| put_u64_varint(payload, count));
        }
        for side in &self.sides {
            let (first, counts) = side.kept();
            put_u64_varint(payload, first.into());
            put_u64_varint(payload, counts.len() as u64);
        }
        for side in &self.sides {
            side.kept().1.iter().for_each(|&count| put_u64_varint(payload, count));
        }
    }

    fn read(params: LogQuantilesParams, file: &mut Payload<'_>) -> Result<Self> {
        let mut sketch = Self::with_params(params);
        sketch.zeros = file.bytes.u64_varint()?;
        let mut collapsed = Collapsed { up_to: file.bytes.u32_varint()?, ..Collapsed::default() };
        if collapsed.up_to > 0 {
            collapsed.counts = [file.bytes.u64_varint()?, file.bytes.u64_varint()?];
        }
        let mut lists = [(0, 0); 2];
        for (first, len) in &mut lists {
            *first = file.bytes.u32_varint()?;
            *len = file.bytes.u32_varint()?;
        }
        // Each count takes at least one byte.
        let counts = lists.iter().map(|&(_, len)| u64::from(len)).sum::<u64>();
        let last = *sketch.scale.buckets().end();
        let is_too_long =
            |&(first, len): &(u32, u32)| first.checked_add(len).is_none_or(|end| end > last + 1);
        let is_too_high = collapsed.up_to > last;
        if counts > file.bytes.rest().len() as u64 || is_too_high || lists.iter().any(is_too_long) {
            return Err(malformed());
        }
        file.check_memory((size_of::<Self>() + counts as usize * size_of::<u64>()) as u64)?;
        for (side, (first, len)) in sketch.sides.iter_mut().zip(lists) {
            let counts = file.bytes.entries(len.into(), Reader::u64_varint)?;
            let is_canonical = counts.first() != Some(&0) && counts.last() != Some(&0);
            if !is_canonical || counts.is_empty() && first > 0 {
                return Err(malformed());
            }
            *side = Side::new(first, counts);
        }
        file.bytes.finish()?;
        sketch.collapsed = collapsed;
        sketch.total = sketch.sum().ok_or_else(malformed)?;
        if !sketch.has_possible_buckets() {
            return Err(malformed());
        }
        sketch.window = collapsed.up_to + 1;
        sketch.make_room(None);
        Ok(sketch)
    }

    fn state(&self) -> Vec<Fact> {
        let kept: usize = self.sides.iter().map(|side| side.filled().count()).sum();
        vec![
            Fact::count("total", self.total),
            Fact::count("kept", kept as u64),
            Fact::count("collapsed", self.collapsed()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        self.total = self.check_room_for(other.total)?;
        self.zeros += other.zeros;
        self.collapse(other.collapsed.up_to);
        for (sum, more) in self.collapsed.counts.iter_mut().zip(other.collapsed.counts) {
            *sum += more;
        }
        self.make_room(other.ends_of_all());
        let (up_to, window) = (self.collapsed.up_to, self.window());
        for (side, theirs) in other.sides.iter().enumerate() {
            if let Some((low, high)) = theirs.ends()
                && high > up_to
            {
                self.sides[side].cover(low.max(up_to + 1), high, &window);
            }
            theirs.filled().for_each(|(bucket, count)| self.add(side, bucket, count));
        }
        Ok(())
    }
}

impl LogQuantiles {
    /// Returns the sum of all counts, if a `u64` can hold it.
    fn sum(&self) -> Option<u64> {
        let counts = self.sides.iter().flat_map(|side| side.kept().1).chain(&self.collapsed.counts);
        counts.chain([&self.zeros]).try_fold(0u64, |sum, &count| sum.checked_add(count))
    }

    /// Returns whether every bucket with a count can have values, and all of them lie in one window, above the
    /// collapsed ones.
    fn has_possible_buckets(&self) -> bool {
        let Collapsed { up_to, counts } = self.collapsed;
        let (all, buckets) = (self.scale.buckets(), self.params.buckets());
        let (low, high) = self.ends_of_all().unwrap_or((up_to + 1, up_to + 1));
        let first = if up_to > 0 { up_to + 1 } else { low };
        let window = first..=first.saturating_add(buckets - 1);
        // The highest bucket of the window has once had a value if some are collapsed.
        let is_collapse_possible = all.contains(&up_to) && all.contains(window.end()) && counts != [0, 0];
        let has_values = |bucket: u32| {
            let (least, greatest) = self.scale.ends(bucket);
            all.contains(&bucket) && least <= greatest
        };
        (up_to == 0 || is_collapse_possible)
            && window.contains(&low)
            && window.contains(&high)
            && self.sides.iter().all(|side| side.filled().all(|(bucket, _)| has_values(bucket)))
    }
}

fn malformed() -> Error {
    Error::malformed("the file is corrupt: its buckets and counts contradict each other")
}
