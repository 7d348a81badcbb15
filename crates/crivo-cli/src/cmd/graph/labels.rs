//! `crivo graph labels`: labels that tell alone whether two vertices are joined.

use super::edge_list::EdgeListArgs;
use super::labelled::Labelled;
use super::made::{Made, ask};
use super::sides::{between, sides};
use crate::args::{FormArgs, HashArgs, LimitArgs, SaveArgs, parse_share};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use crivo::HashSpec;
use crivo::baseline::AdjacencyList;
use crivo::graph::{
    BipartiteLabels, Direction, Edge, IntersectionLabels, IntersectionSets, IntervalGraph, LabelParams,
    LabelScheme, ParentTree, Sides, TreeLabels, double_cover,
};
use crivo_report::{number, plural};

const SAVE_HELP: &str = "Also save the labels, for programs that use the library";
const SAVE_LONG_HELP: &str = "Also save the labels, for programs that use the library

Names are not kept: vertices are numbered from 0, in the order in which the edges name them first.";

/// Compute vertex labels, two of which determine whether their vertices are joined
///
/// Each line of the input is an edge: two names separated by a tab, a comma or a blank. Lines that begin with # are
/// comments, and the first line of a .csv file is a header. The labels of trees have a fixed size; the labels of other
/// graphs grow with the maximum degree. The scheme two-sided finds out whether a graph is bipartite, split or
/// co-bipartite, so that a bit for the side of each vertex decides the pairs within a side; double-cover makes two sides
/// of any graph. With the scheme interval, each line is a vertex: two numbers, the ends of an interval, and intervals
/// that overlap are joined. All edges and many other pairs are tested, and the stated and the measured
/// error rates are printed next to the bits of exact representations. The stated rates are averages over random seeds:
/// the errors of one seed are correlated, so one run may have more.
#[derive(Args, Debug)]
#[command(mut_arg("save", |save| save.help(SAVE_HELP).long_help(SAVE_LONG_HELP)), after_help = "Examples:
  crivo graph labels tree.tsv --false-positives 0.001
  crivo graph labels tree.tsv --sim-hash --seed 7 --json
  crivo graph labels edges.txt --scheme intersection --save edges.crv
  crivo graph labels ratings.csv --scheme two-sided    # users and films
  crivo graph labels bookings.csv --scheme interval    # from,to")]
pub(crate) struct Labels {
    #[command(flatten)]
    edges: EdgeListArgs,

    /// The labelling scheme; auto uses tree for trees and intersection for other graphs
    #[arg(long, value_enum, default_value_t = Scheme::Auto)]
    scheme: Scheme,

    /// Maximum false-positive rate: the share of other pairs that are taken for edges, on average over random seeds
    #[arg(long, value_name = "P", value_parser = parse_share, default_value = "0.01")]
    false_positives: f64,

    /// Maximum false-negative rate: the share of edges that are missed, on average over random seeds
    #[arg(long, value_name = "P", value_parser = parse_share, default_value = "0.01")]
    false_negatives: f64,

    /// Keep signs along random directions (SimHash) instead of bits of minimum hashes
    #[arg(long)]
    sim_hash: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    hash: HashArgs,

    #[command(flatten)]
    save: SaveArgs,

    #[command(flatten)]
    form: FormArgs,

    /// Suppress warnings
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scheme {
    Auto,
    /// Sets by the path to the root; trees only
    Tree,
    /// Sets of the edges at each vertex; any graph
    Intersection,
    /// The parent of each vertex; trees only, exact
    Parent,
    /// The ends of each interval, exact
    Interval,
    /// A bit for the side, and sets for the edges between both sides
    TwoSided,
    /// Two labels for each vertex, one on each side; any graph
    DoubleCover,
}

impl Verb for Labels {
    type Report = Labelled;

    fn manner(&self) -> Manner {
        self.form.manner(self.quiet)
    }

