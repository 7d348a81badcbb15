//! The k smallest hashes. The library's sketch keeps 16 or more; what is drawn here keeps fewer of the same hashes.

use super::drawing::{Cell, Drawing, Grid, Mark, Step};
use super::min_hash::{jaccard, truth};
use super::setting::{Entry, Setting};
use super::words::{Fixed, Value, say};
use anyhow::Result;
use std::collections::BTreeSet;

/// The smallest hashes of a set, at most k.
type Smallest = BTreeSet<u64>;

#[expect(clippy::unnecessary_wraps, reason = "other kinds can fail")]
pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut steps = Vec::new();
    let mut sets: Vec<(String, Smallest)> = Vec::new();
    let several = setting.lists.len() > 1;
    for (items, letter) in setting.lists.iter().zip('A'..) {
        let mut kept = Smallest::new();
        for item in items {
            let before = kept.clone();
            let was_there = !kept.insert(item.hash);
            cut(setting, &mut kept);
            let remark = match kept.contains(&item.hash) {
                _ if was_there => say!(setting, "repeat"),
                true if before.len() < setting.cells as usize => say!(setting, "room"),
                true => {
                    say!(setting, "replaces", hash = fraction(before.last().copied().unwrap_or_default()))
                }
                false => {
                    say!(setting, "too-large", hash = fraction(kept.last().copied().unwrap_or_default()))
                }
            };
            let name = if several { format!("{letter}: {}", item.name) } else { item.name.clone() };
            let heading =
                say!(setting, "insert", item = name, places = fraction(item.hash).text(setting.words));
            let mark = |hash| match before.contains(&hash) {
                false => Mark::Changed,
                true if hash == item.hash => Mark::Seen,
                true => Mark::Plain,
            };
            steps.push(Step::new(heading, grid(setting, &kept, mark), remark));
        }
        sets.push((letter.to_string(), kept));
    }
    let mut results = Vec::new();
    for ((name, kept), items) in sets.iter().zip(&setting.lists) {
        let label = if several { name.as_str() } else { "" };
        results.push(count(setting, label, kept, jaccard(items, items).1));
    }
    if let [(_, one), (_, other)] = sets.as_slice() {
        let (step, result) = union(setting, one, other);
        steps.push(step);
        results.push(result);
    }
    let title = say!(setting, "title", k = setting.cells);
    Ok(Drawing::new(setting, title, steps, results))
}

fn cut(setting: &Setting, kept: &mut Smallest) {
    while kept.len() > setting.cells as usize {
        kept.pop_last();
    }
}

/// A hash as a number between 0 and 1.
fn fraction(hash: u64) -> Fixed {
    Fixed(hash as f64 / 2f64.powi(64), 3)
}

fn grid(setting: &Setting, kept: &Smallest, mark: impl Fn(u64) -> Mark) -> Grid {
    let cells = kept.iter().map(|&hash| Cell::new(fraction(hash).text(setting.words), mark(hash)));
    let free = std::iter::repeat_n(Cell::plain("·"), (setting.cells as usize).saturating_sub(kept.len()));
    Grid::new(1..=setting.cells).row("", cells.chain(free).collect())
}

/// The estimated number of distinct items.
fn count(setting: &Setting, set: &str, kept: &Smallest, truth: usize) -> String {
    let k = setting.cells;
    let of_set = if set.is_empty() { String::new() } else { say!(setting, "of-set", set = set) };
    match kept.last() {
        Some(&largest) if kept.len() as u64 == k => {
            let share = largest as f64 / 2f64.powi(64);
            let estimate = Fixed((k - 1) as f64 / share, 1);
            say!(
                setting,
                "estimate",
                set = of_set,
                k = k,
                hash = Fixed(share, 3),
                fewer = k - 1,
                estimate = estimate,
                truth = truth
            )
        }
        _ => say!(setting, "exact", set = of_set, kept = kept.len(), k = k, truth = truth),
    }
}

/// The k smallest of both, and which of them both have.
fn union(setting: &Setting, one: &Smallest, other: &Smallest) -> (Step, String) {
    let mut both: Smallest = one.union(other).copied().collect();
    cut(setting, &mut both);
    let is_common = |hash: u64| one.contains(&hash) && other.contains(&hash);
    let common = both.iter().filter(|&&hash| is_common(hash)).count();
    let mark = |hash| if is_common(hash) { Mark::Decides } else { Mark::Seen };
    let remark = say!(setting, "common", common = common, kept = both.len());
    let step = Step::new(say!(setting, "union"), grid(setting, &both, mark), remark);
    let lists: Vec<&[Entry]> = setting.lists.iter().map(Vec::as_slice).collect();
    let (shared, all) = jaccard(lists[0], lists[1]);
    let result = if all == 0 {
        say!(setting, "empty", one = "A", other = "B")
    } else {
        let estimate = common as f64 / both.len() as f64;
        say!(setting, "similarity", common = common, kept = both.len(), estimate = estimate)
            + &truth(setting, shared, all)
    };
    (step, result)
}
