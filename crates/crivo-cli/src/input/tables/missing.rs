//! Which texts stand for a missing value.

/// Texts that are no values.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    texts: Vec<Vec<u8>>,
    /// What a text can begin with that is one of them.
    begins: [bool; 256],
}

impl Missing {
    /// These, and the empty one.
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let texts: Vec<Vec<u8>> =
            texts.into_iter().filter(|text| !text.is_empty()).map(|text| text.as_bytes().to_vec()).collect();
        let mut begins = [false; 256];
        for text in &texts {
            begins[usize::from(text[0])] = true;
        }
        Self { texts, begins }
    }

    /// Whether this is one of the texts, or empty.
    #[inline]
    pub(super) fn contains(&self, text: &[u8]) -> bool {
        let Some(&first) = text.first() else { return true };
        self.begins[usize::from(first)] && self.texts.iter().any(|missing| missing == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_is_always_missing() {
        let missing = Missing::new(["NA", "", "\\N"]);
        for (text, expected) in
            [("", true), ("NA", true), ("\\N", true), ("N", false), ("NAN", false), ("0", false)]
        {
            assert_eq!(missing.contains(text.as_bytes()), expected, "{text}");
        }
    }
}
