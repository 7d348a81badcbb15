//! Counters of blocks of 1, 2, 4, 8, … numbers.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict, list};
use super::setting::{Entry, Setting};
use anyhow::{Result, bail};
use crivo::DyadicCountMin;
use crivo::quantile::DyadicParams;
use crivo::quantile::{blocks_of, pieces};
use crivo_report::count;
use std::ops::RangeInclusive;

const ABOUT: &str = "A number counts in its own block and in every larger block around it. Any range is made of a few blocks, \
                     at most two of each size: their counters add up to the answer, however long the range is.";

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
        let times = if item.count > 1 { format!("{} × ", item.count) } else { String::new() };
        steps.push(Step {
            heading: format!("add {times}{number} → blocks from {}", starts.join(", ")),
            grid: grid(
                &sketch,
                bits,
                |block| if block.contains(&number) { Mark::Changed } else { Mark::Plain },
            )?,
            remark: format!("one block of each size counts {} more", item.count),
            verdict: Verdict::None,
        });
    }
    for query in setting.asked() {
        let range = range(setting, query)?;
        let blocks = pieces(*range.start(), *range.end(), bits)?;
        let parts: Vec<String> = blocks.iter().map(show).collect();
        let counts: Vec<u64> = blocks.iter().map(|block| counted(&sketch, block)).collect::<Result<_>>()?;
        let sum: Vec<String> = counts.iter().map(u64::to_string).collect();
        let answer = counted(&sketch, &range)?;
        steps.push(Step {
            heading: format!("how many from {} to {}?", range.start(), range.end()),
            grid: grid(
                &sketch,
                bits,
                |block| if blocks.contains(block) { Mark::Decides } else { Mark::Plain },
            )?,
            remark: format!("pieces {}: {} = {}", list(&parts), sum.join(" + "), count(answer)),
            verdict: Verdict::Right,
        });
    }
    Ok(Drawing {
        title: format!("Dyadic ranges over the numbers 0 to {}", setting.cells - 1),
        source: setting.example.map(|example| example.source),
        about: ABOUT.into(),
        steps,
        results: vec![format!(
            "{} numbers have {bits} sizes of blocks below the whole, so a range has at most 2 · {bits} = {} pieces. Here every \
             block has a counter of its own and answers are exact; where there are too many, a size is one Count-Min sketch, \
             and each piece adds the error of one query",
            setting.cells,
            2 * bits
        )],
    })
}

fn counted(sketch: &DyadicCountMin<u64>, block: &RangeInclusive<u64>) -> Result<u64> {
    Ok(sketch.range(block.clone())?.value() as u64)
}

/// A row for each size, the whole on top.
fn grid(
    sketch: &DyadicCountMin<u64>,
    bits: u32,
    mark: impl Fn(&RangeInclusive<u64>) -> Mark,
) -> Result<Grid> {
    let cells = 1u64 << bits;
    let mut grid = Grid { corner: "blocks of", ..Grid::new(0..cells) };
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
