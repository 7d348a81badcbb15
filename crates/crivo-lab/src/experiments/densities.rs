//! Ferreira's comparison of densities: a closed theory, a fitted one and her own, each against the simulation.

use crivo::rng::Rng;
use crivo::stats::normal_quantile;
use crivo::valued::LinearBloomParams;
use crivo::valued::theory::{Values, load};
use libm::{exp, expm1, floor, pow, round, sqrt};

use super::linear_bloom::{CELLS, Filled, HASHES, RUNS, draw, fill, items_of, name};
use super::prelude::*;
use crate::density::{bandwidth, differences, kernel_density, smoothed};
use crate::distance::Distances;
use crate::gev::Gev;
use crate::sample::Sample;
use crate::summary::{Summary, ratio_chance, student};
use crate::{Size, significant};

/// The document rounds values to three places.
const UNIT: f64 = 0.001;
/// Points of a kernel density.
const POINTS: usize = 400;
const FALSE_ALARM: f64 = 1e-6;
/// By how much a printed EQM or MEA may differ from ours, as a share: a choice, as the document states no error for them.
const DIFFERENCE: f64 = 0.1;
/// Fits that differ by this much for normal values can be distinguished from the printed ones.
const SHARP: f64 = 0.01;

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
            follows(self.what, &measured),
            nearest(
                "By the distances of Kolmogorov and of Cramér and von Mises, which no kernel biases, the closed theory is closer than the fit and than the density of the document.",
                &measured,
                4..6,
            ),
            nearest(
                "By EQM and MEA the closed theory is closest, too, if the same kernel smooths the candidates and the data.",
                &measured,
                2..4,
            ),
            reproduced(&measured, runs as f64, more),
            not_reproduced(&measured, runs as f64, more),
            scatter(&measured, runs as f64, more),
            differences_printed(&measured, self.reproducible, settings.size),
        ];
        Ok(Outcome {
            atlas: None,
            tables: vec![parameters(&measured), scores(&measured), shares(&measured)],
            notes: vec![
                format!(
                    "{cells} cells, {HASHES} functions, {items} items, {runs} runs; the document has {CELLS} cells and \
                     {RUNS} runs. Values are rounded to three places, as there."
                ),
                by_plain_differences(&measured),
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
        let shares = shares_seen(values, samples, &candidates[0].cdf);
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

/// The kernel densities of all runs.
struct Kernel {
    width: f64,
    points: Vec<f64>,
    mean: Vec<f64>,
    /// Between which 95 % of the runs lie.
    bounds: Vec<(f64, f64)>,
}

impl Kernel {
    fn of(samples: &[Sample], points: Vec<f64>) -> Self {
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

    fn score(&self, candidate: &Candidate, pooled: &Sample) -> Score {
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
    fn plot(&self, what: &str, values: Values, candidates: &[Candidate; 3]) -> Plot {
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

/// Points drawn of a curve with marks.
const MARKS: usize = 50;
/// Exponential values reach beyond, with next to no density.
const LAST_SHOWN: f64 = 6.0;

/// The share of what was seen up to every twentieth of the values inserted.
fn shares_seen(
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

fn parameters(measured: &[Measured]) -> Table {
    let mut table = Table::new(
        "parameters",
        [
            "values",
            "parameter",
            "least",
            "25 %",
            "median",
            "75 %",
            "greatest",
            "mean",
            "standard deviation",
            "document's median",
            "document's standard deviation",
        ],
    );
    for Measured { values, printed, fits, .. } in measured {
        for ((parameter, fits), printed) in PARAMETERS.into_iter().zip(fits).zip(printed.fits) {
            let quantiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|p| Cell::from(fits.quantile(p)));
            let rest =
                [fits.mean(), fits.standard_deviation(), printed.median(), printed.deviation].map(Cell::from);
            table.push([name(*values).into(), parameter.into()].into_iter().chain(quantiles).chain(rest));
        }
    }
    table
}

const PARAMETERS: [&str; 3] = ["location", "scale", "shape"];

fn scores(measured: &[Measured]) -> Table {
    let mut table = Table::new(
        "distances",
        [
            "values",
            "candidate",
            "EQM",
            "MEA",
            "EQM, both through the kernel",
            "MEA, both through the kernel",
            "Kolmogorov",
            "Cramér–von Mises",
            "document's EQM",
            "document's MEA",
        ],
    );
    for Measured { values, scores, .. } in measured {
        for score in scores {
            let numbers = score.numbers().map(|(_, number)| Cell::from(number));
            let printed = [score.printed.0, score.printed.1].map(Cell::from);
            table.push([name(*values).into(), score.name.into()].into_iter().chain(numbers).chain(printed));
        }
    }
    table
}

fn shares(measured: &[Measured]) -> Table {
    let mut table =
        Table::new("shares", ["values", "value", "share seen", "standard error", "theory", "may stray by"]);
    for Measured { values, shares, .. } in measured {
        for (limit, seen, theory, stray) in shares {
            let numbers = [*limit, seen.mean, seen.standard_error, *theory, *stray].map(Cell::from);
            table.push(std::iter::once(name(*values).into()).chain(numbers));
        }
    }
    table
}

fn follows(what: &str, measured: &[Measured]) -> Verdict {
    let checks = measured.iter().flat_map(|measured| {
        measured.shares.iter().map(|&(limit, seen, theory, stray)| Check {
            place: format!("{} {}", name(measured.values), significant(limit, 4)),
            value: seen.mean,
            expected: theory,
            lower: theory - stray,
            upper: theory + stray,
        })
    });
    Verdict::within(
        format!("The {what} follow the closed theory at every twentieth of the values."),
        "",
        checks,
    )
}

/// Whether the first candidate has the smallest of these numbers everywhere.
fn nearest(claim: &str, measured: &[Measured], numbers: std::ops::Range<usize>) -> Verdict {
    let mut passed = true;
    let mut detail = Vec::new();
    for Measured { values, scores, .. } in measured {
        for number in numbers.clone() {
            let found: Vec<(&str, f64)> = scores.iter().map(|score| score.numbers()[number]).collect();
            passed &= found[1..].iter().all(|other| found[0].1 < other.1);
            let shown: Vec<String> = found.iter().map(|(_, value)| significant(*value, 2)).collect();
            detail.push(format!("{} {}: {}", name(*values), found[0].0, shown.join(" / ")));
        }
    }
    Verdict::new(
        claim,
        passed,
        format!("Closed theory / GEV fit / density of the document. {}.", detail.join("; ")),
    )
}

/// What the document's own measure says, for the notes.
fn by_plain_differences(measured: &[Measured]) -> String {
    let mut lost = Vec::new();
    for Measured { values, scores, .. } in measured {
        for number in 0..2 {
            let of = |score: &Score| score.numbers()[number].1;
            for other in scores[1..].iter().filter(|other| of(other) <= of(&scores[0])) {
                let [theirs, ours] = [of(other), of(&scores[0])].map(|value| significant(value, 3));
                lost.push(format!(
                    "{} {}: {} {theirs}, closed theory {ours}",
                    name(*values),
                    scores[0].numbers()[number].0,
                    other.name
                ));
            }
        }
    }
    if lost.is_empty() {
        "By EQM and MEA as the document computes them, the closed theory is closest for all values."
            .to_owned()
    } else {
        format!(
            "By EQM and MEA as the document computes them, the closed theory is not always closest ({}): a kernel smooths the steps of \
             the density, and a wrong but smooth density then fits better.",
            lost.join("; ")
        )
    }
}

/// The medians of the fits against the printed ones. The band follows from the printed quartiles.
fn medians(measured: &[Measured], runs: f64, more: f64) -> impl Iterator<Item = (Values, Check)> {
    let strays = normal_quantile(1.0 - FALSE_ALARM / 18.0);
    measured.iter().flat_map(move |Measured { values, printed, fits, .. }| {
        PARAMETERS.into_iter().zip(fits).zip(printed.fits).map(move |((parameter, fits), printed)| {
            let median = printed.median();
            // A median of normal values varies by π/2 more than their mean; the last printed place is rounded.
            let error = printed.robust_deviation()
                * sqrt(std::f64::consts::FRAC_PI_2 * (1.0 / RUNS as f64 + more * more / runs));
            let stray = strays * error + 5e-5;
            let place = format!("the {parameter} of {} values", name(*values));
            let (lower, upper) = (median - stray, median + stray);
            (*values, Check { place, value: fits.quantile(0.5), expected: median, lower, upper })
        })
    })
}

fn reproduced(measured: &[Measured], runs: f64, more: f64) -> Verdict {
    let checks = medians(measured, runs, more).filter(|(values, _)| *values != Values::Normal);
    Verdict::within(
        "For uniform and exponential values the medians of the fits are those that the document prints.",
        "",
        checks.map(|(_, check)| check),
    )
}

/// The printed scale of normal values lies outside the band of the printed quartiles.
fn not_reproduced(measured: &[Measured], runs: f64, more: f64) -> Verdict {
    let claim = "The fits that the document prints for normal values are not reproduced: the scale of greatest likelihood is larger by more \
than the printed quartiles allow.";
    let of_normal = medians(measured, runs, more).filter(|(values, _)| *values == Values::Normal);
    let Some((_, scale)) = of_normal.into_iter().nth(1) else {
        return Verdict::erratum(claim, false, "Nothing was measured.");
    };
    let Check { value, expected, lower, upper, .. } = scale;
    let detail = format!(
        "The median of the scale is {}, the printed one {}; {} to {} are compatible.",
        significant(value, 4),
        significant(expected, 4),
        significant(lower, 4),
        significant(upper, 4)
    );
    if upper - expected > SHARP {
        return Verdict { erratum: true, ..Verdict::not_judged(claim, detail) };
    }
    Verdict::erratum(claim, value > upper, detail)
}

/// Normal values are where the printed fits scatter more than the likelihood allows.
fn scatter(measured: &[Measured], runs: f64, more: f64) -> Verdict {
    let mut detail = Vec::new();
    let mut holds = true;
    for Measured { values, printed, fits, .. } in measured {
        let theirs = printed.fits[1].deviation;
        let ours = fits[1].standard_deviation() / more;
        let chance = ratio_chance(theirs * theirs / (ours * ours), RUNS as f64 - 1.0, runs - 1.0);
        holds &= (chance < FALSE_ALARM / 3.0) == (*values == Values::Normal);
        let [theirs, ours, chance] = [theirs, ours, chance].map(|value| significant(value, 2));
        detail.push(format!("{}: {theirs} printed, {ours} here (p = {chance})", name(*values)));
    }
    let claim = "The printed standard deviations of the scale are those of fits of greatest likelihood for uniform and exponential values, \
and larger for normal values.";
    Verdict::new(claim, holds, format!("{}.", detail.join("; ")))
}

/// Tables 7 to 12 of the document. A kernel density depends on the number of values, so only filters of the document's size compare.
fn differences_printed(measured: &[Measured], reproducible: &'static [Values], size: Size) -> Verdict {
    let names: Vec<&str> = reproducible.iter().map(|&values| name(values)).collect();
    let claim = format!(
        "The EQM and MEA that the document prints for its own density come back within 10 % and the rounding for {} values.",
        names.join(" and ")
    );
    let checks =
        measured.iter().filter(|measured| reproducible.contains(&measured.values)).flat_map(|measured| {
            let own = measured.scores.iter().filter(|score| score.name == OWN);
            own.flat_map(move |score| {
                let pairs =
                    [("EQM", score.plain.0, score.printed.0), ("MEA", score.plain.1, score.printed.1)];
                pairs.map(|(what, value, printed)| {
                    let stray = DIFFERENCE * printed + 5e-5;
                    let place = format!("the {what} of {} values", name(measured.values));
                    Check { place, value, expected: printed, lower: printed - stray, upper: printed + stray }
                })
            })
        });
    let verdict = Verdict::within(claim, "", checks);
    let others = measured.iter().filter(|measured| !reproducible.contains(&measured.values));
    let others =
        others.flat_map(|measured| measured.scores.iter().map(move |score| (measured.values, score)));
    let others = others.filter(|(_, score)| score.name == OWN).map(|(values, score)| {
        let [ours, theirs] = [score.plain.1, score.printed.1].map(|value| significant(value, 3));
        format!(" Not reproduced for {} values: MEA {ours}, printed {theirs}.", name(values))
    });
    let detail = verdict.detail.clone() + &others.collect::<String>();
    match size {
        Size::Full => Verdict { detail, ..verdict },
        Size::Quick => Verdict::not_judged(verdict.claim, detail),
    }
}

/// The name of the document's density.
const OWN: &str = "density of the document";

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
