//! Lines: bytes up to a newline (or NUL). One carriage return before the newline belongs to the line end. The last
//! line needs no line end. An empty line has no value, unless the caller keeps all lines.

use super::{Findings, Missing, Wants};
use wide::u8x16;

pub(super) fn parse(piece: &[u8], end: u8, wants: &Wants, missing: &Missing, findings: &mut Findings) {
    if let Some(hasher) = wants.only_hashes().filter(|_| missing.names_none()) {
        for_each_line(piece, end, |item, start, at| {
            if item.is_empty() && missing.is_line(item) {
                findings.items = findings.hashes.len();
                findings.push_null(start, at);
            } else {
                findings.hashes.push(hasher.hash(item));
            }
        });
        findings.items = findings.hashes.len();
        findings.lines = (findings.items + findings.missing.len()) as u64;
    } else {
        findings.values_lie_in_piece();
        // If numbers are requested, a text such as NA is missing, like an empty line.
        let is_missing =
            |item: &[u8]| if wants.are_numbers() { missing.contains(item) } else { missing.is_line(item) };
        for_each_line(piece, end, |item, start, at| {
            if is_missing(item) {
                findings.push_null(start, at);
            } else {
                findings.push(item, start, at, findings.lines);
            }
            findings.lines += 1;
        });
    }
}

/// Calls `tell` for each line, with its start and the place of its line end.
#[inline]
pub(super) fn for_each_line<'a>(piece: &'a [u8], end: u8, mut tell: impl FnMut(&'a [u8], usize, usize)) {
    // No item contains the byte that ends it.
    let before_end = if end == b'\n' { b'\r' } else { end };
    let mut start = 0;
    for_each_place(end, piece, |at| {
        let item = &piece[start..at];
        tell(item.strip_suffix(&[before_end]).unwrap_or(item), start, at);
        start = at + 1;
    });
    if start < piece.len() {
        tell(&piece[start..], start, piece.len());
    }
}

/// Calls `tell` for each place of `byte`. Lines are short, so it is faster to compare 64 bytes at a time than to
/// start a new search after each line.
#[inline]
fn for_each_place(byte: u8, bytes: &[u8], mut tell: impl FnMut(usize)) {
    let wanted = u8x16::splat(byte);
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut last = [!byte; 64];
    last[..rest.len()].copy_from_slice(rest);
    for index in 0..=blocks.len() {
        let parts = blocks.get(index).unwrap_or(&last).as_chunks().0.iter().rev();
        let mut places = parts.fold(0, |places, &part| {
            places << 16 | u64::from(u8x16::new(part).simd_eq(wanted).to_bitmask() as u16)
        });
        while places != 0 {
            tell(64 * index + places.trailing_zeros() as usize);
            places &= places - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::HashSpec;

    fn items(piece: &[u8], end: u8, expected: &[&[u8]]) {
        let all: Vec<&[u8]> = expected.iter().copied().filter(|item| !item.is_empty()).collect();
        check(piece, end, &Missing::default(), &all, expected.len());
        check(piece, end, &Missing::no_line(), expected, expected.len());
    }

    fn check(piece: &[u8], end: u8, missing: &Missing, expected: &[&[u8]], lines: usize) {
        let spec = HashSpec::default();
        let hashes: Vec<u64> = expected.iter().map(|item| spec.hash_bytes(item)).collect();
        let wants = Wants::hashes(spec);
        for wants in [wants, wants.and_values().and_records()] {
            let mut findings = Findings::default();
            findings.clear(wants);
            parse(piece, end, &wants, missing, &mut findings);
            assert_eq!(findings.hashes, hashes, "{:?}", String::from_utf8_lossy(piece));
            assert_eq!((findings.items, findings.lines), (expected.len(), lines as u64));
            assert_eq!(findings.missing.len(), lines - expected.len());
            if wants.records() {
                let values = findings.values.of(piece);
                assert!((0..expected.len()).all(|place| values.get(place) == expected[place]));
                assert_eq!(findings.spans.len(), lines);
            }
        }
    }

    #[test]
    fn line_ends() {
        items(b"", b'\n', &[]);
        items(b"\n", b'\n', &[b""]);
        items(b"a\nb", b'\n', &[b"a", b"b"]);
        items(b"a\r\n\r\nb\r\r\n", b'\n', &[b"a", b"", b"b\r"]);
        items(b"a\nb\r\0\0c", 0, &[b"a\nb\r", b"", b"c"]);
        items(b"\xff\xfe\n", b'\n', &[b"\xff\xfe"]);
    }
    #[test]
    fn every_place_is_told() {
        let mut rng = crivo::rng::Rng::new(3);
        for length in 0..300 {
            for ends_in in [1, 2, 10, 100] {
                let bytes: Vec<u8> =
                    (0..length).map(|_| if rng.below(ends_in) == 0 { b'\n' } else { b'\n' ^ 0x80 }).collect();
                let mut told = Vec::new();
                for_each_place(b'\n', &bytes, |place| told.push(place));
                let places: Vec<usize> = (0..bytes.len()).filter(|&place| bytes[place] == b'\n').collect();
                assert_eq!(told, places);
            }
        }
    }
}
