//! Any graph by the similarity of sets that share an element for each edge.

use crivo::HashSpec;
use crivo::graph::{IntersectionLabels, IntersectionSets, LabelParams, LabelScheme, intersection_sets};
use crivo::rng::Rng;
use crivo::similarity::jaccard;

use super::prelude::*;
use crate::significant;
use crate::summary::{Summary, student};

pub(super) const EXPERIMENT: Experiment = Experiment {
    id: "e-g6",
    title: "Any graph by the similarity of sets",
    source: Source::Lopes,
    reference: "Lopes 2017, section 3.4.1, figure 35",
    question: "Each vertex has a set of a common and b own elements, and each edge replaces an own element in the sets of both ends. How \
similar are the sets of an edge and of another pair, how wide is the gap, and how many bits do labels take?",
    theory: "\
Pairs that are not joined have a elements in common of a + 2b: δ = x/y exactly, with a = 2x/(y − x)·b. An edge is one element \
more in common and, as it takes the place of one in both sets, one less in all: (a + 1)/(a + 2b − 1) \
(`IntersectionSets::edge`). So the gap is (2a + 2b)/((a + 2b)(a + 2b − 1)). The document counts all of a + 2b, which gives 7/12 \
in its example and a gap of 1/(a + 2b).\n\n\
The sets of random graphs are compared exactly. Labels of the smallest size for 5 % of errors (`IntersectionSets::params_for`) \
err by binomial tails (`fpr`, `fnr`); errors of one graph share a hash, so the means over graphs are compared with that by Student's \
t, at a false-alarm probability of 10⁻⁶ shared by all.",
    cost: Cost { quick: 0.5, full: 4.0 },
    timed: false,
    structures: &["intersection-labels"],
    contradicts: true,
    faults: &[Fault {
        name: "sets with one element too many",
        run: |settings, progress| measure(settings, progress, 1),
    }],
    run: |settings, progress| measure(settings, progress, 0),
};

const FALSE_ALARM: f64 = 1e-6;
const ERRORS: f64 = 0.05;
/// δ, and the greatest degree: the example of the document is the first.
const SETTINGS: [((u32, u32), u32); 7] =
    [((1, 2), 3), ((0, 1), 3), ((1, 3), 3), ((2, 3), 3), ((0, 1), 6), ((1, 3), 6), ((1, 2), 6)];

/// What was seen of graphs with sets of one sort.
struct Sort {
    delta: (u32, u32),
    degree: u32,
    sets: IntersectionSets,
    params: LabelParams,
    /// The least and greatest similarity of pairs that are no edges, and of edges.
    alike: [(f64, f64); 2],
    /// Shares of pairs taken for edges, and of edges missed, by graph.
    errors: [Vec<f64>; 2],
    expected: [f64; 2],
}

/// A planted fault: sets get `more` own elements than theory assumes.
fn measure(settings: &Settings, progress: &mut Progress, more: u32) -> Result<Outcome> {
    let (vertices, graphs) = match settings.size {
        Size::Quick => (30, 60),
        Size::Full => (60, 400),
    };
    let mut rng = settings.rng("e-g6 graphs");
    progress.start(graphs * SETTINGS.len() as u64);
    let mut sorts = Vec::new();
    for (delta, degree) in SETTINGS {
        let sets = IntersectionSets::new(delta, degree)?;
        let params = sets.params_for(LabelScheme::MinHash, ERRORS, ERRORS)?;
        let expected = [params.fpr(sets.not_edge()), params.fnr(sets.edge())];
        let alike = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        let mut sort = Sort { delta, degree, sets, params, alike, errors: [vec![], vec![]], expected };
        let built = IntersectionSets::new(delta, degree + more)?;
        for _ in 0..graphs {
            let edges = random_graph(vertices, degree, &mut rng);
            sort.add(vertices, &edges, built, HashSpec::seeded(rng.next_u64()))?;
            progress.step();
        }
        sorts.push(sort);
    }
    let shown = if settings.size == Size::Quick { 4 } else { DEGREES.len() };
    let bits = bits_by_degree(&DEGREES[..shown])?;
    Ok(Outcome {
        atlas: None,
        tables: vec![table(&sorts), bits_table(&bits)],
        plots: vec![gaps(&sorts), bits_plot(&bits)],
        verdicts: vec![exact(&sorts), erratum(&sorts), gap_erratum(&sorts), errors(&sorts)],
        notes: vec![format!(
            "{graphs} random graphs of {vertices} vertices for each row, edges added while both ends have room. With the document's \
             7/12 for edges, labels at δ = 1/2 and Δ = 3 would take {} bits for 1 % of errors; with 7/11 they take {}.",
            LabelParams::for_rates(LabelScheme::MinHash, (0.5, 0.01), (7.0 / 12.0, 0.01))?.bits_per_vertex(),
            IntersectionSets::new((1, 2), 3)?.params_for(LabelScheme::MinHash, 0.01, 0.01)?.bits_per_vertex(),
        )],
    })
}

