//! Ranks, quantiles and their errors.

use super::{FIRST_SECTIONS, Req};
use crate::KllItem;
use crate::foreign::{Answers, Format, count, text};
use crivo::foreign::{check_confidence, empty, quantile_of, rank_of};
use crivo::sketch::Fact;
use crivo::stats::normal_quantile;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Number, QuantileEstimate, Result};
use std::cmp::Ordering;

/// k times the standard error of a rank, as a share of the values beyond it at the accurate end: the square root of 0.0512/3.
const RELATIVE: f64 = 0.130_639_452_948_436_14;
/// k times the standard error of any rank, as a share of all values.
const FIXED: f64 = 0.084;
/// With a smaller k, the number of sections does not grow with the stream, and the error is not relative.
const LEAST_GROWING: u16 = 6;

impl<T: KllItem> Req<T> {
    /// Estimates the number of values ≤ `value`, at 95 % confidence.
    pub fn rank(&self, value: &T) -> Estimate {
        self.rank_within(value, DEFAULT_CONFIDENCE)
    }

    /// Like [`rank`](Self::rank), at another confidence.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless `confidence` lies strictly between 0 and 1.
    pub fn rank_at(&self, value: &T, confidence: f64) -> Result<Estimate> {
        check_confidence(confidence)?;
        Ok(self.rank_within(value, confidence))
    }

    fn rank_within(&self, value: &T, confidence: f64) -> Estimate {
        let Some((min, max)) = &self.ends else { return Estimate::exact(0.0) };
        if value.order(min) == Ordering::Less {
            return Estimate::exact(0.0);
        }
        if value.order(max) != Ordering::Less {
            return Estimate::exact(self.total as f64);
        }
        let up_to =
            |values: &[T]| values.iter().filter(|kept| kept.order(value) != Ordering::Greater).count();
        let rank =
            (0..).zip(&self.levels).map(|(height, level)| (up_to(&level.values) as u64) << height).sum();
        rank_of(rank, self.total, self.radius(rank, confidence))
    }

    /// Estimates the smallest value whose rank is at least `q` times the number of values, at 95 % confidence. The bounds are inserted
    /// values; `q` = 0 gives the least and `q` = 1 the greatest value, exactly.
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless `q` is 0 to 1.
    pub fn quantile(&self, q: f64) -> Result<QuantileEstimate<T>> {
        self.quantile_at(q, DEFAULT_CONFIDENCE)
    }

    /// Like [`quantile`](Self::quantile), at another confidence.
    ///
    /// # Errors
    /// Returns `Empty` if there are no values, `InvalidArgument` unless `q` is 0 to 1 and `confidence` lies strictly between 0 and 1.
    pub fn quantile_at(&self, q: f64, confidence: f64) -> Result<QuantileEstimate<T>> {
        check_confidence(confidence)?;
        let Some((min, max)) = &self.ends else { return Err(empty("quantile")) };
        let mut kept: Vec<(u64, &T)> = (0..)
            .zip(&self.levels)
            .flat_map(|(height, level)| level.values.iter().map(move |value| (1u64 << height, value)))
            .collect();
        kept.sort_by(|(_, a), (_, b)| a.order(b));
        let mut rank = 0;
        for (weight, _) in &mut kept {
            rank += *weight;
            *weight = rank;
        }
        let radius = self.radius((q.clamp(0.0, 1.0) * self.total as f64) as u64, confidence);
        quantile_of(&kept, (min, max), q, radius)
    }

    /// Returns by how much a rank may be off.
    fn radius(&self, rank: u64, confidence: f64) -> (u64, Guarantee) {
        let beyond = if self.is_high { self.total - rank.min(self.total) } else { rank };
        // This many values at the accurate end never leave the lowest level.
        let certain = u64::from(self.k) * u64::from(FIRST_SECTIONS);
        if self.levels.len() == 1 || beyond < certain {
            return (0, Guarantee::Certain);
        }
        let fixed = FIXED * self.total as f64;
        let deviation = if self.k < LEAST_GROWING { fixed } else { fixed.min(RELATIVE * beyond as f64) };
        let deviation = deviation / f64::from(self.k);
        let radius = libm::ceil(normal_quantile(0.5 + confidence / 2.0) * deviation);
        (radius as u64, Guarantee::Approximate { confidence })
    }
}

impl<T: KllItem> Answers for Req<T> {
    fn format(&self) -> Format {
        Format::Req
    }

    fn full_name(&self) -> &'static str {
        match T::NAME {
            "f32" => "datasketches-req of floats",
            "f64" => "datasketches-req of doubles",
            _ => "datasketches-req of whole numbers of 32 bits",
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            count("values", self.total()),
            text("elements", T::NAME),
            count("k", self.k.into()),
            count("kept", self.kept() as u64),
            text("accurate_end", self.accurate_end()),
        ]
    }

    fn number_quantiles(&self, qs: &[f64]) -> Result<Vec<QuantileEstimate<Number>>> {
        let Some(number) = T::NUMBER else { return Err(self.no_quantiles()) };
        qs.iter().map(|&q| self.quantile(q).map(|quantile| quantile.map(number))).collect()
    }

    fn occurrences(&self) -> Result<u64> {
        Ok(self.total())
    }
}
