//! What `explain` says: one table of sentences per language, with the same keys and placeholders.
//!
//! A line of a table is `key = text`. A sentence of one kind has the kind's name before its key, `bloom.about`; where a kind has
//! none, the sentence without a name holds for it. `{name}` stands for a value, and `{name:one|many}` for the form that agrees with
//! it, in which `#` is the number.

use crivo::{Estimate, Guarantee};
use crivo_report::{count, number, percent, value};

/// A language of the explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Language {
    /// English
    En,
    /// European Portuguese
    Pt,
}

impl Language {
    pub(super) fn table(self) -> &'static str {
        match self {
            Self::En => include_str!("words/en.txt"),
            Self::Pt => include_str!("words/pt.txt"),
        }
    }

    /// As documents name it.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Pt => "pt-PT",
        }
    }

    /// A number as it is written: in Portuguese with a decimal comma, and without a mark between thousands.
    fn number(self, written: &str) -> String {
        match self {
            Self::En => written.into(),
            Self::Pt => written.replace(',', "").replace('.', ","),
        }
    }
}

/// Keys and texts of a table, in order.
pub(super) fn sentences(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('=')).map(|(key, text)| (key.trim(), text.trim()))
}

/// The sentences about one kind.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) language: Language,
    pub(super) kind: &'static str,
}

/// What stands in a sentence.
pub(super) trait Value {
    fn text(&self, words: Words) -> String;
}

/// A share, in percent.
pub(super) struct Percent(pub(super) f64);
/// With this many decimals.
pub(super) struct Fixed(pub(super) f64, pub(super) usize);
/// As the user wrote it.
pub(super) struct Exact(pub(super) f64);
/// With its interval, in whole numbers.
pub(super) struct Interval<'a>(pub(super) &'a Estimate);

/// A sentence with its values: `say!(words, "insert", item = entry.name)`.
macro_rules! say {
    ($words:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $words.say($key, &[$((stringify!($name), &$value as &dyn $crate::cmd::explain::words::Value)),*])
    };
}
pub(super) use say;

impl Words {
    /// The sentence of this key. A test looks for every key of the code in both tables.
    pub(super) fn say(self, key: &str, values: &[(&str, &dyn Value)]) -> String {
        let text = self.find(key).unwrap_or(key);
        let mut said = String::new();
        let mut rest = text;
        while let Some((before, (inside, after))) =
            rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            said.push_str(before);
            let (name, forms) =
                inside.split_once(':').map_or((inside, None), |(name, forms)| (name, Some(forms)));
            let value = values.iter().find(|(it, _)| *it == name).map(|(_, value)| value.text(self));
            debug_assert!(value.is_some(), "{}: nothing for {{{name}}} in '{text}'", self.kind);
            let value = value.unwrap_or_default();
            match forms.and_then(|forms| forms.split_once('|')) {
                Some((one, many)) => {
                    said.push_str(&(if value == "1" { one } else { many }).replace('#', &value));
                }
                None => said.push_str(&value),
            }
            rest = after;
        }
        said + rest
    }

    fn find(self, key: &str) -> Option<&'static str> {
        let is_own = |it: &str| it.strip_prefix(self.kind).and_then(|it| it.strip_prefix('.')) == Some(key);
        let table = self.language.table();
        let found = sentences(table)
            .find(|(it, _)| is_own(it))
            .or_else(|| sentences(table).find(|(it, _)| *it == key));
        debug_assert!(found.is_some(), "no sentence '{key}' for {}", self.kind);
        found.map(|(_, text)| text)
    }

    /// `a`, `a and b`, `a, b and c`
    pub(super) fn list(self, parts: &[impl AsRef<str>]) -> String {
        match parts {
            [] => String::new(),
            [one] => one.as_ref().into(),
            [first @ .., last] => {
                let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
                say!(self, "list", first = first.join(", "), last = last.as_ref())
            }
        }
    }
}

impl Value for String {
    fn text(&self, _words: Words) -> String {
        self.clone()
    }
}

impl Value for &str {
    fn text(&self, _words: Words) -> String {
        (*self).into()
    }
}

impl Value for &String {
    fn text(&self, _words: Words) -> String {
        (*self).clone()
    }
}

