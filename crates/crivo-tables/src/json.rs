//! JSON Lines: one value per line, blank lines skipped. The value of a line is the one at the path
//! `name.name…` ([`json_path`](super::json_path)), or the whole line.
//!
//! A string is its decoded text, a number or boolean its token as written, an array or object its text
//! without the blanks between tokens. `null`, the empty string and a missing name are empty values.

use super::json_path::{Path, push_name};
use super::{Columns, Fault, Findings, Missing, table};
use memchr::memchr_iter;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// Parses the lines of a piece. If `skips_invalid`, a line that is not JSON is a record without a value; otherwise
/// it is a fault.
pub(super) fn parse(
    piece: &[u8],
    columns: &Columns<String>,
    missing: &Missing,
    skips_invalid: bool,
    findings: &mut Findings,
) {
    let paths = columns.of_json().map(|text| Path::new(text));
    let mut start = 0;
    let last = (!piece.ends_with(b"\n")).then_some(piece.len());
    for at in memchr_iter(b'\n', piece).chain(last) {
        let line = piece[start..at].trim_ascii();
        if !line.is_empty() {
            if skips_invalid && let Err(what) = check_line(line, &paths) {
                findings.push_invalid(what);
                findings.push_null(start, at);
            } else if let Err(what) = parse_line(line, &paths, missing, start, at, findings) {
                findings.fault = Some(Fault::at(findings.lines, advised(&what)).quoting());
                return;
            }
        }
        findings.lines += 1;
        start = at + 1;
    }
}

/// Checks that all requested values of the line can be read.
fn check_line(line: &[u8], paths: &Columns<Path>) -> Result<(), String> {
    let whole = paths.values.is_empty().then_some(None);
    let mut wanted = paths.iter().map(Some).chain(whole);
    wanted.try_for_each(|path| value(line, path).map(drop)).map_err(|error| explain(&error))
}

fn parse_line(
    line: &[u8],
    paths: &Columns<Path>,
    missing: &Missing,
    start: usize,
    end: usize,
    findings: &mut Findings,
) -> Result<(), String> {
    let at = |path: Option<&Path>| value(line, path).map_err(|error| explain(&error));
    let at = |path: Option<&Path>| {
        let text = at(path)?;
        let is_missing = match path {
            Some(_) => missing.contains(text.as_bytes()),
            None => missing.names(text.as_bytes()),
        };
        Ok::<_, String>(if is_missing { Cow::default() } else { into_bytes(text) })
    };
    let value = match &paths.values[..] {
        [] => at(None)?,
        [path] => at(Some(path))?,
        several => {
            let values = several.iter().map(|path| at(Some(path))).collect::<Result<Vec<_>, _>>()?;
            let mut text = Vec::new();
            table::combine(values.iter(), &mut text);
            text.into()
        }
    };
    let beside = |path: &Path| at(Some(path));
    if value.is_empty() || Findings::is_incomplete(paths, beside)? {
        findings.push_null(start, end);
    } else if findings.push(&value, start, end, findings.lines) {
        findings.push_columns(paths, beside)?;
    }
    Ok(())
}

fn explain(error: &serde_json::Error) -> String {
    // The position that serde_json appends refers to the line, but messages give the line of the file.
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    format!("not a JSON value: {what}")
}

/// Adds advice to the message about a line that is not JSON.
pub(super) fn advised(what: &str) -> String {
    format!("{what}; fix it, skip such lines with --skip-invalid, or use --format lines for plain text")
}

fn into_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

/// Returns the canonical text of the value at `path`, or of the whole line. The text is empty if there is no value.
fn value<'a>(line: &'a [u8], path: Option<&Path>) -> serde_json::Result<Cow<'a, str>> {
    let token = match path {
        Some(path) => path.find(line)?,
        None => Some(serde_json::from_slice::<&RawValue>(line)?.get()),
    };
    token.map_or(Ok("".into()), canonical)
}

/// Returns the canonical text of the value at `path`, or an empty text if there is no value.
pub(super) fn text_at<'a>(line: &'a [u8], path: &Path) -> Result<Cow<'a, str>, String> {
    value(line, Some(path)).map_err(|error| explain(&error))
}

/// Returns the canonical text of a value as written.
fn canonical(token: &str) -> serde_json::Result<Cow<'_, str>> {
    Ok(match token.as_bytes().first() {
        Some(b'n') => "".into(),
        Some(b'"') => match &token[1..token.len() - 1] {
            plain if !plain.contains('\\') => plain.into(),
            _ => serde_json::from_str::<String>(token)?.into(),
        },
        Some(b'{' | b'[') => without_blanks(token),
        _ => token.into(),
    })
}

/// Removes the blanks between tokens. Strings stay as they are.
fn without_blanks(text: &str) -> Cow<'_, str> {
    let mut in_string = false;
    let mut escaped = false;
    let kept = text.chars().filter(|&c| {
        let blank = !in_string && c.is_ascii_whitespace();
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else {
            in_string = c == '"';
        }
        !blank
    });
    kept.collect::<String>().into()
}

/// The values of objects, identified by their paths. Nested objects are entered; arrays are values.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    /// The path of each place, in the order of first occurrence.
    names: Vec<String>,
    places: HashMap<String, usize>,
    /// The path of the current value.
    path: String,
    /// The place to try first, since most objects have the same names in the same order.
    next: usize,
}

