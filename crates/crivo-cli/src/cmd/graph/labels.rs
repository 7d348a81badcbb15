//! `crivo graph labels`: labels that tell alone whether two vertices are joined.

use super::edge_list::EdgeList;
use crate::args::{HashArgs, LimitArgs, SaveArgs, parse_share};
use crate::output::{Align, Answer, Output, Table, count, number, percent, plural, remark, save_and_print};
use crate::session::Session;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use crivo::baseline::AdjacencyList;
use crivo::graph::{
    Direction, Edge, IntersectionLabels, IntersectionSets, LabelParams, LabelScheme, ParentTree, TreeLabels,
};
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use std::path::PathBuf;
use std::process::ExitCode;

const SAVE_HELP: &str = "Save the labels too, for programs that use the library";
const SAVE_LONG_HELP: &str = "Save the labels too, for programs that use the library

Names are not kept: vertices have numbers from 0, in the order in which the edges name them first.";

/// Labels of the vertices of a graph, two of which tell whether their vertices are joined
///
/// A line of the input is an edge: two names with a tab, a comma or a blank between them; lines that begin with # are
/// comments, and the first line of a .csv file names columns. Trees have labels of a fixed size. Those of other graphs grow with the greatest degree. The labels are
/// made, all edges and many other pairs are asked, and what was stated and what was found is printed, beside the bits
/// that exact representations take. What is stated holds on average over seeds: the errors of one seed come together,
/// so that what is found with one may be more.
#[derive(Args, Debug)]
#[command(mut_arg("save", |save| save.help(SAVE_HELP).long_help(SAVE_LONG_HELP)), after_help = "Examples:
  crivo graph labels tree.tsv --false-positives 0.001
  crivo graph labels tree.tsv --sim-hash --seed 7 --json
  crivo graph labels edges.txt --scheme intersection --save edges.crv")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Labels {
    /// Edge lists, gzip and zstd too; standard input if none is named, or for -
    #[arg(value_name = "EDGES")]
    files: Vec<PathBuf>,

    /// The first line of a .csv file is an edge, not names
    #[arg(long, help_heading = "Input")]
    no_header: bool,

    /// What labels are made of; auto takes tree for a tree, and intersection for all else
    #[arg(long, value_enum, default_value_t = Scheme::Auto)]
    scheme: Scheme,

    /// The most pairs that are no edges, but taken for some, as a share, on average over seeds
    #[arg(long, value_name = "P", value_parser = parse_share, default_value = "0.01")]
    false_positives: f64,

    /// The most edges that are missed, as a share, on average over seeds
    #[arg(long, value_name = "P", value_parser = parse_share, default_value = "0.01")]
    false_negatives: f64,

    /// Keep signs along random directions, not bits of smallest values
    #[arg(long)]
    sim_hash: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    /// One JSON object instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scheme {
    Auto,
    Tree,
    Intersection,
    Parent,
}

/// What was made.
enum Made {
    Tree(TreeLabels),
    Intersection(IntersectionLabels),
    Parent(ParentTree),
}

impl Made {
    fn has_edge(&self, (one, other): Edge) -> bool {
        let answer = match self {
            Self::Tree(labels) => labels.has_edge(one, other),
            Self::Intersection(labels) => labels.has_edge(one, other),
            Self::Parent(tree) => tree.has_edge(one, other),
        };
        answer.expect("all vertices are known")
    }

    /// The rates of false positives and of false negatives that it states.
    fn rates(&self) -> (f64, f64) {
        match self {
            Self::Tree(labels) => (labels.fpr(), labels.fnr()),
            Self::Intersection(labels) => (labels.fpr(), labels.fnr()),
            Self::Parent(_) => (0.0, 0.0),
        }
    }

    fn bits_per_vertex(&self) -> u32 {
        match self {
            Self::Tree(labels) => labels.bits_per_vertex(),
            Self::Intersection(labels) => labels.bits_per_vertex(),
            Self::Parent(tree) => tree.bits_per_vertex(),
        }
    }

    fn params(&self) -> Option<LabelParams> {
        match self {
            Self::Tree(labels) => Some(labels.params()),
            Self::Intersection(labels) => Some(labels.params()),
            Self::Parent(_) => None,
        }
    }

    fn sketch(&self) -> &dyn Sketch {
        match self {
            Self::Tree(labels) => labels,
            Self::Intersection(labels) => labels,
            Self::Parent(tree) => tree,
        }
    }
}

