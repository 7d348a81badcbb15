//! CSV and TSV: fields separated by a delimiter, quoted by `"` where they contain one, a quote or a line end.
//!
//! Rows may differ in length; blank lines are no rows. The value of a row is the chosen field, or the whole
//! record in canonical CSV: commas, and quotes only where needed. So the same table gives the same hashes
//! from CSV, TSV and, column by column, JSON Lines.

use super::{Columns, Fault, Findings};
use csv::ByteRecord;

pub(super) fn parse(piece: &[u8], delimiter: u8, places: Columns<usize>, findings: &mut Findings) {
    let mut reader = reader(piece, delimiter);
    let mut record = ByteRecord::new();
    let mut text = Vec::new();
    let records_alone = findings.wants_records_alone();
    let mut start = 0;
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                findings.fault = Some(Fault::at(reader.position().line() - 1, error.to_string()));
                return;
            }
        }
        let end = offset(&reader);
        let field = |place: usize| record.get(place).unwrap_or_default();
        let (from, to) = trim(piece, start, end);
        let value = match places.value {
            Some(place) => field(place),
            None if records_alone => &piece[from..to],
            None => {
                canonical(&record, &mut text);
                &text
            }
        };
        let line = record.position().map_or(0, |position| position.line() - 1);
        if value.is_empty() {
            findings.push_null(from, to);
        } else if findings.push(value, from, to, line)
            && let Err(what) = findings.push_columns(&places, |&place| Ok(field(place).into()))
        {
            findings.fault = Some(Fault::at(line, what));
            return;
        }
        start = end;
    }
    findings.lines = reader.position().line() - 1;
}

/// Tells each record; returns how many lines there are.
pub(super) fn for_each_record(
    piece: &[u8],
    delimiter: u8,
    mut tell: impl FnMut(&ByteRecord),
) -> Result<u64, Fault> {
    let mut reader = reader(piece, delimiter);
    let mut record = ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => tell(&record),
            Ok(false) => return Ok(reader.position().line() - 1),
            Err(error) => return Err(Fault::at(reader.position().line() - 1, error.to_string())),
        }
    }
}

/// The first record of a source, for its names or its width.
pub(super) struct First {
    pub(super) fields: ByteRecord,
    /// Where the next record begins.
    pub(super) end: usize,
    pub(super) lines: u64,
}

/// The first record of `piece`; none if it has no record.
pub(super) fn first_record(piece: &[u8], delimiter: u8) -> Result<Option<First>, csv::Error> {
    let mut reader = reader(piece, delimiter);
    let mut fields = ByteRecord::new();
    let found = reader.read_byte_record(&mut fields)?;
    let mut end = offset(&reader);
    // The parser stops after a carriage return, whatever follows.
    end += usize::from(piece[..end].ends_with(b"\r") && piece[end..].starts_with(b"\n"));
    let lines = memchr::memchr_iter(b'\n', &piece[..end]).count() as u64;
    Ok(found.then_some(First { fields, end, lines }))
}

/// The place, from 0, of the column called `wanted`, or numbered so from 1.
pub(super) fn find_column(first: &ByteRecord, header: bool, wanted: &str) -> Result<usize, String> {
    if header {
        let mut places = (0..first.len()).filter(|&place| &first[place] == wanted.as_bytes());
        if let Some(place) = places.next() {
            return match places.next() {
                None => Ok(place),
                Some(other) => Err(format!(
                    "columns {} and {} are both called '{wanted}'; give the number instead",
                    place + 1,
                    other + 1
                )),
            };
        }
    }
    match wanted.parse::<usize>() {
        Ok(number) if (1..=first.len()).contains(&number) => Ok(number - 1),
        Ok(number) => {
            Err(format!("there is no column {number}; the first record has {} fields", first.len()))
        }
        Err(_) if header => Err(format!("there is no column '{wanted}'; the header has: {}", names(first))),
        Err(_) => Err(format!(
            "without a header, columns have numbers, not names; give one from 1 to {} instead of '{wanted}'",
            first.len()
        )),
    }
}

fn names(header: &ByteRecord) -> String {
    const SHOWN: usize = 30;
    let mut names: Vec<_> = header.iter().take(SHOWN).map(String::from_utf8_lossy).collect();
    if header.len() > SHOWN {
        names.push("…".into());
    }
    names.join(", ")
}

fn reader(piece: &[u8], delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(piece)
}

fn offset(reader: &csv::Reader<&[u8]>) -> usize {
    usize::try_from(reader.position().byte()).expect("an offset within a slice in memory")
}

