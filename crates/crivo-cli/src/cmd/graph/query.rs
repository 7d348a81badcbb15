//! `crivo graph query`: are they joined?

use super::edges::EdgeArgs;
use super::saved::SavedGraph;
use crate::args::{AnswerArgs, KeyArgs, LimitArgs};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo_report::{Page, Records, Report, Text, percent, shown};
use serde::Serialize;
use std::path::PathBuf;

/// Ask whether two vertices are joined, or which of many pairs are
///
/// As with grep, the exit code is 0 if the vertices, or any of the pairs, are joined, 1 if not, and 2 after an error. A
/// negative answer is certain.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph query graph.crv alice bob
  crivo graph query graph.crv --pairs candidates.txt
  crivo graph query graph.crv --pairs candidates.txt --invert    # certainly not joined
  printf 'alice bob\\n' | crivo graph query graph.crv --pairs -")]
pub(crate) struct Query {
    /// The graph file
    graph: PathBuf,

    /// A vertex
    #[arg(value_name = "U", requires = "v", conflicts_with = "pairs")]
    u: Option<String>,

    /// Another vertex
    #[arg(value_name = "V")]
    v: Option<String>,

    /// A file of pairs to query, written like edges; prints the pairs that are probably joined
    #[arg(long, value_name = "FILE")]
    pairs: Vec<PathBuf>,

    #[command(flatten)]
    edges: EdgeArgs,

    /// Print the pairs that are certainly not joined
    #[arg(long, short = 'v', requires = "pairs", conflicts_with = "u")]
    invert: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten)]
    answer: AnswerArgs,
}

/// What the last pair was answered, or whether any was printed.
#[derive(Debug)]
pub(crate) enum Answered {
    One { pair: [String; 2], joined: bool, fpr: f64 },
    Many { any: bool },
}

impl Verb for Query {
    type Report = Answered;

    fn manner(&self) -> Manner {
        self.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Answered> {
        let graph = SavedGraph::load(&self.graph, &self.key.decode_options(self.limit, session)?, session)?;
        if let (Some(u), Some(v)) = (self.u, self.v) {
            let hasher = graph.spec().bytes_hasher();
            let hashes = (hasher.hash(u.as_bytes()), hasher.hash(v.as_bytes()));
            let (joined, fpr) = (graph.has_edges(&[hashes])[0], graph.fpr(hashes).value());
            return Ok(Answered::One { pair: [u, v], joined, fpr });
        }
        if self.pairs.is_empty() {
            bail!("name two vertices, or a file of pairs with --pairs");
        }
        let (edges, wanted) = (self.edges.open(&self.pairs, self.limit, session)?, !self.invert);
        let mut any = false;
        edges.read(graph.spec(), |pairs, names| {
            let answers = graph.has_edges(pairs).into_iter().zip(names).zip(pairs);
            for ((joined, names), &hashes) in answers.filter(|((joined, _), _)| *joined == wanted) {
                any = true;
                session.show(&Pair { graph: &graph, names, hashes, joined })?;
            }
            Ok(())
        })?;
        Ok(Answered::Many { any })
    }
}

/// `fpr` is the false-positive rate for such a pair.
#[derive(Serialize)]
#[serde(tag = "type", rename = "joined")]
struct JoinedRecord<'a> {
    from: Text<'a>,
    to: Text<'a>,
    joined: bool,
    fpr: f64,
}

impl Report for Answered {
    fn text(&self, page: &mut Page) {
        match self {
            Self::One { joined: true, fpr, .. } => {
                let fpr = percent(*fpr);
                page.line(&format!("probably joined; false-positive rate {fpr}"));
            }
            Self::One { .. } => page.line("certainly not joined"),
            Self::Many { .. } => {}
        }
    }

    fn records(&self, records: &mut Records) {
        if let Self::One { pair, joined, fpr } = self {
            let [from, to] = pair.each_ref().map(|name| Text::Utf8(name));
            records.row(&JoinedRecord { from, to, joined: *joined, fpr: *fpr });
        }
    }

    fn exit_code(&self) -> u8 {
        let (Self::One { joined: found, .. } | Self::Many { any: found }) = self;
        u8::from(!found)
    }
}

/// One of many pairs.
struct Pair<'a> {
    graph: &'a SavedGraph,
    names: (&'a [u8], &'a [u8]),
    hashes: (u64, u64),
    joined: bool,
}

impl Report for Pair<'_> {
    fn text(&self, page: &mut Page) {
        page.line(&format!("{}\t{}", shown(self.names.0), shown(self.names.1)));
    }

    fn records(&self, records: &mut Records) {
        let (from, to) = (Text::from(self.names.0), Text::from(self.names.1));
        let fpr = self.graph.fpr(self.hashes).value();
        records.row(&JoinedRecord { from, to, joined: self.joined, fpr });
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::Build;
    use super::super::testing::wheel;
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn questions_about_pairs() {
        let folder = Folder::with(&[("edges", &wheel(50)), ("pairs", "v1 v2\nv1 v3\n")]);
        for kind in ["edge-bloom --fpr 1e-6", "vertex-blooms --bits-per-edge 30"] {
            folder.report::<Build>(&format!("@edges -o @graph.crv --force --kind {kind}"));
            assert!(folder.printed::<Query>("@graph.crv hub v7").starts_with("probably joined"));
            assert_eq!(folder.printed::<Query>("@graph.crv v1 v3"), "certainly not joined\n");
            let codes = ["v7 hub", "v1 v3"]
                .map(|pair| folder.report::<Query>(&format!("@graph.crv {pair}")).exit_code());
            assert_eq!(codes, [0, 1]);
            assert_eq!(folder.printed::<Query>("@graph.crv --pairs @edges"), wheel(50), "no edge is lost");
            let line = folder.printed::<Query>("@graph.crv --pairs @pairs --json");
            assert!(
                line.starts_with(
                    "{\"type\":\"joined\",\"from\":\"v1\",\"to\":\"v2\",\"joined\":true,\"fpr\":"
                ),
                "{line}"
            );
            assert_eq!(line.lines().count(), 1);
            assert_eq!(folder.printed::<Query>("@graph.crv --pairs @pairs --invert"), "v1\tv3\n");
            assert_eq!(folder.report::<Query>("@graph.crv --pairs @edges --invert").exit_code(), 1);
        }
    }

    #[test]
    fn directed_graphs_keep_their_direction() {
        let folder = Folder::with(&[("edges", "a b\nb c\n")]);
        for kind in ["edge-bloom", "vertex-blooms"] {
            let flags = format!("--force --directed --kind {kind} --bits-per-edge 40");
            folder.report::<Build>(&format!("@edges -o @graph.crv {flags}"));
            let codes =
                ["a b", "b a"].map(|pair| folder.report::<Query>(&format!("@graph.crv {pair}")).exit_code());
            assert_eq!(codes, [0, 1], "{kind}");
        }
    }

    #[test]
    fn what_is_no_graph_or_no_pair_is_refused() {
        let folder = Folder::with(&[("edges", "a b\n")]);
        assert!(folder.error::<Query>("@edges a b").contains("edges"));
        folder.report::<Build>("@edges -o @graph.crv");
        assert!(folder.error::<Query>("@graph.crv").contains("--pairs"));
    }
}
