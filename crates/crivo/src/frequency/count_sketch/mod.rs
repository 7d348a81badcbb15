//! The Count Sketch: see [`CountSketch`].

mod empirical;

use super::shape::{MAX_DEPTH, Shape, check_share};
use super::signed_table::{CELL_BYTES, SignedTable, signed_table};
use crate::estimate::{check_confidence, count_up};
use crate::sketch::check_same;
use crate::stats::beta_i_inverse;
use crate::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Result};
use libm::{ceil, exp2, sqrt};

/// The smallest odd number of rows whose answers enclose the true value at 95 %.
const LEAST_DEPTH: u32 = 7;
/// The share of a product's error probability that is assigned to the product itself. The rest is for the
/// second moments of both streams, which determine its spread and are known better.
const PRODUCT_SHARE: f64 = 0.8;

/// The size of a [`CountSketch`]: width and depth.
///
/// ```
/// use crivo::frequency::CountSketchParams;
/// let params = CountSketchParams::for_error(0.01, 0.01)?;
/// assert_eq!((params.width(), params.depth()), (42_480, 7));
/// assert_eq!(params.memory_bytes(), 42_480 * 7 * 8);
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountSketchParams {
    shape: Shape,
}

signed_table!(params CountSketchParams);

impl CountSketchParams {
    /// Returns the smallest table with an odd number of rows, 7 or more, whose error for any item exceeds
    /// `epsilon` times ‖A‖₂ = √Σ a² with probability at most `delta`.
    ///
    /// # Errors
    /// `InvalidArgument` unless both lie strictly between 0 and 1 and the table fits in 128 GiB.
    pub fn for_error(epsilon: f64, delta: f64) -> Result<Self> {
        check_share("error", epsilon, 0.01)?;
        check_share("failure probability", delta, 0.01)?;
        let width = |depth: u32| ceil(1.0 / (row_miss(depth, delta) * epsilon * epsilon));
        let cells = |depth: &u32| width(*depth) * f64::from(*depth);
        let odd = (LEAST_DEPTH..=MAX_DEPTH).step_by(2);
        let depth = odd.min_by(|a, b| cells(a).total_cmp(&cells(b))).unwrap_or(LEAST_DEPTH);
        Shape::for_error(epsilon, width(depth), depth, CELL_BYTES).map(Self::of)
    }

    /// Returns the largest error of an answer as a share of ‖A‖₂, with this confidence. The intervals of
    /// answers do not need it: they follow from the rows, and are usually shorter.
    ///
    /// ```
    /// use crivo::frequency::CountSketchParams;
    /// let params = CountSketchParams::exact(10_000, 7)?;
    /// assert!((params.error_at(0.95) - 0.016482).abs() < 1e-6);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    pub fn error_at(&self, confidence: f64) -> f64 {
        1.0 / sqrt(row_miss(self.depth(), 1.0 - confidence) * self.width() as f64)
    }

    /// Returns the number of cells, w·k.
    fn cells(&self) -> f64 {
        self.width() as f64 * f64::from(self.depth())
    }
}

/// Returns the probability with which one of k rows may be wrong, to either side, so that half of them or
/// more are wrong to the same side with probability at most `miss`. A row is wrong by more than s deviations
/// with probability 1/s² (Chebyshev), and as often to either side.
fn row_miss(depth: u32, miss: f64) -> f64 {
    let half = f64::from(depth.div_ceil(2));
    2.0 * beta_i_inverse(half, f64::from(depth) - half + 1.0, miss / 2.0)
}

/// Returns how many of the k rows' answers may be omitted at either end so that the others enclose the true
/// value; `None` if not even all of them do at this confidence. Each is too high or too low with probability
/// at most ½: the outer j are on one side of the true value as often as a fair coin shows that side fewer
/// than j times.
fn outer_rows(depth: u32, confidence: f64) -> Option<usize> {
    let mut chance = exp2(-f64::from(depth));
    let mut below = 0.0;
    let mut outer = None;
    for rows in 0..depth {
        below += chance;
        if 2.0 * below > 1.0 - confidence {
            break;
        }
        outer = Some(rows as usize);
        chance *= f64::from(depth - rows) / f64::from(rows + 1);
    }
    outer
}

