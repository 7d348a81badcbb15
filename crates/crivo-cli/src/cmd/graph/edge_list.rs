//! Whole edge lists, whose vertices get numbers in the order in which they come.

use super::edges::{self, Line, has_header};
use crate::output::{plural, remark, shown};
use crate::sources::read_lines;
use anyhow::{Result, bail};
use crivo::graph::Edge;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The edges of some files, by the numbers of their ends.
#[derive(Default)]
pub(super) struct EdgeList {
    pub(super) names: Vec<Vec<u8>>,
    pub(super) edges: Vec<Edge>,
    numbers: HashMap<Vec<u8>, u32>,
}

impl EdgeList {
    /// Two names a line, between them a tab, a comma or blanks; what follows is passed over, and so are empty lines,
    /// lines that begin with #, edges from a vertex to itself and, unless `no_header`, the first line of a .csv file.
    /// Standard input if no file is named.
    pub(super) fn read(files: &[PathBuf], no_header: bool, max_memory: u64, quiet: bool) -> Result<Self> {
        let mut list = Self::default();
        let mut loops = 0;
        let stdin = [PathBuf::from("-")];
        for path in if files.is_empty() { &stdin[..] } else { files } {
            let mut header = has_header(path, no_header);
            for (line, text) in (1u64..).zip(read_lines(path, max_memory)?) {
                let (from, to) = match edges::line(&text) {
                    Line::Nothing => continue,
                    _ if std::mem::take(&mut header) => continue,
                    Line::Edge(from, to) => (from, to),
                    Line::NotAnEdge => bail!(
                        "{}: line {line}: expected two vertices with a tab, a comma or a blank between them, found '{}'",
                        name(path),
                        shown(&text)
                    ),
                };
                let edge = (list.number(from)?, list.number(to)?);
                if edge.0 == edge.1 {
                    loops += 1;
                } else {
                    list.edges.push(edge);
                }
            }
        }
        if loops > 0 && !quiet {
            let edges = plural(loops, "edge", "edges");
            remark(&format!("{edges} from a vertex to itself left out"));
        }
        if list.names.is_empty() {
            bail!("no edges were found; give lines with two vertices each");
        }
        Ok(list)
    }

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

fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}
