//! False positives and negatives of trees as labels, by threshold.

use crivo::graph::LabelScheme;
use libm::acos;
use std::collections::BTreeMap;
use std::f64::consts::PI;

use super::prelude::*;
use super::trees::{Edges, Pairs, Rate, Tree, jaccard, likeness, name, params, random_tree, threshold};
use crate::summary::{Summary, student};
use crate::{Size, significant};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f39",
    title: "Trees as labels: errors by threshold",
    source: Source::Lopes,
    reference: "Lopes 2017, section 3.4.2, algorithm 21 and figure 39",
    question: "A vertex is labelled with a signature of its set, and two labels that agree in enough slots mean an edge. How \
often is an edge missed, and how often another pair taken for one, at every threshold and for 64 and 128 slots?",
    theory: "\
Algorithm 21 gives sets with Jaccard's similarity ½ to the ends of an edge and ⅓ at most to others. A slot of a MinHash \
agrees with that probability. A SimHash sees the cosine instead, 1/√2 for edges and ½ at most for others, and a slot agrees \
with 1 − arccos(cosine)/π: 0.75 and 0.6667. So the number of slots that agree is binomial, and the rates are its tails \
(`LabelParams::fpr`), for each pair by its own sets. The mean over the trees is compared with that by Student's t, at a \
false-alarm probability of 10⁻⁶ shared by all, where 200 pairs or more of either answer are expected.\n\n\
The document turns the threshold 5/12 of the MinHash into 1 − arccos(5/12)/π for the SimHash and prints 0.671173911; the \
formula gives 0.6368. Neither lies between 0.6667 and 0.75 with room on both sides: Jaccard's similarity is no cosine. Section 3.4.2 asks that a vertex takes \
at most x/4 elements from an ancestor; algorithm 21 ensures it only if the inherited elements of S_v ∪ ρ(u, q/2) come first.",
    cost: Cost { quick: 1.7, full: 12.0 },
    timed: false,
    structures: &["tree-labels", "min-hash", "sim-hash"],
    contradicts: true,
    faults: &[
        Fault {
            name: "a threshold two slots too low",
            run: |settings, progress| measure(settings, progress, Flaw { shift: 2, ..Flaw::NONE }),
        },
        Fault {
            name: "a document with the correct threshold and order",
            run: |settings, progress| measure(settings, progress, Flaw { corrected: true, ..Flaw::NONE }),
        },
        Fault {
            name: "the agreement of a SimHash expected of a MinHash, and vice versa",
            run: |settings, progress| measure(settings, progress, Flaw { swapped: true, ..Flaw::NONE }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw::NONE),
};

const VERTICES: u32 = 200;
const SCHEMES: [LabelScheme; 2] = [LabelScheme::MinHash, LabelScheme::SimHash];
const SLOTS: [u32; 2] = [64, 128];
const FALSE_ALARM: f64 = 1e-6;

/// All trees with labels of one sort.
struct Labelled {
    scheme: LabelScheme,
    slots: u32,
    trees: Vec<Tree>,
    /// For thresholds of 1 slot, 2 slots and so on: false positives and false negatives.
    rates: Vec<[Rate; 2]>,
}

/// A planted fault.
#[derive(Clone, Copy)]
struct Flaw {
    /// The number of slots by which a threshold is lower than theory assumes.
    shift: u32,
    /// Whether the document is correct.
    corrected: bool,
    /// Whether either scheme is compared with the theory of the other.
    swapped: bool,
}

impl Flaw {
    const NONE: Self = Self { shift: 0, corrected: false, swapped: false };
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let count = match settings.size {
        Size::Quick => 40,
        Size::Full => 400,
    };
    let mut rng = settings.rng("e-f39 trees");
    let trees: Vec<(Edges, u64)> =
        (0..count).map(|_| (random_tree(VERTICES, &mut rng), rng.next_u64())).collect();
    let mut measured = Vec::new();
    progress.start(4 * count);
    let comparisons: u32 = SLOTS.iter().map(|slots| 4 * slots).sum();
    for scheme in SCHEMES {
        for slots in SLOTS {
            let mut labelled = Vec::new();
            for (edges, seed) in &trees {
                labelled.push(Tree::new(VERTICES, edges, scheme, slots, *seed)?);
                progress.step();
            }
            let rates = (1..=slots).map(|threshold| {
                let params = params(scheme, slots, (threshold + flaw.shift).min(slots))?;
                let rate = |of: fn(&Tree) -> &Pairs, missed| {
                    let trees = labelled.iter().map(of);
                    Rate::of(trees, threshold, &params, missed, FALSE_ALARM / f64::from(comparisons))
                };
                Ok([rate(|tree| &tree.others, false), rate(|tree| &tree.edges, true)])
            });
            let rates = rates.collect::<Result<Vec<_>>>()?;
            measured.push(Labelled { scheme, slots, trees: labelled, rates });
        }
    }
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&measured)],
        plots: measured.iter().map(plot).collect(),
        verdicts: vec![
            follow(&measured),
            similarities(&measured, flaw.swapped),
            thresholds(&measured, flaw.corrected),
            order(&trees, flaw.corrected)?,
        ],
        notes: vec![format!(
            "{count} random trees of {VERTICES} vertices, each vertex joined to any one before it; one hash a tree. False \
             positives are counted among all pairs that are no edges, false negatives among edges."
        )],
    })
}

