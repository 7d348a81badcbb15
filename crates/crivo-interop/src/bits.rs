//! Numbers of any width up to 64 bits, one after another, highest bit first.

use crivo::Result;
use crivo::foreign::Reader;

/// Writes numbers of some bits each.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    waiting: u128,
    held: u32,
}

impl BitWriter {
    /// Writes the lowest `width` bits of a number, which has no others.
    pub(crate) fn push(&mut self, number: u64, width: u32) {
        self.waiting = self.waiting << width | u128::from(number);
        self.held += width;
        while self.held >= 8 {
            self.held -= 8;
            self.bytes.push((self.waiting >> self.held) as u8);
        }
    }

    /// Returns the bytes; what is left of the last is 0.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.held > 0 {
            self.bytes.push((self.waiting << (8 - self.held)) as u8);
        }
        self.bytes
    }
}

/// Reads `count` numbers of `width` bits each. They must be there before memory is reserved for them.
pub(crate) fn read_numbers(reader: &mut Reader<'_>, count: u64, width: u32) -> Result<Vec<u64>> {
    let packed = count.saturating_mul(width.into()).div_ceil(8);
    let mut packed = reader.bytes(usize::try_from(packed).unwrap_or(usize::MAX))?.iter();
    let (mut waiting, mut held) = (0u128, 0);
    let mut numbers = Vec::with_capacity(count as usize);
    for _ in 0..count {
        while held < width {
            waiting = waiting << 8 | u128::from(*packed.next().expect("the length was checked"));
            held += 8;
        }
        held -= width;
        numbers.push((waiting >> held) as u64 & (u64::MAX >> (64 - width)));
    }
    Ok(numbers)
}
