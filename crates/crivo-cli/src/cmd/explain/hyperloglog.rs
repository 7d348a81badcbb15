//! Registers that keep the rarest pattern seen.

use super::drawing::{Drawing, Grid, Step, changed};
use super::examples::Given;
use super::setting::{Entry, Setting};
use super::words::{Fixed, Interval, say};
use anyhow::Result;
use crivo::HyperLogLog;
use crivo::cardinality::Estimator;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let precision = setting.cells.ilog2();
    let mut sketch = HyperLogLog::for_precision(precision as u8)?.with_hash(setting.spec);
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = sketch.registers();
        sketch.insert_hash(item.hash);
        let after = sketch.registers();
        let register = item.hash >> (64 - precision);
        let rank = (item.hash << precision).leading_zeros() + 1;
        let (old, new) = (before[register as usize], after[register as usize]);
        let (name, was) = (register.to_string(), u32::from(old));
        let remark = if old == new {
            say!(setting, "kept", register = name, old = was, rank = rank)
        } else {
            say!(setting, "raised", register = name, rank = rank, old = was, new = u32::from(new))
        };
        let heading = say!(setting, "insert", item = item.name, places = bits(item, precision, rank));
        let grid = Grid::new(setting.heads()).row("", changed(&before, &after, &[register]));
        steps.push(Step::new(heading, grid, remark));
    }
    let title = say!(setting, "title", cells = setting.cells);
    Ok(Drawing::new(setting, title, steps, results(setting, &sketch)))
}

/// The bits that choose the register, a blank, and as many of the rest as say something.
fn bits(item: &Entry, precision: u32, rank: u32) -> String {
    if let Some(Given::Bits(bits)) = item.given {
        return (*bits).into();
    }
    let all = format!("{:064b}", item.hash);
    let (register, rest) = all.split_at(precision as usize);
    let shown = (rank.max(12) as usize).min(rest.len());
    format!("{register} {}…", &rest[..shown])
}

fn results(setting: &Setting, sketch: &HyperLogLog) -> Vec<String> {
    let m = setting.cells as f64;
    let registers = sketch.registers();
    let sum: f64 = registers.iter().map(|&rank| (-f64::from(rank)).exp2()).sum();
    let alpha = match setting.cells {
        16 => 0.673,
        32 => 0.697,
        _ => 0.709,
    };
    let raw = alpha * m * m / sum;
    let empty = registers.iter().map(|&rank| u32::from(rank == 0)).sum::<u32>();
    let truth = setting.distinct();
    let mut raw_estimate = say!(
        setting,
        "raw",
        sum = Fixed(sum, 3),
        alpha = Fixed(alpha, 3),
        cells = setting.cells,
        raw = Fixed(raw, 2)
    );
    if setting.example.is_some() {
        // The source takes the α of many registers.
        let alpha = 0.7213 / (1.0 + 1.079 / m);
        raw_estimate = raw_estimate
            + " "
            + &say!(setting, "printed", raw = Fixed(alpha * m * m / sum, 2), alpha = Fixed(alpha, 3));
    }
    let answer = sketch.estimate_with(Estimator::Original);
    let (exact, rounded) = (Fixed(answer, 2), Fixed(answer, 0));
    let second = if raw <= 2.5 * m && empty > 0 {
        say!(
            setting,
            "linear",
            cells = setting.cells,
            limit = 2.5 * m,
            empty = empty,
            answer = exact,
            rounded = rounded,
            truth = truth
        )
    } else {
        say!(setting, "answer", answer = exact, rounded = rounded, truth = truth)
    };
    let error = Fixed(104.0 / m.sqrt(), 0);
    let third =
        say!(setting, "error", cells = setting.cells, error = error, estimate = Interval(&sketch.estimate()));
    vec![raw_estimate, second, third]
}
