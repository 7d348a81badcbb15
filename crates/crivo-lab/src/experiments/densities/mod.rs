//! Ferreira's comparison of densities: a closed theory, a fitted one and her own, each against the simulation.

mod judge;
mod kernel;
mod show;

use crivo::rng::Rng;
use crivo::stats::normal_quantile;
use crivo::valued::LinearBloomParams;
use crivo::valued::theory::{Values, load};
use libm::{exp, expm1, pow, round, sqrt};

use super::linear_bloom::{CELLS, Filled, HASHES, RUNS, draw, fill, items_of, name};
use super::prelude::*;
use crate::density::bandwidth;
use crate::distance::Distances;
use crate::gev::Gev;
use crate::sample::Sample;
use crate::summary::Summary;
use kernel::Kernel;

/// The document rounds values to three places.
const UNIT: f64 = 0.001;
/// Points of a kernel density.
const POINTS: usize = 400;
const FALSE_ALARM: f64 = 1e-6;
/// The parameters of a fit.
const PARAMETERS: [&str; 3] = ["location", "scale", "shape"];
/// The name of the document's density.
const OWN: &str = "density of the document";

/// A distribution made of another one: both functions take the load and the share of the other's values below.
#[derive(Clone, Copy)]
pub(super) struct Law {
    pub(super) cdf: fn(f64, f64) -> f64,
    /// How fast the first function grows with the share.
    pub(super) slope: fn(f64, f64) -> f64,
}

/// What stands in the exponent of the document's densities: the mean number of values in an occupied cell. The document
/// calls it n and does not say what it takes; this gives back the differences that it prints.
pub(super) fn exponent(load: f64) -> f64 {
    load / -expm1(-load)
}

/// What the document prints about one distribution of values.
#[derive(Clone, Copy)]
pub(super) struct Printed {
    /// Of location, scale and shape, over all runs.
    pub(super) fits: [Fits; 3],
    /// EQM and MEA of the fit and of its own density.
    pub(super) gev: (f64, f64),
    pub(super) own: (f64, f64),
}

/// What the document prints about a parameter of its fits: the quartiles and the standard deviation over all runs.
#[derive(Clone, Copy)]
pub(super) struct Fits {
    pub(super) quartiles: [f64; 3],
    pub(super) deviation: f64,
}

impl Fits {
    pub(super) const fn new(quartiles: [f64; 3], deviation: f64) -> Self {
        Self { quartiles, deviation }
    }

    fn median(&self) -> f64 {
        self.quartiles[1]
    }

    /// The standard deviation of normal values with these quartiles. Outliers do not change it.
    fn robust_deviation(&self) -> f64 {
        (self.quartiles[2] - self.quartiles[0]) / (2.0 * normal_quantile(0.75))
    }
}

/// What of the filter is looked at, and what it is compared with.
pub(super) struct Study {
    pub(super) id: &'static str,
    /// Values in the cells, or answers.
    pub(super) seen: fn(&Filled) -> Vec<f64>,
    pub(super) what: &'static str,
    pub(super) theory: Law,
    pub(super) own: Law,
    /// Where the document lets the kernel density begin and end; else three widths beyond the values.
    pub(super) ends: fn(Values) -> (Option<f64>, Option<f64>),
    /// In the order of [`Values::ALL`].
    pub(super) printed: [Printed; 3],
    /// The distributions whose printed EQM and MEA come back.
    pub(super) reproducible: &'static [Values],
}

/// One of the distributions that are judged.
struct Candidate<'a> {
    name: &'static str,
    cdf: Box<dyn Fn(f64) -> f64 + 'a>,
    density: Box<dyn Fn(f64) -> f64 + 'a>,
    printed: (f64, f64),
}

/// How far a candidate is from the simulation.
struct Score {
    name: &'static str,
    printed: (f64, f64),
    /// EQM and MEA from the kernel density: as in the document.
    plain: (f64, f64),
    /// The same when the candidate is seen through the kernel too.
    kernel: (f64, f64),
    distances: Distances,
}

