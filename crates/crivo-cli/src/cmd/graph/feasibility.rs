//! `crivo graph feasibility`: which similarities can tell a small graph?

use super::edge_list::EdgeList;
use crate::output::{Answer, Output, SetJson, Text, shown};
use crate::session::Session;
use anyhow::Result;
use clap::Args;
use crivo::graph::{Fraction, SetSizes, Verdict, feasibility, largest_edge, widest_gap};
use std::path::PathBuf;
use std::process::ExitCode;

/// Whether a graph of ten vertices or fewer can be told by how alike sets are
///
/// Asks whether each vertex can have a set such that the share of common elements is --edge or more for vertices that
/// are joined, and --not-edge or less for others. Without --edge the largest that works is sought, and with --widest
/// the two that lie farthest apart. Every answer is checked in whole numbers: by sets, or by weights that prove that
/// there are none.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph feasibility path.txt --not-edge 2/5 --edge 3/5
  crivo graph feasibility square.txt --not-edge 1/3
  crivo graph feasibility square.txt --widest
Exit codes: 0 feasible, 1 infeasible, 2 error or bad usage.")]
pub(crate) struct Feasibility {
    /// Edge lists, gzip and zstd too; standard input if none is named, or for -
    #[arg(value_name = "EDGES")]
    files: Vec<PathBuf>,

    /// The first line of a .csv file is an edge, not names
    #[arg(long, help_heading = "Input")]
    no_header: bool,

    /// The most that vertices may be alike that are not joined, as a fraction
    #[arg(long, value_name = "X/Y", value_parser = parse_fraction, required_unless_present = "widest")]
    not_edge: Option<Fraction>,

    /// The least that vertices must be alike that are joined, as a fraction
    #[arg(long, value_name = "X/Y", value_parser = parse_fraction, requires = "not_edge")]
    edge: Option<Fraction>,

    /// Seek the widest gap between the two
    #[arg(long, conflicts_with_all = ["not_edge", "edge"])]
    widest: bool,

    /// The largest denominator of fractions that are sought
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=200))]
    denominator: u32,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The memory that the edges of ten vertices may take.
const MAX_INPUT: u64 = 1 << 20;

fn parse_fraction(text: &str) -> Result<Fraction, String> {
    let fraction =
        text.split_once('/').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    fraction.ok_or_else(|| "expected a fraction, for example 1/3".into())
}

impl Feasibility {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        let list = EdgeList::read(&self.files, self.no_header, MAX_INPUT, false, session)?;
        let (vertices, edges) = (list.vertices(), &list.edges[..]);
        let mut output = Output::new();
        let verdict = match (self.not_edge, self.edge) {
            (Some(not_edge), Some(edge)) => (not_edge, edge, feasibility(vertices, edges, not_edge, edge)?),
            (Some(not_edge), None) => {
                let (edge, sizes) = largest_edge(vertices, edges, not_edge, self.denominator)?;
                (not_edge, edge, Verdict::Feasible(sizes))
            }
            (None, _) => {
                let (not_edge, edge, sizes) = widest_gap(vertices, edges, self.denominator)?;
                (not_edge, edge, Verdict::Feasible(sizes))
            }
        };
        let is_feasible = matches!(verdict.2, Verdict::Feasible(_));
        if self.json {
            output.json(&answer(&list, &verdict))?;
        } else {
            self.print(&mut output, &list, &verdict)?;
        }
        output.flush()?;
        Ok(if is_feasible { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    fn print(
        &self,
        output: &mut Output,
        list: &EdgeList,
        (not_edge, edge, verdict): &(Fraction, Fraction, Verdict),
    ) -> Result<()> {
        let name = |vertex: u32| shown(&list.names[vertex as usize]);
        let asked = format!("not joined {}/{}, joined {}/{}", not_edge.0, not_edge.1, edge.0, edge.1);
        match verdict {
            Verdict::Feasible(sizes) => {
                let sought = if self.edge.is_some() {
                    String::new()
                } else {
                    let what = if self.widest { "the widest gap" } else { "the most" };
                    format!(", {what} with denominators up to {}", self.denominator)
                };
                output.line(&format!("feasible: {asked}{sought}"))?;
                for (vertex, text) in (0..).zip(sets(sizes)) {
                    output.line(&format!("{}  {text}", name(vertex)))?;
                }
            }
            Verdict::Infeasible(refutation) => {
                output.line(&format!("infeasible: {asked}"))?;
                let weights: Vec<String> = refutation
                    .pairs()
                    .iter()
                    .map(|((one, other), weight)| format!("{weight} x {}-{}", name(*one), name(*other)))
                    .collect();
                output.line(&format!("the demands cannot hold together: {}", weights.join(" + ")))?;
            }
        }
        Ok(())
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

fn answer<'a>(list: &'a EdgeList, (not_edge, edge, verdict): &(Fraction, Fraction, Verdict)) -> Answer<'a> {
    let regions = match verdict {
        Verdict::Feasible(sizes) => sizes.regions(),
        Verdict::Infeasible(_) => &[],
    };
    let of_region = |&(region, elements): &(u32, u64)| SetJson {
        vertices: (0..)
            .zip(&list.names)
            .filter(|(place, _)| region >> place & 1 == 1)
            .map(|(_, name)| Text::from(name.as_slice()))
            .collect(),
        elements,
    };
    Answer::Feasibility {
        feasible: matches!(verdict, Verdict::Feasible(_)),
        not_edge: [not_edge.0, not_edge.1],
        edge: [edge.0, edge.1],
        regions: regions.iter().map(of_region).collect(),
    }
}
