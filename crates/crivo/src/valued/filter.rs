//! The methods that all filters of values share.

/// Writes the public methods of a filter with a `table` of cells. The filter defines the meaning of a cell: `cell_of` a
/// value, `value_of` a cell, `written` (the cell in a file), `empty_cell` (the highest that counts as empty) and
/// `raise_to` (the union). It is created by `of` from a table and a size, which has the `params` of the table and
/// checks occupied cells by `possible`.
macro_rules! filter_of_values {
    (impl[$($generics:tt)*] $type:ty, $name:ident, $value:ty, $cell:ty) => {
        impl<$($generics)*> $type {
            /// Inserts an item with its value, and returns whether a cell was raised. An item that is inserted again
            /// keeps its greatest value.
            ///
            /// # Errors
            /// Returns `InvalidArgument` for a value that no cell can store. On error nothing changes.
            #[inline]
            pub fn insert<T: crate::Item + ?Sized>(&mut self, item: &T, value: $value) -> crate::Result<bool> {
                self.insert_hash(self.table.spec().hash(item), value)
            }

            /// Inserts the item with this hash.
            ///
            /// # Errors
            /// Fails as [`insert`](Self::insert) does.
            #[inline]
            pub fn insert_hash(&mut self, hash: u64, value: $value) -> crate::Result<bool> {
                let cell = self.cell_of(value)?;
                Ok(self.table.raise(hash, cell))
            }

            /// Inserts many items by their hashes, overlapping the cache misses.
            ///
            /// # Errors
            /// Fails as [`insert`](Self::insert) does. On error nothing is inserted.
            pub fn insert_hashes(&mut self, items: &[(u64, $value)]) -> crate::Result<()> {
                items.iter().try_for_each(|&(_, value)| self.cell_of(value).map(|_| ()))?;
                for batch in items.chunks(crate::memory::BATCH) {
                    self.table.prefetch(batch.iter().map(|&(hash, _)| hash));
                    for &(hash, value) in batch {
                        self.insert_hash(hash, value)?;
                    }
                }
                Ok(())
            }

            /// Inserts an item at positions that the caller computed.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if a position lies beyond the last cell; otherwise fails as
            /// [`insert`](Self::insert) does.
            pub fn insert_positions(&mut self, positions: &[u64], value: $value) -> crate::Result<bool> {
                let cell = self.cell_of(value)?;
                self.table.raise_positions(positions, cell)
            }

            /// Returns whether an item may have been inserted; `false` is certain.
            #[inline]
            pub fn contains<T: crate::Item + ?Sized>(&self, item: &T) -> bool {
                self.contains_hash(self.table.spec().hash(item))
            }

            /// Returns whether the item with this hash may have been inserted.
            #[inline]
            pub fn contains_hash(&self, hash: u64) -> bool {
                self.table.lowest(hash) > self.empty_cell()
            }

            /// Returns the value of an item, never below the true one; `None` if the item was certainly not inserted.
            #[inline]
            pub fn value<T: crate::Item + ?Sized>(&self, item: &T) -> Option<$value> {
                self.value_hash(self.table.spec().hash(item))
            }

            /// Returns the value of the item with this hash.
            #[inline]
            pub fn value_hash(&self, hash: u64) -> Option<$value> {
                self.value_of(self.table.lowest(hash))
            }

            /// Returns the values of many items, overlapping the cache misses.
            pub fn value_hashes(&self, hashes: &[u64]) -> alloc::vec::Vec<Option<$value>> {
                self.table.lowest_of_all(hashes, |cell| self.value_of(cell))
            }

            /// Returns the value at these positions.
            ///
            /// # Errors
            /// Returns `InvalidArgument` if a position lies beyond the last cell.
            pub fn value_positions(&self, positions: &[u64]) -> crate::Result<Option<$value>> {
                Ok(self.value_of(self.table.lowest_position(positions)?))
            }

            /// Returns the value of an item with its probability of error; `None` if the item was certainly not
            /// inserted. This reads every cell: [`value`](Self::value) is fast, and
            /// [`answer_hashes`](Self::answer_hashes) reads the cells once for many items.
            pub fn answer<T: crate::Item + ?Sized>(&self, item: &T) -> Option<crate::valued::ValueAnswer<$value>> {
                self.answer_hash(self.table.spec().hash(item))
            }

            /// Like [`answer`](Self::answer), for the item with this hash.
            pub fn answer_hash(&self, hash: u64) -> Option<crate::valued::ValueAnswer<$value>> {
                let cell = self.table.lowest(hash);
                self.answer_at(cell, |cell| self.table.census(self.empty_cell(), cell))
            }

            /// Like [`answer`](Self::answer), for many items: the cells are sorted once.
            pub fn answer_hashes(
                &self,
                hashes: &[u64],
            ) -> alloc::vec::Vec<Option<crate::valued::ValueAnswer<$value>>> {
                let census = self.table.censuses(self.empty_cell());
                self.table.lowest_of_all(hashes, |cell| self.answer_at(cell, &census))
            }

            /// Returns a function that answers hash after hash, as [`answer_hash`](Self::answer_hash) does; the cells
            /// are sorted once.
            pub fn answers(&self) -> impl Fn(u64) -> Option<crate::valued::ValueAnswer<$value>> + '_ {
                let census = self.table.censuses(self.empty_cell());
                move |hash| self.answer_at(self.table.lowest(hash), &census)
            }

            fn answer_at(
                &self,
                cell: $cell,
                census: impl Fn($cell) -> crate::valued::answer::Census,
            ) -> Option<crate::valued::ValueAnswer<$value>> {
                let value = self.value_of(cell)?;
                Some(crate::valued::ValueAnswer { value, odds: census(cell).odds(self.params().hashes()) })
            }

            /// Returns whether an item may have been inserted with this value.
            ///
            /// # Errors
            /// Fails as [`insert`](Self::insert) does.
            pub fn verdict<T: crate::Item + ?Sized>(
                &self,
                item: &T,
                claimed: $value,
            ) -> crate::Result<crate::valued::Verdict<$value>> {
                self.verdict_hash(self.table.spec().hash(item), claimed)
            }

            /// Like [`verdict`](Self::verdict), for the item with this hash.
            ///
            /// # Errors
            /// Fails as [`insert`](Self::insert) does.
            pub fn verdict_hash(
                &self,
                hash: u64,
                claimed: $value,
            ) -> crate::Result<crate::valued::Verdict<$value>> {
                let cell = self.table.lowest(hash);
                Ok(crate::valued::Verdict::of(self.value_of(cell), cell, self.cell_of(claimed)?))
            }

            /// Returns the values of the cells, from position 0, as the worked examples print them.
            pub fn cells(&self) -> impl Iterator<Item = Option<$value>> + '_ {
                self.table.cells().iter().map(|&cell| self.value_of(cell))
            }

            /// Returns the probability that an item that was not inserted is reported, with any value, exact for the
            /// present fill.
            pub fn fpr(&self) -> crate::Estimate {
                self.table.fpr(self.empty_cell())
            }

            /// Returns the share of cells in use.
            pub fn fill(&self) -> f64 {
                self.table.occupied(self.empty_cell()) as f64 / self.params().cells() as f64
            }

            /// Estimates the number of distinct items, with a 95 % interval, as a [`BloomFilter`](crate::BloomFilter)
            /// does.
            pub fn cardinality(&self) -> crate::Estimate {
                self.table.cardinality(self.empty_cell())
            }

            /// Returns the size.
            pub fn params(&self) -> crate::valued::LinearBloomParams {
                self.table.params()
            }
        }

        crate::sketch::shell!(
            impl[$($generics)*] $type, $name: hashes_by(self => self.table.spec()), starts, merges
        );

        impl<$($generics)*> crate::sketch::Core for $type {
            const KIND: crate::Kind = crate::Kind::$name;

            fn heap_bytes(&self) -> usize {
                self.table.heap_bytes()
            }

            fn write(&self, payload: &mut alloc::vec::Vec<u8>) {
                self.table.put(payload, |cell| self.written(cell));
            }

            fn read(size: Self::Params, file: &mut crate::sketch::Payload<'_>) -> crate::Result<Self> {
                let table = crate::valued::cell_table::CellTable::read(size.params, file, size.possible())?;
                Ok(Self::of(size, table))
            }

            fn state(&self) -> alloc::vec::Vec<crate::sketch::Fact> {
                alloc::vec![
                    crate::sketch::Fact::number("fill", self.fill()),
                    crate::sketch::Fact::estimate("cardinality", self.cardinality()),
                    crate::sketch::Fact::rate("fpr", self.fpr()),
                ]
            }

            fn absorb(&mut self, other: &Self) -> crate::Result<()> {
                self.raise_to(other);
                Ok(())
            }
        }

        impl<$($generics)*> crate::sketch::Empty for $type {
            fn empty(size: Self::Params, spec: crate::HashSpec) -> Self {
                let table = crate::valued::cell_table::CellTable::new(size.params, spec);
                Self::of(size, table)
            }

            fn has_nothing(&self) -> bool {
                self.table.occupied(self.empty_cell()) == 0
            }
        }
    };
}
pub(super) use filter_of_values;
