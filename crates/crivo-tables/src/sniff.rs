//! Guesses the format of records from the first of them.

use super::fields::Fields;
use super::head::Head;
use super::{Missing, Syntax};
use crivo::Number;
use serde::de::IgnoredAny;
use std::collections::HashSet;

/// The purpose of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// Reading lines is also possible, so only unmistakable tables are recognised.
    Careful,
    /// A table is required, whose columns are given by number.
    Numbered,
    /// A table is required, whose columns are given by name.
    Named,
}

impl Head {
    /// Returns JSON Lines or a table, if the records look like it.
    pub fn guess(&self, guess: Guess) -> Option<Syntax> {
        if self.is_json_lines() {
            return Some(Syntax::JsonLines);
        }
        let records = |delimiter| self.records(delimiter).filter(|records| records.len() > 1);
        let (delimiter, records) =
            b"\t;,|".iter().find_map(|&delimiter| Some((delimiter, records(delimiter)?)))?;
        if guess == Guess::Careful && (self.is_prose(delimiter) || !is_clear(&records)) {
            return None;
        }
        let header = guess == Guess::Named || has_header(&records);
        Some(Syntax::Table { delimiter, header })
    }

    /// Returns the delimiter of a table whose extension says CSV: a comma, unless commas split no fields and
    /// another delimiter does.
    pub fn delimiter_of_csv(&self) -> u8 {
        b",;\t|".iter().copied().find(|&delimiter| self.records(delimiter).is_some()).unwrap_or(b',')
    }

    fn is_json_lines(&self) -> bool {
        let text = self.bytes.trim_ascii_start();
        let end = memchr::memchr(b'\n', text).or(self.is_whole.then_some(text.len()));
        let first = &text[..end.unwrap_or_default()];
        first.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(first).is_ok()
    }

    /// Returns the records, if all have the same number of fields, and more than one.
    fn records(&self, delimiter: u8) -> Option<Vec<Vec<Vec<u8>>>> {
        let mut fields = Fields::new(&self.bytes, delimiter);
        let mut records = Vec::new();
        while let Some(record) = fields.next() {
            records.push(record.iter().map(<[u8]>::to_vec).collect::<Vec<_>>());
        }
        // The last record may be incomplete.
        if !self.is_whole {
            records.pop();
        }
        let width = records.first()?.len();
        (width > 1 && records.iter().all(|record| record.len() == width)).then_some(records)
    }

    /// Returns whether a blank follows each delimiter, as in sentences.
    fn is_prose(&self, delimiter: u8) -> bool {
        memchr::memchr_iter(delimiter, &self.bytes).all(|at| self.bytes.get(at + 1) == Some(&b' '))
    }
}

/// Returns whether there are more than two columns, or a column of numbers.
fn is_clear(records: &[Vec<Vec<u8>>]) -> bool {
    records[0].len() > 2 || (0..records[0].len()).any(|place| is_numeric(records, place))
}

/// Returns whether all values of a column are numbers, except the first, which may be a name.
fn is_numeric(records: &[Vec<Vec<u8>>], place: usize) -> bool {
    let missing = Missing::default();
    let mut values =
        records[1..].iter().map(|record| &record[place]).filter(|value| !missing.contains(value));
    values.clone().next().is_some() && values.all(|value| Number::parse(value).is_some())
}

/// Returns whether the first record has names: it has no numbers, and no repeated or empty name unless numbers
/// follow.
fn has_header(records: &[Vec<Vec<u8>>]) -> bool {
    let names = &records[0];
    let mut seen = HashSet::new();
    names.iter().all(|name| Number::parse(name).is_none())
        && (names.iter().all(|name| !name.is_empty() && seen.insert(name))
            || (0..names.len()).any(|place| is_numeric(records, place)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Head {
        Head { bytes: text.into(), is_whole: true }
    }

    fn table(delimiter: u8, header: bool) -> Syntax {
        Syntax::Table { delimiter, header }
    }

    #[test]
    fn tables_are_known_by_their_fields() {
        for (text, syntax) in [
            ("id,name\n1,a\n2,b\n", Some(table(b',', true))),
            ("a;b;c\n1,5;2;x\n", Some(table(b';', true))),
            ("1,5;2\n3,5;4\n", Some(table(b';', false))),
            ("x\ty\nu\tv\n", Some(table(b'\t', true))),
            ("a|b|c\n\"d|e\"|f|g\n", Some(table(b'|', true))),
            ("id,id\n1,2\n", Some(table(b',', true))),
            ("a,a\nb,c\n", Some(table(b',', false))),
            ("{\"a\": 1}\n{\"b\": 2}\n", Some(Syntax::JsonLines)),
            ("{\"a\": 1}", Some(Syntax::JsonLines)),
            ("{not json}\n", None),
            ("plain\nlines\n", None),
            ("a,b\nc\n", None),
            ("a,b,c\n", None),
            ("", None),
        ] {
            assert_eq!(head(text).guess(Guess::Numbered), syntax, "{text}");
        }
        assert_eq!(head("1,x\n2,y\n").guess(Guess::Numbered), Some(table(b',', false)));
        assert_eq!(head("1,x\n2,y\n").guess(Guess::Named), Some(table(b',', true)), "a name needs a header");
    }

    #[test]
    fn without_need_only_a_clear_table_is_one() {
        for text in [
            "When, in the course\nof events, it\n",
            "One, two, three.\nFour, five, six.\n",
            "2026-01-01 10:00:00,123 started\n2026-01-01 10:00:01,007 ended\n",
            "name,city\nann,rome\n",
        ] {
            assert_eq!(head(text).guess(Guess::Careful), None, "{text}");
        }
        assert_eq!(head("name,age\nann,7\nbob,NA\n").guess(Guess::Careful), Some(table(b',', true)));
        assert_eq!(head("name;city;land\nann;rome;it\n").guess(Guess::Careful), Some(table(b';', true)));
    }

    #[test]
    fn a_record_that_goes_on_does_not_count() {
        let text = "a,b\n1,2\n3";
        assert_eq!(head(text).guess(Guess::Numbered), None);
        assert_eq!(Head { is_whole: false, ..head(text) }.guess(Guess::Numbered), Some(table(b',', true)));
        let quoted = "a,b\n1,2\n3,\"x\ny";
        assert_eq!(Head { is_whole: false, ..head(quoted) }.guess(Guess::Numbered), Some(table(b',', true)));
    }

    #[test]
    fn csv_has_commas_unless_they_split_nothing() {
        for (text, delimiter) in [
            ("a;b\n1,5;2\n", b';'),
            ("1,5;2\n2,5;3\n", b','),
            ("a\n1\n", b','),
            ("a\tb\n", b'\t'),
            ("", b','),
        ] {
            assert_eq!(head(text).delimiter_of_csv(), delimiter, "{text}");
        }
    }
}
