//! A table that fits a given width: cells are shortened first, then whole fields are left out and named.

use crate::table::{GAP, join_cells};
use crate::{Align, Page, display_width, shorten};
use std::borrow::Cow;

/// A field of a fitted table: its title and one cell for each row.
#[derive(Debug)]
pub struct Field {
    /// The title above the cells.
    pub title: Cow<'static, str>,
    /// The side to which the cells are aligned.
    pub align: Align,
    /// The priority of the field: fields with smaller ranks are kept first.
    pub rank: u32,
    /// The width to which cells may be shortened. With `None` they are never shortened.
    pub least: Option<usize>,
    /// One cell for each row.
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

/// Prints the fields that fit into `room`, in the given order, and returns the titles of the fields that do not
/// fit.
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

/// Returns whether all fields fit into `room`.
pub fn all_fit(fields: &[Field], room: usize) -> bool {
    fit(fields, room).iter().all(Option::is_some)
}

/// Returns the width of each field, and `None` for a field that is left out. The field with the smallest rank is
/// always kept.
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
    // The remaining columns go to the shortened fields in turn, one column at a time.
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
