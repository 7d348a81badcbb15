//! Records for programs: JSON, CSV and Markdown.

use crate::json::{after_type, json_text, write_json};
use crate::text::cell;
use crate::{Form, Interrupted, Report, Text, one_line};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Collects the records of reports and writes them.
#[derive(Debug)]
pub struct Records {
    syntax: Syntax,
    bytes: Vec<u8>,
    /// Records that are kept until all fields of their table are known.
    rows: Vec<Row>,
    /// The fields of the table that was written last.
    fields: Vec<String>,
    /// Whether a total was left out.
    is_partial: bool,
    /// The group of the next records, as JSON.
    group: Option<String>,
    /// The note on an interrupted input, for the last record of the next report.
    interrupted: Option<Interrupted>,
}

/// The names and values of a record's fields.
type Row = Vec<(String, String)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Json,
    Csv,
    Markdown,
}

impl Records {
    /// Returns `None` for text, which has no records.
    pub(crate) fn new(form: Form) -> Option<Self> {
        let syntax = match form {
            Form::Text => return None,
            Form::Json => Syntax::Json,
            Form::Csv => Syntax::Csv,
            Form::Markdown => Syntax::Markdown,
        };
        Some(Self {
            syntax,
            bytes: Vec::new(),
            rows: Vec::new(),
            fields: Vec::new(),
            is_partial: false,
            interrupted: None,
            group: None,
        })
    }

    /// Adds the group `name` to all records that `add` writes. `None` stands for the group of all other records.
    pub fn of_group(&mut self, name: Option<&[u8]>, add: impl FnOnce(&mut Self)) {
        self.group = Some(json_text(&name.map(Text::from)));
        add(self);
        self.group = None;
    }

    /// Adds a record of one result, such as a group or an item.
    pub fn row(&mut self, record: &impl Serialize) {
        if self.syntax == Syntax::Json {
            let start = self.bytes.len();
            write_json(record, &mut self.bytes);
            if let Some(group) = &self.group {
                let place = start + after_type(&self.bytes[start..]);
                self.bytes.splice(place..place, format!(",\"group\":{group}").into_bytes());
            }
            self.bytes.push(b'\n');
        } else {
            let mut row = Row::new();
            let mut text = json_text(record);
            if let Some(group) = &self.group {
                text.insert_str(after_type(text.as_bytes()), &format!(",\"group\":{group}"));
            }
            flatten("", &text, &mut row);
            self.rows.push(row);
        }
    }

    /// Adds the record of totals, after all rows. A CSV file holds one table, so it has the totals only if there
    /// are no rows.
    pub fn total(&mut self, record: &impl Serialize) {
        if self.syntax == Syntax::Csv && !(self.rows.is_empty() && self.fields.is_empty()) {
            self.is_partial = true;
            return;
        }
        self.write_table();
        self.row(record);
        self.write_table();
    }

    /// Says that the next report covers only this part of the input.
    pub(crate) fn interrupted(&mut self, part: Interrupted) {
        self.interrupted = Some(part);
    }

    /// Returns whether a record of totals was left out.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Returns the bytes of a report's records.
    pub(crate) fn render(&mut self, report: &(impl Report + ?Sized)) -> &[u8] {
        self.bytes.clear();
        report.records(self);
        self.write_table();
        if let Some(part) = self.interrupted.take()
            && self.syntax == Syntax::Json
            && self.bytes.ends_with(b"}\n")
        {
            self.bytes.truncate(self.bytes.len() - 2);
            self.bytes.extend_from_slice(format!(",\"interrupted\":{}}}\n", json_text(&part)).as_bytes());
        }
        &self.bytes
    }

    /// Writes the waiting rows: into the current table if it has all their fields, otherwise into a new table.
    fn write_table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let names = || rows.iter().flatten().map(|(name, _)| name);
        if !names().all(|name| self.fields.contains(name)) {
            if !self.fields.is_empty() {
                self.bytes.push(b'\n');
            }
            self.fields.clear();
            for name in names() {
                if !self.fields.contains(name) {
                    self.fields.push(name.clone());
                }
            }
            self.line(&self.fields.clone());
            if self.syntax == Syntax::Markdown {
                self.line(&vec!["---".to_owned(); self.fields.len()]);
            }
        }
        for mut row in rows {
            let mut cell = |name: &String| {
                let place = row.iter().position(|(has, _)| has == name);
                place.map_or_else(String::new, |place| row.swap_remove(place).1)
            };
            let cells: Vec<String> = self.fields.iter().map(&mut cell).collect();
            self.line(&cells);
        }
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

/// Appends the fields of a JSON object and their values. A field of a nested object has both names:
/// `distinct.lower`.
fn flatten(prefix: &str, object: &str, row: &mut Row) {
    let Ok(Entries(entries)) = serde_json::from_str(object) else { return };
    for (name, value) in entries {
        let value = value.get();
        let name = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value.as_bytes().first() {
            Some(b'{') => flatten(&name, value, row),
            Some(b'"') => row.push((name, serde_json::from_str(value).unwrap_or_default())),
            _ if value == "null" => row.push((name, String::new())),
            _ => row.push((name, value.to_owned())),
        }
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

/// Returns a CSV field, in quotes if it needs them.
fn csv_field(value: &str) -> Cow<'_, str> {
    let cell = cell(value);
    if cell.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\"")).into();
    }
    cell
}

