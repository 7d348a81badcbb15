//! False positives and negatives of trees as labels, by the size of the tree.

use crivo::graph::LabelScheme;
use libm::acos;
use std::f64::consts::PI;

use super::prelude::*;
use super::trees::{Pairs, Rate, Tree, name, params, random_tree, threshold};
use crate::summary::student;
use crate::{Size, significant};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f40",
    title: "Trees as labels: errors by size",
    source: Source::Lopes,
    reference: "Lopes 2017, section 3.4.2, figure 40",
    question: "Labels of 128 slots mean an edge when more than δ = 5/12 of a MinHash agree, or as much of a SimHash. Do the \
errors grow with the tree?",
    theory: "\
The edges of every tree have the same similarity, so the rate of false negatives is one binomial tail, whatever the size. \
Other pairs are alike only when near in the tree, siblings and grandparents most of all, and near pairs are a share of all \
pairs that falls as the tree grows: so does the rate of false positives. \
Expected for each tree from its own sets (`LabelParams::fpr`), and compared with the trees by Student's t, at a false-alarm \
probability of 10⁻⁶ shared by all, where 200 pairs or more of either answer are expected.\n\n\
A SimHash is measured at the document's printed threshold, 0.6712, at that of its formula 1 − arccos(5/12)/π = 0.6368, and \
at 17/24, in the middle of what siblings and edges have.",
    cost: Cost { quick: 2.0, full: 55.0 },
    timed: false,
    structures: &["tree-labels"],
    contradicts: false,
    faults: &[
        Fault {
            name: "a threshold two slots too low",
            run: |settings, progress| measure(settings, progress, 2, false),
        },
        Fault {
            name: "small trees at every size",
            run: |settings, progress| measure(settings, progress, 0, true),
        },
    ],
    run: |settings, progress| measure(settings, progress, 0, false),
};

const SLOTS: u32 = 128;
const FALSE_ALARM: f64 = 1e-6;

/// Labels with a threshold.
struct Rule {
    scheme: LabelScheme,
    share: f64,
    /// By size: false positives and false negatives.
    rates: Vec<[Rate; 2]>,
}

impl Rule {
    fn label(&self) -> String {
        format!("{}, more than {}", name(self.scheme), significant(self.share, 4))
    }
}

/// A planted fault: `shift` slots fewer have to agree than theory assumes, or all trees are `small`.
fn measure(settings: &Settings, progress: &mut Progress, shift: u32, small: bool) -> Result<Outcome> {
    let (sizes, count): (&[u32], u64) = match settings.size {
        Size::Quick => (&[25, 50, 100, 200], 400),
        Size::Full => (&[25, 50, 100, 200, 400, 800], 200),
    };
    let mut rules = [
        (LabelScheme::MinHash, 5.0 / 12.0),
        (LabelScheme::SimHash, 1.0 - acos(5.0 / 12.0) / PI),
        (LabelScheme::SimHash, 0.671_173_911),
        (LabelScheme::SimHash, 17.0 / 24.0),
    ]
    .map(|(scheme, share)| Rule { scheme, share, rates: Vec::new() });
    let false_alarm = FALSE_ALARM / (2 * rules.len() * sizes.len()) as f64;
    let mut rng = settings.rng("e-f40 trees");
    progress.start(2 * count * sizes.len() as u64);
    for &size in sizes {
        let vertices = if small { sizes[0] } else { size };
        for scheme in [LabelScheme::MinHash, LabelScheme::SimHash] {
            let mut trees = Vec::new();
            for _ in 0..count {
                let edges = random_tree(vertices, &mut rng);
                trees.push(Tree::new(vertices, &edges, scheme, SLOTS, rng.next_u64())?);
                progress.step();
            }
            for rule in rules.iter_mut().filter(|rule| rule.scheme == scheme) {
                let threshold = threshold(SLOTS, rule.share);
                let params = params(scheme, SLOTS, threshold + shift)?;
                let rate = |of: fn(&Tree) -> &Pairs, missed| {
                    Rate::of(trees.iter().map(of), threshold, &params, missed, false_alarm)
                };
                rule.rates.push([rate(|tree| &tree.others, false), rate(|tree| &tree.edges, true)]);
            }
        }
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table(sizes, &rules)],
        plots: vec![plot(sizes, &rules, 0), plot(sizes, &rules, 1)],
        verdicts: vec![
            follow(sizes, &rules, 1, "The rate of false negatives is one binomial tail, whatever the size."),
            follow(sizes, &rules, 0, "The rate of false positives is what the sets of each tree give."),
            falls(sizes, &rules),
        ],
        notes: vec![format!("{count} random trees of each size, with labels of {SLOTS} slots.")],
    })
}

