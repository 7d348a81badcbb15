//! CSV and TSV: fields separated by a delimiter, and quoted by `"` if they contain a delimiter, a quote or a line
//! end.
//!
//! Rows may differ in length; blank lines are not rows. The value of a row is the chosen field, or the whole record
//! in canonical CSV: commas, and quotes only where needed. So one table gives equal hashes from CSV, TSV and,
//! column by column, JSON Lines.

use super::fields::Fields;
use super::{Columns, Fault, Findings, Missing};
use crivo_report::{nearest, shown, shown_within};
use std::borrow::Cow;
use std::collections::HashMap;

/// Parses the rows of a piece. If `by_row`, a fault is located by its row, not by its line.
pub(super) fn parse(
    piece: &[u8],
    delimiter: u8,
    by_row: bool,
    places: &Columns<usize>,
    missing: &Missing,
    findings: &mut Findings,
) {
    let mut fields = Fields::new(piece, delimiter);
    let mut text = Vec::new();
    let records_alone = findings.wants_records_alone();
    let mut rows = 0;
    while let Some(record) = fields.next() {
        let field = |&place: &usize| missing.or_empty(record.get(place));
        let value = match &places.values[..] {
            [place] => field(place),
            [] if records_alone => &piece[record.start..record.end],
            [] => {
                canonical(record.iter().map(|value| missing.or_empty_in_record(value)), &mut text);
                &text
            }
            several => {
                combine(several.iter().map(field), &mut text);
                &text
            }
        };
        let line = if by_row { rows } else { record.line };
        let beside = |place: &usize| Ok(field(place).into());
        if value.is_empty() || Findings::is_incomplete(places, beside) == Ok(true) {
            findings.push_null(record.start, record.end);
        } else if findings.push(value, record.start, record.end, line)
            && let Err(what) = findings.push_columns(places, beside)
        {
            findings.fault = Some(Fault::at(line, what).quoting());
            return;
        }
        rows += 1;
    }
    findings.lines = if by_row { rows } else { fields.lines() };
}

/// The first record of a source, which gives the names or the number of the columns.
pub(super) struct First {
    pub(super) fields: Vec<Vec<u8>>,
    /// The place where the next record begins.
    pub(super) end: usize,
    pub(super) lines: u64,
}

/// Returns the first record of `piece`, or `None` if the piece has no record.
pub(super) fn first_record(piece: &[u8], delimiter: u8) -> Option<First> {
    let mut records = Fields::new(piece, delimiter);
    let fields = records.next()?.iter().map(<[u8]>::to_vec).collect();
    let mut end = records.position();
    // `Fields` ends a record at the carriage return, so a newline after it is skipped here.
    end += usize::from(piece[..end].ends_with(b"\r") && piece[end..].starts_with(b"\n"));
    let lines = memchr::memchr_iter(b'\n', &piece[..end]).count() as u64;
    Some(First { fields, end, lines })
}

/// Returns the names of a header, or the numbers from 1. A repeated name is followed by its number.
pub(super) fn unique_names<T: AsRef<[u8]>>(first: &[T], header: bool) -> Vec<String> {
    let mut seen = HashMap::new();
    let name = |(place, field): (usize, &T)| {
        let number = place + 1;
        if !header {
            return number.to_string();
        }
        let mut name = String::from_utf8_lossy(field.as_ref()).into_owned();
        if name.is_empty() {
            name = format!("column {number}");
        }
        while seen.insert(name.clone(), place).is_some() {
            name = format!("{name} ({number})");
        }
        name
    };
    first.iter().enumerate().map(name).collect()
}

/// The first place of a name, and the second place if it is repeated.
type Twice = (usize, Option<usize>);

/// The columns of a table by their names in the first record. A look-up takes constant time, however many columns
/// there are.
#[derive(Debug)]
pub struct Header<'a, T> {
    first: &'a [T],
    /// The places of the names, or `None` without a header.
    places: Option<HashMap<&'a [u8], Twice>>,
}

