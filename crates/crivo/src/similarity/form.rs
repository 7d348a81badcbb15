//! What the signatures of one index have in common.

use super::signature::{MAX_K, Scheme, Signature};
use crate::codec::{Reader, put_u64_varint};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec::Vec;

/// How the slots of a signature came about, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    scheme: Scheme,
    slots: u32,
}

const REMEDY: &str = "make all signatures of an index alike";

impl Form {
    /// `least` slots are needed.
    pub(crate) fn new(scheme: Scheme, slots: usize, least: u32) -> Result<Self> {
        match u32::try_from(slots) {
            Ok(slots @ 1..=MAX_K) if slots >= least => Ok(Self { scheme, slots }),
            _ => Err(Error::invalid(format!(
                "this needs signatures of {least} to {MAX_K} slots, got {slots}; take larger signatures or fewer bands"
            ))),
        }
    }

    pub(crate) fn scheme(self) -> Scheme {
        self.scheme
    }

    pub(crate) fn slots(self) -> usize {
        self.slots as usize
    }

    /// `Incompatible` unless the signature has this form and this hash.
    pub(crate) fn check(self, signature: &impl Signature, spec: &HashSpec) -> Result<()> {
        self.check_scheme(signature.scheme())?;
        self.check_slots(signature.slots())?;
        signature.hash_spec().map_or(Ok(()), |theirs| spec.check_same(theirs))
    }

    /// `Incompatible` unless these are as many slots.
    #[inline]
    pub(crate) fn check_slots(self, slots: &[u32]) -> Result<()> {
        if slots.len() == self.slots() {
            return Ok(());
        }
        Err(Error::incompatible("slots", self.slots, slots.len(), REMEDY))
    }

    fn check_scheme(self, theirs: Scheme) -> Result<()> {
        if theirs == self.scheme {
            return Ok(());
        }
        Err(Error::incompatible("scheme", self.scheme.name(), theirs.name(), REMEDY))
    }

    /// `Incompatible` unless both are one.
    pub(crate) fn check_same(self, other: Self) -> Result<()> {
        self.check_scheme(other.scheme)?;
        if self.slots != other.slots {
            return Err(Error::incompatible("slots", self.slots, other.slots, REMEDY));
        }
        Ok(())
    }

    pub(crate) fn put(self, out: &mut Vec<u8>) {
        put_u64_varint(out, self.slots.into());
        out.push(self.scheme as u8);
    }

    /// Reads [`put`](Self::put) back.
    pub(crate) fn read(reader: &mut Reader<'_>, least: u32) -> Result<Self> {
        let (slots, scheme) = (reader.u64_varint()?, reader.u8()?);
        let scheme = Scheme::from_id(scheme)
            .ok_or_else(|| Error::malformed(format!("unknown scheme {scheme} of signatures")))?;
        let slots = usize::try_from(slots).unwrap_or(usize::MAX);
        Self::new(scheme, slots, least).map_err(|error| Error::malformed(format!("{error}")))
    }
}
