//! The tables and figures of the collisions.

use libm::{exp, sqrt};

use super::super::prelude::*;
use super::{DAYS, FARTHEST, ITEMS, PLACES, Seen, approximations};

pub(super) fn table(name: &'static str, size: &str, rows: &[Seen]) -> Table {
    let columns = [
        size,
        "items m",
        "runs",
        "with a collision",
        "measured (%)",
        "exact (%)",
        "1 − e^(−m(m − 1)/2n) (%)",
        "1 − e^(−m²/2n) (%)",
        "printed",
    ];
    let mut table = Table::new(name, columns);
    for seen in rows {
        let places = if name == "birthdays" { seen.size } else { (1 << seen.size) - 1 };
        let [near, short] = approximations(seen.items, places);
        let printed = match (name, seen.items) {
            ("birthdays", 23) if seen.size == DAYS => "at least 50 %",
            ("fingerprints", _) => "no collision",
            _ => "",
        };
        let counts = [seen.size, seen.items, seen.runs, seen.collided].map(Cell::from);
        let shares = [seen.share(), seen.chance, near, short].map(|share| Cell::from(100.0 * share));
        table.push(counts.into_iter().chain(shares).chain([printed.into()]));
    }
    table
}

/// Figure 2 of the notes.
pub(super) fn birthday_plot(birthdays: &[Seen]) -> Plot {
    let days = || birthdays.iter().filter(|seen| seen.size == DAYS);
    let theory = days().map(|seen| Point::new(seen.items as f64, 100.0 * seen.chance));
    let short = days().map(|seen| Point::new(seen.items as f64, 100.0 * approximations(seen.items, DAYS)[1]));
    Plot::new("birthdays", "At least two of m people have the same birthday")
        .axes("people m (count)", "groups with a shared birthday (%)")
        .with([
            Series::new("theory: exact", Style::Theory, theory),
            Series::new("1 − e^(−m²/2n)", Style::Curve, short),
            Series::new(
                "measured (95 % interval)",
                Style::Points,
                days().map(|seen| seen.point(seen.items as f64)),
            ),
        ])
}

/// More places: one curve for all.
pub(super) fn scaled_plot(birthdays: &[Seen]) -> Plot {
    let curve = (0..=100)
        .map(|i| FARTHEST * f64::from(i) / 100.0)
        .map(|x| Point::new(x, 100.0 * (1.0 - exp(-x * x / 2.0))));
    let measured = PLACES.map(|places| {
        let seen = birthdays.iter().filter(move |seen| seen.size == places);
        let seen = seen.step_by(if places == DAYS { 2 } else { 1 });
        let points = seen.map(move |seen| seen.point(seen.items as f64 / sqrt(places as f64)));
        Series::new(format!("n = {places} (95 % interval)"), Style::Points, points)
    });
    Plot::new("scaled", "First collisions among n places")
        .axes("items by the root of the places, m/√n", "runs with a collision (%)")
        .with([Series::new("1 − e^(−m²/2n)", Style::Theory, curve)])
        .with(measured)
}

pub(super) fn fingerprint_plot(fingerprints: &[Seen]) -> Plot {
    let theory = fingerprints.iter().map(|seen| Point::new(seen.size as f64, 100.0 * seen.chance));
    let claimed = fingerprints.iter().map(|seen| Point::new(seen.size as f64, 0.0));
    Plot::new("fingerprints", format!("Sets of {ITEMS} items of which two have one fingerprint"))
        .axes("length of a fingerprint (bits)", "sets with a collision (%)")
        .with([
            Series::new("theory", Style::Theory, theory),
            Series::new("Silva: none above log₂ n = 10 bits", Style::Curve, claimed),
            Series::new(
                "measured (95 % interval)",
                Style::Points,
                fingerprints.iter().map(|seen| seen.point(seen.size as f64)),
            ),
        ])
}
