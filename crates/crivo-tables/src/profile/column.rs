//! The profile of a single column as text.

use super::points::{bin_ends, figure, place};
use super::report::{ColumnReport, TableReport};
use super::words::{histogram_title, kept_text, key, others, semantic, top_text, type_of};
use crivo_report::{
    Align, Page, Table, count, estimate, estimate_cells, percent, plural, quantile_cells_by, shorten, shown,
    shown_column, text_bar,
};

pub(super) fn print(page: &mut Page, table: &TableReport, column: &ColumnReport) {
    print_facts(page, table, column);
    if column.constant().is_some() {
        return;
    }
    print_quantiles(page, column);
    print_histogram(page, column);
    print_top(page, column);
    print_sample(page, column);
}

fn print_facts(page: &mut Page, table: &TableReport, column: &ColumnReport) {
    let room = page.width();
    let (name, table) = (shown_column(&column.name), shown(table.name.as_bytes()));
    page.line(&shorten(&format!("{table}: {name}, {}", type_of(column)), room));
    let missing = match column.missing {
        Some(0) => ", none missing".into(),
        Some(missing) => {
            format!(", {} missing ({})", count(missing), percent(missing as f64 / column.rows.max(1) as f64))
        }
        None => String::new(),
    };
    page.line(&format!("{}{missing}", plural(column.rows, "row", "rows")));
    if let Some(distinct) = &column.distinct {
        let mark = column.key.and_then(key).map_or_else(String::new, |key| format!(", {key}"));
        page.line(&format!("{}{mark}", estimate(distinct, "distinct")));
    }
    if let Some(value) = column.constant() {
        page.line(&format!("always {}", shorten(&kept_text(value), room.saturating_sub(7).max(1))));
    } else if let (Some(minimum), Some(maximum)) = (&column.minimum, &column.maximum) {
        let [minimum, maximum] =
            [minimum, maximum].map(|text| shorten(&kept_text(text), (room / 2).saturating_sub(4).max(1)));
        page.line(&format!("from {minimum} to {maximum}"));
    }
    if let (Some(mean), Some(deviation), None) = (column.mean, column.standard_deviation, column.constant()) {
        page.line(&format!("mean {}, standard deviation {}", figure(mean), figure(deviation)));
    }
    if let Some(semantic) = semantic(column) {
        page.line(&semantic);
    }
    if let Some(lengths) = column.lengths {
        let (least, most) = (count(lengths.least), plural(lengths.most, "byte", "bytes"));
        let mean = figure(lengths.mean);
        let lengths =
            if lengths.least == lengths.most { most } else { format!("{least} to {most}, mean {mean}") };
        page.line(&format!("length {lengths}"));
    }
}

fn print_quantiles(page: &mut Page, column: &ColumnReport) {
    if column.quantiles.is_empty() {
        return;
    }
    page.line("");
    page.line("quantiles");
    let mut rows = Table::new([Align::Right, Align::Left, Align::Left]);
    for (share, quantile) in &column.quantiles {
        let [number, bar] = quantile_cells_by(quantile, |number| place(column, number));
        rows.push([format!("{:>6}", percent(*share)), number, unless_exact(column, bar)]);
    }
    rows.print(page);
}

fn print_histogram(page: &mut Page, column: &ColumnReport) {
    let Some(histogram) = column.histogram.as_ref().filter(|it| it.bins.len() > 1) else { return };
    page.line("");
    page.sentence(&histogram_title(histogram));
    let mut rows = Table::new([Align::Right, Align::Right, Align::Left, Align::Left]);
    for bin in &histogram.bins {
        let [number, bar] = estimate_cells(&bin.count);
        rows.push([format!("  {}", bin_ends(column, bin)), number, unless_exact(column, bar), String::new()]);
    }
    let room = page.width().saturating_sub(rows.width()).clamp(4, 60);
    let highest = histogram.highest();
    rows.set_last(histogram.bins.iter().map(|bin| text_bar(bin.count.value() / highest, room)));
    rows.print(page);
}

fn print_top(page: &mut Page, column: &ColumnReport) {
    let Some(top) = column.top.as_ref().filter(|top| !top.values.is_empty()) else { return };
    page.line("");
    let of = if column.values < column.rows { ", as shares of the non-missing values" } else { "" };
    page.line(&format!("most frequent{of}"));
    let mut rows = Table::new([Align::Right, Align::Left, Align::Right, Align::Left]);
    for value in top.listed() {
        let [number, bar] = estimate_cells(&value.count);
        let share = percent(column.share(value.count.value()));
        rows.push([format!("  {number}"), unless_exact(column, bar), share, String::new()]);
    }
    let left = page.width().saturating_sub(rows.width()).max(8);
    rows.set_last(top.listed().iter().map(|value| shorten(&top_text(&value.value, value.truncated), left)));
    rows.print(page);
    page.line(&format!("  {}", others(top)));
}

fn print_sample(page: &mut Page, column: &ColumnReport) {
    let Some(sample) = column.sample.as_ref().filter(|sample| !sample.is_empty()) else { return };
    page.line("");
    page.line("sample of distinct values");
    let most = (page.width() / 2).max(1);
    let values: Vec<String> = sample.iter().map(|value| shorten(&kept_text(value), most)).collect();
    page.sentence(&format!("  {}", values.join(", ")));
}

/// Returns the error bar, unless all answers of the column are exact: then the text says so once.
fn unless_exact(column: &ColumnReport, bar: String) -> String {
    if column.exact { String::new() } else { bar }
}