/// How many pairs were asked, and how many answers were wrong.
#[derive(Clone, Copy, Default)]
struct Asked {
    pairs: u64,
    wrong: u64,
}

impl Asked {
    fn push(&mut self, is_wrong: bool) {
        self.pairs += 1;
        self.wrong += u64::from(is_wrong);
    }

    fn share(self) -> f64 {
        if self.pairs == 0 { 0.0 } else { self.wrong as f64 / self.pairs as f64 }
    }
}

/// What was found by asking.
struct Found {
    edges: Asked,
    /// Pairs with a common neighbour that are no edges: in a tree those that err the most.
    near: Asked,
    /// All pairs that are no edges, or some at random where there are many.
    others: Asked,
}

/// So many pairs of each sort are asked at most.
const MOST_PAIRS: u64 = 1_000_000;

/// The bytes of labels that are not made at once.
const LARGE: u64 = 1 << 23;

impl Labels {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let target = self.save.target(session)?;
        let list = EdgeList::read(&self.files, self.no_header, self.limit.max_memory, self.quiet, session)?;
        let vertices = list.vertices();
        let exact = AdjacencyList::freeze(vertices, Direction::Undirected, &list.edges)?;
        let tree = ParentTree::from_edges(vertices, &list.edges);
        let made = self.make(&list, &tree, session)?;
        let found = ask(&made, &exact, self.hash.spec(session)?.fingerprint());
        let tree = tree.ok();
        save_and_print(
            target.as_ref(),
            || made.sketch().to_bytes(),
            |output, saved| {
                if self.json {
                    return output.json(&answer(&made, &exact, tree.as_ref(), &found, saved));
                }
                print(output, &made, &exact, tree.as_ref(), &found)?;
                saved.map_or(Ok(()), |name| output.line(&format!("saved to {name}")))
            },
            session,
        )?;
        Ok(ExitCode::SUCCESS)
    }

    fn make(&self, list: &EdgeList, tree: &crivo::Result<ParentTree>, session: &Session) -> Result<Made> {
        let (vertices, edges, spec) = (list.vertices(), &list.edges, self.hash.spec(session)?);
        let (fpr, fnr) = (self.false_positives, self.false_negatives);
        let signs = if self.sim_hash { LabelScheme::SimHash } else { LabelScheme::MinHash };
        let scheme = match (self.scheme, tree) {
            (Scheme::Auto, Ok(_)) => Scheme::Tree,
            (Scheme::Auto, Err(_)) => Scheme::Intersection,
            (scheme, _) => scheme,
        };
        let check = |params: &LabelParams| {
            let bytes = u64::from(vertices) * u64::from(params.bits_per_vertex()).div_ceil(64) * 8;
            self.limit.check(bytes)?;
            if bytes >= LARGE && f64::from(params.bits_per_vertex()) > matrix_bits(vertices) && !self.quiet {
                remark(&format!(
                    "labels of {} a vertex are longer than the {} of the exact matrix, and take long to make",
                    plural(params.bits_per_vertex().into(), "bit", "bits"),
                    number(matrix_bits(vertices))
                ));
            }
            anyhow::Ok(())
        };
        Ok(match scheme {
            Scheme::Parent => Made::Parent(tree.clone().context("--scheme parent")?),
            Scheme::Tree => {
                let params = TreeLabels::params_for(signs, fpr, fnr)?;
                check(&params)?;
                Made::Tree(TreeLabels::freeze(vertices, edges, params, spec).context("--scheme tree")?)
            }
            Scheme::Intersection | Scheme::Auto => {
                // Nothing in common without an edge makes the smallest labels.
                let sets = IntersectionSets::for_graph(vertices, edges, (0, 1))?;
                let params = sets.params_for(signs, fpr, fnr)?;
                check(&params)?;
                Made::Intersection(IntersectionLabels::freeze(vertices, edges, sets, params, spec)?)
            }
        })
    }
}

