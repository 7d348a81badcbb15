//! The rule for missing values: the empty value, and texts that stand for it.
//!
//! An empty value is missing, in a column and as a whole line. A value of a column is also missing if it is one of
//! the usual texts. A whole line or record that is not empty is an item, because a list of words may contain "None"
//! or "null". Only texts that the user names make it missing.

/// The texts that stand for a missing value, in addition to the empty text.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The texts, sorted by their bytes.
    texts: Vec<Vec<u8>>,
    /// Whether any text begins with a byte. Most values are excluded by their first byte.
    begins: [bool; 256],
    /// The length of the longest text in bytes. Most other values are excluded by their length.
    longest: usize,
    /// Whether the user named the texts.
    is_named: bool,
    /// Whether an empty line is an item.
    keeps_lines: bool,
}

/// The usual texts, [`Missing::USUAL`].
impl Default for Missing {
    fn default() -> Self {
        Self { is_named: false, ..Self::named(&Self::USUAL) }
    }
}

impl Missing {
    /// The usual texts for missing values, as R, Python, SQL and spreadsheets write them.
    pub const USUAL: [&str; 9] = ["NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "\\N"];

    /// Creates a rule with these texts. The empty text is always one of them.
    pub fn named<T: AsRef<str>>(texts: &[T]) -> Self {
        let texts = texts.iter().map(|text| text.as_ref().as_bytes().to_vec());
        let mut texts: Vec<Vec<u8>> = texts.filter(|text| !text.is_empty()).collect();
        texts.sort_unstable();
        let mut begins = [false; 256];
        for text in &texts {
            begins[usize::from(text[0])] = true;
        }
        let longest = texts.iter().map(Vec::len).max().unwrap_or_default();
        Self { texts, begins, longest, is_named: true, keeps_lines: false }
    }

    /// Creates a rule by which no line is missing, for lines that are parts of a text.
    pub fn no_line() -> Self {
        Self::named::<&str>(&[]).keeping_lines()
    }

    /// Makes empty lines items, for verbs that copy lines.
    #[must_use]
    pub fn keeping_lines(self) -> Self {
        Self { keeps_lines: true, ..self }
    }

    /// Returns whether the value of a column is missing.
    #[inline]
    pub fn contains(&self, value: &[u8]) -> bool {
        value.first().is_none_or(|&first| {
            self.begins[usize::from(first)] && value.len() <= self.longest && self.is_listed(value)
        })
    }

    /// Returns whether a line or record is one of the texts that the user named.
    #[inline]
    pub(super) fn names(&self, record: &[u8]) -> bool {
        self.is_named && !record.is_empty() && self.contains(record)
    }

    /// Returns whether a line is missing.
    #[inline]
    pub(super) fn is_line(&self, line: &[u8]) -> bool {
        if line.is_empty() { !self.keeps_lines } else { self.names(line) }
    }

    /// Returns whether no line or record can be missing, except an empty one.
    pub(super) fn names_none(&self) -> bool {
        !self.is_named || self.texts.is_empty()
    }

    /// Returns the field of a whole record, or an empty field if the user named its text.
    pub(super) fn or_empty_in_record<'a>(&self, field: &'a [u8]) -> &'a [u8] {
        if self.names(field) { b"" } else { field }
    }

    /// Returns the value of a column, or an empty value if it is missing.
    #[inline]
    pub(super) fn or_empty<'a>(&self, value: &'a [u8]) -> &'a [u8] {
        if self.contains(value) { b"" } else { value }
    }

    #[cold]
    fn is_listed(&self, value: &[u8]) -> bool {
        self.texts.binary_search_by(|text| text[..].cmp(value)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_text_counts() {
        let missing = Missing::named(&["NA", "-", ""]);
        for (value, is_missing) in
            [("", true), ("NA", true), ("-", true), ("N", false), ("NAB", false), ("-1", false)]
        {
            assert_eq!(missing.contains(value.as_bytes()), is_missing, "{value}");
        }
        let only_empty = Missing::named(&[""]);
        assert!(!only_empty.contains(b"NA") && only_empty.contains(b"") && only_empty.names_none());
    }

    #[test]
    fn usual_texts_are_missing_in_columns_alone() {
        let usual = Missing::default();
        assert!(Missing::USUAL.iter().all(|text| usual.contains(text.as_bytes())));
        assert!(usual.names_none() && !usual.names(b"NA"));
        assert_eq!(usual.or_empty_in_record(b"NA"), b"NA");
        let named = Missing::named(&["NA"]);
        assert!(!named.names_none() && named.names(b"NA") && !named.names(b""));
        assert!(named.is_line(b"NA") && named.is_line(b"") && !usual.is_line(b"NA") && usual.is_line(b""));
        assert!(!Missing::no_line().is_line(b""));
        assert_eq!(named.or_empty_in_record(b"NA"), b"");
    }
}