/// Random pairs, as long as neither end has this number of edges.
fn random_graph(vertices: u32, degree: u32, rng: &mut Rng) -> Vec<(u32, u32)> {
    let mut room = vec![degree; vertices as usize];
    let mut edges = Vec::new();
    for _ in 0..4 * vertices * degree {
        let (one, other) = (rng.below(vertices.into()) as u32, rng.below(vertices.into()) as u32);
        let edge = (one.min(other), one.max(other));
        if one != other && room[one as usize] > 0 && room[other as usize] > 0 && !edges.contains(&edge) {
            room[one as usize] -= 1;
            room[other as usize] -= 1;
            edges.push(edge);
        }
    }
    edges
}

impl Sort {
    fn add(
        &mut self,
        vertices: u32,
        edges: &[(u32, u32)],
        built: IntersectionSets,
        spec: HashSpec,
    ) -> Result<()> {
        let sets = intersection_sets(vertices, edges, built, spec)?;
        let labels = IntersectionLabels::freeze(vertices, edges, built, self.params, spec)?;
        let (mut wrong, mut pairs) = ([0.0; 2], [0.0; 2]);
        for other in 0..vertices {
            for one in 0..other {
                let sort = usize::from(edges.contains(&(one, other)));
                let similarity = jaccard(&sets[one as usize], &sets[other as usize]);
                let (least, greatest) = &mut self.alike[sort];
                (*least, *greatest) = (least.min(similarity), greatest.max(similarity));
                pairs[sort] += 1.0;
                wrong[sort] += f64::from(u8::from(labels.has_edge(one, other)? != (sort == 1)));
            }
        }
        for (errors, share) in self.errors.iter_mut().zip([wrong[0] / pairs[0], wrong[1] / pairs[1]]) {
            errors.push(share);
        }
        Ok(())
    }

    fn similarities(&self) -> [f64; 2] {
        [self.sets.not_edge(), self.sets.edge()]
    }

    fn printed_edge(&self) -> f64 {
        let (a, b) = (f64::from(self.sets.common()), f64::from(self.sets.own()));
        (a + 1.0) / (a + 2.0 * b)
    }

    /// From the most that other pairs have in common to the least that edges have.
    fn gap(&self) -> f64 {
        self.alike[1].0 - self.alike[0].1
    }

    fn expected_gap(&self) -> f64 {
        let (a, b) = (f64::from(self.sets.common()), f64::from(self.sets.own()));
        (2.0 * a + 2.0 * b) / ((a + 2.0 * b) * (a + 2.0 * b - 1.0))
    }

    fn printed_gap(&self) -> f64 {
        1.0 / f64::from(self.sets.common() + 2 * self.sets.own())
    }

    fn name(&self) -> String {
        format!("δ = {}/{}, Δ = {}", self.delta.0, self.delta.1, self.degree)
    }
}

