//! Rows of counters, of which the smallest is right or too large.

use super::drawing::{Cell, Drawing, Grid, Step, Verdict, changed, list, looked_at};
use super::setting::{Entry, Setting};
use anyhow::Result;
use crivo::CountMin;
use crivo::frequency::CountMinParams;
use crivo_report::{count, plural};

const ABOUT: &str = "Each row has a function of its own. An item adds its count to one counter of every row. Its frequency is \
                     the smallest of its counters: others may have added to it, nothing is ever taken away, so it is never \
                     too low.";

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut sketch =
        CountMin::with_params(CountMinParams::exact(setting.cells, setting.hashes)?).with_hash(setting.spec);
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = rows(&sketch)?;
        sketch.add_hash(item.hash, item.count);
        let (after, columns) = (rows(&sketch)?, setting.positions(item));
        let cells = (0..after.len()).map(|row| changed(&before[row], &after[row], &[columns[row]]));
        steps.push(Step {
            heading: format!("add {} × {} → {}", item.count, item.name, setting.places(item)),
            grid: grid(setting, cells),
            remark: shared(setting, item, &before),
            verdict: Verdict::None,
        });
    }
    let state = rows(&sketch)?;
    for query in setting.queries(|entry| sketch.frequency_hash(entry.hash).value() > 0.0) {
        let answer = sketch.frequency_hash(query.hash).value() as u64;
        let columns = setting.positions(&query);
        let cells =
            state.iter().zip(&columns).map(|(row, column)| looked_at(row, &[*column], |it| *it == answer));
        let truth = setting.times_inside(&query);
        let (remark, verdict) = if answer == truth {
            (format!("{} = the smallest, and right", count(answer)), Verdict::Right)
        } else {
            let others = in_all_rows(setting, &query);
            let others = if others.is_empty() { "others, in each row another".into() } else { list(&others) };
            (
                format!(
                    "{} = the smallest; the truth is {}: too high because of {others}",
                    count(answer),
                    count(truth)
                ),
                Verdict::Wrong,
            )
        };
        steps.push(Step {
            heading: format!("how often {}? → {}", query.name, setting.places(&query)),
            grid: grid(setting, cells),
            remark,
            verdict,
        });
    }
    let (width, total) = (setting.cells, sketch.total());
    Ok(Drawing {
        title: format!(
            "Count-Min sketch of {} and {}",
            plural(setting.hashes.into(), "row", "rows"),
            plural(width, "column", "columns")
        ),
        source: setting.example.map(|example| example.source),
        about: ABOUT.into(),
        steps,
        results: vec![format!(
            "all rows add up to {}: a counter has {}/{width} = {:.2} of others on average, and e/{width} · {} = {:.2} is \
             exceeded in all rows with probability e^-{} = {} at most",
            count(total),
            count(total),
            total as f64 / width as f64,
            count(total),
            std::f64::consts::E / width as f64 * total as f64,
            setting.hashes,
            crivo_report::percent((-f64::from(setting.hashes)).exp())
        )],
    })
}

fn rows(sketch: &CountMin) -> Result<Vec<Vec<u64>>> {
    Ok((0..sketch.params().depth()).map(|row| sketch.row(row)).collect::<crivo::Result<_>>()?)
}

fn grid(setting: &Setting, rows: impl Iterator<Item = Vec<Cell>>) -> Grid {
    rows.zip(1..).fold(Grid::new(setting.heads()), |grid, (cells, row)| grid.row(format!("row {row}"), cells))
}

fn shared(setting: &Setting, item: &Entry, before: &[Vec<u64>]) -> String {
    let columns = setting.positions(item);
    let taken = (1..).zip(columns.iter().zip(before)).filter(|(_, (column, row))| row[**column as usize] > 0);
    let taken: Vec<String> = taken.map(|(row, _)| format!("row {row}")).collect();
    if taken.is_empty() {
        return "its counters were 0".into();
    }
    format!("others count in {} already", list(&taken))
}

/// The items that share every counter with another.
fn in_all_rows<'a>(setting: &'a Setting, query: &Entry) -> Vec<&'a str> {
    let columns = setting.positions(query);
    let shares = |item: &&Entry| !item.is(query) && setting.positions(item) == columns;
    setting.items().filter(shares).map(|item| item.name.as_str()).collect()
}
