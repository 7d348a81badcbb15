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
    const X: &'static str = "distinct items n (count)";
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

    /// Claims about this structure alone.
    fn more(_settings: &Settings, _flaw: Flaw, _outcome: &mut Outcome) -> Result<()> {
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
            "\n\nEvery trial has its own random hashes. The mean error of R trials may differ from theory by Bernstein's \
             bound for the variance σ². The mean square error is compared with the χ² law of R trials, with fewer degrees of \
             freedom if the errors have heavy tails (2R/(κ − 1) for the kurtosis κ). Coverage is compared with the confidence, \
             less 2 points for approximate intervals: at each point if the trials suffice for a band of 3 points, and over all points, by \
             Student's t over the trials. A false-alarm probability of 10⁻⁶ is shared by all points of all claims."
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
        structures: const { &[S::ABOUT.id.split_at(2).1] },
        contradicts: false,
        faults: const {
            &[
                Fault {
                    name: "answers twice as large",
                    run: |settings, progress| measure::<S>(settings, progress, Flaw::Scaled),
                },
                Fault {
                    name: "intervals half as long",
                    run: |settings, progress| measure::<S>(settings, progress, Flaw::Halved),
                },
                Fault {
                    name: "intervals a tenth as long",
                    run: |settings, progress| measure::<S>(settings, progress, Flaw::Tenth),
                },
                Fault {
                    name: "a tenth of the items lost",
                    run: |settings, progress| measure::<S>(settings, progress, Flaw::Lost),
                },
            ]
        },
        run: |settings, progress| measure::<S>(settings, progress, Flaw::None),
    }
}

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    None,
    /// Every answer is twice as large, and its interval moves with it.
    Scaled,
    /// Every interval is half as long.
    Halved,
    /// Every interval is a tenth as long: even intervals that theory makes too long miss the truth.
    Tenth,
    /// A tenth of the items never reach the structure. Only claims about one structure plant it.
    Lost,
}

impl Flaw {
    /// Whether the item with this number reaches the structure.
    pub(super) fn keeps(self, item: u64) -> bool {
        self != Self::Lost || item >= 100
    }

    /// What becomes of an answer.
    pub(super) fn spoil(self, mut answer: Answer) -> Answer {
        let scale = |error: &mut f64| *error = 2.0 * (*error + 100.0) - 100.0;
        match (self, &mut answer.bar) {
            (Self::Scaled, bar) => {
                scale(&mut answer.error);
                if let Some(bar) = bar {
                    scale(&mut bar.lower);
                    scale(&mut bar.upper);
                }
            }
            (Self::Halved, Some(bar)) => bar.shorten(answer.error, 0.5),
            (Self::Tenth, Some(bar)) => bar.shorten(answer.error, 0.1),
            _ => (),
        }
        answer
    }
}

/// What one trial gave.
pub(super) struct Trial {
    /// One a point of the grid.
    pub(super) answers: Vec<Answer>,
    /// The memory at the end.
    pub(super) bytes: f64,
}

/// An answer and the true value.
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
    /// Moves both ends towards the answer, until this share of the length is left.
    fn shorten(&mut self, answer: f64, share: f64) {
        for end in [&mut self.lower, &mut self.upper] {
            *end = answer + share * (*end - answer);
        }
    }

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