/// `start..end` without line ends at either side.
fn trim(piece: &[u8], start: usize, end: usize) -> (usize, usize) {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let leading = piece[start..end].iter().take_while(|byte| is_end(byte)).count();
    let trailing = piece[start + leading..end].iter().rev().take_while(|byte| is_end(byte)).count();
    (start + leading, end - trailing)
}

/// `text` without line ends at either side.
pub(super) fn without_line_ends(text: &[u8]) -> &[u8] {
    let (start, end) = trim(text, 0, text.len());
    &text[start..end]
}

/// The record in canonical CSV, into `text`.
fn canonical(record: &ByteRecord, text: &mut Vec<u8>) {
    text.clear();
    for (place, field) in record.iter().enumerate() {
        if place > 0 {
            text.push(b',');
        }
        let alone_and_empty = field.is_empty() && record.len() == 1;
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Wants;
    use crivo::HashSpec;

    fn findings(wants: Wants) -> Findings {
        let mut findings = Findings::default();
        findings.clear(wants);
        findings
    }

    fn check(piece: &[u8], delimiter: u8, column: Option<usize>, expected: &[&str], nulls: u64) {
        let spec = HashSpec::default();
        let mut findings = findings(Wants::hashes(spec).and_values());
        parse(piece, delimiter, Columns { value: column, ..Columns::default() }, &mut findings);
        let values = findings.values.of(piece);
        assert!((0..expected.len()).all(|place| values.get(place) == expected[place].as_bytes()));
        let hashes: Vec<u64> = expected.iter().map(|item| spec.hash_bytes(item.as_bytes())).collect();
        assert_eq!(
            (findings.hashes, findings.nulls.len() as u64),
            (hashes, nulls),
            "{:?}",
            String::from_utf8_lossy(piece)
        );
    }

    #[test]
    fn values() {
        let piece = b"a,1\n\"b\nc\",\"2\"\r\n\n,3\nd\n";
        check(piece, b',', Some(0), &["a", "b\nc", "d"], 1);
        check(piece, b',', Some(1), &["1", "2", "3"], 1);
        check(piece, b',', None, &["a,1", "\"b\nc\",2", ",3", "d"], 0);
        check(b"a\t\"x,\"\"y\"\n", b'\t', None, &["a,\"x,\"\"y\""], 0);
    }

    #[test]
    fn spans_are_the_records_as_written() {
        let piece = b"a,\"1\n2\"\r\n\n\nb,2";
        for value in [Some(0), None] {
            let mut findings = findings(Wants::default().and_records());
            parse(piece, b',', Columns { value, ..Columns::default() }, &mut findings);
            let written: Vec<&[u8]> =
                findings.spans.iter().map(|span| &piece[span.start as usize..span.end as usize]).collect();
            assert_eq!(written, [b"a,\"1\n2\"".as_slice(), b"b,2"]);
        }
    }

    #[test]
    fn numbers_and_weights() {
        let piece = b"1.5,2,0.5\nNA,x,y\n,3,\n-4,3,1e2\n";
        let places = Columns { value: Some(0), copies: Some(1), weight: Some(2), ..Columns::default() };
        let mut found = findings(Wants::numbers());
        parse(piece, b',', places, &mut found);
        assert!(found.fault.is_none(), "the weight of a value that does not count is not read");
        assert_eq!((&found.numbers[..], found.items), (&[1.5, -4.0][..], 2));
        assert_eq!((&found.copies[..], &found.weights[..]), (&[2, 3][..], &[0.5, 100.0][..]));
        assert_eq!((found.nulls.len(), found.not_numbers.len()), (1, 1));
        assert_eq!(found.first_not_number, Some((1, "NA".into())));
        let mut found = findings(Wants::numbers());
        parse(b"1,2,3\n1,two,3\n", b',', places, &mut found);
        assert_eq!(found.fault.unwrap().line, Some(1));
    }

    #[test]
    fn columns_by_name_and_number() {
        let header = ByteRecord::from(vec!["id", "2", "x", "x"]);
        assert_eq!(find_column(&header, true, "id"), Ok(0));
        assert_eq!(find_column(&header, true, "2"), Ok(1), "a name goes before a number");
        assert_eq!(find_column(&header, true, "1"), Ok(0));
        assert!(find_column(&header, true, "x").unwrap_err().contains("3 and 4"));
        assert!(find_column(&header, true, "0").unwrap_err().contains("4 fields"));
        assert!(find_column(&header, true, "ID").unwrap_err().contains("id, 2, x"));
        assert!(find_column(&header, false, "id").unwrap_err().contains("number"));
        assert_eq!(find_column(&header, false, "4"), Ok(3));
    }
}
