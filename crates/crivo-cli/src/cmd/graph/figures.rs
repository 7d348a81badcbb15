//! What was counted of a graph.

use crate::cmd::number::Number;
use crivo::Estimate;
use crivo_report::{Align, Page, Records, Report, Table, Text, count, estimate_cells, shown};
use serde::Serialize;

/// Figures, and the vertices with most edges.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(super) figures: Vec<Figure>,
    pub(super) top: Vec<(Vec<u8>, Figure)>,
}

/// What was counted.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "figure")]
pub(super) struct Figure {
    pub(super) name: &'static str,
    #[serde(rename = "value")]
    pub(super) number: Number,
}

impl Figure {
    pub(super) fn estimated(name: &'static str, estimate: Estimate) -> Self {
        Self { name, number: Number::Estimated(estimate) }
    }

    pub(super) fn counted(name: &'static str, number: u64) -> Self {
        Self { name, number: Number::Exact(number) }
    }

    /// The number and its bar, for people, after the name.
    fn row(&self, name: String) -> [String; 3] {
        let [number, bar] = match self.number {
            Number::Exact(number) => [count(number), "(exact)".into()],
            Number::Estimated(estimate) => estimate_cells(&estimate),
        };
        [name, number, bar]
    }
}

/// One of the vertices with most edges: its `neighbours`, or the `times` it was named.
#[derive(Serialize)]
#[serde(tag = "type", rename = "vertex")]
struct VertexRecord<'a> {
    vertex: Text<'a>,
    name: &'static str,
    value: Number,
}

impl Report for Counted {
    fn text(&self, page: &mut Page) {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        for figure in &self.figures {
            table.push(figure.row(figure.name.into()));
        }
        for (vertex, figure) in &self.top {
            let of = if figure.name == EDGES_AT { "at" } else { "of" };
            table.push(figure.row(format!("{} {of} {}", figure.name, shown(vertex))));
        }
        table.print(page);
    }

    fn records(&self, records: &mut Records) {
        for figure in &self.figures {
            records.row(figure);
        }
        for (vertex, figure) in &self.top {
            let vertex = Text::from(&**vertex);
            records.total(&VertexRecord { vertex, name: figure.name, value: figure.number });
        }
    }
}

/// What a directed graph has at a vertex: in and out.
pub(super) const EDGES_AT: &str = "edges";
