//! The threshold below which counters are removed.

/// The distance from the least possible value within which most counters lie if a stream has many rare items.
const NEAR: usize = 256;

/// Returns the value of rank `rank` among `values`, counted from the largest as 1. No value is below `least`,
/// and there are at least `rank` of them.
///
/// It counts instead of sorting: nothing is moved, and if the answer is near `least`, one pass is enough.
pub(super) fn nth_largest(values: &(impl Iterator<Item = u64> + Clone), least: u64, rank: usize) -> u64 {
    let mut counts = [0usize; NEAR];
    for value in values.clone() {
        counts[(value - least).min(NEAR as u64 - 1) as usize] += 1;
    }
    let (near, above) = bucket_of(&counts, rank);
    if near < NEAR - 1 {
        return least + near as u64;
    }
    debug_assert_eq!(above, 0, "the last bucket holds the largest");
    // Eight bits per pass, among the values that begin with the bits found so far.
    let (mut rank, mut found, mut shift) = (rank, 0u64, u64::BITS);
    while shift > 0 {
        let known = shift;
        shift -= 8;
        let mut counts = [0usize; NEAR];
        for value in values.clone() {
            if known == u64::BITS || value >> known == found >> known {
                counts[(value >> shift & 0xff) as usize] += 1;
            }
        }
        let (byte, above) = bucket_of(&counts, rank);
        found |= (byte as u64) << shift;
        rank -= above;
    }
    found
}

/// Returns the bucket of this rank from above, and how many values lie above the bucket.
fn bucket_of(counts: &[usize; NEAR], rank: usize) -> (usize, usize) {
    let mut above = 0;
    for (bucket, &count) in counts.iter().enumerate().rev() {
        if above + count >= rank {
            return (bucket, above);
        }
        above += count;
    }
    (0, above)
}
