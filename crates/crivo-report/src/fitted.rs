//! A table that fits its room: cells are shortened, then whole fields left out, and it says which.

use crate::table::{GAP, join_cells};
use crate::{Align, Page, display_width, shorten};
use std::borrow::Cow;

/// A field of such a table: its title and a cell for every row.
#[derive(Debug)]
pub struct Field {
    /// Above its cells.
    pub title: Cow<'static, str>,
    /// To which side its cells go.
    pub align: Align,
    /// Fields with smaller ranks are kept rather than others.
    pub rank: u32,
    /// The width to which cells may be shortened; with `None` they are shown whole or not at all.
    pub least: Option<usize>,
    /// One for every row.
    pub cells: Vec<String>,
}

impl Field {
    fn width(&self) -> usize {
        self.cells.iter().map(|cell| display_width(cell)).fold(display_width(&self.title), usize::max)
    }

    fn least_width(&self) -> usize {
        let width = self.width();
        self.least.map_or(width, |least| least.max(display_width(&self.title)).min(width))
    }
}

/// Prints as many fields as go into the room, in the order given, and tells which do not.
pub fn print_fitted(page: &mut Page, fields: &[Field], room: usize) -> Vec<Cow<'static, str>> {
    let widths = fit(fields, room);
    let kept = || fields.iter().zip(&widths).filter_map(|(field, width)| Some((field, (*width)?)));
    let line = |cell: &dyn Fn(&Field) -> String| {
        join_cells(kept().map(|(field, width)| (shorten(&cell(field), width), field.align, width)))
    };
    page.heading(&line(&|field| field.title.clone().into_owned()));
    for row in 0..fields.iter().map(|field| field.cells.len()).max().unwrap_or(0) {
        page.line(&line(&|field| field.cells.get(row).cloned().unwrap_or_default()));
    }
    let left_out = fields.iter().zip(&widths).filter(|(_, width)| width.is_none());
    left_out.map(|(field, _)| field.title.clone()).collect()
}

/// Whether none has to be left out.
pub fn all_fit(fields: &[Field], room: usize) -> bool {
    fit(fields, room).iter().all(Option::is_some)
}

/// The width of each field, `None` for those left out. The first in rank is always there.
fn fit(fields: &[Field], room: usize) -> Vec<Option<usize>> {
    let mut widths = vec![None; fields.len()];
    let mut by_rank: Vec<usize> = (0..fields.len()).collect();
    by_rank.sort_by_key(|&field| fields[field].rank);
    let mut left = room + GAP.len();
    for (place, &field) in by_rank.iter().enumerate() {
        let width =
            if place == 0 { fields[field].least_width().min(room) } else { fields[field].least_width() };
        if let Some(rest) = left.checked_sub(width + GAP.len()) {
            (widths[field], left) = (Some(width), rest);
        }
    }
    // What is left over goes to all that were shortened, a column each in turn.
    let full: Vec<usize> = fields.iter().map(Field::width).collect();
    let mut growing = true;
    while growing && left > 0 {
        growing = false;
        for &field in &by_rank {
            if let Some(width) = &mut widths[field]
                && left > 0
                && *width < full[field]
            {
                (*width, left, growing) = (*width + 1, left - 1, true);
            }
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(title: &'static str, rank: u32, least: Option<usize>, cell: &str) -> Field {
        Field { title: title.into(), align: Align::Left, rank, least, cells: vec![cell.into()] }
    }

    #[test]
    fn fields_are_shortened_then_left_out_by_rank() {
        let fields = [
            field("name", 0, Some(6), "a-long-name"),
            field("mean", 2, None, "12.5"),
            field("top", 1, Some(5), "ABCDEFGH"),
        ];
        let widths = |room| fit(&fields, room);
        assert_eq!(widths(80), [Some(11), Some(4), Some(8)], "all have what they want");
        assert_eq!(widths(27), [Some(11), Some(4), Some(8)], "just so");
        assert_eq!(widths(26), [Some(10), Some(4), Some(8)], "a column less");
        assert_eq!(widths(19), [Some(6), Some(4), Some(5)], "all shortened");
        assert_eq!(widths(18), [Some(9), None, Some(7)], "the last in rank is gone");
        assert_eq!(widths(12), [Some(6), Some(4), None], "a narrow one fits where a wider does not");
        assert_eq!(widths(11), [Some(11), None, None]);
        assert_eq!(widths(3), [Some(3), None, None], "a name is always there");
        assert!(all_fit(&fields, 19) && !all_fit(&fields, 18));
        for room in 1..40 {
            let kept: Vec<usize> = widths(room).into_iter().flatten().collect();
            assert!(kept.iter().sum::<usize>() + GAP.len() * (kept.len() - 1) <= room, "{room}: {kept:?}");
        }
    }
}
