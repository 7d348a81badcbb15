//! `crivo graph query`: are they joined?

use super::edges::EdgeArgs;
use super::saved::SavedGraph;
use crate::args::{KeyArgs, LimitArgs};
use crate::output::{Answer, Output, Text, percent, shown};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Whether two vertices are joined, or which of many pairs are
///
/// As with grep, the exit code is 0 if they are, or if any of the pairs is, 1 if not, and 2 after an error. A no is
/// certain.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo graph query graph.crv alice bob
  crivo graph query graph.crv --pairs candidates.txt
  crivo graph query graph.crv --pairs candidates.txt --invert    # certainly not joined
  printf 'alice bob\\n' | crivo graph query graph.crv --pairs -")]
pub(crate) struct Query {
    /// The graph
    graph: PathBuf,

    /// A vertex
    #[arg(value_name = "U", requires = "v", conflicts_with = "pairs")]
    u: Option<String>,

    /// Another one
    #[arg(value_name = "V")]
    v: Option<String>,

    /// Pairs to ask for, written as edges are; those that seem joined are printed
    #[arg(long, value_name = "FILE")]
    pairs: Vec<PathBuf>,

    #[command(flatten)]
    edges: EdgeArgs,

    /// Print the pairs that are certainly not joined
    #[arg(long, short = 'i', requires = "pairs", conflicts_with = "u")]
    invert: bool,

    #[command(flatten)]
    limit: LimitArgs,

    #[command(flatten)]
    key: KeyArgs,

    /// One JSON object a line instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Query {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let graph = SavedGraph::load(&self.graph, &self.key.decode_options(&self.limit, session)?, session)?;
        let mut output = Output::new();
        let found = match (&self.u, &self.v) {
            (Some(u), Some(v)) => self.ask_one(&graph, (u.as_bytes(), v.as_bytes()), &mut output)?,
            _ if self.pairs.is_empty() => bail!("name two vertices, or a file of pairs with --pairs"),
            _ => self.ask_many(&graph, &mut output, session)?,
        };
        output.flush()?;
        Ok(if found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn ask_one(&self, graph: &SavedGraph, (u, v): (&[u8], &[u8]), output: &mut Output) -> Result<bool> {
        let hasher = graph.spec().bytes_hasher();
        let pair = (hasher.hash(u), hasher.hash(v));
        let joined = graph.has_edges(&[pair])[0];
        let fpr = graph.fpr(pair).value();
        if self.json {
            output.json(&Answer::Joined { from: Text::from(u), to: Text::from(v), joined, fpr })?;
        } else if joined {
            output
                .line(&format!("probably joined; such a yes is wrong for {} of other pairs", percent(fpr)))?;
        } else {
            output.line("certainly not joined")?;
        }
        Ok(joined)
    }

    fn ask_many(&self, graph: &SavedGraph, output: &mut Output, session: &Session) -> Result<bool> {
        let mut any = false;
        self.edges.read(
            &self.pairs,
            graph.spec(),
            &self.limit,
            self.quiet,
            |pairs, names| {
                for ((joined, (from, to)), &pair) in graph.has_edges(pairs).into_iter().zip(names).zip(pairs)
                {
                    if joined == self.invert {
                        continue;
                    }
                    any = true;
                    if self.json {
                        let fpr = graph.fpr(pair).value();
                        output.json(&Answer::Joined {
                            from: Text::from(from),
                            to: Text::from(to),
                            joined,
                            fpr,
                        })?;
                    } else {
                        output.line(&format!("{}\t{}", shown(from), shown(to)))?;
                    }
                }
                Ok(())
            },
            session,
        )?;
        Ok(any)
    }
}
