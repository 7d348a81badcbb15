//! Bits that every item sets.

use super::drawing::{Drawing, Grid, Step, Verdict, changed, looked_at};
use super::setting::{Entry, Setting};
use super::words::{Percent, Value, say};
use anyhow::Result;
use crivo::{BloomFilter, BloomParams};

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
        let positions = setting.positions(item);
        let cells = changed(&before, &bits(&filter), &positions);
        let set: Vec<u64> = positions.iter().copied().filter(|&it| before[it as usize] == 1).collect();
        let already = setting.numbers(&set);
        let remark = match set.len() {
            0 => say!(setting, "new"),
            some if some == positions.len() => say!(setting, "all-set", n = already.len(), cells = already),
            _ => say!(setting, "some-set", n = already.len(), cells = already),
        };
        let heading = say!(setting, "insert", item = item.name, places = setting.places(item));
        steps.push(Step::new(heading, Grid::new(setting.heads()).row("", cells), remark));
    }
    let state = bits(&filter);
    steps.extend(questions(setting, &state, |hash| filter.contains_hash(hash)));
    let title = say!(setting, "title", cells = setting.cells, hashes = setting.hashes);
    let results = results(setting, &state, filter.cardinality().value());
    Ok(Drawing::new(setting, title, steps, results))
}

/// What is asked of a filter of bits or counters, which are in this state.
pub(super) fn questions(setting: &Setting, state: &[u32], contains: impl Fn(u64) -> bool) -> Vec<Step> {
    let step = |query: Entry| {
        let positions = setting.positions(&query);
        let cells = looked_at(state, &positions, |&cell| cell == 0);
        let zeros: Vec<u64> = positions.into_iter().filter(|&it| state[it as usize] == 0).collect();
        let zeros = setting.numbers(&zeros);
        let why: [(&str, &dyn Value); 3] =
            [("blame", &setting.blame(&query)), ("n", &zeros.len()), ("cells", &zeros)];
        let (remark, verdict) = answer(setting, contains(query.hash), setting.is_inside(&query), &why);
        let heading = say!(setting, "query", item = query.name, places = setting.places(&query));
        Step::new(heading, Grid::new(setting.heads()).row("", cells), remark).judged(verdict)
    };
    setting.queries(|entry| contains(entry.hash)).into_iter().map(step).collect()
}

/// What a filter answers about an item, whether that is right, and why, which the sentences of its kind tell.
pub(super) fn answer(
    setting: &Setting,
    yes: bool,
    is_inside: bool,
    why: &[(&str, &dyn Value)],
) -> (String, Verdict) {
    let key = match (yes, is_inside) {
        (true, true) => "yes-right",
        (true, false) => "yes-wrong",
        (false, false) => "no-right",
        (false, true) => "no-wrong",
    };
    (setting.say(key, why), Verdict::of(yes == is_inside))
}

/// What follows from the number of cells in use.
pub(super) fn results(setting: &Setting, state: &[u32], items: f64) -> Vec<String> {
    let (cells, hashes) = (setting.cells, setting.hashes);
    let used = state.iter().filter(|&&cell| cell > 0).count();
    let rate = Percent((used as f64 / cells as f64).powi(hashes as i32));
    let rate = say!(setting, "rate", used = used, cells = cells, hashes = hashes, rate = rate);
    let count = if items.is_finite() {
        say!(setting, "cardinality", items = items, truth = setting.distinct())
    } else {
        say!(setting, "saturated")
    };
    vec![rate, count]
}