impl<'a, T: AsRef<[u8]>> Header<'a, T> {
    /// Creates the look-up. `has_names` says that the first record is a header.
    pub fn new(first: &'a [T], has_names: bool) -> Self {
        let places = has_names.then(|| {
            let mut places = HashMap::with_capacity(first.len());
            for (place, name) in first.iter().enumerate() {
                let twice = |places: &mut Twice| places.1 = places.1.or(Some(place));
                places.entry(name.as_ref()).and_modify(twice).or_insert((place, None));
            }
            places
        });
        Self { first, places }
    }

    /// Returns the places of several columns, whose names or numbers are separated by commas. `None` if the whole
    /// text is the name of a column, or if one of the columns does not exist.
    pub(crate) fn find_several(&self, wanted: &str) -> Option<Vec<usize>> {
        let is_one = |places: &HashMap<&[u8], Twice>| places.contains_key(wanted.as_bytes());
        if !wanted.contains(',') || self.places.as_ref().is_some_and(is_one) {
            return None;
        }
        wanted.split(',').map(|name| self.find(name).ok()).collect()
    }

    /// Returns the place, from 0, of the column with this name, or with this number from 1.
    ///
    /// # Errors
    /// A message that says why there is no such column.
    pub fn find(&self, wanted: &str) -> Result<usize, String> {
        let first = self.first;
        match self.places.as_ref().and_then(|places| places.get(wanted.as_bytes())) {
            Some((place, None)) => return Ok(*place),
            Some((place, Some(other))) => {
                return Err(format!(
                    "columns {} and {} are both called '{wanted}'; give the number instead",
                    place + 1,
                    other + 1
                ));
            }
            None => {}
        }
        match wanted.parse::<usize>() {
            Ok(number) if (1..=first.len()).contains(&number) => Ok(number - 1),
            Ok(number) => Err(format!(
                "there is no column {number}; columns are numbered from 1, and the first record has {} fields",
                first.len()
            )),
            Err(_) if self.find_several(wanted).is_some() => {
                Err(format!("there is no column '{wanted}', and several cannot stand here; name one"))
            }
            Err(_) if self.places.is_some() => Err(match nearest(texts(first), wanted) {
                Some(name) => format!(
                    "there is no column '{wanted}'; did you mean '{}'? the header has: {}",
                    shown(name.as_bytes()),
                    names(first)
                ),
                None => format!("there is no column '{wanted}'; the header has: {}", names(first)),
            }),
            Err(_) => Err(format!(
                "without a header, columns have numbers, not names; give one from 1 to {} instead of '{wanted}'",
                first.len()
            )),
        }
    }
}

fn texts<T: AsRef<[u8]>>(header: &[T]) -> impl Iterator<Item = Cow<'_, str>> {
    header.iter().map(|name| String::from_utf8_lossy(name.as_ref()))
}

fn names<T: AsRef<[u8]>>(header: &[T]) -> String {
    /// The number of names that a message shows, and the width of each.
    const SHOWN: usize = 30;
    const WIDTH: usize = 40;
    let shown = header.iter().take(SHOWN).map(|name| shown_within(name.as_ref(), WIDTH));
    let mut names: Vec<_> = shown.collect();
    if header.len() > SHOWN {
        names.push("…".into());
    }
    names.join(", ")
}

/// Returns `text` without line ends on either side.
pub(super) fn without_line_ends(text: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let leading = text.iter().take_while(|byte| is_end(byte)).count();
    let trailing = text[leading..].iter().rev().take_while(|byte| is_end(byte)).count();
    &text[leading..text.len() - trailing]
}

/// Writes the value that several fields form to `text`: their record in canonical CSV, or an empty text if all
/// fields are empty.
pub(super) fn combine<T: AsRef<[u8]>>(fields: impl ExactSizeIterator<Item = T>, text: &mut Vec<u8>) {
    let commas = fields.len() - 1;
    canonical(fields, text);
    if text.len() == commas {
        text.clear();
    }
}

