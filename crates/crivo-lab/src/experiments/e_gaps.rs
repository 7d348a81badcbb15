//! How far apart the similarities of edges and of other pairs can be, by linear programmes.

use crivo::graph::{Fraction, complete_bipartite_edge, largest_edge, widest_gap};

use super::bipartite_gaps::{self, Drawn};
use super::bipartite_limits::{self, Limit};
use super::graph_proofs::{Edges, holds, proven, share, text};
use super::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-gaps",
    title: "The widest gap between edges and other pairs",
    source: Source::Crivo,
    reference: "Lopes 2017, sections 3.4.3 and 3.5: open questions about bipartite graphs",
    question: "Each vertex gets a set, and Jaccard's similarity is at most δ_A for pairs without an edge and at least δ_B for edges. Which pairs \
δ_A < δ_B are possible for complete bipartite graphs, for small random graphs, and for all graphs?",
    theory: "\
Only the sizes of the 2ⁿ − 1 regions of the sets matter, and each demand is linear in them (`graph::feasibility`). Either answer \
comes with a proof in whole numbers: sets, or weights of the demands that no sets can meet (Farkas). Both are checked again \
here, by the sets themselves and by all regions.\n\n\
For Kₙ,ₙ the largest δ_B is (1 + (2n − 1)δ_A)/(δ_A + 2n − 1) (`complete_bipartite_edge`): i·j ≤ (i² + j²)/2 for an element in i \
sets of one side and j of the other. With δ_A = 0 that is 1/(2n − 1). A graph of greatest degree Δ has the gap 1/(2Δ − 1) at \
least, by a set of its edges for each vertex; one that has K_m,m inside has 1/(2m − 1) at most.",
    cost: Cost { quick: 1.0, full: 15.0 },
    timed: false,
    structures: &["intersection-labels", "bipartite-labels"],
    contradicts: false,
    faults: &[
        Fault {
            name: "a graph without one of its edges",
            run: |settings, progress| measure(settings, progress, 1),
        },
        Fault {
            name: "graphs without nine of their edges",
            run: |settings, progress| measure(settings, progress, 9),
        },
    ],
    run: |settings, progress| measure(settings, progress, 0),
};

/// Fractions with denominators up to this are tried in searches.
const DENOMINATOR: u32 = 12;

/// The number of edges that are left out of the complete graphs.
fn measure(settings: &Settings, progress: &mut Progress, missing: usize) -> Result<Outcome> {
    let (largest, drawn, sizes): (u32, u32, &[u32]) = match settings.size {
        Size::Quick => (3, 40, &[6]),
        Size::Full => (4, 100, &[6, 7, 8]),
    };
    let complete = |side: u32| complete_bipartite(side, missing);
    let named = named_graphs(largest, &complete);
    progress.start(u64::from(largest) + named.len() as u64 + u64::from(drawn) * sizes.len() as u64 + 1);
    let mut limits = Vec::new();
    for side in 1..=largest {
        limits.extend(Limit::all_of(side, &complete(side))?);
        progress.step();
    }
    let mut widest = Vec::new();
    for named in named {
        widest.push(Widest::new(named)?);
        progress.step();
    }
    let mut rng = settings.rng("e-gaps graphs");
    let mut random = Vec::new();
    for &vertices in sizes {
        for _ in 0..drawn {
            random.push(Drawn::new(vertices, u32::from(missing > 0), &mut rng)?);
            progress.step();
        }
    }
    let known = known(&complete);
    progress.step();
    let conjecture = bipartite_limits::conjecture(largest, &complete)?;
    Ok(Outcome {
        atlas: None,
        tables: vec![
            bipartite_limits::table(&limits),
            widest_table(&widest),
            bipartite_gaps::table(&random),
            known_table(&known),
        ],
        plots: vec![frontier(&widest, largest)?, bipartite_gaps::plot(&random)],
        verdicts: vec![
            bipartite_limits::judge(&limits),
            judge_widest(&widest),
            judge_known(&known),
            conjecture,
            bipartite_gaps::judge(&random),
        ],
        notes: vec![bipartite_gaps::note(&random)],
    })
}

fn complete_bipartite(side: u32, missing: usize) -> Edges {
    let all = (0..side).flat_map(|one| (side..2 * side).map(move |other| (one, other)));
    all.skip(missing).collect()
}

/// A graph with a name, and the widest gap that was found before.
struct Named {
    name: String,
    vertices: u32,
    edges: Edges,
    expected: (Fraction, Fraction),
}

fn named_graphs(largest: u32, complete: &impl Fn(u32) -> Edges) -> Vec<Named> {
    let path = |vertices: u32| (1..vertices).map(|vertex| (vertex - 1, vertex)).collect::<Edges>();
    let cycle = |vertices: u32| path(vertices).into_iter().chain([(0, vertices - 1)]).collect::<Edges>();
    let third = ((0, 1), (1, 3));
    let mut graphs = vec![("path of 3".to_owned(), 3, path(3), ((0, 1), (1, 2)))];
    graphs.push(("star of 5".to_owned(), 5, (1..5).map(|leaf| (0, leaf)).collect(), ((1, 5), (1, 2))));
    graphs.extend((4..=6).map(|vertices| (format!("cycle of {vertices}"), vertices, cycle(vertices), third)));
    graphs.extend(
        (1..=largest)
            .map(|side| (format!("K{side},{side}"), 2 * side, complete(side), ((0, 1), (1, 2 * side - 1)))),
    );
    let named = |(name, vertices, edges, expected)| Named { name, vertices, edges, expected };
    graphs.into_iter().map(named).collect()
}

