//! Rows of cells, in columns as wide as their widest cell.

use crate::{Page, display_width};

/// Rows of `N` cells.
#[derive(Debug)]
pub struct Table<const N: usize> {
    align: [Align; N],
    rows: Vec<[String; N]>,
}

/// To which side the cells of a column go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// To the left.
    Left,
    /// To the right, as numbers.
    Right,
}

impl<const N: usize> Table<N> {
    /// No rows yet.
    pub fn new(align: [Align; N]) -> Self {
        Self { align, rows: Vec::new() }
    }

    /// One row more.
    pub fn push(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    /// Fills the last column, which can be as wide as the others leave room for.
    pub fn set_last(&mut self, cells: impl Iterator<Item = String>) {
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row[N - 1] = cell;
        }
    }

    /// How wide the rows are, with the blanks between their cells.
    pub fn width(&self) -> usize {
        self.widths().iter().sum::<usize>() + GAP.len() * (N - 1)
    }

    fn widths(&self) -> [usize; N] {
        std::array::from_fn(|column| {
            self.rows.iter().map(|row| display_width(&row[column])).max().unwrap_or(0)
        })
    }

    /// Writes the rows.
    pub fn print(&self, page: &mut Page) {
        let widths = self.widths();
        for row in &self.rows {
            let cells =
                row.iter().enumerate().map(|(column, cell)| (cell, self.align[column], widths[column]));
            page.line(&join_cells(cells));
        }
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
