//! Files that are no text, known by their first bytes: counted as lines they would give a wrong answer
//! without a word.

use super::source::Beginning;

/// How such files begin, and what to say. None begins as another one does, nor as a line of text can.
pub(super) const BEGINNINGS: [(Beginning, &str); 7] = [
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
    (
        &[(b'P', b'P'), (b'K', b'K'), (3, 3), (4, 4)],
        "this is a zip archive, which cannot be read; unpack it first: unzip -p FILE | crivo …",
    ),
    (
        &[(b'P', b'P'), (b'A', b'A'), (b'R', b'R'), (b'1', b'1'), (0x15, 0x15)],
        "this is Parquet, but in a pipe, compressed or incomplete; give the file as it was written",
    ),
    (&[(0xff, 0xff), (0xfe, 0xfe)], UTF_16),
    (&[(0xfe, 0xfe), (0xff, 0xff)], UTF_16),
];

const UTF_16: &str =
    "this is UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8 FILE | crivo …, or say --format lines";
