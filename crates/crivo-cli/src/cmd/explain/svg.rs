//! A drawing as a picture: one file that needs nothing else, for light and dark screens.

use super::drawing::{Cell, Drawing, Grid, Mark, Row, Step, Verdict};
use super::terminal::wrap_by;
use crivo_report::{Align, display_width, escape, shorten};
use std::fmt::Write;
use std::ops::Range;

const STYLE: &str = include_str!("style.css");

/// Around the picture, and between its panels.
const MARGIN: f64 = 20.0;
/// Inside a panel.
const PADDING: f64 = 16.0;
/// The widest picture; wider grids are drawn in parts.
const WIDEST: f64 = 1000.0;
/// The narrowest, so that texts have room.
const NARROWEST: f64 = 660.0;
const CELL_HEIGHT: f64 = 30.0;
/// From the heads to the cells, and for the arrows above.
const HEAD_HEIGHT: f64 = 20.0;
const ARROW_HEIGHT: f64 = 22.0;
const LINE_HEIGHT: f64 = 22.0;
/// Between groups of columns.
const GAP: f64 = 10.0;
const TEXT_SIZE: f64 = 15.0;
const TITLE_SIZE: f64 = 20.0;
/// A letter of a cell: six tenths of its height of 14 in all fonts of equal widths, and a little more.
const CELL_LETTER: f64 = 8.7;
/// A letter of a label, 13 high.
const LABEL_LETTER: f64 = 8.1;
/// The most that a label takes.
const LABEL: usize = 26;

/// The whole file.
pub(super) fn picture(drawing: &Drawing) -> String {
    let widest = drawing.steps.iter().map(|step| Shape::of(&step.grid).width).fold(0.0, f64::max);
    let inner = widest.clamp(NARROWEST, WIDEST);
    let page = Frame { left: MARGIN, width: inner + 2.0 * PADDING };
    let mut canvas = Canvas { body: String::new(), y: MARGIN };
    canvas.texts(&drawing.title, "title", page, TITLE_SIZE, 28.0);
    canvas.texts(drawing.source.as_deref().unwrap_or_default(), "quiet", page, TEXT_SIZE, LINE_HEIGHT);
    canvas.texts(&drawing.about, "text", page, TEXT_SIZE, LINE_HEIGHT);
    canvas.legend(drawing);
    canvas.panels(drawing, page, widest);
    for result in &drawing.results {
        canvas.texts(&format!("= {result}"), "text", page, TEXT_SIZE, LINE_HEIGHT);
    }
    let (width, height) = (inner + 2.0 * (MARGIN + PADDING), canvas.y + MARGIN);
    let steps = drawing.steps.iter().map(|step| format!("{}: {}.", step.heading, step.remark));
    let language = drawing.words.language.tag();
    let what: Vec<String> = std::iter::once(drawing.about.clone()).chain(steps).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" xml:lang=\"{language}\" role=\"img\" aria-labelledby=\"title what\">\n<title id=\"title\">{}</title>\n\
         <desc id=\"what\">{}</desc>\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
        escape(&drawing.title),
        escape(&what.join(" ")),
        canvas.body
    )
}

/// The measures of a grid.
struct Shape {
    label: f64,
    column: f64,
    group: usize,
    parts: Vec<Range<usize>>,
    /// Of its widest part.
    width: f64,
}

impl Shape {
    fn of(grid: &Grid) -> Self {
        let labels =
            grid.rows.iter().map(|row| display_width(&row.label)).chain([display_width(&grid.corner)]);
        let label = labels.max().unwrap_or(0).min(LABEL) as f64 * LABEL_LETTER;
        let label = if label > 0.0 { label + 10.0 } else { 0.0 };
        let cells = grid.rows.iter().flat_map(|row| &row.cells);
        let texts =
            cells.map(|cell| (display_width(&cell.text) as f64 * CELL_LETTER + 14.0) / cell.span as f64);
        let heads = grid.heads.iter().map(|head| display_width(head) as f64 * LABEL_LETTER + 8.0);
        let column = texts.chain(heads).fold(CELL_HEIGHT, f64::max).ceil();
        let group = if grid.group > 0 { grid.group } else { grid.heads.len().max(1) };
        let room = WIDEST - label;
        let groups = ((room + GAP) / (column * group as f64 + GAP)) as usize;
        let fit = if grid.group > 0 { groups * group } else { (room / column) as usize };
        let parts = grid.parts(fit);
        let mut shape = Self { label, column, group, parts, width: 0.0 };
        shape.width = shape.parts.first().map_or(0.0, |part| shape.right(part, part.end));
        shape
    }

