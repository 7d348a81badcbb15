//! `crivo graph labels`: labels that tell alone whether two vertices are joined.

use super::edge_list::{EdgeList, EdgeListArgs};
use super::made::{Made, ask, has_few_pairs};
use crate::args::{FormArgs, HashArgs, LimitArgs, SaveArgs, parse_share};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use crivo::HashSpec;
use crivo::baseline::AdjacencyList;
use crivo::graph::{
    Direction, IntersectionLabels, IntersectionSets, LabelParams, LabelScheme, ParentTree, TreeLabels,
};
use crivo_report::{Align, Page, Records, Report, Table, count, number, percent, plural};
use serde::Serialize;

const SAVE_HELP: &str = "Also save the labels, for programs that use the library";
const SAVE_LONG_HELP: &str = "Also save the labels, for programs that use the library

Names are not kept: vertices are numbered from 0, in the order in which the edges name them first.";

/// Compute vertex labels, two of which determine whether their vertices are joined
///
/// Each line of the input is an edge: two names separated by a tab, a comma or a blank. Lines that begin with # are
/// comments, and the first line of a .csv file is a header. The labels of trees have a fixed size; the labels of other
/// graphs grow with the maximum degree. All edges and many other pairs are tested, and the stated and the measured
/// error rates are printed next to the bits of exact representations. The stated rates are averages over random seeds:
/// the errors of one seed are correlated, so one run may have more.
#[derive(Args, Debug)]
#[command(mut_arg("save", |save| save.help(SAVE_HELP).long_help(SAVE_LONG_HELP)), after_help = "Examples:
  crivo graph labels tree.tsv --false-positives 0.001
  crivo graph labels tree.tsv --sim-hash --seed 7 --json
  crivo graph labels edges.txt --scheme intersection --save edges.crv")]
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
    Tree,
    Intersection,
    Parent,
}

/// What was made and found. Bits are those of a vertex, `near` pairs have a common neighbour, and `other` pairs are all that
/// are no edges, or a million at random. What an exact representation has not is null.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "labels")]
pub(crate) struct Labelled {
    kind: &'static str,
    vertices: u32,
    edges: u64,
    tree: bool,
    slots: Option<u32>,
    bits: Option<u32>,
    threshold: Option<u32>,
    matrix_bits: f64,
    list_bits: f64,
    parent_bits: Option<u32>,
    label_bits: u32,
    fnr: f64,
    missed: u64,
    fpr: f64,
    near_pairs: u64,
    near_wrong: u64,
    other_pairs: u64,
    other_wrong: u64,
    saved: Option<String>,
    #[serde(skip)]
    params: Option<LabelParams>,
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
        let list = edges.read(session)?;
        let vertices = list.vertices();
        let exact = AdjacencyList::freeze(vertices, Direction::Undirected, &list.edges)?;
        let tree = ParentTree::from_edges(vertices, &list.edges);
        let made = self.make(&list, &tree, spec, session)?;
        let found = ask(&made, &exact, spec.fingerprint());
        let (params, (fpr, fnr)) = (made.params(), made.rates());
        Ok(Labelled {
            kind: made.sketch().kind().name(),
            vertices,
            edges: exact.edges(),
            tree: tree.is_ok(),
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

impl Report for Labelled {
    fn text(&self, page: &mut Page) {
        let vertices = plural(self.vertices.into(), "vertex", "vertices");
        let shape = match self.tree {
            true if self.edges + 1 == u64::from(self.vertices) => ": a tree",
            true => ": a forest",
            false => "",
        };
        page.line(&format!("{vertices}, {}{shape}", plural(self.edges, "edge", "edges")));
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        let mut row = |name: &str, bits: String, what: &str| table.push([name.into(), bits, what.into()]);
        row("", "bits per vertex".into(), "");
        row("matrix", number(self.matrix_bits), "exact");
        row("list", number(self.list_bits), "exact");
        if let Some(bits) = self.parent_bits {
            row("parent", count(bits.into()), "exact");
        }
        if let Some(params) = &self.params {
            row("labels", count(self.label_bits.into()), &params.to_string());
        }
        table.print(page);
        let stated = if self.params.is_some() { "stated, on average over seeds" } else { "stated" };
        page.line(&format!(
            "edges missed: {} {stated}; {} found in {}",
            percent(self.fnr),
            share(self.missed, self.edges),
            count(self.edges)
        ));
        let of_all = if has_few_pairs(self.vertices) { "of all" } else { "at random" };
        page.line(&format!(
            "others taken for edges: {} {stated}; {} found in {} with a common neighbour, {} in {} {of_all}",
            percent(self.fpr),
            share(self.near_wrong, self.near_pairs),
            count(self.near_pairs),
            share(self.other_wrong, self.other_pairs),
            count(self.other_pairs)
        ));
        if let Some(name) = &self.saved {
            page.line(&format!("saved to {name}"));
        }
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

fn share(wrong: u64, pairs: u64) -> String {
    percent(if pairs == 0 { 0.0 } else { wrong as f64 / pairs as f64 })
}

impl Labels {
    fn make(
        &self,
        list: &EdgeList,
        tree: &crivo::Result<ParentTree>,
        spec: HashSpec,
        session: &Session,
    ) -> Result<Made> {
        let (vertices, edges) = (list.vertices(), &list.edges);
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
    fn bad_edge_lists_are_named() {
        let folder = Folder::with(&[("bad.txt", "a b\n\nonly-one\n"), ("empty", ""), ("tree", &tree(1000))]);
        let error = folder.error::<Labels>("@bad.txt");
        assert!(error.contains("bad.txt: line 3: ") && error.contains("only-one"), "{error}");
        assert!(folder.error::<Labels>("@absent.txt").contains("absent.txt"));
        assert!(folder.error::<Labels>("@empty").contains("no edges"));
        assert!(folder.error::<Labels>("@tree --max-memory 20KiB").contains("--max-memory"));
    }
}
