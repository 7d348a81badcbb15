//! What an experiment is, what it is given and what it hands back.

use std::fmt;
use std::path::PathBuf;

use crivo::HashSpec;
use crivo::rng::Rng;
use serde::{Deserialize, Serialize};

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
    /// The structures that it measures, by the names of their kinds.
    pub structures: &'static [&'static str],
    /// Whether a claim of it contradicts a document.
    pub contradicts: bool,
    /// The experiment with faults, under which its claims must fail.
    pub faults: &'static [Fault],
    /// Measures, and judges what was measured.
    pub run: fn(&Settings, &mut Progress) -> Result<Outcome>,
}

impl Experiment {
    /// Whether it measures the structure with this name.
    pub fn measures(&self, structure: &str) -> bool {
        self.structures.iter().any(|name| name.eq_ignore_ascii_case(structure))
    }
}

/// An experiment with a planted fault: a wrong constant, a smaller structure, a lost item, a reused seed.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// What is wrong.
    pub name: &'static str,
    /// The experiment with the fault.
    pub run: fn(&Settings, &mut Progress) -> Result<Outcome>,
}

/// The seconds that an experiment takes on one core, for plans and estimates of the remaining time.
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

/// The document whose science an experiment measures, in the order of the report.
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
    /// Questions that no document asks.
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
            Self::Massive => "Massive data: sampling, counting and distinct items in one pass",
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

/// The name of the corpus that is made from the seed.
pub(crate) const SYNTHETIC: &str = "synthetic";

/// The settings of a run. Equal settings give equal data, byte for byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Every random choice derives from it.
    pub seed: u64,
    /// A folder with the data sets of [`corpus::DATA_SETS`](crate::corpus::DATA_SETS); without it, data of the same shape are made
    /// from the seed.
    pub corpus: Option<PathBuf>,
    /// Quick, or as large as in the document.
    pub size: Size,
}

impl Settings {
    /// A generator for one purpose: different purposes get unrelated streams of numbers.
    pub fn rng(&self, purpose: &str) -> Rng {
        Rng::new(HashSpec::seeded(self.seed).hash(purpose))
    }

    /// The corpus, for reports: the name of its folder, without the path.
    pub(crate) fn corpus_name(&self) -> String {
        let name = |folder: &PathBuf| {
            folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
        };
        self.corpus.as_ref().map_or_else(|| SYNTHETIC.to_owned(), name)
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
    /// The line of the structure in the atlas, if the experiment characterises one.
    pub atlas: Option<Entry>,
}

/// One line of the atlas of structures: the error, size and coverage of a structure at one setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The setting: the size of the structure and the number of items.
    pub setting: String,
    /// The measured error and the error by theory.
    pub error: String,
    /// The memory.
    pub size: String,
    /// The share of intervals that contain the true value, if the structure states intervals.
    pub coverage: String,
}

/// Reports the progress of a run.
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

    /// Reports nothing.
    pub fn silent() -> Self {
        Self::new(|_, _| {})
    }

    /// Starts again with this number of steps ahead.
    pub fn start(&mut self, total: u64) {
        (self.done, self.total) = (0, total);
        (self.sink)(self.done, self.total);
    }

    /// One step is done.
    pub fn step(&mut self) {
        self.done += 1;
        (self.sink)(self.done, self.total);
    }

    /// Whether all steps are done.
    pub(crate) fn is_at_its_end(&self) -> bool {
        self.done == self.total
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress({} of {})", self.done, self.total)
    }
}
