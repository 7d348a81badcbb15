//! The answers of `crivo similar`: a line for two files, a matrix for more.

use super::Items;
use anyhow::{Context, Result, bail};
use crivo::Estimate;
use crivo::similarity::jaccard_sorted;
use crivo_report::{
    Bar, Page, Records, Report, Text, alike_cells, as_bar, display_width, named, plural, size,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A sketch that was saved.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "signature")]
pub(super) struct Signature {
    pub(super) saved: String,
    pub(super) kind: &'static str,
    pub(super) items: u64,
    pub(super) nulls: u64,
    pub(super) file_bytes: u64,
}

impl Report for Signature {
    fn text(&self, page: &mut Page) {
        let items = plural(self.items, "item", "items");
        page.line(&format!("{}: {} of {items}, {}", self.saved, self.kind, size(self.file_bytes)));
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// How alike each two of some files are.
#[derive(Debug)]
pub(super) struct Compared {
    /// With the number of their empty values.
    files: Vec<(PathBuf, u64)>,
    /// Of each file with those before it, in order.
    alike: Vec<Estimate>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "similarity")]
struct PairRecord<'a> {
    a: Text<'a>,
    b: Text<'a>,
    #[serde(serialize_with = "as_bar")]
    similarity: Estimate,
}

/// Between two columns.
const GAP: &str = "  ";

impl Compared {
    pub(super) fn new(files: Vec<(PathBuf, u64)>, items: &[Items]) -> Result<Self> {
        let mut alike = Vec::new();
        for (second, first) in pairs(files.len()) {
            alike.push(compare([first, second].map(|place| (&*files[place].0, &items[place])))?);
        }
        Ok(Self { files, alike })
    }

    /// The values with their bars below them, or a list where that is too wide.
    fn matrix(&self, page: &mut Page) {
        let names: Vec<String> = self.files.iter().map(|(path, _)| named(path)).collect();
        let cells: Vec<[String; 2]> = self.alike.iter().map(alike_cells).collect();
        let longest = names.iter().map(|name| display_width(name)).max().unwrap_or(0);
        let bars = cells.iter().map(|[_, bar]| display_width(bar)).max().unwrap_or(0);
        let width = bars.max(longest);
        let columns = names.len() - 1;
        if longest + columns * (GAP.len() + width) > page.width() {
            for ((second, first), [value, bar]) in pairs(names.len()).zip(&cells) {
                page.line(&format!("{value}  ({bar})  {}  {}", names[first], names[second]));
            }
            return;
        }
        let line = |page: &mut Page, name: &str, cells: &mut dyn Iterator<Item = &str>| {
            let mut line = format!("{name}{}", " ".repeat(longest - display_width(name)));
            for cell in cells {
                line += GAP;
                line += &" ".repeat(width - display_width(cell));
                line += cell;
            }
            page.line(line.trim_end());
        };
        line(page, "", &mut names[..columns].iter().map(String::as_str));
        for second in 1..names.len() {
            let row = &cells[second * (second - 1) / 2..][..second];
            line(page, &names[second], &mut row.iter().map(|[value, _]| value.as_str()));
            line(page, "", &mut row.iter().map(|[_, bar]| bar.as_str()));
        }
    }
}

impl Report for Compared {
    fn text(&self, page: &mut Page) {
        if let [alike] = &self.alike[..] {
            let [value, bar] = alike_cells(alike);
            page.line(&format!("{value} alike  ({bar})"));
        } else {
            self.matrix(page);
        }
        for (path, nulls) in self.files.iter().filter(|(_, nulls)| *nulls > 0) {
            let empty = plural(*nulls, "empty value", "empty values");
            page.note(&format!("{empty} of {} left out", named(path)));
        }
    }

    fn records(&self, records: &mut Records) {
        for ((second, first), similarity) in pairs(self.files.len()).zip(&self.alike) {
            let [a, b] =
                [first, second].map(|place| Text::from(self.files[place].0.as_os_str().as_encoded_bytes()));
            records.row(&PairRecord { a, b, similarity: *similarity });
        }
    }
}

/// Each of so many places with each before it.
fn pairs(number: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..number).flat_map(|second| (0..second).map(move |first| (second, first)))
}

fn compare([(path, items), (other_path, others)]: [(&Path, &Items); 2]) -> Result<Estimate> {
    match (items, others) {
        (Items::All(items), Items::All(others)) => Ok(Estimate::exact(jaccard_sorted(items, others))),
        (Items::Sketch(one), Items::Sketch(other)) => {
            let (name, path) = (one.kind().name(), path.display());
            let Some(similarity) = one.kind().info().similarity else {
                bail!("{path}: a {name} does not tell how alike two are; see: crivo info {path}");
            };
            Ok(similarity(&**one, &**other)
                .with_context(|| format!("{path} and {}", other_path.display()))?)
        }
        _ => unreachable!("--exact refuses sketches"),
    }
}
