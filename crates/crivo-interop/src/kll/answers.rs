//! Ranks, quantiles and their errors.

use super::{Kll, KllItem, capacity};
use crate::foreign::{Answers, Format, count, number, text};
use crivo::foreign::{check_confidence, empty, quantile_of, rank_of, rank_radius};
use crivo::sketch::Fact;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Guarantee, Number, QuantileEstimate, Result};
use std::cmp::Ordering;

impl<T: KllItem> Kll<T> {
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
            |level: &Vec<T>| level.iter().filter(|kept| kept.order(value) != Ordering::Greater).count();
        let rank = (0..).zip(&self.levels).map(|(height, level)| (up_to(level) as u64) << height).sum();
        rank_of(rank, self.total, self.radius(confidence))
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
            .flat_map(|(height, level)| level.iter().map(move |value| (1u64 << height, value)))
            .collect();
        kept.sort_by(|(_, a), (_, b)| a.order(b));
        let mut rank = 0;
        for (weight, _) in &mut kept {
            rank += *weight;
            *weight = rank;
        }
        quantile_of(&kept, (min, max), q, self.radius(confidence))
    }

    /// Returns the bound on the error of one rank, as a share of all values, at 95 % confidence.
    pub fn rank_error(&self) -> f64 {
        self.radius(DEFAULT_CONFIDENCE).0 as f64 / self.total.max(1) as f64
    }

    fn radius(&self, confidence: f64) -> (u64, Guarantee) {
        let (mut variance, mut most) = (0.0, 0u64);
        let count = self.levels.len();
        // The weight above a level, all of which came through it.
        let mut above = 0u64;
        for height in (0..count).rev() {
            // Each compaction moved at least half of what the level must have held, which was never less than now: levels below the
            // highest have less room the more there are above them.
            let moved = above >> (height + 1);
            let least = (capacity(self.least_k, count, height) / 2) as u64;
            let compactions = moved / least;
            variance += libm::ldexp(compactions as f64, 2 * height as i32);
            most = most.saturating_add(compactions << height);
            above += (self.levels[height].len() as u64) << height;
        }
        rank_radius(variance, most, confidence)
    }
}

impl<T: KllItem> Answers for Kll<T> {
    fn format(&self) -> Format {
        Format::Kll
    }

    fn full_name(&self) -> &'static str {
        match T::NAME {
            "f32" => "datasketches-kll of floats",
            "f64" => "datasketches-kll of doubles",
            "i32" => "datasketches-kll of whole numbers of 32 bits",
            "i64" => "datasketches-kll of whole numbers",
            _ => "datasketches-kll of texts",
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![
            count("values", self.total()),
            text("elements", T::NAME),
            count("k", self.k().into()),
            count("kept", self.kept() as u64),
            number("rank_error", self.rank_error()),
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
