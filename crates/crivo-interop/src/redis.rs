//! The HyperLogLog of Redis and Valkey: see [`RedisHll`].
//!
//! ```text
//! bytes 0–3   HYLL
//! byte 4      0 dense, 1 sparse          bytes 5–7  0
//! bytes 8–15  the cached count; its highest bit says that the cache is out of date
//! dense:      16,384 registers of six bits, lowest bits first
//! sparse:     00nnnnnn            n + 1 empty registers
//!             01nnnnnn nnnnnnnn   n + 1 empty registers
//!             1vvvvvnn            n + 1 registers of rank v + 1
//! ```

use crate::foreign::{Answers, Format, count, estimate, text};
use crate::ranks::Ranks;
use crivo::foreign::{Reader, check_confidence, malformed};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Result};

/// The first bytes.
pub(crate) const MAGIC: &[u8] = b"HYLL";
/// log₂ of the number of registers.
const PRECISION: u8 = 14;
/// The ranks of 50 bits, and of none of them.
const MOST: u8 = 51;
/// The greatest rank that the sparse form can hold.
const MOST_SPARSE: u8 = 32;
/// The largest sparse form of a server whose configuration has not been changed, with its header.
const SPARSE_BYTES: usize = 3000;
const REGISTER_BYTES: usize = (1 << PRECISION) / 4 * 3;
const HEADER_BYTES: usize = 16;

/// A HyperLogLog of Redis or Valkey, as `GET` returns it for a key of `PFADD`.
///
/// # Guarantee
/// The value is Crivo's own estimator on the registers, which is as close as the one of Redis. [`Guarantee::Approximate`](crivo::Guarantee).
///
/// # Merge
/// Exact, as `PFMERGE`.
///
/// # Example
/// ```
/// use crivo_interop::RedisHll;
/// let mut visitors = RedisHll::new();
/// (0..5000).for_each(|visitor| visitors.insert(format!("visitor:{visitor}")));
/// let bytes = visitors.to_bytes(); // for SET; PFCOUNT and PFMERGE take them
/// assert!(RedisHll::from_bytes(&bytes)?.estimate().contains(5000.0));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RedisHll {
    ranks: Ranks,
    /// Redis stays dense once it was.
    is_dense: bool,
    /// The cached count, with its mark.
    cache: u64,
}

/// The mark of a cache that is out of date.
const STALE: u64 = 1 << 63;

impl Default for RedisHll {
    fn default() -> Self {
        Self::new()
    }
}

impl RedisHll {
    /// Creates an empty sketch, whose count Redis computes when it is asked.
    pub fn new() -> Self {
        Self { ranks: Ranks::new(PRECISION, MOST), is_dense: false, cache: STALE }
    }

    /// Inserts an item as `PFADD` does: by its bytes. The empty text is an item too.
    pub fn insert(&mut self, item: impl AsRef<[u8]>) {
        let hash = murmur64a(item.as_ref());
        let rank = ((hash >> PRECISION) | 1 << (MOST - 1)).trailing_zeros() + 1;
        self.raise((hash & ((1 << PRECISION) - 1)) as usize, rank as u8);
    }

    fn raise(&mut self, register: usize, rank: u8) {
        if self.ranks.as_slice()[register] < rank {
            self.ranks.raise(register, rank);
            self.cache |= STALE;
        }
    }

    /// Takes in all items of another sketch.
    pub fn merge(&mut self, other: &Self) {
        self.ranks.merge(&other.ranks);
        self.is_dense |= other.is_dense;
        self.cache |= STALE;
    }

    /// Returns the estimated number of distinct items, at 95 % confidence.
    pub fn estimate(&self) -> Estimate {
        self.ranks.estimate(DEFAULT_CONFIDENCE)
    }

