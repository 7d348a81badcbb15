//! Ranges of bits inside words: reading, writing and moving them.

/// Reads the `width` (up to 64) bits from `bit` on. The word after the last of them must exist.
#[inline]
pub(crate) fn read_bits(words: &[u64], bit: usize, width: u32) -> u64 {
    let pair = &words[bit / 64..bit / 64 + 2];
    let wide = u128::from(pair[0]) | u128::from(pair[1]) << 64;
    (wide >> (bit % 64)) as u64 & (u64::MAX >> (64 - width))
}

/// Writes the `width` (up to 64) bits from `bit` on; `value` has no higher bits. The word after the last of
/// them must exist.
#[inline]
pub(crate) fn write_bits(words: &mut [u64], bit: usize, width: u32, value: u64) {
    let pair = &mut words[bit / 64..bit / 64 + 2];
    let keep = !(u128::from(u64::MAX >> (64 - width)) << (bit % 64));
    let put = u128::from(value) << (bit % 64);
    pair[0] = pair[0] & keep as u64 | put as u64;
    pair[1] = pair[1] & (keep >> 64) as u64 | (put >> 64) as u64;
}

/// Moves the bits of `start..end` up by `by` (1 to 64) bits. The first `by` keep their old value.
#[inline]
pub(crate) fn move_up(words: &mut [u64], start: usize, end: usize, by: u32) {
    if start == end {
        return;
    }
    let (from, to) = (start + by as usize, end + by as usize);
    for i in (from / 64..=(to - 1) / 64).rev() {
        let below = if i == 0 { 0 } else { words[i - 1] };
        let wide = u128::from(words[i]) << 64 | u128::from(below);
        let mask = part(i, from, to);
        words[i] = words[i] & !mask | (wide >> (64 - by)) as u64 & mask;
    }
}

/// Moves the bits of `start..end` down by `by` (1 to 64) bits. The last `by` keep their old value.
#[inline]
pub(crate) fn move_down(words: &mut [u64], start: usize, end: usize, by: u32) {
    if start == end {
        return;
    }
    let (from, to) = (start - by as usize, end - by as usize);
    for i in from / 64..=(to - 1) / 64 {
        let above = words.get(i + 1).copied().unwrap_or(0);
        let wide = u128::from(words[i]) | u128::from(above) << 64;
        let mask = part(i, from, to);
        words[i] = words[i] & !mask | (wide >> by) as u64 & mask;
    }
}

/// Returns the mask of the bits of word `i` that lie in `from..to`, a range that overlaps the word.
#[inline]
fn part(i: usize, from: usize, to: usize) -> u64 {
    let low = from.max(64 * i) - 64 * i;
    let high = to.min(64 * i + 64) - 64 * i;
    u64::MAX << low & u64::MAX >> (64 - high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use alloc::vec::Vec;

    fn bits_of(words: &[u64]) -> Vec<bool> {
        (0..words.len() * 64).map(|i| words[i / 64] >> (i % 64) & 1 == 1).collect()
    }

    #[test]
    fn spans_are_read_written_and_moved_bit_by_bit() {
        let mut rng = Rng::new(4);
        for _ in 0..5000 {
            let mut words: Vec<u64> = (0..6).map(|_| rng.next_u64()).collect();
            let width = 1 + rng.below(64) as u32;
            let bit = rng.below(64 * 5 - 64) as usize;
            let mut expected = bits_of(&words);
            let value = (0..width as usize).fold(0, |value, i| value | u64::from(expected[bit + i]) << i);
            assert_eq!(read_bits(&words, bit, width), value);

            let value = rng.next_u64() >> (64 - width);
            write_bits(&mut words, bit, width, value);
            (0..width as usize).for_each(|i| expected[bit + i] = value >> i & 1 == 1);
            assert_eq!(bits_of(&words), expected);

            let by = 1 + rng.below(64) as usize;
            let start = rng.below(384 - by as u64) as usize;
            let end = start + rng.below((384 - by - start) as u64 + 1) as usize;
            move_up(&mut words, start, end, by as u32);
            expected.copy_within(start..end, start + by);
            assert_eq!(bits_of(&words), expected, "{start}..{end} up by {by}");
            move_down(&mut words, start + by, end + by, by as u32);
            expected.copy_within(start + by..end + by, start);
            assert_eq!(bits_of(&words), expected, "{start}..{end} down by {by}");
        }
    }
}
