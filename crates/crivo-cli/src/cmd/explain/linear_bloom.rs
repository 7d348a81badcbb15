//! Cells that keep the largest value.

use super::drawing::{Drawing, Grid, Step, Verdict, changed, looked_at};
use super::setting::{Entry, Setting};
use super::words::{Exact, Percent, Value, say};
use anyhow::{Result, anyhow};
use crivo::LinearBloom;
use crivo::valued::LinearBloomParams;
use crivo::valued::Verdict as Claim;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let params = LinearBloomParams::exact(setting.cells, setting.hashes)?;
    let mut filter = LinearBloom::<f64>::with_params(params).with_hash(setting.spec);
    let mut steps = Vec::new();
    for item in setting.items() {
        let needed = || {
            anyhow!("'{}' has no value; write it behind a colon, for example {}:0.3", item.name, item.name)
        };
        let own = item.value.ok_or_else(needed)?;
        let before = cells(setting, &filter);
        filter.insert_hash(item.hash, own)?;
        let (after, positions) = (cells(setting, &filter), setting.positions(item));
        let kept: Vec<u64> =
            positions.iter().copied().filter(|&it| before[it as usize] == after[it as usize]).collect();
        let kept = setting.numbers(&kept);
        let remark = match kept.len() {
            0 => say!(setting, "raised", value = Exact(own)),
            n => say!(setting, "kept", n = n, cells = kept),
        };
        let heading =
            say!(setting, "insert", item = item.name, value = Exact(own), places = setting.places(item));
        let grid = Grid::new(setting.heads()).row("", changed(&before, &after, &positions));
        steps.push(Step::new(heading, grid, remark));
    }
    let state = cells(setting, &filter);
    for query in setting.queries(|entry| filter.contains_hash(entry.hash)) {
        let found = filter.value_hash(query.hash);
        let smallest = shown(setting, found);
        let (remark, verdict) = match query.value {
            Some(claimed) => claim(filter.verdict_hash(query.hash, claimed)?, claimed, setting, &query),
            None => answer(setting, &query, found),
        };
        let places = setting.places(&query);
        let heading = match query.value {
            Some(claimed) => {
                say!(setting, "query-value", item = query.name, value = Exact(claimed), places = places)
            }
            None => say!(setting, "query", item = query.name, places = places),
        };
        let cells = looked_at(&state, &setting.positions(&query), |cell| *cell == smallest);
        steps.push(Step::new(heading, Grid::new(setting.heads()).row("", cells), remark).judged(verdict));
    }
    let used = state.iter().filter(|cell| **cell != EMPTY).count();
    let rate = Percent((used as f64 / setting.cells as f64).powi(setting.hashes as i32));
    let rate =
        say!(setting, "rate", used = used, cells = setting.cells, hashes = setting.hashes, rate = rate);
    let title = say!(setting, "title", cells = setting.cells, hashes = setting.hashes);
    Ok(Drawing::new(setting, title, steps, vec![rate]))
}

const EMPTY: &str = "·";

fn shown(setting: &Setting, cell: Option<f64>) -> String {
    cell.map_or_else(|| EMPTY.into(), |cell| Exact(cell).text(setting.words))
}

fn cells(setting: &Setting, filter: &LinearBloom<f64>) -> Vec<String> {
    filter.cells().map(|cell| shown(setting, cell)).collect()
}

/// The largest value that an item was inserted with.
fn true_value(setting: &Setting, query: &Entry) -> Option<f64> {
    setting.items().filter(|item| item.is(query)).filter_map(|item| item.value).reduce(f64::max)
}

fn answer(setting: &Setting, query: &Entry, found: Option<f64>) -> (String, Verdict) {
    let Some(found) = found else { return (say!(setting, "absent"), Verdict::Right) };
    let (found, truth) = (Exact(found), true_value(setting, query));
    let remark = match truth {
        Some(truth) if truth == found.0 => say!(setting, "right", found = found),
        Some(truth) => say!(setting, "wrong", found = found, truth = Exact(truth)),
        None => say!(setting, "stranger", found = found, blame = setting.blame(query)),
    };
    (remark, Verdict::of(truth == Some(found.0)))
}

fn claim(claim: Claim<f64>, claimed: f64, setting: &Setting, query: &Entry) -> (String, Verdict) {
    let is_true = setting.items().any(|item| item.is(query) && item.value == Some(claimed));
    let is_wrong = !is_true && !claim.is_refuted();
    let claimed = Exact(claimed);
    let remark = match claim {
        Claim::Absent => say!(setting, "absent"),
        Claim::Below(found) => say!(setting, "below", found = Exact(found), claimed = claimed),
        Claim::Equal => say!(setting, "equal", claimed = claimed),
        Claim::Above(found) => say!(setting, "above", found = Exact(found)),
    };
    let remark = if is_wrong { say!(setting, "untrue", answer = remark) } else { remark };
    (remark, Verdict::of(!is_wrong))
}
