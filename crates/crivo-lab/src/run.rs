//! Runs an experiment and writes what it found.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crivo_program::{Existing, write_whole};
use serde::Serialize;

use crate::record::{DATA, RUN, Record, Run, finished};
use crate::{About, Error, Experiment, Progress, Result, Settings, Verdict, markdown};

/// What a run wrote, and what it found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The experiment.
    pub id: &'static str,
    /// One line about it.
    pub title: &'static str,
    /// For people.
    pub page: PathBuf,
    /// The claims, judged.
    pub verdicts: Vec<Verdict>,
    /// How long it took.
    pub seconds: f64,
    /// Whether it was found finished, and not run again.
    pub was_finished: bool,
}

impl Report {
    /// Whether no claim fails.
    pub fn passed(&self) -> bool {
        !self.verdicts.iter().any(Verdict::fails)
    }

    fn new(experiment: &Experiment, folder: &Path, (record, run): (Record, Run), was_finished: bool) -> Self {
        Self {
            id: experiment.id,
            title: experiment.title,
            page: folder.join(markdown::PAGE),
            verdicts: record.verdicts,
            seconds: run.seconds,
            was_finished,
        }
    }
}

/// What was found before by the same program with the same settings, if it is still there.
pub(crate) fn report_of_finished(
    experiment: &Experiment,
    settings: &Settings,
    out_dir: &Path,
    about: &About,
) -> Option<Report> {
    let folder = out_dir.join(experiment.id);
    let found = finished(&folder, experiment, settings, about)?;
    Some(Report::new(experiment, &folder, found, true))
}

/// Runs `experiment` and writes into the folder `<out_dir>/<id>/`: `data.csv` (or `data-<table>.csv` for each
/// of several tables), `<plot>.svg`, `data.json` (everything, for machines), `report.md`, and `run.json` (how long it
/// took, where and when). Each file is replaced as a whole, so that a run cut short leaves no half-written one. What an
/// earlier run left there is removed.
///
/// # Errors
/// When the experiment cannot be run with these settings, or a file cannot be written.
pub fn run(
    experiment: &Experiment,
    settings: &Settings,
    out_dir: &Path,
    about: &About,
    progress: &mut Progress,
) -> Result<Report> {
    // First, so that a place that cannot be written costs no time.
    let folder = out_dir.join(experiment.id);
    fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
    remove_old(&folder)?;
    let start = Instant::now();
    let outcome = (experiment.run)(settings, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    debug_assert!(progress.is_at_its_end(), "{} has {progress:?} steps", experiment.id);
    let write = |name: &str, content: &str| {
        let path = folder.join(name);
        write_whole(&path, content.as_bytes(), Existing::Replace).map_err(Error::file(&path))
    };
    for plot in &outcome.plots {
        write(&format!("{}.svg", plot.name), &plot.to_svg()?)?;
    }
    let record = Record::new(experiment, settings, outcome);
    for table in &record.tables {
        write(&record.csv_name(table), &table.to_csv())?;
    }
    write(DATA, &to_json(&record))?;
    write(markdown::PAGE, &markdown::page(&record))?;
    let run = Run { seconds, corpus: settings.corpus.clone(), about: about.clone() };
    write(RUN, &to_json(&run))?;
    Ok(Report::new(experiment, &folder, (record, run), false))
}

/// The files of an earlier run: first the one that says that it was finished.
fn remove_old(folder: &Path) -> Result<()> {
    let is_ours = |path: &PathBuf| {
        let ours = ["csv", "svg", "json", "md"].map(std::ffi::OsStr::new);
        path.is_file() && path.extension().is_some_and(|extension| ours.contains(&extension))
    };
    let entries = fs::read_dir(folder).map_err(Error::file(folder))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_ours).collect();
    files.sort_by_key(|path| !path.ends_with(RUN));
    for path in files {
        fs::remove_file(&path).map_err(Error::file(&path))?;
    }
    Ok(())
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("numbers and texts under names that are texts") + "\n"
}
