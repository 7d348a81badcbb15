//! Spurious edges of graphs in Bloom filters.

use crivo::graph::{Direction, EdgeBloom, VertexBlooms};
use crivo::rng::Rng;
use crivo::stats::{binomial_band, normal_quantile};
use crivo::{BloomParams, HashSpec};
use libm::{exp, pow, sqrt};

use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-f33",
    title: "Spurious edges of graphs in Bloom filters",
    source: Source::Lopes,
    reference: "Lopes 2017, section 3.3, figure 33",
    question: "A graph of 100 vertices and m edges is kept in a Bloom filter of its edges, ten bits each, or in one filter for \
each vertex, ten bits a neighbour. How many pairs that are no edges seem to be some, for every m?",
    theory: "\
No edge is lost. A pair that is none is reported with the rate p of the filter that is asked, so p·(n(n−1)/2 − m) spurious \
edges are expected: p ≈ 0.008 for every filter with ten bits per item and seven functions, for every m. Given the bits that \
are set their number is binomial around the rates of the filters, exactly (`EdgeBloom::fpr`, `VertexBlooms::fpr`). Given only m, \
the number of set bits varies too, as in e-f9. With one filter per vertex the filter of one end is queried, as in the \
document; where both are asked, as `VertexBlooms` does in an undirected graph, the rates of both ends multiply, and almost \
none is left.\n\n\
Every m is compared with its 99.9 % interval; the number of graphs outside is compared with the binomial law, at a false-alarm probability of 10⁻⁶. For \
rates that differ from pair to pair the interval of their mean is a wider one (Hoeffding 1956).",
    cost: Cost { quick: 0.8, full: 20.0 },
    timed: false,
    structures: &["edge-bloom", "vertex-blooms"],
    contradicts: false,
    faults: &[
        Fault {
            name: "two bits fewer per edge",
            run: |settings, progress| measure(settings, progress, Flaw { bits: EDGE_BITS - 2, ..Flaw::NONE }),
        },
        Fault {
            name: "a rate that is stated as half of itself",
            run: |settings, progress| measure(settings, progress, Flaw { stated: 0.5, ..Flaw::NONE }),
        },
        Fault {
            name: "an edge that is not inserted",
            run: |settings, progress| measure(settings, progress, Flaw { lost: 1, ..Flaw::NONE }),
        },
    ],
    run: |settings, progress| measure(settings, progress, Flaw::NONE),
};

const VERTICES: u32 = 100;
const PAIRS: usize = 4950;
const EDGE_BITS: u32 = 10;
const OUTSIDE: f64 = 1e-3;
const FALSE_ALARM: f64 = 1e-6;

/// Spurious edges of one graph: as many as seen, expected, and between which 99.9 % lie.
#[derive(Clone, Copy)]
struct Spurious {
    seen: u64,
    expected: f64,
    band: (f64, f64),
}

impl Spurious {
    /// Of a number of pairs that are no edges, with this mean rate.
    fn new(seen: u64, others: usize, expected: f64) -> Self {
        let rate = if others == 0 { 0.0 } else { expected / others as f64 };
        Self { seen, expected, band: binomial_band(others as u64, rate, OUTSIDE) }
    }

    fn is_inside(&self) -> bool {
        (self.band.0..=self.band.1).contains(&(self.seen as f64))
    }
}

/// What was found in a graph with a number of edges.
struct Graph {
    edges: usize,
    lost: u64,
    /// In the order of [`WAYS`].
    ways: [Spurious; 4],
}

const WAYS: [(&str, &str); 4] = [
    ("one filter of edges", "given the bits that are set"),
    ("one filter of edges", "given only m"),
    ("one filter per vertex, one end queried", "given the bits that are set"),
    ("one filter per vertex, both ends queried", "given the bits that are set"),
];

/// A planted fault.
#[derive(Clone, Copy)]
struct Flaw {
    /// Bits per edge of the filter of edges; theory given m expects [`EDGE_BITS`].
    bits: u32,
    /// The share of its rate that a filter states.
    stated: f64,
    /// Edges that are not inserted.
    lost: usize,
}

impl Flaw {
    const NONE: Self = Self { bits: EDGE_BITS, stated: 1.0, lost: 0 };
}

