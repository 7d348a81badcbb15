//! Labels that tell edges alone, with errors of both sorts.

use crivo::graph::{Edge, IntersectionSets, LabelParams, LabelScheme, Sides};
use crivo::rng::Rng;
use crivo::{BipartiteLabels, HashSpec, IntersectionLabels, TreeLabels};

use crate::experiments::errors::{FALSE_ALARM, Law, Place, Run};
use crate::experiments::prelude::*;

pub(in crate::experiments) const INTERSECTION_LABELS: Experiment = experiment::<IntersectionLabels>();
pub(in crate::experiments) const TREE_LABELS: Experiment = experiment::<TreeLabels>();
pub(in crate::experiments) const BIPARTITE_LABELS: Experiment = experiment::<BipartiteLabels>();

/// A graph: its edges, and pairs that are none but as like edges as can be.
pub(super) struct Sample {
    edges: Vec<Edge>,
    others: Vec<Edge>,
}

/// Labels to be measured.
pub(super) trait Labelled: Sized {
    const ID: &'static str;
    const TITLE: &'static str;
    const REFERENCE: &'static str;
    const THEORY: &'static str;
    const COST: Cost;

    fn sample(n: u32, rng: &mut Rng) -> Sample;

    /// The size for these rates of both errors.
    fn params(n: u32, sample: &Sample, rate: f64) -> Result<LabelParams>;

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self>;

    fn joined(&self, edge: Edge) -> Result<bool>;

    /// The rates of spurious and missed edges that it states.
    fn rates(&self) -> [f64; 2];

    fn bits(&self) -> u32;
}

const SIZES: [u32; 5] = [40, 100, 200, 400, 1000];
const RATE: f64 = 0.01;
const TARGETS: [f64; 4] = [0.2, 0.1, 0.01, 0.001];

pub(super) const fn experiment<L: Labelled>() -> Experiment {
    Experiment {
        id: L::ID,
        title: L::TITLE,
        source: Source::Crivo,
        reference: L::REFERENCE,
        question: "How many edges are missed and how many spurious ones seen, whatever the size of the graph, and how many bits a \
vertex do chosen rates of both cost?",
        theory: L::THEORY,
        cost: L::COST,
        timed: false,
        run: measure::<L>,
    }
}

/// Labels of one sort.
struct Sort {
    vertices: u32,
    target: f64,
    /// Spurious, then missed.
    places: [Place; 2],
    bits: u32,
}

impl Sort {
    fn measure<L: Labelled>(vertices: u32, target: f64, graphs: u64, rng: &mut Rng) -> Result<Self> {
        let (mut runs, mut rates, mut bits) = ([Vec::new(), Vec::new()], [0.0; 2], 0);
        // All graphs have the same degrees, where it matters: one size is right for all.
        let params = L::params(vertices, &L::sample(vertices, rng), target)?;
        for _ in 0..graphs {
            let sample = L::sample(vertices, rng);
            let labels = L::freeze(vertices, &sample, params, HashSpec::seeded(rng.next_u64()))?;
            (rates, bits) = (labels.rates(), labels.bits());
            for ((pairs, is_wrong), runs) in
                [(&sample.others, true), (&sample.edges, false)].into_iter().zip(&mut runs)
            {
                let mut wrong = 0;
                for &pair in pairs {
                    wrong += u64::from(labels.joined(pair)? == is_wrong);
                }
                let asked = pairs.len() as u64;
                // Pairs of one graph share labels: the spread between graphs is what counts.
                runs.push(Run { asked, wrong, told: (wrong as f64 / asked as f64).into() });
            }
        }
        let mut what =
            ["spurious", "missed"].into_iter().zip(rates).zip(runs).map(|((what, expected), runs)| {
                let name = format!("{what} edges of {vertices} vertices made for {} %", 100.0 * target);
                Place { name, x: f64::from(vertices), expected, step: 0.0, runs }
            });
        let places = std::array::from_fn(|_| what.next().expect("there are two"));
        Ok(Self { vertices, target, places, bits })
    }
}

pub(super) fn measure<L: Labelled>(settings: &Settings, progress: &mut Progress) -> Result<Outcome> {
    let graphs = if settings.size == Size::Quick { 30 } else { 1000 };
    let mut rng = settings.rng(L::ID);
    progress.start((SIZES.len() + TARGETS.len()) as u64);
    let mut measured = |vertices: u32, target: f64| {
        let sort = Sort::measure::<L>(vertices, target, graphs, &mut rng);
        progress.step();
        sort
    };
    let sizes = SIZES.iter().map(|&n| measured(n, RATE)).collect::<Result<Vec<_>>>()?;
    let targets = TARGETS.iter().map(|&target| measured(200, target)).collect::<Result<Vec<_>>>()?;
    Ok(Outcome {
        tables: vec![table("sizes", &sizes), table("bits", &targets)],
        plots: vec![sizes_plot(&sizes), bits_plot(&targets)],
        verdicts: judge(&sizes, &targets),
        notes: vec![format!("{graphs} random graphs at each place, each with a hash function of its own.")],
    })
}

