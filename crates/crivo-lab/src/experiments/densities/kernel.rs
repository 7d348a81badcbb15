//! The kernel densities of the runs, and the candidates compared with them.

use super::{Candidate, FALSE_ALARM, Score, UNIT};
use crate::density::{bandwidth, differences, kernel_density, smoothed};
use crate::distance::Distances;
use crate::experiments::linear_bloom::name;
use crate::experiments::prelude::*;
use crate::sample::Sample;
use crate::summary::{Summary, student};
use crivo::valued::theory::Values;
use libm::floor;

/// Points drawn of a curve with marks.
const MARKS: usize = 50;
/// Exponential values reach beyond, with next to no density.
const LAST_SHOWN: f64 = 6.0;

/// The kernel densities of all runs.
pub(super) struct Kernel {
    width: f64,
    points: Vec<f64>,
    mean: Vec<f64>,
    /// Between which 95 % of the runs lie.
    bounds: Vec<(f64, f64)>,
}

impl Kernel {
    pub(super) fn of(samples: &[Sample], points: Vec<f64>) -> Self {
        let widths: Vec<f64> = samples.iter().map(bandwidth).collect();
        let density = |(sample, &width): (&Sample, &f64)| {
            kernel_density(sample.values(), sample.total(), width, &points)
        };
        let densities: Vec<Vec<f64>> = samples.iter().zip(&widths).map(density).collect();
        let at = |point: usize| Sample::of(densities.iter().map(|density| density[point]).collect());
        let (mean, bounds) = (0..points.len())
            .map(|point| {
                let densities = at(point);
                (densities.mean(), (densities.quantile(0.025), densities.quantile(0.975)))
            })
            .unzip();
        Self { width: widths.iter().sum::<f64>() / widths.len() as f64, points, mean, bounds }
    }

    pub(super) fn score(&self, candidate: &Candidate, pooled: &Sample) -> Score {
        let plain: Vec<f64> = self.points.iter().map(|&x| (candidate.density)(x)).collect();
        Score {
            name: candidate.name,
            printed: candidate.printed,
            plain: differences(&plain, &self.mean),
            kernel: differences(&smoothed(&candidate.cdf, UNIT, self.width, &self.points), &self.mean),
            distances: Distances::of(pooled, UNIT, &candidate.cdf),
        }
    }

    /// Figures 8 to 13 of the document.
    pub(super) fn plot(&self, what: &str, values: Values, candidates: &[Candidate; 3]) -> Plot {
        let shown = || self.points.iter().enumerate().filter(|&(_, &x)| x < LAST_SHOWN);
        let band = shown()
            .map(|(i, &x)| Point::new(x, self.mean[i]).with_bounds(self.bounds[i].0, self.bounds[i].1));
        let [theory, fit, own] = candidates.each_ref().map(|candidate| {
            let style = if candidate.name == candidates[0].name { Style::Theory } else { Style::Joined };
            let every = if style == Style::Theory { 1 } else { shown().count().div_ceil(MARKS) };
            let points = shown().step_by(every).map(|(_, &x)| Point::new(x, (candidate.density)(x)));
            Series::new(candidate.name, style, points)
        });
        Plot::new(name(values), format!("Density of the {what}: {} values", name(values)))
            .axes("value (three places)", "density (1 per unit of value)")
            .with([
                Series::new("simulation, kernel density (95 % of runs)", Style::Band, band),
                theory,
                fit,
                own,
            ])
    }
}

/// The share of what was seen up to every twentieth of the values inserted.
pub(super) fn shares_seen(
    values: Values,
    samples: &[Sample],
    theory: impl Fn(f64) -> f64,
) -> Vec<(f64, Summary, f64, f64)> {
    let steps = 20;
    let strays = student(samples.len() as f64 - 1.0, FALSE_ALARM / f64::from(3 * (steps - 1)));
    let share = |step: u32| {
        // Between two rounded values, where rounding changes no order.
        let limit = (floor(values.quantile(f64::from(step) / f64::from(steps)) / UNIT) + 0.5) * UNIT;
        let seen: Vec<f64> = samples.iter().map(|sample| sample.share_at_most(limit)).collect();
        let summary = Summary::of(&seen);
        (limit, summary, theory(limit), strays * summary.standard_error)
    };
    (1..steps).map(share).collect()
}
