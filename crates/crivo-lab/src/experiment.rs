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
    /// The document whose science is measured.
    pub source: Source,
    /// The section, figure or table that is drawn again.
    pub reference: &'static str,
    /// What is asked.
    pub question: &'static str,
    /// What theory predicts, and how the verdict compares it with the data (Markdown).
    pub theory: &'static str,
    /// How long it takes.
    pub cost: Cost,
    /// Whether it measures time. Then it runs while nothing else does, and no two runs give the same data.
    pub timed: bool,
    /// Measures, and judges what was measured.
    pub run: fn(&Settings, &mut Progress) -> Result<Outcome>,
}

/// The seconds that an experiment took on one core when they were last written down, for plans and the time that is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// At [`Size::Quick`].
    pub quick: f64,
    /// At [`Size::Full`].
    pub full: f64,
}

impl Cost {
    /// The seconds at this size.
    pub fn at(&self, size: Size) -> f64 {
        match size {
            Size::Quick => self.quick,
            Size::Full => self.full,
        }
    }
}

/// Whose science an experiment measures, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The thesis on probabilistic structures and implicit graphs.
    Lopes,
    /// The book chapter on one-pass algorithms.
    Massive,
    /// The lecture notes on counters, filters and signatures.
    Mpei,
    /// The capstone on filters in a hyphenator.
    Silva,
    /// The thesis on Linear Bloom filters.
    Ferreira,
    /// What no document measured: our own questions.
    Crivo,
}

impl Source {
    /// All, in order.
    pub const ALL: [Self; 6] =
        [Self::Lopes, Self::Massive, Self::Mpei, Self::Silva, Self::Ferreira, Self::Crivo];

    /// A heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Lopes => {
                "Lopes 2017: Bloom filters, Count-Min, MinHash, HyperLogLog, and graphs inside them"
            }
            Self::Massive => "Massive data: distinct items in one pass",
            Self::Mpei => "MPEI: counters, collisions and hash functions",
            Self::Silva => "Silva 2022: Bloom and cuckoo filters in a hyphenator",
            Self::Ferreira => "Ferreira 2017: Linear Bloom filters",
            Self::Crivo => "Beyond the documents",
        }
    }

    /// A word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lopes => "lopes",
            Self::Massive => "massive",
            Self::Mpei => "mpei",
            Self::Silva => "silva",
            Self::Ferreira => "ferreira",
            Self::Crivo => "crivo",
        }
    }
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
    /// A folder of text files, or of data sets, texts among them; without it, data of the same shape are made from the seed.
    pub corpus: Option<PathBuf>,
    /// Quick, or as large as in the document.
    pub size: Size,
}

impl Settings {
    /// A generator for one purpose: different purposes get unrelated streams of numbers.
    pub fn rng(&self, purpose: &str) -> Rng {
        Rng::new(HashSpec::seeded(self.seed).hash(purpose))
    }

    /// A file or folder of the data sets, if it is there.
    pub(crate) fn data(&self, path: &str) -> Option<PathBuf> {
        self.corpus.as_ref().map(|folder| folder.join(path)).filter(|path| path.exists())
    }

    /// The corpus, for reports: the name of its folder, wherever that is.
    pub(crate) fn corpus_name(&self) -> String {
        let name = |folder: &PathBuf| {
            folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
        };
        self.corpus.as_ref().map_or_else(|| "synthetic".to_owned(), name)
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

    /// Whether as many steps were done as were ahead.
    pub(crate) fn is_at_its_end(&self) -> bool {
        self.done == self.total
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress({} of {})", self.done, self.total)
    }
}
