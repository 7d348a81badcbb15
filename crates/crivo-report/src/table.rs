//! Tables: rows of cells, in columns that are as wide as their widest cell.

use crate::{Page, display_width, shorten, text_bar};

/// A table whose rows have `N` cells.
#[derive(Debug)]
pub struct Table<const N: usize> {
    align: [Align; N],
    rows: Vec<[String; N]>,
}

/// The side to which the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Aligned to the left.
    Left,
    /// Aligned to the right, as numbers are.
    Right,
}

impl<const N: usize> Table<N> {
    /// Creates a table without rows.
    pub fn new(align: [Align; N]) -> Self {
        Self { align, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    /// Shortens the cells of a column so that the rows fit into `room`, if possible. A few letters always stay.
    pub fn shorten(&mut self, column: usize, room: usize) {
        const LEAST: usize = 8;
        let beside = self.width() - self.widths()[column];
        let room = room.saturating_sub(beside).max(LEAST);
        for row in &mut self.rows {
            row[column] = shorten(&row[column], room);
        }
    }

    /// Draws shares as bars in the last column, which is empty, if the other columns leave enough room.
    pub fn draw_last(&mut self, room: usize, shares: impl Iterator<Item = f64>) {
        const LEAST: usize = 10;
        const MOST: usize = 60;
        let room = room.saturating_sub(self.width()).min(MOST);
        if room >= LEAST {
            self.set_last(shares.map(|share| text_bar(share, room)));
        }
    }

    /// Fills the last column, whose cells may be as wide as the other columns allow.
    pub fn set_last(&mut self, cells: impl Iterator<Item = String>) {
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row[N - 1] = cell;
        }
    }

    /// Returns the width of the rows, with the blanks between their cells.
    pub fn width(&self) -> usize {
        self.widths().iter().sum::<usize>() + GAP.len() * (N - 1)
    }

    fn widths(&self) -> [usize; N] {
        std::array::from_fn(|column| {
            self.rows.iter().map(|row| display_width(&row[column])).max().unwrap_or(0)
        })
    }

    /// Prints the rows.
    pub fn print(&self, page: &mut Page) {
        let widths = self.widths();
        for row in &self.rows {
            let cells =
                row.iter().enumerate().map(|(column, cell)| (cell, self.align[column], widths[column]));
            page.line(&join_cells(cells));
        }
    }
}

/// The blanks between two cells.
pub(crate) const GAP: &str = "  ";

/// Returns a line of cells, each with its alignment and the width of its column.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table(item: &str) -> Table<3> {
        let mut table = Table::new([Align::Right, Align::Left, Align::Left]);
        table.push(["10".into(), item.into(), String::new()]);
        table.push(["5".into(), "b".into(), String::new()]);
        table
    }

    fn printed(table: &Table<3>) -> String {
        let mut page = Page::new(20, false);
        table.print(&mut page);
        String::from_utf8(page.into_bytes()).unwrap()
    }

    #[test]
    fn bars_are_drawn_where_there_is_room() {
        let mut short = table("a");
        short.draw_last(20, [1.0, 0.5].into_iter());
        assert_eq!(printed(&short), format!("10  a  {}\n 5  b  ██████▌\n", "█".repeat(13)));
        let mut long = table("a long item");
        long.draw_last(20, [1.0, 0.5].into_iter());
        assert_eq!(printed(&long), "10  a long item\n 5  b\n");
    }

    #[test]
    fn long_cells_are_cut_to_fit() {
        let mut long = table("an item that is long");
        long.shorten(1, 20);
        assert_eq!(long.width(), 20);
        assert_eq!(printed(&long), "10  an item that …\n 5  b\n");
        long.shorten(1, 3);
        assert_eq!(printed(&long), "10  an item…\n 5  b\n", "no less than this");
    }
}
