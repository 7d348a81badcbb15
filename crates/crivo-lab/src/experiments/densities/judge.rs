//! The claims about densities.

use super::{FALSE_ALARM, Measured, OWN, PARAMETERS, Score};
use crate::experiments::linear_bloom::{RUNS, name};
use crate::experiments::prelude::*;
use crate::significant;
use crate::summary::{ratio_chance, student};
use crivo::valued::theory::Values;
use libm::sqrt;

/// By how much a printed EQM or MEA may differ from ours, as a share: a choice, as the document states no error for them.
const DIFFERENCE: f64 = 0.1;
/// Fits that differ by this much for normal values can be distinguished from the printed ones.
const SHARP: f64 = 0.01;

pub(super) fn follows(what: &str, measured: &[Measured]) -> Verdict {
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
pub(super) fn nearest(claim: &str, measured: &[Measured], numbers: std::ops::Range<usize>) -> Verdict {
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
pub(super) fn by_plain_differences(measured: &[Measured]) -> String {
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
    // The quartiles of n normal values say as much about their deviation as the deviation of 0.37·n values.
    let strays = student(0.37 * RUNS as f64, FALSE_ALARM / 9.0);
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

pub(super) fn reproduced(measured: &[Measured], runs: f64, more: f64) -> Verdict {
    let checks = medians(measured, runs, more).filter(|(values, _)| *values != Values::Normal);
    Verdict::within(
        "For uniform and exponential values the medians of the fits are those that the document prints.",
        "",
        checks.map(|(_, check)| check),
    )
}

/// The printed scale of normal values lies outside the band of the printed quartiles.
pub(super) fn not_reproduced(measured: &[Measured], runs: f64, more: f64) -> Verdict {
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
pub(super) fn scatter(measured: &[Measured], runs: f64, more: f64) -> Verdict {
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
pub(super) fn differences_printed(
    measured: &[Measured],
    reproducible: &'static [Values],
    size: Size,
) -> Verdict {
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

#[cfg(test)]
mod tests {
    use super::super::{Fits, Printed};
    use super::*;
    use crate::Standing;
    use crate::distance::Distances;
    use crate::sample::Sample;
    use crivo::stats::normal_quantile;

    /// Normal values whose fits have this scale in every run, and the EQM and MEA of the document's density.
    fn measured(scale: f64, own: (f64, f64)) -> Measured {
        let fits = [-0.19, scale, -0.21].map(|parameter| Sample::of(vec![parameter; RUNS as usize]));
        let print = |median: f64, quartile: f64| {
            Fits::new([median - quartile, median, median + quartile], quartile / normal_quantile(0.75))
        };
        let printed = Printed {
            fits: [print(-0.19, 0.01), print(0.98, 0.005), print(-0.21, 0.01)],
            gev: (0.0005, 0.0139),
            own: (0.002, 0.01),
        };
        let distances = Distances { kolmogorov: 0.0, cramer_von_mises: 0.0 };
        let score = Score { name: OWN, printed: printed.own, plain: own, kernel: own, distances };
        let plot = Plot::new("none", "none");
        Measured { values: Values::Normal, printed, fits, scores: vec![score], shares: Vec::new(), plot }
    }

    /// A quick run leaves these two claims open, so that no planted fault can refute them there.
    #[test]
    fn claims_that_only_a_full_run_judges_can_fail() {
        let runs = RUNS as f64;
        let fits = |scale, more| not_reproduced(&[measured(scale, (0.002, 0.01))], runs, more).standing;
        assert_eq!(
            [0.994, 0.98, 0.96].map(|scale| fits(scale, 1.0)),
            [Standing::Holds, Standing::Fails, Standing::Fails]
        );
        assert_eq!(fits(0.994, 4.0), Standing::NotJudged);
        let printed = |eqm, mea, size| {
            differences_printed(&[measured(0.98, (eqm, mea))], &[Values::Normal], size).standing
        };
        assert_eq!(printed(0.0019, 0.0105, Size::Full), Standing::Holds);
        assert_eq!(printed(0.0019, 0.0115, Size::Full), Standing::Fails);
        assert_eq!(printed(0.0024, 0.01, Size::Full), Standing::Fails);
        assert_eq!(printed(0.0024, 0.01, Size::Quick), Standing::NotJudged);
    }
}