fn table(measured: &[Labelled]) -> Table {
    let columns = ["false positives", "false negatives"].into_iter().flat_map(|what| {
        ["(%)", "standard error (%)", "theory (%)"]
            .map(|which| format!("{what}, {which}").replace(", (%)", " (%)"))
    });
    let mut table = Table::new(
        "data",
        ["signature", "slots", "threshold (slots)"].map(String::from).into_iter().chain(columns),
    );
    for Labelled { scheme, slots, rates, .. } in measured {
        for (threshold, rates) in (1u64..).zip(rates) {
            let numbers = rates.iter().flat_map(|Rate { seen, expected, .. }| {
                [seen.mean, seen.standard_error, *expected].map(|rate| Cell::from(100.0 * rate))
            });
            table.push(
                [name(*scheme).into(), u64::from(*slots).into(), threshold.into()].into_iter().chain(numbers),
            );
        }
    }
    table
}

fn plot_name(scheme: LabelScheme, slots: u32) -> &'static str {
    match (scheme, slots) {
        (LabelScheme::SimHash, 64) => "sim-hash-64",
        (LabelScheme::SimHash, _) => "sim-hash-128",
        (_, 64) => "min-hash-64",
        (_, _) => "min-hash-128",
    }
}

/// Figure 39 itself.
fn plot(Labelled { scheme, slots, rates, .. }: &Labelled) -> Plot {
    let x = |threshold: usize| (threshold + 1) as f64 / f64::from(*slots);
    let theory = [0, 1].map(|which: usize| {
        let points =
            rates.iter().enumerate().map(|(i, rates)| Point::new(x(i), 100.0 * rates[which].expected));
        Series::new(["theory, false positives", "theory, false negatives"][which], Style::Theory, points)
    });
    let seen = [0, 1].map(|which: usize| {
        let points =
            rates.iter().enumerate().step_by(*slots as usize / 32).map(|(i, rates)| rates[which].point(x(i)));
        Series::new(
            ["false positives (95 % interval)", "false negatives (95 % interval)"][which],
            Style::Points,
            points,
        )
    });
    let title = format!("Trees of {VERTICES} vertices by {} with {slots} slots", name(*scheme));
    Plot::new(plot_name(*scheme, *slots), title)
        .axes("threshold: share of slots that have to agree", "errors (% of pairs)")
        .with(theory)
        .with(seen)
}

fn follow(measured: &[Labelled]) -> Verdict {
    let checks = measured.iter().flat_map(|Labelled { scheme, slots, rates, .. }| {
        rates.iter().enumerate().flat_map(move |(i, rates)| {
            let place = move |what: &str| format!("{what} of {}, {} of {slots} slots", name(*scheme), i + 1);
            let both = rates.iter().zip(["false positives", "false negatives"]);
            both.filter(|(rate, _)| rate.is_common).map(move |(rate, what)| rate.check(place(what)))
        })
    });
    Verdict::within("Both rates are the binomial tails of the sets at every threshold.", "", checks)
}

/// How much the labels of edges and of the nearest other pairs agree: what a threshold has to lie between.
fn similarities(measured: &[Labelled], swapped: bool) -> Verdict {
    let false_alarm = FALSE_ALARM / (2 * measured.len()) as f64;
    let checks = measured.iter().flat_map(|Labelled { scheme, slots, trees, .. }| {
        let of_trees = |of: fn(&Tree) -> &Pairs| -> Vec<f64> {
            trees.iter().map(|tree| of(tree).mean_agreement()).collect()
        };
        let (edge, nearest) =
            if (*scheme == LabelScheme::SimHash) == swapped { (0.5, 1.0 / 3.0) } else { (0.75, 2.0 / 3.0) };
        let edges = ("edges", edge, of_trees(|tree| &tree.edges));
        let nearest = ("siblings and grandparents", nearest, of_trees(|tree| &tree.nearest));
        [edges, nearest].map(|(what, expected, shares)| {
            let Summary { mean, standard_error, .. } = Summary::of(&shares);
            // A slot of 16 bits agrees by chance too, once in 65536 times.
            let stray = student(shares.len() as f64 - 1.0, false_alarm) * standard_error + 1.0 / 65_536.0;
            let place = format!("the {what} of {} with {slots} slots", name(*scheme));
            Check { place, value: mean, expected, lower: expected - stray, upper: expected + stray }
        })
    });
    Verdict::within(
        "Of the slots of a MinHash ½ agree for edges and ⅓ for the nearest other pairs; of a SimHash 0.75 and 0.6667.",
        "",
        checks,
    )
}

