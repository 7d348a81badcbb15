//! One candidate and its surplus.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::setting::Setting;
use super::words::{Percent, say};
use anyhow::Result;
use crivo::frequency::Majority;
use crivo_report::{Align, shorten};

/// The room for a name in a cell.
pub(super) const ROOM: usize = 12;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut majority = Majority::<String>::new();
    let [mut votes, mut candidates, mut surpluses] = [const { Vec::new() }; 3];
    let mut before = None;
    for item in setting.items() {
        majority.add(&*item.key, item.count);
        let candidate = majority.candidate().cloned();
        let surplus = candidate.as_ref().map_or(0.0, |it| majority.frequency(it.as_str()).lower()) as u64;
        let name = candidate.as_ref().and_then(|key| name_of(setting, key)).unwrap_or("–");
        let mark = if candidate == before { Mark::Plain } else { Mark::Changed };
        votes.push(Cell::plain(shorten(&setting.times(item), ROOM)));
        candidates.push(Cell::new(shorten(name, ROOM), mark));
        surpluses.push(Cell::new(surplus, mark));
        before = candidate;
    }
    let numbers = 1..=votes.len();
    let grid = Grid { corner: say!(setting, "vote"), align: Align::Left, ..Grid::new(numbers) }
        .row(say!(setting, "item"), votes)
        .row(say!(setting, "candidate"), candidates)
        .row(say!(setting, "surplus"), surpluses);
    let total = majority.total();
    let remark = match majority.candidate().and_then(|key| name_of(setting, key)) {
        Some(name) => say!(setting, "left", candidate = name),
        None => say!(setting, "no-candidate"),
    };
    let steps = vec![
        Step::new(say!(setting, "first-pass", total = total), grid, remark),
        second_pass(setting, &majority)?,
    ];
    let mut results = vec![say!(setting, "law")];
    if total > 0 {
        results.push(say!(setting, "space"));
    }
    let title = say!(setting, "title", total = total);
    Ok(Drawing::new(setting, title, steps, results))
}

/// The name under which an item is shown.
pub(super) fn name_of<'a>(setting: &'a Setting, key: &str) -> Option<&'a str> {
    setting.items().find(|item| item.key == key).map(|item| item.name.as_str())
}

/// How often each item came, and whether the candidate has the majority.
fn second_pass(setting: &Setting, majority: &Majority<String>) -> Result<Step> {
    let confirmed = majority.confirm(setting.items().map(|item| (item.key.as_str(), item.count)))?;
    let candidate = majority.candidate();
    let mut counts: Vec<(&str, &str, u64)> = Vec::new();
    for item in setting.items() {
        match counts.iter_mut().find(|(key, ..)| *key == item.key) {
            Some((.., count)) => *count += item.count,
            None => counts.push((&item.key, &item.name, item.count)),
        }
    }
    let mark = |key: &str| if candidate.is_some_and(|it| it == key) { Mark::Decides } else { Mark::Plain };
    let cells = counts.iter().map(|(key, _, count)| Cell::new(count, mark(key))).collect();
    let grid = Grid::new(counts.iter().map(|(_, name, _)| shorten(name, ROOM)))
        .row(say!(setting, "times-seen"), cells);
    let (count, total) = (confirmed.count(), confirmed.total());
    let share = Percent(count as f64 / total.max(1) as f64);
    let name = candidate.and_then(|key| name_of(setting, key)).unwrap_or_default();
    let (remark, verdict) = match candidate {
        None => (say!(setting, "no-majority-found"), Verdict::Right),
        Some(_) if confirmed.is_majority() => (
            say!(setting, "confirmed", candidate = name, count = count, total = total, share = share),
            Verdict::Right,
        ),
        Some(_) => (
            say!(setting, "refuted", candidate = name, count = count, total = total, share = share),
            Verdict::Wrong,
        ),
    };
    Ok(Step::new(say!(setting, "second-pass"), grid, remark).judged(verdict))
}
