//! The Count-Min sketch for counts that go up and down: see [`SignedCountMin`].

use super::shape::{MAX_DEPTH, Shape, check_share};
use super::signed_table::{CELL_BYTES, SignedTable, signed_table};
use crate::estimate::{check_confidence, count_up};
use crate::sketch::check_same;
use crate::stats::beta_i_inverse;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Result};
use alloc::vec::Vec;
use libm::ceil;

/// The smallest odd number of rows that tolerates one bad row.
const LEAST_DEPTH: u32 = 3;

/// The size of a [`SignedCountMin`]: width and depth.
///
/// ```
/// use crivo::frequency::SignedCountMinParams;
/// let params = SignedCountMinParams::for_error(0.001, 0.01)?;
/// assert_eq!((params.width(), params.depth()), (9467, 5));
/// assert_eq!(params.memory_bytes(), 9467 * 5 * 8);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedCountMinParams {
    shape: Shape,
}

signed_table!(params SignedCountMinParams);

impl SignedCountMinParams {
    /// Returns the smallest table with an odd number of rows, 3 or more, whose error for any item exceeds
    /// `epsilon` times the [volume](SignedCountMin::volume) with probability at most `delta`.
    ///
    /// # Errors
    /// `InvalidArgument` unless both lie strictly between 0 and 1 and the table fits in 128 GiB.
    pub fn for_error(epsilon: f64, delta: f64) -> Result<Self> {
        check_share("error", epsilon, 0.001)?;
        check_share("failure probability", delta, 0.01)?;
        let width = |depth: u32| ceil(markov_factor(depth, delta) / epsilon);
        let cells = |depth: &u32| width(*depth) * f64::from(*depth);
        let odd = (LEAST_DEPTH..=MAX_DEPTH).step_by(2);
        let depth = odd.min_by(|a, b| cells(a).total_cmp(&cells(b))).unwrap_or(LEAST_DEPTH);
        Shape::for_error(epsilon, width(depth), depth, CELL_BYTES).map(Self::of)
    }

    /// Returns the largest error of an answer as a share of the volume, with this confidence, before it is
    /// solved for the true value.
    ///
    /// ```
    /// use crivo::frequency::SignedCountMinParams;
    /// let params = SignedCountMinParams::exact(1000, 5)?;
    /// assert!((params.error_at(0.95) - 0.005284).abs() < 1e-6);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn error_at(&self, confidence: f64) -> f64 {
        markov_factor(self.depth(), 1.0 - confidence) / self.width() as f64
    }
}

/// Returns t by Markov's inequality in each row: P\[|error| > t·mean\] ≤ 1/t. The median is wrong only if
/// half of the rows or more are: t is such that this happens to k independent rows with probability `miss`.
fn markov_factor(depth: u32, miss: f64) -> f64 {
    let half = f64::from(depth.div_ceil(2));
    1.0 / beta_i_inverse(half, f64::from(depth) - half + 1.0, miss)
}

