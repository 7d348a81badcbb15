//! Reports in Markdown: a page for each experiment, and one that lists them.

use std::fmt::Write as _;

use crate::record::Record;
use crate::report::{Finished, Whole};
use crate::{Source, Verdict};

/// The page of an experiment, in its folder.
pub(crate) const PAGE: &str = "report.md";
/// The list of all, beside the folders.
pub(crate) const LIST: &str = "README.md";

/// Rows of a table that a page shows; the CSV file has them all.
pub(crate) const ROWS_SHOWN: usize = 12;

/// The page of one experiment.
pub(crate) fn page(record: &Record) -> String {
    let Record { experiment, title, reference, question, version, seed, size, corpus, .. } = record;
    let mut text = format!(
        "# {experiment}: {title}\n\n{question}\n\n*Reference: {reference}. Crivo {version}, seed {seed}, size {size}, \
         data: {corpus}.*\n\n"
    );
    let mut add =
        |part: std::fmt::Arguments| text.write_fmt(part).expect("a String takes all that is written");
    let passed = record.verdicts.iter().filter(|verdict| verdict.passed).count();
    add(format_args!("## Verdict: {passed} of {} claims hold\n\n", record.verdicts.len()));
    for verdict in &record.verdicts {
        add(format_args!("- **{}** {}\n  {}\n", word(verdict), verdict.claim, verdict.detail));
    }
    add(format_args!("\n## Theory\n\n{}\n", record.theory));
    for note in &record.notes {
        add(format_args!("\n{note}\n"));
    }
    for figure in &record.figures {
        add(format_args!("\n![{}]({})\n", figure.title, figure.file));
    }
    for table in &record.tables {
        let (file, rows) = (record.csv_name(table), table.rows().len());
        add(format_args!("\n## Numbers: {}\n\n", table.name()));
        if rows > ROWS_SHOWN {
            add(format_args!("{ROWS_SHOWN} of {rows} rows; a run writes all to `{file}`.\n\n"));
        }
        add(format_args!("{}", table.to_markdown(ROWS_SHOWN)));
    }
    text
}

/// What is said of a claim.
pub(crate) fn word(verdict: &Verdict) -> &'static str {
    match (verdict.passed, verdict.erratum) {
        (true, false) => "HOLDS",
        (true, true) => "ERRATUM, CONFIRMED",
        (false, false) => "FAILS",
        (false, true) => "ERRATUM, NOT CONFIRMED",
    }
}

/// All finished experiments, by document.
pub(crate) fn list(whole: &Whole) -> String {
    let mut text = format!("# The lab\n\n{}\n", whole.summary());
    let mut add =
        |part: std::fmt::Arguments| text.write_fmt(part).expect("a String takes all that is written");
    for fact in whole.facts() {
        add(format_args!("\n- {fact}"));
    }
    add(format_args!("\n"));
    for source in Source::ALL {
        let finished: Vec<&Finished> = whole.of(source).collect();
        if finished.is_empty() {
            continue;
        }
        add(format_args!(
            "\n## {}\n\n| experiment | what it measures | claims | seconds |\n|---|---|---|---:|\n",
            source.title()
        ));
        for Finished { record, run, .. } in finished {
            let Record { experiment, title, verdicts, .. } = record;
            let failed = verdicts.iter().filter(|verdict| !verdict.passed).count();
            let errata = verdicts.iter().filter(|verdict| verdict.passed && verdict.erratum).count();
            let claims = match (failed, errata) {
                (0, 0) => format!("{} hold", verdicts.len()),
                (0, _) => format!("{} hold, {errata} against the document", verdicts.len()),
                _ => format!("**{failed} of {} fail**", verdicts.len()),
            };
            add(format_args!(
                "| [{experiment}]({experiment}/{PAGE}) | {title} | {claims} | {:.1} |\n",
                run.seconds
            ));
        }
    }
    text
}
