//! What an experiment found, as it is kept in its folder.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{About, Entry, Error, Experiment, Outcome, Plot, Result, Settings, Table, Tally, Verdict};

/// The file with all that was found, for machines. The same settings give the same bytes.
pub(crate) const DATA: &str = "data.json";
/// The file about the run itself. It is written last: if it exists, all others do.
pub(crate) const RUN: &str = "run.json";

/// All that an experiment found, with the settings and the words that explain it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Its id.
    pub(crate) experiment: String,
    /// One line.
    pub(crate) title: String,
    /// The name of the document ([`Source::name`](crate::Source::name)).
    pub(crate) source: String,
    /// The section, figure or table.
    pub(crate) reference: String,
    /// The names of the structures that it measures.
    pub(crate) structures: Vec<String>,
    /// What was asked.
    pub(crate) question: String,
    /// What theory predicts (Markdown).
    pub(crate) theory: String,
    /// The version of Crivo.
    pub(crate) version: String,
    /// The seed of all random choices.
    pub(crate) seed: u64,
    /// `quick` or `full`.
    pub(crate) size: String,
    /// The name of the folder with the data, or `synthetic`.
    pub(crate) corpus: String,
    /// The claims, judged.
    pub(crate) verdicts: Vec<Verdict>,
    /// What a reader should know about the data (Markdown).
    pub(crate) notes: Vec<String>,
    /// The figures, each in a file of its own.
    pub(crate) figures: Vec<Figure>,
    /// The line of the structure in the atlas.
    pub(crate) atlas: Option<Entry>,
    /// The data.
    pub(crate) tables: Vec<Table>,
}

/// A figure that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// In the folder of the experiment.
    pub(crate) file: String,
    /// What it shows.
    pub(crate) title: String,
}

/// How and when a record came to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// How long it took, while others ran at the same time.
    pub(crate) seconds: f64,
    /// The folder with the data, if there was one.
    pub(crate) corpus: Option<PathBuf>,
    /// Where, when and by which program.
    #[serde(flatten)]
    pub(crate) about: About,
}

impl Record {
    pub(crate) fn new(experiment: &Experiment, settings: &Settings, outcome: Outcome) -> Self {
        let figure = |plot: &Plot| Figure { file: format!("{}.svg", plot.name), title: plot.title.clone() };
        Self {
            experiment: experiment.id.to_owned(),
            title: experiment.title.to_owned(),
            source: experiment.source.name().to_owned(),
            reference: experiment.reference.to_owned(),
            structures: experiment.structures.iter().map(|&name| name.to_owned()).collect(),
            question: experiment.question.to_owned(),
            theory: experiment.theory.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: settings.seed,
            size: settings.size.to_string(),
            corpus: settings.corpus_name(),
            verdicts: outcome.verdicts,
            notes: outcome.notes,
            figures: outcome.plots.iter().map(figure).collect(),
            atlas: outcome.atlas,
            tables: outcome.tables,
        }
    }

    /// Its verdicts, counted.
    pub(crate) fn tally(&self) -> Tally {
        Tally::of(&self.verdicts)
    }

    /// The name of a table's file.
    pub(crate) fn csv_name(&self, table: &Table) -> String {
        if self.tables.len() == 1 { "data.csv".to_owned() } else { format!("data-{}.csv", table.name()) }
    }
}

/// What a folder holds of a finished experiment; `None` where none was finished.
///
/// # Errors
/// When a file is there but cannot be read, or is none of ours.
pub(crate) fn read(folder: &Path) -> Result<Option<(Record, Run)>> {
    let run = folder.join(RUN);
    if !run.exists() {
        return Ok(None);
    }
    Ok(Some((parse(&folder.join(DATA))?, parse(&run)?)))
}

fn parse<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).map_err(Error::file(path))?;
    serde_json::from_str(&text).map_err(|source| Error::Record { path: path.to_owned(), source })
}

/// The finished experiment in `folder`, if it was run with these settings by this very program.
pub(crate) fn finished(
    folder: &Path,
    experiment: &Experiment,
    settings: &Settings,
    about: &About,
) -> Option<(Record, Run)> {
    // What cannot be read is measured again.
    let (record, run) = read(folder).ok()??;
    let same_settings = (record.seed, &run.corpus) == (settings.seed, &settings.corpus)
        && record.size == settings.size.to_string();
    let same = record.experiment == experiment.id && same_settings && run.about.program == about.program;
    same.then_some((record, run))
}
