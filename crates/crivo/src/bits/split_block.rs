//! The blocks of a split-block Bloom filter.

/// A block of 256 bits in eight words, all in one cache line; an item sets one bit of each word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub(crate) struct SplitBlock([u32; 8]);

/// The odd multipliers of the Parquet specification, one for each word.
const SALTS: [u32; 8] =
    [0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31];

impl SplitBlock {
    pub(crate) const BYTES: usize = 32;
    pub(crate) const EMPTY: Self = Self([0; 8]);

    /// Returns the index of a hash's block among `blocks` blocks.
    #[inline]
    pub(crate) fn index(hash: u64, blocks: usize) -> usize {
        (((hash >> 32) * blocks as u64) >> 32) as usize
    }

    #[expect(clippy::inline_always, reason = "takes the instruction set of its caller")]
    #[inline(always)]
    fn mask(hash: u64) -> [u32; 8] {
        SALTS.map(|salt| 1 << ((hash as u32).wrapping_mul(salt) >> 27))
    }

    /// Sets the bits of a hash; returns whether any of them was clear.
    #[expect(clippy::inline_always, reason = "takes the instruction set of its caller")]
    #[inline(always)]
    pub(crate) fn set(&mut self, hash: u64) -> bool {
        let mut missing = 0;
        for (word, bit) in self.0.iter_mut().zip(Self::mask(hash)) {
            missing |= bit & !*word;
            *word |= bit;
        }
        missing != 0
    }

    /// Returns whether the bits of a hash are all set.
    #[expect(clippy::inline_always, reason = "takes the instruction set of its caller")]
    #[inline(always)]
    pub(crate) fn has(&self, hash: u64) -> bool {
        let pairs = self.0.iter().zip(Self::mask(hash));
        pairs.fold(0, |missing, (word, bit)| missing | bit & !word) == 0
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    pub(crate) fn union_with(&mut self, other: &Self) {
        for (word, theirs) in self.0.iter_mut().zip(other.0) {
            *word |= theirs;
        }
    }

    /// Returns the number of ones in each word.
    pub(crate) fn ones(&self) -> [u32; 8] {
        self.0.map(u32::count_ones)
    }

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (four, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
            *four = word.to_le_bytes();
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let mut block = Self::EMPTY;
        for (word, &four) in block.0.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(four);
        }
        block
    }
}
