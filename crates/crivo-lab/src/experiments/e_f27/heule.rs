//! The published table of the bias of the raw estimate, and the estimator of HyperLogLog++ that reads it.

use crivo::HyperLogLog;

use super::REGISTERS;

/// The table for precision 12, published with Heule, Nunkesser and Hall 2013: a number of items and the bias of the raw
/// estimate there, a mean over 5,000 simulations, on each line.
const PUBLISHED: &str = include_str!("heule-12.txt");
/// The number of simulations behind each published bias.
pub(super) const PUBLISHED_RUNS: f64 = 5000.0;
/// Up to here HyperLogLog++ counts linearly at precision 12.
const LINEAR_LIMIT: f64 = 3100.0;
/// The number of entries of the table whose biases are averaged.
const NEIGHBOURS: usize = 6;

pub(super) struct Entry {
    pub(super) items: u64,
    pub(super) bias: f64,
}

/// Returns the published table.
pub(super) fn published() -> Vec<Entry> {
    let entry = |line: &str| {
        let (items, bias) = line.split_once(' ')?;
        Some(Entry { items: items.parse().ok()?, bias: bias.parse().ok()? })
    };
    PUBLISHED.lines().map_while(entry).collect()
}

/// Returns the raw estimate α m² / Σ 2^−M, and the number of empty registers.
pub(super) fn raw(sketch: &HyperLogLog) -> (f64, f64) {
    let registers = sketch.registers();
    let sum: f64 = registers.iter().map(|&rank| libm::exp2(-f64::from(rank))).sum();
    let empty: f64 = registers.iter().map(|&rank| f64::from(u8::from(rank == 0))).sum();
    (0.7213 / (1.0 + 1.079 / REGISTERS) * REGISTERS * REGISTERS / sum, empty)
}

/// Estimates as HyperLogLog++ does: linear counting up to its limit, and then the raw estimate less the mean bias of the
/// nearest entries of the table.
pub(super) fn estimate(sketch: &HyperLogLog, table: &[Entry]) -> f64 {
    let (raw, empty) = raw(sketch);
    let linear = REGISTERS * libm::log(REGISTERS / empty);
    if linear <= LINEAR_LIMIT {
        return linear;
    }
    if raw > 5.0 * REGISTERS {
        return raw;
    }
    let mut near: Vec<(f64, f64)> =
        table.iter().map(|entry| ((entry.items as f64 + entry.bias - raw).abs(), entry.bias)).collect();
    near.sort_by(|one, other| one.0.total_cmp(&other.0));
    raw - near.iter().take(NEIGHBOURS).map(|(_, bias)| bias).sum::<f64>() / NEIGHBOURS as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let table = published();
        assert_eq!(table.len(), PUBLISHED.lines().count());
        assert!(table.is_sorted_by_key(|entry| entry.items));
        let ends = [&table[0], &table[200]].map(|entry| (entry.items, entry.bias));
        assert_eq!(ends, [(1, 2953.0), (20_479, -15.78)]);
    }

    #[test]
    fn the_nearest_entries_correct_the_raw_estimate() {
        let mut sketch = HyperLogLog::for_precision(12).unwrap();
        for item in 0..8000u64 {
            sketch.insert(&item);
        }
        let (raw, _) = raw(&sketch);
        // The published bias at 8,000 items is 440: between its entries at 7987 and 8090.
        assert!((raw - estimate(&sketch, &published()) - 440.0).abs() < 40.0);
    }
}