/// Returns a Markdown cell on one line, with all markup escaped: `|`, which would end the cell, and HTML.
fn markdown_cell(value: &str) -> String {
    let mut cell = String::with_capacity(value.len());
    for c in one_line(value).chars() {
        match c {
            '&' => cell += "&amp;",
            '<' => cell += "&lt;",
            '\\' | '|' | '`' | '*' | '[' => cell.extend(['\\', c]),
            c => cell.push(c),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;
    use serde_json::{Value, json};

    /// A report with rows and a total.
    struct Found(Vec<Value>, Value);

    impl Report for Found {
        fn text(&self, _page: &mut Page) {}

        fn records(&self, records: &mut Records) {
            self.0.iter().for_each(|row| records.row(row));
            records.total(&self.1);
        }
    }

    fn written(form: Form, reports: &[Found]) -> String {
        let mut records = Records::new(form).unwrap();
        let written: Vec<u8> = reports.iter().flat_map(|report| records.render(report).to_vec()).collect();
        String::from_utf8(written).unwrap()
    }

    fn two_rows() -> Found {
        Found(
            vec![
                json!({"a": "x,\"y\"|\n", "b": {"lower": 1, "upper": null}, "c": [1, 2]}),
                json!({"a": "z", "d": 3}),
            ],
            json!({"rows": 2}),
        )
    }

    #[test]
    fn a_table_of_csv_has_rows_alone() {
        let table = "a,b.lower,b.upper,c,d\n\"x,\"\"y\"\"|\n\",1,,\"[1,2]\",\nz,,,,3\n";
        assert_eq!(written(Form::Csv, &[two_rows()]), table);
        let again = Found(vec![json!({"d": 4})], json!({"rows": 1}));
        assert_eq!(written(Form::Csv, &[two_rows(), again]), format!("{table},,,,4\n"), "one table");
        assert_eq!(written(Form::Csv, &[Found(vec![], json!({"rows": 0}))]), "rows\n0\n");
    }

    #[test]
    fn markdown_has_a_table_for_rows_and_one_for_the_total() {
        let head = "| a | b.lower | b.upper | c | d |\n| --- | --- | --- | --- | --- |\n";
        let rows = "| x,\"y\"\\|\\\\n | 1 |  | \\[1,2] |  |\n| z |  |  |  | 3 |\n";
        let total = "\n| rows |\n| --- |\n| 2 |\n";
        assert_eq!(written(Form::Markdown, &[two_rows()]), format!("{head}{rows}{total}"));
    }

    #[test]
    fn the_group_comes_after_the_type() {
        struct Grouped;
        impl Report for Grouped {
            fn text(&self, _page: &mut Page) {}

            fn records(&self, records: &mut Records) {
                let record = |items: u8| json!({"type": "a", "with": items});
                records.of_group(Some(b"x"), |records| records.row(&record(1)));
                records.of_group(None, |records| records.row(&json!({"type": "a"})));
                records.row(&record(2));
            }
        }
        let write = |form| {
            let mut records = Records::new(form).unwrap();
            String::from_utf8(records.render(&Grouped).to_vec()).unwrap()
        };
        let lines = [
            r#"{"type":"a","group":"x","with":1}"#,
            r#"{"type":"a","group":null}"#,
            r#"{"type":"a","with":2}"#,
        ];
        assert_eq!(write(Form::Json), lines.join("\n") + "\n");
        assert_eq!(write(Form::Csv), "type,group,with\na,x,1\na,,\na,,2\n");
    }

    #[test]
    fn nothing_in_a_value_is_obeyed() {
        let hostile = || Found(vec![json!({"a": "\u{1b}[2J<b>&\t*x*"})], json!({}));
        assert_eq!(written(Form::Csv, &[hostile()]), "a\n\\u{1b}[2J<b>&\t*x*\n");
        let cell = "\\\\u{1b}\\[2J&lt;b>&amp;\t\\*x\\*";
        assert!(written(Form::Markdown, &[hostile()]).contains(&format!("| {cell} |")), "{cell}");
        let json = written(Form::Json, &[hostile()]);
        assert!(json.starts_with(r#"{"a":"\u001b[2J<b>&\t*x*"}"#), "{json}");
    }

    #[test]
    fn a_total_that_is_left_out_makes_csv_partial() {
        let is_partial = |form, report: Found| {
            let mut records = Records::new(form).unwrap();
            records.render(&report);
            records.is_partial()
        };
        assert!(is_partial(Form::Csv, two_rows()));
        assert!(!is_partial(Form::Csv, Found(vec![], json!({"rows": 0}))));
        assert!(!is_partial(Form::Markdown, two_rows()) && !is_partial(Form::Json, two_rows()));
    }

    #[test]
    fn the_last_record_of_a_part_says_so() {
        let write = |form, report: Found| {
            let mut records = Records::new(form).unwrap();
            records.interrupted(Interrupted { rows: 7, share: Some(0.25) });
            let [part, whole] =
                [(); 2].map(|()| String::from_utf8(records.render(&report).to_vec()).unwrap());
            (part, whole)
        };
        let (part, whole) = write(Form::Json, two_rows());
        let last = r#"{"rows":2,"interrupted":{"rows":7,"share":0.25}}"#;
        assert_eq!(part, whole.replace("{\"rows\":2}", last));
        let table = "a,b.lower,b.upper,c,d\n\"x,\"\"y\"\"|\n\",1,,\"[1,2]\",\nz,,,,3\n";
        assert_eq!(write(Form::Csv, two_rows()).0, table, "which has no place for it");
    }

    #[test]
    fn json_has_a_line_for_each_record() {
        let lines = written(Form::Json, &[two_rows()]);
        assert_eq!(lines.lines().count(), 3, "{lines}");
        assert_eq!(lines.lines().last(), Some("{\"rows\":2}"));
    }
}
