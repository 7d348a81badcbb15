//! The table and the figures of the hash functions.

use crivo::stats::clopper_pearson;

use super::super::prelude::*;
use super::FALSE_ALARM;
use super::functions::Function;
use super::measures::Quality;

#[rustfmt::skip]
pub(super) fn table(qualities: &[Quality]) -> Result<Table> {
    let mut table = Table::new("data", [
        "function", "items", "draws", "χ²/freedom, lowest bits", "χ²/freedom, highest bits",
        "bits changed (%)", "farthest from 50 (%)",
        "Bloom filter, wrong (%)", "theory (%)", "HyperLogLog, mean error (%)", "most by theory (±%)",
    ]);
    for it in qualities {
        let (filter, sketch) = (it.check_filter(FALSE_ALARM)?, it.check_sketch(FALSE_ALARM)?);
        table.push([
            it.function.name().into(), it.set.into(), it.draws.into(),
            it.check_buckets(0, FALSE_ALARM).value.into(), it.check_buckets(1, FALSE_ALARM).value.into(),
            it.check_flips(FALSE_ALARM).value.into(), it.check_worst_flip(FALSE_ALARM).value.into(),
            filter.value.into(), filter.expected.into(), sketch.value.into(), sketch.upper.into(),
        ]);
    }
    Ok(table)
}

/// How often each bit of the value changes; and the filters.
pub(super) fn plots(qualities: &[Quality]) -> Result<Vec<Plot>> {
    let of = |function: Function| qualities.iter().filter(move |it| it.function == function);
    let shown = [Function::Java, Function::OneAtATime, Function::Murmur3, Function::Default];
    let flips = shown.map(|function| {
        let points = of(function).take(1).flat_map(Quality::flips_by_output).take(32).zip(0u32..);
        Series::new(function.name(), Style::Joined, points.map(|(flips, bit)| Point::new(bit.into(), flips)))
    });
    let half = [0.0, 31.0].map(|bit| Point::new(bit, 50.0));
    let theory = qualities
        .first()
        .map(|it| it.check_filter(FALSE_ALARM))
        .transpose()?
        .map_or(f64::NAN, |check| check.expected);
    // H2 lies on H1, and there are no more colours.
    let drawn = Function::ALL.into_iter().filter(|&function| function != Function::Djb31ma);
    let rates = drawn.enumerate().map(|(i, function)| {
        let points = of(function).zip(1u32..).map(|(it, set)| {
            let (lower, upper) = clopper_pearson(it.wrong, it.tested, 0.95);
            let x = f64::from(set) + 0.1 * (i as f64 - 2.5);
            let share = 100.0 * it.wrong as f64 / it.tested as f64;
            Point::new(x, share).with_bounds(100.0 * lower, 100.0 * upper)
        });
        Series::new(format!("{} (95 % interval)", function.name()), Style::Points, points)
    });
    Ok(vec![
        Plot::new("avalanche", "Bits of the value that change with one bit in the last four bytes of a word")
            .between(0.0, 100.0)
            .axes("bit of the value, from the lowest", "changed (% of trials)")
            .with([Series::new("a random function", Style::Theory, half)])
            .with(flips),
        Plot::new("filters", "False positives of a Bloom filter, ten bits per item, seven functions")
            .axes(
                "1: words, 2: numbers as text, 3: numbers as bytes, 4: addresses",
                "false positives (% of absent items)",
            )
            .log_y()
            .with([Series::new("theory", Style::Theory, [0.6, 4.4].map(|x| Point::new(x, theory)))])
            .with(rates),
    ])
}
