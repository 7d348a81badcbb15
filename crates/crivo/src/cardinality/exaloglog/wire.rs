//! The state of a sketch, and its bytes (`docs/FORMAT.md`).

use super::registers::{Registers, bytes_of};
use super::tokens::is_valid;
use super::{ExaLogLog, Form, sparse_limit};
use crate::cardinality::entries::Entries;
use crate::cardinality::precision::{OfPrecision, Precision};
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, Payload};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

const SPARSE: u8 = 0;
const DENSE: u8 = 1;

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
                tokens.to_payload(payload);
            }
            Form::Dense(registers) => {
                payload.push(DENSE);
                registers.to_bytes(payload);
            }
        }
    }

    fn read(size: Precision, file: &mut Payload<'_>) -> Result<Self> {
        let Precision(precision) = size;
        let mut sketch = Self::empty(size, file.spec);
        sketch.form = match file.bytes.u8()? {
            SPARSE => {
                let limit = sparse_limit(precision);
                Form::Sparse(Entries::from_payload(file, limit, size_of::<Self>(), is_valid)?)
            }
            DENSE => {
                file.check_memory(Self::most_bytes(precision) as u64)?;
                Form::Dense(read_registers(file.bytes.take_rest(), precision)?)
            }
            other => return Err(Error::malformed(format!("form {other} is neither sparse nor dense"))),
        };
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
    // More tokens than the sparse form holds would have changed at least one register.
    if bytes.iter().all(|&byte| byte == 0) {
        return Err(Error::malformed("an empty sketch is stored as registers instead of tokens"));
    }
    Ok(registers)
}
