//! The answers of `crivo similar`: a line for two files, a matrix for more.

use super::{Alike, Items, Similar};
use crate::output::{Answer, Bar, Output, Text, alike_cells, display_width, named, plural, terminal_width};
use anyhow::Result;
use std::path::Path;

/// Between two columns.
const GAP: &str = "  ";

impl Similar {
    pub(super) fn print(&self, sides: &[Items], nulls: &[u64]) -> Result<()> {
        let mut output = Output::new();
        if self.json {
            for second in 1..sides.len() {
                for first in 0..second {
                    let [a, b] = [first, second].map(|place| name(&self.files[place]));
                    let similarity = self.alike(sides, first, second)?.bar();
                    output.json(&Answer::Similarity { a, b, similarity })?;
                }
            }
            return output.flush();
        }
        if sides.len() == 2 {
            let [value, bar] = self.alike(sides, 0, 1)?.cells();
            output.line(&format!("{value} alike  ({bar})"))?;
        } else {
            self.print_many(&mut output, sides)?;
        }
        for (path, &nulls) in self.files.iter().zip(nulls) {
            if nulls > 0 && !self.quiet {
                let empty = plural(nulls, "empty value", "empty values");
                output.line(&format!("{empty} of {} left out", named(path)))?;
            }
        }
        output.flush()
    }

    /// The values with their bars below them, or a list where that is too wide.
    fn print_many(&self, output: &mut Output, sides: &[Items]) -> Result<()> {
        let names: Vec<String> = self.files.iter().map(|path| named(path)).collect();
        let mut cells = Vec::new();
        for second in 1..sides.len() {
            for first in 0..second {
                cells.push(self.alike(sides, first, second)?.cells());
            }
        }
        let longest = names.iter().map(|name| display_width(name)).max().unwrap_or(0);
        let bars = cells.iter().map(|[_, bar]| display_width(bar)).max().unwrap_or(0);
        let width = bars.max(longest);
        let columns = sides.len() - 1;
        if longest + columns * (GAP.len() + width) > terminal_width() {
            let mut cells = cells.iter();
            for second in 1..sides.len() {
                for first in 0..second {
                    let [value, bar] = cells.next().expect("one for each pair");
                    output.line(&format!("{value}  ({bar})  {}  {}", names[first], names[second]))?;
                }
            }
            return Ok(());
        }
        let line = |output: &mut Output, name: &str, cells: &mut dyn Iterator<Item = &str>| {
            let mut line = format!("{name}{}", " ".repeat(longest - display_width(name)));
            for cell in cells {
                line += GAP;
                line += &" ".repeat(width - display_width(cell));
                line += cell;
            }
            output.line(line.trim_end())
        };
        line(output, "", &mut names[..columns].iter().map(String::as_str))?;
        for second in 1..sides.len() {
            let row = &cells[second * (second - 1) / 2..][..second];
            line(output, &names[second], &mut row.iter().map(|[value, _]| value.as_str()))?;
            line(output, "", &mut row.iter().map(|[_, bar]| bar.as_str()))?;
        }
        Ok(())
    }
}

fn name(path: &Path) -> Text<'_> {
    Text::from(path.as_os_str().as_encoded_bytes())
}

impl Alike {
    /// The value and its error bar.
    fn cells(self) -> [String; 2] {
        match self {
            Self::Estimate(estimate) => alike_cells(&estimate),
            Self::Exact(value) => [crate::output::alike(value), "exact".into()],
        }
    }

    fn bar(self) -> Bar {
        match self {
            Self::Estimate(estimate) => estimate.into(),
            Self::Exact(value) => Bar::exact(value),
        }
    }
}
