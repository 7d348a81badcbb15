//! Cells of 64 bits as bytes.

use crate::{Error, Result};
use alloc::boxed::Box;
use alloc::format;

/// Reads exactly `count` little-endian words.
pub(super) fn read_words(bytes: &[u8], count: usize) -> Result<Box<[u64]>> {
    let (words, rest) = bytes.as_chunks::<8>();
    if words.len() != count || !rest.is_empty() {
        let found = bytes.len();
        return Err(Error::malformed(format!(
            "the payload has {found} bytes, not 8 for each of {count} cells"
        )));
    }
    Ok(words.iter().map(|&word| u64::from_le_bytes(word)).collect())
}