impl Leaves {
    pub(super) fn clear(&mut self) {
        self.names.clear();
        self.places.clear();
    }

    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Passes the values of a line and their places to `tell`: the values at the paths `wanted`, or all if there
    /// are none.
    pub(super) fn read(
        &mut self,
        line: &[u8],
        wanted: &[(String, Path)],
        mut tell: impl FnMut(usize, &[u8]),
    ) -> Result<(), String> {
        /// The name of a value that is not in an object.
        const ALONE: &str = "value";
        self.next = 0;
        self.path.clear();
        let mut read = || {
            for (name, path) in wanted {
                let text = value(line, Some(path))?;
                tell(self.place(name), text.as_bytes());
            }
            if !wanted.is_empty() {
                return Ok(());
            }
            if line.starts_with(b"{") {
                let mut object = serde_json::Deserializer::from_slice(line);
                object.deserialize_map(Walk { leaves: self, depth: 0, tell: &mut tell })?;
                return object.end();
            }
            let text = value(line, None)?;
            tell(self.place(ALONE), text.as_bytes());
            Ok(())
        };
        read().map_err(|error| explain(&error))
    }

    fn place(&mut self, path: &str) -> usize {
        let place = if self.names.get(self.next).is_some_and(|name| name == path) {
            self.next
        } else {
            *self.places.entry(path.to_owned()).or_insert_with(|| {
                self.names.push(path.to_owned());
                self.names.len() - 1
            })
        };
        self.next = place + 1;
        place
    }
}

struct Walk<'l, 't> {
    leaves: &'l mut Leaves,
    depth: usize,
    tell: &'t mut dyn FnMut(usize, &[u8]),
}

/// The deepest level of objects that are entered. Objects below it are values.
const DEEPEST: usize = 32;

impl<'de> Visitor<'de> for Walk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Walk { leaves, depth, tell } = self;
        let outer = leaves.path.len();
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            if depth > 0 {
                leaves.path.push('.');
            }
            push_name(&mut leaves.path, &name);
            let token = map.next_value::<&RawValue>()?.get();
            if token.starts_with('{') && depth < DEEPEST {
                let inner = Walk { leaves: &mut *leaves, depth: depth + 1, tell: &mut *tell };
                serde_json::Deserializer::from_str(token).deserialize_map(inner).map_err(A::Error::custom)?;
            } else {
                let text = canonical(token).map_err(A::Error::custom)?;
                let path = std::mem::take(&mut leaves.path);
                tell(leaves.place(&path), text.as_bytes());
                leaves.path = path;
            }
            leaves.path.truncate(outer);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: &str, path: Option<&str>) -> String {
        value(line.as_bytes(), path.map(Path::new).as_ref()).unwrap().into_owned()
    }

    #[test]
    fn canonical_texts() {
        for (json, text) in [
            (r#""a""#, "a"),
            (r#""\u0061\n""#, "a\n"),
            ("1.50", "1.50"),
            ("true", "true"),
            ("null", ""),
            (r#""""#, ""),
            (r#"{ "a" : [ 1, "x \" y" ] }"#, r#"{"a":[1,"x \" y"]}"#),
        ] {
            assert_eq!(at(json, None), text, "{json}");
            assert_eq!(at(&format!(r#"{{"z":0, "k":{json}}}"#), Some("k")), text, "{json}");
        }
    }

    #[test]
    fn paths() {
        assert_eq!(at(r#"{"a":{"b":{"c":7}}}"#, Some("a.b.c")), "7");
        assert_eq!(at(r#"{"a.b":8,"a":{"x":1}}"#, Some("a.b")), "8");
        assert_eq!(at(r#"{"\u0061":9}"#, Some("a")), "9");
        assert_eq!(at(r#"{"a":[1,{"b":[[2,3]]}]}"#, Some("a.1.b.0.1")), "3");
        assert_eq!(at(r#"{"a":["x", "y"]}"#, Some("a.1")), "y");
        assert_eq!(at(r#"{"a":["x"]}"#, Some("a.1")), "");
        for without in [
            "{}",
            "[1]",
            "3",
            "-3",
            "0.5",
            r#""a""#,
            "null",
            "false",
            r#"{"a":[]}"#,
            r#"{"ab":1}"#,
            "1e999",
            r#"{"a":1e999}"#,
        ] {
            assert_eq!(at(without, Some("a.b")), "", "{without}");
        }
    }

    #[test]
    fn leaves_of_objects() {
        let mut leaves = Leaves::default();
        let mut told = Vec::new();
        for line in [r#"{"a":1,"b":{"c":"x","d":{}},"e":[1, 2]}"#, r#"{"b":{"c":null},"f":true,"a":2}"#, "7"]
        {
            leaves
                .read(line.as_bytes(), &[], |place, text| {
                    told.push((place, String::from_utf8(text.into()).unwrap()));
                })
                .unwrap();
        }
        let expected = [(0, "1"), (1, "x"), (2, "[1,2]"), (1, ""), (3, "true"), (0, "2"), (4, "7")];
        assert!(told.iter().map(|(place, text)| (*place, &text[..])).eq(expected), "{told:?}");
        assert!(leaves.names().eq(["a", "b.c", "e", "f", "value"]));
        let deep = "{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000);
        let mut number = 0;
        let told = leaves.read(deep.as_bytes(), &[], |_, _| number += 1);
        assert!(told.is_err() || number == 1, "a deep object is refused, or a value");
    }

    #[test]
    fn faults_name_the_line() {
        for bad in ["{", "{\"a\":1}x", "{\"a\" 1}", "\"\\ud800\"", "\u{1}", "nul"] {
            let mut findings = Findings::default();
            parse(
                format!("1\n\n{bad}\n").as_bytes(),
                &Columns::default(),
                &Missing::default(),
                false,
                &mut findings,
            );
            assert_eq!(findings.fault.expect(bad).line, Some(2), "{bad}");
        }
        assert!(value(b"\"\xff\"", None).is_err());
    }
}
