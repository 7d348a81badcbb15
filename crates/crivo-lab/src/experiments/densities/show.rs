//! The tables: fits, distances and shares.

use super::{Measured, PARAMETERS};
use crate::experiments::linear_bloom::name;
use crate::experiments::prelude::*;

pub(super) fn parameters(measured: &[Measured]) -> Table {
    let mut table = Table::new(
        "parameters",
        [
            "values",
            "parameter",
            "least",
            "25 %",
            "median",
            "75 %",
            "greatest",
            "mean",
            "standard deviation",
            "document's median",
            "document's standard deviation",
        ],
    );
    for Measured { values, printed, fits, .. } in measured {
        for ((parameter, fits), printed) in PARAMETERS.into_iter().zip(fits).zip(printed.fits) {
            let quantiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|p| Cell::from(fits.quantile(p)));
            let rest =
                [fits.mean(), fits.standard_deviation(), printed.median(), printed.deviation].map(Cell::from);
            table.push([name(*values).into(), parameter.into()].into_iter().chain(quantiles).chain(rest));
        }
    }
    table
}

pub(super) fn scores(measured: &[Measured]) -> Table {
    let mut table = Table::new(
        "distances",
        [
            "values",
            "candidate",
            "EQM",
            "MEA",
            "EQM, both through the kernel",
            "MEA, both through the kernel",
            "Kolmogorov",
            "Cramér–von Mises",
            "document's EQM",
            "document's MEA",
        ],
    );
    for Measured { values, scores, .. } in measured {
        for score in scores {
            let numbers = score.numbers().map(|(_, number)| Cell::from(number));
            let printed = [score.printed.0, score.printed.1].map(Cell::from);
            table.push([name(*values).into(), score.name.into()].into_iter().chain(numbers).chain(printed));
        }
    }
    table
}

pub(super) fn shares(measured: &[Measured]) -> Table {
    let mut table =
        Table::new("shares", ["values", "value", "share seen", "standard error", "theory", "may stray by"]);
    for Measured { values, shares, .. } in measured {
        for (limit, seen, theory, stray) in shares {
            let numbers = [*limit, seen.mean, seen.standard_error, *theory, *stray].map(Cell::from);
            table.push(std::iter::once(name(*values).into()).chain(numbers));
        }
    }
    table
}
