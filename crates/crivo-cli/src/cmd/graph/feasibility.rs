//! `crivo graph feasibility`: which similarities can tell a small graph?

use super::edge_list::EdgeListArgs;
use crate::args::FormArgs;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::Result;
use clap::Args;
use crivo::graph::{
    FewestElements, Fraction, Refutation, SetSizes, Verdict, feasibility, fewest_elements, largest_edge,
    widest_gap,
};
use crivo_report::{Page, Records, Report, Text, count, plural, shown};
use serde::Serialize;

/// Decide whether set similarities can represent a graph of up to ten vertices
///
/// Searches for one set per vertex such that the Jaccard similarity is at least --edge for joined vertices and at most
/// --not-edge for all others. Without --edge, finds the largest value that works; with --widest, finds the two values
/// that are farthest apart. Every answer is verified in integers: by the sets, or by weights that prove that no sets
/// exist. The sets have the fewest elements, which is proven too; if that takes too long, a proven minimum is printed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph feasibility path.txt --not-edge 2/5 --edge 3/5
  crivo graph feasibility square.txt --not-edge 1/3
  crivo graph feasibility square.txt --widest
Exit codes: 0 feasible, 1 infeasible, 2 error or bad usage.")]
pub(crate) struct Feasibility {
    #[command(flatten)]
    edges: EdgeListArgs,

    /// Maximum similarity of vertices that are not joined, such as 2/5 or 0.4
    #[arg(long, value_name = "X/Y", value_parser = parse_fraction, required_unless_present = "widest")]
    not_edge: Option<Fraction>,

    /// Minimum similarity of joined vertices, such as 3/5 or 0.6
    #[arg(long, value_name = "X/Y", value_parser = parse_fraction, requires = "not_edge")]
    edge: Option<Fraction>,

    /// Find the widest gap between the two
    #[arg(long, conflicts_with_all = ["not_edge", "edge"])]
    widest: bool,

    /// Largest denominator of the fractions in the search
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=200))]
    denominator: u32,

    #[command(flatten)]
    form: FormArgs,
}

/// The memory that the edges of ten vertices may take.
const MAX_INPUT: u64 = 1 << 20;

/// `1/3`, `25%` or `0.4`, which is 4/10 exactly.
fn parse_fraction(text: &str) -> Result<Fraction, String> {
    let of_parts = |x: &str, y: &str| Some((x.trim().parse().ok()?, y.trim().parse().ok()?));
    let fraction = if let Some((x, y)) = text.split_once('/') {
        of_parts(x, y)
    } else if let Some(x) = text.strip_suffix('%') {
        of_parts(x, "100")
    } else {
        text.split_once('.').and_then(|(whole, digits)| {
            let tenths = 10u32.checked_pow(digits.len().try_into().ok()?)?;
            Some((format!("{whole}{digits}").parse().ok()?, tenths))
        })
    };
    fraction.ok_or_else(|| "expected a fraction, for example 1/3, 25% or 0.4".into())
}

/// Whether there are such sets.
#[derive(Debug)]
pub(crate) struct Judged {
    names: Vec<Vec<u8>>,
    not_edge: Fraction,
    edge: Fraction,
    /// What was sought, with denominators up to this one.
    sought: Option<(&'static str, u32)>,
    proof: Proof,
}

/// What shows that the answer is correct.
#[derive(Debug)]
enum Proof {
    Sets(FewestElements),
    Weights(Refutation),
}

impl Verb for Feasibility {
    type Report = Judged;

    fn manner(&self) -> Manner {
        self.form.manner(false)
    }

    fn run(self, session: &Session) -> Result<Judged> {
        let denominator = self.denominator;
        let list = self.edges.open(MAX_INPUT, session)?.read(session)?;
        let (vertices, edges) = (list.vertices(), &list.edges[..]);
        let (not_edge, edge, what, verdict) = match (self.not_edge, self.edge) {
            (Some(not_edge), Some(edge)) => {
                (not_edge, edge, None, feasibility(vertices, edges, not_edge, edge)?)
            }
            (Some(not_edge), None) => {
                let (edge, sizes) = largest_edge(vertices, edges, not_edge, denominator)?;
                (not_edge, edge, Some("the most"), Verdict::Feasible(sizes))
            }
            (None, _) => {
                let (not_edge, edge, sizes) = widest_gap(vertices, edges, denominator)?;
                (not_edge, edge, Some("the widest gap"), Verdict::Feasible(sizes))
            }
        };
        let sought = what.map(|what| (what, denominator));
        let proof = match verdict {
            Verdict::Feasible(sets) => Proof::Sets(fewest_elements(vertices, edges, not_edge, edge, &sets)?),
            Verdict::Infeasible(refutation) => Proof::Weights(refutation),
        };
        Ok(Judged { names: list.names, not_edge, edge, sought, proof })
    }
}

/// Fractions as two numbers, and how many elements are in the sets of just these vertices.
#[derive(Serialize)]
#[serde(tag = "type", rename = "feasibility")]
struct FeasibilityRecord<'a> {
    feasible: bool,
    not_edge: Fraction,
    edge: Fraction,
    /// The number of elements, and a number below which no sets exist.
    elements: Option<u64>,
    at_least: Option<u64>,
    regions: Vec<Region<'a>>,
}

/// Elements that are in the sets of these vertices and in no other.
#[derive(Serialize)]
struct Region<'a> {
    vertices: Vec<Text<'a>>,
    elements: u64,
}

