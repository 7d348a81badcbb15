//! What counters that draw lots have in common, and arrays of them.

/// The answers and traits of one counter: its `register`, its `lots`, and a function `estimate` beside it. `$fact` is what
/// its params say besides the bits.
macro_rules! small_counter {
    ($type:ident, $params:ident, $fact:ident) => {
        impl $type {
            /// The count, at 95 %.
            pub fn estimate(&self) -> Estimate {
                estimate(&self.params, self.register, DEFAULT_CONFIDENCE)
            }

            /// [`estimate`](Self::estimate) at another confidence.
            ///
            /// # Errors
            /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
            pub fn estimate_at(&self, confidence: f64) -> Result<Estimate> {
                check_confidence(confidence)?;
                Ok(estimate(&self.params, self.register, confidence))
            }

            /// Forgets everything, the numbers drawn too: it is as new, and would make the same choices again.
            pub fn clear(&mut self) {
                *self = Self::new(self.params, self.seed());
            }

            /// Whether nothing was counted.
            pub fn is_empty(&self) -> bool {
                self.lots.is_fresh()
            }

            #[doc = concat!("Its ", stringify!($fact), " and bits.")]
            pub fn params(&self) -> $params {
                self.params
            }

            /// The register: all that it knows of the count.
            pub fn register(&self) -> u32 {
                self.register
            }

            /// Whether the register is at its end, and counts no more.
            pub fn is_saturated(&self) -> bool {
                self.register == self.params.max()
            }

            /// The seed that it was made with.
            pub fn seed(&self) -> u64 {
                self.lots.seed()
            }

            /// The memory it holds, in bytes.
            pub fn memory_bytes(&self) -> usize {
                size_of::<Self>()
            }
        }

        impl Sketch for $type {
            fn kind(&self) -> Kind {
                Kind::$type
            }

            fn hash_spec(&self) -> Option<&HashSpec> {
                None
            }

            fn memory_bytes(&self) -> usize {
                self.memory_bytes()
            }

            fn facts(&self) -> Vec<Fact> {
                vec![
                    Fact::number(stringify!($fact), self.params.$fact()),
                    Fact::count("bits", u64::from(self.params.bits())),
                    Fact::seed(self.seed()),
                    Fact::count("register", u64::from(self.register)),
                    Fact::estimate("estimate", self.estimate()),
                ]
            }
        }

        impl Merge for $type {
            fn merge(&mut self, other: &Self) -> Result<()> {
                self.merge(other)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    concat!(stringify!($type), "(", stringify!($fact), " {}, {} bits, register {}, seed {})"),
                    self.params.$fact(),
                    self.params.bits(),
                    self.register,
                    self.seed()
                )
            }
        }
    };
}
pub(super) use small_counter;

/// The same of an array with `cells`.
macro_rules! counter_array {
    ($type:ident, $params:ident, $fact:ident) => {
        impl $type {
            /// The count of a counter, at 95 %.
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such counter.
            pub fn estimate(&self, index: usize) -> Result<Estimate> {
                Ok(estimate(&self.params, self.cells.get(index)?, DEFAULT_CONFIDENCE))
            }

            /// [`estimate`](Self::estimate) at another confidence.
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such counter, or `confidence` does not lie strictly between 0 and 1.
            pub fn estimate_at(&self, index: usize, confidence: f64) -> Result<Estimate> {
                check_confidence(confidence)?;
                Ok(estimate(&self.params, self.cells.get(index)?, confidence))
            }

            /// The register of a counter.
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such counter.
            pub fn register(&self, index: usize) -> Result<u32> {
                self.cells.get(index)
            }

            /// Forgets everything, the numbers drawn too: it is as new, and would make the same choices again.
            pub fn clear(&mut self) {
                self.cells.clear();
            }

            /// Whether nothing was counted.
            pub fn is_empty(&self) -> bool {
                self.cells.is_empty()
            }

            /// How many counters there are.
            pub fn len(&self) -> usize {
                self.cells.registers.len()
            }

            #[doc = concat!("Its ", stringify!($fact), " and bits.")]
            pub fn params(&self) -> $params {
                self.params
            }

            /// The seed that it was made with.
            pub fn seed(&self) -> u64 {
                self.cells.lots.seed()
            }
        }

        impl Sketch for $type {
            fn kind(&self) -> Kind {
                Kind::$type
            }

            fn hash_spec(&self) -> Option<&HashSpec> {
                None
            }

            fn memory_bytes(&self) -> usize {
                self.memory_bytes()
            }

            fn facts(&self) -> Vec<Fact> {
                let count = |is: &dyn Fn(u32) -> bool| {
                    self.cells.registers.iter().filter(|&register| is(register)).count() as u64
                };
                vec![
                    Fact::count("counters", self.len() as u64),
                    Fact::number(stringify!($fact), self.params.$fact()),
                    Fact::count("bits", u64::from(self.params.bits())),
                    Fact::seed(self.seed()),
                    Fact::count("in_use", count(&|register| register > 0)),
                    Fact::count("saturated", count(&|register| register == self.params.max())),
                ]
            }
        }

        impl Merge for $type {
            fn merge(&mut self, other: &Self) -> Result<()> {
                self.merge(other)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    concat!(stringify!($type), "({} counters, ", stringify!($fact), " {}, {} bits, seed {})"),
                    self.len(),
                    self.params.$fact(),
                    self.params.bits(),
                    self.seed()
                )
            }
        }
    };
}
pub(super) use counter_array;
