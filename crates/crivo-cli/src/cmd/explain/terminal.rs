//! A drawing in the letters of a terminal. Marks are brackets; colours come on top where they are seen.

use super::drawing::{Cell, Drawing, Grid, Mark, Row, Step, Verdict};
use crate::output::speaks_utf8;
use crivo_report::{Align, display_width, shorten};
use std::io::IsTerminal;
use std::ops::Range;

/// What the terminal can show.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) colours: bool,
    pub(super) utf8: bool,
}

/// Before each line below a heading.
const INDENT: &str = "   ";
/// What parts groups of columns.
const GAP: &str = "| ";
/// The most that a label takes.
const LABEL: usize = 24;

const HEADING: &str = "1";

impl Look {
    /// Colours on a terminal alone, and not where the user wants none.
    pub(super) fn of_stdout() -> Self {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|name| name == "dumb");
        let colours = std::io::stdout().is_terminal() && !is_unwanted && !is_dumb;
        Self { colours, utf8: speaks_utf8() }
    }

    /// The text with these attributes, as a terminal numbers them.
    fn paint(self, text: &str, attributes: &str) -> String {
        if self.colours && !attributes.is_empty() && !text.is_empty() {
            format!("\x1b[{attributes}m{text}\x1b[0m")
        } else {
            text.into()
        }
    }

    /// In letters that the terminal has.
    fn spell(self, line: String) -> String {
        if self.utf8 {
            return line;
        }
        let plain = [
            ("→", "->"),
            ("×", "x"),
            ("·", "."),
            ("−", "-"),
            ("–", "-"),
            ("…", "~"),
            ("²", "^2"),
            ("√", "sqrt "),
            ("α", "alpha"),
            ("θ", "theta"),
            ("π", "pi"),
            ("ª", "a"),
            ("á", "a"),
            ("à", "a"),
            ("â", "a"),
            ("ã", "a"),
            ("ç", "c"),
            ("é", "e"),
            ("ê", "e"),
            ("í", "i"),
            ("ó", "o"),
            ("ô", "o"),
            ("õ", "o"),
            ("ú", "u"),
        ];
        plain.iter().fold(line, |line, (letter, spelt)| line.replace(letter, spelt))
    }
}

/// The lines of each part, in order: what it is, every step, and what follows.
fn parts(drawing: &Drawing, width: usize, look: Look) -> Vec<Vec<String>> {
    let width = width.max(20);
    let mut opening: Vec<String> =
        wrap(&drawing.title, width, look).iter().map(|line| look.paint(line, HEADING)).collect();
    opening.extend(drawing.source.iter().flat_map(|source| wrap(source, width, look)));
    opening.push(String::new());
    opening.extend(wrap(&drawing.about, width, look));
    opening.extend(legend(drawing, width, look));
    let mut parts = vec![opening];
    for (number, step) in (1..).zip(&drawing.steps) {
        let mut lines = Vec::new();
        add_step(&mut lines, number, step, width, look);
        parts.push(lines);
    }
    let mut results = Vec::new();
    for result in &drawing.results {
        let wrapped = wrap(result, width - 2, look);
        let starts = std::iter::once("= ").chain(std::iter::repeat("  "));
        results.extend(starts.zip(wrapped).map(|(start, line)| format!("{start}{line}")));
    }
    parts.push(results);
    let spelt = |lines: Vec<String>| lines.into_iter().map(|line| look.spell(line)).collect();
    parts.into_iter().map(spelt).collect()
}

/// These parts of a drawing, with an empty line before each but the first.
pub(super) fn lines(drawing: &Drawing, shown: Range<usize>, width: usize, look: Look) -> Vec<String> {
    let parts = parts(drawing, width, look).into_iter().enumerate();
    let shown = parts.filter(|(place, _)| shown.contains(place));
    shown.flat_map(|(place, lines)| (place > 0).then(String::new).into_iter().chain(lines)).collect()
}

/// What the marks mean, on a line if it fits.
fn legend(drawing: &Drawing, width: usize, look: Look) -> Vec<String> {
    let text = |mark: Mark| {
        let [open, close] = brackets(mark);
        format!("{open}{}{close}", mark.meaning(drawing.words))
    };
    let parts: Vec<String> = drawing.marks().map(|mark| look.paint(&text(mark), attributes(mark))).collect();
    let room: usize = drawing.marks().map(|mark| display_width(&text(mark)) + 2).sum();
    if room <= width + 2 && !parts.is_empty() { vec![parts.join("  ")] } else { parts }
}

