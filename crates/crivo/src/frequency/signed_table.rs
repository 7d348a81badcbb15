//! A table of sums of either sign, which never overflow.

use super::table::{MAX_DEPTH, Shape};
use crate::codec::{DecodeOptions, Reader, check_memory, put_i64_varint, put_u64_varint};
use crate::estimate::{count_down, count_up};
use crate::hash::Probes;
use crate::memory::BATCH;
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The bytes of a cell.
pub(super) const CELL_BYTES: u32 = 8;
/// The largest volume: no sum of counts can leave an `i64` before the counts add up to more.
const MAX_VOLUME: u64 = i64::MAX as u64;

/// What the rows of a table say about an item, in ascending order.
pub(super) struct RowAnswers {
    values: [i64; MAX_DEPTH as usize],
    count: usize,
}

impl RowAnswers {
    /// The answer in the middle: of an even number the mean of the middle two.
    #[inline]
    pub(super) fn median(&self) -> f64 {
        let half = self.count / 2;
        let upper = self.values[half] as f64;
        if self.count % 2 == 1 { upper } else { f64::midpoint(self.values[half - 1] as f64, upper) }
    }

    /// The answers that have so many below and above them, rounded outwards.
    #[inline]
    pub(super) fn without(&self, outer: usize) -> (f64, f64) {
        let outwards = |count: i64, down: bool| {
            let size = count.unsigned_abs();
            let size = if down == (count >= 0) { count_down(size) } else { count_up(size) };
            if count < 0 { -size } else { size }
        };
        (outwards(self.values[outer], true), outwards(self.values[self.count - 1 - outer], false))
    }
}

/// Rows of sums. With `SIGNS`, each item has a random sign in each row by which its counts are multiplied.
#[derive(Clone, PartialEq)]
pub(super) struct SignedTable<const SIGNS: bool> {
    shape: Shape,
    spec: HashSpec,
    cells: Vec<i64>,
    /// The sum of all counts.
    total: i64,
    /// The sum of their absolute values, at most `i64::MAX`: no cell is larger.
    volume: u64,
}

impl<const SIGNS: bool> SignedTable<SIGNS> {
    pub(super) fn new(shape: Shape, spec: HashSpec) -> Self {
        Self { shape, spec, cells: vec![0; shape.cells()], total: 0, volume: 0 }
    }

    pub(super) fn spec(&self) -> &HashSpec {
        &self.spec
    }

    pub(super) fn total(&self) -> i64 {
        self.total
    }

    pub(super) fn volume(&self) -> u64 {
        self.volume
    }

    /// The cells outside of the structure itself, in bytes.
    pub(super) fn cell_bytes(&self) -> usize {
        size_of_val(self.cells.as_slice())
    }

    /// The volume with so much more, if it stays countable.
    fn volume_with(&self, more: u64) -> Result<u64> {
        let volume = self.volume.checked_add(more).filter(|&volume| volume <= MAX_VOLUME);
        volume.ok_or_else(|| {
            Error::full(format!(
                "the counts add up to {} and may to {MAX_VOLUME}, got {more} more; begin a new sketch",
                self.volume
            ))
        })
    }

    #[inline]
    pub(super) fn add_hash(&mut self, hash: u64, count: i64) -> Result<()> {
        self.volume = self.volume_with(count.unsigned_abs())?;
        self.total += count;
        self.add_to_rows(hash, count);
        Ok(())
    }

    /// Adds a count that is not negative.
    #[inline]
    pub(super) fn add_count(&mut self, hash: u64, count: u64) -> Result<()> {
        self.volume_with(count)?;
        self.add_hash(hash, count as i64)
    }

    pub(super) fn add_hashes(&mut self, hashes: &[u64]) -> Result<()> {
        self.volume = self.volume_with(hashes.len() as u64)?;
        self.total += hashes.len() as i64;
        for block in hashes.chunks(BATCH) {
            self.prefetch(block);
            for &hash in block {
                self.add_to_rows(hash, 1);
            }
        }
        Ok(())
    }

    #[inline]
    fn add_to_rows(&mut self, hash: u64, count: i64) {
        let rows = self.cells.chunks_exact_mut(self.shape.width as usize);
        for (row, position) in rows.zip(positions::<SIGNS>(hash, self.shape)) {
            let (column, sign) = cell_of::<SIGNS>(position);
            row[column] += times(count, sign);
        }
    }

    pub(super) fn prefetch(&self, hashes: &[u64]) {
        self.shape.prefetch(&self.cells, hashes, SIGNS.into());
    }

    /// What each row says about an item, in ascending order.
    #[inline]
    pub(super) fn row_answers(&self, hash: u64) -> RowAnswers {
        let mut answers = RowAnswers { values: [0; MAX_DEPTH as usize], count: self.shape.depth as usize };
        let rows = self.cells.chunks_exact(self.shape.width as usize);
        let rows = rows.zip(positions::<SIGNS>(hash, self.shape));
        for (answer, (row, position)) in answers.values.iter_mut().zip(rows) {
            let (column, sign) = cell_of::<SIGNS>(position);
            *answer = times(row[column], sign);
        }
        answers.values[..answers.count].sort_unstable();
        answers
    }

