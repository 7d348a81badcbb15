//! Bits that every item sets.

use super::drawing::{Drawing, Grid, Step, Verdict, changed, list, looked_at};
use super::setting::{Entry, Setting};
use anyhow::Result;
use crivo::{BloomFilter, BloomParams};
use crivo_report::{number, percent, plural};

const ABOUT: &str = "An insert sets the bits of the item. A query asks whether all its bits are 1: if one is 0 the item was \
                     never inserted, and that is certain; if all are 1 others may have set them.";

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut filter =
        BloomFilter::with_params(BloomParams::exact(setting.cells, setting.hashes)?).with_hash(setting.spec);
    let bits = |filter: &BloomFilter| -> Vec<u32> {
        (0..setting.cells).map(|position| u32::from(filter.bits().get(position))).collect()
    };
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = bits(&filter);
        filter.insert_hash(item.hash);
        let (after, positions) = (bits(&filter), setting.positions(item));
        let cells = changed(&before, &after, &positions);
        let set: Vec<u64> = positions.iter().copied().filter(|&it| before[it as usize] == 1).collect();
        let remark = match setting.numbers(&set) {
            already if already.is_empty() => "its bits were 0 and are 1 now".into(),
            already if set.len() == positions.len() => {
                format!("nothing changes: {} {} 1 already", list(&already), were(&already))
            }
            already => format!("{} {} 1 already, the others are set", list(&already), were(&already)),
        };
        steps.push(Step {
            heading: format!("insert {} → {}", item.name, setting.places(item)),
            grid: Grid::new(setting.heads()).row("", cells),
            remark,
            verdict: Verdict::None,
        });
    }
    let state = bits(&filter);
    steps.extend(questions(setting, &state, |hash| filter.contains_hash(hash)));
    Ok(Drawing {
        title: format!(
            "Bloom filter of {}, {} an item",
            plural(setting.cells, "bit", "bits"),
            plural(setting.hashes.into(), "position", "positions")
        ),
        source: setting.example.map(|example| example.source),
        about: ABOUT.into(),
        steps,
        results: results(
            setting,
            state.iter().filter(|&&bit| bit == 1).count(),
            "bits are 1",
            filter.cardinality().value(),
        ),
    })
}

fn were(numbers: &[String]) -> &'static str {
    if numbers.len() == 1 { "was" } else { "were" }
}

/// What is asked of a filter of bits or counters, which are in this state.
pub(super) fn questions(setting: &Setting, state: &[u32], contains: impl Fn(u64) -> bool) -> Vec<Step> {
    let step = |query: Entry| {
        let cells = looked_at(state, &setting.positions(&query), |&cell| cell == 0);
        let (remark, verdict) = answer(setting, &query, contains(query.hash), state);
        Step {
            heading: format!("is {} there? → {}", query.name, setting.places(&query)),
            grid: Grid::new(setting.heads()).row("", cells),
            remark,
            verdict,
        }
    };
    setting.queries(|entry| contains(entry.hash)).into_iter().map(step).collect()
}

/// The answer, and why.
fn answer(setting: &Setting, query: &Entry, yes: bool, state: &[u32]) -> (String, Verdict) {
    let zeros: Vec<u64> =
        setting.positions(query).into_iter().filter(|&it| state[it as usize] == 0).collect();
    let numbers = setting.numbers(&zeros);
    match (yes, setting.is_inside(query)) {
        (true, true) => ("yes, and rightly so: none of its cells is 0".into(), Verdict::Right),
        (true, false) => {
            let remark = format!(
                "yes, but wrongly: a false positive. Others filled its cells: {}",
                setting.blame(query)
            );
            (remark, Verdict::Wrong)
        }
        (false, false) => {
            let are = if numbers.len() == 1 { "is" } else { "are" };
            (format!("no, and that is certain: {} {are} 0", list(&numbers)), Verdict::Right)
        }
        (false, true) => {
            ("no, but wrongly: the removal of another took its cells away".into(), Verdict::Wrong)
        }
    }
}

/// What follows from how many cells are in use; `what` says so of them.
pub(super) fn results(setting: &Setting, used: usize, what: &str, items: f64) -> Vec<String> {
    let (cells, hashes) = (setting.cells, setting.hashes);
    let rate = (used as f64 / cells as f64).powi(hashes as i32);
    let rate = format!(
        "{used} of {cells} {what}: an item that is not inside is taken for one that is with probability \
         ({used}/{cells})^{hashes} = {}",
        percent(rate)
    );
    let count = if items.is_finite() {
        format!(
            "so many {what} after about {} different items; there are {}",
            number(items),
            setting.different()
        )
    } else {
        "with all cells in use nobody can tell how many items are inside".into()
    };
    vec![rate, count]
}
