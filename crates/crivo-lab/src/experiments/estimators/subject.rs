//! What every estimator is asked: how wrong it is at every n, what a bit buys, and whether its bars hold the truth.

use crivo::rng::Rng;
use crivo::stats::chi_squared_quantile;
use crivo::{Estimate, Guarantee};
use libm::sqrt;

use super::super::prelude::*;
use super::draw;
use crate::coverage::Coverage;
use crate::summary::{Summary, bernstein};

const FALSE_ALARM: f64 = 1e-6;
/// A mean square of fewer independent parts says too little to be judged by the χ² law.
pub(super) const LEAST_FREEDOM: f64 = 40.0;

/// An estimator, what it is asked and what theory says of its answers.
pub(super) trait Subject {
    /// The experiment without its `run`.
    const ABOUT: About;
    /// What a size counts.
    const SIZE: &'static str;
    /// The sizes that are compared.
    const SIZES: &'static [u64];
    /// The size that is asked at every x.
    const MAIN: u64 = Self::SIZES[Self::SIZES.len() / 2];
    /// What x is, with its unit.
    const X: &'static str = "different items n (count)";
    /// Whether x is drawn logarithmically.
    const LOG_X: bool = true;
    /// In what an answer is wrong, with its unit.
    const ERROR: &'static str = "relative error (%)";
    /// What the first figure shows.
    const DRAWN: &'static str = "Errors";
    /// Where it is asked, in ascending order.
    const GRID: &'static [f64];
    /// Up to here when there is little time.
    const QUICK: f64 = f64::INFINITY;
    /// How many independent trials there are: quick, full.
    const TRIALS: (u64, u64) = (400, 2000);
    /// Where sizes are compared.
    const COMPARED: f64;

    /// One independent trial with this size: an answer at every x of the grid.
    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial>;

    /// What theory says of the errors.
    fn law(size: u64, x: f64) -> Result<Law>;

    /// Questions of its own.
    fn more(_settings: &Settings, _outcome: &mut Outcome) -> Result<()> {
        Ok(())
    }
}

/// The words of an experiment.
pub(super) struct About {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) reference: &'static str,
    pub(super) question: &'static str,
    pub(super) theory: &'static str,
    pub(super) cost: Cost,
}

/// How the data are judged, after the theory of a structure.
macro_rules! judged {
    ($theory:literal) => {
        concat!(
            $theory,
            "\n\nEvery trial has random hashes of its own. The mean error of R trials may differ from theory by Bernstein's \
             bound for the variance σ²; the mean square error is held against the χ² law of R trials, with fewer degrees of \
             freedom where the errors have heavy tails (2R/(κ − 1) for the kurtosis κ); intervals that hold just as often as \
             they promise (95 % ones that are called approximate: 93 %) seem to miss more in one of 10⁶ runs. That false-alarm \
             probability is shared by all points of all claims."
        )
    };
}
pub(super) use judged;

/// The experiment of a subject.
pub(super) const fn experiment<S: Subject>() -> Experiment {
    let About { id, title, reference, question, theory, cost } = S::ABOUT;
    Experiment {
        id,
        title,
        source: Source::Crivo,
        reference,
        question,
        theory,
        cost,
        timed: false,
        run: |settings, progress| measure::<S>(settings, progress, |trial| trial),
    }
}

/// What one trial gave.
pub(super) struct Trial {
    /// One a point of the grid.
    pub(super) answers: Vec<Answer>,
    /// The memory at the end.
    pub(super) bytes: f64,
}

/// An answer beside the truth.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    /// By how much it is wrong, in the unit of the structure.
    pub(super) error: f64,
    pub(super) bar: Option<Bar>,
}

/// The error bar of an answer: by how much its ends are above the truth.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    pub(super) guarantee: Guarantee,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Bar {
    fn holds(&self) -> bool {
        self.lower <= 0.0 && 0.0 <= self.upper
    }
}

impl Answer {
    /// An answer whose error counts as a share of the truth, in percent.
    pub(super) fn relative(estimate: &Estimate, truth: f64) -> Self {
        Self::scaled(estimate, truth, 100.0 / truth)
    }

    /// An answer whose error counts `scale` times.
    pub(super) fn scaled(estimate: &Estimate, truth: f64, scale: f64) -> Self {
        let [error, lower, upper] =
            [estimate.value(), estimate.lower(), estimate.upper()].map(|end| (end - truth) * scale);
        Self { error, bar: Some(Bar { guarantee: estimate.guarantee(), lower, upper }) }
    }

    /// Whether something happened, less the probability that was stated, in percent.
    pub(super) fn event(happened: bool, stated: f64) -> Self {
        Self { error: 100.0 * (f64::from(u8::from(happened)) - stated), bar: None }
    }
}

/// What theory says of the errors at one x.
#[derive(Clone, Copy)]
pub(super) struct Law {
    /// Their mean, where theory knows it.
    pub(super) mean: Option<f64>,
    /// By how much theory may be wrong about the mean.
    slack: f64,
    /// Their root mean square, or the most that it or any of them may be.
    pub(super) deviation: f64,
    spread: Spread,
    /// By how much one event moves an answer.
    jump: f64,
}