    /// Returns the estimate at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn estimate_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.ranks.estimate(confidence))
    }

    /// Returns whether nothing was inserted.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Returns whether its bytes are registers of six bits rather than runs of registers.
    pub fn is_dense(&self) -> bool {
        self.is_dense || self.runs().is_none()
    }

    /// Reads the value of a key.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let magic: [u8; 4] = reader.array()?;
        let [form, ..]: [u8; 4] = reader.array()?;
        if magic != MAGIC || form > 1 {
            return Err(malformed(
                "a HyperLogLog of Redis begins with HYLL and a form of 0 or 1; this does not",
            ));
        }
        let cache = reader.u64()?;
        let mut sketch = Self { is_dense: form == 0, cache, ..Self::new() };
        if sketch.is_dense {
            let registers = reader.bytes(REGISTER_BYTES)?.as_chunks::<3>().0.iter().flat_map(|&[a, b, c]| {
                let packed = u32::from_le_bytes([a, b, c, 0]);
                [0, 6, 12, 18].map(|shift| (packed >> shift) as u8 & 63)
            });
            for (register, rank) in registers.enumerate() {
                sketch.ranks.raise(register, rank);
            }
        } else {
            sketch.read_runs(&mut reader)?;
        }
        reader.finish()?;
        if sketch.ranks.as_slice().iter().any(|&rank| rank > MOST) {
            return Err(malformed(format!("a register holds at most {MOST}")));
        }
        Ok(sketch)
    }

    fn read_runs(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let mut register = 0;
        while !reader.rest().is_empty() {
            let code = reader.u8()?;
            let (run, rank) = match code >> 6 {
                0 => (usize::from(code) + 1, 0),
                1 => (usize::from(code & 63) << 8 | usize::from(reader.u8()?), 0),
                _ => (usize::from(code & 3) + 1, (code >> 2 & 31) + 1),
            };
            let run = if code >> 6 == 1 { run + 1 } else { run };
            if run > (1 << PRECISION) - register {
                return Err(malformed("the runs have more than 16,384 registers"));
            }
            (register..register + run).for_each(|place| self.ranks.raise(place, rank));
            register += run;
        }
        if register == 1 << PRECISION {
            return Ok(());
        }
        Err(malformed(format!("the runs have {register} registers, expected 16,384")))
    }

    /// Writes the value of a key: runs of registers while these are short, as Redis does.
    pub fn to_bytes(&self) -> Vec<u8> {
        let runs = if self.is_dense { None } else { self.runs() };
        let mut bytes = MAGIC.to_vec();
        bytes.extend([u8::from(runs.is_some()), 0, 0, 0]);
        bytes.extend(self.cache.to_le_bytes());
        match runs {
            Some(runs) => bytes.extend(runs),
            None => {
                for four in self.ranks.as_slice().as_chunks::<4>().0 {
                    let packed = four.iter().rev().fold(0u32, |packed, &rank| packed << 6 | u32::from(rank));
                    bytes.extend(&packed.to_le_bytes()[..3]);
                }
            }
        }
        bytes
    }

    /// Returns the runs of equal registers, or nothing if they are too long, or a rank is too great.
    fn runs(&self) -> Option<Vec<u8>> {
        let mut runs = Vec::new();
        for run in self.ranks.as_slice().chunk_by(|a, b| a == b) {
            let mut length = run.len();
            match run[0] {
                0 if length > 64 => runs.extend(((length - 1) as u16 | 1 << 14).to_be_bytes()),
                0 => runs.push((length - 1) as u8),
                rank @ 1..=MOST_SPARSE => {
                    while length > 0 {
                        let part = length.min(4);
                        runs.push(1 << 7 | (rank - 1) << 2 | (part - 1) as u8);
                        length -= part;
                    }
                }
                _ => return None,
            }
        }
        (runs.len() + HEADER_BYTES <= SPARSE_BYTES).then_some(runs)
    }
}

/// `MurmurHash64A` of Appleby, with the seed of Redis.
fn murmur64a(bytes: &[u8]) -> u64 {
    const SEED: u64 = 0xadc8_3b19;
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |word: u64| word.wrapping_mul(FACTOR);
    let shake = |word: u64| word ^ (word >> 47);
    let (words, tail) = bytes.as_chunks::<8>();
    let mut hash = SEED ^ mix(bytes.len() as u64);
    for word in words {
        hash = mix(hash ^ mix(shake(mix(u64::from_le_bytes(*word)))));
    }
    if !tail.is_empty() {
        let mut last = [0; 8];
        last[..tail.len()].copy_from_slice(tail);
        hash = mix(hash ^ u64::from_le_bytes(last));
    }
    shake(mix(shake(hash)))
}

impl Answers for RedisHll {
    fn format(&self) -> Format {
        Format::RedisHll
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            estimate("distinct", self.estimate()),
            count("precision", PRECISION.into()),
            text("form", if self.is_dense() { "dense" } else { "sparse" }),
        ]
    }

    fn cardinality_within(&self, confidence: f64) -> Result<Estimate> {
        self.estimate_at(confidence)
    }
}
