//! The state of a sketch, and its bytes (`docs/FORMAT.md`).

use super::dense::raise_to_entries;
use super::sparse::is_valid;
use super::{Form, HyperLogLog, sparse_limit};
use crate::cardinality::entries::Entries;
use crate::cardinality::precision::{OfPrecision, Precision};
use crate::cardinality::registers;
use crate::kind::Kind;
use crate::sketch::{Core, Empty, Fact, Payload};
use crate::{Error, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

const SPARSE: u8 = 0;
const DENSE: u8 = 1;

impl Core for HyperLogLog {
    const KIND: Kind = Kind::HyperLogLog;

    fn heap_bytes(&self) -> usize {
        match &self.form {
            Form::Sparse(entries) => entries.memory_bytes(),
            Form::Dense(registers) => registers.len(),
        }
    }

    fn heap_bound(&self) -> Option<usize> {
        Some(Self::most_bytes(self.precision) - size_of::<Self>())
    }

    /// Writes the form, and its bytes.
    fn write(&self, payload: &mut Vec<u8>) {
        match &self.form {
            Form::Sparse(entries) => {
                payload.push(SPARSE);
                entries.to_payload(payload, 0);
            }
            Form::Dense(registers) => {
                payload.push(DENSE);
                registers::to_bytes(registers, payload);
            }
        }
    }

    fn read(size: Precision, file: &mut Payload<'_>) -> Result<Self> {
        let Precision(precision) = size;
        let mut sketch = Self::empty(size, file.spec);
        sketch.form = match file.bytes.u8()? {
            SPARSE => {
                let possible = |entry| is_valid(entry, precision.into());
                let limit = sparse_limit(precision);
                Form::Sparse(Entries::from_payload(file, limit, size_of::<Self>(), 0, possible)?)
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
        let precision = u32::from(self.precision);
        match (&mut self.form, &other.form) {
            (Form::Dense(ours), Form::Dense(theirs)) => registers::merge(ours, theirs),
            (Form::Dense(ours), Form::Sparse(theirs)) => raise_to_entries(ours, theirs, precision),
            (Form::Sparse(ours), Form::Dense(theirs)) => {
                let mut registers = theirs.clone();
                raise_to_entries(&mut registers, ours, precision);
                self.form = Form::Dense(registers);
            }
            (Form::Sparse(ours), Form::Sparse(theirs)) => *ours = ours.union(theirs),
        }
        self.densify_if_many();
        Ok(())
    }
}

fn read_registers(bytes: &[u8], precision: u8) -> Result<Box<[u8]>> {
    let registers = registers::from_bytes(bytes, precision)?;
    // More entries than the sparse form holds would have changed at least one register.
    if registers.iter().all(|&rank| rank == 0) {
        return Err(Error::malformed("an empty sketch is stored as registers instead of entries"));
    }
    Ok(registers)
}