    fn run(self, session: &Session) -> Result<Labelled> {
        let target = self.save.target(session)?;
        let edges = self.edges.open(self.limit.max_memory, session)?;
        let spec = self.hash.spec(session)?;
        let (list, intervals) = if self.scheme == Scheme::Interval {
            self.intervals(edges.read_intervals(session)?)?
        } else {
            let list = edges.read(session)?;
            (Graph { vertices: list.vertices(), edges: list.edges }, None)
        };
        let vertices = list.vertices;
        let exact = AdjacencyList::freeze(vertices, Direction::Undirected, &list.edges)?;
        let tree = ParentTree::from_edges(vertices, &list.edges);
        let made = match intervals {
            Some(graph) => Made::Interval(graph),
            None => self.make(&list, &exact, &tree, spec, session)?,
        };
        let found = ask(&made, &exact, spec.fingerprint());
        let (params, (fpr, fnr)) = (made.params(), made.rates());
        Ok(Labelled {
            kind: made.sketch().kind().name(),
            vertices,
            edges: exact.edges(),
            tree: tree.is_ok(),
            sides: made.sides().map(Sides::name),
            slots: params.as_ref().map(LabelParams::slots),
            bits: params.as_ref().map(LabelParams::bits),
            threshold: params.as_ref().map(LabelParams::threshold),
            matrix_bits: matrix_bits(vertices),
            list_bits: exact.bits_per_vertex(),
            parent_bits: tree.ok().as_ref().map(ParentTree::bits_per_vertex),
            label_bits: made.bits_per_vertex(),
            fnr,
            missed: found.missed,
            fpr,
            near_pairs: found.near.pairs,
            near_wrong: found.near.wrong,
            other_pairs: found.others.pairs,
            other_wrong: found.others.wrong,
            saved: session.save(target.as_ref(), || made.sketch().to_bytes()),
            params,
        })
    }
}

/// The graph to represent.
struct Graph {
    vertices: u32,
    edges: Vec<Edge>,
}

impl Labels {
    /// The graph of intervals that overlap.
    fn intervals(&self, intervals: Vec<(f64, f64)>) -> Result<(Graph, Option<IntervalGraph>)> {
        self.check_signs("interval")?;
        let graph = IntervalGraph::freeze(&intervals)?;
        self.limit.check(graph.edges() * size_of::<Edge>() as u64)?;
        let mut sorted: Vec<(u32, (f64, f64))> = (0..).zip(intervals).collect();
        sorted.sort_unstable_by(|(_, one), (_, other)| one.0.total_cmp(&other.0));
        let mut edges = Vec::new();
        for (place, &(one, (_, end))) in sorted.iter().enumerate() {
            let overlapping = sorted[place + 1..].iter().take_while(|(_, (begin, _))| *begin <= end);
            edges.extend(overlapping.map(|&(other, _)| (one, other)));
        }
        Ok((Graph { vertices: sorted.len() as u32, edges }, Some(graph)))
    }

    fn check_signs(&self, scheme: &str) -> Result<()> {
        if self.sim_hash {
            bail!("--sim-hash is for the schemes tree and intersection, not for {scheme}; leave it out");
        }
        Ok(())
    }

    fn make(
        &self,
        list: &Graph,
        exact: &AdjacencyList,
        tree: &crivo::Result<ParentTree>,
        spec: HashSpec,
        session: &Session,
    ) -> Result<Made> {
        let (vertices, edges) = (list.vertices, &list.edges);
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
            if bytes >= LARGE && f64::from(params.bits_per_vertex()) > matrix_bits(vertices) {
                session.remark(&format!(
                    "labels of {} per vertex are longer than the {} of the exact matrix, and take long to make",
                    plural(params.bits_per_vertex().into(), "bit", "bits"),
                    number(matrix_bits(vertices))
                ));
            }
            anyhow::Ok(())
        };
        let of_sides = |class: Sides, sides: &[bool], edges: &[Edge]| {
            let params = BipartiteLabels::params_for(sides, edges, fpr, fnr)?;
            check(&params)?;
            Ok::<_, anyhow::Error>(BipartiteLabels::freeze(class, sides, edges, params, spec)?)
        };
        Ok(match scheme {
            Scheme::TwoSided => {
                self.check_signs("two-sided")?;
                let (class, sides) = sides(exact).context(
                    "--scheme two-sided: the graph is neither bipartite nor split nor co-bipartite; use --scheme \
                     double-cover, which makes two sides of any graph",
                )?;
                Made::TwoSided(of_sides(class, &sides, &between(exact, &sides))?)
            }
            Scheme::DoubleCover => {
                self.check_signs("double-cover")?;
                let (sides, edges) = double_cover(vertices, edges)?;
                Made::DoubleCover(of_sides(Sides::Bipartite, &sides, &edges)?, vertices)
            }
            Scheme::Parent => Made::Parent(tree.clone().context("--scheme parent")?),
            Scheme::Tree => {
                let params = TreeLabels::params_for(signs, fpr, fnr)?;
                check(&params)?;
                Made::Tree(TreeLabels::freeze(vertices, edges, params, spec).context("--scheme tree")?)
            }
            Scheme::Intersection | Scheme::Auto | Scheme::Interval => {
                // Nothing in common without an edge makes the smallest labels.
                let sets = IntersectionSets::for_graph(vertices, edges, (0, 1))?;
                let params = sets.params_for(signs, fpr, fnr)?;
                check(&params)?;
                Made::Intersection(IntersectionLabels::freeze(vertices, edges, sets, params, spec)?)
            }
        })
    }
}

/// The bytes of labels that are not made at once.
const LARGE: u64 = 1 << 23;

/// The bits per vertex of the matrix of half the pairs.
fn matrix_bits(vertices: u32) -> f64 {
    f64::from(vertices) / 2.0 + 0.5
}

