//! All that was found, put together: one page that needs nothing else, and a list in Markdown.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crivo_program::{Existing, write_whole};

use crate::record::{Record, Run, read};
use crate::{EXPERIMENTS, Error, Result, Source, html, markdown};

/// The page with everything.
const PAGE: &str = "report.html";

/// An experiment that was finished.
pub(crate) struct Finished {
    pub(crate) record: Record,
    pub(crate) run: Run,
    /// Its figures as SVG, in the order of the record.
    pub(crate) figures: Vec<String>,
}

/// All finished experiments of a folder, in the order of the documents.
pub(crate) struct Whole {
    finished: Vec<Finished>,
}

/// What [`write_report`] wrote.
#[derive(Clone, Debug)]
pub struct Written {
    /// One page with all figures, which needs nothing else.
    pub page: PathBuf,
    /// A list in Markdown, beside the folders of the experiments.
    pub list: PathBuf,
    /// How many experiments are in it.
    pub experiments: usize,
    /// How many claims hold.
    pub holding: usize,
    /// How many claims fail.
    pub failing: usize,
}

/// Puts all finished experiments of a folder together, whenever each was run: `report.html` and `README.md` there.
///
/// # Errors
/// When nothing is finished there, or a file cannot be read or written.
pub fn write_report(out_dir: &Path) -> Result<Written> {
    let whole = Whole::read(out_dir)?;
    let [page, list] = [PAGE, markdown::LIST].map(|name| out_dir.join(name));
    for (path, content) in [(&page, html::page(&whole)), (&list, markdown::list(&whole))] {
        write_whole(path, content.as_bytes(), Existing::Replace).map_err(Error::file(path))?;
    }
    let (holding, failing) = whole.claims();
    Ok(Written { page, list, experiments: whole.finished.len(), holding, failing })
}

impl Whole {
    fn read(out_dir: &Path) -> Result<Self> {
        let mut finished = Vec::new();
        for experiment in EXPERIMENTS {
            let folder = out_dir.join(experiment.id);
            let Some((record, run)) = read(&folder)? else { continue };
            let read_figure = |file: &String| {
                let path = folder.join(file);
                fs::read_to_string(&path).map_err(Error::file(&path))
            };
            let figures =
                record.figures.iter().map(|figure| read_figure(&figure.file)).collect::<Result<_>>()?;
            finished.push(Finished { record, run, figures });
        }
        if finished.is_empty() {
            return Err(Error::Nothing(out_dir.to_owned()));
        }
        Ok(Self { finished })
    }

    /// Those of one document.
    pub(crate) fn of(&self, source: Source) -> impl Iterator<Item = &Finished> {
        self.finished.iter().filter(move |finished| finished.record.source == source.name())
    }

    /// How many claims hold, and how many fail.
    pub(crate) fn claims(&self) -> (usize, usize) {
        let verdicts = || self.finished.iter().flat_map(|finished| &finished.record.verdicts);
        let holding = verdicts().filter(|verdict| verdict.passed).count();
        (holding, verdicts().count() - holding)
    }

    /// What was found, in a sentence or two.
    pub(crate) fn summary(&self) -> String {
        let (holding, failing) = self.claims();
        let errata = self.finished.iter().flat_map(|finished| &finished.record.verdicts);
        let errata = errata.filter(|verdict| verdict.erratum && verdict.passed).count();
        let all = match failing {
            0 => format!("All {holding} claims hold"),
            _ => format!("{failing} of {} claims FAIL", holding + failing),
        };
        let experiments = self.finished.len();
        format!(
            "{all}, in {experiments} experiments. {errata} of them say that a document is wrong, and why."
        )
    }

    /// Where, when and how it was measured; each fact as often as it differs.
    pub(crate) fn facts(&self) -> Vec<String> {
        let all = |name: &str, of: fn(&Finished) -> String| {
            let values: BTreeSet<String> = self.finished.iter().map(of).collect();
            format!("{name}: {}", Vec::from_iter(values).join("; "))
        };
        let dates: BTreeSet<&str> =
            self.finished.iter().map(|finished| finished.run.about.date.as_str()).collect();
        let dates = match (dates.first(), dates.last()) {
            (Some(first), Some(last)) if first != last => format!("date: {first} to {last}"),
            (first, _) => format!("date: {}", first.unwrap_or(&"unknown")),
        };
        let seconds: f64 = self.finished.iter().map(|finished| finished.run.seconds).sum();
        vec![
            all("size", |finished| finished.record.size.clone()),
            all("seed", |finished| finished.record.seed.to_string()),
            all("data", |finished| finished.record.corpus.clone()),
            all("Crivo", |finished| {
                format!("{}, commit {}", finished.run.about.version, finished.run.about.commit)
            }),
            all("machine", |finished| finished.run.about.machine.clone()),
            dates,
            format!("time: {:.1} minutes of all experiments together", seconds / 60.0),
        ]
    }
}
