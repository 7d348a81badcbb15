//! The report on all finished experiments: one page without external parts, and a list in Markdown.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crivo::Kind;
use crivo_program::{Existing, write_whole};
use crivo_report::plural;

use crate::corpus::{DATA_SETS, DataSet};
use crate::experiment::SYNTHETIC;
use crate::record::{Record, Run, read};
use crate::{EXPERIMENTS, Entry, Error, Result, Source, Tally, Verdict, html, markdown};

/// What a report shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All verdicts: `report.html` and `README.md`.
    All,
    /// Claims that contradict a document: `errata.html` and `ERRATA.md`.
    Errata,
}

impl Scope {
    /// Whether the report has this verdict.
    pub fn has(self, verdict: &Verdict) -> bool {
        self == Self::All || verdict.erratum
    }

    fn files(self) -> [&'static str; 2] {
        match self {
            Self::All => ["report.html", "README.md"],
            Self::Errata => ["errata.html", "ERRATA.md"],
        }
    }
}

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

/// A structure in the atlas: its entry, and the experiments that measure it.
pub(crate) struct Line<'a> {
    pub(crate) structure: &'static str,
    pub(crate) entry: &'a Entry,
    pub(crate) experiments: Vec<&'a Record>,
}

/// What [`write_report`] wrote.
#[derive(Clone, Debug)]
pub struct Written {
    /// One page with all figures, without external parts.
    pub page: PathBuf,
    /// A list in Markdown, next to the folders of the experiments.
    pub list: PathBuf,
    /// The number of experiments in it.
    pub experiments: usize,
    /// Their verdicts, counted.
    pub tally: Tally,
}

/// Writes the report on all finished experiments of a folder, whenever each was run, into that folder.
///
/// # Errors
/// When nothing is finished there, or a file cannot be read or written.
pub fn write_report(out_dir: &Path, scope: Scope) -> Result<Written> {
    let whole = Whole::read(out_dir, scope)?;
    let [page, list] = scope.files().map(|name| out_dir.join(name));
    for (path, content) in [(&page, html::page(&whole)), (&list, markdown::list(&whole))] {
        write_whole(path, content.as_bytes(), Existing::Replace).map_err(Error::file(path))?;
    }
    Ok(Written { page, list, experiments: whole.finished.len(), tally: whole.tally() })
}

impl Whole {
    fn read(out_dir: &Path, scope: Scope) -> Result<Self> {
        let mut finished = Vec::new();
        for experiment in EXPERIMENTS {
            let folder = out_dir.join(experiment.id);
            let Some((mut record, run)) = read(&folder)? else { continue };
            record.verdicts.retain(|verdict| scope.has(verdict));
            if scope == Scope::Errata && record.verdicts.is_empty() {
                continue;
            }
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

    /// The documents with a finished experiment, in order, each with its experiments.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (Source, Vec<&Finished>)> {
        let of = |source: Source| {
            let of_source = |finished: &&Finished| finished.record.source == source.name();
            (source, self.finished.iter().filter(of_source).collect::<Vec<_>>())
        };
        Source::ALL.into_iter().map(of).filter(|(_, finished)| !finished.is_empty())
    }

    /// The atlas: the structures that were characterised, in the order of the library's list.
    pub(crate) fn structures(&self) -> impl Iterator<Item = Line<'_>> {
        Kind::ALL.iter().filter_map(|kind| {
            let structure = kind.name();
            let measures = |record: &&Record| record.structures.iter().any(|name| name == structure);
            let experiments: Vec<&Record> =
                self.finished.iter().map(|finished| &finished.record).filter(measures).collect();
            let entry = experiments.iter().find_map(|record| record.atlas.as_ref())?;
            Some(Line { structure, entry, experiments })
        })
    }

    /// All verdicts, counted.
    pub(crate) fn tally(&self) -> Tally {
        Tally::of(self.finished.iter().flat_map(|finished| &finished.record.verdicts))
    }

    /// The result in two or three sentences.
    pub(crate) fn summary(&self) -> String {
        let tally @ Tally { holding, failing, reported, not_judged, against } = self.tally();
        let claims = match failing {
            0 => format!("All {holding} judged claims hold"),
            _ => format!("{failing} of {} judged claims FAIL", tally.judged()),
        };
        let experiments = plural(self.finished.len() as u64, "experiment", "experiments");
        let findings = plural(reported as u64, "finding about time is", "findings about time are");
        let open = plural(not_judged as u64, "claim was", "claims were");
        format!(
            "{claims}, in {experiments}; {against} of them contradict a document. {findings} reported without a judgement, and \
             {open} not judged; their reports say why."
        )
    }

    /// The facts about the runs: settings, data, program, machine and time. A fact that differs is listed once per value.
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
        let mut facts = vec![
            all("size", |finished| finished.record.size.clone()),
            all("seed", |finished| finished.record.seed.to_string()),
            all("data", |finished| finished.record.corpus.clone()),
            all("Crivo", |finished| {
                format!("{}, commit {}", finished.run.about.version, finished.run.about.commit)
            }),
            all("machine", |finished| finished.run.about.machine.clone()),
            dates,
            format!("time: {:.1} minutes for all experiments together", seconds / 60.0),
        ];
        if self.finished.iter().any(|finished| finished.record.corpus != SYNTHETIC) {
            let source = |set: &DataSet| format!("{}: {}", set.path, set.published);
            facts.extend(DATA_SETS.iter().map(source));
        }
        facts
    }
}
