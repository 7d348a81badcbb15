//! The bytes of a sketch (`docs/FORMAT.md`).

use super::registers::{Registers, bytes_of};
use super::tokens::is_valid;
use super::{ExaLogLog, Form, sparse_limit};
use crate::cardinality::entries::Entries;
use crate::codec::{self, DecodeOptions};
use crate::kind::Kind;
use crate::sketch::Wire;
use crate::{Error, Result};
use alloc::format;
use alloc::vec::Vec;

const SPARSE: u8 = 0;
const DENSE: u8 = 1;

impl Wire for ExaLogLog {
    fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        match &self.form {
            Form::Sparse(tokens) => {
                payload.push(SPARSE);
                tokens.to_payload(&mut payload);
            }
            Form::Dense(registers) => {
                payload.push(DENSE);
                registers.to_bytes(&mut payload);
            }
        }
        codec::seal(Kind::ExaLogLog, Some(&self.spec), &[self.precision], &payload)
    }

    fn from_bytes_with(bytes: &[u8], options: &DecodeOptions) -> Result<Self> {
        let mut envelope = codec::open(Kind::ExaLogLog, bytes, options)?;
        let precision = envelope.params.u8()?;
        envelope.params.finish()?;
        let mut sketch = Self::with_spec(precision, envelope.spec)
            .map_err(|error| Error::malformed(format!("{error}")))?;
        sketch.form = match envelope.payload.u8()? {
            SPARSE => {
                let (limit, size) = (sparse_limit(precision), size_of::<Self>());
                Form::Sparse(Entries::from_payload(&mut envelope.payload, limit, size, options, is_valid)?)
            }
            DENSE => {
                codec::check_memory((size_of::<Self>() + bytes_of(precision)) as u64, options)?;
                Form::Dense(read_registers(envelope.payload.take_rest(), precision)?)
            }
            other => return Err(Error::malformed(format!("form {other} is neither sparse nor dense"))),
        };
        Ok(sketch)
    }
}

fn read_registers(bytes: &[u8], precision: u8) -> Result<Registers> {
    let registers = Registers::from_bytes(bytes, precision)
        .ok_or_else(|| Error::malformed(format!("the payload is not {} registers", 1u32 << precision)))?;
    // More tokens than the sparse form holds cannot all have left every register empty.
    if bytes.iter().all(|&byte| byte == 0) {
        return Err(Error::malformed("registers of an empty sketch should have been tokens"));
    }
    Ok(registers)
}
