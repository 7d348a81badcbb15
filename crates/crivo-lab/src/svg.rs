//! Draws a [`Plot`] as SVG: white panel, legend below, no fonts embedded.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::plot::{Plot, Point, Series, Style};
use crate::{Error, Result};

const SIZE: (u32, u32) = (900, 560);
const LEGEND_COLUMNS: usize = 2;
const LEGEND_ROW: i32 = 24;
const AXIS_AREA: u32 = 76;

/// Okabe and Ito's colours, told apart by colour-blind readers too; yellow is left out, too faint on white.
const PALETTE: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];
const BAND: RGBColor = RGBColor(222, 222, 222);
const GRID: RGBColor = RGBColor(236, 236, 236);

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

impl Plot {
    /// The figure as an SVG document. The same plot gives the same bytes.
    ///
    /// # Errors
    /// When the drawing library refuses.
    pub fn to_svg(&self) -> Result<String> {
        let mut svg = String::new();
        self.draw(&SVGBackend::with_string(&mut svg, SIZE).into_drawing_area())
            .map_err(|reason| Error::Plot { name: self.name.to_owned(), reason: reason.to_string() })?;
        Ok(svg)
    }

    fn draw(&self, root: &Canvas) -> Drawn {
        root.fill(&WHITE)?;
        let legend_rows = i32::try_from(self.series.len().div_ceil(LEGEND_COLUMNS))?;
        let height = i32::try_from(SIZE.1)?;
        let (panel, legend) = root.split_vertically(height - legend_rows * LEGEND_ROW - 12);
        let (x, y) = self.ranges();
        let mut chart = ChartBuilder::on(&panel)
            .caption(&self.title, ("sans-serif", 20))
            .margin(12)
            .margin_right(28)
            .x_label_area_size(52)
            .y_label_area_size(AXIS_AREA)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 16))
            .x_label_formatter(&|value| tick(*value))
            .y_label_formatter(&|value| tick(*value))
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (series, colour) in self.coloured() {
            for run in visible_runs(&series.points, y) {
                draw_run(&mut chart, series.style, &run, colour, y)?;
            }
        }
        self.draw_legend(&legend)
    }

    /// Bands and theory are grey and black; the measured series take the palette in their order.
    fn coloured(&self) -> impl Iterator<Item = (&Series, RGBColor)> {
        let mut palette = PALETTE.iter().cycle();
        self.series.iter().map(move |series| {
            let colour = match series.style {
                Style::Theory => Some(&BLACK),
                Style::Band => Some(&BAND),
                Style::Points | Style::Joined => palette.next(),
            };
            (series, colour.copied().unwrap_or(BLACK))
        })
    }

    /// What both axes show: all that is drawn and a margin; from zero where the data all but reach it.
    fn ranges(&self) -> ((f64, f64), (f64, f64)) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = padded(points().map(|point| (point.x, point.x)), 0.02);
        let y =
            self.y_range.unwrap_or_else(|| padded(points().map(|point| (point.lower, point.upper)), 0.05));
        (x, y)
    }

    fn draw_legend(&self, area: &Canvas) -> Drawn {
        let left = i32::try_from(AXIS_AREA)? + 12;
        let column_width = (i32::try_from(SIZE.0)? - left - 28) / i32::try_from(LEGEND_COLUMNS)?;
        for (i, (series, colour)) in self.coloured().enumerate() {
            let x = left + i32::try_from(i % LEGEND_COLUMNS)? * column_width;
            let y = i32::try_from(i / LEGEND_COLUMNS)? * LEGEND_ROW + LEGEND_ROW / 2;
            let stroke = colour.stroke_width(2);
            match series.style {
                Style::Theory => area.draw(&PathElement::new([(x, y), (x + 28, y)], stroke))?,
                Style::Band => area.draw(&Rectangle::new([(x, y - 6), (x + 28, y + 6)], colour.filled()))?,
                Style::Points => area.draw(&Circle::new((x + 14, y), 4, colour.filled()))?,
                Style::Joined => {
                    area.draw(&PathElement::new([(x, y), (x + 28, y)], stroke))?;
                    area.draw(&Circle::new((x + 14, y), 4, colour.filled()))?;
                }
            }
            area.draw(&Text::new(series.label.clone(), (x + 38, y - 7), ("sans-serif", 14)))?;
        }
        Ok(())
    }
}

