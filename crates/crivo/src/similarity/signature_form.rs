//! The form that all signatures of one index share.

use super::signature::{MAX_K, Scheme, Signature};
use super::{LshIndex, LshParams};
use crate::sketch::{Fact, Params, narrow};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The scheme and the number of slots of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    scheme: Scheme,
    slots: u32,
}

const REMEDY: &str = "create all signatures of an index with the same parameters";

impl Form {
    /// Creates a form; at least `least` slots are needed.
    pub(crate) fn new(scheme: Scheme, slots: usize, least: u32) -> Result<Self> {
        match u32::try_from(slots) {
            Ok(slots @ 1..=MAX_K) if slots >= least => Ok(Self { scheme, slots }),
            _ => Err(Error::invalid(format!(
                "signatures of {least} to {MAX_K} slots are needed, got {slots}; use larger signatures or fewer bands"
            ))),
        }
    }

    pub(crate) fn scheme(self) -> Scheme {
        self.scheme
    }

    pub(crate) fn slots(self) -> usize {
        self.slots as usize
    }

    /// Returns `Incompatible` unless the signature has this form and this hash.
    pub(crate) fn check(self, signature: &impl Signature, spec: &HashSpec) -> Result<()> {
        self.check_scheme(signature.scheme())?;
        self.check_slots(signature.slots())?;
        spec.check_same(signature.hash_spec())
    }

    /// Returns `Incompatible` unless the number of slots is that of the form.
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

    /// Returns the numbers in a file.
    pub(crate) fn numbers(self) -> [u64; 2] {
        [self.slots.into(), self.scheme as u64]
    }

    /// Reads [`numbers`](Self::numbers).
    pub(crate) fn of([slots, scheme]: [u64; 2], least: u32) -> Result<Self> {
        Self::new(Scheme::from_id(scheme)?, usize::try_from(slots).unwrap_or(usize::MAX), least)
    }
}

/// The bands of signatures of one form.
#[derive(Clone, Copy)]
pub(crate) struct Banded {
    pub(super) bands: LshParams,
    pub(super) form: Form,
}

impl Params for Banded {
    const REMEDY: &str = "build both for the same bands and signatures";
    const NAMES: &[&str] = &["bands", "rows", "slots", "scheme"];

    fn numbers(&self) -> Vec<u64> {
        let [slots, scheme] = self.form.numbers();
        vec![self.bands.bands().into(), self.bands.rows().into(), slots, scheme]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        let bands = LshParams::exact(narrow(numbers[0])?, narrow(numbers[1])?)?;
        Ok(Self { bands, form: Form::of([numbers[2], numbers[3]], bands.slots())? })
    }

    /// Returns the memory of an empty index.
    fn memory_bytes(&self) -> u64 {
        size_of::<LshIndex>() as u64
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            Fact::count("bands", self.bands.bands().into()),
            Fact::count("rows", self.bands.rows().into()),
            Fact::text("scheme", self.form.scheme.name()),
            Fact::count("slots", self.form.slots.into()),
        ]
    }
}
