//! A cache of the texts of numbers.

/// The texts of earlier numbers. Most columns have few distinct values, and a look-up is faster than formatting.
#[derive(Debug)]
pub(super) struct TextCache {
    entries: Vec<Entry>,
    spare: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    bits: u64,
    /// The length of the text, or 0 for an empty entry: no text is empty.
    length: u8,
    text: [u8; LONGEST],
}

/// The longest text in the cache; few numbers have a longer one.
pub(super) const LONGEST: usize = 39;
const ENTRIES_LOG2: u32 = 12;

impl TextCache {
    pub(super) fn new() -> Self {
        let none = Entry { bits: 0, length: 0, text: [0; LONGEST] };
        Self { entries: vec![none; 1 << ENTRIES_LOG2], spare: Vec::new() }
    }

    /// Returns the text of `bits`, which `write` writes if it is not in the cache.
    #[inline]
    pub(super) fn text(&mut self, bits: u64, write: impl FnOnce(&mut Vec<u8>)) -> &[u8] {
        // The multiplication spreads neighbours, which differ in their low bits, over the entries.
        let place = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRIES_LOG2);
        let entry = &mut self.entries[place as usize];
        if entry.bits != bits || entry.length == 0 {
            self.spare.clear();
            write(&mut self.spare);
            let length = self.spare.len();
            if length > LONGEST {
                return &self.spare;
            }
            entry.text[..length].copy_from_slice(&self.spare);
            (entry.bits, entry.length) = (bits, length as u8);
        }
        &entry.text[..usize::from(entry.length)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_at_hand_is_that_of_its_value() {
        let mut cache = TextCache::new();
        for round in 0..3 {
            for value in 0..20_000u64 {
                let bits = value.wrapping_mul(1 << (20 * round));
                assert_eq!(
                    cache.text(bits, |text| text.extend(bits.to_string().bytes())),
                    bits.to_string().as_bytes()
                );
            }
        }
        let long = [b'x'; LONGEST + 1];
        assert_eq!(cache.text(7, |text| text.extend(long)), long);
        assert_eq!(cache.text(7, |text| text.push(b'7')), b"7");
    }
}
