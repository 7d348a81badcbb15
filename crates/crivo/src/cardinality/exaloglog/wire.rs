//! The state of a sketch, and its bytes (`docs/FORMAT.md`).

use super::coded;
use super::registers::{Registers, bytes_of};
use super::tokens::{ZEROS_BITS, is_valid};
use super::{ExaLogLog, Form, sparse_limit};
use crate::cardinality::entries::Entries;
use crate::cardinality::precision::{OfPrecision, Precision};
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, Payload, Sketch};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

const SPARSE: u8 = 0;
const DENSE: u8 = 1;
const CODED_SPARSE: u8 = 2;
const CODED_DENSE: u8 = 3;

impl ExaLogLog {
    /// Returns the shortest bytes: the state as in [`to_bytes`](Self::to_bytes), entropy-coded, in about
    /// 60 % of the space. Equal sketches have equal compact bytes, and [`from_bytes`](Self::from_bytes) reads them.
    ///
    /// ```
    /// use crivo::ExaLogLog;
    /// let mut sketch = ExaLogLog::for_precision(12)?;
    /// sketch.extend(0..1_000_000u32);
    /// let (plain, compact) = (sketch.to_bytes(), sketch.to_compact_bytes());
    /// assert!(compact.len() < plain.len() * 2 / 3);
    /// assert_eq!(ExaLogLog::from_bytes(&compact)?, sketch);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn to_compact_bytes(&self) -> Vec<u8> {
        Sketch::to_compact_bytes(self)
    }

    /// Returns the size in bytes of the payload without an entropy code.
    fn plain_bytes(&self) -> usize {
        match &self.form {
            Form::Sparse(_) => {
                let mut payload = Vec::new();
                self.write(&mut payload);
                payload.len()
            }
            Form::Dense(_) => 1 + bytes_of(self.precision),
        }
    }
}

/// Returns the smallest size in bytes of the code of the registers: a hostile file of this size takes no more than a
/// small multiple of it in memory.
fn least_code(precision: u8) -> usize {
    bytes_of(precision) / 14
}

impl Core for ExaLogLog {
    const KIND: Kind = Kind::ExaLogLog;

    fn heap_bytes(&self) -> usize {
        match &self.form {
            Form::Sparse(tokens) => tokens.memory_bytes(),
            Form::Dense(_) => bytes_of(self.precision),
        }
    }

    fn heap_bound(&self) -> Option<usize> {
        Some(Self::most_bytes(self.precision) - size_of::<Self>())
    }

    fn write(&self, payload: &mut Vec<u8>) {
        match &self.form {
            Form::Sparse(tokens) => {
                payload.push(SPARSE);
                tokens.to_payload(payload, 0);
            }
            Form::Dense(registers) => {
                payload.push(DENSE);
                registers.to_bytes(payload);
            }
        }
    }

    fn write_compact(&self, payload: &mut Vec<u8>) {
        let mut coded = match &self.form {
            Form::Sparse(tokens) => {
                let mut coded = vec![CODED_SPARSE];
                tokens.to_payload(&mut coded, ZEROS_BITS);
                coded
            }
            Form::Dense(registers) => {
                let mut coded = vec![CODED_DENSE];
                coded.extend(coded::encode(registers, self.precision));
                coded.resize(coded.len().max(1 + least_code(self.precision)), 0);
                coded
            }
        };
        if coded.len() < self.plain_bytes() {
            payload.append(&mut coded);
        } else {
            self.write(payload);
        }
    }

    fn read(size: Precision, file: &mut Payload<'_>) -> Result<Self> {
        let Precision(precision) = size;
        let mut sketch = Self::empty(size, file.spec);
        let payload_bytes = file.bytes.rest().len();
        let form = file.bytes.u8()?;
        sketch.form = match form {
            SPARSE | CODED_SPARSE => {
                let unary_bits = if form == SPARSE { 0 } else { ZEROS_BITS };
                let limit = sparse_limit(precision);
                Form::Sparse(Entries::from_payload(file, limit, size_of::<Self>(), unary_bits, is_valid)?)
            }
            DENSE | CODED_DENSE => {
                file.check_memory(Self::most_bytes(precision) as u64)?;
                let bytes = file.bytes.take_rest();
                let read = if form == DENSE { read_registers } else { read_code };
                Form::Dense(read(bytes, precision)?)
            }
            other => return Err(Error::malformed(format!("form {other} is neither sparse nor dense"))),
        };
        if matches!(form, CODED_SPARSE | CODED_DENSE) && payload_bytes >= sketch.plain_bytes() {
            return Err(Error::malformed("the code of the sketch is no shorter than the sketch"));
        }
        Ok(sketch)
    }

    fn state(&self) -> Vec<Fact> {
        vec![
            Fact::text("form", if self.is_sparse() { "sparse" } else { "dense" }),
            Fact::number("standard_error", Self::limit_error(self.precision)),
            Fact::estimate("cardinality", self.estimate()),
        ]
    }

    fn absorb(&mut self, other: &Self) -> Result<()> {
        match (&mut self.form, &other.form) {
            (Form::Dense(ours), Form::Dense(theirs)) => ours.merge(theirs),
            (Form::Dense(ours), Form::Sparse(theirs)) => ours.take_tokens(theirs, self.precision.into()),
            (Form::Sparse(ours), Form::Dense(theirs)) => {
                let mut registers = theirs.clone();
                registers.take_tokens(ours, self.precision.into());
                self.form = Form::Dense(registers);
            }
            (Form::Sparse(ours), Form::Sparse(theirs)) => *ours = ours.union(theirs),
        }
        self.densify_if_many();
        Ok(())
    }
}

fn read_registers(bytes: &[u8], precision: u8) -> Result<Registers> {
    let registers = Registers::from_bytes(bytes, precision)
        .ok_or_else(|| Error::malformed(format!("the payload is not {} registers", 1u32 << precision)))?;
    not_empty(registers)
}

fn read_code(code: &[u8], precision: u8) -> Result<Registers> {
    let least = least_code(precision);
    // Zeros bring a code to its smallest size; nothing else may follow it.
    let is_filling =
        |rest: &[u8]| rest.is_empty() || code.len() == least && rest.iter().all(|&byte| byte == 0);
    let decoded = if code.len() < least { None } else { coded::decode(code, precision) };
    match decoded {
        Some((registers, rest)) if is_filling(rest) => not_empty(registers),
        _ => Err(Error::malformed(format!("the payload is not the code of {} registers", 1u32 << precision))),
    }
}

/// Refuses empty registers: more tokens than the sparse form holds would have changed at least one.
fn not_empty(registers: Registers) -> Result<Registers> {
    if registers.sum_of_largest() == 0 {
        return Err(Error::malformed("an empty sketch is stored as registers instead of tokens"));
    }
    Ok(registers)
}
