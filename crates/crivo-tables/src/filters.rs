//! What the Bloom filters inside a file answer.

/// The answers for some keys.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterAnswers {
    /// Whether a row group may contain the key; if not, the file does not.
    pub present: Vec<bool>,
    /// The probability that an absent key is found.
    pub fpr: f64,
}