fn table(name: &'static str, sorts: &[Sort]) -> Table {
    let columns = [
        "vertices",
        "target (%)",
        "spurious, theory (%)",
        "spurious, measured (%)",
        "missed, theory (%)",
        "missed, measured (%)",
        "label (bits a vertex)",
    ];
    let mut table = Table::new(name, columns);
    for Sort { vertices, target, places: [spurious, missed], bits } in sorts {
        let rates = [spurious, missed].map(|place| [100.0 * place.expected, place.percent()]).concat();
        let row = [f64::from(*vertices), 100.0 * target].into_iter().chain(rates).chain([f64::from(*bits)]);
        table.push(row.map(Cell::from));
    }
    table
}

fn sizes_plot(sorts: &[Sort]) -> Plot {
    let theory = |which: usize| {
        let point = move |sort: &Sort| Point::new(sort.places[which].x, 100.0 * sort.places[which].expected);
        Series::new(
            ["spurious edges, theory", "missed edges, theory"][which],
            Style::Curve,
            sorts.iter().map(point),
        )
        .coloured(which)
    };
    let seen = |which: usize| {
        Series::new(
            "measured (95 % interval)",
            Style::Points,
            sorts.iter().map(|sort| sort.places[which].point()),
        )
        .coloured(which)
    };
    let top = sorts.iter().flat_map(|sort| &sort.places).map(|place| place.bars().1).fold(2.0, f64::max);
    Plot::new("sizes", "Errors of labels made for 1 % of either sort")
        .axes("vertices n (count)", "wrong answers (%)")
        .log_x()
        .between(0.0, top)
        .with([theory(0), seen(0), theory(1), seen(1)])
}

fn bits_plot(sorts: &[Sort]) -> Plot {
    let at = |which: usize| {
        sorts.iter().map(move |sort| Point::new(sort.places[which].percent(), f64::from(sort.bits)))
    };
    Plot::new("bits", "Bits that rates of both errors cost")
        .axes("wrong answers (%)", "label (bits a vertex)")
        .log_x()
        .with([
            Series::new("spurious edges", Style::Joined, at(0)),
            Series::new("missed edges", Style::Joined, at(1)),
        ])
}

fn judge(sizes: &[Sort], targets: &[Sort]) -> Vec<Verdict> {
    let all = || sizes.iter().chain(targets);
    let false_alarm = FALSE_ALARM / (4 * all().count()) as f64;
    let follows = |which: usize| all().map(move |sort| sort.places[which].follows(Law::Mean, false_alarm));
    let target = all().flat_map(|sort| {
        sort.places.iter().map(|place| {
            let stated = 100.0 * place.expected;
            Check {
                place: place.name.clone(),
                value: stated,
                expected: 0.0,
                lower: 0.0,
                upper: 100.0 * sort.target,
            }
        })
    });
    let same = sizes.iter().all(|sort| sort.bits == sizes[0].bits);
    vec![
        Verdict::within("Pairs that are no edges are taken for some as often as stated.", " %", follows(0)),
        Verdict::within("Edges are missed as often as stated.", " %", follows(1)),
        Verdict::within("The stated rates keep to the targets.", " %", target),
        Verdict::new(
            "A label does not grow with the graph.",
            same,
            format!(
                "{} bits a vertex at 1 %, of {} and of {} vertices.",
                sizes[0].bits,
                SIZES[0],
                SIZES[SIZES.len() - 1]
            ),
        ),
    ]
}

/// The methods that all labels have alike.
macro_rules! label_answers {
    () => {
        fn joined(&self, (one, other): Edge) -> Result<bool> {
            Ok(self.has_edge(one, other)?)
        }

        fn rates(&self) -> [f64; 2] {
            [self.fpr(), self.fnr()]
        }

        fn bits(&self) -> u32 {
            self.bits_per_vertex()
        }
    };
}

/// A circle of vertices, each joined to the next two: all have four neighbours.
const REACH: u32 = 2;

impl Labelled for IntersectionLabels {
    const ID: &'static str = "c-intersection-labels";
    const TITLE: &'static str = "Labels of any graph: both errors, and bits a vertex";
    const REFERENCE: &'static str = "Lopes 2017, section 3.4.1, carried on";
    const THEORY: &'static str = "\
Vertices that are not joined have sets without a common element (δ = 0), joined ones share one of 2Δ − 1: slots of labels agree \
with probabilities that follow, and both errors are tails of a binomial (`LabelParams::fpr`, `fnr`). Here all vertices have \
Δ = 4 neighbours. Pairs of one graph share labels, so graphs are compared, by Student's t.";
    const COST: Cost = Cost { quick: 0.1, full: 2.5 };

