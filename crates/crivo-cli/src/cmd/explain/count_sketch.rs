//! Rows of counters that some items raise and others lower.

use super::count_min::grid;
use super::drawing::{Drawing, Step, Verdict, changed, looked_at};
use super::setting::{Entry, Setting};
use super::words::say;
use anyhow::Result;
use crivo::CountSketch;
use crivo::frequency::CountSketchParams;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let params = CountSketchParams::exact(setting.cells, setting.hashes)?;
    let empty = CountSketch::with_params(params).with_hash(setting.spec);
    let mut sketch = empty.clone();
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = rows(&sketch, setting)?;
        sketch.add_hash(item.hash, item.count.cast_signed())?;
        let (after, places) = (rows(&sketch, setting)?, places(&empty, setting, item)?);
        let cells = (0..after.len()).map(|row| changed(&before[row], &after[row], &[places[row].0]));
        let heading = say!(setting, "add", item = setting.times(item), places = shown(setting, &places));
        steps.push(Step::new(heading, grid(setting, cells), say!(setting, "added")));
    }
    let state = rows(&sketch, setting)?;
    for query in setting.queries(|entry| sketch.frequency_hash(entry.hash).value() != 0.0) {
        let places = places(&empty, setting, &query)?;
        let answers: Vec<i64> =
            state.iter().zip(&places).map(|(row, (column, sign))| sign * row[*column as usize]).collect();
        let answer = sketch.frequency_hash(query.hash).value();
        let cells = state
            .iter()
            .zip(&places)
            .map(|(row, (column, sign))| looked_at(row, &[*column], |&cell| (sign * cell) as f64 == answer));
        let truth = setting.times_inside(&query);
        let is_right = answer == truth as f64;
        let signed: Vec<String> = answers.iter().map(i64::to_string).collect();
        let remark = if is_right {
            say!(setting, "right", rows = signed.join(", "), answer = answer)
        } else {
            say!(setting, "wrong", rows = signed.join(", "), answer = answer, truth = truth)
        };
        let heading = say!(setting, "how-often", item = query.name, places = shown(setting, &places));
        steps.push(Step::new(heading, grid(setting, cells), remark).judged(Verdict::of(is_right)));
    }
    let squares: f64 = distinct(setting).map(|item| (setting.times_inside(item) as f64).powi(2)).sum();
    let deviation = (squares / setting.cells as f64).sqrt();
    let error = say!(setting, "error", squares = squares, width = setting.cells, deviation = deviation);
    let title = say!(setting, "title", rows = setting.hashes, width = setting.cells);
    Ok(Drawing::new(setting, title, steps, vec![error, say!(setting, "against")]))
}

/// Each item once.
fn distinct(setting: &Setting) -> impl Iterator<Item = &Entry> {
    let is_first = |(place, item): &(usize, &Entry)| !setting.items().take(*place).any(|it| it.is(item));
    setting.items().enumerate().filter(move |it| is_first(it)).map(|(_, item)| item)
}

fn rows(sketch: &CountSketch, setting: &Setting) -> Result<Vec<Vec<i64>>> {
    Ok((0..setting.hashes).map(|row| sketch.row(row)).collect::<crivo::Result<_>>()?)
}

/// The column and the sign of an item in each row: what it does to an empty sketch.
fn places(empty: &CountSketch, setting: &Setting, item: &Entry) -> Result<Vec<(u64, i64)>> {
    let mut alone = empty.clone();
    alone.add_hash(item.hash, 1)?;
    let place = |row: Vec<i64>| {
        let column = row.iter().position(|&cell| cell != 0).unwrap_or_default();
        (column as u64, row[column])
    };
    Ok(rows(&alone, setting)?.into_iter().map(place).collect())
}

/// `+5, −2`
fn shown(setting: &Setting, places: &[(u64, i64)]) -> String {
    let shown = |(column, sign): &(u64, i64)| {
        format!("{}{}", if *sign < 0 { '−' } else { '+' }, setting.number(*column))
    };
    places.iter().map(shown).collect::<Vec<_>>().join(", ")
}
