//! The answers of a Linear Bloom filter: a closed theory, a fit and the document's density.

use crivo::valued::theory::{Values, distortion_at, inside_cdf};
use libm::pow;

use super::densities::{Fits, Law, Printed, Study, exponent, falls, own_power};
use super::linear_bloom::HASHES;
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-l-queries",
    title: "The answers of a Linear Bloom filter",
    source: Source::Ferreira,
    reference: "Ferreira 2017, section 5.2, figures 11 to 13, tables 4 to 6, 8, 10 and 12",
    question: "An item inside is answered the least of its k cells, each the greatest value that fell on it. Which \
distribution do the answers follow: the closed theory of Poisson occupancy, a generalised extreme value distribution fitted \
to them, or the document's density n²·f(u)·F(u)^(n−1)·(1 − F(u)^n)^(n−1)?",
    theory: "\
The answer is at most u when the item's own value is, and the others leave one of its k cells at most u: \
F(u)·(1 − (1 − e^(−λ(1−F(u))))^k), λ = nk/m (`valued::theory::inside_cdf`). The document takes its cells as n independent \
ones without the item's own value, 1 − (1 − F(u)^n)^n; with n = λ/(1 − e^(−λ)), the mean number of values in an occupied \
cell, the densities are those of its figures. Its listing fits the answers with their signs changed, its tables print \
the fit of the answers as they are; so does this.\n\n\
The candidates are judged by EQM and MEA, the mean squared and the mean absolute difference from a kernel density at 400 \
points, as in the document; by the same with the candidate seen through the same kernel; and by Kolmogorov's and Cramér and \
von Mises' distance from all answers together. The theory is compared with the share of answers up to 19 quantiles by \
Student's t over the runs, at a false-alarm probability of 10⁻⁶ shared by all.",
    cost: Cost { quick: 1.7, full: 39.0 },
    timed: false,
    structures: &["linear-bloom"],
    contradicts: true,
    faults: &[
        Fault { name: "one hash function", run: |settings, progress| STUDY.measure(settings, progress, 1) },
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
    id: "e-l-queries",
    seen: |(filter, inserted)| inserted.iter().filter_map(|&(hash, _)| filter.value_hash(hash)).collect(),
    what: "answers",
    theory: Law {
        cdf: |load, share| inside_cdf(load, HASHES, share),
        slope: |load, share| {
            let k = f64::from(HASHES);
            let above = distortion_at(load, 1, share);
            1.0 - pow(above, k) + share * k * pow(above, k - 1.0) * falls(load, share)
        },
    },
    own: Law {
        cdf: |load, share| 1.0 - pow(1.0 - own_power(load, share).0, exponent(load)),
        slope: |load, share| {
            let (n, (power, slope)) = (exponent(load), own_power(load, share));
            n * pow(1.0 - power, n - 1.0) * slope
        },
    },
    ends: |_| (None, None),
    printed: [
        Printed {
            fits: [
                Fits::new([0.4200, 0.4209, 0.4217], 0.0014),
                Fits::new([0.3033, 0.3037, 0.3041], 0.0007),
                Fits::new([-0.4419, -0.4399, -0.4380], 0.0037),
            ],
            gev: (0.0967, 0.2738),
            own: (0.0390, 0.1720),
        },
        Printed {
            fits: [
                Fits::new([0.4569, 0.4585, 0.4596], 0.0022),
                Fits::new([0.4612, 0.4622, 0.4631], 0.0017),
                Fits::new([0.4740, 0.4762, 0.4790], 0.0036),
            ],
            gev: (0.0011, 0.0129),
            own: (0.0012, 0.0119),
        },
        Printed {
            fits: [
                Fits::new([-0.3945, -0.3807, -0.3670], 0.0223),
                Fits::new([0.9635, 0.9742, 0.9790], 0.0377),
                Fits::new([-0.2102, -0.2031, -0.1895], 0.0132),
            ],
            gev: (0.0002, 0.0100),
            own: (0.0010, 0.0204),
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