struct Widest {
    graph: Named,
    found: (Fraction, Fraction),
    elements: u64,
}

impl Widest {
    fn new(graph: Named) -> Result<Self> {
        // The search on eight vertices takes long, and the fractions of few denominators have the answer.
        let denominator = if graph.vertices == 8 { 7 } else { DENOMINATOR };
        let (not_edge, edge, sizes) = widest_gap(graph.vertices, &graph.edges, denominator)?;
        let is_so = holds(&graph.edges, not_edge, edge, &sizes.sets());
        Ok(Self { graph, found: (not_edge, edge), elements: if is_so { sizes.total() } else { 0 } })
    }
}

fn judge_widest(widest: &[Widest]) -> Verdict {
    let shown =
        widest.iter().map(|one| format!("{} ({}, {})", one.graph.name, text(one.found.0), text(one.found.1)));
    Verdict::new(
        "The widest gaps (δ_A, δ_B) are those found before: Kₙ,ₙ (0, 1/(2n − 1)), a path of 3 (0, 1/2), cycles of 4 to 6 (0, 1/3).",
        widest.iter().all(|one| one.found == one.graph.expected && one.elements > 0),
        format!("{}.", shown.collect::<Vec<_>>().join("; ")),
    )
}

/// What the document says of a graph and two similarities, and what was proven here.
struct Known {
    what: String,
    similarities: (Fraction, Fraction),
    printed: bool,
    proven: Option<bool>,
}

fn known(complete: &impl Fn(u32) -> Edges) -> Vec<Known> {
    let (tenths, third) = (((4, 10), (6, 10)), ((1, 3), (1, 2)));
    let cases = [
        ("path of 3", 3, vec![(0, 1), (1, 2)], tenths, true),
        ("K3,3", 6, complete(3), tenths, false),
        ("K3,3", 6, complete(3), third, true),
        ("K4,4", 8, complete(4), third, false),
    ];
    let known = cases.into_iter().map(|(what, vertices, edges, similarities, printed)| {
        let proven = proven(vertices, &edges, similarities);
        Known { what: what.to_owned(), similarities, printed, proven }
    });
    known.collect()
}

fn judge_known(known: &[Known]) -> Verdict {
    let shown = known.iter().map(|Known { what, similarities: (not_edge, edge), proven, .. }| {
        let proven = proven.map_or("not proven", |yes| if yes { "yes" } else { "no" });
        format!("{what} ({}, {}): {proven}", text(*not_edge), text(*edge))
    });
    Verdict::new(
        "The verdicts of the document on a path of 3, K3,3 and K4,4 are correct, with checked proofs.",
        known.iter().all(|known| known.proven == Some(known.printed)),
        format!("{}.", shown.collect::<Vec<_>>().join("; ")),
    )
}

#[rustfmt::skip]
fn widest_table(widest: &[Widest]) -> Table {
    let mut table = Table::new("widest", [
        "graph", "vertices", "edges", "δ_A", "δ_B", "gap", "found before, δ_A", "found before, δ_B", "elements of sets",
    ]);
    for Widest { graph, found, elements } in widest {
        table.push([
            graph.name.as_str().into(), u64::from(graph.vertices).into(), (graph.edges.len() as u64).into(),
            text(found.0).as_str().into(), text(found.1).as_str().into(), (share(found.1) - share(found.0)).into(),
            text(graph.expected.0).as_str().into(), text(graph.expected.1).as_str().into(), (*elements).into(),
        ]);
    }
    table
}

fn known_table(known: &[Known]) -> Table {
    let mut table = Table::new("known", ["graph", "δ_A", "δ_B", "printed", "proven"]);
    let word = |is_so: bool| if is_so { "can be had" } else { "cannot" };
    for Known { what, similarities, printed, proven } in known {
        table.push([
            what.as_str().into(),
            text(similarities.0).as_str().into(),
            text(similarities.1).as_str().into(),
            word(*printed).into(),
            proven.map_or("no proof", word).into(),
        ]);
    }
    table
}

/// The largest similarity of edges by that of other pairs: of complete bipartite graphs by theory, of all graphs by linear programmes.
fn frontier(widest: &[Widest], largest: u32) -> Result<Plot> {
    let mut series = Vec::new();
    for side in 2..=largest {
        let points = (0..=40)
            .map(|i| Ok(Point::new(f64::from(i) / 40.0, share(complete_bipartite_edge(side, (i, 40))?))));
        let points = points.collect::<Result<Vec<_>>>()?;
        series.push(
            Series::new(format!("theory, K{side},{side}"), Style::Curve, points).coloured(side as usize - 2),
        );
    }
    for (colour, name) in [(0, "K2,2"), (1, "K3,3"), (3, "path of 3"), (4, "star of 5"), (5, "cycle of 5")] {
        for Widest { graph, .. } in widest.iter().filter(|one| one.graph.name == name) {
            let points = (0..10).map(|i| {
                let (edge, _) = largest_edge(graph.vertices, &graph.edges, (i, 10), 60)?;
                Ok(Point::new(f64::from(i) / 10.0, share(edge)))
            });
            let points = points.collect::<Result<Vec<_>>>()?;
            let style = if colour < 3 { Style::Points } else { Style::Joined };
            series.push(Series::new(format!("linear programmes, {name}"), style, points).coloured(colour));
        }
    }
    Ok(Plot::new("frontier", "What edges can have in common at most")
        .axes("δ_A: the most that other pairs have in common", "largest δ_B (Jaccard's similarity)")
        .with([Series::new("no gap: δ_B = δ_A", Style::Theory, [0.0, 1.0].map(|x| Point::new(x, x)))])
        .with(series))
}
