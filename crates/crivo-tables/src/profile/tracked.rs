//! A column profile with what only its rows show.

use super::order::RowOrder;
use crate::tables::Column;
use crivo::profile::ColumnProfile;

/// A profile does not keep the rows of its values. The fingerprint distinguishes two columns that have the same
/// values in different rows.
#[derive(Clone, Debug)]
pub(super) struct TrackedColumn {
    pub(super) profile: ColumnProfile,
    /// The sum, over all values, of a hash of the value and its row number. A column receives its rows in order,
    /// whatever the number of threads. The fingerprint is not saved, because rows have no numbers once profiles are
    /// merged.
    pub(super) fingerprint: u64,
    /// The order of the values, which is not saved either.
    pub(super) order: RowOrder,
}

impl TrackedColumn {
    pub(super) fn new(profile: ColumnProfile) -> Self {
        Self { profile, fingerprint: 0, order: RowOrder::default() }
    }
}

impl Column for TrackedColumn {
    #[inline]
    fn add(&mut self, text: &[u8], hash: u64) {
        let row = self.profile.rows();
        self.fingerprint = self.fingerprint.wrapping_add(row_hash(row, hash));
        self.order.add(row, text, hash);
        self.profile.add_hashed(text, hash, 1);
    }

    fn add_missing(&mut self, rows: u64) {
        self.order.add_missing(self.profile.rows(), rows);
        self.profile.add_missing(rows);
    }

    fn memory_bytes(&self) -> usize {
        self.profile.memory_bytes() + size_of::<Self>() - size_of::<ColumnProfile>()
    }
}

/// Hashes a row number and a value's hash by one wide multiplication, folded, as wyhash does.
#[inline]
pub(super) fn row_hash(row: u64, hash: u64) -> u64 {
    let spread = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xa076_1d64_78bd_642f;
    let product = u128::from(hash ^ 0xe703_7ed1_a0b4_28db) * u128::from(spread);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::HashSpec;
    use crivo::profile::ProfileParams;
    use std::collections::HashSet;

    fn fingerprint(values: &[Option<&str>]) -> u64 {
        let mut column = TrackedColumn::new(ColumnProfile::with_params(ProfileParams::default()));
        for value in values {
            match value {
                Some(text) => column.add(text.as_bytes(), HashSpec::default().hash_bytes(text.as_bytes())),
                None => column.add_missing(1),
            }
        }
        column.fingerprint
    }

    /// All arrangements of three values and missing values in six rows have distinct fingerprints.
    #[test]
    fn every_arrangement_has_a_fingerprint_of_its_own() {
        let choices = [Some("0"), Some("1"), Some("x"), None];
        let columns = (0..4usize.pow(6)).map(|number| {
            let values: Vec<_> = (0..6).map(|row| choices[number / 4usize.pow(row) % 4]).collect();
            fingerprint(&values)
        });
        assert_eq!(columns.collect::<HashSet<u64>>().len(), 4usize.pow(6));
    }

    /// Two values that exchange their rows change the fingerprint, whatever the rows.
    #[test]
    fn exchanged_rows_are_told() {
        let plain = vec![Some("a"); 300];
        let at = |place: usize| {
            let mut values = plain.clone();
            values[place] = Some("b");
            fingerprint(&values)
        };
        assert_eq!((0..300).map(at).collect::<HashSet<u64>>().len(), 300);
    }
}
