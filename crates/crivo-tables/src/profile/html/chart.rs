//! Bars with error bars, as inline SVG. The style sheet defines the colours.

use super::super::points::bin_ends;
use super::super::report::{ColumnReport, Histogram};
use super::{add, escape::escape};
use crivo::Estimate;
use crivo_report::{estimate_cells, whole};

/// The height of charts in SVG units; the page scales them.
const HEIGHT: f64 = 100.0;
const BIN: f64 = 10.0;

/// Returns only the bars of a histogram, for a table.
pub(super) fn small(histogram: &Histogram) -> String {
    if histogram.bins.len() < 2 {
        return String::new();
    }
    let highest = histogram.highest();
    let mut svg = open("small", histogram.bins.len());
    for (place, bin) in histogram.bins.iter().enumerate() {
        bar(&mut svg, place, bin.count.value() / highest);
    }
    svg + "</svg>"
}

/// Returns a histogram with the error bars of its bins, and the content of each bin as a tooltip.
pub(super) fn histogram(column: &ColumnReport, histogram: &Histogram) -> String {
    let highest = histogram.bins.iter().map(|bin| bin.count.upper()).fold(0.0, f64::max);
    let mut svg = open("histogram", histogram.bins.len());
    for (place, bin) in histogram.bins.iter().enumerate() {
        let [number, interval] = estimate_cells(&bin.count);
        add(
            &mut svg,
            format_args!("<g><title>{}: {number} {interval}</title>", escape(&bin_ends(column, bin))),
        );
        bar(&mut svg, place, bin.count.value() / highest);
        if bin.count.lower() < bin.count.upper() {
            let middle = (place as f64 + 0.5) * BIN;
            let [low, high] =
                [bin.count.lower(), bin.count.upper()].map(|end| HEIGHT * (1.0 - end / highest));
            whisker(&mut svg, &format!("M{} {low:.2}h4m-2 0V{high:.2}m-2 0h4", middle - 2.0));
        }
        svg += "</g>";
    }
    svg += "</svg>\n";
    let (Some(first), Some(last)) = (histogram.bins.first(), histogram.bins.last()) else {
        return String::new();
    };
    let ends = [bin_ends(column, first), bin_ends(column, last)].map(|it| escape(&it));
    add(
        &mut svg,
        format_args!("<div class=\"axis\"><span>{}</span><span>{}</span></div>\n", ends[0], ends[1]),
    );
    let highest = histogram.highest();
    let share = super::unbroken(&super::short_percent(column.share(highest)));
    add(
        &mut svg,
        format_args!("<p class=\"caption\">highest bar: {} values, {share} of all</p>\n", whole(highest)),
    );
    svg
}

/// Returns a count as a horizontal bar, on a scale that ends at `most`.
pub(super) fn count(count: &Estimate, most: f64) -> String {
    let part = |number: f64| HEIGHT * number / most;
    let (value, lower, upper) = (part(count.value()), part(count.lower()), part(count.upper()));
    let mut svg = String::from(
        "<svg class=\"count\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
    );
    add(&mut svg, format_args!("<rect class=\"bar\" y=\"1\" width=\"{value:.2}\" height=\"8\"/>"));
    if lower < upper {
        whisker(&mut svg, &format!("M{lower:.2} 3v4m0 -2H{upper:.2}m0 -2v4"));
    }
    svg + "</svg>"
}

fn open(class: &str, bins: usize) -> String {
    format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"histogram\">",
        bins as f64 * BIN
    )
}

/// Adds the bar of a bin. A bin that is not empty is always visible.
fn bar(svg: &mut String, place: usize, share: f64) {
    const LEAST: f64 = 1.0;
    if share > 0.0 {
        let height = (HEIGHT * share).max(LEAST);
        let (x, y, width) = (place as f64 * BIN + 0.5, HEIGHT - height, BIN - 1.0);
        add(
            svg,
            format_args!(
                "<rect class=\"bar\" x=\"{x}\" y=\"{y:.2}\" width=\"{width}\" height=\"{height:.2}\"/>"
            ),
        );
    }
}

/// Adds an error bar with an outline, which separates it from the bar behind for readers who see no colours.
fn whisker(svg: &mut String, path: &str) {
    add(svg, format_args!("<path class=\"halo\" d=\"{path}\"/><path class=\"whisker\" d=\"{path}\"/>"));
}
