//! Finds the word that a user probably meant by a misspelt word.

use std::borrow::Cow;

/// Returns the most similar name, if it is similar enough.
pub fn nearest<'a>(
    names: impl IntoIterator<Item = impl Into<Cow<'a, str>>>,
    wanted: &str,
) -> Option<Cow<'a, str>> {
    /// Jaro's similarity of words that differ by one misspelling: one letter of five, or two letters that changed
    /// places.
    const ALIKE: f64 = 0.8;
    let alike = |name: &str| strsim::jaro(&name.to_lowercase(), &wanted.to_lowercase());
    // A name with more than two and a half times as many letters cannot be this similar, and long names take long
    // to compare.
    let most = 16 * wanted.len().max(1);
    let names = names.into_iter().map(Into::into).filter(|name: &Cow<'_, str>| name.len() <= most);
    let names = names.map(|name| (alike(&name), name));
    let (alike, name) = names.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (alike >= ALIKE).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_by_a_slip_are_alike() {
        let names = || ["german", "Portuguese", "pt"];
        assert_eq!(nearest(names(), "portugese").as_deref(), Some("Portuguese"));
        assert_eq!(nearest(names(), "gemran").as_deref(), Some("german"));
        assert_eq!(nearest(names(), "xx"), None);
        assert_eq!(nearest([""; 0], "german"), None);
    }
}
