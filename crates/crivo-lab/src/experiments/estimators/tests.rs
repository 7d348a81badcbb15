use crivo::rng::Rng;
use crivo::{Family, KINDS};

use super::super::prelude::*;
use super::measure::measure;
use super::subject::{About, Law, Subject, Trial};
use super::{cardinality, counting, frequency, heavy, near, profile, quantile, sampling, similarity};

#[test]
fn every_estimator_is_characterised() {
    for info in KINDS {
        if matches!(info.kind.family(), Family::Membership | Family::Valued | Family::Graph) {
            continue;
        }
        let id = format!("c-{}", info.kind.name());
        let experiment = crate::find(&id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!(experiment.source, Source::Crivo, "{id}");
    }
}

/// A structure of `TIMES`/`OVER` the size that theory takes it for.
struct Resized<S, const TIMES: u64, const OVER: u64>(S);

impl<S: Subject, const TIMES: u64, const OVER: u64> Subject for Resized<S, TIMES, OVER> {
    const ABOUT: About = S::ABOUT;
    const SIZE: &'static str = S::SIZE;
    const SIZES: &'static [u64] = S::SIZES;
    const MAIN: u64 = S::MAIN;
    const X: &'static str = S::X;
    const GRID: &'static [f64] = S::GRID;
    const QUICK: f64 = S::QUICK;
    const TRIALS: (u64, u64) = S::TRIALS;
    const COMPARED: f64 = S::COMPARED;

    fn trial(size: u64, grid: &[f64], rng: &mut Rng) -> Result<Trial> {
        S::trial(size * TIMES / OVER, grid, rng)
    }

    fn law(size: u64, x: f64) -> Result<Law> {
        S::law(size, x)
    }
}

/// Which of the claims hold when this is done to every trial: mean, spread, intervals.
fn judged<S: Subject>(spoil: fn(Trial) -> Trial) -> Vec<bool> {
    let settings = Settings { size: Size::Quick, ..Settings::default() };
    let outcome = measure::<S>(&settings, &mut Progress::silent(), spoil).unwrap();
    outcome.verdicts.iter().map(|verdict| verdict.passed).collect()
}

/// Every answer a tenth too large: its bar moves with it.
fn scaled(mut trial: Trial) -> Trial {
    let scale = |error: &mut f64| *error = 1.1 * (*error + 100.0) - 100.0;
    for answer in &mut trial.answers {
        scale(&mut answer.error);
        if let Some(bar) = &mut answer.bar {
            scale(&mut bar.lower);
            scale(&mut bar.upper);
        }
    }
    trial
}

/// Every bar half as long.
fn halved(mut trial: Trial) -> Trial {
    for answer in &mut trial.answers {
        if let Some(bar) = &mut answer.bar {
            bar.lower = f64::midpoint(bar.lower, answer.error);
            bar.upper = f64::midpoint(bar.upper, answer.error);
        }
    }
    trial
}

#[test]
fn scaled_answers_are_found_out() {
    assert!(!judged::<cardinality::HyperLogLogs>(scaled)[0]);
    assert!(!judged::<counting::MorrisCounters>(scaled)[0]);
    assert!(!judged::<frequency::Momentses>(scaled)[0]);
}

#[test]
fn halved_intervals_are_found_out() {
    assert_eq!(judged::<cardinality::HyperLogLogs>(halved), [true, true, false]);
    assert_eq!(judged::<similarity::MinHashes>(halved), [true, true, false]);
    assert_eq!(judged::<counting::BinomialCounters>(halved), [true, true, false]);
    assert!(!judged::<sampling::Reservoirs>(halved)[2]);
}

#[test]
fn structures_of_another_size_are_found_out() {
    assert!(!judged::<Resized<cardinality::LinearCountings, 1, 2>>(|trial| trial)[1]);
    assert_eq!(judged::<Resized<frequency::CountMins, 1, 2>>(|trial| trial)[..2], [false, false]);
    assert!(!judged::<Resized<heavy::MisraGrieses, 1, 4>>(|trial| trial)[0]);
    assert!(!judged::<Resized<quantile::Klls, 1, 2>>(|trial| trial)[1]);
    assert!(!judged::<Resized<sampling::Reservoirs, 1, 2>>(|trial| trial)[1]);
    assert!(!judged::<Resized<counting::MorrisCounters, 2, 1>>(|trial| trial)[1]);
    assert!(!judged::<Resized<similarity::MinHashes, 1, 2>>(|trial| trial)[1]);
    assert!(!judged::<Resized<near::LshIndices, 1, 2>>(|trial| trial)[0]);
    assert!(!judged::<Resized<near::HammingIndices, 1, 3>>(|trial| trial)[0]);
    assert!(!judged::<Resized<profile::TableProfiles, 4, 1>>(|trial| trial)[1]);
}
