//! Trees in labels of constant size, and in ⌈log₂ n⌉ bits per vertex: where the constant pays.

use crivo::HashSpec;
use crivo::graph::{LabelParams, LabelScheme, ParentTree, TreeLabels};

use super::prelude::*;
use super::trees::random_tree;
use crate::significant;
use crate::summary::{Summary, student};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-tree-cost",
    title: "Trees: labels of constant size against ⌈log₂ n⌉ bits per vertex",
    source: Source::Crivo,
    reference: "Lopes 2017, sections 3.4.2 and 3.4.3: when do constant labels pay?",
    question: "Labels by MinHash represent the edges of a tree with a constant number of bits per vertex, while the parent of each vertex takes \
⌈log₂ n⌉ bits. From which size of the tree on are the labels smaller?",
    theory: "\
Edges have Jaccard's similarity ½, the nearest other pairs, two edges apart, ⅓. The smallest labels for given error rates \
come from binomial tails (`TreeLabels::params_for`), whatever the tree; a parent takes ⌈log₂ n⌉ bits (`ParentTree`), and twice \
as many if a label has to name its own vertex. So labels of s bits pay from n > 2^s vertices on, or 2^(s/2).\n\n\
Errors of one tree share a hash: the means over random trees are compared with the tails (`LabelParams::fpr`, `fnr`) by Student's t, \
at a false-alarm probability of 10⁻⁶ shared by all, where 200 errors or more are expected.",
    cost: Cost { quick: 0.5, full: 13.0 },
    timed: false,
    structures: &["tree-labels", "parent-tree"],
    contradicts: false,
    faults: &[Fault {
        name: "a threshold five slots too low",
        run: |settings, progress| measure(settings, progress, 5),
    }],
    run: |settings, progress| measure(settings, progress, 0),
};

const RATES: [f64; 3] = [0.1, 0.01, 0.001];
const FALSE_ALARM: f64 = 1e-6;
/// The number of errors in all trees: the mean over the trees is then nearly normal.
const COMMON: f64 = 200.0;
/// The document: constant labels are of use for trees of about 2^64 vertices.
const PRINTED: u32 = 64;

/// The errors of labels of one size in trees of one size.
struct Case {
    rate: f64,
    params: LabelParams,
    vertices: u32,
    /// Shares of nearest other pairs taken for edges, and of edges missed, by tree.
    shares: [Vec<f64>; 2],
    /// How many such pairs there were in all.
    pairs: [f64; 2],
    expected: [f64; 2],
    /// Of the exact tree.
    exact_bits: u32,
    exact_errors: u64,
}

/// A planted fault: `shift` slots fewer have to agree than theory assumes.
fn measure(settings: &Settings, progress: &mut Progress, shift: u32) -> Result<Outcome> {
    let (sizes, in_all): (&[u32], u32) = match settings.size {
        Size::Quick => (&[50, 400], 12_000),
        Size::Full => (&[50, 400, 3_200], 320_000),
    };
    let mut rng = settings.rng("e-tree-cost trees");
    progress.start(sizes.iter().map(|size| u64::from(in_all / size)).sum::<u64>() * RATES.len() as u64);
    let mut cases = Vec::new();
    for rate in RATES {
        let params = TreeLabels::params_for(LabelScheme::MinHash, rate, rate)?;
        let told =
            LabelParams::exact(params.scheme(), params.slots(), params.bits(), params.threshold() + shift)?;
        for &vertices in sizes {
            let expected = [told.fpr(1.0 / 3.0), told.fnr(0.5)];
            let (shares, pairs) = Default::default();
            let mut case =
                Case { rate, params, vertices, shares, pairs, expected, exact_bits: 0, exact_errors: 0 };
            for _ in 0..in_all / vertices {
                case.add(&random_tree(vertices, &mut rng), HashSpec::seeded(rng.next_u64()))?;
                progress.step();
            }
            cases.push(case);
        }
    }
    let sizes = sizes_of_labels()?;
    let at_printed = best_of_bits(PRINTED)?;
    Ok(Outcome {
        atlas: None,
        tables: vec![cost_table(&sizes), error_table(&cases)],
        plots: vec![cost_plot(&sizes), error_plot(&cases)],
        verdicts: vec![follow(&cases)],
        notes: vec![
            note(&sizes, at_printed),
            crossing(&sizes),
            of_64_bits(at_printed, &sizes),
            exact(&cases),
        ],
    })
}

