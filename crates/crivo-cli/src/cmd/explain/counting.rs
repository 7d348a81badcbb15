//! Counters instead of bits.

use super::bloom::{questions, results};
use super::drawing::{Drawing, Grid, Step, Verdict, changed, list};
use super::setting::{Entry, Setting};
use anyhow::Result;
use crivo::CountingBloom;
use crivo::membership::CountingParams;
use crivo_report::plural;

const ABOUT: &str = "An insert adds 1 to the counters of the item, a removal takes 1 away. A query asks whether none of them \
                     is 0. Only what was inserted may be removed. A counter at its end stays there for ever.";

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let params = CountingParams::exact(setting.cells, setting.hashes)?;
    let mut filter = CountingBloom::with_params(params).with_hash(setting.spec);
    let most = (1 << params.counter_bits()) - 1;
    let counters = |filter: &CountingBloom| -> Vec<u32> { filter.counters().iter().collect() };
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = counters(&filter);
        // A counter at its end does not move any more.
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
        if let Some(error) = refused {
            step.remark = format!("refused: {error}");
        }
        steps.push(step);
    }
    let state = counters(&filter);
    steps.extend(questions(setting, &state, |hash| filter.contains_hash(hash)));
    let used = state.iter().filter(|&&counter| counter > 0).count();
    let mut results = results(setting, used, "counters are above 0", filter.to_bloom().cardinality().value());
    results.push(format!(
        "counters of {} bits end at {most}: four times the memory of bits, for items that can leave",
        params.counter_bits()
    ));
    Ok(Drawing {
        title: format!(
            "Counting Bloom filter of {}, {} an item",
            plural(setting.cells, "counter", "counters"),
            plural(setting.hashes.into(), "position", "positions")
        ),
        source: setting.example.map(|example| example.source),
        about: ABOUT.into(),
        steps,
        results,
    })
}

fn step(setting: &Setting, verb: &str, item: &Entry, before: &[u32], after: &[u32], most: u64) -> Step {
    let positions = setting.positions(item);
    let above_0 = |counters: &[u32]| -> String {
        let used: Vec<u64> = positions.iter().copied().filter(|&it| counters[it as usize] > 0).collect();
        list(&setting.numbers(&used))
    };
    let is_at_end = positions.iter().any(|&it| u64::from(after[it as usize]) == most);
    let was_inserted = setting.items().any(|other| other.is(item));
    let remark = match verb {
        _ if is_at_end => format!("a counter at {most} is at its end, and stays there"),
        "insert" if above_0(before).is_empty() => "its counters were 0".into(),
        "insert" => format!("others count in {} already", above_0(before)),
        _ if !was_inserted => "it was never inserted, only looks as if: others lose what they counted".into(),
        _ if above_0(after).is_empty() => "its counters are 0 again".into(),
        _ => format!("others still count in {}", above_0(after)),
    };
    let times = if item.count > 1 { format!("{} × ", item.count) } else { String::new() };
    Step {
        heading: format!("{verb} {times}{} → {}", item.name, setting.places(item)),
        grid: Grid::new(setting.heads()).row("", changed(before, after, &positions)),
        remark,
        verdict: Verdict::None,
    }
}
