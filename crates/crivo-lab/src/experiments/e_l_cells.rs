//! The values in the cells of a Linear Bloom filter: a closed theory, a fit and the document's density.

use crivo::valued::theory::{Values, cell_cdf};
use libm::expm1;

use super::densities::{Fits, Law, Printed, Study, falls, own_power};
use super::linear_bloom::HASHES;
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-l-cells",
    title: "The values in the cells of a Linear Bloom filter",
    source: Source::Ferreira,
    reference: "Ferreira 2017, section 5.1, figures 8 to 10, tables 1 to 3, 7, 9 and 11",
    question: "Each cell keeps the greatest value that fell on it. Which distribution does it follow: the closed theory of \
Poisson occupancy, a generalised extreme value distribution fitted to it, or the document's density n·f(u)·F(u)^(n−1)?",
    theory: "\
The number of values in a cell is Poisson with the mean λ = nk/m, so an occupied cell holds at most u with \
(e^(−λ(1−F(u))) − e^(−λ))/(1 − e^(−λ)) (`valued::theory::cell_cdf`). The document takes F(u)^n and leaves open what n is; \
with n = λ/(1 − e^(−λ)), the mean number of values in an occupied cell, the densities are those of its figures. \
The fit is by maximum likelihood, with the medians over all runs, as there.\n\n\
The candidates are judged by EQM and MEA, the mean squared and the mean absolute difference from a kernel density at 400 \
points, as in the document; by the same with the candidate seen through the same kernel; and by Kolmogorov's and Cramér and \
von Mises' distance from all values together. The theory is compared with the share of values up to 19 quantiles by \
Student's t over the runs, at a false-alarm probability of 10⁻⁶ shared by all.",
    cost: Cost { quick: 1.5, full: 43.0 },
    timed: false,
    structures: &["linear-bloom"],
    contradicts: true,
    faults: &[
        Fault {
            name: "two hash functions fewer",
            run: |settings, progress| STUDY.measure(settings, progress, HASHES - 2),
        },
        Fault {
            name: "the density of the document as the theory, and the printed fits of normal values for all",
            run: |settings, progress| FAULTY.measure(settings, progress, HASHES),
        },
    ],
    run: |settings, progress| STUDY.measure(settings, progress, HASHES),
};

/// A planted fault.
const FAULTY: Study = Study { theory: STUDY.own, printed: [STUDY.printed[2]; 3], ..STUDY };

const STUDY: Study = Study {
    id: "e-l-cells",
    seen: |(filter, _)| filter.cells().flatten().collect(),
    what: "values in the cells",
    theory: Law { cdf: cell_cdf, slope: |load, share| falls(load, share) / -expm1(-load) },
    own: Law { cdf: |load, share| own_power(load, share).0, slope: |load, share| own_power(load, share).1 },
    ends: |values| match values {
        Values::Uniform => (Some(0.0), Some(1.0)),
        Values::Exponential => (Some(0.0), None),
        Values::Normal => (None, None),
    },
    printed: [
        Printed {
            fits: [
                Fits::new([0.5059, 0.5067, 0.5075], 0.0013),
                Fits::new([0.3235, 0.3241, 0.3246], 0.0008),
                Fits::new([-0.6327, -0.6311, -0.6287], 0.0035),
            ],
            gev: (0.0739, 0.2412),
            own: (0.0161, 0.0902),
        },
        Printed {
            fits: [
                Fits::new([0.6032, 0.6046, 0.6063], 0.0026),
                Fits::new([0.5707, 0.5721, 0.5734], 0.0020),
                Fits::new([0.3599, 0.3623, 0.3653], 0.0034),
            ],
            gev: (0.0011, 0.0128),
            own: (0.0005, 0.0054),
        },
        Printed {
            fits: [
                Fits::new([-0.1993, -0.1900, -0.1714], 0.0188),
                Fits::new([0.9734, 0.9792, 0.9847], 0.0302),
                Fits::new([-0.2214, -0.2135, -0.2053], 0.0146),
            ],
            gev: (0.0005, 0.0139),
            own: (0.0002, 0.0095),
        },
    ],
    reproducible: &[Values::Uniform, Values::Normal],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::densities::assert_is_a_law;

    #[test]
    fn laws() {
        assert_is_a_law(STUDY.theory);
        assert_is_a_law(STUDY.own);
    }
}
