//! Warnings about random tables without defects.

use super::{Defect, Draws, found, params};

/// Kinds of columns. Those from [`POWER_TAILS`] on have tails as heavy as the fence of outliers allows for.
const KINDS: u64 = 18;
const POWER_TAILS: u64 = 16;

/// Returns the value of a clean column of this kind.
fn value(kind: u64, size: u64, row: u64, draws: &mut Draws) -> String {
    let day = |day: u64| format!("20{:02}-{:02}-{:02}", 14 + day / 336, 1 + day / 28 % 12, 1 + day % 28);
    match kind {
        0 => format!("{:.3}", 20.0 + 5.0 * draws.normal()),
        1 => format!("{:.4}", -draws.unit().ln() * size as f64),
        2 => format!("{:.2}", 50.0 * draws.normal().exp()),
        3 => draws.below(size).to_string(),
        4 => draws.below(1_000_000).to_string(),
        // Zipf's law: most categories are rare.
        5 => format!("group {}", (10.0 + size as f64).powf(draws.unit()) as u64),
        6 => day(draws.below(1680)),
        7 => format!("{} {:02}:{:02}:00", day(row / 60 % 1680), row % 24, row % 60),
        8 => (1000 + row).to_string(),
        9 => format!("A{row:06}"),
        10 => (draws.unit() < 0.3).to_string(),
        11 => (["Ana", "Rui", "Eva", "José"][draws.below(4) as usize]).to_owned(),
        12 => format!("{:.6}", 180.0 * draws.unit() - 90.0),
        13 => (1950 + draws.below(70)).to_string(),
        14 if draws.unit() < 0.2 => String::new(),
        14 => ((40.0 + 12.0 * draws.normal()).round() as i64).to_string(),
        15 => format!("{:016x}", draws.next()),
        // Pareto's and Student's laws, with a finite variance.
        16 => format!("{:.3}", draws.unit().powf(-0.25)),
        _ => {
            let spread = (0..3).map(|_| draws.normal().powi(2)).sum::<f64>();
            format!("{:.4}", draws.normal() / (spread / 3.0).sqrt())
        }
    }
}

/// No warning is wrong in 200 random tables, except that a power tail reaches the fence in one of a hundred tables.
#[test]
fn clean_tables_have_no_warnings() {
    const TABLES: u64 = 200;
    let mut draws = Draws(2024);
    let (mut outliers, mut tails) = (0, 0);
    for table in 0..TABLES {
        let params = params()[table as usize % 2];
        let rows = [30, 200, 1000, 5000][table as usize / 2 % 4];
        let size = 20 + draws.below(200);
        for kind in 0..KINDS {
            tails += 2 * u64::from(kind >= POWER_TAILS);
            for (defect, evidence) in found(params, (0..rows).map(|row| value(kind, size, row, &mut draws))) {
                let is_chance = defect == Defect::Outliers && kind >= POWER_TAILS;
                assert!(is_chance, "table {table} of {rows} rows, kind {kind}, size {size}: {evidence}");
                outliers += 1;
            }
        }
    }
    // The mean of a binomial count, and five standard deviations.
    let mean = 0.01 * tails as f64;
    assert!(f64::from(outliers) <= mean + 5.0 * mean.sqrt(), "{outliers} of {tails} tails");
    println!("{outliers} of {tails} power tails");
}
