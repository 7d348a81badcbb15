//! Counters of blocks of 1, 2, 4, 8, … numbers.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::setting::{Entry, Setting};
use super::words::say;
use anyhow::{Result, bail};
use crivo::DyadicCountMin;
use crivo::quantile::DyadicParams;
use crivo::quantile::{blocks_of, pieces};
use std::ops::RangeInclusive;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let bits = setting.cells.ilog2();
    // As many columns as numbers: every block has a counter of its own.
    let mut sketch = DyadicCountMin::<u64>::with_params(DyadicParams::exact(bits, setting.cells, 1)?)?
        .with_hash(setting.spec);
    let mut steps = Vec::new();
    for item in setting.items() {
        let number = number(setting, item, &item.name)?;
        sketch.add(number, item.count)?;
        let touched = blocks_of(number, bits)?;
        let starts: Vec<String> = touched.iter().map(|block| block.start().to_string()).collect();
        let mark = |block: &RangeInclusive<u64>| {
            if block.contains(&number) { Mark::Changed } else { Mark::Plain }
        };
        let heading = say!(setting, "add", item = setting.times(item), places = starts.join(", "));
        let remark = say!(setting, "added", count = item.count);
        steps.push(Step::new(heading, grid(setting, &sketch, bits, mark)?, remark));
    }
    for query in setting.asked() {
        let range = range(setting, query)?;
        let blocks = pieces(*range.start(), *range.end(), bits)?;
        let parts: Vec<String> = blocks.iter().map(show).collect();
        let counts: Vec<u64> = blocks.iter().map(|block| counted(&sketch, block)).collect::<Result<_>>()?;
        let sum: Vec<String> = counts.iter().map(u64::to_string).collect();
        let answer = counted(&sketch, &range)?;
        let mark =
            |block: &RangeInclusive<u64>| if blocks.contains(block) { Mark::Decides } else { Mark::Plain };
        let (first, last) = (range.start().to_string(), range.end().to_string());
        let heading = say!(setting, "how-many", first = first, last = last);
        let remark = say!(setting, "pieces", parts = parts, sum = sum.join(" + "), answer = answer);
        steps.push(Step::new(heading, grid(setting, &sketch, bits, mark)?, remark).judged(Verdict::Right));
    }
    let title = say!(setting, "title", last = setting.cells - 1);
    let most = say!(setting, "most", cells = setting.cells, sizes = bits, pieces = 2 * bits);
    Ok(Drawing::new(setting, title, steps, vec![most]))
}

fn counted(sketch: &DyadicCountMin<u64>, block: &RangeInclusive<u64>) -> Result<u64> {
    Ok(sketch.range(block.clone())?.value() as u64)
}

/// A row for each size, the whole on top.
fn grid(
    setting: &Setting,
    sketch: &DyadicCountMin<u64>,
    bits: u32,
    mark: impl Fn(&RangeInclusive<u64>) -> Mark,
) -> Result<Grid> {
    let cells = 1u64 << bits;
    let mut grid = Grid { corner: say!(setting, "blocks"), ..Grid::new(0..cells) };
    for level in (0..=bits).rev() {
        let size = 1u64 << level;
        let blocks = (0..cells / size).map(|number| number * size..=number * size + size - 1);
        let row: Result<Vec<Cell>> = blocks
            .map(|block| {
                let span = size as usize;
                Ok(Cell { span, ..Cell::new(counted(sketch, &block)?, mark(&block)) })
            })
            .collect();
        grid = grid.row(size.to_string(), row?);
    }
    Ok(grid)
}

fn show(block: &RangeInclusive<u64>) -> String {
    if block.start() == block.end() {
        block.start().to_string()
    } else {
        format!("{}–{}", block.start(), block.end())
    }
}

fn number(setting: &Setting, entry: &Entry, text: &str) -> Result<u64> {
    match text.trim().parse() {
        Ok(number) if number < setting.cells => Ok(number),
        _ => bail!(
            "'{}': expected whole numbers from 0 to {}, for example 7, 7:3 for three of it, or --query 5-14",
            entry.name,
            setting.cells - 1
        ),
    }
}

/// `5-14`, or a single number.
fn range(setting: &Setting, query: &Entry) -> Result<RangeInclusive<u64>> {
    let (first, last) = query.name.split_once('-').unwrap_or((&query.name, &query.name));
    let (first, last) = (number(setting, query, first)?, number(setting, query, last)?);
    if first > last {
        bail!("'{}' is an empty range; write the lower end first: {last}-{first}", query.name);
    }
    Ok(first..=last)
}
