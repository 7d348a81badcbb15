//! The hash functions of the documents, each as a family, and the default of the library.

use crivo::HashSpec;
use crivo::hash::Probes;
use crivo::hash::classic::{djb31ma, java_string, murmur3_32, one_at_a_time, sha1};
use crivo::rng::Rng;

/// Functions that a Bloom filter takes.
pub(super) const HASHES: usize = 7;

/// H1 to H6 and the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Java,
    Djb31ma,
    OneAtATime,
    Murmur3,
    Sha1,
    SipHash,
    Default,
}
use Function::{Default, Djb31ma, Java, Murmur3, OneAtATime, Sha1, SipHash};

impl Function {
    pub(super) const ALL: [Self; 7] = [Java, Djb31ma, OneAtATime, Murmur3, Sha1, SipHash, Default];
    /// Those that should be as good as random.
    pub(super) const STRONG: [Self; 4] = [Murmur3, Sha1, SipHash, Default];
    /// Those that are polynomials.
    pub(super) const WEAK: [Self; 2] = [Java, Djb31ma];

    pub(super) fn name(self) -> &'static str {
        match self {
            Java => "H1 Java strings",
            Djb31ma => "H2 DJB31MA",
            OneAtATime => "H3 one-at-a-time",
            Murmur3 => "H4 MurmurHash3",
            Sha1 => "H5 SHA-1",
            SipHash => "H6 SipHash",
            Default => "Crivo's default",
        }
    }

    /// Bits of a value; of SHA-1 the first 64 are taken.
    pub(super) fn bits(self) -> u32 {
        match self {
            Java | Djb31ma | OneAtATime | Murmur3 => 32,
            Sha1 | SipHash | Default => 64,
        }
    }
}

/// Functions of one family, as many as a Bloom filter takes, drawn by random seeds. What has no seed gets it as a prefix.
pub(super) struct Family {
    pub(super) function: Function,
    seeds: [u32; HASHES],
    spec: HashSpec,
}

impl Family {
    pub(super) fn new(function: Function, rng: &mut Rng) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "32 random bits of 64 are wanted")]
        let seeds = std::array::from_fn(|_| rng.next_u64() as u32);
        let (first, second) = (rng.next_u64(), rng.next_u64());
        let key = u128::from(first) << 64 | u128::from(second);
        let is_keyed = function == SipHash;
        let spec = if is_keyed { HashSpec::keyed(key.to_le_bytes()) } else { HashSpec::seeded(first) };
        Self { function, seeds, spec }
    }

    /// The value of an item by the function of this number; a 64-bit family has only the first.
    pub(super) fn value(&self, number: usize, item: &[u8]) -> u64 {
        let seed = self.seeds[number];
        let prefixed = || [&seed.to_le_bytes(), item].concat();
        match self.function {
            Java => java_string(&prefixed()).into(),
            Djb31ma => djb31ma(item, seed).into(),
            OneAtATime => one_at_a_time(&prefixed()).into(),
            Murmur3 => murmur3_32(item, seed).into(),
            Sha1 => u64::from_le_bytes(std::array::from_fn({
                let digest = sha1(&prefixed());
                move |i| digest[i]
            })),
            SipHash | Default => self.spec.hash_bytes(item),
        }
    }

    /// 64 bits: those of the value, or two values of 32.
    pub(super) fn wide(&self, item: &[u8]) -> u64 {
        let first = self.value(0, item);
        if self.function.bits() == 64 { first } else { first << 32 | self.value(1, item) }
    }

    /// Positions in a Bloom filter: as Lopes has them, one from each of several seeds, or as the library has them, all from one
    /// value of 64 bits.
    pub(super) fn positions(&self, item: &[u8], bits: u64) -> [u64; HASHES] {
        if self.function.bits() == 64 {
            let mut probes = Probes::new(self.value(0, item), bits);
            return std::array::from_fn(|_| probes.next_position());
        }
        std::array::from_fn(|number| self.value(number, item) % bits)
    }
}