const SORTS: [&str; 2] = ["false positives", "false negatives"];

fn table(sizes: &[u32], rules: &[Rule]) -> Table {
    let columns = SORTS.into_iter().flat_map(|what| {
        ["(%)", "standard error (%)", "theory (%)"]
            .map(|which| format!("{what}, {which}").replace(", (%)", " (%)"))
    });
    let mut table = Table::new(
        "data",
        ["signature", "threshold", "vertices"].map(String::from).into_iter().chain(columns),
    );
    for Rule { scheme, share, rates } in rules {
        for (&vertices, rates) in sizes.iter().zip(rates) {
            let numbers = rates.iter().flat_map(|Rate { seen, expected, .. }| {
                [seen.mean, seen.standard_error, *expected].map(|rate| Cell::from(100.0 * rate))
            });
            let row = [name(*scheme).into(), (*share).into(), u64::from(vertices).into()];
            table.push(row.into_iter().chain(numbers));
        }
    }
    table
}

/// Figure 40, one sort of error.
fn plot(sizes: &[u32], rules: &[Rule], sort: usize) -> Plot {
    let points = |rule: &Rule| -> Vec<Point> {
        sizes.iter().zip(&rule.rates).map(|(&vertices, rates)| rates[sort].point(vertices.into())).collect()
    };
    let series = rules.iter().map(|rule| Series::new(rule.label(), Style::Joined, points(rule)));
    Plot::new(
        ["false-positives", "false-negatives"][sort],
        format!("Trees by labels of {SLOTS} slots: {}", SORTS[sort]),
    )
    .axes("vertices of the tree (count)", format!("{} (% of pairs, 95 % interval)", SORTS[sort]))
    .with(series)
}

fn follow(sizes: &[u32], rules: &[Rule], sort: usize, claim: &str) -> Verdict {
    let checks = rules.iter().flat_map(|rule| {
        let rates = sizes.iter().zip(&rule.rates).filter(move |(_, rates)| rates[sort].is_common);
        rates.map(move |(vertices, rates)| {
            rates[sort].check(format!("{vertices} vertices by {}", rule.label()))
        })
    });
    Verdict::within(claim, "", checks)
}

/// The rate of false positives of the smallest trees against that of the largest, by Student's t.
fn falls(sizes: &[u32], rules: &[Rule]) -> Verdict {
    let checks = rules.iter().map(|rule| {
        let [first, last] = [0, rule.rates.len() - 1].map(|size| rule.rates[size][0].seen);
        let error = libm::sqrt(
            first.standard_error * first.standard_error + last.standard_error * last.standard_error,
        );
        let stray = 100.0 * student(first.count() - 1.0, FALSE_ALARM / rules.len() as f64) * error;
        Check {
            place: rule.label(),
            value: 100.0 * last.mean,
            expected: 100.0 * first.mean * f64::from(sizes[0]) / f64::from(sizes[sizes.len() - 1]),
            lower: f64::NEG_INFINITY,
            upper: 100.0 * first.mean - stray,
        }
    });
    Verdict::within(
        format!(
            "The rate of false positives falls as the tree grows, from {} to {} vertices, because only near pairs are similar; the document \
             does not expect a considerable change.",
            sizes[0],
            sizes[sizes.len() - 1]
        ),
        " %",
        checks,
    )
}
