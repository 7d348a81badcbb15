//! The generalised extreme value distribution: what maxima of many values tend to.

use libm::{exp, log, log1p, sqrt};

use crate::nelder_mead::minimise;
use crate::sample::Sample;

/// A generalised extreme value distribution (Jenkinson 1955): Weibull's for a shape below 0, Gumbel's at 0, Fréchet's
/// above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gev {
    pub(crate) location: f64,
    pub(crate) scale: f64,
    pub(crate) shape: f64,
}

impl Gev {
    /// `s` such that the distribution function is exp(−exp(−s)); `None` outside of the support.
    fn reduced(&self, x: f64) -> Option<f64> {
        let y = (x - self.location) / self.scale;
        if self.shape == 0.0 {
            return Some(y);
        }
        (self.shape * y > -1.0).then(|| log1p(self.shape * y) / self.shape)
    }

    pub(crate) fn cdf(&self, x: f64) -> f64 {
        let outside = if self.shape > 0.0 { 0.0 } else { 1.0 };
        self.reduced(x).map_or(outside, |s| exp(-exp(-s)))
    }

    pub(crate) fn density(&self, x: f64) -> f64 {
        exp(self.log_density(x))
    }

    fn log_density(&self, x: f64) -> f64 {
        let inside = |s: f64| -log(self.scale) - (1.0 + self.shape) * s - exp(-s);
        self.reduced(x).map_or(f64::NEG_INFINITY, inside)
    }

    /// The value that a share `p` of all values do not exceed.
    #[cfg(test)]
    pub(crate) fn quantile(&self, p: f64) -> f64 {
        let s = -log(-log(p));
        let y = if self.shape == 0.0 { s } else { libm::expm1(self.shape * s) / self.shape };
        self.location + self.scale * y
    }

    /// The logarithm of the density of the whole sample, per value.
    pub(crate) fn log_likelihood(&self, sample: &Sample) -> f64 {
        let sum: f64 = sample.values().iter().map(|&(x, count)| count as f64 * self.log_density(x)).sum();
        sum / sample.total() as f64
    }

    /// The distribution that makes the sample most likely, among those with a shape above −1: below it the likelihood
    /// has no bound. It starts where `fgev` of R's package evd does, from the mean and the variance of a Gumbel.
    pub(crate) fn fit(sample: &Sample) -> Self {
        let scale = sqrt(6.0) / std::f64::consts::PI * sample.standard_deviation();
        let of = |&[location, log_scale, shape]: &[f64; 3]| Self { location, scale: exp(log_scale), shape };
        let surprise =
            |at: &[f64; 3]| if at[2] > -1.0 { -of(at).log_likelihood(sample) } else { f64::INFINITY };
        // A small shape at first: with 0 the support is the whole line, which no step may lose.
        let start = [sample.mean() - EULER * scale, log(scale), 0.0];
        of(&minimise(start, [0.1 * scale, 0.1, 0.1], surprise))
    }
}

/// The mean of Gumbel's distribution.
const EULER: f64 = 0.577_215_664_901_532_9;

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::rng::Rng;

    const SHAPES: [f64; 5] = [-0.63, -0.2, 0.0, 1e-9, 0.36];

    fn gev(shape: f64) -> Gev {
        Gev { location: 0.5, scale: 0.7, shape }
    }

    /// At the location all are e⁻¹; standard Gumbel: density e⁻¹ at 0, median −ln ln 2, 0.99 quantile 4.600149.
    #[test]
    fn known_values() {
        for shape in SHAPES {
            let gev = gev(shape);
            assert!((gev.cdf(0.5) - exp(-1.0)).abs() < 1e-15, "{shape}");
            assert!((gev.density(0.5) - exp(-1.0) / 0.7).abs() < 1e-15, "{shape}");
        }
        let gumbel = Gev { location: 0.0, scale: 1.0, shape: 0.0 };
        assert!((gumbel.quantile(0.5) + log(std::f64::consts::LN_2)).abs() < 1e-15);
        assert!((gumbel.quantile(0.99) - 4.600_149_2).abs() < 1e-7);
        // Fréchet with shape 1: exp(−1/(1 + x)); Weibull with shape −1: exp(−(1 − x)), up to 1.
        assert!((Gev { shape: 1.0, ..gumbel }.cdf(1.0) - exp(-0.5)).abs() < 1e-15);
        let weibull = Gev { shape: -1.0, ..gumbel };
        assert!((weibull.cdf(0.25) - exp(-0.75)).abs() < 1e-15);
        assert_eq!((weibull.cdf(1.5), weibull.density(1.5)), (1.0, 0.0));
        assert_eq!(
            (Gev { shape: 1.0, ..gumbel }.cdf(-1.5), Gev { shape: 1.0, ..gumbel }.density(-1.5)),
            (0.0, 0.0)
        );
    }

    #[test]
    fn the_quantile_inverts_and_the_density_integrates() {
        for shape in SHAPES {
            let gev = gev(shape);
            for p in [0.001, 0.1, 0.5, 0.9, 0.999] {
                assert!((gev.cdf(gev.quantile(p)) - p).abs() < 1e-12, "{shape} {p}");
            }
            let (from, to, steps) = (gev.quantile(0.01), gev.quantile(0.99), 20_000);
            let width = (to - from) / f64::from(steps);
            let area: f64 =
                (0..steps).map(|i| gev.density(from + (f64::from(i) + 0.5) * width) * width).sum();
            assert!((area - 0.98).abs() < 1e-7, "{shape} {area}");
        }
    }

    /// The asymptotic standard errors of a regular shape are below 1.5/√n for each parameter here.
    #[test]
    fn a_fit_finds_the_parameters_back() {
        let count = 40_000;
        for shape in [-0.4, -0.2, 0.0, 0.36] {
            let truth = gev(shape);
            let mut rng = Rng::new(7);
            let sample = Sample::of((0..count).map(|_| truth.quantile(rng.unit().max(1e-12))).collect());
            let fit = Gev::fit(&sample);
            let off = [fit.location - truth.location, fit.scale - truth.scale, fit.shape - shape];
            let bound = 1.5 * 4.9 / sqrt(f64::from(count));
            assert!(off.iter().all(|off| off.abs() < bound), "{fit:?}, truth {truth:?}");
            // No neighbour is more likely.
            for (location, scale, shape) in [(1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3)] {
                for sign in [-1.0, 1.0] {
                    let near = Gev {
                        location: fit.location + sign * location,
                        scale: fit.scale + sign * scale,
                        shape: fit.shape + sign * shape,
                    };
                    assert!(near.log_likelihood(&sample) < fit.log_likelihood(&sample), "{near:?}");
                }
            }
        }
    }
}
