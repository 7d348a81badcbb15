//! The report of `crivo graph labels`.

use super::made::has_few_pairs;
use crivo::Kind;
use crivo::graph::LabelParams;
use crivo_report::{Align, Page, Records, Report, Table, count, number, percent, plural};
use serde::Serialize;

/// What was made and found. Bits are those of a vertex, `near` pairs have a common neighbour, and `other` pairs are all that
/// are no edges, or a million at random. What an exact representation has not is null.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "labels")]
pub(crate) struct Labelled {
    pub(super) kind: &'static str,
    pub(super) vertices: u32,
    pub(super) edges: u64,
    pub(super) tree: bool,
    /// `bipartite`, `split` or `co-bipartite`, where the labels have sides.
    pub(super) sides: Option<&'static str>,
    pub(super) slots: Option<u32>,
    pub(super) bits: Option<u32>,
    pub(super) threshold: Option<u32>,
    pub(super) matrix_bits: f64,
    pub(super) list_bits: f64,
    pub(super) parent_bits: Option<u32>,
    pub(super) label_bits: u32,
    pub(super) fnr: f64,
    pub(super) missed: u64,
    pub(super) fpr: f64,
    pub(super) near_pairs: u64,
    pub(super) near_wrong: u64,
    pub(super) other_pairs: u64,
    pub(super) other_wrong: u64,
    pub(super) saved: Option<String>,
    #[serde(skip)]
    pub(super) params: Option<LabelParams>,
}

impl Report for Labelled {
    fn text(&self, page: &mut Page) {
        let vertices = plural(self.vertices.into(), "vertex", "vertices");
        let shape = match self.tree {
            true if self.edges + 1 == u64::from(self.vertices) => ": a tree",
            true => ": a forest",
            false => "",
        };
        let sides = self.sides.map_or_else(String::new, |sides| format!(", {sides} labels"));
        page.line(&format!("{vertices}, {}{shape}{sides}", plural(self.edges, "edge", "edges")));
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        let mut row = |name: &str, bits: String, what: &str| table.push([name.into(), bits, what.into()]);
        row("", "bits per vertex".into(), "");
        row("matrix", number(self.matrix_bits), "exact");
        row("list", number(self.list_bits), "exact");
        if let Some(bits) = self.parent_bits {
            row("parent", count(bits.into()), "exact");
        }
        if self.kind == Kind::IntervalGraph.name() {
            row("intervals", count(self.label_bits.into()), "exact");
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