fn measure(settings: &Settings, progress: &mut Progress, flaw: Flaw) -> Result<Outcome> {
    let step = match settings.size {
        Size::Quick => 33,
        Size::Full => 1,
    };
    let mut rng = settings.rng("e-f33 graphs");
    let sizes: Vec<usize> = (0..=PAIRS).step_by(step).collect();
    progress.start(sizes.len() as u64);
    let mut graphs = Vec::new();
    for edges in sizes {
        graphs.push(try_graph(edges, flaw, &mut rng)?);
        progress.step();
    }
    let lost: u64 = graphs.iter().map(|graph| graph.lost).sum();
    let held: usize = graphs.iter().map(|graph| 3 * graph.edges).sum();
    let kept = Verdict::new("No edge is denied.", lost == 0, format!("{lost} of {held} answers."));
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&graphs)],
        plots: vec![spurious_plot(&graphs), deviations(&graphs)],
        // With both ends queried almost nothing is expected, so the number of spurious edges decides nothing.
        verdicts: (0..WAYS.len() - 1).map(|way| judge(&graphs, way)).chain([kept]).collect(),
        notes: vec![format!(
            "{} random graphs of {VERTICES} vertices, each with its own hash function.",
            graphs.len()
        )],
    })
}

fn try_graph(edges: usize, flaw: Flaw, rng: &mut Rng) -> Result<Graph> {
    let spec = HashSpec::seeded(rng.next_u64());
    let names: Vec<u64> = (0..VERTICES).map(|vertex| spec.hash(&vertex)).collect();
    let mut pairs: Vec<(u64, u64)> = (0..names.len())
        .flat_map(|i| names[i + 1..].iter().map(|&other| (names[i], other)).collect::<Vec<_>>())
        .collect();
    for i in 0..edges {
        pairs.swap(i, i + rng.below((PAIRS - i) as u64) as usize);
    }
    let (joined, others) = pairs.split_at(edges);
    let degree =
        |name: u64| joined.iter().filter(|&&(one, other)| one == name || other == name).count() as u64;
    let degrees: Vec<(u64, u64)> = names.iter().map(|&name| (name, degree(name))).collect();
    let per_vertex =
        |direction| VertexBlooms::for_degrees(degrees.iter().copied(), EDGE_BITS, direction, spec);
    let (mut one_end, mut both_ends) = (per_vertex(Direction::Directed)?, per_vertex(Direction::Undirected)?);
    let inserted = &joined[flaw.lost.min(edges)..];
    for &(one, other) in inserted {
        one_end.add_edge_hash(one, other)?;
        one_end.add_edge_hash(other, one)?;
        both_ends.add_edge_hash(one, other)?;
    }
    let count = |pairs: &[(u64, u64)], has_edge: &dyn Fn(u64, u64) -> bool| {
        pairs.iter().filter(|&&(one, other)| has_edge(one, other)).count() as u64
    };
    let by_vertex = |filters: &VertexBlooms| {
        let has_edge = |one, other| filters.has_edge_hash(one, other);
        let expected =
            others.iter().map(|&(one, other)| flaw.stated * filters.fpr_hash(one, other).value()).sum();
        let spurious = Spurious::new(count(others, &has_edge), others.len(), expected);
        (spurious, joined.len() as u64 - count(joined, &has_edge))
    };
    let ((one_end, lost_by_one), (both_ends, lost_by_both)) = (by_vertex(&one_end), by_vertex(&both_ends));
    // Without edges there is no filter, and nothing to be found in it.
    let (filter, lost_by_filter) = if edges == 0 {
        ([Spurious::new(0, others.len(), 0.0); 2], 0)
    } else {
        let params = EdgeBloom::params_for_bits(flaw.bits, edges as u64)?;
        let mut filter = EdgeBloom::with_params(params, Direction::Undirected).with_hash(spec);
        filter.add_edge_hashes(inserted);
        let has_edge = |one, other| filter.has_edge_hash(one, other);
        let given_bits = flaw.stated * filter.fpr().value() * others.len() as f64;
        let spurious = Spurious::new(count(others, &has_edge), others.len(), given_bits);
        (
            [spurious, given_edges(spurious.seen, edges, others.len())?],
            edges as u64 - count(joined, &has_edge),
        )
    };
    let lost = lost_by_filter + lost_by_one + lost_by_both;
    Ok(Graph { edges, lost, ways: [filter[0], filter[1], one_end, both_ends] })
}

