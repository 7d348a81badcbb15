//! The records of a table and their fields, found 64 bytes at a time. A field is copied only if it contains doubled
//! quotes.
//!
//! The rules are those of the `csv` crate: a quote opens a field only at the field's beginning; inside, two quotes
//! stand for one, and the text after the closing quote belongs to the field; a record ends in `
//! `, `\r` or both; blank lines are not records.

use memchr::{memchr, memchr_iter};
use wide::u8x16;

/// Reads the records of `piece` one after the other.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    piece: &'a [u8],
    marks: Marks<'a>,
    delimiter: u8,
    /// The place where the next record begins, or the line ends before it.
    at: usize,
    lines: u64,
    places: Vec<Place>,
    /// The texts of fields that differ from their bytes in the piece.
    copies: Vec<u8>,
}

/// The place of a field's text: in the piece, or with [`COPIED`] among the copies.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    end: u32,
}

const COPIED: u32 = 1 << 31;

/// One record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'f> {
    piece: &'f [u8],
    places: &'f [Place],
    copies: &'f [u8],
    /// The place of the record in the piece, without its line end.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The line of the piece, from 0, on which the record begins.
    pub(super) line: u64,
}

impl<'f> Record<'f> {
    /// Returns the text of the field at `place`, or an empty text if the record is too short.
    #[inline]
    pub(super) fn get(&self, place: usize) -> &'f [u8] {
        self.places.get(place).map_or(&[], |&place| self.text(place))
    }

    /// Returns the texts of all fields.
    #[inline]
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &'f [u8]> {
        let record = *self;
        self.places.iter().map(move |&place| record.text(place))
    }

    #[inline]
    fn text(&self, Place { start, end }: Place) -> &'f [u8] {
        match end & COPIED {
            0 => &self.piece[start as usize..end as usize],
            _ => &self.copies[start as usize..(end & !COPIED) as usize],
        }
    }
}

impl<'a> Fields<'a> {
    /// Creates a reader for `piece`, which begins with a record and is shorter than 2 GiB.
    pub(super) fn new(piece: &'a [u8], delimiter: u8) -> Self {
        assert!(piece.len() < COPIED as usize, "a piece is hardly longer than MAX_RECORD");
        let marks = Marks::new(piece, delimiter);
        Self { piece, marks, delimiter, at: 0, lines: 0, places: Vec::new(), copies: Vec::new() }
    }

    /// Returns the next record.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Record<'_>> {
        self.places.clear();
        self.copies.clear();
        let piece = self.piece;
        let start = self.skip_line_ends()?;
        let line = self.lines;
        let mut field = start;
        let end = loop {
            let Some(at) = self.marks.next() else {
                self.push(field, piece.len());
                break piece.len();
            };
            let mut byte = piece[at];
            let mut end = at;
            if byte == b'"' {
                if at > field {
                    continue;
                }
                end = self.quoted(at);
                byte = piece.get(end).copied().unwrap_or(b'\n');
            } else {
                self.push(field, at);
            }
            if byte != self.delimiter {
                break end;
            }
            field = end + 1;
        };
        self.lines += u64::from(piece.get(end) == Some(&b'\n'));
        self.at = end + 1;
        Some(Record { piece, places: &self.places, copies: &self.copies, start, end, line })
    }

    /// Returns the number of line ends before the end of the last record, or of the piece.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the place of the first byte that has not been read, behind the line end of the last record.
    pub(super) fn position(&self) -> usize {
        self.at.min(self.piece.len())
    }

    /// Returns the place where the next record begins, or `None` at the end.
    #[inline]
    fn skip_line_ends(&mut self) -> Option<usize> {
        while let Some(&byte) = self.piece.get(self.at) {
            if !is_line_end(byte) {
                return Some(self.at);
            }
            self.lines += u64::from(byte == b'\n');
            self.at += 1;
            self.marks.next();
        }
        None
    }

    #[inline]
    fn push(&mut self, start: usize, end: usize) {
        self.places.push(Place { start: start as u32, end: end as u32 });
    }

    /// Adds the field whose quote opens at `open`, and returns the place where it ends.
    #[cold]
    fn quoted(&mut self, open: usize) -> usize {
        let piece = self.piece;
        let begin = self.copies.len();
        // The place of the first byte that has not been copied.
        let mut from = open + 1;
        let (close, end) = loop {
            let Some(quote) = memchr(b'"', &piece[from..]).map(|found| from + found) else {
                break (piece.len(), piece.len());
            };
            if piece.get(quote + 1) != Some(&b'"') {
                self.marks.skip_to(quote + 1);
                // Quotes after the closing quote are text.
                let end = loop {
                    match self.marks.next() {
                        Some(at) if piece[at] == b'"' => {}
                        Some(at) => break at,
                        None => break piece.len(),
                    }
                };
                break (quote, end);
            }
            self.copies.extend_from_slice(&piece[from..=quote]);
            from = quote + 2;
        };
        self.lines += memchr_iter(b'\n', &piece[open..close]).count() as u64;
        if close == piece.len() {
            self.marks.skip_to(close);
        }
        let after = piece.get(close + 1..end).unwrap_or_default();
        if self.copies.len() == begin && after.is_empty() {
            self.push(from, close);
        } else {
            self.copies.extend_from_slice(&piece[from..close]);
            self.copies.extend_from_slice(after);
            self.places.push(Place { start: begin as u32, end: self.copies.len() as u32 | COPIED });
        }
        end
    }
}

