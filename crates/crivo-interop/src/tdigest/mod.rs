//! `DataSketches`' t-digest: see [`TDigest`].

mod wire;

pub(crate) use wire::FAMILY;

use crate::foreign::{Answers, Format, count, number, text};
use crivo::foreign::{check_share_of_all, empty, incompatible, invalid, quantile};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Guarantee, Number, QuantileEstimate, Result};

/// `DataSketches` makes none with a smaller k.
const LEAST_K: u16 = 10;

/// A t-digest of Apache `DataSketches`, of doubles or floats.
///
/// # Guarantee
/// A t-digest promises nothing: there are streams that make it arbitrarily wrong. The interval of a quantile reaches to the means of the
/// neighbouring centroids, so it is [`Guarantee::Approximate`] for values that come in no particular order. Where a proof is needed, save a
/// [`Kll`](crate::Kll).
///
/// # Merge
/// Another t-digest, as of `DataSketches`; its errors are as large again.
///
/// # Example
/// ```
/// use crivo_interop::TDigest;
/// let mut times = TDigest::for_k(200)?;
/// for time in 0..10_000 {
///     times.insert(f64::from(time))?;
/// }
/// let read = TDigest::from_bytes(&times.to_bytes())?;
/// assert!((4900.0..5100.0).contains(read.quantile(0.5)?.value()));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TDigest {
    k: u16,
    is_of_floats: bool,
    backwards: bool,
    /// The least and the greatest value.
    ends: Option<(f64, f64)>,
    centroids: Vec<Centroid>,
    /// Values that came since the centroids were made.
    values: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Centroid {
    mean: f64,
    weight: u64,
}

