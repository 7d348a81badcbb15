//! Values that are none: an empty one, and the texts that the user, or habit, has for it.

/// The texts that stand for a missing value, beside the empty one.
#[derive(Clone, Debug)]
pub struct Missing {
    /// In the order of their bytes.
    texts: Vec<Vec<u8>>,
    /// Whether one of them begins with a byte: most values are told apart by that.
    begins: [bool; 256],
}

impl Default for Missing {
    fn default() -> Self {
        Self::new::<&str>(&[])
    }
}

impl Missing {
    /// Those that programs write: R, Python, SQL, spreadsheets.
    pub const USUAL: [&str; 9] = ["NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "\\N"];

    /// These texts, and the empty one.
    pub fn new<T: AsRef<str>>(texts: &[T]) -> Self {
        let texts = texts.iter().map(|text| text.as_ref().as_bytes().to_vec());
        let mut texts: Vec<Vec<u8>> = texts.filter(|text| !text.is_empty()).collect();
        texts.sort_unstable();
        let mut begins = [false; 256];
        for text in &texts {
            begins[usize::from(text[0])] = true;
        }
        Self { texts, begins }
    }

    /// Whether the value is missing.
    #[inline]
    pub fn contains(&self, value: &[u8]) -> bool {
        value.first().is_none_or(|&first| self.begins[usize::from(first)] && self.is_listed(value))
    }

    /// Whether an empty value is the only one that is missing.
    pub(super) fn is_only_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The value, or an empty one if it is missing.
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
        let missing = Missing::new(&["NA", "-", ""]);
        for (value, is_missing) in
            [("", true), ("NA", true), ("-", true), ("N", false), ("NAB", false), ("-1", false)]
        {
            assert_eq!(missing.contains(value.as_bytes()), is_missing, "{value}");
        }
        assert!(!Missing::default().contains(b"NA") && Missing::default().contains(b""));
        assert!(Missing::USUAL.iter().all(|text| Missing::new(&Missing::USUAL).contains(text.as_bytes())));
    }
}