    fn sample(n: u32, rng: &mut Rng) -> Sample {
        let edges = (0..n).flat_map(|one| (1..=REACH).map(move |step| (one, (one + step) % n))).collect();
        let apart = |one: u32, rng: &mut Rng| {
            (one, (one + REACH + 1 + rng.below(u64::from(n - 2 * REACH - 1)) as u32) % n)
        };
        Sample { edges, others: (0..2 * n).map(|i| apart(i % n, rng)).collect() }
    }

    fn params(n: u32, sample: &Sample, rate: f64) -> Result<LabelParams> {
        let sets = IntersectionSets::for_graph(n, &sample.edges, (0, 1))?;
        Ok(sets.params_for(LabelScheme::MinHash, rate, rate)?)
    }

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self> {
        let sets = IntersectionSets::for_graph(n, &sample.edges, (0, 1))?;
        Ok(Self::freeze(n, &sample.edges, sets, params, spec)?)
    }

    label_answers!();
}

impl Labelled for TreeLabels {
    const ID: &'static str = "c-tree-labels";
    const TITLE: &'static str = "Labels of trees: both errors, and bits a vertex";
    const REFERENCE: &'static str = "Lopes 2017, section 3.4.2, carried on";
    const THEORY: &'static str = "\
The sets of joined vertices have Jaccard's similarity 1/2, those of siblings 1/3, and other pairs less: both errors are tails \
of a binomial (`TreeLabels::fpr` of siblings, `fnr`). Random trees in which each vertex hangs from an earlier one; the pairs that \
are no edges are siblings, the hardest to tell.";
    const COST: Cost = Cost { quick: 0.4, full: 12.6 };

    fn sample(n: u32, rng: &mut Rng) -> Sample {
        // Few parents, so that there are siblings.
        let edges: Vec<Edge> =
            (1..n).map(|later| (later, rng.below(u64::from(later.div_ceil(3))) as u32)).collect();
        let mut children = edges.clone();
        children.sort_by_key(|&(child, parent)| (parent, child));
        let siblings =
            children.windows(2).filter(|pair| pair[0].1 == pair[1].1).map(|pair| (pair[0].0, pair[1].0));
        Sample { others: siblings.collect(), edges }
    }

    fn params(_n: u32, _sample: &Sample, rate: f64) -> Result<LabelParams> {
        Ok(Self::params_for(LabelScheme::MinHash, rate, rate)?)
    }

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self> {
        Ok(Self::freeze(n, &sample.edges, params, spec)?)
    }

    label_answers!();
}

/// Neighbours of each vertex across.
const DEGREE: u32 = 3;

/// The first half of the vertices on one side.
fn sides(n: u32) -> Vec<bool> {
    (0..n).map(|vertex| vertex >= n / 2).collect()
}

impl Labelled for BipartiteLabels {
    const ID: &'static str = "c-bipartite-labels";
    const TITLE: &'static str = "Labels of graphs of two sides: both errors, and bits a vertex";
    const REFERENCE: &'static str = "Lopes 2017, section 3.4.3, carried on";
    const THEORY: &'static str = "\
A vertex of one side lists its d neighbours, one of the other is its own only element: an edge has the similarity 1/d, other \
pairs across have none, and both errors are tails of a binomial (`BipartiteLabels::fpr`, `fnr`). Here all vertices have three \
neighbours.";
    const COST: Cost = Cost { quick: 0.1, full: 1.2 };

    fn sample(n: u32, rng: &mut Rng) -> Sample {
        let half = n / 2;
        let across = move |one: u32, steps: u32| (one, half + (one + steps) % half);
        let edges = (0..half).flat_map(|one| (0..DEGREE).map(move |step| across(one, step))).collect();
        let apart =
            |one: u32, rng: &mut Rng| across(one, DEGREE + rng.below(u64::from(half - DEGREE)) as u32);
        Sample { edges, others: (0..2 * n).map(|i| apart(i % half, rng)).collect() }
    }

    fn params(n: u32, sample: &Sample, rate: f64) -> Result<LabelParams> {
        Ok(Self::params_for(&sides(n), &sample.edges, rate, rate)?)
    }

    fn freeze(n: u32, sample: &Sample, params: LabelParams, spec: HashSpec) -> Result<Self> {
        Ok(Self::freeze(Sides::Bipartite, &sides(n), &sample.edges, params, spec)?)
    }

    label_answers!();
}