fn add_step(lines: &mut Vec<String>, number: usize, step: &Step, width: usize, look: Look) {
    let heading = wrap(&format!("{number}. {}", step.heading), width - INDENT.len(), look);
    let indents = std::iter::once("").chain(std::iter::repeat(INDENT));
    lines
        .extend(indents.zip(heading).map(|(indent, line)| format!("{indent}{}", look.paint(&line, HEADING))));
    add_grid(lines, &step.grid, width, look);
    let attributes = match step.verdict {
        Verdict::None => "",
        Verdict::Right => "32",
        Verdict::Wrong => "1;31",
    };
    let remark = wrap(&step.remark, width - INDENT.len(), look);
    lines.extend(remark.iter().map(|line| format!("{INDENT}{}", look.paint(line, attributes))));
}

fn add_grid(lines: &mut Vec<String>, grid: &Grid, width: usize, look: Look) {
    let labels = grid.rows.iter().map(|row| display_width(&row.label)).chain([display_width(&grid.corner)]);
    let label = labels.max().unwrap_or(0).min(LABEL).min(width / 3);
    let label = if label > 0 { label + 1 } else { 0 };
    let column = column_width(grid);
    let group = if grid.group > 0 { grid.group } else { grid.heads.len().max(1) };
    let room = width.saturating_sub(INDENT.len() + label);
    let fit = (room + GAP.len()) * group / (column * group + GAP.len());
    for part in grid.parts(if grid.group > 0 { fit } else { room / column }) {
        if part.start > 0 {
            lines.push(String::new());
        }
        let gap = |place: usize| if place > part.start && place.is_multiple_of(group) { GAP } else { "" };
        let mut line =
            format!("{INDENT}{}", pad(&shorten(&grid.corner, label.saturating_sub(1)), label, Align::Left));
        for place in part.clone() {
            let head = match grid.align {
                Align::Right => format!("{} ", pad(&grid.heads[place], column - 1, Align::Right)),
                Align::Left => format!(" {}", pad(&grid.heads[place], column - 1, Align::Left)),
            };
            line.extend([gap(place), &head]);
        }
        lines.push(line.trim_end().into());
        for row in &grid.rows {
            lines.push(line_of(row, &part, (label, column), grid.align, &gap, look));
        }
    }
}

fn line_of(
    row: &Row,
    part: &Range<usize>,
    (label, column): (usize, usize),
    align: Align,
    gap: &impl Fn(usize) -> &'static str,
    look: Look,
) -> String {
    let mut line =
        format!("{INDENT}{}", pad(&shorten(&row.label, label.saturating_sub(1)), label, Align::Left));
    for (places, cell) in row.part(part) {
        line += gap(places.start);
        let gaps: usize = (places.start + 1..places.end).map(|place| gap(place).len()).sum();
        line += &in_brackets(cell, column * places.len() + gaps, align, look);
    }
    line.trim_end().into()
}

/// The widest cell, with its brackets; one that takes several columns is shared out among them.
fn column_width(grid: &Grid) -> usize {
    let cells = grid.rows.iter().flat_map(|row| &row.cells);
    let widths = cells.map(|cell| (display_width(&cell.text) + 2).div_ceil(cell.span));
    let heads = grid.heads.iter().map(|head| display_width(head) + 1);
    widths.chain(heads).max().unwrap_or(0).max(3)
}

/// The text of a cell in `width` columns, between the brackets of its mark.
fn in_brackets(cell: &Cell, width: usize, align: Align, look: Look) -> String {
    let [open, close] = brackets(cell.mark);
    let text = shorten(&cell.text, width.saturating_sub(2));
    let blank = width.saturating_sub(2 + display_width(&text));
    if cell.span > 1 {
        // A wide cell shows how far it reaches.
        let (left, right) = ("-".repeat(blank / 2), "-".repeat(blank - blank / 2));
        return look.paint(&format!("{open}{left}{text}{right}{close}"), attributes(cell.mark));
    }
    let painted = look.paint(&format!("{open}{text}{close}"), attributes(cell.mark));
    match align {
        Align::Right => format!("{}{painted}", " ".repeat(blank)),
        Align::Left => format!("{painted}{}", " ".repeat(blank)),
    }
}

