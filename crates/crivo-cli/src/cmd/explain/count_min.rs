//! Rows of counters, of which the smallest is right or too large.

use super::drawing::{Cell, Drawing, Grid, Step, Verdict, changed, looked_at};
use super::setting::{Entry, Setting};
use super::words::{Fixed, Percent, say};
use anyhow::Result;
use crivo::CountMin;
use crivo::frequency::CountMinParams;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut sketch =
        CountMin::with_params(CountMinParams::exact(setting.cells, setting.hashes)?).with_hash(setting.spec);
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = rows(&sketch)?;
        sketch.add_hash(item.hash, item.count);
        let (after, columns) = (rows(&sketch)?, setting.positions(item));
        let cells = (0..after.len()).map(|row| changed(&before[row], &after[row], &[columns[row]]));
        let heading =
            say!(setting, "add", count = item.count, item = item.name, places = setting.places(item));
        steps.push(Step::new(heading, grid(setting, cells), shared(setting, item, &before)));
    }
    let state = rows(&sketch)?;
    for query in setting.queries(|entry| sketch.frequency_hash(entry.hash).value() > 0.0) {
        let answer = sketch.frequency_hash(query.hash).value() as u64;
        let columns = setting.positions(&query);
        let cells =
            state.iter().zip(&columns).map(|(row, column)| looked_at(row, &[*column], |it| *it == answer));
        let truth = setting.times_inside(&query);
        let others = in_all_rows(setting, &query);
        let remark = match answer == truth {
            true => say!(setting, "right", answer = answer),
            false if others.is_empty() => say!(setting, "wrong", answer = answer, truth = truth),
            false => say!(setting, "blamed", answer = answer, truth = truth, others = others),
        };
        let heading = say!(setting, "how-often", item = query.name, places = setting.places(&query));
        steps.push(Step::new(heading, grid(setting, cells), remark).judged(Verdict::of(answer == truth)));
    }
    let (width, total) = (setting.cells, sketch.total());
    let mean = total as f64 / width as f64;
    let bound = say!(
        setting,
        "bound",
        total = total,
        width = width,
        mean = Fixed(mean, 2),
        limit = Fixed(std::f64::consts::E * mean, 2),
        rows = setting.hashes,
        chance = Percent((-f64::from(setting.hashes)).exp())
    );
    let title = say!(setting, "title", rows = setting.hashes, width = width);
    Ok(Drawing::new(setting, title, steps, vec![bound]))
}

fn rows(sketch: &CountMin) -> Result<Vec<Vec<u64>>> {
    Ok((0..sketch.params().depth()).map(|row| sketch.row(row)).collect::<crivo::Result<_>>()?)
}

/// A grid whose rows have the numbers 1, 2, …
pub(super) fn grid(setting: &Setting, rows: impl Iterator<Item = Vec<Cell>>) -> Grid {
    let label = |row: u32| say!(setting, "row", row = row);
    rows.zip(1..).fold(Grid::new(setting.heads()), |grid, (cells, row)| grid.row(label(row), cells))
}

fn shared(setting: &Setting, item: &Entry, before: &[Vec<u64>]) -> String {
    let columns = setting.positions(item);
    let taken =
        (1u32..).zip(columns.iter().zip(before)).filter(|(_, (column, row))| row[**column as usize] > 0);
    let taken: Vec<String> = taken.map(|(row, _)| say!(setting, "row", row = row)).collect();
    if taken.is_empty() { say!(setting, "new") } else { say!(setting, "shared", cells = taken) }
}

/// The items that share every counter with another.
fn in_all_rows(setting: &Setting, query: &Entry) -> Vec<String> {
    let columns = setting.positions(query);
    let shares = |item: &&Entry| !item.is(query) && setting.positions(item) == columns;
    setting.items().filter(shares).map(|item| item.name.clone()).collect()
}
