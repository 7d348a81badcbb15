//! The report as one page of HTML without external parts: no script, no font, no other file.

use std::fmt::{Arguments, Write as _};

use crivo_report::escape;
use pulldown_cmark::{Options, Parser, html::push_html};

use crate::markdown::ROWS_SHOWN;
use crate::record::Record;
use crate::report::{Finished, Line, Whole};
use crate::svg::DARK;
use crate::{Entry, Standing, Table, Tally, Verdict};

const STYLE: &str = include_str!("page.css");

/// All finished experiments on one page.
pub(crate) fn page(whole: &Whole) -> String {
    let mut page = Page(String::new());
    page.add(format_args!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>Crivo: the lab</title>\n\
         <style>\n{STYLE}</style>\n{DARK}</head>\n<body>\n<main>\n<h1>Crivo: the lab</h1>\n"
    ));
    let state = if whole.tally().failing == 0 { "holds" } else { "fails" };
    page.add(format_args!(
        "<p class=\"summary {state}\">{}</p>\n<ul class=\"facts\">\n",
        escape(&whole.summary())
    ));
    for fact in whole.facts() {
        page.add(format_args!("<li>{}</li>\n", escape(&fact)));
    }
    page.add(format_args!("</ul>\n"));
    page.structures(whole);
    page.documents(whole);
    for (source, finished) in whole.documents() {
        page.add(format_args!("<h2 id=\"{}\">{}</h2>\n", source.name(), escape(source.title())));
        for finished in finished {
            page.experiment(finished);
        }
    }
    page.add(format_args!("</main>\n</body>\n</html>\n"));
    page.0
}

struct Page(String);

impl Page {
    fn add(&mut self, part: Arguments) {
        self.0.write_fmt(part).expect("a String takes all that is written");
    }

    /// The atlas by structure.
    fn structures(&mut self, whole: &Whole) {
        self.add(format_args!(
            "<h2>Structures</h2>\n<p>Each structure at one setting: its measured error, its size, and how often its intervals contain \
             the true value.</p>\n<div class=\"table\"><table class=\"atlas\">\n<tr><th>structure</th><th>setting</th>\
             <th>error</th><th>size</th><th>coverage</th><th>experiments</th></tr>\n"
        ));
        for Line { structure, entry: Entry { setting, error, size, coverage }, experiments } in
            whole.structures()
        {
            let [setting, error, size, coverage] = [setting, error, size, coverage].map(|text| escape(text));
            self.add(format_args!(
                "<tr><th scope=\"row\">{structure}</th><td>{setting}</td><td>{error}</td><td>{size}</td><td>{coverage}</td><td>"
            ));
            for record in experiments {
                let (class, mark) = mark(record.tally());
                let id = escape(&record.experiment);
                self.add(format_args!(
                    "<a href=\"#{id}\"><span class=\"mark {class}\">{mark}</span>&nbsp;<code>{id}</code></a> "
                ));
            }
            self.add(format_args!("</td></tr>\n"));
        }
        self.add(format_args!("</table></div>\n"));
    }

    /// The atlas by document: the experiments of each, with their verdicts.
    fn documents(&mut self, whole: &Whole) {
        self.add(format_args!("<nav>\n<h2>Documents</h2>\n"));
        for (source, finished) in whole.documents() {
            let tally = Tally::of(finished.iter().flat_map(|finished| &finished.record.verdicts));
            self.add(format_args!(
                "<h3><a href=\"#{}\">{}</a></h3>\n<p class=\"reference\">{}</p>\n<ul>\n",
                source.name(),
                escape(source.title()),
                tally
            ));
            for Finished { record, .. } in finished {
                let (class, mark) = mark(record.tally());
                let (id, title) = (escape(&record.experiment), escape(&record.title));
                self.add(format_args!(
                    "<li><span class=\"mark {class}\">{mark}</span> <a href=\"#{id}\"><code>{id}</code> {title}</a></li>\n"
                ));
            }
            self.add(format_args!("</ul>\n"));
        }
        self.add(format_args!("</nav>\n"));
    }

    fn experiment(&mut self, Finished { record, run, figures }: &Finished) {
        let [id, title, reference] =
            [&record.experiment, &record.title, &record.reference].map(|text| escape(text));
        self.add(format_args!("<section id=\"{id}\">\n<h3><code>{id}</code> {title}</h3>\n"));
        self.add(format_args!("<p class=\"reference\">{reference}. {:.1} s.</p>\n", run.seconds));
        self.markdown(&record.question);
        self.add(format_args!("<ul class=\"verdicts\">\n"));
        for verdict in &record.verdicts {
            self.verdict(verdict);
        }
        self.add(format_args!("</ul>\n"));
        for (figure, svg) in record.figures.iter().zip(figures) {
            let title = escape(&figure.title);
            self.add(format_args!("<figure aria-label=\"{title}\">{}</figure>\n", without_style(svg)));
        }
        self.add(format_args!("<details><summary>Theory, notes and numbers</summary>\n"));
        self.markdown(&record.theory);
        for note in &record.notes {
            self.markdown(note);
        }
        for table in &record.tables {
            self.table(record, table);
        }
        self.add(format_args!("</details>\n</section>\n"));
    }

    fn verdict(&mut self, verdict: &Verdict) {
        let class = match (verdict.standing, verdict.erratum) {
            (Standing::Holds, false) => "holds",
            (Standing::Holds, true) => "holds erratum",
            (Standing::Fails, _) => "fails",
            (Standing::Reported | Standing::NotJudged, _) => "open",
        };
        let word = verdict.word();
        let [claim, detail] = [&verdict.claim, &verdict.detail].map(|text| escape(text));
        self.add(format_args!(
            "<li class=\"{class}\"><span class=\"word\">{word}</span> {claim} <span class=\"detail\">{detail}</span></li>\n"
        ));
    }

    fn table(&mut self, record: &Record, table: &Table) {
        let rows = table.rows().len();
        let shown = match rows {
            0..=ROWS_SHOWN => String::new(),
            _ => format!(", {ROWS_SHOWN} of {rows} rows; all are in {}", record.csv_name(table)),
        };
        let name = escape(table.name());
        self.add(format_args!("<div class=\"table\"><table>\n<caption>{name}{shown}</caption>\n<tr>"));
        for column in table.columns() {
            self.add(format_args!("<th>{}</th>", escape(column)));
        }
        self.add(format_args!("</tr>\n"));
        for row in table.excerpt(ROWS_SHOWN) {
            self.add(format_args!("<tr>"));
            for cell in row {
                self.add(format_args!("<td>{}</td>", escape(&cell.shown())));
            }
            self.add(format_args!("</tr>\n"));
        }
        self.add(format_args!("</table></div>\n"));
    }

    fn markdown(&mut self, text: &str) {
        push_html(&mut self.0, Parser::new_ext(text, Options::ENABLE_TABLES));
    }
}

/// The class and the mark of an experiment.
fn mark(tally: Tally) -> (&'static str, &'static str) {
    match tally {
        Tally { failing: 1.., .. } => ("fails", "✗"),
        Tally { holding: 0, .. } => ("open", "○"),
        Tally { .. } => ("holds", "✓"),
    }
}

/// A figure without the rules for dark screens, which the page has once for all.
fn without_style(svg: &str) -> String {
    svg.replace(DARK, "")
}