    /// Where a column begins in its part.
    fn left(&self, part: &Range<usize>, place: usize) -> f64 {
        let gaps = (part.start + 1..=place).filter(|it| it.is_multiple_of(self.group)).count();
        self.label + (place - part.start) as f64 * self.column + gaps as f64 * GAP
    }

    /// Where the column before ends.
    fn right(&self, part: &Range<usize>, end: usize) -> f64 {
        if end == part.start { self.label } else { self.left(part, end - 1) + self.column }
    }
}

/// Where something is drawn, from left to right.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    width: f64,
}

/// What is drawn so far, and where it ends.
struct Canvas {
    body: String,
    y: f64,
}

impl Canvas {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        add(&mut self.body, text);
    }

    /// A text in lines that fit.
    fn texts(&mut self, text: &str, class: &str, frame: Frame, size: f64, height: f64) {
        for line in wrap_by(text, |line| text_width(line, size) <= frame.width) {
            self.y += height;
            let (x, y) = (frame.left, self.y - 6.0);
            self.add(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>\n", escape(&line)));
        }
    }

    fn legend(&mut self, drawing: &Drawing) {
        let (y, mut x) = (self.y + 8.0, MARGIN);
        for mark in drawing.marks() {
            self.cell(x, y, 26.0, &Cell::new("", mark));
            let (word, right) = (mark.meaning(drawing.words), x + 34.0);
            self.add(format_args!("<text class=\"quiet\" x=\"{right}\" y=\"{}\">{word}</text>\n", y + 20.0));
            x = right + text_width(&word, TEXT_SIZE) + 24.0;
        }
        self.y = y + CELL_HEIGHT + MARGIN / 2.0;
    }

    /// All steps, two side by side where they are narrow.
    fn panels(&mut self, drawing: &Drawing, page: Frame, widest: f64) {
        const BETWEEN: f64 = MARGIN / 2.0;
        let half = (page.width - BETWEEN) / 2.0;
        let columns = if widest + 2.0 * PADDING <= half { 2 } else { 1 };
        let width = if columns == 2 { half } else { page.width };
        let numbered: Vec<(usize, &Step)> = (1..).zip(&drawing.steps).collect();
        for beside in numbered.chunks(columns) {
            let (top, behind) = (self.y, self.body.len());
            let mut bottom = top;
            let mut lefts = Vec::new();
            for (number, step) in beside {
                let left = page.left + lefts.len() as f64 * (width + BETWEEN);
                lefts.push(left);
                self.y = top;
                self.panel(*number, step, Frame { left: left + PADDING, width: width - 2.0 * PADDING });
                bottom = bottom.max(self.y);
            }
            // The frames lie behind what is in them, whose height is not known before.
            let height = bottom - top;
            let rect = |left: f64| {
                format!(
                    "<rect class=\"panel\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n"
                )
            };
            self.body.insert_str(behind, &lefts.into_iter().map(rect).collect::<String>());
            self.y = bottom + BETWEEN;
        }
    }

    fn panel(&mut self, number: usize, step: &Step, frame: Frame) {
        self.y += PADDING / 2.0;
        self.texts(&format!("{number}. {}", step.heading), "heading", frame, TEXT_SIZE, 26.0);
        self.grid(&step.grid, frame.left);
        let class = match step.verdict {
            Verdict::None => "text",
            Verdict::Right => "right",
            Verdict::Wrong => "wrong",
        };
        self.texts(&step.remark, class, frame, TEXT_SIZE, LINE_HEIGHT);
        self.y += PADDING / 2.0;
    }

    fn grid(&mut self, grid: &Grid, x: f64) {
        let shape = Shape::of(grid);
        for part in &shape.parts {
            self.arrows(grid, &shape, part, x);
            self.y += HEAD_HEIGHT;
            let y = self.y - 5.0;
            if !grid.corner.is_empty() {
                self.add(format_args!(
                    "<text class=\"label\" x=\"{x}\" y=\"{y}\">{}</text>\n",
                    escape(&grid.corner)
                ));
            }
            for place in part.clone().filter(|&place| !grid.heads[place].is_empty()) {
                let middle = x + shape.left(part, place) + shape.column / 2.0;
                let head = escape(&grid.heads[place]);
                self.add(format_args!("<text class=\"head\" x=\"{middle}\" y=\"{y}\">{head}</text>\n"));
            }
            for row in &grid.rows {
                self.row(row, &shape, part, x, grid.align);
            }
            self.y += 6.0;
        }
    }

    fn row(&mut self, row: &Row, shape: &Shape, part: &Range<usize>, x: f64, align: Align) {
        let y = self.y;
        if !row.label.is_empty() {
            let label = escape(&shorten(&row.label, LABEL));
            self.add(format_args!("<text class=\"label\" x=\"{x}\" y=\"{}\">{label}</text>\n", y + 20.0));
        }
        for (places, cell) in row.part(part) {
            let left = x + shape.left(part, places.start);
            let width = shape.right(part, places.end) + x - left;
            // Where nothing is, nothing is drawn.
            if !cell.text.is_empty() || cell.mark != Mark::Plain {
                self.cell(left, y, width, cell);
            }
            let (class, at) = match align {
                Align::Right => ("value", left + width / 2.0),
                Align::Left => ("value start", left + 7.0),
            };
            if !cell.text.is_empty() {
                let text = escape(&cell.text);
                self.add(format_args!(
                    "<text class=\"{class}\" x=\"{at}\" y=\"{}\">{text}</text>\n",
                    y + 20.0
                ));
            }
        }
        self.y += CELL_HEIGHT;
    }

    /// The frame of a cell. Marks differ in their lines too, for those who see no colours.
    fn cell(&mut self, x: f64, y: f64, width: f64, cell: &Cell) {
        let class = match cell.mark {
            Mark::Plain => "cell",
            Mark::Changed => "cell changed",
            Mark::Seen => "cell seen",
            Mark::Decides => "cell decides",
        };
        let (x, y, width, height) = (x + 1.5, y + 1.5, width - 3.0, CELL_HEIGHT - 3.0);
        self.add(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>\n"
        ));
        if cell.mark == Mark::Decides {
            let (x, y, width, height) = (x + 3.0, y + 3.0, width - 6.0, height - 6.0);
            self.add(format_args!(
                "<rect class=\"inner\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"2\"/>\n"
            ));
        }
    }

    /// From the item to its cells, where there is one row of them.
    fn arrows(&mut self, grid: &Grid, shape: &Shape, part: &Range<usize>, x: f64) {
        let [row] = grid.rows.as_slice() else { return };
        let marked = row.part(part).into_iter().filter(|(_, cell)| cell.mark != Mark::Plain);
        let middles: Vec<f64> =
            marked.map(|(places, _)| x + shape.left(part, places.start) + shape.column / 2.0).collect();
        let (Some(first), Some(last)) = (middles.first(), middles.last()) else { return };
        let (top, bottom) = (self.y + 8.0, self.y + ARROW_HEIGHT);
        let start = x + 24.0;
        let (left, right) = (first.min(start), last.max(start));
        let mut path = format!("M{start} {}V{top}M{left} {top}H{right}", self.y + 2.0);
        for middle in &middles {
            write!(path, "M{middle} {top}V{bottom}m-4 -6l4 6l4 -6").expect("writing to a String cannot fail");
        }
        self.add(format_args!("<path class=\"arrow\" d=\"{path}\"/>\n"));
        self.y += ARROW_HEIGHT;
    }
}

/// Writes behind a text.
pub(super) fn add(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).expect("writing to a String cannot fail");
}

/// How wide a line is at most, in the widest of the usual fonts.
fn text_width(text: &str, size: f64) -> f64 {
    let letter = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.38,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '→' | '…' => 1.12,
        c if c.is_ascii_uppercase() => 0.8,
        c if c.is_ascii() || ('à'..='ÿ').contains(&c) => 0.66,
        c => match display_width(c.encode_utf8(&mut [0; 4])) {
            0 => 0.0,
            1 => 1.2,
            _ => 1.3,
        },
    };
    text.chars().map(letter).sum::<f64>() * size
}
