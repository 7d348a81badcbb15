//! The parts of a profile.

/// A part of the report on a column, in addition to its name, type and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The number of missing values.
    Missing,
    /// The number of distinct values.
    Distinct,
    /// The minimum and the maximum.
    Range,
    /// The mean and the standard deviation.
    Mean,
    /// The quantiles.
    Quantiles,
    /// The histogram.
    Histogram,
    /// The most frequent values.
    Top,
    /// Some of the distinct values.
    Sample,
    /// The lengths of the texts.
    Lengths,
    /// Whether the column may be a key.
    Key,
    /// The relations between columns.
    Pairs,
    /// What may be wrong with the data.
    Warnings,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 12] = [
        Self::Missing,
        Self::Distinct,
        Self::Range,
        Self::Mean,
        Self::Quantiles,
        Self::Histogram,
        Self::Top,
        Self::Sample,
        Self::Lengths,
        Self::Key,
        Self::Pairs,
        Self::Warnings,
    ];

    /// Returns the name of the part for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Distinct => "distinct",
            Self::Range => "range",
            Self::Mean => "mean",
            Self::Quantiles => "quantiles",
            Self::Histogram => "histogram",
            Self::Top => "top",
            Self::Sample => "sample",
            Self::Lengths => "lengths",
            Self::Key => "key",
            Self::Pairs => "pairs",
            Self::Warnings => "warnings",
        }
    }

    /// Returns the part with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// The parts that were requested; all parts by default.
#[derive(Clone, Debug, Default)]
pub struct Parts(pub Vec<Part>);

impl Parts {
    pub(super) fn has(&self, part: Part) -> bool {
        self.0.is_empty() || self.0.contains(&part)
    }

    /// Returns whether any of these parts was requested, by name or by default.
    pub(super) fn has_any(&self, parts: &[Part]) -> bool {
        parts.iter().any(|&part| self.has(part))
    }

    /// Returns whether any of these parts was requested by name.
    pub(super) fn names_any(&self, parts: &[Part]) -> bool {
        parts.iter().any(|part| self.0.contains(part))
    }

    /// Returns whether the warnings are all that was requested, so that no column is described.
    pub(super) fn are_warnings(&self) -> bool {
        self.0 == [Part::Warnings]
    }

    /// Returns the answer, if this part was requested.
    pub(super) fn ask<T>(&self, part: Part, answer: impl FnOnce() -> T) -> Option<T> {
        self.has(part).then(answer)
    }
}
