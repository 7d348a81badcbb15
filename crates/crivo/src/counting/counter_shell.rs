//! The common code of approximate counters and of arrays of them.

use crate::codec::{Reader, put_u64_varint};
use crate::sketch::{Fact, Params};
use crate::{Error, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The largest array: 128 GiB, or 1 GiB where addresses have 32 bits.
const MAX_BYTES: u64 = if usize::BITS < 64 { 1 << 30 } else { 1 << 37 };

/// The counting rule of a register: one number (a probability or a base) and a width.
pub(crate) trait Law: Copy {
    /// The name of the number.
    const NAME: &'static str;
    /// The largest width in an array.
    const MOST_BITS: u32;

    fn number(&self) -> f64;

    fn bits(&self) -> u32;

    /// Returns the number as eight bytes, for files.
    fn word(&self) -> u64;

    fn of_word(word: u64, bits: u32) -> Result<Self>;

    /// Returns the bytes of the table that an array keeps in addition to its counters.
    fn table_bytes(&self) -> u64 {
        0
    }
}

/// The size of a counter or of an array of counters, and its seed, which a merge does not compare.
#[derive(Clone)]
pub(crate) struct CounterSize<L, const ARRAY: bool> {
    pub(super) law: L,
    pub(super) counters: u64,
    pub(super) seed: u64,
}

impl<L: Law, const ARRAY: bool> CounterSize<L, ARRAY> {
    pub(super) fn new(law: L, counters: u64, seed: u64) -> Result<Self> {
        let bits = law.bits();
        if ARRAY && bits > L::MOST_BITS {
            return Err(Error::invalid(format!(
                "counters of an array have at most {} bits, got {bits}; choose a larger {}",
                L::MOST_BITS,
                L::NAME
            )));
        }
        if counters > 0 && counters.div_ceil(8).saturating_mul(u64::from(bits)) <= MAX_BYTES {
            return Ok(Self { law, counters, seed });
        }
        Err(Error::invalid(format!(
            "an array needs at least 1 counter and at most {} GiB, got {counters} of {bits} bits; choose another size",
            MAX_BYTES >> 30
        )))
    }
}

impl<L: Law, const ARRAY: bool> Params for CounterSize<L, ARRAY> {
    const NAMES: &[&str] = &[L::NAME, "bits", "counters"];

    fn numbers(&self) -> Vec<u64> {
        vec![self.law.word(), self.law.bits().into(), self.counters]
    }

    fn of(numbers: &[u64]) -> Result<Self> {
        Self::new(L::of_word(numbers[0], numbers[1] as u32)?, numbers[2], 0)
    }

    fn memory_bytes(&self) -> u64 {
        if !ARRAY {
            return 0;
        }
        (self.counters * u64::from(self.law.bits())).div_ceil(64) * 8 + 8 + self.law.table_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![
            Fact::count("counters", self.counters),
            Fact::number(L::NAME, self.law.number()),
            Fact::count("bits", self.law.bits().into()),
            Fact::seed(self.seed),
        ];
        facts.drain(..usize::from(!ARRAY));
        facts
    }

    fn write(&self, params: &mut Vec<u8>) {
        params.extend(self.law.word().to_le_bytes());
        params.push(self.law.bits() as u8);
        if ARRAY {
            put_u64_varint(params, self.counters);
        }
        params.extend(self.seed.to_le_bytes());
    }

    fn read(mut params: Reader<'_>) -> Result<Self> {
        let (word, bits) = (params.u64()?, params.u8()?);
        let counters = if ARRAY { params.u64_varint()? } else { 1 };
        let seed = params.u64()?;
        params.finish()?;
        Ok(Self { seed, ..Self::of(&[word, bits.into(), counters])? })
    }
}

/// Writes the public methods of one counter. It uses the fields `register` and `lots`, a function `estimate` of the
/// same module, `at`, which creates the counter unless the register does not fit, and `add`, which merges another
/// counter.
macro_rules! counter {
    (one $type:ident, $params:ident) => {
        impl $type {
            /// Estimates the count, with a 95 % interval.
            pub fn estimate(&self) -> crate::Estimate {
                estimate(&self.params, self.register, crate::DEFAULT_CONFIDENCE)
            }

            /// Like [`estimate`](Self::estimate), at another confidence.
            ///
            /// # Errors
            /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
            pub fn estimate_at(&self, confidence: f64) -> crate::Result<crate::Estimate> {
                crate::estimate::check_confidence(confidence)?;
                Ok(estimate(&self.params, self.register, confidence))
            }

            /// Returns the parameters.
            pub fn params(&self) -> $params {
                self.params
            }

            /// Returns the register, which is the whole state of the count.
            pub fn register(&self) -> u32 {
                self.register
            }

            /// Returns whether the register is full, so that further increments are lost.
            pub fn is_saturated(&self) -> bool {
                self.register == self.params.max()
            }

            /// Returns the seed of the random choices.
            pub fn seed(&self) -> u64 {
                self.lots.seed()
            }
        }

        crate::sketch::shell!($type: hashes_nothing, clears, merges);

        impl crate::sketch::OfSize for $type {
            type Params = CounterSize<$params, false>;

            fn params(&self) -> Self::Params {
                CounterSize { law: self.params, counters: 1, seed: self.seed() }
            }
        }

        impl crate::sketch::Core for $type {
            const KIND: crate::Kind = crate::Kind::$type;

            fn heap_bytes(&self) -> usize {
                0
            }

            fn drawn_from(&self) -> Option<u64> {
                (!self.is_empty()).then(|| self.seed())
            }

            fn write(&self, payload: &mut alloc::vec::Vec<u8>) {
                payload.extend(self.lots.state().to_le_bytes());
                payload.extend(self.register.to_le_bytes());
            }

            fn read(size: Self::Params, file: &mut crate::sketch::Payload<'_>) -> crate::Result<Self> {
                let lots = Lots::at(size.seed, file.bytes.u64()?);
                let register = file.bytes.u32()?;
                Self::at(size.law, lots, register).ok_or_else(|| {
                    crate::Error::malformed(alloc::format!("the file is corrupt: the register {register} is too large"))
                })
            }

            fn state(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                use crate::sketch::Fact;
                alloc::vec![
                    Fact::count("register", self.register.into()),
                    Fact::estimate("estimate", self.estimate()),
                ]
            }

            fn absorb(&mut self, other: &Self) -> crate::Result<()> {
                if other.is_empty() {
                    return Ok(());
                }
                if self.is_empty() {
                    self.clone_from(other);
                    return Ok(());
                }
                self.lots.check_apart(&other.lots)?;
                self.add(other);
                Ok(())
            }
        }

        impl crate::sketch::Empty for $type {
            fn empty(size: Self::Params, _: crate::HashSpec) -> Self {
                Self::with_params(size.law, size.seed)
            }

            fn has_nothing(&self) -> bool {
                self.lots.is_fresh()
            }
        }
    };
    // Writes the public methods of an array of `cells`. It uses `with_cells`, which creates the array, `add`, and the
    // table of probabilities next to the cells, if any.
    (array $type:ident, $params:ident $(, $table:ident)?) => {
        impl $type {
            /// Creates `len` counters at 0.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if `len` is 0, if the counters exceed 128 GiB, or if the counters of a Morris
            /// array have more than 16 bits.
            pub fn with_params(len: u64, params: $params, seed: u64) -> crate::Result<Self> {
                let size = CounterSize::new(params, len, seed)?;
                Ok(crate::sketch::Empty::empty(size, crate::HashSpec::default()))
            }

            /// Estimates the count of one counter, with a 95 % interval.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if there is no such counter.
            pub fn estimate(&self, index: usize) -> crate::Result<crate::Estimate> {
                Ok(estimate(&self.params, self.cells.get(index)?, crate::DEFAULT_CONFIDENCE))
            }

            /// Like [`estimate`](Self::estimate), at another confidence.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if there is no such counter, or if `confidence` does not lie strictly between
            /// 0 and 1.
            pub fn estimate_at(&self, index: usize, confidence: f64) -> crate::Result<crate::Estimate> {
                crate::estimate::check_confidence(confidence)?;
                Ok(estimate(&self.params, self.cells.get(index)?, confidence))
            }

            /// Returns the register of one counter.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if there is no such counter.
            pub fn register(&self, index: usize) -> crate::Result<u32> {
                self.cells.get(index)
            }

            /// Returns the counter of the key with this hash. Several keys may share a counter.
            #[inline]
            pub fn place(&self, hash: u64) -> usize {
                crate::counting::keyed::place(hash, self.len())
            }

            /// Estimates how often the keys with these hashes were counted at their [`place`](Self::place), with 95 %
            /// intervals that allow for the other keys of a counter.
            pub fn frequency_hashes(&self, hashes: &[u64]) -> alloc::vec::Vec<crate::Estimate> {
                let registers: alloc::vec::Vec<u32> = self.cells.registers.iter().collect();
                let estimate = |register, confidence| estimate(&self.params, register, confidence);
                crate::counting::keyed::frequencies(&registers, estimate, hashes)
            }

            /// Returns the number of counters.
            pub fn len(&self) -> usize {
                self.cells.registers.len()
            }

            /// Returns the parameters of each counter.
            pub fn params(&self) -> $params {
                self.params
            }

            /// Returns the seed of the random choices.
            pub fn seed(&self) -> u64 {
                self.cells.lots.seed()
            }
        }

        crate::sketch::shell!($type: hashes_nothing, clears, merges);

        impl crate::sketch::OfSize for $type {
            type Params = CounterSize<$params, true>;

            fn params(&self) -> Self::Params {
                CounterSize { law: self.params, counters: self.len() as u64, seed: self.seed() }
            }
        }

        impl crate::sketch::Core for $type {
            const KIND: crate::Kind = crate::Kind::$type;

            fn heap_bytes(&self) -> usize {
                self.cells.registers.memory_bytes() $(+ self.$table.capacity() * size_of::<u64>())?
            }

            fn heap_bound(&self) -> Option<usize> {
                use crate::counting::counter_shell::Law;
                Some(self.cells.registers.memory_bytes() + self.params.table_bytes() as usize)
            }

            fn drawn_from(&self) -> Option<u64> {
                (!self.is_empty()).then(|| self.seed())
            }

            fn write(&self, payload: &mut alloc::vec::Vec<u8>) {
                self.cells.write(payload);
            }

            fn read(size: Self::Params, file: &mut crate::sketch::Payload<'_>) -> crate::Result<Self> {
                Ok(Self::with_cells(size.law, Cells::read(&size, file)?))
            }

            fn state(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                self.cells.state(self.params.max())
            }

            fn absorb(&mut self, other: &Self) -> crate::Result<()> {
                if self.cells.merges(&other.cells)? {
                    self.add(other);
                }
                Ok(())
            }
        }

        impl crate::sketch::Empty for $type {
            fn empty(size: Self::Params, _: crate::HashSpec) -> Self {
                Self::with_cells(size.law, Cells::new(&size))
            }

            fn has_nothing(&self) -> bool {
                self.cells.is_empty()
            }
        }
    };
}
pub(super) use counter;