/// What [`Law::deviation`] is.
#[derive(Clone, Copy, PartialEq)]
enum Spread {
    /// The root mean square.
    Is,
    /// The most that the root mean square may be.
    AtMost,
    /// The most that any error may be.
    Beyond,
    /// The root mean square of an event, of which only the mean says anything.
    OfEvent,
}

impl Law {
    /// No bias, and this deviation.
    pub(super) fn of(deviation: f64) -> Self {
        Self { mean: Some(0.0), slack: 0.0, deviation, spread: Spread::Is, jump: 0.0 }
    }

    /// No bias, and this deviation at most.
    pub(super) fn at_most(deviation: f64) -> Self {
        Self { spread: Spread::AtMost, ..Self::of(deviation) }
    }

    /// No error beyond this one, ever.
    pub(super) fn within(bound: f64) -> Self {
        Self { mean: None, spread: Spread::Beyond, ..Self::of(bound) }
    }

    /// Of an event with this probability ([`Answer::event`]).
    pub(super) fn event(probability: f64) -> Self {
        let deviation = 100.0 * sqrt(probability * (1.0 - probability));
        Self { spread: Spread::OfEvent, jump: 100.0, ..Self::of(deviation) }
    }

    /// Whether only the mean counts.
    pub(super) fn is_of_event(&self) -> bool {
        self.spread == Spread::OfEvent
    }

    /// Errors with this mean, or one that theory does not know.
    #[must_use]
    pub(super) fn with_mean(self, mean: Option<f64>) -> Self {
        Self { mean, ..self }
    }

    /// Errors whose mean may be off by so much.
    #[must_use]
    pub(super) fn with_slack(self, slack: f64) -> Self {
        Self { slack, ..self }
    }

    /// Errors that are sums of rare events, each of which moves the answer by so much.
    #[must_use]
    pub(super) fn with_jump(self, jump: f64) -> Self {
        Self { jump, ..self }
    }

    /// Whether theory only bounds the errors.
    pub(super) fn is_bound(&self) -> bool {
        matches!(self.spread, Spread::AtMost | Spread::Beyond)
    }
}

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

/// `spoil` is done to every trial: nothing, but in tests of the verdicts.
pub(super) fn measure<S: Subject>(
    settings: &Settings,
    progress: &mut Progress,
    spoil: fn(Trial) -> Trial,
) -> Result<Outcome> {
    let quick = settings.size == Size::Quick;
    let trials = if quick { S::TRIALS.0 } else { S::TRIALS.1 };
    let grid: Vec<f64> = S::GRID.iter().copied().filter(|&x| !quick || x <= S::QUICK).collect();
    let compared = [S::COMPARED];
    let rounds = S::SIZES.iter().map(|&size| (size, &compared[..]));
    let rounds: Vec<(u64, &[f64])> = std::iter::once((S::MAIN, &grid[..])).chain(rounds).collect();
    progress.start(rounds.len() as u64 * trials);
    let mut rng = settings.rng(S::ABOUT.id);
    let mut seen = Vec::new();
    for (size, grid) in rounds {
        let mut answers: Vec<Vec<Answer>> = vec![Vec::new(); grid.len()];
        let mut bytes = 0.0;
        for _ in 0..trials {
            let trial = spoil(S::trial(size, grid, &mut rng)?);
            bytes += trial.bytes / trials as f64;
            for (all, answer) in answers.iter_mut().zip(trial.answers) {
                all.push(answer);
            }
            progress.step();
        }
        for (&x, answers) in grid.iter().zip(&answers) {
            seen.push(Seen::of(size, x, S::law(size, x)?, answers, bytes));
        }
    }
    let (by_x, by_size) = seen.split_at(grid.len());
    let false_alarm = FALSE_ALARM / (3 * seen.len()) as f64;
    let mut outcome = Outcome {
        tables: vec![draw::by_x::<S>(by_x), draw::by_size::<S>(by_size)],
        plots: vec![draw::errors::<S>(by_x, false_alarm)],
        verdicts: judge(&seen, false_alarm),
        notes: vec![format!("{trials} independent trials at every point.")],
    };
    if by_size.len() > 1 && !by_size.iter().all(|seen| seen.law.is_of_event()) {
        outcome.plots.push(draw::sizes::<S>(by_size));
    }
    if seen.iter().any(|seen| seen.coverage.asked > 0) {
        outcome.plots.push(draw::coverage::<S>(by_x));
    }
    S::more(settings, &mut outcome)?;
    Ok(outcome)
}

fn judge(seen: &[Seen], false_alarm: f64) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let mut add = |claim: &str, unit: &str, check: &dyn Fn(&Seen) -> Option<Check>| {
        let checks: Vec<Check> = seen.iter().filter_map(check).collect();
        if !checks.is_empty() {
            verdicts.push(Verdict::within(claim, unit, checks));
        }
    };
    add("The mean error is that of theory everywhere.", "", &|seen| seen.bias(false_alarm));
    let spread = if seen.iter().any(|seen| seen.law.spread == Spread::Beyond) {
        "No error is larger than theory allows."
    } else if seen.iter().any(|seen| seen.law.is_bound()) {
        "The root mean square error is that of theory, or less where theory only bounds it."
    } else {
        "The root mean square error is that of theory, at every point and size."
    };
    add(spread, "", &|seen| seen.spread(false_alarm));
    add("Intervals hold the truth as often as they promise.", " %", &|seen| seen.cover(false_alarm));
    verdicts
}