/// The Count Sketch: unbiased estimates of frequencies that go up and down, from a table of sums with random
/// signs.
///
/// # Use when / not when
/// Use it if answers must be unbiased, if counts go down as well as up, and if few items make up most of the
/// stream: the error is a share of ‖A‖₂ = √Σ a², not of the total. Use it for second moments and join sizes
/// of streams that are not dominated by few items. Not if an answer must never be too low:
/// [`CountMin`](crate::CountMin) never is, and its counters take half the memory. Not to find out *which*
/// items are frequent (a Space-Saving sketch keeps the items).
///
/// # Guarantee
/// Unbiased. Each row is too high as often as too low, since the signs of the other items decide. So the true
/// value lies between the second-lowest and the second-highest of the answers of nine rows with probability
/// 96 % over the choice of the hash, whatever the stream; in general between those that omit as many at
/// either end as a fair coin allows. Proven. Fewer than six rows cannot give 95 %: then the bounds are
/// ±[volume](Self::volume), which always hold.
/// [`empirical`](Self::empirical) derives shorter intervals from the cells in the table, proven too, for any number of rows. The error of an answer from k rows of width w exceeds ε‖A‖₂
/// with the probability that half of the rows are wrong to one side, each with probability at most ½/(wε²).
///
/// # Space
/// Eight bytes per cell. The smallest table for an error above ε‖A‖₂ with probability at most δ:
///
/// | ε | δ | cells | memory |
/// |---|---|---|---|
/// | 10 % | 5 % | 272 × 7 | 15 kB |
/// | 10 % | 1 % | 425 × 7 | 24 kB |
/// | 1 % | 1 % | 42,480 × 7 | 2.4 MB |
///
/// # Time
/// One cell in each row for an update; a query sorts as many.
///
/// # Merge
/// Exact (the cells are added), commutative and associative, not idempotent, since it is a multiset. Cells
/// never overflow: counts that would raise the volume to 2⁶³ are refused before anything changes.
///
/// # Hostile input
/// An attacker who knows the seed can add counts of one sign to a victim's cells. Use
/// [`HashSpec::keyed`](crate::HashSpec::keyed).
///
/// # Example
/// ```
/// use crivo::CountSketch;
/// use crivo::frequency::CountSketchParams;
/// let mut words = CountSketch::with_params(CountSketchParams::for_error(0.1, 0.01)?);
/// for word in "to be or not to be that is the question".split(' ') {
///     words.add(word, 1)?;
/// }
/// let be = words.frequency("be");
/// assert!(be.lower() <= 2.0 && 2.0 <= be.upper());
/// let repeats = words.second_moment(); // 2² + 2² + 6 · 1²
/// assert!(repeats.contains(14.0), "{repeats}");
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// add("be", 2) → hash → column 3 with + in row 0, column 1 with − in row 1, column 4 with + in row 2
///   row 0   0   0  -1 [+3] 0  0         another word shares this cell with +, so this row is too high
///   row 1   0 [-2]  1   0  0  0         − · −2 = 2
///   row 2  -1   0   0   0 [1] 0         and here one with −: too low           median(3, 2, 1) = 2
/// ```
///
/// # References
/// Charikar, Chen and Farach-Colton, doi:10.1016/S0304-3975(03)00400-6 · second moment: Alon, Matias and
/// Szegedy, doi:10.1006/jcss.1997.1545, with one cell per row for an update: Thorup and Zhang,
/// doi:10.1137/100800774. The interval of a frequency is that of a median by its order statistics · intervals
/// from the cells: after Ting, arXiv:1811.04150.
///
/// # Measured
/// `crivo-lab run c-count-sketch`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct CountSketch {
    params: CountSketchParams,
    table: SignedTable<true>,
    /// The number of rows that may be omitted at either end at the default confidence, cached since every
    /// query needs it.
    outer: Option<usize>,
}

signed_table!(sketch CountSketch, CountSketchParams);

impl CountSketch {
    fn of(params: CountSketchParams, table: SignedTable<true>) -> Self {
        Self { params, table, outer: outer_rows(params.depth(), DEFAULT_CONFIDENCE) }
    }

    /// Returns how often the item with this hash was added, less how often it was removed, at 95 %
    /// confidence.
    #[inline]
    pub fn frequency_hash(&self, hash: u64) -> Estimate {
        self.answer(hash, self.outer, DEFAULT_CONFIDENCE)
    }

