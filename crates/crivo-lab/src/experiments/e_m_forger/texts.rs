//! Texts that have the value of another by the 31-polynomial hash.

use crivo::hash::classic::djb31ma;

/// The first of the 31 characters that are digits: from @ to ^.
const ZERO: u8 = b'@';
/// Digits of a 32-bit number in base 31.
pub(super) const DIGITS: usize = 7;
/// Pairs in a row that are written one way or the other.
pub(super) const BLOCKS: u32 = 12;

/// Another text with the same value from any seed, unless there is no pair of neighbours to change.
pub(super) fn twin(text: &[u8], base: u8) -> Option<Vec<u8>> {
    let is_changeable = |pair: &[u8]| pair[0] < b'~' && pair[1] >= b'!' + base;
    let at = text.windows(2).position(is_changeable)?;
    let mut other = text.to_vec();
    other[at] += 1;
    other[at + 1] -= base;
    Some(other)
}

/// A text that begins with `start` and has the value asked for, and how many digits were computed.
pub(super) fn forge(start: &[u8], seed: u32, value: u32, base: u8) -> (Vec<u8>, u64) {
    let blank = djb31ma(&[ZERO; DIGITS], djb31ma(start, seed));
    let mut missing = value.wrapping_sub(blank);
    let mut digits = [ZERO; DIGITS];
    let mut steps = 0;
    for digit in digits.iter_mut().rev() {
        *digit += (missing % u32::from(base)) as u8;
        missing /= u32::from(base);
        steps += 1;
    }
    ([start, &digits].concat(), steps)
}

/// Texts of this number of blocks, each "Aa" or "BB".
pub(super) fn blocks() -> impl Iterator<Item = Vec<u8>> {
    let block = |text: u32, i: u32| if text >> i & 1 == 0 { b"Aa" } else { b"BB" };
    (0..1u32 << BLOCKS).map(move |text| (0..BLOCKS).flat_map(|i| *block(text, i)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_the_books() {
        assert_eq!(twin(b"Aa", 31).as_deref(), Some(b"BB".as_slice()));
        assert_eq!(twin(b"a", 31), None);
        let (text, steps) = forge(b"I owe you 1000 ", 7, 0xdead_beef, 31);
        assert_eq!((djb31ma(&text, 7), steps), (0xdead_beef, 7));
        assert!(text.is_ascii() && text.starts_with(b"I owe you 1000 "));
    }
}
