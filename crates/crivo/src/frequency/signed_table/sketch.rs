//! What the sketches of a signed table share, as they differ only in how they answer.

/// What sketches of a signed table have in common: their inherent methods but those that answer, and their traits.
macro_rules! signed_table_sketch {
    ($type:ident, $params:ident) => {
        impl $type {
            /// An empty sketch with the default hash.
            pub fn new(params: $params) -> Self {
                Self::with_spec(params, crate::HashSpec::default())
            }

            /// An empty sketch with a hash of one's own.
            pub fn with_spec(params: $params, spec: crate::HashSpec) -> Self {
                Self::of(params, SignedTable::new(params.shape(), spec))
            }

            /// Adds `count` occurrences of an item, or takes them away where it is negative.
            ///
            /// # Errors
            /// `Full` when the absolute values of all counts would add up to 2⁶³ or more; nothing changes then.
            #[inline]
            pub fn add<T: crate::Item + ?Sized>(&mut self, item: &T, count: i64) -> crate::Result<()> {
                self.add_hash(self.hash_spec().hash(item), count)
            }

            /// Adds `count` occurrences of the item with this hash.
            ///
            /// # Errors
            /// As [`add`](Self::add).
            #[inline]
            pub fn add_hash(&mut self, hash: u64, count: i64) -> crate::Result<()> {
                self.table.add_hash(hash, count)
            }

            /// Adds one occurrence of each of many items by their hashes, overlapping the cache misses.
            ///
            /// # Errors
            /// As [`add`](Self::add); all are added or none.
            pub fn add_hashes(&mut self, hashes: &[u64]) -> crate::Result<()> {
                self.table.add_hashes(hashes)
            }

            /// How often an item was added, less how often it was taken away, at 95 %.
            pub fn frequency<T: crate::Item + ?Sized>(&self, item: &T) -> crate::Estimate {
                self.frequency_hash(self.hash_spec().hash(item))
            }

            /// How often each of many items was added, overlapping the cache misses.
            pub fn frequency_hashes(&self, hashes: &[u64]) -> alloc::vec::Vec<crate::Estimate> {
                crate::memory::answer_in_batches(
                    hashes,
                    |batch| self.table.prefetch(batch),
                    |hash| self.frequency_hash(hash),
                )
            }

            /// [`frequency`](Self::frequency) at another confidence.
            ///
            /// # Errors
            /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
            pub fn frequency_at<T: crate::Item + ?Sized>(
                &self,
                item: &T,
                confidence: f64,
            ) -> crate::Result<crate::Estimate> {
                self.frequency_hash_at(self.hash_spec().hash(item), confidence)
            }

            /// The sum of all counts, exactly: what was added less what was taken away.
            pub fn total(&self) -> i64 {
                self.table.total()
            }

            /// The sum of the absolute values of all counts: never less than that of the absolute frequencies.
            pub fn volume(&self) -> u64 {
                self.table.volume()
            }

            /// The cells of one row.
            ///
            /// # Errors
            /// `InvalidArgument` when there is no such row.
            pub fn row(&self, row: u32) -> crate::Result<alloc::vec::Vec<i64>> {
                self.table.row(row)
            }

            /// Becomes the sketch of both streams.
            ///
            /// # Errors
            /// `Incompatible` when size or hash differ, `Full` when the volumes add up to 2⁶³ or more; `self` is
            /// unchanged then.
            pub fn merge(&mut self, other: &Self) -> crate::Result<()> {
                self.table.merge(&other.table)
            }

            /// Forgets everything.
            pub fn clear(&mut self) {
                self.table.clear();
            }

            /// Whether nothing was added. What was added and taken away again was there.
            pub fn is_empty(&self) -> bool {
                self.volume() == 0
            }

            /// The size.
            pub fn params(&self) -> $params {
                self.params
            }

            /// How it hashes.
            pub fn hash_spec(&self) -> &crate::HashSpec {
                self.table.spec()
            }

            /// The memory it holds, in bytes, itself included.
            pub fn memory_bytes(&self) -> usize {
                size_of::<Self>() + self.table.cell_bytes()
            }
        }

        crate::sketch::wire_methods!($type);

        impl crate::sketch::Wire for $type {
            fn to_bytes(&self) -> alloc::vec::Vec<u8> {
                let (mut params, mut payload) = (alloc::vec::Vec::new(), alloc::vec::Vec::new());
                self.table.put_params(&mut params);
                self.table.put_payload(&mut payload);
                crate::codec::seal(crate::Kind::$type, Some(self.hash_spec()), &params, &payload)
            }

            fn from_bytes_with(bytes: &[u8], options: &crate::DecodeOptions) -> crate::Result<Self> {
                let mut envelope = crate::codec::open(crate::Kind::$type, bytes, options)?;
                let shape = SignedTable::<{ $type::SIGNS }>::read_shape(&mut envelope.params)?;
                envelope.params.finish()?;
                let table =
                    SignedTable::read_payload(&mut envelope.payload, shape, envelope.spec, 0, options)?;
                Ok(Self::of($params::of(shape), table))
            }
        }

        impl crate::sketch::Sketch for $type {
            fn kind(&self) -> crate::Kind {
                crate::Kind::$type
            }

            fn hash_spec(&self) -> Option<&crate::HashSpec> {
                Some(self.hash_spec())
            }

            fn memory_bytes(&self) -> usize {
                self.memory_bytes()
            }

            fn facts(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                use crate::sketch::Fact;
                alloc::vec![
                    Fact::count("width", self.params.width()),
                    Fact::count("depth", self.params.depth().into()),
                    Fact::number("total", self.total() as f64),
                    Fact::count("volume", self.volume()),
                    Fact::number("error_share", self.params.error_at(crate::DEFAULT_CONFIDENCE)),
                ]
            }
        }

        impl crate::sketch::Merge for $type {
            fn merge(&mut self, other: &Self) -> crate::Result<()> {
                self.merge(other)
            }
        }

        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(
                    f,
                    concat!(stringify!($type), "({} x {}, total {}, volume {}, {})"),
                    self.params.depth(),
                    self.params.width(),
                    self.total(),
                    self.volume(),
                    self.hash_spec()
                )
            }
        }
    };
}
pub(in crate::frequency) use signed_table_sketch;

/// What the sizes of signed tables have in common.
macro_rules! signed_table_params {
    ($params:ident) => {
        impl $params {
            /// Exactly this table.
            ///
            /// # Errors
            /// `InvalidArgument` when `width` is 0, `depth` is not 1 to 64, or the table exceeds 128 GiB.
            pub fn exact(width: u64, depth: u32) -> crate::Result<Self> {
                Shape::new(width, depth, CELL_BYTES).map(Self::of)
            }

            pub(super) fn of(shape: Shape) -> Self {
                Self { shape }
            }

            pub(super) fn shape(&self) -> Shape {
                self.shape
            }

            /// The number of columns, w.
            pub fn width(&self) -> u64 {
                self.shape.width
            }

            /// The number of rows, k.
            pub fn depth(&self) -> u32 {
                self.shape.depth
            }

            /// The bytes that the cells take.
            pub fn memory_bytes(&self) -> u64 {
                self.shape.bytes(CELL_BYTES)
            }
        }
    };
}
pub(in crate::frequency) use signed_table_params;