/// The document's thresholds for a `SimHash`, and the one between 0.6667 and 0.75.
fn thresholds(measured: &[Labelled], corrected: bool) -> Verdict {
    let middle = 17.0 / 24.0;
    let [formula, printed] =
        if corrected { [middle; 2] } else { [1.0 - acos(5.0 / 12.0) / PI, 0.671_173_911] };
    let shares = [("of the formula", formula), ("printed", printed), ("in the middle", middle)];
    let mut holds = true;
    let mut detail = Vec::new();
    for labelled in measured.iter().filter(|labelled| labelled.scheme == LabelScheme::SimHash) {
        let mean = |of: &dyn Fn(&Tree) -> f64| {
            labelled.trees.iter().map(of).sum::<f64>() / labelled.trees.len() as f64
        };
        let errors = shares.map(|(what, share)| {
            let threshold = threshold(labelled.slots, share);
            let taken = mean(&|tree| tree.nearest.taken(threshold));
            let missed = mean(&|tree| 1.0 - tree.edges.taken(threshold));
            let [value, near, lost] =
                [share, 100.0 * taken, 100.0 * missed].map(|value| significant(value, 3));
            detail.push(format!("{} slots, {value} {what}: {near} % and {lost} %", labelled.slots));
            (taken, taken + missed)
        });
        holds &= errors[0].0 > 0.5 && errors[2].1 < errors[0].1 && errors[2].1 < errors[1].1;
    }
    Verdict::erratum(
        "The threshold of a SimHash, 1 − arccos(5/12)/π, is printed as 0.671173911; the formula gives 0.6368. Both are wrong, because the formula \
takes Jaccard's similarity for the cosine. By the formula more than half of the nearest other pairs pass; a threshold in the middle of \
0.6667 and 0.75 has fewer errors of both kinds together than either.",
        holds,
        format!("Nearest other pairs taken for edges, and edges missed. {}.", detail.join("; ")),
    )
}

/// The sets of the same trees with new elements after the inherited ones, and between them.
fn order(trees: &[(Edges, u64)], corrected: bool) -> Result<Verdict> {
    let mut greatest = [0.0f64; 2];
    for (edges, seed) in trees.iter().take(ORDERED) {
        let right = crivo::graph::tree_sets(VERTICES, edges, crivo::HashSpec::seeded(*seed))?;
        let other = if corrected { right.clone() } else { interleaved_sets(edges) };
        for (greatest, sets) in greatest.iter_mut().zip([right, other]) {
            *greatest = greatest.max(most_alike(sets, edges));
        }
    }
    let [after, between] = greatest.map(|jaccard| significant(jaccard, 4));
    Ok(Verdict::erratum(
        "Section 3.4.2 asks that a vertex takes at most x/4 elements from an ancestor, but algorithm 21 does not ensure it, because it leaves \
the order of the elements open. If new elements follow the inherited ones, no pair but an edge has a similarity above ⅓; if they lie between \
them, a vertex and its grandparent can be equal.",
        greatest[0] <= 1.0 / 3.0 && greatest[1] == 1.0,
        format!("Greatest similarity of pairs that are no edges: {after} after, {between} between."),
    ))
}

/// Trees that the order is tried on.
const ORDERED: usize = 20;

/// The greatest similarity of two sets whose vertices are not joined.
fn most_alike(mut sets: Vec<Vec<u64>>, edges: &Edges) -> f64 {
    for set in &mut sets {
        set.sort_unstable();
    }
    let joined: std::collections::BTreeSet<_> = edges.iter().collect();
    let pairs = (0..VERTICES).flat_map(|one| (one + 1..VERTICES).map(move |other| (one, other)));
    pairs
        .filter(|pair| !joined.contains(pair))
        .map(|(one, other)| jaccard(likeness(&sets[one as usize], &sets[other as usize])))
        .fold(0.0, f64::max)
}

/// Algorithm 21 with each new element after an inherited one. Edges name the parent first.
fn interleaved_sets(edges: &Edges) -> Vec<Vec<u64>> {
    let mut degrees: BTreeMap<u32, u32> = BTreeMap::new();
    for vertex in edges.iter().flat_map(|&(one, other)| [one, other]) {
        *degrees.entry(vertex).or_default() += 1;
    }
    let half = degrees.values().max().copied().unwrap_or(1).next_power_of_two() as usize;
    let mut new = 0u64..;
    let mut sets = vec![Vec::new(); edges.len() + 1];
    let mut children = vec![0usize; sets.len()];
    sets[0] = new.by_ref().take(2 * half).collect();
    for &(parent, child) in edges {
        let set: &Vec<u64> = &sets[parent as usize];
        sets[child as usize] = if set.len() == 2 * half {
            let choice = children[parent as usize];
            children[parent as usize] += 1;
            (0..half).map(|pair| set[2 * pair + (choice & pair).count_ones() as usize % 2]).collect()
        } else {
            set.iter().zip(new.by_ref().take(half)).flat_map(|(&old, new)| [old, new]).collect()
        };
    }
    sets
}