fn exact(sorts: &[Sort]) -> Verdict {
    let checks = sorts.iter().flat_map(|sort| {
        let both = sort.similarities().into_iter().zip(sort.alike).zip(["other pairs", "edges"]);
        both.flat_map(move |((expected, (least, greatest)), what)| {
            [least, greatest].map(|value| Check {
                place: format!("{what}, {}", sort.name()),
                value,
                expected,
                lower: expected - 1e-12,
                upper: expected + 1e-12,
            })
        })
    });
    Verdict::within(
        "In every graph all edges have the similarity (a + 1)/(a + 2b − 1), and all other pairs δ, exactly.",
        "",
        checks,
    )
}

fn erratum(sorts: &[Sort]) -> Verdict {
    let (example, printed) = (&sorts[0], 7.0 / 12.0);
    let (least, greatest) = example.alike[1];
    Verdict::erratum(
        "Edges of the example in section 3.4.1 have a similarity of 7/11 and not 7/12, because an edge replaces an own element in both sets, and the \
union loses one element.",
        (example.printed_edge() - printed).abs() < 1e-12
            && [least, greatest].iter().all(|alike| (alike - 7.0 / 11.0).abs() < 1e-12),
        format!(
            "δ = 1/2, Δ = 3: edges measured from {} to {}; 7/11 is {}, 7/12 is {}.",
            significant(least, 6),
            significant(greatest, 6),
            significant(7.0 / 11.0, 6),
            significant(printed, 6)
        ),
    )
}

fn gap_erratum(sorts: &[Sort]) -> Verdict {
    let shown: Vec<String> = sorts
        .iter()
        .map(|sort| {
            let [ours, printed] = [sort.gap(), sort.printed_gap()].map(|gap| significant(gap, 4));
            format!("{}: {ours}, printed {printed}", sort.name())
        })
        .collect();
    Verdict::erratum(
        "The gap in section 3.4.1 is (2a + 2b)/((a + 2b)(a + 2b − 1)) and not 1/(a + 2b), because of this element; it is wider than printed if \
b > 1/2, by a factor of (2a + 2b)/(a + 2b − 1).",
        sorts
            .iter()
            .all(|sort| (sort.gap() - sort.expected_gap()).abs() < 1e-12 && sort.gap() > sort.printed_gap()),
        format!("{}.", shown.join("; ")),
    )
}

fn errors(sorts: &[Sort]) -> Verdict {
    let chance = FALSE_ALARM / (2 * sorts.len()) as f64;
    let checks = sorts.iter().flat_map(|sort| {
        let both = sort.errors.iter().zip(sort.expected).zip(["pairs taken for edges", "edges missed"]);
        both.map(move |((shares, expected), what)| {
            let Summary { mean, standard_error, .. } = Summary::of(shares);
            let stray = 100.0 * student(shares.len() as f64 - 1.0, chance) * standard_error;
            let (value, expected) = (100.0 * mean, 100.0 * expected);
            let place = format!("{what}, {}", sort.name());
            Check { place, value, expected, lower: expected - stray, upper: expected + stray }
        })
    });
    Verdict::within("The error rates of labels are the binomial tails at these similarities.", " %", checks)
}

#[rustfmt::skip]
fn table(sorts: &[Sort]) -> Table {
    let mut table = Table::new("similarities", [
        "δ", "greatest degree Δ", "common a", "own b", "others, least", "others, greatest", "edges, least", "edges, greatest",
        "theory, edges", "printed, edges", "gap", "theory, gap", "printed, gap", "bits per label at 5 %",
        "others taken for edges (%)", "theory (%)", "edges missed (%)", "theory, missed (%)",
    ]);
    for sort in sorts {
        let [[taken, missed], [fpr, fnr]] =
            [sort.errors.each_ref().map(|shares| Summary::of(shares).mean), sort.expected].map(|both| both.map(|share| 100.0 * share));
        table.push([
            format!("{}/{}", sort.delta.0, sort.delta.1).as_str().into(), u64::from(sort.degree).into(),
            u64::from(sort.sets.common()).into(), u64::from(sort.sets.own()).into(),
            sort.alike[0].0.into(), sort.alike[0].1.into(), sort.alike[1].0.into(), sort.alike[1].1.into(),
            sort.sets.edge().into(), sort.printed_edge().into(),
            sort.gap().into(), sort.expected_gap().into(), sort.printed_gap().into(),
            u64::from(sort.params.bits_per_vertex()).into(), taken.into(), fpr.into(), missed.into(), fnr.into(),
        ]);
    }
    table
}