impl Case {
    fn add(&mut self, edges: &[(u32, u32)], spec: HashSpec) -> Result<()> {
        let labels = TreeLabels::freeze(self.vertices, edges, self.params, spec)?;
        let tree = ParentTree::from_edges(self.vertices, edges)?;
        self.exact_bits = tree.bits_per_vertex();
        let mut neighbours = vec![Vec::new(); self.vertices as usize];
        for &(one, other) in edges {
            neighbours[one as usize].push(other);
            neighbours[other as usize].push(one);
        }
        let (mut wrong, mut pairs) = ([0.0; 2], [0.0; 2]);
        let mut ask = |one: u32, other: u32, joined: bool| -> Result<()> {
            let sort = usize::from(joined);
            pairs[sort] += 1.0;
            wrong[sort] += f64::from(u8::from(labels.has_edge(one, other)? != joined));
            self.exact_errors += u64::from(tree.has_edge(one, other)? != joined);
            Ok(())
        };
        for &(one, other) in edges {
            ask(one, other, true)?;
        }
        for around in &neighbours {
            for (i, &one) in around.iter().enumerate() {
                for &other in &around[i + 1..] {
                    ask(one, other, false)?;
                }
            }
        }
        for sort in 0..2 {
            self.shares[sort].push(wrong[sort] / pairs[sort]);
            self.pairs[sort] += pairs[sort];
        }
        Ok(())
    }

    fn place(&self, what: &str) -> String {
        format!("{what}, labels for {} %, {} vertices", 100.0 * self.rate, self.vertices)
    }
}

const SORTS: [&str; 2] = ["pairs two edges apart taken for edges", "edges missed"];

fn follow(cases: &[Case]) -> Verdict {
    let chance = FALSE_ALARM / (2 * cases.len()) as f64;
    let checks = cases.iter().flat_map(|case| {
        let common = (0..2).filter(|&sort| case.pairs[sort] * case.expected[sort] >= COMMON);
        common.map(move |sort| {
            let Summary { mean, standard_error, .. } = Summary::of(&case.shares[sort]);
            let stray = 100.0 * student(case.shares[sort].len() as f64 - 1.0, chance) * standard_error;
            let (value, expected) = (100.0 * mean, 100.0 * case.expected[sort]);
            Check {
                place: case.place(SORTS[sort]),
                value,
                expected,
                lower: expected - stray,
                upper: expected + stray,
            }
        })
    });
    Verdict::within("The error rates of labels are those of theory for every size of the tree.", " %", checks)
}

/// What is computed and not measured, for the notes.
fn exact(cases: &[Case]) -> String {
    let errors: u64 = cases.iter().map(|case| case.exact_errors).sum();
    let asked: f64 = cases.iter().flat_map(|case| case.pairs).sum();
    format!("A parent for each vertex takes ⌈log₂ n⌉ bits and is exact: {errors} errors in {asked} answers.")
}

/// The bits of labels for a rate of both errors.
type Sizes = Vec<(f64, u32)>;

fn sizes_of_labels() -> Result<Sizes> {
    let size = |rate| Ok((rate, TreeLabels::params_for(LabelScheme::MinHash, rate, rate)?.bits_per_vertex()));
    RATES.into_iter().map(size).collect()
}

/// The least that the greater of both errors can be with labels of this width, over all widths of slots and thresholds.
fn best_of_bits(bits: u32) -> Result<f64> {
    let mut best = f64::INFINITY;
    for width in [1, 2, 4, 8, 16] {
        let slots = bits / width;
        for threshold in 1..=slots {
            let params = LabelParams::exact(LabelScheme::MinHash, slots, width, threshold)?;
            best = best.min(params.fpr(1.0 / 3.0).max(params.fnr(0.5)));
        }
    }
    Ok(best)
}

/// The least whole k such that trees of more than 2^k vertices take more bits than labels, `times` ⌈log₂ n⌉ a vertex.
fn crossing_of(bits: u32, times: u32) -> u32 {
    // ⌈log₂ n⌉ is k + 1 just above 2^k, and times·(k + 1) > bits from here on.
    bits / times
}

fn crossing(sizes: &Sizes) -> String {
    let shown = sizes.iter().map(|&(rate, bits)| {
        format!(
            "{} %: {bits} bits, from 2^{} vertices on, or 2^{} if a label names its vertex",
            100.0 * rate,
            crossing_of(bits, 1),
            crossing_of(bits, 2)
        )
    });
    let shown: Vec<String> = shown.collect();
    format!("Constant labels are smaller than parents for trees of these sizes. {}.", shown.join("; "))
}

fn of_64_bits(at_printed: f64, sizes: &Sizes) -> String {
    let smallest = sizes.iter().map(|&(_, bits)| bits).min().unwrap_or(0);
    format!(
        "The document names trees of about 2^64 vertices, or a higher error, as the case for constant labels. The best labels of {PRINTED} \
         bits miss edges or take siblings for edges at {} %; for 10 % of both, {smallest} bits are needed.",
        significant(100.0 * at_printed, 3)
    )
}

