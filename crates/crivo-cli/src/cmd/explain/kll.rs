//! Levels of values: a full level keeps every other one of them.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::setting::{Entry, Setting};
use super::words::{Exact, Percent, Value, say};
use anyhow::{Result, bail};
use crivo::Kll;

/// What is asked without a wish.
const QUANTILES: [f64; 2] = [0.5, 0.9];

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut sketch = Kll::<f64>::with_seed(setting.cells, setting.seed)?;
    let mut all = Vec::new();
    let mut steps = Vec::new();
    let mut shown: Vec<Vec<f64>> = Vec::new();
    let mut pending = 0usize;
    for item in setting.items() {
        let value = number(item)?;
        let before = levels(&sketch);
        sketch.insert(value)?;
        all.push(value);
        pending += 1;
        let after = levels(&sketch);
        let halved = (0..before.len()).find(|&level| after[level].len() + 1 < before[level].len());
        if let Some(level) = halved {
            let heading = say!(setting, "insert", n = pending, item = Exact(value).text(setting.words));
            let remark = say!(
                setting,
                "compact",
                level = level,
                values = before[level].len(),
                kept = before[level].len() / 2,
                weight = 2u64 << level
            );
            steps.push(Step::new(heading, grid(setting, &after, &shown), remark));
            (shown, pending) = (after, 0);
        }
    }
    if pending > 0 {
        let heading = say!(setting, "rest", n = pending);
        steps.push(Step::new(heading, grid(setting, &levels(&sketch), &shown), say!(setting, "room")));
    }
    all.sort_by(f64::total_cmp);
    for q in quantiles(setting)? {
        steps.extend(quantile(setting, &sketch, &all, q)?);
    }
    let kept = say!(setting, "kept", kept = sketch.kept(), total = all.len());
    let error = say!(setting, "error", error = Percent(sketch.rank_error()));
    let title = say!(setting, "title", k = setting.cells, seed = setting.seed.to_string());
    Ok(Drawing::new(setting, title, steps, vec![kept, error]))
}

fn levels(sketch: &Kll<f64>) -> Vec<Vec<f64>> {
    sketch.levels().map(<[f64]>::to_vec).collect()
}

fn number(item: &Entry) -> Result<f64> {
    match item.key.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => bail!("'{}': expected numbers, for example --items 3,1.5,20", item.name),
    }
}

fn quantiles(setting: &Setting) -> Result<Vec<f64>> {
    if setting.asked().is_empty() {
        return Ok(QUANTILES.to_vec());
    }
    let quantile = |query: &Entry| match query.key.parse::<f64>() {
        Ok(q) if (0.0..=1.0).contains(&q) => Ok(q),
        _ => bail!("'{}': expected quantiles from 0 to 1, for example --query 0.5,0.9", query.name),
    };
    setting.asked().iter().map(quantile).collect()
}

/// A row for each level, the highest on top; values that were not in their level before are marked.
fn grid(setting: &Setting, levels: &[Vec<f64>], before: &[Vec<f64>]) -> Grid {
    let widest = levels.iter().map(Vec::len).max().unwrap_or(0);
    let mut grid = Grid { corner: say!(setting, "weight"), ..Grid::new(1..=widest) };
    for (level, values) in levels.iter().enumerate().rev() {
        let mut old = before.get(level).cloned().unwrap_or_default();
        let mut cells: Vec<Cell> = Vec::new();
        for &value in values {
            let place = old.iter().position(|&it| it == value);
            let is_old = place.map(|place| old.swap_remove(place)).is_some();
            cells.push(Cell::new(
                Exact(value).text(setting.words),
                if is_old { Mark::Plain } else { Mark::Changed },
            ));
        }
        cells.resize(widest, Cell::plain(""));
        grid = grid.row((1u64 << level).to_string(), cells);
    }
    grid
}

/// The kept values in order with their weights, the first whose sum reaches q, and the truth.
fn quantile(setting: &Setting, sketch: &Kll<f64>, all: &[f64], q: f64) -> Result<Option<Step>> {
    if sketch.is_empty() {
        return Ok(None);
    }
    let answer = sketch.quantile(q)?;
    let answer = *answer.value();
    let weighted = (0u32..).zip(sketch.levels());
    let mut weighted: Vec<(f64, u64)> = weighted
        .flat_map(|(level, values)| values.iter().map(move |&value| (value, 1u64 << level)))
        .collect();
    weighted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let ranks: Vec<u64> = weighted
        .iter()
        .scan(0, |sum, (_, weight)| {
            *sum += weight;
            Some(*sum)
        })
        .collect();
    let target = (q * all.len() as f64).ceil().max(1.0) as u64;
    let place = ranks.iter().position(|&rank| rank >= target);
    let mark = |it: usize| if Some(it) == place { Mark::Decides } else { Mark::Plain };
    let row = |text: &dyn Fn(usize) -> String| {
        (0..weighted.len()).map(|it| Cell::new(text(it), mark(it))).collect()
    };
    let grid = Grid::new(1..=weighted.len())
        .row(say!(setting, "value"), row(&|it| Exact(weighted[it].0).text(setting.words)))
        .row(say!(setting, "weight"), row(&|it| weighted[it].1.to_string()))
        .row(say!(setting, "rank"), row(&|it| ranks[it].to_string()));
    let truth = all[target as usize - 1];
    let is_right = answer == truth;
    let rank = all.iter().filter(|&&it| it <= answer).count() as u64;
    let remark = if is_right {
        say!(setting, "right", target = target, answer = Exact(answer))
    } else {
        let off = Percent(rank.abs_diff(target) as f64 / all.len() as f64);
        say!(
            setting,
            "wrong",
            target = target,
            answer = Exact(answer),
            truth = Exact(truth),
            rank = rank,
            off = off
        )
    };
    let heading = say!(setting, "quantile", q = Exact(q), total = all.len());
    Ok(Some(Step::new(heading, grid, remark).judged(Verdict::of(is_right))))
}