const DELTAS: [(u32, u32); 3] = [(0, 1), (1, 3), (1, 2)];
const DEGREES: [u32; 7] = [1, 2, 3, 4, 6, 8, 12];

/// The gap by the greatest degree.
fn gaps(sorts: &[Sort]) -> Plot {
    let degrees = (4..=64).map(|quarter| f64::from(quarter) / 4.0);
    let series = DELTAS.iter().enumerate().flat_map(|(colour, &(x, y))| {
        let share = f64::from(x) / f64::from(y);
        // The elements of two sets by the degree: a + 2b with b = Δ.
        let all = move |degree: f64| 2.0 * degree / (1.0 - share);
        let ours =
            move |degree: f64| (2.0 * all(degree) - 2.0 * degree) / (all(degree) * (all(degree) - 1.0));
        let theory = degrees.clone().map(move |degree| Point::new(degree, ours(degree)));
        let measured = sorts.iter().filter(move |sort| sort.delta == (x, y));
        let measured = measured.map(|sort| Point::new(sort.degree.into(), sort.gap()));
        [
            Series::new(format!("theory, δ = {x}/{y}"), Style::Curve, theory).coloured(colour),
            Series::new(format!("measured, δ = {x}/{y}"), Style::Points, measured).coloured(colour),
        ]
    });
    let printed = degrees.clone().map(|degree| Point::new(degree, 1.0 / (4.0 * degree)));
    let printed = Series::new("printed, δ = 1/2: 1/(a + 2b)", Style::Theory, printed);
    Plot::new("gaps", "How much more alike edges are than other pairs")
        .axes("greatest degree Δ (edges of a vertex)", "gap of Jaccard's similarity")
        .log_x()
        .log_y()
        .with([printed])
        .with(series)
}

/// By δ and greatest degree: the bits of labels for 1 % of errors.
type Bits = Vec<((u32, u32), Vec<(u32, u32)>)>;

fn bits_by_degree(degrees: &[u32]) -> Result<Bits> {
    let of_delta = |delta| {
        let bits = degrees.iter().map(|&degree| {
            let params =
                IntersectionSets::new(delta, degree)?.params_for(LabelScheme::MinHash, 0.01, 0.01)?;
            Ok((degree, params.bits_per_vertex()))
        });
        Ok((delta, bits.collect::<Result<_>>()?))
    };
    DELTAS.into_iter().map(of_delta).collect()
}

fn bits_table(bits: &Bits) -> Table {
    let mut table = Table::new("bits", ["δ", "greatest degree Δ", "bits per label at 1 %"]);
    for ((x, y), of_degrees) in bits {
        for &(degree, bits) in of_degrees {
            table.push([
                format!("{x}/{y}").as_str().into(),
                u64::from(degree).into(),
                u64::from(bits).into(),
            ]);
        }
    }
    table
}

fn bits_plot(bits: &Bits) -> Plot {
    let series = bits.iter().map(|((x, y), of_degrees)| {
        let points = of_degrees.iter().map(|&(degree, bits)| Point::new(degree.into(), bits.into()));
        Series::new(format!("labels, δ = {x}/{y}, 1 % of errors"), Style::Joined, points)
    });
    let degrees = bits.iter().flat_map(|(_, of_degrees)| of_degrees).map(|&(degree, _)| f64::from(degree));
    let list = [1.0, degrees.fold(1.0, f64::max)].map(|degree| Point::new(degree, 20.0 * degree));
    Plot::new("bits", "What labels cost")
        .axes("greatest degree Δ (edges of a vertex)", "bits per vertex")
        .log_x()
        .log_y()
        .with([Series::new("list of neighbours, 10⁶ vertices, exact", Style::Theory, list)])
        .with(series)
}
