//! What every estimator is asked: how wrong it is at every n, what a bit buys, and whether its bars hold the truth.

use crivo::rng::Rng;
use crivo::{Estimate, Guarantee};

use super::super::prelude::*;
pub(super) use super::law::Law;
use super::measure::measure;

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
    pub(super) fn holds(&self) -> bool {
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
