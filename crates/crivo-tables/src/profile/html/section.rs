//! The section of the page on one column.

use super::super::points::{figure, place};
use super::super::report::{ColumnReport, Top};
use super::super::words::{histogram_title, key, others, semantic, type_of};
use super::chart;
use super::escape::{kept, name};
use super::{add, end, short_percent, unbroken, value};
use crivo_report::{count, estimate_cells, percent, plural, quantile_cells_by};

pub(super) fn add_section(page: &mut String, id: &str, table: Option<&str>, column: &ColumnReport) {
    add(page, format_args!("<section id=\"{id}\" class=\"column\">\n<h2>"));
    if let Some(table) = table {
        add(page, format_args!("<span class=\"table\">{}</span> ", name(table)));
    }
    add(page, format_args!("{} <span class=\"badge\">{}</span>", name(&column.name), type_of(column)));
    if let Some(key) = column.key.and_then(key) {
        add(page, format_args!(" <span class=\"badge\">{key}</span>"));
    }
    *page += "</h2>\n<dl>\n";
    for (name, fact) in facts(column) {
        add(page, format_args!("<div><dt>{name}</dt><dd>{fact}</dd></div>\n"));
    }
    *page += "</dl>\n";
    if column.constant().is_some() {
        *page += "</section>\n";
        return;
    }
    if let Some(histogram) = column.histogram.as_ref().filter(|it| it.bins.len() > 1) {
        add(page, format_args!("<h3>{}</h3>\n", unbroken(&histogram_title(histogram))));
        *page += &chart::histogram(column, histogram);
    }
    // Long intervals take the whole width if nothing stands next to them.
    let beside = column.top.as_ref().is_some_and(|top| !top.listed().is_empty());
    *page += if beside { "<div class=\"two\">\n" } else { "<div>\n" };
    add_quantiles(page, column);
    if let Some(top) = column.top.as_ref().filter(|top| !top.values.is_empty()) {
        add_top(page, column, top);
    }
    *page += "</div>\n";
    if let Some(sample) = column.sample.as_ref().filter(|sample| !sample.is_empty()) {
        *page += "<h3>sample of distinct values</h3>\n<p class=\"sample\">";
        for it in sample {
            add(page, format_args!("{} ", kept(it)));
        }
        *page += "</p>\n";
    }
    *page += "</section>\n";
}

/// Returns names and their values, as HTML.
fn facts(column: &ColumnReport) -> Vec<(&'static str, String)> {
    let mut facts = vec![("rows", count(column.rows))];
    if let Some(missing) = column.missing {
        let share = unbroken(&short_percent(missing as f64 / column.rows.max(1) as f64));
        let share = if missing == 0 { String::new() } else { format!(" <small>{share}</small>") };
        facts.push(("missing", format!("{}{share}", count(missing))));
    }
    if let Some(distinct) = &column.distinct {
        let [number, bar] = estimate_cells(distinct);
        facts.push(("distinct values", format!("{number} <small>{}</small>", unbroken(&bar))));
    }
    if let Some(value) = column.constant() {
        facts.push(("always", end(column, value)));
        return facts;
    }
    facts.extend(semantic(column).map(|it| ("stands for", unbroken(&it))));
    facts.extend(column.minimum.as_ref().map(|it| ("minimum", end(column, it))));
    facts.extend(column.maximum.as_ref().map(|it| ("maximum", end(column, it))));
    facts.extend(column.mean.map(|it| ("mean", figure(it))));
    facts.extend(column.standard_deviation.map(|it| ("standard deviation", figure(it))));
    facts.extend(column.lengths.map(|it| {
        let most = plural(it.most, "byte", "bytes");
        let lengths = if it.least == it.most { most } else { format!("{} to {most}", count(it.least)) };
        ("length", lengths)
    }));
    facts
}

fn add_quantiles(page: &mut String, column: &ColumnReport) {
    if column.quantiles.is_empty() {
        return;
    }
    *page += "<div>\n<h3>quantiles</h3>\n<table class=\"quantiles\">\n";
    for (share, quantile) in &column.quantiles {
        let [number, bar] = quantile_cells_by(quantile, |number| place(column, number));
        let bar = if column.exact { String::new() } else { unbroken(&bar) };
        add(
            page,
            format_args!(
                "<tr><th class=\"number\">{}</th><td class=\"number\">{number}</td><td><small>{bar}</small></td></tr>\n",
                unbroken(&percent(*share))
            ),
        );
    }
    *page += "</table>\n</div>\n";
}

fn add_top(page: &mut String, column: &ColumnReport, top: &Top) {
    let most = top.values.iter().map(|it| it.count.upper()).fold(0.0, f64::max);
    *page += "<div>\n<h3>most frequent</h3>\n<table class=\"top\">\n";
    for it in top.listed() {
        let [number, interval] = estimate_cells(&it.count);
        let interval =
            if column.exact { String::new() } else { format!(" <small>{}</small>", unbroken(&interval)) };
        add(
            page,
            format_args!(
                "<tr><td>{}</td><td class=\"chart\">{}</td><td class=\"number\">{number}{interval}</td>\
                 <td class=\"number\">{}</td></tr>\n",
                value(column, &it.value, it.truncated),
                chart::count(&it.count, most),
                unbroken(&percent(column.share(it.count.value())))
            ),
        );
    }
    add(page, format_args!("</table>\n<p class=\"caption\">{}</p>\n</div>\n", others(top)));
}