impl Value for u64 {
    fn text(&self, words: Words) -> String {
        words.language.number(&count(*self))
    }
}

impl Value for u32 {
    fn text(&self, words: Words) -> String {
        u64::from(*self).text(words)
    }
}

impl Value for usize {
    fn text(&self, words: Words) -> String {
        (*self as u64).text(words)
    }
}

/// To three significant digits.
impl Value for f64 {
    fn text(&self, words: Words) -> String {
        words.language.number(&number(*self))
    }
}

impl Value for Percent {
    fn text(&self, words: Words) -> String {
        words.language.number(&percent(self.0))
    }
}

impl Value for Fixed {
    fn text(&self, words: Words) -> String {
        words.language.number(&format!("{:.*}", self.1, self.0))
    }
}

impl Value for Exact {
    fn text(&self, words: Words) -> String {
        words.language.number(&value(self.0))
    }
}

impl Value for Vec<String> {
    fn text(&self, words: Words) -> String {
        words.list(self)
    }
}

impl Value for Interval<'_> {
    fn text(&self, words: Words) -> String {
        let estimate = self.0;
        let [value, lower, upper] =
            [estimate.value(), estimate.lower(), estimate.upper()].map(|it| Fixed(it.max(0.0), 0));
        let confidence = match estimate.guarantee() {
            Guarantee::Certain => 1.0,
            Guarantee::Proven { confidence } | Guarantee::Approximate { confidence } => confidence,
        };
        say!(words, "interval", value = value, confidence = Percent(confidence), lower = lower, upper = upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The names in braces, each once.
    fn placeholders(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next()).collect()
    }

    #[test]
    fn both_languages_say_the_same() {
        let [english, portuguese] =
            [Language::En, Language::Pt].map(|it| sentences(it.table()).collect::<Vec<_>>());
        for ((key, text), (other, translated)) in english.iter().zip(&portuguese) {
            assert_eq!(key, other, "the tables have the same keys in the same order");
            assert_eq!(placeholders(text), placeholders(translated), "{key}");
            assert!(!text.is_empty() && !translated.is_empty(), "{key}");
        }
        assert_eq!(english.len(), portuguese.len());
        let keys: BTreeSet<_> = english.iter().map(|(key, _)| key).collect();
        assert_eq!(keys.len(), english.len(), "a key comes twice");
    }

    /// Every key that the code names is in the tables, and every key of the tables is named.
    #[test]
    fn no_sentence_is_missing_and_none_is_left_over() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cmd/explain");
        let code: String = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|it| it == "rs"))
            .filter(|path| !path.ends_with("words.rs") && !path.to_str().unwrap().ends_with("tests.rs"))
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect();
        let bare = |key: &'static str| key.rsplit('.').next().unwrap();
        let known: BTreeSet<_> = sentences(Language::En.table()).map(|(key, _)| bare(key)).collect();
        let named = code.split("say!(").skip(1).filter_map(|call| call.split('"').nth(1));
        for key in named {
            assert!(known.contains(key), "no sentence '{key}'");
        }
        for key in known {
            let is_of_example =
                super::super::KINDS.iter().any(|kind| kind.examples.iter().any(|it| it.name == key));
            assert!(
                is_of_example || code.contains(&format!("\"{key}\"")) || key == "list" || key == "interval",
                "{key}"
            );
        }
    }

    #[test]
    fn forms_agree_with_numbers() {
        let words = |language| Words { language, kind: "bloom" };
        for (language, some) in [(Language::En, "1,234.5"), (Language::Pt, "1234,5")] {
            assert_eq!(language.number("1,234.5"), some);
            assert_eq!(words(language).list(&["a"; 0]), "");
            assert_eq!(words(language).list(&["a"]), "a");
        }
        assert_eq!(words(Language::En).list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(words(Language::Pt).list(&["a", "b", "c"]), "a, b e c");
        let title = |cells: u64| say!(words(Language::En), "title", cells = cells, hashes = 2u32);
        assert_eq!(title(1), "Bloom filter of 1 bit, 2 positions per item");
        assert_eq!(title(16), "Bloom filter of 16 bits, 2 positions per item");
    }
}
