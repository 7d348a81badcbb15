//! Reports in Markdown: a page for each experiment, and one that lists them.

use std::fmt::Write as _;

use crate::record::Record;
use crate::report::{Finished, Line, Whole};
use crate::{Entry, Tally, Verdict};

/// The page of an experiment, in its folder.
pub(crate) const PAGE: &str = "report.md";

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
    add(format_args!("## Verdict: {}\n\n", record.tally()));
    for verdict in &record.verdicts {
        let Verdict { claim, detail, .. } = verdict;
        add(format_args!("- **{}** {claim}\n  {detail}\n", verdict.word().to_uppercase()));
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

/// The list of all finished experiments: an atlas by structure, one by document, and the experiments of each document.
pub(crate) fn list(whole: &Whole) -> String {
    let mut text = format!("# The lab\n\n{}\n", whole.summary());
    let mut add =
        |part: std::fmt::Arguments| text.write_fmt(part).expect("a String takes all that is written");
    for fact in whole.facts() {
        add(format_args!("\n- {fact}"));
    }
    add(format_args!("\n\n## Structures\n\n"));
    add(format_args!(
        "| structure | setting | error | size | coverage | experiments |\n|---|---|---|---|---|---|\n"
    ));
    for Line { structure, entry, experiments, .. } in whole.structures() {
        let Entry { setting, error, size, coverage } = entry;
        let links: Vec<String> = experiments.iter().map(|record| link(&record.experiment)).collect();
        add(format_args!(
            "| {structure} | {setting} | {error} | {size} | {coverage} | {} |\n",
            links.join(", ")
        ));
    }
    add(format_args!("\n## Documents\n\n| document | experiments | claims |\n|---|---:|---|\n"));
    for (source, finished) in whole.documents() {
        let tally = Tally::of(finished.iter().flat_map(|finished| &finished.record.verdicts));
        add(format_args!("| {} | {} | {} |\n", source.title(), finished.len(), tally));
    }
    for (source, finished) in whole.documents() {
        add(format_args!(
            "\n## {}\n\n| experiment | what it measures | claims | seconds |\n|---|---|---|---:|\n",
            source.title()
        ));
        for Finished { record, run, .. } in finished {
            let Record { experiment, title, .. } = record;
            add(format_args!(
                "| {} | {title} | {} | {:.1} |\n",
                link(experiment),
                record.tally(),
                run.seconds
            ));
        }
    }
    text
}

fn link(experiment: &str) -> String {
    format!("[{experiment}]({experiment}/{PAGE})")
}
