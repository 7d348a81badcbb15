//! The tables and figures of filters of values.

use super::measure::Sort;
use crate::experiments::errors::Place;
use crate::experiments::prelude::*;
use crate::summary::Summary;

pub(super) fn filling_table(sorts: &[Sort]) -> Table {
    let columns = [
        "items n",
        "n/capacity",
        "too much, theory (%)",
        "too much, measured (%)",
        "mean excess, theory",
        "mean excess, measured",
        "absent reported, theory (%)",
        "absent reported, measured (%)",
        "stated rates confirmed (%)",
        "too little",
    ];
    let mut table = Table::new("filling", columns);
    for sort in sorts {
        let Sort { raised, absent, .. } = sort;
        let held = 100.0 * absent.coverage().share();
        let excess = [sort.mean_excess, Summary::of(&sort.excess).mean];
        let rates = [raised.x, 100.0 * raised.expected, raised.percent()].into_iter().chain(excess);
        let rates = rates.chain([100.0 * absent.expected, absent.percent(), held]);
        table.push([sort.items.into()].into_iter().chain(rates.map(Cell::from)).chain([sort.low.into()]));
    }
    table
}

pub(super) fn bits_table(sorts: &[Sort]) -> Table {
    let columns = ["target (%)", "theory (%)", "measured (%)", "95 % upper (%)", "memory (bits per item)"];
    let mut table = Table::new("bits", columns);
    for Sort { target, raised, memory, .. } in sorts {
        let row = [100.0 * target, 100.0 * raised.expected, raised.percent(), raised.bars().1, *memory];
        table.push(row.map(Cell::from));
    }
    table
}

pub(super) fn stated_table(places: &[Place]) -> Table {
    let mut table = Table::new("stated", ["answers", "count", "stated, mean (%)", "too much (%)"]);
    for place in places {
        let rates = [100.0 * place.expected, place.percent()].map(Cell::from);
        table.push([place.name.as_str().into(), place.asked().into()].into_iter().chain(rates));
    }
    table
}

pub(super) fn filling_plot(sorts: &[Sort]) -> Plot {
    let theory = |place: &Place| Point::new(place.x, 100.0 * place.expected);
    Plot::new("filling", "Wrong answers of a filter made for 1 % answered too much")
        .axes("items inside (share of the capacity)", "errors (%)")
        .log_x()
        .log_y()
        .with([Series::new(
            "items inside answered too much, theory",
            Style::Theory,
            sorts.iter().map(|s| theory(&s.raised)),
        )])
        .with([Series::new(
            "measured (95 % interval)",
            Style::Points,
            sorts.iter().map(|s| s.raised.point()),
        )
        .coloured(0)])
        .with([Series::new(
            "absent items reported, theory",
            Style::Curve,
            sorts.iter().map(|s| theory(&s.absent)),
        )
        .coloured(1)])
        .with([Series::new(
            "measured (95 % interval)",
            Style::Points,
            sorts.iter().map(|s| s.absent.point()),
        )
        .coloured(1)])
}

pub(super) fn bits_plot(sorts: &[Sort]) -> Plot {
    let seen = sorts.iter().map(|sort| Point::new(sort.raised.percent(), sort.memory));
    Plot::new("bits", "Bits that a rate costs, filled to the capacity")
        .axes("items answered too much (%)", "memory (bits per item)")
        .log_x()
        .with([Series::new("in memory", Style::Joined, seen)])
}