/// All edges, pairs with a common neighbour, and pairs at random, as the seed draws them.
fn ask(made: &Made, exact: &AdjacencyList, seed: u64) -> Found {
    let vertices = exact.vertices();
    let neighbours = |vertex: u32| exact.neighbours(vertex).expect("all vertices are known");
    let is_edge = |(one, other): Edge| exact.has_edge(one, other).expect("all vertices are known");
    let mut found = Found { edges: Asked::default(), near: Asked::default(), others: Asked::default() };
    for one in 0..vertices {
        for other in neighbours(one).filter(|&other| one < other) {
            found.edges.push(!made.has_edge((one, other)));
        }
    }
    'all: for middle in 0..vertices {
        let around: Vec<u32> = neighbours(middle).collect();
        for (place, &one) in around.iter().enumerate() {
            for &other in &around[..place] {
                if found.near.pairs == MOST_PAIRS {
                    break 'all;
                }
                if !is_edge((one, other)) {
                    found.near.push(made.has_edge((one, other)));
                }
            }
        }
    }
    let mut ask = |pair: Edge| {
        if pair.0 != pair.1 && !is_edge(pair) {
            found.others.push(made.has_edge(pair));
        }
    };
    if has_few_pairs(vertices) {
        (0..vertices).for_each(|one| (0..one).for_each(|other| ask((one, other))));
    } else {
        let mut rng = Rng::new(seed);
        let mut draw = || rng.below(vertices.into()) as u32;
        (0..MOST_PAIRS).for_each(|_| ask((draw(), draw())));
    }
    found
}

/// Whether all pairs can be asked.
fn has_few_pairs(vertices: u32) -> bool {
    u64::from(vertices) * u64::from(vertices) <= 2 * MOST_PAIRS
}

/// Bits a vertex of the matrix of half the pairs.
fn matrix_bits(vertices: u32) -> f64 {
    f64::from(vertices) / 2.0 + 0.5
}

fn answer<'a>(
    made: &Made,
    exact: &AdjacencyList,
    tree: Option<&ParentTree>,
    found: &Found,
    saved: Option<String>,
) -> Answer<'a> {
    let (fpr, fnr) = made.rates();
    let params = made.params();
    Answer::Labels {
        kind: made.sketch().kind().name(),
        vertices: exact.vertices(),
        edges: exact.edges(),
        tree: tree.is_some(),
        slots: params.as_ref().map(LabelParams::slots),
        bits: params.as_ref().map(LabelParams::bits),
        threshold: params.as_ref().map(LabelParams::threshold),
        matrix_bits: matrix_bits(exact.vertices()),
        list_bits: exact.bits_per_vertex(),
        parent_bits: tree.map(ParentTree::bits_per_vertex),
        label_bits: made.bits_per_vertex(),
        fnr,
        missed: found.edges.wrong,
        fpr,
        near_pairs: found.near.pairs,
        near_wrong: found.near.wrong,
        other_pairs: found.others.pairs,
        other_wrong: found.others.wrong,
        saved,
    }
}

fn print(
    output: &mut Output,
    made: &Made,
    exact: &AdjacencyList,
    tree: Option<&ParentTree>,
    found: &Found,
) -> Result<()> {
    let (vertices, edges) = (u64::from(exact.vertices()), exact.edges());
    let shape = match tree {
        Some(_) if edges + 1 == vertices => ": a tree",
        Some(_) => ": a forest",
        None => "",
    };
    output.line(&format!(
        "{}, {}{shape}",
        plural(vertices, "vertex", "vertices"),
        plural(edges, "edge", "edges")
    ))?;
    let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
    let mut row = |name: &str, bits: String, what: &str| table.push([name.into(), bits, what.into()]);
    row("", "bits a vertex".into(), "");
    row("matrix", number(matrix_bits(exact.vertices())), "exact");
    row("list", number(exact.bits_per_vertex()), "exact");
    if let Some(tree) = tree {
        row("parent", count(tree.bits_per_vertex().into()), "exact");
    }
    if let Some(params) = made.params() {
        row("labels", count(made.bits_per_vertex().into()), &params.to_string());
    }
    output.page(0, |page| table.print(page))?;
    let (fpr, fnr) = made.rates();
    let stated = if made.params().is_some() { "stated, on average over seeds" } else { "stated" };
    output.line(&format!(
        "edges missed: {} {stated}; {} found in {}",
        percent(fnr),
        percent(found.edges.share()),
        count(found.edges.pairs)
    ))?;
    let of_all = if has_few_pairs(exact.vertices()) { "of all" } else { "at random" };
    output.line(&format!(
        "others taken for edges: {} {stated}; {} found in {} with a common neighbour, {} in {} {of_all}",
        percent(fpr),
        percent(found.near.share()),
        count(found.near.pairs),
        percent(found.others.share()),
        count(found.others.pairs)
    ))
}