impl Report for Judged {
    fn text(&self, page: &mut Page) {
        let Self { not_edge, edge, .. } = self;
        let asked = format!("not joined {}/{}, joined {}/{}", not_edge.0, not_edge.1, edge.0, edge.1);
        match &self.proof {
            Proof::Sets(fewest) => {
                let sought =
                    self.sought.map(|(what, most)| format!(", {what} with denominators up to {most}"));
                page.line(&format!("feasible: {asked}{}", sought.unwrap_or_default()));
                for (name, text) in self.names.iter().zip(sets(fewest.sets())) {
                    page.line(&format!("{}  {text}", shown(name)));
                }
                let elements = plural(fewest.sets().total(), "element", "elements");
                page.line(&if fewest.is_proven() {
                    format!("{elements}, and no sets have fewer")
                } else {
                    format!("{elements}; no sets have fewer than {}", count(fewest.at_least()))
                });
            }
            Proof::Weights(refutation) => {
                page.line(&format!("infeasible: {asked}"));
                let name = |vertex: u32| shown(&self.names[vertex as usize]);
                let weights: Vec<String> = refutation
                    .pairs()
                    .iter()
                    .map(|((one, other), weight)| format!("{weight} x {}-{}", name(*one), name(*other)))
                    .collect();
                page.line(&format!("the demands cannot hold together: {}", weights.join(" + ")));
            }
        }
    }

    fn records(&self, records: &mut Records) {
        let fewest = match &self.proof {
            Proof::Sets(fewest) => Some(fewest),
            Proof::Weights(_) => None,
        };
        let of_region = |&(region, elements): &(u32, u64)| {
            let inside = (0..).zip(&self.names).filter(|(place, _)| region >> place & 1 == 1);
            Region { vertices: inside.map(|(_, name)| Text::from(&name[..])).collect(), elements }
        };
        records.row(&FeasibilityRecord {
            feasible: self.exit_code() == 0,
            not_edge: self.not_edge,
            edge: self.edge,
            elements: fewest.map(|fewest| fewest.sets().total()),
            at_least: fewest.map(FewestElements::at_least),
            regions: fewest.map_or(&[][..], |fewest| fewest.sets().regions()).iter().map(of_region).collect(),
        });
    }

    fn exit_code(&self) -> u8 {
        u8::from(matches!(self.proof, Proof::Weights(_)))
    }
}

/// Large sets by their sizes alone.
const MOST_ELEMENTS: u64 = 100;

fn sets(sizes: &SetSizes) -> Vec<String> {
    if sizes.total() > MOST_ELEMENTS {
        let size = |vertex: u32| sizes.similarity(vertex, vertex).1;
        let vertices = sizes.regions().iter().fold(0, |all, region| all | region.0).count_ones();
        return (0..vertices)
            .map(|vertex| format!("{} elements of {}", size(vertex), sizes.total()))
            .collect();
    }
    let text = |set: &Vec<u64>| set.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    sizes.sets().iter().map(|set| format!("{{{}}}", text(set))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::tree;
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn small_graphs_are_judged() {
        let k33: String = ["a", "b", "c"]
            .iter()
            .flat_map(|one| ["x", "y", "z"].map(|other| format!("{one},{other}\n")))
            .collect();
        let folder = Folder::with(&[
            ("path", "A B\nB C\n"),
            ("k33.csv", &format!("one,other\n{k33}")),
            ("tree", &tree(12)),
        ]);
        let text = folder.printed::<Feasibility>("@path --not-edge 4/10 --edge 6/10");
        let expected = "feasible: not joined 4/10, joined 6/10
A  {1,3}
B  {1,2,3}
C  {2,3}
3 elements, and no sets have fewer
";
        assert_eq!(text, expected);
        assert_eq!(
            folder.printed::<Feasibility>("@path --not-edge 0.4 --edge 0.60").replace("60/100", "6/10"),
            text
        );
        assert_eq!(parse_fraction("25%"), Ok((25, 100)));
        for wrong in ["4", "x.4", "0.x", "-0.4", "0.12345678901", "1/2/3"] {
            assert!(parse_fraction(wrong).is_err_and(|error| error.contains("1/3, 25% or 0.4")), "{wrong}");
        }
        let no = folder.report::<Feasibility>("@k33.csv --not-edge 2/5 --edge 3/5");
        assert!(matches!(no.proof, Proof::Weights(_)) && no.exit_code() == 1);
        let text = folder.printed::<Feasibility>("@k33.csv --not-edge 2/5 --edge 3/5");
        assert!(text.starts_with("infeasible: "), "{text}");
        let most = folder.report::<Feasibility>("@k33.csv --not-edge 1/3");
        assert_eq!((most.edge, most.sought, most.exit_code()), ((1, 2), Some(("the most", 20)), 0));
        let line = folder.printed::<Feasibility>("@k33.csv --not-edge 1/3 --json");
        let begin = "{\"type\":\"feasibility\",\"feasible\":true,\"not_edge\":[1,3],\"edge\":[1,2],\"elements\":9,\"at_least\":9,\"regions\":[{";
        assert!(line.starts_with(begin), "{line}");
        let widest = folder.report::<Feasibility>("@path --widest --denominator 6");
        assert_eq!(widest.sought, Some(("the widest gap", 6)));
        assert!(folder.error::<Feasibility>("@path --not-edge 4/3 --edge 1/2").contains("4/3"));
        assert!(folder.error::<Feasibility>("@tree --widest").contains("10 vertices"));
    }
}