/// A Count-Min sketch for counts that go up and down. It answers with the median of its rows.
///
/// # Use when / not when
/// Use it for counts that go up and down, in any order and below zero too: differences of two streams,
/// stocks, balances. Not if nothing is ever removed: [`CountMin`](crate::CountMin) has errors of one sign
/// only, less than a fifth as large in the same memory. Not if few items make up most of the stream: the
/// error of a [`CountSketch`](crate::CountSketch) is a share of ‖A‖₂ = √Σ a², which is then much smaller than
/// ‖A‖₁ = Σ|a|.
///
/// # Guarantee
/// With k rows of width w and counts of volume V = Σ|count| ≥ ‖A‖₁, an answer is wrong by at most t·V/w with
/// probability 95 % over the choice of the hash: in each row by Markov's inequality with probability 1 − 1/t,
/// and the median is wrong only if half of the rows are. t follows from the binomial distribution: 7.4 for 3
/// rows, 5.3 for 5, 4.4 for 7. The published bound for the table of
/// [`CountMinParams::for_error`](crate::frequency::CountMinParams::for_error), an error of 3ε‖A‖₁ with
/// probability 1 − δ^(1/4), holds too; with 5 rows its t is 8.2 at a confidence of 71 %. Proven; the true
/// value always lies within ±V.
///
/// # Space
/// Eight bytes per cell. The smallest table for an error above ε of the volume with probability at most δ:
///
/// | ε | δ | cells | memory |
/// |---|---|---|---|
/// | 1 % | 5 % | 739 × 3 | 18 kB |
/// | 1 % | 1 % | 947 × 5 | 38 kB |
/// | 0.1 % | 1 % | 9,467 × 5 | 379 kB |
///
/// # Time
/// One cell in each row for an update; a query sorts as many.
///
/// # Merge
/// Exact (the cells are added), commutative and associative, not idempotent, since it is a multiset. Cells
/// never overflow: counts that would raise the volume to 2⁶³ are refused before anything changes.
///
/// # Hostile input
/// An attacker who knows the seed can add counts to a victim's cells. Use
/// [`HashSpec::keyed`](crate::HashSpec::keyed).
///
/// # Example
/// ```
/// use crivo::frequency::{SignedCountMin, SignedCountMinParams};
/// let mut stock = SignedCountMin::with_params(SignedCountMinParams::for_error(0.001, 0.01)?);
/// stock.add("bolts", 500)?;
/// stock.add("nuts", 300)?;
/// stock.add("bolts", -480)?;
/// let bolts = stock.frequency("bolts");
/// assert!(bolts.lower() <= 20.0 && 20.0 <= bolts.upper());
/// assert_eq!((stock.total(), stock.volume()), (320, 1280));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// add("bolts", -480) → hash → column 3 in row 0, 1 in row 1, 4 in row 2      a query takes the median
///   row 0   0  0  300 [20] 0  0
///   row 1   0 [320] 0  0   0  0         "nuts" shares this cell
///   row 2   0  300  0  0 [20] 0         median(20, 320, 20) = 20
/// ```
///
/// # References
/// Cormode and Muthukrishnan, doi:10.1016/j.jalgor.2003.12.001, section 4.1. The interval is Markov's
/// inequality with the exact binomial tail, solved for the true value at the requested confidence.
///
/// # Measured
/// `crivo-lab run c-signed-count-min`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct SignedCountMin {
    params: SignedCountMinParams,
    table: SignedTable<false>,
    /// The error as a share of the volume at the default confidence, cached since every query needs it.
    share: f64,
}

signed_table!(sketch SignedCountMin, SignedCountMinParams);

impl SignedCountMin {
    fn of(params: SignedCountMinParams, table: SignedTable<false>) -> Self {
        Self { params, table, share: params.error_at(DEFAULT_CONFIDENCE) }
    }

    /// Returns how often the item with this hash was added, less how often it was removed, at 95 %
    /// confidence.
    #[inline]
    pub fn frequency_hash(&self, hash: u64) -> Estimate {
        let volume = count_up(self.volume());
        within(self.table.row_answers(hash).median(), volume, self.share, DEFAULT_CONFIDENCE)
    }

    /// Returns [`frequency_hash`](Self::frequency_hash) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_hash_at(&self, hash: u64, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        let answers = self.table.row_answers(hash);
        Ok(within(answers.median(), count_up(self.volume()), self.params.error_at(confidence), confidence))
    }

    /// Returns the size of the join of two streams, Σ a(x)·b(x), at 95 % confidence: the median of the
    /// products of the rows. Its error as a share of the product of the volumes is at most the error of a
    /// frequency as a share of the volume.
    ///
    /// ```
    /// # use crivo::frequency::{SignedCountMin, SignedCountMinParams};
    /// let params = SignedCountMinParams::for_error(0.001, 0.01)?;
    /// let (mut a, mut b) = (SignedCountMin::with_params(params), SignedCountMin::with_params(params));
    /// a.add("x", 3)?;
    /// b.add("x", -4)?;
    /// b.add("y", 9)?;
    /// assert!(a.inner_product(&b)?.contains(-12.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Incompatible` if size or hash differ.
    pub fn inner_product(&self, other: &Self) -> Result<Estimate> {
        self.inner_product_at(other, DEFAULT_CONFIDENCE)
    }

    /// Returns [`inner_product`](Self::inner_product) at another confidence.
    ///
    /// # Errors
    /// `Incompatible` if size or hash differ, `InvalidArgument` unless `confidence` lies strictly between 0
    /// and 1.
    pub fn inner_product_at(&self, other: &Self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        check_same(self, other)?;
        let mut products: Vec<f64> = self.table.row_products(&other.table).collect();
        products.sort_unstable_by(f64::total_cmp);
        let half = products.len() / 2;
        let median = f64::midpoint(products[half], products[products.len() - 1 - half]);
        let volume = count_up(self.volume()) * count_up(other.volume());
        Ok(within(median, volume, self.params.error_at(confidence), confidence))
    }
}