fn padded(bounds: impl Iterator<Item = (f64, f64)>, share: f64) -> (f64, f64) {
    let (low, high) = bounds.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (lower, upper)| {
        (low.min(lower), high.max(upper))
    });
    if low > high {
        return (0.0, 1.0);
    }
    let margin = if low < high { (high - low) * share } else { 1.0 };
    let nearly_zero = low >= 0.0 && low < 0.25 * high;
    (if nearly_zero { 0.0 } else { low - margin }, high + margin)
}

/// The points inside the vertical range, split where one is not, so that no line bridges a gap.
fn visible_runs(points: &[Point], (low, high): (f64, f64)) -> Vec<Vec<Point>> {
    let visible = |point: &Point| (low..=high).contains(&point.y);
    points.split(|point| !visible(point)).filter(|run| !run.is_empty()).map(<[Point]>::to_vec).collect()
}

fn draw_run(chart: &mut Chart, style: Style, run: &[Point], colour: RGBColor, y: (f64, f64)) -> Drawn {
    let line = || run.iter().map(|point| (point.x, point.y));
    let lower = |point: &Point| (point.x, point.lower.max(y.0));
    let upper = |point: &Point| (point.x, point.upper.min(y.1));
    match style {
        Style::Theory => {
            chart.draw_series(LineSeries::new(line(), colour.stroke_width(2)))?;
        }
        Style::Band => {
            let outline: Vec<_> = run.iter().map(upper).chain(run.iter().rev().map(lower)).collect();
            chart.draw_series([Polygon::new(outline, colour.filled())])?;
        }
        Style::Points | Style::Joined => {
            if style == Style::Joined {
                chart.draw_series(LineSeries::new(line(), colour.stroke_width(2)))?;
            }
            let bars = run.iter().filter(|point| point.lower < point.upper);
            chart.draw_series(bars.map(|point| PathElement::new([lower(point), upper(point)], colour)))?;
            chart.draw_series(line().map(|place| Circle::new(place, 3, colour.filled())))?;
        }
    }
    Ok(())
}

/// The shortest decimal that says which tick it is: neither `0.30000000000000004` nor `10.0`.
fn tick(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Plot {
        let points = |offset: f64| (0..20).map(move |i| Point::new(f64::from(i), f64::from(i * i) + offset));
        let with_bars = points(1.0).map(|point| point.with_bounds(point.y - 9.0, point.y + 9.0));
        Plot::new("sample", "A < B & C")
            .axes("items (count)", "square (%)")
            .with([Series::new("theory", Style::Theory, points(0.0))])
            .with([Series::new("measured", Style::Points, with_bars)])
    }

    #[test]
    fn names_everything_and_is_the_same_every_time() {
        let svg = sample().to_svg().unwrap();
        for text in ["A &lt; B &amp; C", "items (count)", "square (%)", "theory", "measured"] {
            assert!(svg.contains(text), "{text} is missing");
        }
        assert_eq!(svg, sample().to_svg().unwrap());
    }

    #[test]
    fn leaves_out_what_is_not_in_range() {
        let plot = sample().between(0.0, 50.0);
        let dots = |plot: &Plot| plot.to_svg().unwrap().matches("<circle").count();
        assert_eq!(dots(&sample()), 21, "20 points and the legend's");
        assert_eq!(dots(&plot), 9, "0..=7 squared, and the legend's");
        let infinite = Series::new("none", Style::Points, [Point::new(1.0, f64::INFINITY)]);
        assert!(infinite.points.is_empty());
    }

    #[test]
    fn an_empty_plot_is_drawn() {
        assert!(Plot::new("empty", "Nothing").to_svg().is_ok());
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!([0.1 + 0.2, 10.0, -0.0, 1e-3].map(tick), ["0.3", "10", "0", "0.001"]);
    }
}