#[inline]
fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The places of all delimiters, quotes and line-end bytes.
#[derive(Debug)]
struct Marks<'a> {
    piece: &'a [u8],
    wanted: [u8x16; 4],
    /// The place where the current block of 64 bytes begins, and a bit for each of its marks that was not returned
    /// yet.
    block: usize,
    left: u64,
}

impl<'a> Marks<'a> {
    fn new(piece: &'a [u8], delimiter: u8) -> Self {
        let wanted = [delimiter, b'"', b'\n', b'\r'].map(u8x16::splat);
        let mut marks = Self { piece, wanted, block: 0, left: 0 };
        marks.skip_to(0);
        marks
    }

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            self.block += 64;
            if self.block >= self.piece.len() {
                return None;
            }
            self.left = self.marks();
        }
        let at = self.block + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(at)
    }

    /// Drops all marks before `at`.
    fn skip_to(&mut self, at: usize) {
        self.block = at & !63;
        self.left = self.marks() & (!0 << (at & 63));
    }

    /// Returns the marks of the current block.
    #[inline]
    fn marks(&self) -> u64 {
        let rest = self.piece.get(self.block..).unwrap_or_default();
        if let Some(block) = rest.first_chunk() {
            return self.marks_of(block);
        }
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        self.marks_of(&block) & !(!0 << rest.len())
    }

    #[inline]
    fn marks_of(&self, block: &[u8; 64]) -> u64 {
        let [delimiter, quote, newline, carriage_return] = self.wanted;
        block.as_chunks().0.iter().rev().fold(0, |marks, &part| {
            let part = u8x16::new(part);
            let found = part.simd_eq(delimiter)
                | part.simd_eq(quote)
                | part.simd_eq(newline)
                | part.simd_eq(carriage_return);
            marks << 16 | u64::from(found.to_bitmask() as u16)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::rng::Rng;

    fn split(piece: &[u8], delimiter: u8) -> Vec<Vec<Vec<u8>>> {
        let mut fields = Fields::new(piece, delimiter);
        let mut records = Vec::new();
        while let Some(record) = fields.next() {
            assert!(
                (0..record.iter().len()).all(|place| record.iter().nth(place) == Some(record.get(place)))
            );
            assert!(record.get(record.iter().len()).is_empty());
            records.push(record.iter().map(<[u8]>::to_vec).collect());
        }
        assert_eq!(fields.lines(), memchr_iter(b'\n', piece).count() as u64, "{:?}", piece.escape_ascii());
        records
    }

    fn by_csv(piece: &[u8], delimiter: u8) -> Vec<Vec<Vec<u8>>> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(piece);
        let record = |record: csv::ByteRecord| record.iter().map(<[u8]>::to_vec).collect();
        reader.byte_records().map(|read| record(read.unwrap())).collect()
    }

    #[test]
    fn nasty_tables_are_split_as_the_csv_crate_does() {
        let parts: [&[u8]; 18] = [
            b"a",
            b"bc",
            b",",
            b",",
            b"\n",
            b"\n",
            b"\r",
            b"\r\n",
            b"\"",
            b"\"",
            b"\"\"",
            b"\"x,y\"",
            b"\"x\ny\"",
            b"\"q\"\"q\"",
            b"\"z\"t",
            b"\xff\0",
            b" ",
            b"a field that is longer than one block of sixty-four bytes, it is",
        ];
        let mut rng = Rng::new(17);
        for round in 0..15_000 {
            let count = rng.below(if round % 10 == 0 { 120 } else { 12 });
            let piece: Vec<u8> =
                (0..count).flat_map(|_| parts[rng.below(parts.len() as u64) as usize]).copied().collect();
            for delimiter in [b',', b'x', 0] {
                assert_eq!(split(&piece, delimiter), by_csv(&piece, delimiter), "{:?}", piece.escape_ascii());
            }
        }
    }

    #[test]
    fn every_length_around_a_block() {
        for length in 0..200 {
            for end in ["", "\n", "\r\n", ",", "\"", "\"\"", ",\"\""] {
                let mut piece = vec![b'a'; length];
                piece.extend(end.as_bytes());
                piece.extend(b"b,c\n");
                assert_eq!(split(&piece, b','), by_csv(&piece, b','), "{length} {end:?}");
                piece.truncate(length + end.len());
                assert_eq!(split(&piece, b','), by_csv(&piece, b','), "{length} {end:?} at the end");
            }
        }
    }

    #[test]
    fn records_know_where_they_lie() {
        let piece = b"\n\na,\"1\n2\"\r\n\r\nb,2\nc,\"3\"";
        let mut fields = Fields::new(piece, b',');
        for (text, line, position) in [(&b"a,\"1\n2\""[..], 2, 10), (b"b,2", 5, 17), (b"c,\"3\"", 6, 22)] {
            let record = fields.next().unwrap();
            assert_eq!((&piece[record.start..record.end], record.line), (text, line));
            assert_eq!(fields.position(), position);
        }
        assert!(fields.next().is_none());
        assert!(fields.next().is_none());
    }
}
