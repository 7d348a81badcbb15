//! A figure as data: what is drawn, not how. [`Plot::to_svg`] draws it.

/// A figure with one pair of axes, each linear or logarithmic.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Goes into the file name.
    pub(crate) name: &'static str,
    /// Above the figure.
    pub(crate) title: String,
    /// The name of the horizontal axis, with its unit.
    pub(crate) x_label: String,
    /// The name of the vertical axis, with its unit.
    pub(crate) y_label: String,
    /// The part of the vertical axis that is shown; all that is drawn if `None`.
    pub(crate) y_range: Option<(f64, f64)>,
    /// Whether the horizontal axis is logarithmic.
    pub(crate) log_x: bool,
    /// Whether the vertical axis is logarithmic.
    pub(crate) log_y: bool,
    /// What is drawn, in this order; colours are given in the same order.
    pub(crate) series: Vec<Series>,
}

impl Plot {
    /// An empty figure.
    pub fn new(name: &'static str, title: impl Into<String>) -> Self {
        let title = title.into();
        Self {
            name,
            title,
            x_label: String::new(),
            y_label: String::new(),
            y_range: None,
            log_x: false,
            log_y: false,
            series: Vec::new(),
        }
    }

    /// Names the axes, each with its unit.
    #[must_use]
    pub fn axes(self, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self { x_label: x_label.into(), y_label: y_label.into(), ..self }
    }

    /// Shows only this part of the vertical axis.
    #[must_use]
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { y_range: Some((low, high)), ..self }
    }

    /// Makes the horizontal axis logarithmic. What is not positive is left out.
    #[must_use]
    pub fn log_x(self) -> Self {
        Self { log_x: true, ..self }
    }

    /// Makes the vertical axis logarithmic. What is not positive is left out; a bar that reaches zero ends at the axis.
    #[must_use]
    pub fn log_y(self) -> Self {
        Self { log_y: true, ..self }
    }

    /// Adds series on top of those before.
    #[must_use]
    pub fn with(mut self, series: impl IntoIterator<Item = Series>) -> Self {
        self.series.extend(series);
        self
    }
}

/// How a [`Series`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Theory: a black line through the values.
    Theory,
    /// Theory, one curve of several: a coloured line through the values.
    Curve,
    /// Where theory lets the data be: a grey area between the bounds of each point.
    Band,
    /// Measured: points, with a bar between the bounds of each.
    Points,
    /// Measured: points joined by a line, with a bar between the bounds of each.
    Joined,
}

/// A place in a figure, with the bounds of its error bar or band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The lower bound: `y` where there is none.
    pub lower: f64,
    /// The upper bound: `y` where there is none.
    pub upper: f64,
}

impl Point {
    /// Without bounds.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, lower: y, upper: y }
    }

    /// With bounds.
    #[must_use]
    pub fn with_bounds(self, lower: f64, upper: f64) -> Self {
        Self { lower, upper, ..self }
    }

    pub(crate) fn is_finite(&self) -> bool {
        [self.x, self.y, self.lower, self.upper].iter().all(|value| value.is_finite())
    }
}

/// One curve, cloud or band. Points that are not finite are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend says.
    pub label: String,
    /// How it looks.
    pub style: Style,
    /// Which colour of the palette it has, counted from 0; the next one if `None`.
    pub colour: Option<usize>,
    /// From left to right.
    pub points: Vec<Point>,
}

impl Series {
    /// A series from its points.
    pub fn new(label: impl Into<String>, style: Style, points: impl IntoIterator<Item = Point>) -> Self {
        let points = points.into_iter().filter(Point::is_finite).collect();
        Self { label: label.into(), style, colour: None, points }
    }

    /// Gives it this colour of the palette, counted from 0: a curve of theory and the points that belong to it.
    #[must_use]
    pub fn coloured(self, colour: usize) -> Self {
        Self { colour: Some(colour), ..self }
    }
}
