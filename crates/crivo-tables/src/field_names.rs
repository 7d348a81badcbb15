//! The fields of a record with the names of their columns.

use super::fields::Fields;
use super::table::{first_record, unique_names};
use super::{Source, Syntax};
use serde_json::value::RawValue;

/// How the records of a source are split into fields.
#[derive(Clone, Debug)]
pub struct FieldNames {
    syntax: Syntax,
    names: Vec<String>,
}

/// The parts of a record.
#[derive(Debug)]
pub enum Parts<'a> {
    /// The fields of a row, with their names.
    Fields(Vec<(String, Vec<u8>)>),
    /// A JSON value, as written.
    Json(&'a RawValue),
    /// A record without parts.
    Whole(&'a [u8]),
}

impl FieldNames {
    /// Creates the names for a source with this header, if it has one.
    pub fn new(source: &Source, header: Option<&[u8]>) -> Self {
        let syntax = source.format.syntax;
        let first = header.and_then(|header| first_record(header, delimiter(syntax)?));
        Self { syntax, names: first.map_or_else(Vec::new, |first| unique_names(&first.fields, true)) }
    }

    /// Returns the parts of a record of the source. A field without a name is named by its number, from 1. Fields
    /// that a short row lacks are empty.
    pub fn parts<'a>(&self, record: &'a [u8]) -> Parts<'a> {
        if self.syntax == Syntax::JsonLines
            && let Ok(json) = serde_json::from_slice(record)
        {
            return Parts::Json(json);
        }
        let Some(delimiter) = delimiter(self.syntax) else { return Parts::Whole(record) };
        let mut records = Fields::new(record, delimiter);
        let mut fields: Vec<Vec<u8>> =
            records.next().map_or_else(Vec::new, |record| record.iter().map(<[u8]>::to_vec).collect());
        fields.resize(fields.len().max(self.names.len()), Vec::new());
        let name = |place: usize| self.names.get(place).cloned().unwrap_or_else(|| (place + 1).to_string());
        Parts::Fields(fields.into_iter().enumerate().map(|(place, field)| (name(place), field)).collect())
    }
}

/// Returns the delimiter of a row's fields, or `None` if the format has no rows. Rows of Parquet arrive as CSV.
fn delimiter(syntax: Syntax) -> Option<u8> {
    match syntax {
        Syntax::Table { delimiter, .. } => Some(delimiter),
        Syntax::Parquet => Some(b','),
        Syntax::Lines { .. } | Syntax::JsonLines | Syntax::Whole => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceFormat;

    fn names(syntax: Syntax, header: Option<&[u8]>) -> FieldNames {
        let format = SourceFormat { syntax, any_bytes: false, json_by_name: false, keeps_mark: false };
        FieldNames::new(&Source::stdin(format), header)
    }

    #[test]
    fn records_are_taken_apart_as_they_are_written() {
        let table = Syntax::Table { delimiter: b';', header: true };
        let by_name = names(table, Some(b"a;\"b;c\";a"));
        for (record, expected) in [
            (&b"1;\"x;\"\"y\";3"[..], &[("a", "1"), ("b;c", "x;\"y"), ("a (3)", "3")][..]),
            (b"1", &[("a", "1"), ("b;c", ""), ("a (3)", "")]),
            (b"1;2;3;4", &[("a", "1"), ("b;c", "2"), ("a (3)", "3"), ("4", "4")]),
        ] {
            let Parts::Fields(fields) = by_name.parts(record) else { panic!("a row has fields") };
            assert!(
                fields
                    .iter()
                    .map(|(name, text)| (&name[..], std::str::from_utf8(text).unwrap()))
                    .eq(expected.iter().copied())
            );
        }
        let json = names(Syntax::JsonLines, None);
        assert!(matches!(json.parts(b"{\"a\":1.50}"), Parts::Json(raw) if raw.get() == "{\"a\":1.50}"));
        let lines = names(Syntax::Lines { end: b'\n' }, None);
        assert!(matches!(lines.parts(b"a;b"), Parts::Whole(b"a;b")));
    }
}