/// Returns the interval of all true values a for which `answer` is within `share`·(V − |a|) of a: the counts
/// of other items have a volume of at most V − |a|.
#[inline]
fn within(answer: f64, volume: f64, share: f64, confidence: f64) -> Estimate {
    if volume == 0.0 {
        return Estimate::exact(0.0);
    }
    let upper = |answer: f64| {
        let reach = answer + share * volume;
        // Below zero the volume of the other items falls as the true value rises. There the share is below 1.
        if reach < 0.0 { reach / (1.0 - share) } else { (reach / (1.0 + share)).min(volume) }
    };
    Estimate::new(answer, -upper(-answer), upper(answer), Guarantee::Proven { confidence })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::codec::{Reader, put_i64_varint, put_u64_varint};
    use crate::sketch::Payload;
    use crate::stats::binomial_sf;

    #[test]
    fn the_factor_is_the_binomial_tail() {
        for depth in [1u32, 2, 3, 4, 5, 7, 16, 63, 64] {
            for miss in [0.5, 0.05, 0.01, 1e-6] {
                let chance = 1.0 / markov_factor(depth, miss);
                let half_or_more = binomial_sf(u64::from(depth.div_ceil(2)) - 1, depth.into(), chance);
                assert!((half_or_more / miss - 1.0).abs() < 1e-9, "{depth} {miss}: {half_or_more}");
            }
        }
        let rounded = [3, 5, 7].map(|depth| libm::round(markov_factor(depth, 0.05) * 10.0) / 10.0);
        assert_eq!(rounded, [7.4, 5.3, 4.4]);
    }

    /// Checks the table on the page; no other odd depth is smaller.
    #[test]
    fn targets_give_the_smallest_table() {
        for (epsilon, delta, width, depth) in
            [(0.01, 0.05, 739, 3), (0.01, 0.01, 947, 5), (0.001, 0.01, 9467, 5), (0.5, 0.9, 3, 3)]
        {
            let params = SignedCountMinParams::for_error(epsilon, delta).unwrap();
            assert_eq!((params.width(), params.depth()), (width, depth), "{epsilon} {delta}");
            assert!(params.error_at(1.0 - delta) <= epsilon * (1.0 + 1e-12));
            for other in (LEAST_DEPTH..=63).step_by(2) {
                let width = ceil(markov_factor(other, delta) / epsilon);
                assert!(width * f64::from(other) >= (params.width() * u64::from(depth)) as f64);
            }
        }
    }

    /// The ends of the interval are where the answer is as far from the true value as possible.
    #[test]
    fn the_interval_is_solved_for_the_truth() {
        for share in [0.001, 0.1, 0.5, 1.0, 3.0] {
            for answer in [-1000.0, -900.0, -100.0, -1.0, 0.0, 1.0, 10.0, 500.0, 999.0, 1000.0] {
                let estimate = within(answer, 1000.0, share, 0.95);
                for end in [estimate.lower(), estimate.upper()] {
                    let (distance, reach) = ((end - answer).abs(), share * (1000.0 - end.abs()));
                    assert!((distance - reach).abs() < 1e-9 * 1000.0, "{share} {answer}: {estimate}");
                }
            }
        }
        assert_eq!(within(0.0, 0.0, 0.1, 0.95), Estimate::exact(0.0));
    }

    #[test]
    fn an_even_number_of_rows_takes_the_mean_of_the_middle_two() {
        let mut sketch = SignedCountMin::with_params(SignedCountMinParams::exact(1, 2).unwrap());
        sketch.add("a", 5).unwrap();
        sketch.add("b", -8).unwrap();
        assert_eq!(sketch.frequency("a").value(), -3.0);
        assert!(sketch.frequency("a").lower() >= -13.0 && sketch.frequency("a").upper() <= 13.0);
    }

    #[test]
    fn a_product_is_the_median_of_the_rows() {
        for depth in [1, 4, 5] {
            let mut sketch = SignedCountMin::with_params(SignedCountMinParams::exact(3, depth).unwrap());
            (1..20i64).for_each(|item| sketch.add(&item, item * item - 99).unwrap());
            let square =
                |row: u32| sketch.row(row).unwrap().iter().map(|cell| (cell * cell) as f64).sum::<f64>();
            let mut squares: Vec<f64> = (0..depth).map(square).collect();
            squares.sort_unstable_by(f64::total_cmp);
            let expected = [squares[(depth as usize - 1) / 2], squares[depth as usize / 2]];
            let value = sketch.inner_product(&sketch).unwrap().value();
            assert_eq!(value, expected.iter().sum::<f64>() / 2.0, "{depth}: {squares:?}");
        }
    }

    /// The sums of a row, the total and the volume are all odd or all even, and none exceeds the volume.
    #[test]
    fn impossible_sums_are_refused() {
        let shape = Shape::new(2, 2, CELL_BYTES).unwrap();
        let read = |volume: u64, total: i64, cells: [i64; 4]| {
            let mut payload = Vec::new();
            put_u64_varint(&mut payload, volume);
            [total].iter().chain(&cells).for_each(|&number| put_i64_varint(&mut payload, number));
            let spec = crate::HashSpec::default();
            let mut file = Payload::new(spec, Reader::new(&payload), &crate::DecodeOptions::default());
            let table = SignedTable::<false>::read(shape, &mut file)?;
            file.bytes.finish().map(|()| table)
        };
        assert!(read(5, 3, [4, -1, 3, 0]).is_ok() && read(0, 0, [0; 4]).is_ok());
        assert!(read(i64::MAX as u64, i64::MIN + 1, [i64::MIN + 1, 0, 0, i64::MIN + 1]).is_ok());
        for (volume, total, cells) in [
            (5, 3, [4, -1, 2, 0]),      // a row with a wrong sum
            (5, 2, [2, 0, 2, 0]),       // even and odd
            (5, 3, [5, -2, 3, 0]),      // more than the volume
            (5, 7, [7, 0, 7, 0]),       // a total beyond the volume
            (1 << 63, 0, [0, 0, 0, 0]), // a volume beyond the limit
            (0, 0, [i64::MIN, 0, 0, 0]),
        ] {
            assert_eq!(
                read(volume, total, cells).err().unwrap().kind(),
                ErrorKind::Malformed,
                "{volume} {cells:?}"
            );
        }
    }

    #[test]
    fn what_would_overflow_is_refused() {
        let mut sketch = SignedCountMin::with_params(SignedCountMinParams::exact(10, 3).unwrap());
        sketch.add("much", i64::MAX - 1).unwrap();
        let before = sketch.clone();
        for result in [
            sketch.add("x", 2),
            sketch.add("x", -2),
            sketch.add("x", i64::MIN),
            sketch.add_hashes(&[1, 2]),
            sketch.merge(&before),
        ] {
            assert_eq!(result.unwrap_err().kind(), ErrorKind::Full);
        }
        assert_eq!(sketch, before);
        sketch.add("much", -1).unwrap();
        assert_eq!((sketch.total(), sketch.volume()), (i64::MAX - 2, i64::MAX as u64));
        let much = sketch.frequency("much");
        assert!(much.contains((i64::MAX - 2) as f64), "{much}");
    }
}
