//! The parts of a profile.

/// A part of the report on a column, besides its name, type and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// How many values are missing.
    Missing,
    /// How many are different.
    Distinct,
    /// The least and the greatest.
    Range,
    /// The mean and the deviation.
    Mean,
    /// Values at shares of the ranks.
    Quantiles,
    /// How the values are spread.
    Histogram,
    /// The most frequent values.
    Top,
    /// Some of the distinct values.
    Sample,
    /// How long the texts are.
    Lengths,
    /// Whether it looks like a key.
    Key,
    /// Which columns look like each other.
    Pairs,
}

impl Part {
    /// Each of them.
    pub const ALL: [Self; 11] = [
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
    ];

    /// What people call it.
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
        }
    }

    /// The one that is called so.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// Returns the parts that were asked for; all by default.
#[derive(Clone, Debug, Default)]
pub struct Parts(pub Vec<Part>);

impl Parts {
    pub(super) fn has(&self, part: Part) -> bool {
        self.0.is_empty() || self.0.contains(&part)
    }

    /// Returns whether any of these parts is wanted.
    pub(super) fn has_any(&self, parts: &[Part]) -> bool {
        parts.iter().any(|&part| self.has(part))
    }

    /// Whether any of these was asked for by name.
    pub(super) fn names_any(&self, parts: &[Part]) -> bool {
        parts.iter().any(|part| self.0.contains(part))
    }

    /// The answer, if this part was asked for.
    pub(super) fn ask<T>(&self, part: Part, answer: impl FnOnce() -> T) -> Option<T> {
        self.has(part).then(answer)
    }
}
