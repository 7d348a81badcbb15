//! The characteristic matrix of sets, and what a permutation of its rows makes of it.

use super::drawing::{Cell, Drawing, Grid, Mark, Step};
use super::majority::ROOM;
use super::min_hash::{check_sets, jaccard, truth, values};
use super::setting::{Entry, Setting};
use super::sim_hash::pairs;
use super::words::say;
use anyhow::Result;
use crivo_report::shorten;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    check_sets(setting)?;
    let names: Vec<String> = (1..=setting.lists.len()).map(|set| format!("S{set}")).collect();
    let mut rows: Vec<&Entry> = Vec::new();
    for item in setting.items() {
        if !rows.iter().any(|row| row.is(item)) {
            rows.push(item);
        }
    }
    rows.sort_by(|one, other| one.key.cmp(&other.key));
    let matrix = grid(setting, &names, &rows, |_, _| Mark::Plain);
    let mut steps = vec![Step::new(say!(setting, "matrix"), matrix, say!(setting, "cells"))];
    let mut minima: Vec<Vec<Option<&Entry>>> = Vec::new();
    for function in 0..setting.hashes {
        let mut ordered = Vec::new();
        for &row in &rows {
            ordered.push((values(setting, row)?[function as usize], row));
        }
        ordered.sort_by_key(|(value, row)| (*value, &row.key));
        let ordered: Vec<&Entry> = ordered.into_iter().map(|(_, row)| row).collect();
        let first = |set: &[Entry]| ordered.iter().copied().find(|row| set.iter().any(|item| item.is(row)));
        let first: Vec<Option<&Entry>> = setting.lists.iter().map(|set| first(set)).collect();
        let is_first = |row: &Entry, set: usize| first[set].is_some_and(|it| it.is(row));
        let permuted =
            grid(
                setting,
                &names,
                &ordered,
                |row, set| if is_first(row, set) { Mark::Decides } else { Mark::Plain },
            );
        let found = first
            .iter()
            .map(|it| Cell::new(it.map_or("·".into(), |it| shorten(&it.name, ROOM)), Mark::Changed));
        let permuted = permuted.row(say!(setting, "minimum"), found.collect());
        let order: Vec<&str> = ordered.iter().map(|row| row.name.as_str()).collect();
        let heading = say!(setting, "permutation", number = function + 1, order = order.join(", "));
        steps.push(Step::new(heading, permuted, say!(setting, "first")));
        minima.push(first);
    }
    let mut results = vec![say!(setting, "law")];
    for (one, other) in pairs(names.len()) {
        let (common, union) = jaccard(&setting.lists[one], &setting.lists[other]);
        if union == 0 {
            results.push(say!(setting, "empty", one = names[one], other = names[other]));
            continue;
        }
        let agree = minima.iter().filter(|it| it[one].zip(it[other]).is_some_and(|(a, b)| a.is(b))).count();
        let estimate = say!(
            setting,
            "agree",
            one = names[one],
            other = names[other],
            agree = agree,
            all = setting.hashes,
            estimate = agree as f64 / f64::from(setting.hashes)
        );
        results.push(estimate + &truth(setting, common, union));
    }
    let title = say!(setting, "title", sets = names.len(), functions = setting.hashes);
    Ok(Drawing::new(setting, title, steps, results))
}

/// A row for each item, a column for each set: 1 where the set has the item.
fn grid(setting: &Setting, names: &[String], rows: &[&Entry], mark: impl Fn(&Entry, usize) -> Mark) -> Grid {
    let grid = Grid { corner: say!(setting, "item"), ..Grid::new(names) };
    rows.iter().fold(grid, |grid, row| {
        let has = |set: &Vec<Entry>| u8::from(set.iter().any(|item| item.is(row)));
        let cells =
            setting.lists.iter().enumerate().map(|(place, set)| Cell::new(has(set), mark(row, place)));
        grid.row(&*row.name, cells.collect())
    })
}