impl Score {
    /// Everything, in a fixed order.
    fn numbers(&self) -> [(&'static str, f64); 6] {
        let Distances { kolmogorov, cramer_von_mises } = self.distances;
        [
            ("EQM", self.plain.0),
            ("MEA", self.plain.1),
            ("EQM, both through the kernel", self.kernel.0),
            ("MEA, both through the kernel", self.kernel.1),
            ("Kolmogorov", kolmogorov),
            ("Cramér–von Mises", cramer_von_mises),
        ]
    }
}

/// All that was measured with one distribution of values.
struct Measured {
    values: Values,
    printed: Printed,
    /// Location, scale and shape, by run.
    fits: [Sample; 3],
    scores: Vec<Score>,
    /// Value, share of what was seen at most it, what theory expects and how far it may stray.
    shares: Vec<(f64, Summary, f64, f64)>,
    plot: Plot,
}

impl Study {
    /// `hashes` is how many functions the filter really uses; theory always expects [`HASHES`].
    pub(super) fn measure(
        &self,
        settings: &Settings,
        progress: &mut Progress,
        hashes: u32,
    ) -> Result<Outcome> {
        let (cells, runs) = match settings.size {
            Size::Quick => (1 << 16, 24),
            Size::Full => (CELLS, RUNS),
        };
        let params = LinearBloomParams::exact(cells, hashes)?;
        let items = items_of(cells);
        progress.start(3 * runs);
        let mut measured = Vec::new();
        for (values, printed) in Values::ALL.into_iter().zip(self.printed) {
            let mut rng = settings.rng(&format!("{} {}", self.id, name(values)));
            let mut samples = Vec::new();
            let mut fits = Vec::new();
            for _ in 0..runs {
                let value = |rng: &mut Rng| round(draw(values, rng) / UNIT) * UNIT;
                let sample = Sample::of((self.seen)(&fill(params, items, &mut rng, value)?));
                fits.push(Gev::fit(&sample));
                samples.push(sample);
                progress.step();
            }
            measured.push(self.compare(values, printed, load(items, cells, HASHES), &samples, &fits));
        }
        // Fits of smaller filters vary by so much more.
        let more = sqrt(CELLS as f64 / cells as f64);
        let verdicts = vec![
            judge::follows(self.what, &measured),
            judge::nearest(
                "By the distances of Kolmogorov and of Cramér and von Mises, which no kernel biases, the closed theory is closer than the fit and than the density of the document.",
                &measured,
                4..6,
            ),
            judge::nearest(
                "By EQM and MEA the closed theory is closest, too, if the same kernel smooths the candidates and the data.",
                &measured,
                2..4,
            ),
            judge::reproduced(&measured, runs as f64, more),
            judge::not_reproduced(&measured, runs as f64, more),
            judge::scatter(&measured, runs as f64, more),
            judge::differences_printed(&measured, self.reproducible, settings.size),
        ];
        Ok(Outcome {
            atlas: None,
            tables: vec![show::parameters(&measured), show::scores(&measured), show::shares(&measured)],
            notes: vec![
                format!(
                    "{cells} cells, {HASHES} functions, {items} items, {runs} runs; the document has {CELLS} cells and \
                     {RUNS} runs. Values are rounded to three places, as there."
                ),
                judge::by_plain_differences(&measured),
            ],
            plots: measured.into_iter().map(|measured| measured.plot).collect(),
            verdicts,
        })
    }

    fn compare(
        &self,
        values: Values,
        printed: Printed,
        load: f64,
        samples: &[Sample],
        fits: &[Gev],
    ) -> Measured {
        let parameter = |of: fn(&Gev) -> f64| Sample::of(fits.iter().map(of).collect());
        let fits = [parameter(|fit| fit.location), parameter(|fit| fit.scale), parameter(|fit| fit.shape)];
        let [location, scale, shape] = [0, 1, 2].map(|i: usize| fits[i].quantile(0.5));
        let fit = Gev { location, scale, shape };
        let made = |name, law: Law, printed| Candidate {
            name,
            cdf: Box::new(move |x| (law.cdf)(load, values.cdf(x))),
            density: Box::new(move |x| match values.density(x) {
                0.0 => 0.0,
                density => density * (law.slope)(load, values.cdf(x)),
            }),
            printed,
        };
        let candidates = [
            made("closed theory", self.theory, (f64::NAN, f64::NAN)),
            Candidate {
                name: "GEV fit",
                cdf: Box::new(move |x| fit.cdf(x)),
                density: Box::new(move |x| fit.density(x)),
                printed: printed.gev,
            },
            made(OWN, self.own, printed.own),
        ];
        let points = self.grid(values, &samples[0]);
        let kernel = Kernel::of(samples, points);
        let pooled = Sample::pooled(samples);
        let scores = candidates.iter().map(|candidate| kernel.score(candidate, &pooled)).collect();
        let shares = kernel::shares_seen(values, samples, &candidates[0].cdf);
        Measured { values, printed, fits, scores, shares, plot: kernel.plot(self.what, values, &candidates) }
    }

    /// Where the density of the first run is computed, as R's `density` chooses.
    fn grid(&self, values: Values, sample: &Sample) -> Vec<f64> {
        let beyond = 3.0 * bandwidth(sample);
        let (from, to) = (self.ends)(values);
        let from = from.unwrap_or(sample.quantile(0.0) - beyond);
        let to = to.unwrap_or(sample.quantile(1.0) + beyond);
        (0..POINTS).map(|i| from + (to - from) * i as f64 / (POINTS - 1) as f64).collect()
    }
}

/// The slope of 1 − e^{−λ(1 − share)} downwards: what both closed theories are made of.
pub(super) fn falls(load: f64, share: f64) -> f64 {
    load * exp(-load * (1.0 - share))
}

/// Every law is a distribution, and its slope is its derivative.
#[cfg(test)]
pub(super) fn assert_is_a_law(law: Law) {
    let load = 0.7;
    assert!((law.cdf)(load, 0.0).abs() < 1e-12 && ((law.cdf)(load, 1.0) - 1.0).abs() < 1e-12);
    for share in [0.01, 0.2, 0.5, 0.8, 0.99] {
        let slope = ((law.cdf)(load, share + 1e-6) - (law.cdf)(load, share - 1e-6)) / 2e-6;
        assert!((slope - (law.slope)(load, share)).abs() < 1e-6, "{share}");
    }
}

/// F^n and 1 − (1 − F^n)^n: what the document makes of a share.
pub(super) fn own_power(load: f64, share: f64) -> (f64, f64) {
    let n = exponent(load);
    (pow(share, n), n * pow(share, n - 1.0))
}
