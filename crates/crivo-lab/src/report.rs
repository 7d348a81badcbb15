//! Runs an experiment and writes what it found.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::{Error, Existing, Experiment, Outcome, Progress, Result, Settings, Table, Verdict, write_whole};

/// Rows of a table that `report.md` shows; the CSV file has them all.
const ROWS_SHOWN: usize = 12;

/// What a run wrote, and what it found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The experiment.
    pub id: &'static str,
    /// Every file written, `report.md` last.
    pub files: Vec<PathBuf>,
    /// The claims, judged.
    pub verdicts: Vec<Verdict>,
}

impl Report {
    /// Whether every claim holds.
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(|verdict| verdict.passed)
    }
}

/// Runs `experiment` and writes into the folder `<out_dir>/<id>/`: `data.csv` (or `data-<table>.csv` for each
/// of several tables), `<plot>.svg`, `data.json` (everything, for machines) and `report.md`. Each file is
/// replaced as a whole, so that a run cut short leaves no half-written one.
///
/// # Errors
/// When the experiment cannot be run with these settings, or a file cannot be written.
pub fn run(
    experiment: &Experiment,
    settings: &Settings,
    out_dir: &Path,
    progress: &mut Progress,
) -> Result<Report> {
    // First, so that a place that cannot be written costs no time.
    let folder = out_dir.join(experiment.id);
    fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
    let outcome = (experiment.run)(settings, progress)?;
    let mut files = Vec::new();
    let mut write = |name: &str, content: &str| {
        let path = folder.join(name);
        write_whole(&path, content.as_bytes(), Existing::Replace).map_err(Error::file(&path))?;
        files.push(path);
        Ok::<_, Error>(())
    };
    for table in &outcome.tables {
        write(&csv_name(table, &outcome), &table.to_csv())?;
    }
    for plot in &outcome.plots {
        write(&format!("{}.svg", plot.name), &plot.to_svg()?)?;
    }
    write("data.json", &format!("{:#}\n", to_json(experiment, settings, &outcome)))?;
    write("report.md", &to_markdown(experiment, settings, &outcome))?;
    Ok(Report { id: experiment.id, files, verdicts: outcome.verdicts })
}

fn csv_name(table: &Table, outcome: &Outcome) -> String {
    if outcome.tables.len() == 1 { "data.csv".to_owned() } else { format!("data-{}.csv", table.name()) }
}

fn to_json(experiment: &Experiment, settings: &Settings, outcome: &Outcome) -> serde_json::Value {
    let verdict = |v: &Verdict| json!({ "claim": v.claim, "passed": v.passed, "detail": v.detail, "erratum": v.erratum });
    json!({
        "experiment": experiment.id,
        "title": experiment.title,
        "reference": experiment.reference,
        "question": experiment.question,
        "version": env!("CARGO_PKG_VERSION"),
        "seed": settings.seed,
        "size": settings.size.to_string(),
        "corpus": settings.corpus_name(),
        "verdicts": outcome.verdicts.iter().map(verdict).collect::<Vec<_>>(),
        "notes": outcome.notes,
        "tables": outcome.tables.iter().map(Table::to_json).collect::<Vec<_>>(),
    })
}

fn to_markdown(experiment: &Experiment, settings: &Settings, outcome: &Outcome) -> String {
    let Experiment { id, title, reference, question, theory, .. } = experiment;
    let passed = outcome.verdicts.iter().filter(|verdict| verdict.passed).count();
    let mut text = format!(
        "# {id}: {title}\n\n{question}\n\n*Reference: {reference}. Crivo {}, seed {}, size {}.*\n\n",
        env!("CARGO_PKG_VERSION"),
        settings.seed,
        settings.size,
    );
    let mut add =
        |part: std::fmt::Arguments| text.write_fmt(part).expect("a String takes all that is written");
    add(format_args!("## Verdict: {passed} of {} claims hold\n\n", outcome.verdicts.len()));
    for Verdict { claim, passed, detail, .. } in &outcome.verdicts {
        add(format_args!("- **{}** {claim}\n  {detail}\n", if *passed { "PASS" } else { "FAIL" }));
    }
    add(format_args!("\n## Theory\n\n{theory}\n"));
    for note in &outcome.notes {
        add(format_args!("\n{note}\n"));
    }
    for plot in &outcome.plots {
        add(format_args!("\n![{}]({}.svg)\n", plot.title, plot.name));
    }
    for table in &outcome.tables {
        let (file, rows) = (csv_name(table, outcome), table.rows().len());
        add(format_args!("\n## Numbers: {}\n\n", table.name()));
        if rows > ROWS_SHOWN {
            add(format_args!("{ROWS_SHOWN} of {rows} rows; all are in [{file}]({file}).\n\n"));
        }
        add(format_args!("{}", table.to_markdown(ROWS_SHOWN)));
    }
    text
}
