//! Labels of the vertices of a tree: two of them tell whether there is an edge.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::setting::{Entry, Setting};
use super::sim_hash::pairs;
use super::words::{Percent, say};
use anyhow::{Result, bail};
use crivo::graph::{Edge, LabelParams, LabelScheme, TreeLabels, tree_sets};

/// The bits of a slot.
const SLOT_BITS: u32 = 8;
const MOST_VERTICES: usize = 40;

/// A tree, its vertices by name.
struct Tree {
    names: Vec<String>,
    edges: Vec<Edge>,
}

impl Tree {
    fn of(setting: &Setting) -> Result<Self> {
        let mut tree = Self { names: Vec::new(), edges: Vec::new() };
        for item in setting.items() {
            let [one, other] = ends(item)?;
            let one = tree.number(one);
            let other = tree.number(other);
            if !tree.has_edge(one, other) {
                tree.edges.push((one, other));
            }
        }
        if tree.names.len() > MOST_VERTICES {
            bail!("{} vertices are too many to draw; give at most {MOST_VERTICES}", tree.names.len());
        }
        Ok(tree)
    }

    fn number(&mut self, name: &str) -> u32 {
        let place = self.names.iter().position(|it| it == name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.names.len() - 1
        });
        place as u32
    }

    fn find(&self, name: &str) -> Result<u32> {
        match self.names.iter().position(|it| it == name) {
            Some(place) => Ok(place as u32),
            None => bail!("'{name}' is no vertex of the tree; its vertices are {}", self.names.join(", ")),
        }
    }

    fn has_edge(&self, one: u32, other: u32) -> bool {
        self.edges.iter().any(|&edge| edge == (one, other) || edge == (other, one))
    }
}

/// The ends of an edge as it was written: `a-b`.
fn ends(entry: &Entry) -> Result<[&str; 2]> {
    match entry.name.split_once('-').map(|(one, other)| (one.trim(), other.trim())) {
        Some((one, other)) if !one.is_empty() && !other.is_empty() => Ok([one, other]),
        _ => bail!("'{}': expected an edge, two vertices with a hyphen between, for example a-b", entry.name),
    }
}

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let tree = Tree::of(setting)?;
    let slots = setting.cells as u32;
    let threshold = (5 * slots).div_ceil(12);
    let params = LabelParams::exact(LabelScheme::MinHash, slots, SLOT_BITS, threshold)?;
    let vertices = tree.names.len() as u32;
    let labels = TreeLabels::freeze(vertices, &tree.edges, params, setting.spec)?;
    let sets = numbered(&tree_sets(vertices, &tree.edges, setting.spec)?);
    let mut steps = vec![sets_step(setting, &tree, &sets)];
    let values: Vec<Vec<u8>> = (0..vertices)
        .map(|vertex| {
            let bytes = labels.label(vertex)?.iter().flat_map(|word| word.to_le_bytes());
            Ok(bytes.take(slots as usize).collect())
        })
        .collect::<Result<_>>()?;
    let rows = |rows: &[u32], mark: &dyn Fn(usize) -> Mark| {
        let grid = Grid { corner: say!(setting, "vertex"), ..Grid::new(1..=slots) };
        rows.iter().fold(grid, |grid, &vertex| {
            let cell = |(slot, value): (usize, &u8)| Cell::new(format!("{value:02x}"), mark(slot));
            let cells = values[vertex as usize].iter().enumerate().map(cell).collect();
            grid.row(&*tree.names[vertex as usize], cells)
        })
    };
    let all: Vec<u32> = (0..vertices).collect();
    let bits = labels.bits_per_vertex();
    steps.push(Step::new(
        say!(setting, "labels"),
        rows(&all, &|_| Mark::Plain),
        say!(setting, "label", bits = bits),
    ));
    for [one, other] in queries(setting, &tree, &labels)? {
        let equal = |slot: usize| values[one as usize][slot] == values[other as usize][slot];
        let agree = (0..slots as usize).filter(|&slot| equal(slot)).count();
        let (yes, truth) = (labels.has_edge(one, other)?, tree.has_edge(one, other));
        let key = match (yes, truth) {
            (true, true) => "yes-right",
            (true, false) => "yes-wrong",
            (false, false) => "no-right",
            (false, true) => "no-wrong",
        };
        let (common, union) = overlap(&sets[one as usize], &sets[other as usize]);
        let remark = setting.say(
            key,
            &[
                ("agree", &agree),
                ("slots", &slots),
                ("threshold", &threshold),
                ("common", &common),
                ("union", &union),
            ],
        );
        let [one_name, other_name] = [one, other].map(|vertex| &tree.names[vertex as usize]);
        let heading = say!(setting, "edge", one = one_name, other = other_name);
        let grid = rows(&[one, other], &|slot| if equal(slot) { Mark::Decides } else { Mark::Plain });
        steps.push(Step::new(heading, grid, remark).judged(Verdict::of(yes == truth)));
    }
    let rates = say!(
        setting,
        "rates",
        threshold = threshold,
        slots = slots,
        fpr = Percent(labels.fpr()),
        fnr = Percent(labels.fnr())
    );
    let title = say!(setting, "title", slots = slots);
    Ok(Drawing::new(setting, title, steps, vec![rates, say!(setting, "space", bits = bits)]))
}

/// The elements of all sets, numbered from 1 in the order in which they first appear.
fn numbered(sets: &[Vec<u64>]) -> Vec<Vec<usize>> {
    let mut seen: Vec<u64> = Vec::new();
    let mut number = |element: &u64| {
        let place = seen.iter().position(|it| it == element).unwrap_or(seen.len());
        if place == seen.len() {
            seen.push(*element);
        }
        place + 1
    };
    sets.iter().map(|set| set.iter().map(&mut number).collect()).collect()
}

/// How many elements two sets have in common, and how many together.
fn overlap(one: &[usize], other: &[usize]) -> (usize, usize) {
    let common = one.iter().filter(|element| other.contains(element)).count();
    (common, one.len() + other.len() - common)
}

fn sets_step(setting: &Setting, tree: &Tree, sets: &[Vec<usize>]) -> Step {
    let widest = sets.iter().map(Vec::len).max().unwrap_or(0);
    let grid = Grid { corner: say!(setting, "vertex"), ..Grid::new(vec![""; widest]) };
    let grid = tree.names.iter().zip(sets).fold(grid, |grid, (name, set)| {
        let mut cells: Vec<Cell> = set.iter().map(Cell::plain).collect();
        cells.resize(widest, Cell::plain(""));
        grid.row(name, cells)
    });
    Step::new(say!(setting, "sets"), grid, say!(setting, "set-law"))
}

/// What is asked: the user's pairs; or the first edge, the first pair without one, and the first wrong answer.
fn queries(setting: &Setting, tree: &Tree, labels: &TreeLabels) -> Result<Vec<[u32; 2]>> {
    if !setting.asked().is_empty() {
        let pair = |query: &Entry| {
            let [one, other] = ends(query)?;
            Ok([tree.find(one)?, tree.find(other)?])
        };
        return setting.asked().iter().map(pair).collect();
    }
    let mut found: [Option<[u32; 2]>; 3] = [None; 3];
    for (one, other) in pairs(tree.names.len()) {
        let pair = [one as u32, other as u32];
        let truth = tree.has_edge(pair[0], pair[1]);
        let is_right = labels.has_edge(pair[0], pair[1])? == truth;
        let place = if is_right { usize::from(!truth) } else { 2 };
        found[place] = found[place].or(Some(pair));
    }
    Ok(found.into_iter().flatten().collect())
}
