//! The bytes of a sketch (`docs/FORMAT.md`).

use super::sparse::is_valid;
use super::{Form, HyperLogLog, sparse_limit};
use crate::cardinality::entries::Entries;
use crate::cardinality::registers;
use crate::codec::{self, DecodeOptions, Reader};
use crate::kind::Kind;
use crate::sketch::Wire;
use crate::{Error, HashSpec, Result};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

const SPARSE: u8 = 0;
const DENSE: u8 = 1;

impl Wire for HyperLogLog {
    fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        self.put_payload(&mut payload);
        codec::seal(Kind::HyperLogLog, Some(&self.spec), &[self.precision], &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::HyperLogLog, bytes, options)?;
        let precision = envelope.params.u8()?;
        envelope.params.finish()?;
        Self::read_payload(&mut envelope.payload, precision, envelope.spec, 0, options)
    }
}

impl HyperLogLog {
    /// The form, and its bytes.
    pub(crate) fn put_payload(&self, payload: &mut Vec<u8>) {
        match &self.form {
            Form::Sparse(entries) => {
                payload.push(SPARSE);
                entries.to_payload(payload);
            }
            Form::Dense(registers) => {
                payload.push(DENSE);
                registers::to_bytes(registers, payload);
            }
        }
    }

    /// Reads to the end. `others` is the memory that is taken beside this sketch.
    pub(crate) fn read_payload(
        payload: &mut Reader<'_>,
        precision: u8,
        spec: HashSpec,
        others: usize,
        options: &DecodeOptions,
    ) -> Result<Self> {
        let mut sketch =
            Self::with_spec(precision, spec).map_err(|error| Error::malformed(format!("{error}")))?;
        let others = others + size_of::<Self>();
        sketch.form = match payload.u8()? {
            SPARSE => {
                let limit = sparse_limit(precision);
                let possible = |entry| is_valid(entry, precision.into());
                Form::Sparse(Entries::from_payload(payload, limit, others, options, possible)?)
            }
            DENSE => {
                codec::check_memory((others + (1 << precision)) as u64, options)?;
                Form::Dense(read_registers(payload.take_rest(), precision)?)
            }
            other => return Err(Error::malformed(format!("form {other} is neither sparse nor dense"))),
        };
        Ok(sketch)
    }
}

fn read_registers(bytes: &[u8], precision: u8) -> Result<Box<[u8]>> {
    let registers = registers::from_bytes(bytes, precision)?;
    // More entries than the sparse form holds cannot all have left every register empty.
    if registers.iter().all(|&rank| rank == 0) {
        return Err(Error::malformed("registers of an empty sketch should have been entries"));
    }
    Ok(registers)
}
