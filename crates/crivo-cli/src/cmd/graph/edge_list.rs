//! Whole edge lists, whose vertices get numbers in the order in which they come.

use super::edges::{self, Line, has_header};
use crate::input::Source;
use crate::session::Session;
use anyhow::{Context, Result, bail};
use clap::Args;
use crivo::Number;
use crivo::graph::Edge;
use crivo_report::{plural, shown};
use std::collections::HashMap;
use std::path::PathBuf;

/// Where the edges are.
#[derive(Args, Debug)]
pub(super) struct EdgeListArgs {
    /// Edge lists, plain, gzip or zstd; standard input by default or for -
    #[arg(value_name = "EDGES")]
    files: Vec<PathBuf>,

    /// Treat the first line of a .csv file as an edge, not as a header
    #[arg(long, help_heading = "Input")]
    no_header: bool,
}

impl EdgeListArgs {
    /// Opens the files, each of which may take this much memory.
    pub(super) fn open(&self, max_memory: u64, session: &Session) -> Result<EdgeFiles> {
        let stdin = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &stdin[..] } else { &self.files };
        let source = |path: &PathBuf| Ok((session.line_source(path)?, has_header(path, self.no_header)));
        Ok(EdgeFiles { sources: files.iter().map(source).collect::<Result<_>>()?, max_memory })
    }
}

/// Edge lists to read.
pub(super) struct EdgeFiles {
    /// With whether the first line is a header.
    sources: Vec<(Source, bool)>,
    max_memory: u64,
}

/// The edges of some files, by the numbers of their ends.
#[derive(Default)]
pub(super) struct EdgeList {
    pub(super) names: Vec<Vec<u8>>,
    pub(super) edges: Vec<Edge>,
    numbers: HashMap<Vec<u8>, u32>,
}

impl EdgeFiles {
    /// Reads two names per line, separated by a tab, a comma or blanks. Ignores the rest of a line, empty lines, lines
    /// that begin with #, edges from a vertex to itself, and headers.
    pub(super) fn read(self, session: &Session) -> Result<EdgeList> {
        let mut list = EdgeList::default();
        let mut loops = 0;
        self.each(session, |from, to| {
            let edge = (list.number(from)?, list.number(to)?);
            if edge.0 == edge.1 {
                loops += 1;
            } else {
                list.edges.push(edge);
            }
            Ok(())
        })?;
        if loops > 0 {
            let edges = plural(loops, "edge", "edges");
            session.remark(&format!("{edges} from a vertex to itself left out"));
        }
        if list.names.is_empty() {
            bail!("no edges were found; give lines with two vertices each");
        }
        Ok(list)
    }

    /// Reads intervals: two numbers per line, which [`read`](Self::read) would take for names.
    pub(super) fn read_intervals(self, session: &Session) -> Result<Vec<(f64, f64)>> {
        let mut intervals = Vec::new();
        let end = |text: &[u8]| {
            let number = Number::parse(text).map(Number::to_f64);
            number.with_context(|| format!("expected the ends of an interval, found '{}'", shown(text)))
        };
        self.each(session, |from, to| {
            let (from, to) = (end(from)?, end(to)?);
            if from > to {
                bail!("an interval must not end before it begins, as {from} to {to} does; swap its ends");
            }
            intervals.push((from, to));
            Ok(())
        })?;
        if intervals.is_empty() {
            bail!("no intervals were found; give lines with two numbers each");
        }
        Ok(intervals)
    }

    /// Calls `take` with the two parts of each line.
    fn each(self, session: &Session, mut take: impl FnMut(&[u8], &[u8]) -> Result<()>) -> Result<()> {
        for (source, mut header) in self.sources {
            for (line, text) in (1u64..).zip(source.lines(self.max_memory, &session.watch())?) {
                let (from, to) = match edges::line(&text) {
                    Line::Nothing => continue,
                    _ if std::mem::take(&mut header) => continue,
                    Line::Edge(from, to) => (from, to),
                    Line::NotAnEdge => bail!(
                        "{}: line {line}: expected two vertices with a tab, a comma or a blank between them, found '{}'",
                        source.name(),
                        shown(&text)
                    ),
                };
                take(from, to).with_context(|| format!("{}: line {line}", source.name()))?;
            }
        }
        Ok(())
    }
}

impl EdgeList {
    /// How many vertices there are.
    pub(super) fn vertices(&self) -> u32 {
        self.names.len() as u32
    }

    fn number(&mut self, name: &[u8]) -> Result<u32> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let Ok(number) = u32::try_from(self.names.len()) else {
            bail!("more than 2^32 vertices; cut the graph");
        };
        self.names.push(name.to_vec());
        self.numbers.insert(name.to_vec(), number);
        Ok(number)
    }
}
