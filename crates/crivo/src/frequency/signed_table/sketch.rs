//! The common part of the sketches of a signed table, which differ only in their queries.

/// Declares what sketches of a signed table have in common: all inherent methods except the queries, and the
/// traits.
macro_rules! signed_table {
    (sketch $type:ident, $params:ident) => {
        impl $type {
            /// Adds `count` occurrences of an item, or removes them if it is negative.
            ///
            /// # Errors
            /// `Full` if the absolute values of all counts would add up to 2⁶³ or more; nothing changes then.
            #[inline]
            pub fn add<T: crate::Item + ?Sized>(&mut self, item: &T, count: i64) -> crate::Result<()> {
                self.add_hash(self.hash_spec().hash(item), count)
            }

            /// Adds `count` occurrences of the item with this hash.
            ///
            /// # Errors
            /// The errors of [`add`](Self::add).
            #[inline]
            pub fn add_hash(&mut self, hash: u64, count: i64) -> crate::Result<()> {
                self.table.add_hash(hash, count)
            }

            /// Adds one occurrence of each of many items by their hashes, overlapping the cache misses.
            ///
            /// # Errors
            /// The errors of [`add`](Self::add); all items are added or none.
            pub fn add_hashes(&mut self, hashes: &[u64]) -> crate::Result<()> {
                self.table.add_hashes(hashes)
            }

            /// Returns how often an item was added, less how often it was removed, at 95 % confidence.
            pub fn frequency<T: crate::Item + ?Sized>(&self, item: &T) -> crate::Estimate {
                self.frequency_hash(self.hash_spec().hash(item))
            }

            /// Returns how often each of many items was added, overlapping the cache misses.
            pub fn frequency_hashes(&self, hashes: &[u64]) -> alloc::vec::Vec<crate::Estimate> {
                crate::memory::answer_in_batches(
                    hashes,
                    |batch| self.table.prefetch(batch),
                    |hash| self.frequency_hash(hash),
                )
            }

            /// Returns [`frequency`](Self::frequency) at another confidence.
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

            /// Returns the exact sum of all counts: additions less removals.
            pub fn total(&self) -> i64 {
                self.table.total()
            }

            /// Returns the sum of the absolute values of all counts, which is never less than that of the
            /// absolute frequencies: counts that were added and removed again are included.
            pub fn volume(&self) -> u64 {
                self.table.volume()
            }

            /// Returns the cells of one row.
            ///
            /// # Errors
            /// `InvalidArgument` if there is no such row.
            pub fn row(&self, row: u32) -> crate::Result<alloc::vec::Vec<i64>> {
                self.table.row(row)
            }
        }

        crate::sketch::shell!($type: hashes_by(self => self.table.spec()), empty($params), merges,
            for_target($params::for_error(epsilon: f64, delta: f64)));

        impl crate::sketch::Core for $type {
            const KIND: crate::Kind = crate::Kind::$type;

            fn heap_bytes(&self) -> usize {
                self.table.cell_bytes()
            }

            fn write(&self, payload: &mut alloc::vec::Vec<u8>) {
                self.table.write(payload);
            }

            fn read(params: $params, file: &mut crate::sketch::Payload<'_>) -> crate::Result<Self> {
                Ok(Self::of(params, SignedTable::read(params.shape, file)?))
            }

            fn state(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                use crate::sketch::Fact;
                alloc::vec![
                    Fact::number("total", self.total() as f64),
                    Fact::count("volume", self.volume()),
                    Fact::number("error_share", self.params.error_at(crate::DEFAULT_CONFIDENCE)),
                ]
            }

            fn absorb(&mut self, other: &Self) -> crate::Result<()> {
                self.table.absorb(&other.table)
            }
        }

        impl crate::sketch::Empty for $type {
            fn empty(params: $params, spec: crate::HashSpec) -> Self {
                Self::of(params, SignedTable::new(params.shape, spec))
            }

            /// Counts that were added and removed again still count.
            fn has_nothing(&self) -> bool {
                self.volume() == 0
            }
        }
    };
    // Declares what the params of signed tables have in common.
    (params $params:ident) => {
        impl $params {
            /// Creates params of exactly this table.
            ///
            /// # Errors
            /// `InvalidArgument` when `width` is 0, `depth` is not 1 to 64, or the table exceeds 128 GiB.
            pub fn exact(width: u64, depth: u32) -> crate::Result<Self> {
                Shape::new(width, depth, CELL_BYTES).map(Self::of)
            }

            pub(super) fn of(shape: Shape) -> Self {
                Self { shape }
            }

            /// Returns the number of columns, w.
            pub fn width(&self) -> u64 {
                self.shape.width
            }

            /// Returns the number of rows, k.
            pub fn depth(&self) -> u32 {
                self.shape.depth
            }

            /// Returns the bytes that the cells take.
            pub fn memory_bytes(&self) -> u64 {
                self.shape.bytes(CELL_BYTES)
            }
        }

        impl crate::sketch::Params for $params {
            const NAMES: &[&str] = &["width", "depth"];

            fn numbers(&self) -> alloc::vec::Vec<u64> {
                alloc::vec![self.width(), self.depth().into()]
            }

            fn of(numbers: &[u64]) -> crate::Result<Self> {
                Self::exact(numbers[0], crate::sketch::narrow(numbers[1])?)
            }

            fn memory_bytes(&self) -> u64 {
                self.memory_bytes()
            }
        }
    };
}
pub(in crate::frequency) use signed_table;
