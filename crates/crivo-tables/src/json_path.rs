//! Paths into JSON, `name.name…`, and the search for the value at a path.
//!
//! A dot within a name is written `\.`, a comma `\,` and a backslash `\\`. A name with dots is also found without
//! backslashes, unless the path leads to a nested value.

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// A path: its names, the outermost first.
#[derive(Clone, Debug)]
pub(super) struct Path(Vec<String>);

/// The largest number of names of a path. No real path is longer, and each name takes space on the stack.
pub const MOST_NAMES: usize = 1000;

impl Path {
    pub(super) fn new(text: &str) -> Self {
        let mut names = vec![String::new()];
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let name = names.last_mut().expect("there is always one");
            match c {
                '\\' => name.push(chars.next_if(|&next| matches!(next, '.' | ',' | '\\')).unwrap_or(c)),
                '.' => names.push(String::new()),
                _ => name.push(c),
            }
        }
        Self(names)
    }

    /// Returns the value at the path in an object, as written, or `None` if the line is another value. The line is
    /// read to its end, and no other value of the object is built.
    pub(super) fn find<'a>(&self, line: &'a [u8]) -> serde_json::Result<Option<&'a str>> {
        if !line.starts_with(b"{") {
            serde_json::from_slice::<&RawValue>(line)?;
            return Ok(None);
        }
        let mut object = serde_json::Deserializer::from_slice(line);
        let found = object.deserialize_map(Find { path: &self.0 })?;
        object.end()?;
        Ok(found)
    }
}

/// Splits a text at its commas into paths, as written. If one of the paths were empty, the text is a single path.
pub(super) fn split_paths(text: &str) -> Vec<String> {
    let mut paths = vec![String::new()];
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == ',' {
            paths.push(String::new());
        } else if let Some(path) = paths.last_mut() {
            path.push(c);
            if c == '\\' {
                path.extend(chars.next());
            }
        }
    }
    if paths.iter().any(String::is_empty) { vec![text.to_owned()] } else { paths }
}

/// Appends `name` to `path`, escaped so that [`Path::new`] reads it back.
pub(super) fn push_name(path: &mut String, name: &str) {
    if name.contains(['.', '\\']) {
        for c in name.chars() {
            if matches!(c, '.' | '\\') {
                path.push('\\');
            }
            path.push(c);
        }
    } else {
        path.push_str(name);
    }
}

/// Returns the names of columns as users write them: a dot has its backslash only if another path would be equal
/// without it. [`push_name`] or the user wrote each of `paths`.
pub(super) fn plain_names(paths: &[&str]) -> Vec<String> {
    let plain = |path: &str| (!path.contains(r"\\")).then(|| path.replace(r"\.", ".").replace(r"\,", ","));
    let mut readings: HashMap<Cow<'_, str>, usize> = HashMap::new();
    for &path in paths {
        *readings.entry(plain(path).map_or(path.into(), Cow::Owned)).or_default() += 1;
    }
    let name = |&path: &&str| plain(path).filter(|name| readings[&name[..]] == 1);
    paths.iter().map(|path| name(path).unwrap_or_else(|| (*path).to_owned())).collect()
}

/// Returns the number of names of `path` that `name` covers: more than one if `name` contains dots, `None` if it
/// does not match.
fn matched(name: &str, path: &[String]) -> Option<usize> {
    let mut rest = name;
    for (place, wanted) in path.iter().enumerate() {
        rest = rest.strip_prefix(wanted.as_str())?;
        if rest.is_empty() {
            return Some(place + 1);
        }
        rest = rest.strip_prefix('.')?;
    }
    None
}

/// The best match in an object so far. Of repeated names the last one counts. If a path can be read in several
/// ways, the most deeply nested value counts.
struct Best<'a> {
    value: Option<&'a str>,
    names: usize,
}

impl<'a> Best<'a> {
    const NONE: Self = Self { value: None, names: usize::MAX };

    /// Takes the `value` of a name that covers this many names of the path.
    fn see(&mut self, names: usize, value: Option<&'a str>) {
        if value.is_some() && names <= self.names {
            *self = Self { value, names };
        }
    }
}

struct Find<'p> {
    path: &'p [String],
}

impl<'de> Visitor<'de> for Find<'_> {
    type Value = Option<&'de str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut best = Best::NONE;
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            match matched(&name, self.path) {
                Some(names) => {
                    let text = map.next_value::<&RawValue>()?.get();
                    best.see(names, Valid { text, at: 0 }.find(&self.path[names..]));
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(best.value)
    }
}

