//! Texts that have the value of another by the 31-polynomial hash.

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
    }
}
