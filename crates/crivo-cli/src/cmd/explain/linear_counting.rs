//! A bit for each item, and the share of bits that stay 0.

use super::drawing::{Drawing, Grid, Step, changed};
use super::setting::Setting;
use super::words::{Fixed, Interval, Percent, say};
use anyhow::Result;
use crivo::cardinality::LinearCounting;
use crivo::hash::reduce;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut sketch = LinearCounting::for_bits(setting.cells)?.with_hash(setting.spec);
    let mut bits = vec![0u32; setting.cells as usize];
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = bits.clone();
        let position = reduce(item.hash, setting.cells);
        let is_new = sketch.insert_hash(item.hash);
        bits[position as usize] = 1;
        let number = setting.number(position);
        let is_repeat =
            before[position as usize] == 1 && setting.items().take(steps.len()).any(|it| it.is(item));
        let remark = match (is_new, is_repeat) {
            (true, _) => say!(setting, "set", bit = number),
            (false, true) => say!(setting, "repeat", bit = number),
            (false, false) => say!(setting, "collision", bit = number),
        };
        let heading = say!(setting, "insert", item = item.name, places = number);
        let grid = Grid::new(setting.heads()).row("", changed(&before, &bits, &[position]));
        steps.push(Step::new(heading, grid, remark));
    }
    let ones = bits.iter().filter(|&&bit| bit == 1).count() as u64;
    let (cells, truth) = (setting.cells, setting.distinct());
    let mut results = Vec::new();
    let m = cells as f64;
    if ones == cells {
        results.push(say!(setting, "saturated", cells = cells, truth = truth));
    } else {
        let empty = cells - ones;
        let answer = m * (m / empty as f64).ln();
        results.push(say!(
            setting,
            "answer",
            cells = cells,
            empty = empty,
            share = Fixed(empty as f64 / m, 3),
            answer = Fixed(answer, 2),
            truth = truth
        ));
    }
    results.push(say!(setting, "estimate", estimate = Interval(&sketch.estimate())));
    if truth > 0 {
        let error = LinearCounting::standard_error_at(cells, truth as u64)?;
        results.push(say!(setting, "error", truth = truth, error = Percent(error)));
    }
    let title = say!(setting, "title", cells = cells);
    Ok(Drawing::new(setting, title, steps, results))
}
