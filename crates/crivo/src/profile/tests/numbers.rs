//! Columns of which nearly each value is another.

use super::coarse;
use crate::{ColumnProfile, Guarantee, HashSpec};
use alloc::format;

/// A value that comes again only after all others is not seen to repeat. Where the sketch says more than there are rows, what is
/// cut off must not leave a bar that looks exact.
#[test]
fn bars_of_nearly_unique_columns_hold_the_truth() {
    const SEEDS: u64 = 1000;
    let params = coarse();
    let confidence = 0.95;
    for rows in [200u32, 600, 3000] {
        for repeated in [0, 1, rows / 100, rows / 30] {
            let different = rows - repeated;
            let mut missed = 0u32;
            for seed in 0..SEEDS {
                let mut column = ColumnProfile::with_spec(params, HashSpec::seeded(seed));
                (0..different).chain(0..repeated).for_each(|row| column.add(format!("row {row}").as_bytes()));
                let distinct = column.summary().distinct();
                let holds = distinct.contains(different.into());
                let looks_exact =
                    distinct.lower() >= distinct.upper() || distinct.guarantee() == Guarantee::Certain;
                assert!(holds || !looks_exact, "{rows} rows, {different} different, seed {seed}: {distinct}");
                assert!(distinct.upper() <= rows.into(), "{distinct}");
                missed += u32::from(!holds);
            }
            // Five deviations of the number of misses: one false alarm in more than a million.
            let (expected, variance) =
                ((1.0 - confidence) * SEEDS as f64, confidence * (1.0 - confidence) * SEEDS as f64);
            assert!(
                f64::from(missed) <= expected + 5.0 * variance.sqrt(),
                "{rows} {repeated}: {missed} missed"
            );
        }
    }
}
