//! The answers of `crivo similar`: a line for two files, a matrix for more.

use crivo::Estimate;
use crivo_report::{
    Bar, Page, Records, Report, Text, alike_cells, as_bar, display_width, named, plural, size,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Between two columns.
const GAP: &str = "  ";

/// A sketch was saved.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "signature")]
pub(super) struct Signature {
    pub(super) saved: String,
    pub(super) kind: &'static str,
    pub(super) items: u64,
    pub(super) missing: u64,
    pub(super) file_bytes: u64,
}

impl Report for Signature {
    fn text(&self, page: &mut Page) {
        let (items, size) = (plural(self.items, "item", "items"), size(self.file_bytes));
        page.line(&format!("{}: {} of {items}, {size}", self.saved, self.kind));
    }

    fn records(&self, records: &mut Records) {
        records.row(self);
    }
}

/// How alike each two of some files are.
#[derive(Debug)]
pub(super) struct Matrix {
    pub(super) files: Vec<PathBuf>,
    /// The first and the second file, the first and the third, the second and the third, and so on.
    pub(super) pairs: Vec<Estimate>,
    /// How many values of each file were empty.
    pub(super) missing: Vec<u64>,
    /// The cosine of each angle, where files are compared as vectors; otherwise there is none.
    pub(super) cosines: Vec<Estimate>,
}

/// Of each pair of files.
#[derive(Serialize)]
#[serde(tag = "type", rename = "similarity")]
struct PairRecord<'a> {
    a: Text<'a>,
    b: Text<'a>,
    #[serde(serialize_with = "as_bar")]
    similarity: Estimate,
    #[serde(skip_serializing_if = "Option::is_none")]
    cosine: Option<Bar>,
}

impl Matrix {
    /// Each pair, by the places of its files.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize, Estimate)> {
        let places = (1..self.files.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
        places.zip(&self.pairs).map(|((first, second), &similarity)| (first, second, similarity))
    }

    /// The values with their bars below them, or a list where that is too wide.
    fn print_many(&self, page: &mut Page) {
        let names: Vec<String> = self.files.iter().map(|path| named(path)).collect();
        let cells: Vec<[String; 2]> = self.pairs.iter().map(alike_cells).collect();
        let longest = names.iter().map(|name| display_width(name)).max().unwrap_or(0);
        let bars = cells.iter().map(|[_, bar]| display_width(bar)).max().unwrap_or(0);
        let width = bars.max(longest);
        let columns = names.len() - 1;
        if longest + columns * (GAP.len() + width) > page.width() {
            for ((first, second, _), [value, bar]) in self.pairs().zip(&cells) {
                page.line(&format!("{value}  ({bar})  {}  {}", names[first], names[second]));
            }
            return;
        }
        let mut line = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
            let mut line = format!("{name}{}", " ".repeat(longest - display_width(name)));
            for cell in cells {
                line += GAP;
                line += &" ".repeat(width - display_width(cell));
                line += cell;
            }
            page.line(line.trim_end());
        };
        line("", &mut names[..columns].iter().map(String::as_str));
        for second in 1..names.len() {
            let row = &cells[second * (second - 1) / 2..][..second];
            line(&names[second], &mut row.iter().map(|[value, _]| value.as_str()));
            line("", &mut row.iter().map(|[_, bar]| bar.as_str()));
        }
    }
}

impl Report for Matrix {
    fn text(&self, page: &mut Page) {
        if let [pair] = &self.pairs[..] {
            let [value, bar] = alike_cells(pair);
            page.line(&format!("similarity {value}  ({bar})"));
            if let [cosine] = &self.cosines[..] {
                let [value, bar] = alike_cells(cosine);
                page.line(&format!("cosine     {value}  ({bar})"));
            }
        } else {
            self.print_many(page);
        }
        for (path, &missing) in self.files.iter().zip(&self.missing).filter(|(_, missing)| **missing > 0) {
            let empty = plural(missing, "missing value", "missing values");
            page.note(&format!("{empty} of {} left out", named(path)));
        }
    }

    fn records(&self, records: &mut Records) {
        let name = |place: usize| Text::from(Path::as_os_str(&self.files[place]).as_encoded_bytes());
        for (place, (first, second, similarity)) in self.pairs().enumerate() {
            let cosine = self.cosines.get(place).map(|&cosine| cosine.into());
            records.row(&PairRecord { a: name(first), b: name(second), similarity, cosine });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(names: &[&str], values: &[f64]) -> String {
        let mut page = Page::new(80, false);
        let (files, missing) = (names.iter().map(PathBuf::from).collect(), vec![0; names.len()]);
        let pairs = values.iter().map(|&value| Estimate::exact(value)).collect();
        Matrix { files, pairs, missing, cosines: Vec::new() }.text(&mut page);
        String::from_utf8(page.into_bytes()).unwrap()
    }

    #[test]
    fn more_files_make_a_matrix_or_a_list_where_that_is_too_wide() {
        let rows = ["       a      b", "b  0.250", "   exact", "c  0.500  1.000", "   exact  exact"];
        assert_eq!(printed(&["a", "b", "c"], &[0.25, 0.5, 1.0]), rows.join("\n") + "\n");
        let names = ["one", "other", "third"].map(|name| format!("{}/{name}", "long".repeat(10)));
        let [one, other, third] = names.each_ref().map(|name| &**name);
        let list = [(0.25, one, other), (0.5, one, third), (1.0, other, third)]
            .map(|(value, first, second)| format!("{value:.3}  (exact)  {first}  {second}\n"));
        assert_eq!(printed(&[one, other, third], &[0.25, 0.5, 1.0]), list.concat());
    }
}
