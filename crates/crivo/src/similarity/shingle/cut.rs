//! Cuts prepared text into runs, without a branch per byte.

/// Returns whether a byte is part of a word: a letter or digit. Beyond ASCII, [`prepare`](super::normalise::prepare)
/// has left only such bytes.
#[inline]
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() | !byte.is_ascii()
}

/// Returns whether a byte is part of a token: anything except white space. Beyond ASCII,
/// [`prepare`](super::normalise::prepare) has left only such bytes.
#[inline]
pub(super) fn is_token_byte(byte: u8) -> bool {
    !(byte == b' ' || (b'\t'..=b'\r').contains(&byte))
}

const BLOCK: usize = 64;

/// Visits the maximal runs of bytes that are part of a word, in order.
#[inline]
pub(super) fn for_each_run<'a>(
    text: &'a [u8],
    is_part: impl Fn(u8) -> bool,
    mut visit: impl FnMut(&'a [u8]),
) {
    let mut start = 0;
    let mut inside = 0;
    let mut take = |block: &[u8; BLOCK], place: usize| {
        let parts = mask(block, &is_part);
        // A run begins or ends where a byte differs from the one before it.
        let mut edges = parts ^ (parts << 1 | inside);
        while edges != 0 {
            let edge = place + edges.trailing_zeros() as usize;
            if inside == 1 {
                visit(&text[start..edge]);
            }
            start = edge;
            inside ^= 1;
            edges &= edges - 1;
        }
    };
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        take(block, number * BLOCK);
    }
    // A space after the text ends its last run.
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    take(&last, text.len() - rest.len());
}

/// Returns one bit for each byte of a block: whether it is part of a word.
#[inline]
fn mask(block: &[u8; BLOCK], is_part: impl Fn(u8) -> bool) -> u64 {
    let parts = block.map(|byte| u8::from(is_part(byte)));
    let mut mask = 0;
    for (number, eight) in parts.as_chunks().0.iter().enumerate() {
        // The product gathers the lowest bits of eight bytes in its highest byte.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (8 * number);
    }
    mask
}
