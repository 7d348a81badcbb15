//! What is drawn: steps, each a grid of cells, some of them marked. The terminal and the picture show the same.

use super::setting::Setting;
use super::words::{Words, say};
use crivo_report::Align;
use std::ops::Range;

/// A structure at work.
pub(super) struct Drawing {
    pub(super) words: Words,
    pub(super) title: String,
    /// Where the example was printed.
    pub(super) source: Option<String>,
    /// How it works, in a few sentences.
    pub(super) about: String,
    pub(super) steps: Vec<Step>,
    /// What follows from the last state, with its formulas.
    pub(super) results: Vec<String>,
}

/// One thing that happens, the state after it, and what it means.
pub(super) struct Step {
    pub(super) heading: String,
    pub(super) grid: Grid,
    pub(super) remark: String,
    pub(super) verdict: Verdict,
}

/// What a step says of the structure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing: it is no answer.
    None,
    /// It answers as it should.
    Right,
    /// It errs.
    Wrong,
}

/// Rows of cells under heads.
pub(super) struct Grid {
    /// What stands before the heads.
    pub(super) corner: String,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// The number of columns between two gaps; 0 for none.
    pub(super) group: usize,
    pub(super) align: Align,
}

pub(super) struct Row {
    pub(super) label: String,
    pub(super) cells: Vec<Cell>,
}

#[derive(Clone)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) mark: Mark,
    /// How many columns it takes.
    pub(super) span: usize,
}

/// Why a cell stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    /// It is not what it was.
    Changed,
    /// It was looked at.
    Seen,
    /// It was looked at, and the answer follows from it.
    Decides,
}

impl Mark {
    /// Those that are explained, in order.
    pub(super) const EXPLAINED: [Self; 3] = [Self::Changed, Self::Seen, Self::Decides];

    pub(super) fn meaning(self, words: Words) -> String {
        match self {
            Self::Plain => say!(words, "plain"),
            Self::Changed => say!(words, "changed"),
            Self::Seen => say!(words, "seen"),
            Self::Decides => say!(words, "decides"),
        }
    }
}

impl Drawing {
    /// Of what was set: the kind's own sentence says how it works.
    pub(super) fn new(setting: &Setting, title: String, steps: Vec<Step>, results: Vec<String>) -> Self {
        let source = setting.example.map(|example| setting.say(example.name, &[]));
        Self { words: setting.words, title, source, about: say!(setting, "about"), steps, results }
    }

    /// The marks that occur.
    pub(super) fn marks(&self) -> impl Iterator<Item = Mark> + '_ {
        let cells = || self.steps.iter().flat_map(|step| &step.grid.rows).flat_map(|row| &row.cells);
        Mark::EXPLAINED.into_iter().filter(move |mark| cells().any(|cell| cell.mark == *mark))
    }
}

impl Step {
    /// One that answers nothing.
    pub(super) fn new(heading: String, grid: Grid, remark: String) -> Self {
        Self { heading, grid, remark, verdict: Verdict::None }
    }

    pub(super) fn judged(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }
}

impl Verdict {
    pub(super) fn of(is_right: bool) -> Self {
        if is_right { Self::Right } else { Self::Wrong }
    }
}

impl Grid {
    /// Of numbers, without groups.
    pub(super) fn new(heads: impl IntoIterator<Item = impl ToString>) -> Self {
        let heads = heads.into_iter().map(|head| head.to_string()).collect();
        Self { corner: String::new(), heads, rows: Vec::new(), group: 0, align: Align::Right }
    }

    pub(super) fn row(mut self, label: impl Into<String>, cells: Vec<Cell>) -> Self {
        self.rows.push(Row { label: label.into(), cells });
        self
    }

    /// The columns in parts of at most `fit`, which end where groups do.
    pub(super) fn parts(&self, fit: usize) -> Vec<Range<usize>> {
        let spans = self.rows.iter().any(|row| row.cells.iter().any(|cell| cell.span > 1));
        let fit = fit.max(1);
        let fit = match self.group {
            _ if fit >= self.heads.len() => self.heads.len().max(1),
            0 if spans => 1 << fit.ilog2(),
            0 => fit,
            group => (fit / group * group).max(group),
        };
        let starts = (0..self.heads.len()).step_by(fit);
        starts.map(|start| start..(start + fit).min(self.heads.len())).collect()
    }
}

impl Row {
    /// The cells of these columns, each with the columns that it takes of them.
    pub(super) fn part(&self, columns: &Range<usize>) -> Vec<(Range<usize>, &Cell)> {
        let mut end = 0;
        let with_columns = self.cells.iter().map(|cell| {
            end += cell.span;
            (end - cell.span, end, cell)
        });
        let inside = with_columns.filter(|(start, end, _)| *start < columns.end && *end > columns.start);
        inside.map(|(start, end, cell)| (start.max(columns.start)..end.min(columns.end), cell)).collect()
    }
}

impl Cell {
    #[expect(clippy::needless_pass_by_value, reason = "takes numbers and texts alike")]
    pub(super) fn new(text: impl ToString, mark: Mark) -> Self {
        Self { text: text.to_string(), mark, span: 1 }
    }

    pub(super) fn plain(text: impl ToString) -> Self {
        Self::new(text, Mark::Plain)
    }
}

/// The cells after a step: those that changed are marked, and those that were touched and did not.
pub(super) fn changed<T: ToString + PartialEq>(before: &[T], after: &[T], touched: &[u64]) -> Vec<Cell> {
    let mark = |place: usize| match &after[place] {
        cell if before.get(place) != Some(cell) => Mark::Changed,
        _ if touched.contains(&(place as u64)) => Mark::Seen,
        _ => Mark::Plain,
    };
    after.iter().enumerate().map(|(place, cell)| Cell::new(cell.to_string(), mark(place))).collect()
}

/// The cells that a query looks at, and those among them that decide its answer.
pub(super) fn looked_at<T: ToString>(
    cells: &[T],
    touched: &[u64],
    decides: impl Fn(&T) -> bool,
) -> Vec<Cell> {
    let mark = |place: usize, cell: &T| match touched.contains(&(place as u64)) {
        true if decides(cell) => Mark::Decides,
        true => Mark::Seen,
        false => Mark::Plain,
    };
    cells.iter().enumerate().map(|(place, cell)| Cell::new(cell.to_string(), mark(place, cell))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_with_groups() {
        let mut grid = Grid::new(0..10);
        assert_eq!(grid.parts(4), [0..4, 4..8, 8..10]);
        assert_eq!(grid.parts(0).len(), 10);
        assert_eq!(grid.parts(99), std::slice::from_ref(&(0..10)));
        grid.group = 4;
        assert_eq!(grid.parts(7), [0..4, 4..8, 8..10]);
        assert_eq!(grid.parts(2), [0..4, 4..8, 8..10], "a group stays whole");
        assert!(Grid::new([""; 0]).parts(5).is_empty());
    }

    #[test]
    fn a_wide_cell_is_in_every_part_that_it_reaches() {
        let wide = Cell { span: 4, ..Cell::plain("w") };
        let row = Row { label: String::new(), cells: vec![Cell::plain("a"), wide, Cell::plain("b")] };
        let places =
            |columns: Range<usize>| row.part(&columns).into_iter().map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(places(0..3), [0..1, 1..3]);
        assert_eq!(places(3..6), [3..5, 5..6]);
    }
}
