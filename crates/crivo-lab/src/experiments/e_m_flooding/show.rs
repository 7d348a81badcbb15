//! The tables and figures of the forged keys.

use crivo::stats::clopper_pearson;

use super::super::prelude::*;
use super::bloom::{Queries, STATED, Step};
use super::count_min::Victims;
use super::{bloom, count_min};

pub(super) fn summary_table(queries: &Queries, victims: &Victims) -> Table {
    let mut table = Table::new("summary", ["what", "known seed", "secret key", "stated"]);
    let mut row = |what: &str, [known, secret]: [f64; 2], stated: f64| {
        table.push([what.into(), known.into(), secret.into(), stated.into()]);
    };
    let share = |yes: u64| 100.0 * yes as f64 / queries.forged as f64;
    row("forged keys answered yes (%)", [queries.public_yes, queries.keyed_yes].map(share), 100.0 * STATED);
    row("trials a forged key (count)", [queries.trials as f64 / queries.forged as f64, f64::NAN], f64::NAN);
    let held = [queries.public_count, queries.keyed_count].map(|coverage| 100.0 * coverage.share());
    row("intervals for the number of items that hold (%)", held, 95.0);
    let mean = |errors: &Vec<f64>| 100.0 * errors.iter().sum::<f64>() / errors.len() as f64;
    row(
        "Count-Min: victims over-counted by, mean (% of total)",
        victims.errors.each_ref().map(mean),
        f64::NAN,
    );
    let held = victims.coverage.map(|coverage| 100.0 * coverage.share());
    row("Count-Min: intervals of the victims that hold (%)", held, 95.0);
    let trials = victims.trials.iter().sum::<u64>() as f64 / victims.trials.len() as f64;
    row("Count-Min: trials a victim, mean (count)", [trials, f64::NAN], f64::NAN);
    table
}

#[rustfmt::skip]
pub(super) fn fill_table(steps: &[Step]) -> Result<Table> {
    let mut table = Table::new("inserts", [
        "inserted", "trials", "known seed: ones", "wrong (%)", "(kn/m)^k (%)", "secret key: ones", "wrong (%) ", "stated (%)",
    ]);
    for step in steps {
        table.push([
            step.inserted.into(), step.trials.into(),
            step.public.ones.into(), step.percent(step.public.wrong as f64).into(), (100.0 * step.worst_rate()?).into(),
            step.keyed.ones.into(), step.percent(step.keyed.wrong as f64).into(), (100.0 * bloom::params()?.fpr_at(step.inserted)).into(),
        ]);
    }
    Ok(table)
}

pub(super) fn fill_plot(steps: &[Step]) -> Result<Plot> {
    let (mut stated, mut worst) = (Vec::new(), Vec::new());
    for step in steps {
        let x = step.inserted as f64;
        stated.push(Point::new(x, 100.0 * bloom::params()?.fpr_at(step.inserted)));
        worst.push(Point::new(x, 100.0 * step.worst_rate()?));
    }
    let measured = |wrong: fn(&Step) -> u64| {
        let points = steps.iter().map(move |step| {
            let (lower, upper) = clopper_pearson(wrong(step), step.tested, 0.95);
            let share = step.percent(wrong(step) as f64);
            Point::new(step.inserted as f64, share).with_bounds(100.0 * lower, 100.0 * upper)
        });
        points.collect::<Vec<Point>>()
    };
    Ok(Plot::new("inserts", "Keys that fill a Bloom filter for 1000 items at 1 %")
        .axes("keys inserted (count)", "wrong answers (% of absent keys)")
        .with([
            Series::new("theory: stated rate", Style::Theory, stated),
            Series::new("theory: (kn/m)^k", Style::Curve, worst).coloured(1),
            Series::new("secret key (95 % interval)", Style::Points, measured(|step| step.keyed.wrong))
                .coloured(0),
            Series::new("known seed (95 % interval)", Style::Points, measured(|step| step.public.wrong))
                .coloured(1),
        ]))
}

pub(super) fn trials_plot(victims: &Victims) -> Result<Plot> {
    let (mut theory, mut measured) = (Vec::new(), Vec::new());
    let all = victims.trials.len() as u64;
    for i in 1..=50 {
        let trials = f64::from(i) * 500.0;
        theory.push(Point::new(trials, 100.0 * count_min::enough(trials)?));
        let found = victims.trials.iter().filter(|&&needed| needed as f64 <= trials).count() as u64;
        let (lower, upper) = clopper_pearson(found, all, 0.95);
        let share = 100.0 * found as f64 / all as f64;
        measured.push(Point::new(trials, share).with_bounds(100.0 * lower, 100.0 * upper));
    }
    Ok(Plot::new(
        "victims",
        "Trials until every row of a Count-Min sketch has a key that shares the victim's cell",
    )
    .axes("keys tried (count)", "victims whose cells are all shared (%)")
    .with([
        Series::new("theory: (1 − (1 − 1/w)^t)^d", Style::Theory, theory),
        Series::new("measured (95 % interval)", Style::Points, measured.into_iter().step_by(2)),
    ]))
}
