//! The answers of `--json`: one object per line, distinguished by `type`. This file is the schema; names and
//! meanings stay, new fields may come.

use serde::Serialize;

/// One line of output.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Answer<'a> {
    /// `crivo-lab list`
    Experiment {
        id: &'static str,
        title: &'static str,
        source: &'static str,
        reference: &'static str,
        question: &'static str,
        /// The structures that it measures.
        structures: &'static [&'static str],
        /// Whether a claim of it contradicts a document.
        contradicts: bool,
        /// Seconds on one core.
        quick: f64,
        full: f64,
        timed: bool,
    },
    /// `crivo-lab run`, for each claim
    Verdict { id: &'static str, claim: &'a str, standing: &'static str, erratum: bool, detail: &'a str },
    /// `crivo-lab run` and `crivo-lab report`, at the end
    LabReport {
        experiments: usize,
        holding: usize,
        failing: usize,
        reported: usize,
        not_judged: usize,
        against: usize,
        page: &'a str,
        list: &'a str,
    },
}
