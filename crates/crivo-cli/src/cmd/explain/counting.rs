//! Counters instead of bits.

use super::bloom::{questions, results};
use super::drawing::{Drawing, Grid, Step, changed};
use super::setting::{Entry, Setting};
use super::words::say;
use anyhow::Result;
use crivo::CountingBloom;
use crivo::membership::CountingParams;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let params = CountingParams::exact(setting.cells, setting.hashes)?;
    let mut filter = CountingBloom::with_params(params).with_hash(setting.spec);
    let most = (1 << params.counter_bits()) - 1;
    let counters = |filter: &CountingBloom| -> Vec<u32> { filter.counters().iter().collect() };
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = counters(&filter);
        // A saturated counter does not move any more.
        for _ in 0..item.count.min(most) {
            filter.insert_hash(item.hash);
        }
        steps.push(step(setting, "insert", item, &before, &counters(&filter), most));
    }
    for item in &setting.removed {
        let before = counters(&filter);
        let mut refused = None;
        for _ in 0..item.count.min(most) {
            refused = refused.or(filter.remove_hash(item.hash).err());
        }
        let mut step = step(setting, "remove", item, &before, &counters(&filter), most);
        if refused.is_some() {
            step.remark = say!(setting, "refused");
        }
        steps.push(step);
    }
    let state = counters(&filter);
    steps.extend(questions(setting, &state, |hash| filter.contains_hash(hash)));
    let mut results = results(setting, &state, filter.to_bloom().cardinality().value());
    results.push(say!(setting, "memory", bits = params.counter_bits(), most = most));
    let title = say!(setting, "title", cells = setting.cells, hashes = setting.hashes);
    Ok(Drawing::new(setting, title, steps, results))
}

fn step(setting: &Setting, verb: &str, item: &Entry, before: &[u32], after: &[u32], most: u64) -> Step {
    let positions = setting.positions(item);
    let above_0 = |counters: &[u32]| {
        let used: Vec<u64> = positions.iter().copied().filter(|&it| counters[it as usize] > 0).collect();
        setting.numbers(&used)
    };
    let (old, new) = (above_0(before), above_0(after));
    let is_at_end = positions.iter().any(|&it| u64::from(after[it as usize]) == most);
    let was_inserted = setting.items().any(|other| other.is(item));
    let remark = match verb {
        _ if is_at_end => say!(setting, "at-end", most = most),
        "insert" if old.is_empty() => say!(setting, "new"),
        "insert" => say!(setting, "shared", cells = old),
        _ if !was_inserted => say!(setting, "stranger"),
        _ if new.is_empty() => say!(setting, "gone"),
        _ => say!(setting, "still", cells = new),
    };
    let heading = setting.say(verb, &[("item", &setting.times(item)), ("places", &setting.places(item))]);
    Step::new(heading, Grid::new(setting.heads()).row("", changed(before, after, &positions)), remark)
}
