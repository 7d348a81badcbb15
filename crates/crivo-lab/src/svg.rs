//! Draws a [`Plot`] as SVG: legend below, no fonts embedded, dark where the reader's screen is.

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::axis::Axis;
use crate::plot::{Plot, Point, Series, Style};
use crate::{Error, Result};

const SIZE: (u32, u32) = (900, 560);
const LEGEND_COLUMNS: usize = 2;
const LEGEND_ROW: i32 = 24;
const AXIS_AREA: u32 = 76;
const X_TICKS: usize = 10;

/// Okabe and Ito's colours, which colour-blind readers distinguish, too; yellow is left out, too faint on white, and grey comes last.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(120, 120, 120),
];
const BAND: RGBColor = RGBColor(222, 222, 222);
const GRID: RGBColor = RGBColor(236, 236, 236);

/// The same colours for a dark screen, and a class, so that the rules touch no other drawing of a page.
pub(crate) const DARK: &str = r##"<style>@media (prefers-color-scheme: dark) {
.crivo-plot [fill="#FFFFFF"] { fill: #15181c } .crivo-plot text, .crivo-plot [fill="#000000"] { fill: #e8e8e8 }
.crivo-plot [stroke="#000000"] { stroke: #e8e8e8 } .crivo-plot [stroke="#ECECEC"] { stroke: #2b3036 }
.crivo-plot [fill="#DEDEDE"] { fill: #3a4048 }
.crivo-plot [fill="#0072B2"] { fill: #4aa3df } .crivo-plot [stroke="#0072B2"] { stroke: #4aa3df }
.crivo-plot [fill="#D55E00"] { fill: #f07f2e } .crivo-plot [stroke="#D55E00"] { stroke: #f07f2e }
.crivo-plot [fill="#009E73"] { fill: #26c299 } .crivo-plot [stroke="#009E73"] { stroke: #26c299 }
}</style>
"##;

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;
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
        let (head, body) = svg.split_once(">\n").unwrap_or((&svg, ""));
        Ok(format!("{head} class=\"crivo-plot\" role=\"img\">\n{DARK}{body}"))
    }

    fn draw(&self, root: &Canvas) -> Drawn {
        root.fill(&WHITE)?;
        let legend_rows = i32::try_from(self.series.len().div_ceil(LEGEND_COLUMNS))?;
        let height = i32::try_from(SIZE.1)?;
        let (panel, legend) = root.split_vertically(height - legend_rows * LEGEND_ROW - 12);
        let (x, y) = self.axes_shown();
        let mut chart = ChartBuilder::on(&panel)
            .caption(&self.title, ("sans-serif", 20))
            .margin(12)
            .margin_right(28)
            .x_label_area_size(52)
            .y_label_area_size(AXIS_AREA)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 16))
            .x_labels(X_TICKS)
            .x_label_formatter(&|value| x.tick(*value))
            .y_label_formatter(&|value| y.tick(*value))
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (series, colour) in self.coloured() {
            for run in visible_runs(&series.points, x, y) {
                draw_run(&mut chart, series.style, &run, colour, y)?;
            }
        }
        self.draw_legend(&legend)
    }

    /// Bands and theory are grey and black; the other series take the palette in their order, or the colour that they name.
    fn coloured(&self) -> impl Iterator<Item = (&Series, RGBColor)> {
        let mut next = 0;
        self.series.iter().map(move |series| {
            let colour = match series.style {
                Style::Theory => BLACK,
                Style::Band => BAND,
                Style::Curve | Style::Points | Style::Joined => {
                    let index = series.colour.unwrap_or(next);
                    next = index + 1;
                    PALETTE[index % PALETTE.len()]
                }
            };
            (series, colour)
        })
    }

    /// What both axes show: all that is drawn and a margin; from zero where the data all but reach it.
    fn axes_shown(&self) -> (Axis, Axis) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Axis::around(self.log_x, points().map(|point| (point.x, point.x)), 0.02);
        let y = match self.y_range {
            Some((low, high)) => Axis { low, high, log: self.log_y },
            // Of a bar that reaches zero only what a logarithm can show.
            None if self.log_y => Axis::around(true, points().map(|point| (point.y, point.upper)), 0.05),
            None => Axis::around(false, points().map(|point| (point.lower, point.upper)), 0.05),
        };
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
                Style::Theory | Style::Curve => {
                    area.draw(&PathElement::new([(x, y), (x + 28, y)], stroke))?;
                }
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

/// The points that both axes show, split where one is not, so that no line bridges a gap.
fn visible_runs(points: &[Point], x: Axis, y: Axis) -> Vec<Vec<Point>> {
    let visible = |point: &Point| x.shows(point.x) && y.shows(point.y);
    points.split(|point| !visible(point)).filter(|run| !run.is_empty()).map(<[Point]>::to_vec).collect()
}

fn draw_run(chart: &mut Chart, style: Style, run: &[Point], colour: RGBColor, y: Axis) -> Drawn {
    let line = || run.iter().map(|point| (point.x, point.y));
    let lower = |point: &Point| (point.x, point.lower.max(y.low));
    let upper = |point: &Point| (point.x, point.upper.min(y.high));
    match style {
        Style::Theory | Style::Curve => {
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
        assert!(Plot::new("empty", "Nothing").log_x().log_y().to_svg().is_ok());
    }

    /// One point at zero cannot be shown, nor can a bar below it.
    #[test]
    fn logarithmic_axes_leave_out_what_is_not_positive() {
        let svg = sample().log_x().log_y().to_svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), 20, "19 points and the legend's");
    }

    #[test]
    fn a_dark_screen_gets_dark_figures() {
        let svg = sample().to_svg().unwrap();
        assert!(svg.contains("class=\"crivo-plot\"") && svg.contains("prefers-color-scheme: dark"));
        // Every colour that the rules change is one that is drawn.
        for colour in [WHITE, BLACK, GRID, BAND, PALETTE[0], PALETTE[1], PALETTE[2]] {
            let RGBColor(r, g, b) = colour;
            assert!(DARK.contains(&format!("\"#{r:02X}{g:02X}{b:02X}\"")), "{colour:?}");
        }
    }
}
