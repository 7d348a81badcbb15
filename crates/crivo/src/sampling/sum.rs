//! Sums of weights, and how numbers are written.

use crate::Result;
use crate::codec::Reader;
use alloc::vec::Vec;

/// A compensated sum: the sum of many numbers together with its accumulated rounding error (Neumaier 1974).
#[derive(Clone, Default, PartialEq)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, number: f64) {
        let sum = self.sum + number;
        if sum < f64::INFINITY {
            self.lost +=
                if self.sum >= number { (self.sum - sum) + number } else { (number - sum) + self.sum };
        }
        self.sum = sum;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.add(other.sum);
        self.lost += other.lost;
    }

    pub(super) fn value(&self) -> f64 {
        self.sum + self.lost
    }

    pub(super) fn parts(&self) -> [f64; 2] {
        [self.sum, self.lost]
    }

    pub(super) fn from_parts([sum, lost]: [f64; 2]) -> Self {
        Self { sum, lost }
    }

    /// Returns whether a sum of non-negative numbers can have this value.
    pub(super) fn is_sound(&self) -> bool {
        self.sum.is_sign_positive()
            && !self.sum.is_nan()
            && libm::fabs(self.lost) <= self.sum
            && self.lost < f64::INFINITY
    }
}

pub(super) fn put_f64s(bytes: &mut Vec<u8>, numbers: &[f64]) {
    for number in numbers {
        bytes.extend(number.to_bits().to_le_bytes());
    }
}

pub(super) fn get_f64(reader: &mut Reader<'_>) -> Result<f64> {
    reader.u64().map(f64::from_bits)
}
