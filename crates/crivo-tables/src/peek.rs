//! Recognises the beginning of a source without consuming it.

use std::io::{self, Cursor, Read};

/// The smallest and the largest value of each of the first bytes.
pub(super) type Beginning = &'static [(u8, u8)];
pub(super) const GZIP: Beginning = &[(0x1f, 0x1f), (0x8b, 0x8b), (8, 8)];
pub(super) const ZSTD: Beginning = &[(0x28, 0x28), (0xb5, 0xb5), (0x2f, 0x2f), (0xfd, 0xfd)];
pub(super) const ZSTD_SKIPPABLE: Beginning = &[(0x50, 0x5f), (0x2a, 0x2a), (0x4d, 0x4d), (0x18, 0x18)];
/// The header of the first page follows the magic number.
pub(super) const PARQUET: Beginning = &[(b'P', b'P'), (b'A', b'A'), (b'R', b'R'), (b'1', b'1'), (0x15, 0x15)];
pub(super) const BYTE_ORDER_MARK: Beginning = &[(0xef, 0xef), (0xbb, 0xbb), (0xbf, 0xbf)];

/// The result of `peek`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peeked {
    /// The source begins with the pattern at this place of the list.
    Found(usize),
    /// The source ends within one of the patterns.
    Cut,
    /// The source begins with none of the patterns.
    Other,
}

/// Returns which of `beginnings` the source begins with, and a reader of all bytes from the first on. It reads no
/// further than it must, because a slow pipe may have sent only one line.
pub(super) fn peek<R: Read>(
    mut reader: R,
    beginnings: &[Beginning],
) -> io::Result<(Peeked, impl Read + use<R>)> {
    let mut seen = Vec::new();
    let begins = |seen: &[u8], beginning: Beginning| {
        seen.len() <= beginning.len()
            && seen.iter().zip(beginning).all(|(byte, (low, high))| (low..=high).contains(&byte))
    };
    let found = loop {
        let found = beginnings.iter().position(|&b| b.len() == seen.len() && begins(&seen, b));
        if let Some(found) = found {
            break Peeked::Found(found);
        }
        if !beginnings.iter().any(|&b| begins(&seen, b)) {
            break Peeked::Other;
        }
        if reader.by_ref().take(1).read_to_end(&mut seen)? == 0 {
            break if seen.is_empty() { Peeked::Other } else { Peeked::Cut };
        }
    };
    Ok((found, Cursor::new(seen).chain(reader)))
}
