//! The tables and figures of the counters.

use crivo::stats::clopper_pearson;
use libm::sqrt;

use super::super::prelude::*;
use super::Counter::{Binomial, Morris};
use super::{Case, FALSE_ALARM, NAMES};

#[rustfmt::skip]
pub(super) fn table(cases: &[Case]) -> Table {
    let mut table = Table::new("data", [
        "counter", "events k", "counted", "runs",
        "mean of n, or of 2ⁿ (Morris): theory", "measured", "printed", "lowest", "highest",
        "standard deviation of it: theory", "measured ", "printed ", "lowest ", "highest ",
        "χ²", "degrees of freedom", "intervals that hold k (%)",
    ]);
    for case in cases {
        let (mean, variance) = (case.mean(FALSE_ALARM), case.variance(FALSE_ALARM));
        let fit = case.law.pearson(&case.registers);
        let printed = case.name == NAMES[0] && case.events == 10_000;
        let printed = if printed { [5000.0, 50.0] } else { [f64::NAN; 2] };
        // A full register has not the moments of the notes.
        let theory = |value: f64| if case.is_narrow() { f64::NAN } else { value };
        table.push([
            case.name.into(), case.events.into(), (if case.at_once { "at once" } else { "one by one" }).into(), (case.registers.len() as u64).into(),
            theory(mean.expected).into(), mean.value.into(), printed[0].into(), mean.lower.into(), mean.upper.into(),
            theory(sqrt(variance.expected)).into(), sqrt(variance.value).into(), printed[1].into(), sqrt(variance.lower.max(0.0)).into(), sqrt(variance.upper).into(),
            fit.0.into(), fit.1.into(), (100.0 * case.coverage.share()).into(),
        ]);
    }
    table
}

/// The registers of a case and their probabilities: the sixteen ways of the notes, and Morris's law.
pub(super) fn distributions(cases: &[Case]) -> Table {
    let mut table = Table::new(
        "registers",
        ["counter", "events k", "register n", "chance: theory", "measured", "printed"],
    );
    let shown = [(NAMES[0], 4), (NAMES[2], 15), (NAMES[2], 10_000)];
    for case in cases.iter().filter(|case| !case.at_once && shown.contains(&(case.name, case.events))) {
        for (n, chance) in case.law.iter().filter(|&(_, chance)| chance > 1e-9) {
            let ways = [1.0, 4.0, 6.0, 4.0, 1.0].iter().zip(0u64..).find(|&(_, at)| at == n);
            let printed = ways.filter(|_| case.events == 4).map_or(f64::NAN, |(ways, _)| ways / 16.0);
            let share = case.measured(|register| f64::from(u8::from(register == n)));
            let numbers = [chance.into(), share.into(), printed.into()];
            table.push([Cell::from(case.name), case.events.into(), n.into()].into_iter().chain(numbers));
        }
    }
    table
}

pub(super) fn law_plot(cases: &[Case], name: &str, events: u64, file: &'static str) -> Plot {
    let case = cases.iter().find(|case| (case.name, case.events, case.at_once) == (name, events, false));
    let law =
        case.map_or_else(Vec::new, |case| case.law.iter().filter(|&(_, chance)| chance > 1e-6).collect());
    let points = case.into_iter().flat_map(|case| {
        law.iter().map(|&(n, _)| {
            let seen = case.registers.iter().filter(|&&register| u64::from(register) == n).count() as u64;
            let (lower, upper) = clopper_pearson(seen, case.registers.len() as u64, 0.95);
            Point::new(n as f64, seen as f64 / case.runs()).with_bounds(lower, upper)
        })
    });
    let curve = law.iter().map(|&(n, chance)| Point::new(n as f64, chance));
    Plot::new(file, format!("Register after {events} events: {name}"))
        .axes("register n (count)", "probability (share of runs)")
        .with([
            Series::new("theory", Style::Theory, curve),
            Series::new("measured (95 % interval)", Style::Points, points),
        ])
}

/// What is gained by 64 in place of 2, and what is lost (exercise 2.5.1).
pub(super) fn error_plot(cases: &[Case]) -> Plot {
    let series = NAMES.iter().enumerate().flat_map(|(colour, name)| {
        let of: Vec<&Case> = cases
            .iter()
            .filter(|case| case.name == *name && !(case.at_once && case.events == 1000))
            .collect();
        let relative = |case: &Case, variance: f64| {
            let scale = match case.counter {
                Binomial { probability, .. } => probability,
                Morris { .. } => 1.0,
            };
            100.0 * sqrt(variance.max(0.0)) / (scale * case.events as f64)
        };
        let theory = of
            .iter()
            .map(|case| Point::new(case.events as f64, relative(case, case.counter.moments(case.events).1)));
        let measured = of.iter().map(|case| {
            let Check { value, lower, upper, .. } = case.variance(FALSE_ALARM);
            let [value, lower, upper] = [value, lower, upper].map(|variance| relative(case, variance));
            Point::new(case.events as f64, value).with_bounds(lower, upper)
        });
        [
            Series::new(format!("{name}: theory"), Style::Curve, theory).coloured(colour),
            Series::new(format!("{name}: measured (Chernoff, 10⁻⁶)"), Style::Points, measured)
                .coloured(colour),
        ]
    });
    Plot::new("errors", "Standard error of the estimate by the number of events")
        .axes("events k (count)", "standard error of the estimate (% of k)")
        .log_x()
        .log_y()
        .with(series)
}
