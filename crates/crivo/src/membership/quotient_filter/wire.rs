//! The state of a filter, and its bytes (`docs/FORMAT.md`).

use super::table::{BLOCK, Builder};
use super::{Merged, QuotientFilter, QuotientParams, collect, distinct};
use crate::bits::{BitReader, BitWriter};
use crate::kind::Kind;
use crate::sketch::{Core, Fact, Payload};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Reads the lengths of all runs, quotient by quotient.
struct RunLengths<'a> {
    reader: BitReader<'a>,
    quotients: usize,
    next: usize,
    left: u64,
}

impl<'a> RunLengths<'a> {
    fn new(params: QuotientParams, bytes: &'a [u8]) -> Self {
        let quotients = params.quotients() as usize;
        Self { reader: BitReader::new(bytes), quotients, next: 0, left: params.capacity() }
    }

    /// Returns the next quotient and the length of its run.
    fn read(&mut self) -> Result<Option<(usize, usize)>> {
        if self.next == self.quotients {
            return Ok(None);
        }
        let length = self.reader.unary(u32::try_from(self.left).unwrap_or(u32::MAX))?;
        self.left -= u64::from(length);
        self.next += 1;
        Ok(Some((self.next - 1, length as usize)))
    }
}

impl Core for QuotientFilter {
    const KIND: Kind = Kind::QuotientFilter;

    fn heap_bytes(&self) -> usize {
        self.table.memory_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        let width = self.params.remainder_bits();
        let remainder_bytes = self.params.blocks() * 8 * width as usize;
        let start = payload.len();
        let mut remainders = BitWriter::new(payload);
        self.table.pairs().for_each(|(_, remainder)| remainders.put(remainder, width));
        remainders.finish();
        payload.resize(start + remainder_bytes, 0);
        let mut lengths = BitWriter::new(payload);
        let mut pairs = self.table.pairs().map(|(quotient, _)| quotient).peekable();
        for quotient in 0..self.params.quotients() as usize {
            while pairs.next_if_eq(&quotient).is_some() {
                lengths.put(0, 1);
            }
            lengths.put(1, 1);
        }
        lengths.finish();
    }

    fn read(params: QuotientParams, file: &mut Payload<'_>) -> Result<Self> {
        let (quotients, width) = (params.quotients(), params.remainder_bits());
        let remainders = file.bytes.bytes(params.blocks() * 8 * width as usize)?;
        let lengths = file.bytes.take_rest();
        // Every quotient takes at least one bit, so a larger number of quotients is refused.
        if (lengths.len() as u64) < quotients.div_ceil(8) {
            return Err(Error::malformed(format!(
                "the payload is too short for the runs of {quotients} quotients"
            )));
        }
        let mut runs = RunLengths::new(params, lengths);
        let mut end = 0;
        while let Some((quotient, length)) = runs.read()? {
            if length > 0 {
                end = end.max(quotient) + length;
            }
        }
        runs.reader.finish()?;
        let spill = end.saturating_sub(params.blocks() * BLOCK);
        let mut builder = Builder::new(params.blocks(), width, spill);
        let mut runs = RunLengths::new(params, lengths);
        let mut reader = BitReader::new(remainders);
        let mut len = 0;
        while let Some((quotient, length)) = runs.read()? {
            let mut least = 0;
            for _ in 0..length {
                let remainder = reader.get(width)?;
                if remainder < least {
                    return Err(Error::malformed(format!(
                        "the remainders of quotient {quotient} are not sorted"
                    )));
                }
                builder.push(quotient, remainder);
                least = remainder;
            }
            len += length as u64;
        }
        let used = (len as usize * width as usize).div_ceil(8);
        let is_rest_empty = remainders[used..].iter().all(|&byte| byte == 0);
        if !is_rest_empty || reader.get((used * 8 - len as usize * width as usize) as u32)? != 0 {
            return Err(Error::malformed("the unused slots are not zero"));
        }
        let table =
            builder.finish().ok_or_else(|| Error::malformed("too many items crowd around one slot"))?;
        let distinct = distinct(table.pairs());
        Ok(Self { params, spec: file.spec, table, len, distinct })
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::count("capacity", self.params.capacity()),
            Fact::count("len", self.len),
            Fact::number("fill", self.fill()),
            Fact::rate("fpr", self.fpr()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        if self.len + other.len > self.params.capacity() {
            return Err(self.full(other.len));
        }
        let pairs = Merged { ours: self.table.pairs().peekable(), theirs: other.table.pairs().peekable() };
        self.table = collect(self.params, pairs)?;
        self.len += other.len;
        self.distinct = distinct(self.table.pairs());
        Ok(())
    }
}
