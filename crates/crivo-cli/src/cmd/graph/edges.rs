//! Reading edges.

use crate::args::{FormatArgs, LimitArgs};
use crate::input::Format;
use crate::input::{Batch, Columns, Input, Wants};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::HashSpec;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How edges are written.
#[derive(Args, Debug)]
pub(super) struct EdgeArgs {
    /// Column where an edge begins: a name, a number from 1, or a JSON path
    #[arg(long, value_name = "COLUMN", requires = "target", help_heading = "Input")]
    source: Option<String>,

    /// Column where an edge ends
    #[arg(long, value_name = "COLUMN", requires = "source", help_heading = "Input")]
    target: Option<String>,

    #[command(flatten)]
    format: FormatArgs,
}

/// The names of the ends of edges.
pub(super) type Names<'a> = &'a mut dyn Iterator<Item = (&'a [u8], &'a [u8])>;

/// Edges to read.
pub(super) struct Edges {
    input: Input,
    is_table: bool,
    no_header: bool,
}

/// The edges of a batch, as hashes of their ends.
#[derive(Debug, Default)]
struct Parsed {
    edges: Vec<(u64, u64)>,
    /// The place of the first item that is no edge.
    not_an_edge: Option<usize>,
}

impl EdgeArgs {
    /// The edges of `files`, or of standard input if there is none.
    pub(super) fn open(&self, files: &[PathBuf], limit: LimitArgs, session: &Session) -> Result<Edges> {
        let input = match (&self.source, &self.target) {
            (Some(source), Some(target)) => {
                let columns = Columns { values: vec![&**target], by: Some(&**source), ..Columns::default() };
                self.format.open(files, columns, "--target", limit, session)
            }
            _ if self.format.is_given_beside_header() => {
                bail!(
                    "--format and its like are for tables; name the columns of an edge with --source and --target"
                )
            }
            _ => self.format.open_lines(files, limit, session),
        };
        Ok(Edges { input: input?, is_table: self.source.is_some(), no_header: self.no_header() })
    }

    /// Whether the first line of a .csv file is an edge.
    pub(super) fn no_header(&self) -> bool {
        self.format.no_header()
    }
}

impl Edges {
    /// Hands over all edges, in input order, as the hashes of their ends and as names.
    pub(super) fn read(
        self,
        spec: HashSpec,
        mut each: impl FnMut(&[(u64, u64)], Names<'_>) -> Result<()>,
    ) -> Result<()> {
        let Self { input, is_table, no_header } = self;
        let mut header = false;
        let work = move |(): &mut (), batch: &Batch<'_>| Ok(parse(batch, spec, is_table));
        let (mut source, mut lines) = (None, 0);
        input.map(Wants::default().and_values(), work, |batch, parsed: Parsed| {
            // The same file may be named twice: where a source lies tells it from others.
            let place = std::ptr::from_ref(batch.source).addr();
            if source != Some(place) {
                (source, lines) = (Some(place), 0);
                header = !is_table && batch.source.path().is_some_and(|path| has_header(path, no_header));
            }
            if let Some(place) = parsed.not_an_edge {
                let before = batch.places().position(|found| found == Some(place)).unwrap_or(place) as u64;
                bail!(
                    "{}, line {}: an edge is two names with a tab, a comma or blanks between them, got '{}'; \
                     begin other lines with #",
                    batch.source.name(),
                    lines + before + 1,
                    String::from_utf8_lossy(batch.values.get(place))
                );
            }
            lines += (batch.items + batch.missing.len()) as u64;
            let mut names = lines_of(batch, is_table).filter_map(|line| match line {
                Line::Edge(from, to) => Some((from, to)),
                _ => None,
            });
            let mut edges = &parsed.edges[..];
            if header && !edges.is_empty() {
                (edges, header) = (&edges[1..], false);
                names.next();
            }
            each(edges, &mut names)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(())
    }
}

/// A file whose name ends in .csv has a header, as for all other verbs, unless the user denies it.
pub(super) fn has_header(path: &Path, no_header: bool) -> bool {
    Format::by_name(path) == Some(Format::Csv) && !no_header
}

/// What a line or a row is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Edge(&'a [u8], &'a [u8]),
    /// A comment, or a row without one of the ends.
    Nothing,
    NotAnEdge,
}

fn parse(batch: &Batch<'_>, spec: HashSpec, is_table: bool) -> Parsed {
    let hasher = spec.bytes_hasher();
    let mut parsed = Parsed::default();
    for (place, line) in lines_of(batch, is_table).enumerate() {
        match line {
            Line::Edge(from, to) => parsed.edges.push((hasher.hash(from), hasher.hash(to))),
            Line::Nothing => {}
            Line::NotAnEdge => {
                parsed.not_an_edge = Some(place);
                break;
            }
        }
    }
    parsed
}

/// Each item of a batch.
fn lines_of<'a>(batch: &'a Batch<'_>, is_table: bool) -> impl Iterator<Item = Line<'a>> {
    let mut groups = batch.groups.iter();
    (0..batch.items).map(move |place| {
        let value = batch.values.get(place);
        match groups.next() {
            Some(from) if is_table && !from.is_empty() => Line::Edge(from, value),
            _ if is_table => Line::Nothing,
            _ => line(value),
        }
    })
}

/// An edge is the first two fields of a line; what follows is passed over.
pub(super) fn line(line: &[u8]) -> Line<'_> {
    if line.starts_with(b"#") || line.trim_ascii().is_empty() {
        return Line::Nothing;
    }
    let mut fields = fields(line);
    match (fields.next(), fields.next()) {
        (Some(from), Some(to)) if !from.is_empty() && !to.is_empty() => Line::Edge(from, to),
        _ => Line::NotAnEdge,
    }
}

/// The names of a line. A comment has none.
pub(super) fn names(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let line = if line.starts_with(b"#") { &[] } else { line };
    fields(line).filter(|name| !name.is_empty())
}

/// What lies between tabs if there is one, else between commas, else between blanks, of which many are as one.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let separator = [b'\t', b','].into_iter().find(|separator| line.contains(separator));
    line.split(move |&byte| byte == separator.unwrap_or(b' '))
        .map(<[u8]>::trim_ascii)
        .filter(move |field| separator.is_some() || !field.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_at_what_they_have() {
        let split = |line: &'static str| {
            names(line.as_bytes()).map(|name| std::str::from_utf8(name).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(split("a\tb"), ["a", "b"]);
        assert_eq!(split("New York\tSan José\t7"), ["New York", "San José", "7"]);
        assert_eq!(split("a,b"), ["a", "b"]);
        assert_eq!(split("  1   2 "), ["1", "2"]);
        assert_eq!(split("# a b"), [""; 0]);
        assert_eq!(split(" "), [""; 0]);
        assert_eq!((line(b"# a"), line(b" ")), (Line::Nothing, Line::Nothing));
    }

    #[test]
    fn lines_have_two_ends() {
        for text in ["a\tb", "a,b", " a  b ", "a\tb\t1.5", "a , b", "a b 7"] {
            assert_eq!(line(text.as_bytes()), Line::Edge(b"a", b"b"), "{text}");
        }
        assert_eq!(line(b"a b\tc d"), Line::Edge(b"a b", b"c d"));
        for bad in ["alone", "a\t", ",b", "a\t\tb"] {
            assert_eq!(line(bad.as_bytes()), Line::NotAnEdge, "{bad}");
        }
    }
}
