//! Cells that keep the largest value.

use super::drawing::{Drawing, Grid, Step, Verdict, changed, list, looked_at};
use super::setting::{Entry, Setting};
use anyhow::{Result, anyhow};
use crivo::LinearBloom;
use crivo::valued::LinearBloomParams;
use crivo::valued::Verdict as Claim;
use crivo_report::{percent, plural, value};

const ABOUT: &str = "An insert raises the cells of the item to its value where they are lower. A query takes the smallest of \
                     its cells: an empty one means that the item was never inserted, and the answer is never below its \
                     true value. A dot is an empty cell.";

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let params = LinearBloomParams::exact(setting.cells, setting.hashes)?;
    let mut filter = LinearBloom::<f64>::with_params(params).with_hash(setting.spec);
    let mut steps = Vec::new();
    for item in setting.items() {
        let needed = || {
            anyhow!("'{}' has no value; write it behind a colon, for example {}:0.3", item.name, item.name)
        };
        let own = item.value.ok_or_else(needed)?;
        let before = cells(&filter);
        filter.insert_hash(item.hash, own)?;
        let (after, positions) = (cells(&filter), setting.positions(item));
        let kept: Vec<u64> =
            positions.iter().copied().filter(|&it| before[it as usize] == after[it as usize]).collect();
        let remark = match setting.numbers(&kept) {
            kept if kept.is_empty() => format!("its cells become {}", value(own)),
            kept if kept.len() == 1 => format!("{} holds as much or more and stays", list(&kept)),
            kept => format!("{} hold as much or more and stay", list(&kept)),
        };
        steps.push(Step {
            heading: format!("insert {} with {} → {}", item.name, value(own), setting.places(item)),
            grid: Grid::new(setting.heads()).row("", changed(&before, &after, &positions)),
            remark,
            verdict: Verdict::None,
        });
    }
    let state = cells(&filter);
    for query in setting.queries(|entry| filter.contains_hash(entry.hash)) {
        let found = filter.value_hash(query.hash);
        let smallest = shown(found);
        let (remark, verdict) = match query.value {
            Some(claimed) => claim(filter.verdict_hash(query.hash, claimed)?, claimed, setting, &query),
            None => answer(setting, &query, found),
        };
        let with = query.value.map(|claimed| format!(" with {}", value(claimed))).unwrap_or_default();
        steps.push(Step {
            heading: format!("is {} there{with}? → {}", query.name, setting.places(&query)),
            grid: Grid::new(setting.heads())
                .row("", looked_at(&state, &setting.positions(&query), |cell| *cell == smallest)),
            remark,
            verdict,
        });
    }
    let used = state.iter().filter(|cell| **cell != EMPTY).count();
    let share = used as f64 / setting.cells as f64;
    Ok(Drawing {
        title: format!(
            "Linear Bloom filter of {}, {} an item",
            plural(setting.cells, "cell", "cells"),
            plural(setting.hashes.into(), "position", "positions")
        ),
        source: setting.example.map(|example| example.source),
        about: ABOUT.into(),
        steps,
        results: vec![format!(
            "{used} of {} cells are not empty: an item that was never inserted gets a value with probability \
             ({used}/{})^{} = {}",
            setting.cells,
            setting.cells,
            setting.hashes,
            percent(share.powi(setting.hashes as i32))
        )],
    })
}

const EMPTY: &str = "·";

fn shown(cell: Option<f64>) -> String {
    cell.map_or_else(|| EMPTY.into(), value)
}

fn cells(filter: &LinearBloom<f64>) -> Vec<String> {
    filter.cells().map(shown).collect()
}

/// The largest value that an item was inserted with.
fn true_value(setting: &Setting, query: &Entry) -> Option<f64> {
    setting.items().filter(|item| item.is(query)).filter_map(|item| item.value).reduce(f64::max)
}

fn answer(setting: &Setting, query: &Entry, found: Option<f64>) -> (String, Verdict) {
    match (found, true_value(setting, query)) {
        (None, _) => ("no, and that is certain: a cell is empty".into(), Verdict::Right),
        (Some(found), Some(truth)) if found == truth => {
            (format!("{} = the smallest, and right", value(found)), Verdict::Right)
        }
        (Some(found), Some(truth)) => (
            format!(
                "{} = the smallest, but it was inserted with {}: others raised its cells",
                value(found),
                value(truth)
            ),
            Verdict::Wrong,
        ),
        (Some(found), None) => (
            format!("{} = the smallest, but it was never inserted: {}", value(found), setting.blame(query)),
            Verdict::Wrong,
        ),
    }
}

fn claim(claim: Claim<f64>, claimed: f64, setting: &Setting, query: &Entry) -> (String, Verdict) {
    let was = setting.items().any(|item| item.is(query) && item.value == Some(claimed));
    let (what, verdict) = match (was, claim.is_refuted()) {
        (false, false) => (", but it was not", Verdict::Wrong),
        _ => ("", Verdict::Right),
    };
    let claimed = value(claimed);
    let remark = match claim {
        Claim::Absent => "no, and that is certain: a cell is empty".into(),
        Claim::Below(found) => {
            format!(
                "no, and that is certain: the smallest is {}, and {claimed} would have raised it",
                value(found)
            )
        }
        Claim::Equal => format!("very likely: the smallest is {claimed} too{what}"),
        Claim::Above(found) => {
            format!("perhaps: the smallest is {}, which others may have raised{what}", value(found))
        }
    };
    (remark, verdict)
}
