//! Records for programs: JSON, CSV and Markdown.

use crate::Form;
use crate::text::escaped_json;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Takes the records of reports and writes them.
#[derive(Debug)]
pub struct Records {
    syntax: Syntax,
    bytes: Vec<u8>,
    /// The fields of the table that is being written.
    fields: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Json,
    Csv,
    Markdown,
}

impl Records {
    /// None for text, which has no records.
    pub(crate) fn new(form: Form) -> Option<Self> {
        let syntax = match form {
            Form::Text => return None,
            Form::Json => Syntax::Json,
            Form::Csv => Syntax::Csv,
            Form::Markdown => Syntax::Markdown,
        };
        Some(Self { syntax, bytes: Vec::new(), fields: Vec::new() })
    }

    /// One of the things that were asked for.
    pub fn row(&mut self, record: &impl Serialize) {
        let text = json_text(record);
        if self.syntax == Syntax::Json {
            self.bytes.extend_from_slice(text.as_bytes());
            self.bytes.push(b'\n');
            return;
        }
        let (mut fields, mut cells) = (Vec::new(), Vec::new());
        flatten("", &text, &mut fields, &mut cells);
        if self.fields != fields {
            self.begin_table(fields);
        }
        self.line(&cells);
    }

    /// What is said of all rows together, after them. A file of CSV holds one table: it has the total only where there are
    /// no rows.
    pub fn total(&mut self, record: &impl Serialize) {
        if self.syntax != Syntax::Csv || self.fields.is_empty() {
            self.row(record);
        }
    }

    /// Forgets what was written, but not in which table.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(crate) fn written(&self) -> &[u8] {
        &self.bytes
    }

    fn begin_table(&mut self, fields: Vec<String>) {
        if !self.fields.is_empty() {
            self.bytes.push(b'\n');
        }
        self.line(&fields);
        if self.syntax == Syntax::Markdown {
            let rule = vec!["---".to_owned(); fields.len()];
            self.line(&rule);
        }
        self.fields = fields;
    }

    fn line(&mut self, cells: &[String]) {
        let line = if self.syntax == Syntax::Csv {
            cells.iter().map(|cell| csv_field(cell)).collect::<Vec<_>>().join(",")
        } else {
            let cells: Vec<String> = cells.iter().map(|cell| markdown_cell(cell)).collect();
            format!("| {} |", cells.join(" | "))
        };
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes.push(b'\n');
    }
}

/// A record as JSON. What a terminal would obey is written as JSON's escapes.
///
/// # Panics
/// If a key of a map in it is no text.
pub fn json_text(record: &impl Serialize) -> String {
    let text = serde_json::to_string(record).expect("the keys of records are texts");
    match escaped_json(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(safe) => safe,
    }
}

/// The fields of a JSON object and their values; those of an object inside it are named after both: `distinct.lower`.
fn flatten(prefix: &str, object: &str, fields: &mut Vec<String>, cells: &mut Vec<String>) {
    let Ok(Entries(entries)) = serde_json::from_str(object) else { return };
    for (name, value) in entries {
        let value = value.get();
        let name = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value.as_bytes().first() {
            Some(b'{') => {
                flatten(&name, value, fields, cells);
                continue;
            }
            Some(b'"') => cells.push(serde_json::from_str(value).unwrap_or_default()),
            _ if value == "null" => cells.push(String::new()),
            _ => cells.push(value.to_owned()),
        }
        fields.push(name);
    }
}

/// The entries of a JSON object, in their order.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Entries<'de>, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Map)
    }
}

/// In quotes where it must be.
fn csv_field(cell: &str) -> Cow<'_, str> {
    if cell.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\"")).into();
    }
    cell.into()
}

/// On one line, and without a bar that would end it.
fn markdown_cell(cell: &str) -> String {
    crate::one_line(cell).replace('\\', "\\\\").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(form: Form) -> String {
        let mut records = Records::new(form).unwrap();
        records.row(&json!({"a": "x,\"y\"|\n", "b": {"lower": 1, "upper": null}, "c": [1, 2]}));
        records.row(&json!({"a": "z", "b": {"lower": 2, "upper": 3}, "c": []}));
        records.total(&json!({"rows": 2}));
        String::from_utf8(records.written().to_vec()).unwrap()
    }

    #[test]
    fn a_table_of_csv_has_rows_alone() {
        assert_eq!(written(Form::Csv), "a,b.lower,b.upper,c\n\"x,\"\"y\"\"|\n\",1,,\"[1,2]\"\nz,2,3,[]\n");
        let mut records = Records::new(Form::Csv).unwrap();
        records.total(&json!({"rows": 2}));
        assert_eq!(records.written(), b"rows\n2\n");
    }

    #[test]
    fn markdown_has_a_table_for_each_kind_of_record() {
        let cells = "| a | b.lower | b.upper | c |\n| --- | --- | --- | --- |\n";
        let rows = "| x,\"y\"\\|\\\\n | 1 |  | [1,2] |\n| z | 2 | 3 | [] |\n";
        assert_eq!(written(Form::Markdown), format!("{cells}{rows}\n| rows |\n| --- |\n| 2 |\n"));
    }

    #[test]
    fn json_has_a_line_for_each_record() {
        let lines = written(Form::Json);
        assert_eq!(lines.lines().count(), 3, "{lines}");
        assert_eq!(lines.lines().last(), Some("{\"rows\":2}"));
    }
}
