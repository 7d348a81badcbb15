//! The report as one page of HTML that needs nothing else: no script, no font, no file beside it.

use std::fmt::{Arguments, Write as _};

use crivo_report::escape;
use pulldown_cmark::{Options, Parser, html::push_html};

use crate::markdown::ROWS_SHOWN;
use crate::record::Record;
use crate::report::{Finished, Whole};
use crate::svg::DARK;
use crate::{Source, Table, Verdict};

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
    let state = if whole.claims().1 == 0 { "holds" } else { "fails" };
    page.add(format_args!(
        "<p class=\"summary {state}\">{}</p>\n<ul class=\"facts\">\n",
        escape(&whole.summary())
    ));
    for fact in whole.facts() {
        page.add(format_args!("<li>{}</li>\n", escape(&fact)));
    }
    page.add(format_args!("</ul>\n"));
    page.contents(whole);
    for source in Source::ALL {
        for (number, finished) in whole.of(source).enumerate() {
            if number == 0 {
                page.add(format_args!("<h2 id=\"{}\">{}</h2>\n", source.name(), escape(source.title())));
            }
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

    /// The experiments by document, each with whether it holds.
    fn contents(&mut self, whole: &Whole) {
        self.add(format_args!("<nav>\n<h2>Contents</h2>\n"));
        for source in Source::ALL {
            let finished: Vec<&Finished> = whole.of(source).collect();
            if finished.is_empty() {
                continue;
            }
            self.add(format_args!(
                "<h3><a href=\"#{}\">{}</a></h3>\n<ul>\n",
                source.name(),
                escape(source.title())
            ));
            for Finished { record, .. } in finished {
                let (class, mark) = if record.passed() { ("holds", "✓") } else { ("fails", "✗") };
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
        let (class, word) = match (verdict.passed, verdict.erratum) {
            (true, false) => ("holds", "holds"),
            (true, true) => ("holds erratum", "the document is wrong"),
            (false, _) => ("fails", "FAILS"),
        };
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

/// A figure without the rules for dark screens, which the page has once for all.
fn without_style(svg: &str) -> String {
    svg.replace(DARK, "")
}