#[cfg(test)]
mod tests {
    use super::super::testing::tree;
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn a_tree_gets_labels_that_keep_their_rates() {
        let folder = Folder::with(&[("tree.tsv", &format!("# child, parent\n{}", tree(1000)))]);
        let text = folder.printed::<Labels>("@tree.tsv --save @tree.crv");
        let parts = ["matrix", "list", "parent", "646", "saved to ", "on average over seeds"];
        for part in ["1,000 vertices, 999 edges: a tree"].iter().chain(&parts) {
            assert!(text.contains(part), "{part}: {text}");
        }
        let found = folder.report::<Labels>("@tree.tsv");
        assert_eq!((found.kind, found.slots, found.threshold), ("tree-labels", Some(646), Some(459)));
        assert_eq!((found.tree, found.parent_bits, found.matrix_bits), (true, Some(10), 500.5));
        // Errors of one seed hang together: ten times the rate would be wrong, though.
        assert!(found.missed * 10 < found.edges, "{found:?}");
        assert!(found.near_wrong * 10 < found.near_pairs && found.near_pairs > 1500, "{found:?}");
        assert!(found.other_wrong * 100 < found.other_pairs, "{found:?}");
        assert_eq!(found.other_pairs, 1000 * 999 / 2 - 999);
    }

    #[test]
    fn schemes_seeds_and_rates_can_be_chosen() {
        let folder = Folder::with(&[("tree", &tree(100)), ("cycle", "a b\nb c\nc a\na a\n")]);
        let found = |flags: &str| folder.report::<Labels>(&format!("@tree {flags}"));
        assert_eq!(found("--sim-hash").label_bits, 646);
        assert_eq!(found("--false-positives 0.1 --false-negatives 0.1").label_bits, 198);
        let parent = found("--scheme parent");
        assert_eq!((parent.kind, parent.missed, parent.slots), ("parent-tree", 0, None));
        assert_eq!(found("--scheme intersection").kind, "intersection-labels");
        let saved = ["", "--seed 7", "--seed 7"].map(|seed| {
            found(&format!("--save @labels.crv --force {seed}"));
            folder.read("labels.crv")
        });
        assert!(saved[0] != saved[1] && saved[1] == saved[2]);
        // A cycle is no tree.
        let (cycle, recorded) = folder.run::<Labels>("@cycle").unwrap();
        assert_eq!((cycle.kind, cycle.edges, cycle.tree), ("intersection-labels", 3, false));
        assert_eq!(recorded.remarks(), ["1 edge from a vertex to itself left out"]);
        for scheme in ["tree", "parent"] {
            let error = folder.error::<Labels>(&format!("@cycle --scheme {scheme}"));
            assert!(error.contains("cycle"), "{error}");
        }
    }

    #[test]
    fn intervals_and_sides_are_schemes() {
        let ratings: String = (0..300).map(|i| format!("user{} film{}\n", i % 40, i * 7 % 50)).collect();
        let bookings: String =
            (0..60).map(|i| format!("{},{}\n", i * 13 % 60, i * 13 % 60 + i % 5)).collect();
        let split = "a b\nb c\nc a\na x\nb y\n";
        let folder = Folder::with(&[
            ("ratings", &ratings),
            ("bookings", &bookings),
            ("split", split),
            ("odd", "a b\nb c\nc d\nd e\ne a\n"),
        ]);
        let found = |line: &str| folder.report::<Labels>(line);
        let all_are_right = |found: &Labelled| found.missed + found.near_wrong + found.other_wrong == 0;
        let interval = found("@bookings --scheme interval");
        assert_eq!((interval.kind, interval.vertices, interval.label_bits), ("interval-graph", 60, 14));
        assert!(interval.edges > 100 && all_are_right(&interval), "{interval:?}");
        let rates = "--false-positives 1e-6 --false-negatives 1e-6";
        let films = found(&format!("@ratings --scheme two-sided {rates}"));
        assert_eq!((films.kind, films.sides), ("bipartite-labels", Some("bipartite")));
        assert!(all_are_right(&films), "2,000 pairs at 10⁻⁶ each: {films:?}");
        let split = found(&format!("@split --scheme two-sided {rates}"));
        assert_eq!((split.sides, all_are_right(&split)), (Some("split"), true));
        let cover = found(&format!("@odd --scheme double-cover {rates}"));
        assert_eq!((cover.sides, cover.vertices, all_are_right(&cover)), (Some("bipartite"), 5, true));
        for (line, expected) in [
            ("@odd --scheme two-sided", "--scheme double-cover"),
            ("@odd --scheme interval", "line 1: expected the ends of an interval, found 'a'"),
            ("@ratings --scheme two-sided --sim-hash", "leave it out"),
        ] {
            let error = folder.error::<Labels>(line);
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn bad_edge_lists_are_named() {
        let folder = Folder::with(&[("bad.txt", "a b\n\nonly-one\n"), ("empty", ""), ("tree", &tree(1000))]);
        let error = folder.error::<Labels>("@bad.txt");
        assert!(error.contains("bad.txt: line 3: ") && error.contains("only-one"), "{error}");
        assert!(folder.error::<Labels>("@absent.txt").contains("absent.txt"));
        assert!(folder.error::<Labels>("@empty").contains("no edges"));
        assert!(folder.error::<Labels>("@tree --max-memory 20KiB").contains("--max-memory"));
    }
}