    /// Returns [`frequency_hash`](Self::frequency_hash) at another confidence.
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn frequency_hash_at(&self, hash: u64, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.answer(hash, outer_rows(self.params.depth(), confidence), confidence))
    }

    #[inline]
    fn answer(&self, hash: u64, outer: Option<usize>, confidence: f64) -> Estimate {
        if self.is_empty() {
            return Estimate::exact(0.0);
        }
        let answers = self.table.row_answers(hash);
        let volume = count_up(self.volume());
        let (lower, upper) = outer.map_or((-volume, volume), |outer| answers.without(outer));
        Estimate::new(answers.median(), lower, upper, Guarantee::Proven { confidence })
    }

    /// Returns the second moment of the stream, Σ a(x)², at 95 % confidence: the mean over the rows of the
    /// sum of the squared cells. It is large if few items make up most of the stream.
    ///
    /// It is unbiased. With w·k cells its variance is at most 2·F₂²/(w·k), whatever the stream, so
    /// Chebyshev's inequality gives a proven interval: ±2 % takes 104,040 cells. The true value is at most
    /// the square of the volume.
    pub fn second_moment(&self) -> Estimate {
        self.second_moment_within(DEFAULT_CONFIDENCE)
    }

    /// Returns [`second_moment`](Self::second_moment) at another confidence.
    ///
    /// ```
    /// # use crivo::CountSketch;
    /// # use crivo::frequency::CountSketchParams;
    /// let mut sketch = CountSketch::with_params(CountSketchParams::exact(1000, 7)?);
    /// (0..100u32).try_for_each(|i| sketch.add(&i, 10))?;
    /// assert!(sketch.second_moment_at(0.99)?.contains(10_000.0));
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn second_moment_at(&self, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.second_moment_within(confidence))
    }

    fn second_moment_within(&self, confidence: f64) -> Estimate {
        let volume = count_up(self.volume());
        let value = self.mean_product(self).min(volume * volume);
        // |value − F₂| ≤ reach · F₂, solved for F₂.
        let reach = sqrt(2.0 / self.params.cells() / (1.0 - confidence));
        let upper = if reach < 1.0 { value / (1.0 - reach) } else { f64::INFINITY };
        let guarantee = Guarantee::Proven { confidence };
        Estimate::new(value, value / (1.0 + reach), upper.min(volume * volume), guarantee)
    }

    /// Returns the size of the join of two streams, Σ a(x)·b(x), at 95 % confidence: the mean of the products
    /// of the rows.
    ///
    /// It is unbiased. With w·k cells its variance is at most (F₂(a)·F₂(b) + (a·b)²)/(w·k), so Chebyshev's
    /// inequality gives a proven interval, in which upper bounds replace the second moments.
    ///
    /// ```
    /// # use crivo::CountSketch;
    /// # use crivo::frequency::CountSketchParams;
    /// let params = CountSketchParams::for_error(0.1, 0.01)?;
    /// let (mut a, mut b) = (CountSketch::with_params(params), CountSketch::with_params(params));
    /// a.add("x", 3)?;
    /// b.add("x", 4)?;
    /// b.add("y", 9)?;
    /// assert!(a.inner_product(&b)?.contains(12.0));
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
        let miss = 1.0 - confidence;
        // An upper bound on Σ a²·Σ b².
        let moment_miss = miss * (1.0 - PRODUCT_SHARE) / 2.0;
        let moments = self.most_second_moment(moment_miss) * other.most_second_moment(moment_miss);
        let value = self.mean_product(other);
        // (value − p)² ≤ spread · (moments + p²), solved for p; and |p| ≤ √moments (Cauchy and Schwarz).
        let spread = 1.0 / (self.params.cells() * miss * PRODUCT_SHARE);
        let most = sqrt(moments);
        let guarantee = Guarantee::Proven { confidence };
        if spread >= 1.0 {
            return Ok(Estimate::new(value, -most, most, guarantee));
        }
        let rest = 1.0 - spread;
        let reach = sqrt(spread * (value * value + moments * rest));
        let (lower, upper) = ((value - reach) / rest, (value + reach) / rest);
        Ok(Estimate::new(value, lower.max(-most), upper.min(most), guarantee))
    }

    /// Adds a count that is not negative.
    #[inline]
    pub(super) fn add_count(&mut self, hash: u64, count: u64) -> Result<()> {
        self.table.add_count(hash, count)
    }

    fn mean_product(&self, other: &Self) -> f64 {
        self.table.row_products(&other.table).sum::<f64>() / f64::from(self.params.depth())
    }

    /// Returns a bound that the second moment exceeds with probability at most `miss`: Cantelli's inequality,
    /// and the volume.
    fn most_second_moment(&self, miss: f64) -> f64 {
        let reach = sqrt(2.0 / self.params.cells() * (1.0 / miss - 1.0));
        let volume = count_up(self.volume());
        if reach < 1.0 {
            (self.mean_product(self) / (1.0 - reach)).min(volume * volume)
        } else {
            volume * volume
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::binomial_cdf;

    /// As many rows are omitted as the coin allows, and not one more.
    #[test]
    fn the_outer_rows_are_a_coins() {
        for depth in 1..=64u32 {
            for confidence in [0.1, 0.5, 0.9, 0.95, 0.99, 0.999_999] {
                let missed = |outer: usize| 2.0 * binomial_cdf(outer as u64, depth.into(), 0.5);
                let outer = outer_rows(depth, confidence);
                let (allowed, next) = (outer.map_or(0.0, missed), missed(outer.map_or(0, |outer| outer + 1)));
                assert!(allowed <= (1.0 - confidence) * (1.0 + 1e-12), "{depth} {confidence}: {outer:?}");
                assert!(next > (1.0 - confidence) * (1.0 - 1e-12), "{depth} {confidence}: {outer:?}");
                assert!(outer.is_none_or(|outer| 2 * outer < depth as usize));
            }
        }
        let at_95 = [5, 6, 7, 8, 9, 17].map(|depth| outer_rows(depth, 0.95));
        assert_eq!(at_95, [None, Some(0), Some(0), Some(0), Some(1), Some(4)]);
    }

    /// Checks the table on the page; no other odd depth from 7 on is smaller.
    #[test]
    fn targets_give_the_smallest_table() {
        for (epsilon, delta, width, depth) in
            [(0.1, 0.05, 272, 7), (0.1, 0.01, 425, 7), (0.01, 0.01, 42_480, 7), (0.9, 0.9, 2, 7)]
        {
            let params = CountSketchParams::for_error(epsilon, delta).unwrap();
            assert_eq!((params.width(), params.depth()), (width, depth), "{epsilon} {delta}");
            assert!(params.error_at(1.0 - delta) <= epsilon * (1.0 + 1e-12));
            for other in (LEAST_DEPTH..=63).step_by(2) {
                let width = ceil(1.0 / (row_miss(other, delta) * epsilon * epsilon));
                assert!(width * f64::from(other) >= params.cells());
            }
        }
    }

    #[test]
    fn few_rows_know_no_more_than_the_volume() {
        let mut sketch = CountSketch::with_params(CountSketchParams::exact(100, 5).unwrap());
        assert_eq!(sketch.frequency("a"), Estimate::exact(0.0));
        sketch.add("a", 5).unwrap();
        sketch.add("b", -3).unwrap();
        assert_eq!((sketch.frequency("a").lower(), sketch.frequency("a").upper()), (-8.0, 8.0));
        let at_half = sketch.frequency_at("a", 0.5).unwrap();
        assert_eq!((at_half.lower(), at_half.upper()), (5.0, 5.0));
    }

    /// Chebyshev's inequality, solved for the true value.
    #[test]
    fn second_moments_reach_as_far_as_their_spread_allows() {
        let mut sketch = CountSketch::with_params(CountSketchParams::exact(1000, 8).unwrap());
        sketch.add("a", 100).unwrap();
        let moment = sketch.second_moment_at(0.95).unwrap();
        assert_eq!(moment.value(), 10_000.0);
        // √(2/8000/0.05) = 0.0707; the square of the volume is the true value here.
        assert!(
            (moment.lower() - 10_000.0 / 1.070_711).abs() < 0.01 && moment.upper() == 10_000.0,
            "{moment}"
        );
    }

    /// With one cell per row, every item shares it, and of the sums only the sign is known.
    #[test]
    fn the_smallest_table_is_honest() {
        let mut sketch = CountSketch::with_params(CountSketchParams::exact(1, 1).unwrap());
        sketch.add("a", 3).unwrap();
        sketch.add("b", 4).unwrap();
        let (moment, product) = (sketch.second_moment(), sketch.inner_product(&sketch).unwrap());
        assert!(moment.contains(25.0) && moment.upper() == 49.0, "{moment}");
        assert!(product.contains(25.0) && product.upper() == 49.0, "{product}");
    }
}