/// What may be seen with a filter of which only the size and the number of edges are known.
fn given_edges(seen: u64, edges: usize, others: usize) -> Result<Spurious> {
    let params: BloomParams = EdgeBloom::params_for_bits(EDGE_BITS, edges as u64)?;
    let (m, k) = (params.bits() as f64, f64::from(params.hashes()));
    let lambda = k * edges as f64 / m;
    // Half of what may lie outside for the number of ones, half for the answers given the ones.
    let zeros = exp(-lambda);
    let spread = normal_quantile(1.0 - OUTSIDE / 4.0) * sqrt(zeros * (1.0 - (1.0 + lambda) * zeros) / m);
    let band =
        |zeros: f64| binomial_band(others as u64, pow((1.0 - zeros).clamp(0.0, 1.0), k), OUTSIDE / 2.0);
    let expected = params.fpr_at(edges as u64) * others as f64;
    Ok(Spurious { seen, expected, band: (band(zeros + spread).0, band(zeros - spread).1) })
}

fn table(graphs: &[Graph]) -> Table {
    let columns = WAYS.into_iter().flat_map(|(way, given)| {
        ["", ", expected", ", fewest", ", most"].map(|what| format!("{way}, {given}{what}"))
    });
    let mut table =
        Table::new("data", ["edges".to_owned(), "edges lost".to_owned()].into_iter().chain(columns));
    for Graph { edges, lost, ways } in graphs {
        let numbers = ways.iter().flat_map(|&Spurious { seen, expected, band }| {
            [seen.into(), expected.into(), band.0.into(), band.1.into()]
        });
        table.push([Cell::from(*edges as u64), (*lost).into()].into_iter().chain(numbers));
    }
    table
}

/// Of every graph, or of as many as a figure can show.
fn shown(graphs: &[Graph]) -> impl Iterator<Item = &Graph> + Clone {
    graphs.iter().step_by(graphs.len().div_ceil(MARKS))
}

const MARKS: usize = 150;

/// Figure 33 itself.
fn spurious_plot(graphs: &[Graph]) -> Plot {
    let of = |way: usize, point: fn(f64, &Spurious) -> Point| {
        shown(graphs).map(move |graph| point(graph.edges as f64, &graph.ways[way]))
    };
    let band = of(1, |x, way| Point::new(x, way.expected).with_bounds(way.band.0, way.band.1));
    let theory = of(1, |x, way| Point::new(x, way.expected));
    let seen = |way: usize| {
        Series::new(WAYS[way].0, Style::Points, of(way, |x, way| Point::new(x, way.seen as f64)))
    };
    Plot::new("spurious", format!("Spurious edges in a graph of {VERTICES} vertices, ten bits an edge"))
        .axes("edges m (count)", "spurious edges (count)")
        .with([
            Series::new("99.9 % of filters of edges", Style::Band, band),
            Series::new("theory: p·(n(n − 1)/2 − m)", Style::Theory, theory),
        ])
        .with([seen(0), seen(2), seen(3)])
}

/// The same data seen closer.
fn deviations(graphs: &[Graph]) -> Plot {
    let off = |way: usize| {
        let points = shown(graphs).map(move |graph| {
            let Spurious { seen, expected, .. } = graph.ways[way];
            Point::new(graph.edges as f64, (seen as f64 - expected) / sqrt(expected))
        });
        Series::new(WAYS[way].0, Style::Points, points)
    };
    let limit = normal_quantile(1.0 - OUTSIDE / 2.0);
    let band = [0.0, PAIRS as f64].map(|x| Point::new(x, 0.0).with_bounds(-limit, limit));
    Plot::new("deviations", "Spurious edges less those expected from the bits that are set")
        .between(-6.0, 6.0)
        .axes("edges m (count)", "difference (standard deviations)")
        .with([Series::new("99.9 %, where many are expected", Style::Band, band), off(0), off(2)])
}

fn judge(graphs: &[Graph], way: usize) -> Verdict {
    let outside = graphs.iter().filter(|graph| !graph.ways[way].is_inside()).count();
    let (_, most) = binomial_band(graphs.len() as u64, OUTSIDE, FALSE_ALARM);
    let sum = |of: fn(&Spurious) -> f64| graphs.iter().map(|graph| of(&graph.ways[way])).sum::<f64>();
    let (seen, expected) = (sum(|way| way.seen as f64), sum(|way| way.expected));
    let (what, given) = WAYS[way];
    Verdict::new(
        format!("The number of spurious edges of {what} is that of theory, {given}."),
        outside as f64 <= most,
        format!(
            "{outside} of {} graphs outside their 99.9 % interval, at most {most} by chance; {seen} seen in all, {expected:.1} \
             expected.",
            graphs.len()
        ),
    )
}
