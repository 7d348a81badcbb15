//! Measures a subject, and judges what was measured.

use crivo::stats::chi_squared_quantile;
use libm::sqrt;

use super::super::prelude::*;
use super::draw;
use super::law::{Law, Spread};
use super::subject::{Answer, Flaw, Subject};
use crate::coverage::{Coverage, Pooled};
use crate::summary::{Summary, bernstein};

const FALSE_ALARM: f64 = 1e-6;
/// A mean square of fewer independent parts says too little to be judged by the χ² law.
pub(super) const LEAST_FREEDOM: f64 = 40.0;

/// What all trials of one size gave at one x.
pub(super) struct Seen {
    pub(super) size: u64,
    pub(super) x: f64,
    pub(super) errors: Summary,
    /// The farthest from the truth.
    pub(super) worst: f64,
    /// Of the χ² law that the mean square has.
    pub(super) freedom: f64,
    pub(super) coverage: Coverage,
    /// What the bars promise, as a share.
    pub(super) confidence: f64,
    pub(super) bytes: f64,
    pub(super) law: Law,
    pub(super) trials: f64,
}

impl Seen {
    fn of(size: u64, x: f64, law: Law, answers: &[Answer], bytes: f64) -> Self {
        let errors: Vec<f64> = answers.iter().map(|answer| answer.error).collect();
        let trials = errors.len() as f64;
        let summary = Summary::of(&errors);
        let square = summary.rms * summary.rms;
        let fourth = errors.iter().map(|error| error * error * error * error).sum::<f64>() / trials;
        let seen = if square > 0.0 { fourth / (square * square) } else { 3.0 };
        let rare = law.jump / law.deviation;
        let kurtosis = seen.max(3.0 + rare * rare);
        let mut coverage = Coverage::default();
        let mut confidence: f64 = 1.0;
        for bar in answers.iter().filter_map(|answer| answer.bar.as_ref()) {
            coverage.add_interval(bar.guarantee, bar.holds());
            confidence = confidence.min(bar.guarantee.confidence());
        }
        let worst = errors.iter().fold(0.0, |worst: f64, error| worst.max(error.abs()));
        let freedom = 2.0 * trials / (kurtosis - 1.0);
        Self { size, x, errors: summary, worst, freedom, coverage, confidence, bytes, law, trials }
    }

    fn place(&self) -> String {
        format!("{} (size {})", self.x, self.size)
    }

    /// How far the mean error may be from theory.
    pub(super) fn bias_bound(&self, false_alarm: f64) -> f64 {
        let Law { deviation, jump, .. } = self.law;
        // Rounding alone moves an exact answer.
        bernstein(deviation * deviation, jump, self.trials, false_alarm) + self.law.slack + 1e-9
    }

    fn bias(&self, false_alarm: f64) -> Option<Check> {
        let (expected, bound) = (self.law.mean?, self.bias_bound(false_alarm));
        let (lower, upper) = (expected - bound, expected + bound);
        bound.is_finite().then(|| Check {
            place: self.place(),
            value: self.errors.mean,
            expected,
            lower,
            upper,
        })
    }

    fn spread(&self, false_alarm: f64) -> Option<Check> {
        if self.law.is_of_event() {
            return None;
        }
        let Law { deviation: expected, spread, .. } = self.law;
        let place = self.place();
        if spread == Spread::Beyond {
            let (lower, upper) = (f64::NEG_INFINITY, expected * (1.0 + 1e-9));
            return Some(Check { place, value: self.worst, expected: 0.0, lower, upper });
        }
        let limit = |p: f64| expected * sqrt(chi_squared_quantile(self.freedom, p) / self.freedom);
        let lower = if spread == Spread::Is { limit(false_alarm / 2.0) } else { f64::NEG_INFINITY };
        let upper = limit(1.0 - false_alarm / 2.0);
        let judged = expected.is_finite() && expected > 0.0 && self.freedom >= LEAST_FREEDOM;
        judged.then_some(Check { place, value: self.errors.rms, expected, lower, upper })
    }

    fn cover(&self, false_alarm: f64) -> Option<Check> {
        (self.coverage.asked > 0).then(|| self.coverage.check(self.place(), false_alarm))
    }
}

