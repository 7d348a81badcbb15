//! A drawing as slides: one page that needs nothing else. Arrow keys move between slides; without its script the page shows all
//! of them, one below the other.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::svg::add;
use super::words::{Words, say};
use crivo_report::{Align, escape};

const STYLE: &str = include_str!("slides.css");
const SCRIPT: &str = include_str!("slides.js");
/// The only script that the page may run: the SHA-256 of `SCRIPT`, which a test in a browser checks.
const SCRIPT_HASH: &str = "sha256-nQJIFA2IzxaS9c9x+mSws5jXIbnkR1gNeuNdz/PHC4U=";

/// The whole file.
pub(super) fn slides(drawing: &Drawing) -> String {
    let words = drawing.words;
    let title = escape(&drawing.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src '{SCRIPT_HASH}'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<main>\n<section>\n<h1>{title}</h1>\n",
        words.language.tag()
    );
    if let Some(source) = &drawing.source {
        add(&mut page, format_args!("<p class=\"quiet\">{}</p>\n", escape(source)));
    }
    add(&mut page, format_args!("<p>{}</p>\n<ul class=\"legend\">\n", escape(&drawing.about)));
    for mark in drawing.marks() {
        let meaning = escape(&mark.meaning(words));
        add(
            &mut page,
            format_args!("<li class=\"cells\"><b class=\"{}\"></b> {meaning}</li>\n", class(mark)),
        );
    }
    page += "</ul>\n</section>\n";
    for (number, step) in (1..).zip(&drawing.steps) {
        page += &slide(words, number, step);
    }
    page += "<section>\n<ul>\n";
    for result in &drawing.results {
        add(&mut page, format_args!("<li>{}</li>\n", escape(result)));
    }
    add(
        &mut page,
        format_args!(
            "</ul>\n</section>\n</main>\n<nav>\n<button type=\"button\" aria-label=\"{}\">←</button>\n\
             <span aria-live=\"polite\"></span>\n<button type=\"button\" aria-label=\"{}\">→</button>\n</nav>\n\
             <script>{SCRIPT}</script>\n</body>\n</html>\n",
            escape(&say!(words, "back")),
            escape(&say!(words, "next"))
        ),
    );
    page
}

fn slide(words: Words, number: usize, step: &Step) -> String {
    let class = match step.verdict {
        Verdict::None => "",
        Verdict::Right => " class=\"right\"",
        Verdict::Wrong => " class=\"wrong\"",
    };
    let grid = if step.grid.rows.len() == 1 { row(words, &step.grid) } else { table(words, &step.grid) };
    let (heading, remark) = (escape(&step.heading), escape(&step.remark));
    format!("<section>\n<h2>{number}. {heading}</h2>\n{grid}<p{class}>{remark}</p>\n</section>\n")
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "",
        Mark::Changed => "changed",
        Mark::Seen => "seen",
        Mark::Decides => "decides",
    }
}

/// The text of a cell, and what its mark means for those who do not see it.
fn text(words: Words, cell: &Cell) -> String {
    let meaning = match cell.mark {
        Mark::Plain => String::new(),
        mark => format!("<i class=\"hidden\"> {}</i>", escape(&mark.meaning(words))),
    };
    escape(&cell.text) + &meaning
}

/// Whether a group of columns begins here, apart from the one before.
fn is_apart(grid: &Grid, place: usize) -> bool {
    grid.group > 0 && place > 0 && place.is_multiple_of(grid.group)
}

/// One row, whose cells go on in another line where the screen is narrow.
fn row(words: Words, grid: &Grid) -> String {
    let mut row = String::from("<ol class=\"cells\">\n");
    for (place, (head, cell)) in grid.heads.iter().zip(&grid.rows[0].cells).enumerate() {
        let apart = if is_apart(grid, place) { " class=\"apart\"" } else { "" };
        let (head, text) = (escape(head), text(words, cell));
        add(
            &mut row,
            format_args!("<li{apart}><span>{head}</span><b class=\"{}\">{text}</b></li>\n", class(cell.mark)),
        );
    }
    row + "</ol>\n"
}

/// Several rows, which scroll to the side where the screen is narrow.
fn table(words: Words, grid: &Grid) -> String {
    let align = if matches!(grid.align, Align::Left) { " class=\"text\"" } else { "" };
    let mut table = format!("<div class=\"scroll\" tabindex=\"0\">\n<table{align}>\n");
    if grid.heads.iter().any(|head| !head.is_empty()) || !grid.corner.is_empty() {
        add(&mut table, format_args!("<thead><tr><th>{}</th>", escape(&grid.corner)));
        for (place, head) in grid.heads.iter().enumerate() {
            let apart = if is_apart(grid, place) { "<th class=\"apart\"></th>" } else { "" };
            add(&mut table, format_args!("{apart}<th scope=\"col\">{}</th>", escape(head)));
        }
        table += "</tr></thead>\n";
    }
    table += "<tbody>\n";
    for row in &grid.rows {
        add(&mut table, format_args!("<tr><th scope=\"row\">{}</th>", escape(&row.label)));
        for (places, cell) in row.part(&(0..grid.heads.len())) {
            let apart = if is_apart(grid, places.start) { "<td class=\"apart\"></td>" } else { "" };
            let class =
                if cell.text.is_empty() && cell.mark == Mark::Plain { "none" } else { class(cell.mark) };
            add(
                &mut table,
                format_args!(
                    "{apart}<td class=\"{class}\" colspan=\"{}\">{}</td>",
                    places.len(),
                    text(words, cell)
                ),
            );
        }
        table += "</tr>\n";
    }
    table + "</tbody>\n</table>\n</div>\n"
}
