//! The sides of random planes on which a set lies.

use super::drawing::{Cell, Drawing, Grid, Mark, Step};
use super::min_hash::{check_sets, jaccard};
use super::setting::{Entry, Setting};
use super::words::{Fixed, Percent, Value, say};
use anyhow::Result;
use crivo::SimHash;

/// The directions that the library computes at once; the first are drawn.
const BITS: u32 = 64;
/// The directions of the estimate below the drawing.
const MANY_BITS: u32 = 1024;

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    check_sets(setting)?;
    let names: Vec<String> = ('A'..).take(setting.lists.len()).map(String::from).collect();
    let mut sums = Vec::new();
    let mut steps = Vec::new();
    for (items, name) in setting.lists.iter().zip(&names) {
        let (grid, total) = components(setting, items)?;
        let ones: Vec<Cell> = total.iter().map(|&sum| Cell::new(bit(sum), Mark::Changed)).collect();
        let grid = grid.row(say!(setting, "bit"), ones);
        steps.push(Step::new(say!(setting, "signature", set = name), grid, say!(setting, "signs")));
        sums.push(total);
    }
    let side_by_side = say!(setting, "side-by-side");
    steps.push(Step::new(side_by_side, compare(setting, &names, &sums), say!(setting, "planes")));
    let mut results = Vec::new();
    for (one, other) in pairs(names.len()) {
        results.extend(similarity(setting, (one, other), &names, &sums)?);
    }
    let title = say!(setting, "title", bits = setting.hashes);
    Ok(Drawing::new(setting, title, steps, results))
}

/// All pairs of places below `count`.
pub(super) fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| (one, other)))
}

fn bit(sum: f64) -> u8 {
    u8::from(sum > 0.0)
}

fn sketch<'a>(setting: &Setting, items: impl IntoIterator<Item = &'a Entry>, bits: u32) -> Result<SimHash> {
    let mut sketch = SimHash::for_bits(bits)?.with_hash(setting.spec);
    let mut keys = Vec::new();
    for item in items {
        // A set has each item once.
        if !keys.contains(&&item.key) {
            keys.push(&item.key);
            sketch.add_hash(item.hash, 1.0)?;
        }
    }
    Ok(sketch)
}

/// The components of each item along each direction, and their sums.
fn components(setting: &Setting, items: &[Entry]) -> Result<(Grid, Vec<f64>)> {
    let shown = |sketch: &SimHash| -> Vec<f64> { sketch.sums().take(setting.hashes as usize).collect() };
    let cell = |sum: f64, mark| Cell::new(Fixed(sum, 1).text(setting.words).replace('-', "−"), mark);
    let mut grid = Grid::new((1..=setting.hashes).map(|direction| format!("r{direction}")));
    for item in items {
        let alone = shown(&sketch(setting, [item], BITS)?);
        grid = grid.row(&*item.name, alone.into_iter().map(|sum| cell(sum, Mark::Plain)).collect());
    }
    let total = shown(&sketch(setting, items, BITS)?);
    let sums = total.iter().map(|&sum| cell(sum, Mark::Seen)).collect();
    Ok((grid.row(say!(setting, "sum"), sums), total))
}

/// The bits of all sets, marked where all agree.
fn compare(setting: &Setting, names: &[String], sums: &[Vec<f64>]) -> Grid {
    let heads = (1..=setting.hashes).map(|direction| format!("r{direction}"));
    let mut grid = Grid { corner: say!(setting, "set"), ..Grid::new(heads) };
    for (name, own) in names.iter().zip(sums) {
        let agree = |place: usize| sums.iter().all(|other| bit(other[place]) == bit(own[place]));
        let mark = |place| if agree(place) { Mark::Decides } else { Mark::Plain };
        grid = grid.row(
            name,
            own.iter().enumerate().map(|(place, &sum)| Cell::new(bit(sum), mark(place))).collect(),
        );
    }
    grid
}

/// The estimate of the drawn bits, of many more, and the truth.
fn similarity(
    setting: &Setting,
    (one, other): (usize, usize),
    names: &[String],
    sums: &[Vec<f64>],
) -> Result<Vec<String>> {
    let [first, second] = [one, other].map(|place| &setting.lists[place]);
    let [a, b] = [first, second].map(|items| jaccard(items, items).1);
    if a == 0 || b == 0 {
        return Ok(vec![say!(setting, "direction", one = names[one], other = names[other])]);
    }
    let agree = sums[one].iter().zip(&sums[other]).filter(|(x, y)| bit(**x) == bit(**y)).count();
    let bits = setting.hashes;
    let estimate = say!(
        setting,
        "agree",
        one = names[one],
        other = names[other],
        agree = agree,
        all = bits,
        estimate = agree as f64 / f64::from(bits)
    );
    let common = jaccard(first, second).0;
    let cosine = (common as f64 / ((a * b) as f64).sqrt()).min(1.0);
    let angle = cosine.acos();
    let truth = say!(
        setting,
        "angle",
        common = common,
        a = a,
        b = b,
        cosine = Fixed(cosine, 5),
        angle = Fixed(angle, 4),
        similarity = Fixed(1.0 - angle / std::f64::consts::PI, 6)
    );
    let truth = match setting.example {
        Some(_) => truth + " " + &say!(setting, "printed"),
        None => truth,
    };
    let many = sketch(setting, first, MANY_BITS)?.similarity(&sketch(setting, second, MANY_BITS)?)?;
    let many = say!(
        setting,
        "many",
        bits = MANY_BITS,
        estimate = Fixed(many.value(), 3),
        confidence = Percent(crivo::DEFAULT_CONFIDENCE),
        lower = Fixed(many.lower(), 3),
        upper = Fixed(many.upper(), 3)
    );
    Ok(vec![estimate, truth, many])
}