pub(super) fn measure<S: Subject>(
    settings: &Settings,
    progress: &mut Progress,
    flaw: Flaw,
) -> Result<Outcome> {
    let quick = settings.size == Size::Quick;
    let trials = if quick { S::TRIALS.0 } else { S::TRIALS.1 };
    let grid: Vec<f64> = S::GRID.iter().copied().filter(|&x| !quick || x <= S::QUICK).collect();
    let compared = [S::COMPARED];
    let rounds = S::SIZES.iter().map(|&size| (size, &compared[..]));
    let rounds: Vec<(u64, &[f64])> = std::iter::once((S::MAIN, &grid[..])).chain(rounds).collect();
    progress.start(rounds.len() as u64 * trials);
    let mut rng = settings.rng(S::ABOUT.id);
    let (mut seen, mut pooled) = (Vec::new(), Pooled::default());
    for (size, grid) in rounds {
        let mut answers: Vec<Vec<Answer>> = vec![Vec::new(); grid.len()];
        let mut bytes = 0.0;
        for _ in 0..trials {
            let trial = S::trial(size, grid, &mut rng)?;
            bytes += trial.bytes;
            let spoilt: Vec<Answer> = trial.answers.into_iter().map(|answer| flaw.spoil(answer)).collect();
            let bars = spoilt.iter().filter_map(|answer| answer.bar);
            pooled.add(bars.map(|bar| (bar.guarantee, bar.holds())));
            for (all, answer) in answers.iter_mut().zip(spoilt) {
                all.push(answer);
            }
            progress.step();
        }
        for (&x, answers) in grid.iter().zip(&answers) {
            seen.push(Seen::of(size, x, S::law(size, x)?, answers, bytes / trials as f64));
        }
    }
    let (by_x, by_size) = seen.split_at(grid.len());
    let false_alarm = FALSE_ALARM / (3 * seen.len() + 1) as f64;
    let main = by_size.iter().find(|seen| seen.size == S::MAIN).or(by_size.first());
    let mut outcome = Outcome {
        atlas: main.map(|seen| draw::entry::<S>(seen, &pooled)),
        tables: vec![draw::by_x::<S>(by_x), draw::by_size::<S>(by_size)],
        plots: vec![draw::errors::<S>(by_x, false_alarm)],
        verdicts: judge(&seen, &pooled, false_alarm),
        notes: vec![format!("{trials} independent trials at every point.")],
    };
    if by_size.len() > 1 && !by_size.iter().all(|seen| seen.law.is_of_event()) {
        outcome.plots.push(draw::sizes::<S>(by_size));
    }
    if seen.iter().any(|seen| seen.coverage.asked > 0) {
        outcome.plots.push(draw::coverage::<S>(by_x));
    }
    S::more(settings, flaw, &mut outcome)?;
    Ok(outcome)
}

fn judge(seen: &[Seen], pooled: &Pooled, false_alarm: f64) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let mut add = |claim: &str, unit: &str, check: &dyn Fn(&Seen) -> Option<Check>| {
        let checks: Vec<Check> = seen.iter().filter_map(check).collect();
        if !checks.is_empty() {
            verdicts.push(Verdict::within(claim, unit, checks));
        }
    };
    add("The mean error is that of theory at every point.", "", &|seen| seen.bias(false_alarm));
    let spread = if seen.iter().any(|seen| seen.law.spread == Spread::Beyond) {
        "No error is larger than theory allows."
    } else if seen.iter().any(|seen| seen.law.is_bound()) {
        "The root mean square error is that of theory, or less if theory only bounds it."
    } else {
        "The root mean square error is that of theory, at every point and size."
    };
    add(spread, "", &|seen| seen.spread(false_alarm));
    let covers =
        seen.iter().filter_map(|seen| seen.cover(false_alarm)).chain(pooled.check(FALSE_ALARM / 4.0));
    let covers: Vec<Check> = covers.collect();
    if !covers.is_empty() {
        verdicts.push(Verdict::within("Intervals have the promised coverage.", " %", covers));
    }
    verdicts
}