    /// The cells of one row.
    pub(super) fn row(&self, row: u32) -> Result<Vec<i64>> {
        self.shape.check_row(row)?;
        Ok(self.rows().nth(row as usize).unwrap_or_default().to_vec())
    }

    fn rows(&self) -> impl Iterator<Item = &[i64]> {
        self.cells.chunks_exact(self.shape.width as usize)
    }

    /// The product of each row with the other's: less than the product of the volumes, 2¹²⁶.
    pub(super) fn row_products<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = f64> + 'a {
        self.rows().zip(other.rows()).map(|(ours, theirs)| {
            let products = ours.iter().zip(theirs).map(|(&a, &b)| i128::from(a) * i128::from(b));
            products.sum::<i128>() as f64
        })
    }

    pub(super) fn check_same(&self, other: &Self) -> Result<()> {
        self.shape.check_same(other.shape)?;
        self.spec.check_same(&other.spec)
    }

    pub(super) fn merge(&mut self, other: &Self) -> Result<()> {
        self.check_same(other)?;
        self.volume = self.volume_with(other.volume)?;
        self.total += other.total;
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| *cell += more);
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.cells.fill(0);
        self.total = 0;
        self.volume = 0;
    }

    pub(super) fn put_params(&self, params: &mut Vec<u8>) {
        put_u64_varint(params, self.shape.width);
        put_u64_varint(params, self.shape.depth.into());
    }

    pub(super) fn put_payload(&self, payload: &mut Vec<u8>) {
        put_u64_varint(payload, self.volume);
        put_i64_varint(payload, self.total);
        self.cells.iter().for_each(|&cell| put_i64_varint(payload, cell));
    }

    pub(super) fn read_shape(params: &mut Reader<'_>) -> Result<Shape> {
        let width = params.u64_varint()?;
        let depth = u32::try_from(params.u64_varint()?).unwrap_or(u32::MAX);
        Shape::new(width, depth, CELL_BYTES).map_err(|error| Error::malformed(format!("{error}")))
    }

    /// Reads to the end. `others` is the memory that is taken beside the cells.
    pub(super) fn read_payload(
        payload: &mut Reader<'_>,
        shape: Shape,
        spec: HashSpec,
        others: usize,
        options: &DecodeOptions,
    ) -> Result<Self> {
        check_memory(shape.bytes(CELL_BYTES) + others as u64, options)?;
        let (volume, total) = (payload.u64_varint()?, payload.i64_varint()?);
        // Each cell takes a byte at least: a short payload cannot make a large table.
        if payload.rest().len() < shape.cells() {
            return Err(Error::malformed(format!("the payload has no room for {} cells", shape.cells())));
        }
        let mut table = Self { total, volume, ..Self::new(shape, spec) };
        table.cells.iter_mut().try_for_each(|cell| payload.i64_varint().map(|value| *cell = value))?;
        payload.finish()?;
        table.check_sums()?;
        Ok(table)
    }

    /// Every count was added once in every row, as it is or with the other sign: neither changes whether the sum is odd,
    /// and nothing grows beyond the volume.
    fn check_sums(&self) -> Result<()> {
        let total = i128::from(self.total);
        let is_possible =
            |sum: i128, size: u128| size <= self.volume.into() && (sum ^ i128::from(self.volume)) & 1 == 0;
        let fits = |row: &[i64]| {
            let sum: i128 = row.iter().map(|&cell| i128::from(cell)).sum();
            let size = row.iter().map(|cell| u128::from(cell.unsigned_abs())).sum();
            is_possible(sum, size) && (SIGNS || sum == total)
        };
        if self.volume <= MAX_VOLUME && is_possible(total, total.unsigned_abs()) && self.rows().all(fits) {
            return Ok(());
        }
        Err(Error::malformed(format!(
            "the cells do not add up to a total of {total} and a volume of {}",
            self.volume
        )))
    }
}

/// The positions of an item, one a row: twice as many as columns where the lowest bit is the sign.
#[inline]
fn positions<const SIGNS: bool>(hash: u64, shape: Shape) -> Probes {
    Probes::new(hash, shape.width << u32::from(SIGNS))
}

/// The column, and −1 where the sign is minus, else 0.
#[inline]
fn cell_of<const SIGNS: bool>(position: u64) -> (usize, i64) {
    if SIGNS { ((position >> 1) as usize, -((position & 1) as i64)) } else { (position as usize, 0) }
}

/// The count, or its opposite where `sign` is −1.
#[inline]
fn times(count: i64, sign: i64) -> i64 {
    (count ^ sign) - sign
}

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
            /// `Incompatible` when size or hash differ, `Full` when the volumes add up to 2⁶³ or more; `self` is unchanged
            /// then.
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

        impl crate::sketch::Frequency for $type {
            fn add_hash(&mut self, hash: u64, count: u64) -> crate::Result<()> {
                self.table.add_count(hash, count)
            }

            fn frequency_hash(&self, hash: u64) -> crate::Estimate {
                self.frequency_hash(hash)
            }

            fn add_hashes(&mut self, hashes: &[u64]) -> crate::Result<()> {
                self.add_hashes(hashes)
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
pub(super) use signed_table_sketch;

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
pub(super) use signed_table_params;