impl TDigest {
    /// Creates an empty digest of doubles with about k centroids; 100 or 200 are usual.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `k` is 10 or more.
    pub fn for_k(k: u16) -> Result<Self> {
        if k < LEAST_K {
            return Err(invalid(format!("k must be 10 or more, got {k}; 200 is usual")));
        }
        Ok(Self {
            k,
            is_of_floats: false,
            backwards: false,
            ends: None,
            centroids: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Inserts a value.
    ///
    /// # Errors
    /// Returns `InvalidArgument` for NaN and infinities.
    pub fn insert(&mut self, value: f64) -> Result<()> {
        let value = if self.is_of_floats { f64::from(value as f32) } else { value };
        if !value.is_finite() {
            return Err(invalid("a t-digest has means of finite numbers; leave out NaN and infinities"));
        }
        if self.values.len() == self.most_values() {
            self.compress();
        }
        self.widen((value, value));
        self.values.push(value);
        Ok(())
    }

    /// Returns how many values wait before they are made centroids, four for each place of a centroid.
    fn most_values(&self) -> usize {
        let k = usize::from(self.k);
        let slack = if k < 30 { 30 } else { 10 };
        4 * (2 * k + slack)
    }

    fn widen(&mut self, (least, greatest): (f64, f64)) {
        let (min, max) = self.ends.unwrap_or((least, greatest));
        self.ends = Some((min.min(least), max.max(greatest)));
    }

    /// Takes in all values of another digest.
    ///
    /// # Errors
    /// Returns `Incompatible` for floats and doubles, and `InvalidArgument` if both have more values than the weights can count.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let Some(ends) = other.ends else { return Ok(()) };
        if self.ends.is_none() {
            self.is_of_floats = other.is_of_floats;
        }
        if self.is_of_floats != other.is_of_floats {
            let name = |digest: &Self| if digest.is_of_floats { "floats" } else { "doubles" };
            return Err(incompatible(
                "values",
                name(self),
                name(other),
                "merge digests of one type of values",
            ));
        }
        let most = if self.is_of_floats { u64::from(u32::MAX) } else { u64::MAX };
        if self.total().checked_add(other.total()).is_none_or(|total| total > most) {
            return Err(invalid(format!("the weights count up to {most} values; keep the digests apart")));
        }
        self.widen(ends);
        let singles = self.values.drain(..).chain(other.values.iter().copied());
        let mut all: Vec<Centroid> = singles.map(|mean| Centroid { mean, weight: 1 }).collect();
        all.extend(&other.centroids);
        self.absorb(all);
        Ok(())
    }

    /// Makes centroids of the values that came since.
    fn compress(&mut self) {
        if !self.values.is_empty() {
            let singles = self.values.drain(..).map(|mean| Centroid { mean, weight: 1 }).collect();
            self.absorb(singles);
        }
    }

    /// Merges neighbours as far as the scale function K₂ of Dunning allows: less the nearer they are to an end.
    fn absorb(&mut self, mut all: Vec<Centroid>) {
        all.append(&mut self.centroids);
        all.sort_by(|a, b| a.mean.total_cmp(&b.mean));
        if self.backwards {
            all.reverse();
        }
        let total = all.iter().map(|it| it.weight).sum::<u64>() as f64;
        let compression = f64::from(self.k) * 2.0;
        // Both as in the reference implementation, so that the same values give the same centroids.
        let normalizer = compression / (4.0 * libm::log(total / compression) + 24.0);
        let most = |share: f64| share * (1.0 - share) / normalizer;
        let (mut before, last) = (0.0, all.len() - 1);
        for (place, one) in all.into_iter().enumerate() {
            if let Some(open) = self.centroids.last_mut() {
                let weight = (open.weight + one.weight) as f64;
                let may = |share: f64| weight <= total * most(share);
                if place > 1 && place < last && may(before / total) && may((before + weight) / total) {
                    open.weight += one.weight;
                    // Between both, also where the difference overflows or is rounded.
                    let mean = open.mean + (one.mean - open.mean) * one.weight as f64 / open.weight as f64;
                    let mean = mean.clamp(open.mean.min(one.mean), open.mean.max(one.mean));
                    open.mean = if self.is_of_floats { f64::from(mean as f32) } else { mean };
                    continue;
                }
                before += open.weight as f64;
            }
            self.centroids.push(one);
        }
        if self.backwards {
            self.centroids.reverse();
        }
        self.backwards = !self.backwards;
    }

    /// Estimates the value whose rank is `q` times the number of values, at 95 % confidence, between the means of two neighbours. `q` = 0
    /// gives the least and `q` = 1 the greatest value, exactly.
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless `q` is 0 to 1.
    pub fn quantile(&self, q: f64) -> Result<QuantileEstimate<f64>> {
        let mut whole = self.clone();
        whole.compress();
        whole.quantile_of_centroids(q)
    }

    fn quantile_of_centroids(&self, q: f64) -> Result<QuantileEstimate<f64>> {
        check_share_of_all(q)?;
        let (least, greatest) = self.ends.ok_or_else(|| empty("quantile"))?;
        if q == 0.0 || q == 1.0 {
            return Ok(QuantileEstimate::exact(if q == 0.0 { least } else { greatest }));
        }
        let total = self.total() as f64;
        let rank = q * total;
        // A value stands in the middle of its rank, and a mean in the middle of its values. Each end may be the mean next to it.
        let mut before = 0.0;
        let means = self.centroids.iter().map(|it| {
            before += it.weight as f64;
            (before - it.weight as f64 / 2.0, it.mean)
        });
        let points: Vec<(f64, f64)> =
            [(0.5, least)].into_iter().chain(means).chain([(total - 0.5, greatest)]).collect();
        let right = points.partition_point(|&(place, _)| place <= rank).clamp(1, points.len() - 1);
        let [(from, low), (to, high)] = [points[right - 1], points[right]];
        let share = if to > from { ((rank - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
        let (lower, upper) = (points[right.saturating_sub(2)].1, points[(right + 1).min(points.len() - 1)].1);
        let guarantee = Guarantee::Approximate { confidence: DEFAULT_CONFIDENCE };
        // Weighted, since the difference of two doubles may be infinite; between both, also where the sum is rounded.
        let value = (low * (1.0 - share) + high * share).clamp(low, high);
        Ok(quantile(value, lower, upper, guarantee))
    }

    /// Returns the number of inserted values.
    pub fn total(&self) -> u64 {
        self.centroids.iter().map(|it| it.weight).sum::<u64>() + self.values.len() as u64
    }

    /// Returns k, of which there are about as many centroids.
    pub fn k(&self) -> u16 {
        self.k
    }

    /// Returns the least inserted value.
    pub fn min(&self) -> Option<f64> {
        self.ends.map(|(least, _)| least)
    }

    /// Returns the greatest inserted value.
    pub fn max(&self) -> Option<f64> {
        self.ends.map(|(_, greatest)| greatest)
    }

    /// Returns whether the values are floats rather than doubles.
    pub fn is_of_floats(&self) -> bool {
        self.is_of_floats
    }

    /// Returns the number of means and values that are kept.
    pub fn kept(&self) -> usize {
        self.centroids.len() + self.values.len()
    }
}

impl Answers for TDigest {
    fn format(&self) -> Format {
        Format::TDigest
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![
            count("values", self.total()),
            text("elements", if self.is_of_floats { "f32" } else { "f64" }),
            count("k", self.k.into()),
            count("kept", self.kept() as u64),
        ];
        if let Some((least, greatest)) = self.ends {
            facts.extend([number("least", least), number("greatest", greatest)]);
        }
        facts
    }

    fn number_quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        let mut whole = self.clone();
        whole.compress();
        qs.iter().map(|&q| Ok(whole.quantile_of_centroids(q)?.map(Number::from))).collect()
    }

    fn occurrences(&self) -> Result<u64> {
        Ok(self.total())
    }
}
