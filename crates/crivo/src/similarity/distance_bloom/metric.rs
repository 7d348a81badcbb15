//! The distances that a [`DistanceBloom`] supports: see [`Metric`].

#[cfg(doc)]
use super::DistanceBloom;
use crate::similarity::signature::Scheme;
use crate::{Error, Result};
use alloc::format;
use core::fmt;

pub(super) const MAX_FUNCTIONS: u32 = 1 << 12;

/// The distance function of a [`DistanceBloom`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Metric {
    /// The Hamming distance of bit strings of this length: the number of bits in which they differ.
    Hamming {
        /// The length, 1 to 65,536.
        bits: u32,
    },
    /// The Jaccard distance of sets, by their signatures: 1 − Jaccard's similarity.
    Jaccard {
        /// The scheme of the signatures.
        scheme: Scheme,
        /// The number of slots of a signature, 1 to 65,536.
        slots: u32,
    },
}

impl Metric {
    pub(super) fn most_functions(self, samples: u32) -> u32 {
        match self {
            Self::Hamming { .. } => MAX_FUNCTIONS,
            Self::Jaccard { slots, .. } => MAX_FUNCTIONS.min(slots / samples),
        }
    }

    /// Returns the probability that two items at this distance agree in a sample.
    pub(super) fn agreement(self, distance: f64) -> Result<f64> {
        let longest = match self {
            Self::Hamming { bits } => f64::from(bits),
            Self::Jaccard { .. } => 1.0,
        };
        if (0.0..=longest).contains(&distance) {
            return Ok(1.0 - distance / longest);
        }
        Err(Error::invalid(format!("a distance of {self} must be 0 to {longest}, got {distance}")))
    }
}

impl fmt::Display for Metric {
    /// Prints `Hamming, 256 bits` or `Jaccard, 128 slots (bins)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hamming { bits } => write!(f, "Hamming, {bits} bits"),
            Self::Jaccard { scheme, slots } => write!(f, "Jaccard, {slots} slots ({})", scheme.name()),
        }
    }
}