fn cost_table(sizes: &Sizes) -> Table {
    let columns = [
        "both errors (%)",
        "bits per label",
        "pays from n = 2^",
        "pays from n = 2^, if labels name their vertex",
    ];
    let mut table = Table::new("cost", columns);
    for &(rate, bits) in sizes {
        let crossings = [1, 2].map(|times| Cell::from(u64::from(crossing_of(bits, times))));
        table.push([Cell::from(100.0 * rate), u64::from(bits).into()].into_iter().chain(crossings));
    }
    table
}

#[rustfmt::skip]
fn error_table(cases: &[Case]) -> Table {
    let mut table = Table::new("errors", [
        "labels for both errors (%)", "bits per label", "vertices", "trees", "bits a parent", "two apart, taken for edges (%)",
        "theory, taken (%)", "edges missed (%)", "theory, missed (%)",
    ]);
    for case in cases {
        let [taken, missed] = case.shares.each_ref().map(|shares| 100.0 * Summary::of(shares).mean);
        let [fpr, fnr] = case.expected.map(|share| 100.0 * share);
        table.push([
            (100.0 * case.rate).into(), u64::from(case.params.bits_per_vertex()).into(), u64::from(case.vertices).into(),
            (case.shares[0].len() as u64).into(), u64::from(case.exact_bits).into(), taken.into(), fpr.into(), missed.into(), fnr.into(),
        ]);
    }
    table
}

/// Bits a vertex by the logarithm of n, which itself has no place among numbers of a machine.
fn cost_plot(sizes: &Sizes) -> Plot {
    let end = 1_200;
    let line =
        |times: f64| (0..=60).map(move |i| f64::from(i * end / 60)).map(move |k| Point::new(k, times * k));
    let labels = sizes.iter().map(|&(rate, bits)| {
        let label = format!("labels, {} % of both errors: {bits} bits", 100.0 * rate);
        Series::new(label, Style::Curve, [0, end].map(|k| Point::new(k.into(), bits.into())))
    });
    Plot::new("cost", "What a vertex of a tree costs")
        .axes("log₂ of the vertices n (bits)", "bits per vertex")
        .between(0.0, 1_250.0)
        .with([Series::new("a parent: ⌈log₂ n⌉", Style::Theory, line(1.0))])
        .with([Series::new("a parent and a name: 2⌈log₂ n⌉", Style::Curve, line(2.0)).coloured(3)])
        .with(labels)
}

/// Errors by the size of the tree.
fn error_plot(cases: &[Case]) -> Plot {
    let series = RATES.into_iter().enumerate().flat_map(|(colour, rate)| {
        let of_rate = cases.iter().filter(move |case| case.rate == rate);
        let points = |sort: usize| {
            of_rate.clone().map(move |case| {
                let Summary { mean, standard_error, .. } = Summary::of(&case.shares[sort]);
                let bar = student(case.shares[sort].len() as f64 - 1.0, 0.05) * standard_error;
                let [y, lower, upper] = [mean, mean - bar, mean + bar].map(|share| 100.0 * share);
                Point::new(case.vertices.into(), y).with_bounds(lower, upper)
            })
        };
        let theory = of_rate.clone().map(|case| Point::new(case.vertices.into(), 100.0 * case.expected[1]));
        [
            Series::new(format!("theory, {} %", 100.0 * rate), Style::Curve, theory).coloured(2 * colour),
            Series::new(format!("edges missed, {} %", 100.0 * rate), Style::Points, points(1))
                .coloured(2 * colour),
            Series::new(format!("two apart taken, {} %", 100.0 * rate), Style::Points, points(0))
                .coloured(2 * colour + 1),
        ]
    });
    Plot::new("errors", "Errors of labels do not grow with the tree")
        .axes("vertices of the tree (count)", "errors (% of pairs, 95 % interval)")
        .log_x()
        .log_y()
        .with(series)
}

fn note(sizes: &Sizes, at_printed: f64) -> String {
    let bits = |rate: f64| sizes.iter().find(|size| size.0 == rate).map_or(0, |size| size.1);
    format!(
        "Found: the constant is {} bits at 1 % of both errors, so n = 2^{}; at 10 % it is {}. With the {PRINTED} bits that a tree of \
         2^{PRINTED} vertices takes, labels err at {} %. Where labels travel alone and name their vertex too, the exact way takes \
         twice as much, and the crossing is at half the exponent. Constant labels are of use only where ⌈log₂ n⌉ is not known \
         beforehand.",
        bits(0.01),
        crossing_of(bits(0.01), 1),
        bits(0.1),
        significant(100.0 * at_printed, 3)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_by_hand() {
        // 2⌈log₂ n⌉ > 5 from ⌈log₂ n⌉ = 3 on, which is n > 4.
        assert_eq!((crossing_of(5, 1), crossing_of(5, 2), crossing_of(6, 2)), (5, 2, 3));
    }
}
