//! Rows of cells, in columns as wide as their widest cell.

use super::Output;
use super::width::display_width;
use anyhow::Result;

/// Rows of `N` cells.
pub(crate) struct Table<const N: usize> {
    align: [Align; N],
    rows: Vec<[String; N]>,
}

/// To which side the cells of a column go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(align: [Align; N]) -> Self {
        Self { align, rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    /// Fills the last column, which can be as wide as the others leave room for.
    pub(crate) fn set_last(&mut self, cells: impl Iterator<Item = String>) {
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row[N - 1] = cell;
        }
    }

    /// How wide the rows are, with the blanks between their cells.
    pub(crate) fn width(&self) -> usize {
        self.widths().iter().sum::<usize>() + GAP.len() * (N - 1)
    }

    fn widths(&self) -> [usize; N] {
        std::array::from_fn(|column| {
            self.rows.iter().map(|row| display_width(&row[column])).max().unwrap_or(0)
        })
    }

    pub(crate) fn print(&self, output: &mut Output) -> Result<()> {
        let widths = self.widths();
        for row in &self.rows {
            let cells =
                row.iter().enumerate().map(|(column, cell)| (cell, self.align[column], widths[column]));
            output.line(&join_cells(cells))?;
        }
        Ok(())
    }
}

/// What stands between two cells.
pub(crate) const GAP: &str = "  ";

/// A line of cells, each with its side and the width of its column.
pub(crate) fn join_cells<S: AsRef<str>>(cells: impl Iterator<Item = (S, Align, usize)>) -> String {
    let mut line = String::new();
    for (column, (cell, align, width)) in cells.enumerate() {
        let cell = cell.as_ref();
        let blanks = " ".repeat(width.saturating_sub(display_width(cell)));
        line += if column == 0 { "" } else { GAP };
        match align {
            Align::Left => line.extend([cell, &blanks]),
            Align::Right => line.extend([&blanks, cell]),
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// How many characters go on a line of standard output: as the terminal has, or else as `COLUMNS` says.
pub(crate) fn terminal_width() -> usize {
    /// Where nobody says.
    const USUAL: usize = 80;
    let told = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|&width| width > 0);
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((width, _)) => usize::from(width.0),
        None => told().unwrap_or(USUAL),
    }
}
