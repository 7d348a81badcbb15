//! Recognises files that are not text by their first bytes. Read as lines, they would silently give wrong answers.

use super::peek::{Beginning, PARQUET};
use std::io::Read;

/// Returns a pattern of exactly these bytes.
const fn exactly<const N: usize>(bytes: &[u8; N]) -> [(u8, u8); N] {
    let mut beginning = [(0, 0); N];
    let mut at = 0;
    while at < N {
        beginning[at] = (bytes[at], bytes[at]);
        at += 1;
    }
    beginning
}

/// The first bytes of such files, and the message for each. No pattern is the beginning of another pattern or of a
/// possible line of text.
pub(super) const BEGINNINGS: [(Beginning, &str); 19] = [
    (
        &[(b'C', b'C'), (b'R', b'R'), (b'V', b'V'), (b'O', b'O'), (1, 8)],
        "this is a sketch, not data; see what it holds with: crivo info",
    ),
    (
        &[(0xfd, 0xfd), (b'7', b'7'), (b'z', b'z'), (b'X', b'X'), (b'Z', b'Z'), (0, 0)],
        "this is xz, which cannot be read; decompress it first: xz -dc FILE | crivo …",
    ),
    (
        &[(b'B', b'B'), (b'Z', b'Z'), (b'h', b'h'), (b'1', b'9'), (0x31, 0x31), (0x41, 0x41), (0x59, 0x59)],
        "this is bzip2, which cannot be read; decompress it first: bzip2 -dc FILE | crivo …",
    ),
    (&ZIP, "this is a zip archive, which cannot be read; unpack it first: unzip -p FILE | crivo …"),
    (
        &exactly(b"SQLite format 3\0"),
        "this is an SQLite database; export a table: sqlite3 -csv -header FILE 'select …'",
    ),
    (
        &exactly(b"ARROW1\0\0"),
        "this is an Arrow or Feather file, which cannot be read; save it as Parquet or CSV",
    ),
    (&exactly(b"Obj\x01"), "this is Avro, which cannot be read; save it as Parquet or JSON Lines"),
    (&exactly(b"%PDF-"), "this is a PDF document; extract its text first: pdftotext FILE - | crivo …"),
    (&exactly(b"\x89PNG"), IMAGE),
    (&exactly(b"\xff\xd8\xff"), IMAGE),
    (&exactly(b"\x7fELF"), PROGRAM),
    (&exactly(b"\xcf\xfa\xed\xfe"), PROGRAM),
    (&exactly(b"\xce\xfa\xed\xfe"), PROGRAM),
    (&exactly(b"\xca\xfe\xba\xbe"), PROGRAM),
    (&[(0xfe, 0xfe), (0xed, 0xed), (0xfa, 0xfa), (0xce, 0xcf)], PROGRAM),
    (&exactly(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), OFFICE),
    (PARQUET, "this is Parquet, but compressed or incomplete, or in a pipe; for a pipe use --format parquet"),
    (&[(0xff, 0xff), (0xfe, 0xfe)], UTF_16),
    (&[(0xfe, 0xfe), (0xff, 0xff)], UTF_16),
];

const UTF_16: &str =
    "this is UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8 FILE | crivo …, or use --format lines";
const IMAGE: &str = "this is an image, not data; --format lines reads it anyway";
const PROGRAM: &str = "this is a program, not data; --format lines reads it anyway";
const OFFICE: &str = "this is an Excel workbook, or another file of an office program; save it as CSV";
const ZIP: [(u8, u8); 4] = exactly(b"PK\x03\x04");

/// Returns the message for the pattern at place `found`; `rest` is the file from its first byte on.
pub(super) fn explain(found: usize, rest: impl Read) -> &'static str {
    let (beginning, what) = BEGINNINGS[found];
    let mut first = Vec::new();
    // In a ZIP archive, the name of the first file begins at byte 30.
    let _as_far_as_it_goes = rest.take(64).read_to_end(&mut first);
    let name = first.get(30..).unwrap_or_default();
    let of_office = [&b"[Content_Types].xml"[..], b"xl/", b"_rels/", b"docProps/"];
    if beginning == ZIP && of_office.iter().any(|known| name.starts_with(known)) { OFFICE } else { what }
}

/// The number of bytes that [`binary`] inspects, if there are that many.
pub(super) const LOOKED_AT: usize = 4096;

/// Returns the message for bytes that cannot be lines of text.
pub(super) fn binary(first: &[u8]) -> Option<&'static str> {
    if first.get(257..262) == Some(b"ustar") {
        return Some("this is a tar archive; unpack it first: tar -xOf FILE | crivo …");
    }
    memchr::memchr(0, first)?;
    Some(if first.starts_with(b"ORC") {
        "this is ORC, which cannot be read; save it as Parquet or CSV"
    } else if first.starts_with(b"MZ") {
        PROGRAM
    } else {
        "this looks binary: it has NUL bytes; --null reads items that end with NUL, and --format lines reads it as it is"
    })
}