fn brackets(mark: Mark) -> [&'static str; 2] {
    match mark {
        Mark::Plain => [" ", " "],
        Mark::Changed => ["[", "]"],
        Mark::Seen => ["(", ")"],
        Mark::Decides => ["<", ">"],
    }
}

fn attributes(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "",
        Mark::Changed => "1;33",
        Mark::Seen => "36",
        Mark::Decides => "1;35",
    }
}

fn pad(text: &str, width: usize, align: Align) -> String {
    let blanks = " ".repeat(width.saturating_sub(display_width(text)));
    match align {
        Align::Left => format!("{text}{blanks}"),
        Align::Right => format!("{blanks}{text}"),
    }
}

/// The words of a text in lines of at most `room` columns; a longer word is cut.
fn wrap(text: &str, room: usize, look: Look) -> Vec<String> {
    wrap_by(&look.spell(text.into()), |line| display_width(line) <= room)
}

/// The words of a text in lines that fit; a word that does not fit by itself is cut.
pub(super) fn wrap_by(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if fits(&longer) {
            line = longer;
            continue;
        }
        lines.extend(Some(std::mem::take(&mut line)).filter(|line| !line.is_empty()));
        line = (0..=display_width(word))
            .rev()
            .map(|room| shorten(word, room))
            .find(|it| fits(it))
            .unwrap_or_default();
    }
    lines.extend(Some(line).filter(|line| !line.is_empty()));
    lines
}

#[cfg(test)]
mod tests {
    use super::super::words::{Language, Words};
    use super::*;

    const ALL: Range<usize> = 0..usize::MAX;
    const PLAIN: Look = Look { colours: false, utf8: true };

    fn drawing(grid: Grid) -> Drawing {
        let step = Step { heading: "go".into(), grid, remark: "done".into(), verdict: Verdict::Right };
        Drawing {
            words: Words { language: Language::En, kind: "bloom" },
            title: "T".into(),
            source: None,
            about: "A".into(),
            steps: vec![step],
            results: vec!["r".into()],
        }
    }

    #[test]
    fn marks_are_brackets() {
        let cells = [Mark::Plain, Mark::Changed, Mark::Seen, Mark::Decides].map(|mark| Cell::new(7, mark));
        let drawing = drawing(Grid::new([1, 2, 3, 10]).row("", cells.to_vec()));
        let text = lines(&drawing, ALL, 80, PLAIN).join("\n");
        assert!(text.contains("\n    1  2  3 10\n    7 [7](7)<7>\n   done\n"), "{text}");
        assert!(text.contains("\n[changed]  (looked at)  <decides>\n"), "{text}");
        let coloured = lines(&drawing, ALL, 80, Look { colours: true, utf8: true }).join("\n");
        assert!(
            coloured.contains("\x1b[1;33m[7]\x1b[0m") && coloured.contains("\x1b[32mdone\x1b[0m"),
            "{coloured}"
        );
    }

    #[test]
    fn wide_grids_are_drawn_in_parts() {
        for (group, width) in [(0, 20), (0, 40), (0, 80), (4, 40), (4, 80)] {
            let grid = Grid::new(0..64).row("row", (0..64).map(Cell::plain).collect());
            let lines = lines(&drawing(Grid { group, ..grid }), ALL, width, PLAIN);
            assert!(lines.iter().all(|line| display_width(line) <= width), "{group} {width}: {lines:#?}");
            assert!(lines.iter().any(|line| line.ends_with("63")), "{group} {width}");
        }
    }

    #[test]
    fn wide_cells_show_how_far_they_reach() {
        let wide = Cell { span: 3, ..Cell::new(5, Mark::Changed) };
        let drawing = drawing(Grid::new(0..4).row("", vec![wide, Cell::plain(1)]));
        let text = lines(&drawing, ALL, 80, PLAIN).join("\n");
        assert!(text.contains("\n   [---5---] 1\n"), "{text}");
    }

    #[test]
    fn lines_fit_and_words_that_do_not_are_cut() {
        assert_eq!(wrap("one two three", 7, PLAIN), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible is it", 8, PLAIN), ["incompr…", "is it"]);
        assert_eq!(wrap("日本語日本語", 5, PLAIN), ["日本…"]);
        let ascii = Look { utf8: false, ..PLAIN };
        assert_eq!(wrap("a → b", 5, ascii), ["a ->", "b"], "what is spelt out takes more room");
        assert!(wrap("", 5, PLAIN).is_empty() && wrap("a b", 0, PLAIN).is_empty());
    }
}
