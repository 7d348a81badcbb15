//! Rows of cells, in columns as wide as their widest cell.

use super::Output;
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
        self.widths().iter().sum::<usize>() + 2 * (N - 1)
    }

    fn widths(&self) -> [usize; N] {
        std::array::from_fn(|column| self.rows.iter().map(|row| length(&row[column])).max().unwrap_or(0))
    }

    pub(crate) fn print(&self, output: &mut Output) -> Result<()> {
        let widths = self.widths();
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let blanks = " ".repeat(widths[column] - length(cell));
                let before = if column == 0 { "" } else { "  " };
                line += before;
                match self.align[column] {
                    Align::Left => line.extend([cell.as_str(), &blanks]),
                    Align::Right => line.extend([&blanks, cell.as_str()]),
                }
            }
            output.line(line.trim_end())?;
        }
        Ok(())
    }
}

fn length(cell: &str) -> usize {
    cell.chars().count()
}

/// How many characters go on a line of standard output.
pub(crate) fn terminal_width() -> usize {
    /// Where nobody says.
    const USUAL: usize = 80;
    terminal_size::terminal_size_of(std::io::stdout()).map_or(USUAL, |(width, _)| usize::from(width.0))
}
