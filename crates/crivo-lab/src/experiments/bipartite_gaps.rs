//! The widest gaps of random bipartite graphs.

use crivo::graph::widest_gap;
use crivo::rng::Rng;

use super::graph_proofs::{Edges, holds, largest_complete};
use super::prelude::*;
use crate::significant;
use crate::summary::Summary;

/// Fractions with denominators up to this are tried: 1/(2Δ − 1) is among them.
const DENOMINATOR: u32 = 8;

/// A random bipartite graph, and the widest gap between its edges and other pairs.
pub(super) struct Drawn {
    vertices: u32,
    edges: usize,
    /// Of the pairs between the sides.
    density: f64,
    greatest_degree: u32,
    /// The vertices of a side of the largest complete bipartite graph inside.
    complete: u32,
    not_edge: f64,
    edge: f64,
    is_proven: bool,
}

impl Drawn {
    /// Sides of equal size but for one; each edge with one probability, which is drawn for the graph; not without any.
    /// A planted fault: `greater` is added to the side of the complete graph inside.
    pub(super) fn new(vertices: u32, greater: u32, rng: &mut Rng) -> Result<Self> {
        let left = vertices / 2;
        let chance = rng.unit();
        let pairs = (0..left).flat_map(|one| (left..vertices).map(move |other| (one, other)));
        let mut edges: Edges = pairs.clone().filter(|_| rng.unit() < chance).collect();
        if edges.is_empty() {
            edges.push((0, left));
        }
        let degree =
            |vertex: u32| edges.iter().filter(|&&(one, other)| one == vertex || other == vertex).count();
        let greatest_degree = (0..vertices).map(degree).max().unwrap_or(0) as u32;
        let (not_edge, edge, sizes) = widest_gap(vertices, &edges, DENOMINATOR)?;
        let share = |(x, y): (u32, u32)| f64::from(x) / f64::from(y);
        Ok(Self {
            vertices,
            edges: edges.len(),
            density: edges.len() as f64 / pairs.count() as f64,
            greatest_degree,
            complete: largest_complete(vertices, left, &edges) + greater,
            is_proven: holds(&edges, not_edge, edge, &sizes.sets()),
            not_edge: share(not_edge),
            edge: share(edge),
        })
    }

    fn gap(&self) -> f64 {
        self.edge - self.not_edge
    }

    fn least(&self) -> f64 {
        1.0 / f64::from(2 * self.greatest_degree - 1)
    }

    fn most(&self) -> f64 {
        1.0 / f64::from(2 * self.complete - 1)
    }
}

pub(super) fn judge(drawn: &[Drawn]) -> Verdict {
    let checks = drawn.iter().map(|one| Check {
        place: format!("{} vertices, {} edges, Δ = {}", one.vertices, one.edges, one.greatest_degree),
        value: if one.is_proven { one.gap() } else { f64::NAN },
        expected: f64::midpoint(one.least(), one.most()),
        lower: one.least() - 1e-9,
        upper: one.most() + 1e-9,
    });
    Verdict::within(
        "Random bipartite graphs of greatest degree Δ with K_m,m inside have a widest gap between 1/(2Δ − 1) and 1/(2m − 1).",
        "",
        checks,
    )
}

#[rustfmt::skip]
pub(super) fn table(drawn: &[Drawn]) -> Table {
    let mut table = Table::new("random", [
        "vertices", "edges", "density (%)", "greatest degree Δ", "m of K_m,m inside", "δ_A", "δ_B", "gap", "least: 1/(2Δ−1)",
        "most: 1/(2m−1)",
    ]);
    for one in drawn {
        table.push([
            u64::from(one.vertices).into(), (one.edges as u64).into(), (100.0 * one.density).into(),
            u64::from(one.greatest_degree).into(), u64::from(one.complete).into(), one.not_edge.into(), one.edge.into(),
            one.gap().into(), one.least().into(), one.most().into(),
        ]);
    }
    table
}

pub(super) fn plot(drawn: &[Drawn]) -> Plot {
    let mut sizes: Vec<u32> = drawn.iter().map(|one| one.vertices).collect();
    sizes.dedup();
    let series = sizes.into_iter().map(|vertices| {
        let of_size = drawn.iter().filter(|one| one.vertices == vertices);
        let points = of_size.map(|one| Point::new(100.0 * one.density, one.gap()));
        Series::new(format!("random graphs of {vertices} vertices"), Style::Points, points)
    });
    let limits = [1u32, 2, 3].map(|m| {
        let y = 1.0 / f64::from(2 * m - 1);
        Series::new(
            format!("K{m},{m}: 1/{}", 2 * m - 1),
            Style::Curve,
            [0.0, 100.0].map(|x| Point::new(x, y)),
        )
        .coloured(m as usize + 1)
    });
    Plot::new("random", "The widest gap of random bipartite graphs")
        .axes(
            "density: edges among pairs between the sides (%)",
            "widest gap δ_B − δ_A (Jaccard's similarity)",
        )
        .between(0.0, 1.05)
        .with(limits)
        .with(series)
}

/// What the graphs say, by density.
pub(super) fn note(drawn: &[Drawn]) -> String {
    let by_part = [(0.0, 1.0 / 3.0), (1.0 / 3.0, 2.0 / 3.0), (2.0 / 3.0, 1.01)].map(|(from, to)| {
        let gaps = drawn.iter().filter(|one| from <= one.density && one.density < to).map(Drawn::gap);
        let gaps: Vec<f64> = gaps.collect();
        let percent = |share: f64| significant(100.0 * share.min(1.0), 2);
        let mean = if gaps.is_empty() { "none".to_owned() } else { significant(Summary::of(&gaps).mean, 3) };
        format!("{} to {} % dense: {mean} ({} graphs)", percent(from), percent(to), gaps.len())
    });
    let at_none = drawn.iter().filter(|one| one.not_edge == 0.0).count();
    let at_least = drawn.iter().filter(|one| one.gap() <= one.least() + 1e-9).count();
    format!(
        "Found on {} random graphs, with denominators up to {DENOMINATOR}: the mean widest gap falls with density ({}). {at_none} have \
         it at δ_A = 0, and {at_least} have no wider one than a set of edges for each vertex gives.",
        drawn.len(),
        by_part.join("; ")
    )
}