/// Writes the record in canonical CSV to `text`.
pub(super) fn canonical<T: AsRef<[u8]>>(fields: impl ExactSizeIterator<Item = T>, text: &mut Vec<u8>) {
    text.clear();
    let alone = fields.len() == 1;
    for (place, field) in fields.enumerate() {
        if place > 0 {
            text.push(b',');
        }
        push_canonical(field.as_ref(), alone, text);
    }
}

/// Appends a field in canonical CSV to `text`.
pub(super) fn push_canonical(field: &[u8], alone: bool, text: &mut Vec<u8>) {
    let alone_and_empty = alone && field.is_empty();
    if alone_and_empty || field.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        text.push(b'"');
        for &byte in field {
            if byte == b'"' {
                text.push(b'"');
            }
            text.push(byte);
        }
        text.push(b'"');
    } else {
        text.extend_from_slice(field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wants;
    use crivo::HashSpec;

    fn findings(wants: Wants) -> Findings {
        let mut findings = Findings::default();
        findings.clear(wants);
        findings
    }

    fn check(piece: &[u8], delimiter: u8, columns: &[usize], expected: &[&str], missing: u64) {
        let spec = HashSpec::default();
        let mut findings = findings(Wants::hashes(spec).and_values());
        let places = Columns { values: columns.to_vec(), ..Columns::default() };
        parse(piece, delimiter, false, &places, &Missing::named(&["NA"]), &mut findings);
        let values = findings.values.of(piece);
        assert!((0..expected.len()).all(|place| values.get(place) == expected[place].as_bytes()));
        let hashes: Vec<u64> = expected.iter().map(|item| spec.hash_bytes(item.as_bytes())).collect();
        assert_eq!(
            (findings.hashes, findings.missing.len() as u64),
            (hashes, missing),
            "{:?}",
            String::from_utf8_lossy(piece)
        );
    }

    #[test]
    fn values() {
        let piece = b"a,1\n\"b\nc\",\"2\"\r\n\n,3\nd\n";
        check(piece, b',', &[0], &["a", "b\nc", "d"], 1);
        check(piece, b',', &[1], &["1", "2", "3"], 1);
        check(piece, b',', &[], &["a,1", "\"b\nc\",2", ",3", "d"], 0);
        check(b"a\t\"x,\"\"y\"\n", b'\t', &[], &["a,\"x,\"\"y\""], 0);
    }

    #[test]
    fn several_columns_and_missing_ones() {
        let piece = b"a,NA,1\nNA,\"x,\"\"y\",2\n,,3\nNA\n";
        check(piece, b',', &[0], &["a"], 3);
        check(piece, b',', &[1, 0], &[",a", "\"x,\"\"y\","], 2);
        check(piece, b',', &[2, 2], &["1,1", "2,2", "3,3"], 1);
        check(piece, b',', &[], &["a,,1", ",\"x,\"\"y\",2", ",,3", "\"\""], 0);
    }

    #[test]
    fn spans_are_the_records_as_written() {
        let piece = b"a,\"1\n2\"\r\n\n\nb,2";
        for values in [vec![0], vec![]] {
            let mut findings = findings(Wants::default().and_records());
            let places = Columns { values, ..Columns::default() };
            parse(piece, b',', false, &places, &Missing::default(), &mut findings);
            let written: Vec<&[u8]> =
                findings.spans.iter().map(|span| &piece[span.start as usize..span.end as usize]).collect();
            assert_eq!(written, [b"a,\"1\n2\"".as_slice(), b"b,2"]);
        }
    }

    #[test]
    fn numbers_and_weights() {
        let piece = b"1.5,2,0.5\nten,x,y\nNA,3,z\n-4,3,1e2\n";
        let places = Columns { values: vec![0], copies: Some(1), weight: Some(2), ..Columns::default() };
        let mut found = findings(Wants::numbers());
        parse(piece, b',', false, &places, &Missing::default(), &mut found);
        assert!(found.fault.is_none(), "the weight of a value that does not count is not read");
        assert_eq!((&found.numbers[..], found.items), (&[1.5, -4.0].map(crivo::Number::from)[..], 2));
        assert_eq!((&found.copies[..], &found.weights[..]), (&[2, 3][..], &[0.5, 100.0][..]));
        assert_eq!((found.missing.len(), found.not_numbers.len()), (1, 1));
        assert_eq!(found.first_not_number, Some((1, "ten".into())));
        let mut found = findings(Wants::numbers());
        parse(b"1,2,3\n1,two,\"3\n\"\n", b',', false, &places, &Missing::default(), &mut found);
        assert_eq!(found.fault.unwrap().line, Some(1));
        let mut found = findings(Wants::numbers());
        parse(b"1,2,\"3\n\"\n1,two,3\n", b',', true, &places, &Missing::default(), &mut found);
        assert_eq!(found.fault.unwrap().line, Some(1), "the row, not the line");
    }

    /// A name, and a counter of how often names are read.
    struct Counted<'a>(String, &'a std::cell::Cell<usize>);

    impl AsRef<[u8]> for Counted<'_> {
        fn as_ref(&self) -> &[u8] {
            self.1.set(self.1.get() + 1);
            self.0.as_bytes()
        }
    }

    #[test]
    fn each_name_is_looked_at_once_however_many_are_wanted() {
        let looks = std::cell::Cell::new(0);
        let names: Vec<Counted<'_>> = (0..1000).map(|place| Counted(format!("c{place}"), &looks)).collect();
        let header = Header::new(&names, true);
        for place in 0..1000 {
            assert_eq!(header.find(&format!("c{place}")), Ok(place));
            assert_eq!(header.find(&(place + 1).to_string()), Ok(place));
        }
        assert_eq!(looks.get(), 1000);
    }

    #[test]
    fn a_value_without_its_number_is_missing() {
        let piece = b"a,1,5\nb,,5\nc,NA,5\nd, ,5\ne,2\nf,2,NA\ng,3,7\n";
        let missing = Missing::named(&["NA"]);
        let places = Columns { values: vec![0], copies: Some(1), kept: Some(2), ..Columns::default() };
        let mut found = findings(Wants::default().and_values().and_records());
        parse(piece, b',', false, &places, &missing, &mut found);
        assert!(found.fault.is_none());
        assert_eq!((found.items, &found.copies[..], &found.kept[..]), (2, &[1, 3][..], &[5.0, 7.0][..]));
        assert_eq!((found.missing, found.spans.len()), (vec![1; 5], 7));
    }

    #[test]
    fn columns_by_name_and_number() {
        let names = ["id", "2", "x", "x", "x"];
        let find = |has_names, wanted| Header::new(&names, has_names).find(wanted);
        assert_eq!(find(true, "id"), Ok(0));
        assert_eq!(find(true, "2"), Ok(1), "a name goes before a number");
        assert_eq!(find(true, "1"), Ok(0));
        assert!(find(true, "x").unwrap_err().contains("3 and 4"));
        assert!(find(true, "0").unwrap_err().contains("numbered from 1, and the first record has 5 fields"));
        assert!(find(true, "ID").unwrap_err().contains("id, 2, x"));
        assert!(find(false, "id").unwrap_err().contains("number"));
        assert_eq!(find(false, "4"), Ok(3));
    }

    #[test]
    fn several_columns_by_one_text() {
        let names = ["a", "b", "a,b", "x y"];
        let several = |has_names, wanted| Header::new(&names, has_names).find_several(wanted);
        assert_eq!(several(true, "b,a,x y"), Some(vec![1, 0, 3]));
        assert_eq!(several(true, "a,4"), Some(vec![0, 3]), "by number, too");
        assert_eq!(several(false, "2,1"), Some(vec![1, 0]));
        for none in ["a", "a,b", "a,c", "a,", ",", ""] {
            assert_eq!(several(true, none), None, "{none}");
        }
        let told = Header::new(&names, true).find("b,a").unwrap_err();
        assert!(told.contains("several cannot stand here"), "{told}");
    }

    #[test]
    fn names_are_unique() {
        let header = ["a", "", "a", "a (3)"];
        assert_eq!(unique_names(&header, true), ["a", "column 2", "a (3)", "a (3) (4)"]);
        assert_eq!(unique_names(&header, false), ["1", "2", "3", "4"]);
    }
}