/// Reads a text that is known to be JSON. Each byte is read once, however deep the path.
struct Valid<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Valid<'a> {
    /// Returns the value at `path` within the value that begins here, and moves behind the latter.
    fn find(&mut self, path: &[String]) -> Option<&'a str> {
        let Some(wanted) = path.first() else { return Some(self.value()) };
        match self.peek() {
            b'{' => {
                self.at += 1;
                let mut best = Best::NONE;
                while self.next_item(b'}') {
                    let name = self.value();
                    let name = match &name[1..name.len() - 1] {
                        plain if !plain.contains('\\') => Some(Cow::Borrowed(plain)),
                        // An escape with half of a surrogate pair cannot be decoded, so it is no name.
                        _ => serde_json::from_str(name).ok().map(Cow::Owned),
                    };
                    self.peek();
                    self.at += 1;
                    match name.and_then(|name: Cow<'_, str>| matched(&name, path)) {
                        Some(names) => best.see(names, self.find(&path[names..])),
                        None => drop(self.value()),
                    }
                }
                best.value
            }
            b'[' => {
                let wanted = wanted.parse::<usize>().ok();
                self.at += 1;
                let (mut place, mut found) = (0, None);
                while self.next_item(b']') {
                    if wanted == Some(place) {
                        found = self.find(&path[1..]);
                    } else {
                        self.value();
                    }
                    place += 1;
                }
                found
            }
            _ => {
                self.value();
                None
            }
        }
    }

    /// Moves to the next item of the current object or array. Returns false behind the bracket that `closes` it.
    fn next_item(&mut self, closes: u8) -> bool {
        self.at += usize::from(self.peek() == b',');
        let is_over = self.peek() == closes;
        self.at += usize::from(is_over);
        !is_over && self.at < self.text.len()
    }

    /// Returns the next byte that is not a blank.
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied().unwrap_or_default()
    }

    /// Returns the value that begins here, and moves behind it.
    fn value(&mut self) -> &'a str {
        let first = self.peek();
        let (bytes, start) = (self.text.as_bytes(), self.at);
        let mut depth = 0usize;
        loop {
            match bytes.get(self.at) {
                Some(b'"') => self.at = end_of_string(bytes, self.at),
                Some(b'{' | b'[') => (depth, self.at) = (depth + 1, self.at + 1),
                Some(b'}' | b']') if depth > 0 => (depth, self.at) = (depth - 1, self.at + 1),
                // The end of a number, `true`, `false` or `null`.
                Some(b'}' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n') if depth == 0 => break,
                Some(_) => self.at += 1,
                None => break,
            }
            if depth == 0 && matches!(first, b'"' | b'{' | b'[') {
                break;
            }
        }
        &self.text[start..self.at]
    }
}

/// Returns the place behind the quote that closes the string that opens at `start`.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: &str, path: &str) -> Option<String> {
        Path::new(path).find(line.as_bytes()).unwrap().map(Into::into)
    }

    #[test]
    fn values_are_found_as_they_are_written() {
        let line =
            r#"{"x":[1],"a": { "b" : [ 1 , {"c":"x,]}\\\"" , "\u0064" : [[2,3]]} ] ,"e":{}, "f":-1.5e3 } }"#;
        for (path, value) in [
            ("a.b.0", Some("1")),
            ("a.b.1.c", Some(r#""x,]}\\\"""#)),
            ("a.b.1.d.0.1", Some("3")),
            ("a.b.1.d", Some("[[2,3]]")),
            ("a.e", Some("{}")),
            ("a.f", Some("-1.5e3")),
            ("a.b.2", None),
            ("a.b.x", None),
            ("a.e.x", None),
            ("a.f.x", None),
            ("a.b.1.c.x", None),
            ("x.0", Some("1")),
            ("y", None),
        ] {
            assert_eq!(at(line, path).as_deref(), value, "{path}");
        }
    }

    #[test]
    fn a_name_with_dots_is_told_from_a_path() {
        let both = r#"{"a.b":1,"a":{"b":2,"c.d":{"e":3}},"a\\b":4}"#;
        assert_eq!(at(both, "a.b").as_deref(), Some("2"), "the one further inside");
        assert_eq!(at(both, r"a\.b").as_deref(), Some("1"));
        assert_eq!(at(both, "a.c.d.e").as_deref(), Some("3"), "dots of a name need no escape");
        assert_eq!(at(both, r"a.c\.d.e").as_deref(), Some("3"));
        assert_eq!(at(both, r"a\b").as_deref(), Some("4"), "a backslash before a letter stands for itself");
        assert_eq!(at(both, r"a\\b").as_deref(), Some("4"));
        assert_eq!(at(r#"{"a.b":1,"a":{"x":2}}"#, "a.b").as_deref(), Some("1"));
        for name in ["a", "a.b", "a\\", "\\.", "..", ""] {
            let mut path = String::new();
            push_name(&mut path, name);
            assert_eq!(Path::new(&path).0, [name]);
        }
    }

    #[test]
    fn names_are_plain_where_nothing_else_reads_the_same() {
        assert_eq!(plain_names(&["a", r"http\.status", "user.id"]), ["a", "http.status", "user.id"]);
        assert_eq!(plain_names(&[r"a\.b", "a.b", r"x\\\.y"]), [r"a\.b", "a.b", r"x\\\.y"]);
    }

    #[test]
    fn the_last_of_repeated_names_counts() {
        assert_eq!(at(r#"{"a":1,"a":2}"#, "a").as_deref(), Some("2"));
        assert_eq!(at(r#"{"a":{"b":1,"b":2}}"#, "a.b").as_deref(), Some("2"));
    }

    /// If each level of nesting were read again for each name, this test would read a hundred thousand levels of
    /// six bytes a thousand times.
    #[test]
    fn deep_paths_are_read_once() {
        let depth = 100_000;
        let deep = "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
        let path = Path::new(&vec!["a"; MOST_NAMES].join("."));
        let found = path.find(deep.as_bytes()).unwrap().unwrap();
        assert_eq!(found.len(), 6 * (depth - MOST_NAMES) + 1);
        let inner = &deep[5..deep.len() - 1];
        let mut text = Valid { text: inner, at: 0 };
        assert!(text.find(&path.0).is_some());
        assert_eq!(text.at, inner.len());
    }
}
