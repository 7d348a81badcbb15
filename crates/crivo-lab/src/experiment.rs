//! What an experiment is, what it is given and what it hands back.

use std::fmt;
use std::path::PathBuf;

use crivo::HashSpec;
use crivo::rng::Rng;

use crate::{Plot, Result, Table, Verdict};

/// One experiment: a question with its theory, and the code that measures the answer.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The name on the command line and of the output folder.
    pub id: &'static str,
    /// One line.
    pub title: &'static str,
    /// The document and figure that is drawn again.
    pub reference: &'static str,
    /// What is asked.
    pub question: &'static str,
    /// What theory predicts, and how the verdict compares it with the data (Markdown).
    pub theory: &'static str,
    /// Measures, and judges what was measured.
    pub run: fn(&Settings, &mut Progress) -> Result<Outcome>,
}

/// How large an experiment is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// A reduced setting, a few seconds at most: shows that the experiment works.
    Quick,
    /// The setting of the document.
    #[default]
    Full,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quick => "quick",
            Self::Full => "full",
        })
    }
}

/// What the user decides about a run. The same settings give the same data, byte for byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Every random choice derives from it.
    pub seed: u64,
    /// A folder of text files; without it a synthetic corpus of the same shape is made from the seed.
    pub corpus: Option<PathBuf>,
    /// Quick, or as large as in the document.
    pub size: Size,
}

impl Settings {
    /// A generator for one purpose: different purposes get unrelated streams of numbers.
    pub fn rng(&self, purpose: &str) -> Rng {
        Rng::new(HashSpec::seeded(self.seed).hash(purpose))
    }

    /// The corpus, for reports.
    pub(crate) fn corpus_name(&self) -> String {
        self.corpus.as_ref().map_or_else(|| "synthetic".to_owned(), |folder| folder.display().to_string())
    }
}

/// All that an experiment found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Everything measured.
    pub tables: Vec<Table>,
    /// The figures.
    pub plots: Vec<Plot>,
    /// The claims, judged.
    pub verdicts: Vec<Verdict>,
    /// What a reader should know about the data of this run (Markdown, one paragraph each).
    pub notes: Vec<String>,
}

/// Tells the caller how far a run has come.
pub struct Progress<'a> {
    sink: Box<dyn FnMut(u64, u64) + 'a>,
    done: u64,
    total: u64,
}

impl<'a> Progress<'a> {
    /// Calls `sink(steps done, steps in total)` after every step.
    pub fn new(sink: impl FnMut(u64, u64) + 'a) -> Self {
        Self { sink: Box::new(sink), done: 0, total: 0 }
    }

    /// Tells nobody.
    pub fn silent() -> Self {
        Self::new(|_, _| {})
    }

    /// Starts anew, with so many steps ahead.
    pub fn start(&mut self, total: u64) {
        (self.done, self.total) = (0, total);
        (self.sink)(self.done, self.total);
    }

    /// One step is done.
    pub fn step(&mut self) {
        self.done += 1;
        (self.sink)(self.done, self.total);
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress({} of {})", self.done, self.total)
    }
}
