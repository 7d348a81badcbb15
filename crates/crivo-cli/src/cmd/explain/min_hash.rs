//! The smallest value of each function, and bands of them.

use super::drawing::{Cell, Drawing, Grid, Mark, Step};
use super::examples::Given;
use super::setting::{Entry, Setting};
use super::words::{Percent, say};
use anyhow::{Result, bail};
use crivo::similarity::{LshParams, Scheme};
use crivo::{LshIndex, MinHash};
use std::collections::BTreeSet;

/// Functions a band.
const ROWS: u32 = 2;
/// Sets, and as many letters.
const MOST_SETS: usize = 12;

/// A set and its signature.
struct Set<'a> {
    name: String,
    items: &'a [Entry],
    /// The values of each item.
    values: Vec<Vec<u32>>,
    signature: Vec<u32>,
}

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    check_sets(setting)?;
    let mut sets = Vec::new();
    for (items, letter) in setting.lists.iter().zip('A'..) {
        let values: Vec<Vec<u32>> = items.iter().map(|item| values(setting, item)).collect::<Result<_>>()?;
        let smallest = |slot: usize| values.iter().map(|values| values[slot]).min().unwrap_or(Scheme::EMPTY);
        let signature = (0..setting.hashes as usize).map(smallest).collect();
        // A set of one item whose values are given is known by its signature alone.
        let name = match items.as_slice() {
            [item] if item.given.is_some() => item.name.clone(),
            _ => letter.to_string(),
        };
        sets.push(Set { name, items, values, signature });
    }
    let is_built = |set: &&Set<'_>| set.items.first().is_some_and(|item| set.name != item.name);
    let mut steps: Vec<Step> = sets.iter().filter(is_built).map(|set| signature_step(setting, set)).collect();
    let mut results = Vec::new();
    let bands = setting.hashes / ROWS;
    let mut index = LshIndex::with_scheme(
        LshParams::exact(bands, ROWS)?,
        Scheme::Functions,
        setting.hashes as usize,
        setting.spec,
    )?;
    // An empty set is like no other.
    for (id, set) in (0..).zip(&sets).filter(|(_, set)| !set.items.is_empty()) {
        index.insert_slots(id, &set.signature)?;
    }
    let mut pairs = Vec::new();
    index.pairs(|one, other| pairs.push([one.min(other) as usize, one.max(other) as usize]));
    pairs.sort_unstable();
    steps.push(bands_step(setting, &sets, &pairs));
    for pair in &pairs {
        let [one, other] = pair.map(|place| &sets[place]);
        results.push(similarity(setting, one, other));
    }
    if let ([one, other], []) = (sets.as_slice(), pairs.as_slice()) {
        results.push(similarity(setting, one, other));
    }
    let params = index.params();
    let mut chances = Vec::new();
    for similarity in [0.2, 0.5, 0.8] {
        let chance = Percent(params.probability(similarity)?);
        chances.push(say!(setting, "chance", chance = chance, similarity = similarity));
    }
    results.push(say!(setting, "bands-law", rows = ROWS, bands = bands, chances = chances));
    let title = say!(setting, "title", functions = setting.hashes, bands = bands);
    Ok(Drawing::new(setting, title, steps, results))
}

/// Kinds that compare sets take at least two.
pub(super) fn check_sets(setting: &Setting) -> Result<()> {
    if setting.lists.len() < 2 || setting.lists.len() > MOST_SETS {
        bail!(
            "{} compares sets; give --items 2 to {MOST_SETS} times, for example --items a,b,c --items b,c,d",
            setting.words.kind
        );
    }
    Ok(())
}

/// The value of an item under each function: those that were given, or the signature of the set of it alone.
pub(super) fn values(setting: &Setting, item: &Entry) -> Result<Vec<u32>> {
    if let Some(Given::Values(values)) = item.given {
        return Ok(values.to_vec());
    }
    let mut alone = MinHash::for_slots(setting.hashes)?.with_hash(setting.spec);
    alone.insert_hash(item.hash);
    Ok(alone.slots().to_vec())
}

/// Values of the library have 32 bits, of which the first few tell them apart well enough.
fn shown(setting: &Setting, value: u32) -> String {
    match setting.example {
        _ if value == Scheme::EMPTY => "·".into(),
        Some(_) => value.to_string(),
        None => (value >> 22).to_string(),
    }
}

fn heads(setting: &Setting) -> Vec<String> {
    (1..=setting.hashes).map(|function| format!("h{function}")).collect()
}

fn signature_step(setting: &Setting, set: &Set<'_>) -> Step {
    let mut grid = Grid::new(heads(setting));
    for (item, values) in set.items.iter().zip(&set.values) {
        let cell = |(value, smallest): (&u32, &u32)| {
            Cell::new(shown(setting, *value), if value == smallest { Mark::Decides } else { Mark::Plain })
        };
        grid = grid.row(&*item.name, values.iter().zip(&set.signature).map(cell).collect());
    }
    let signature =
        set.signature.iter().map(|&value| Cell::new(shown(setting, value), Mark::Changed)).collect();
    let remark = if setting.example.is_some() { String::new() } else { say!(setting, "bits-shown") };
    Step::new(
        say!(setting, "signature", set = set.name),
        grid.row(say!(setting, "smallest"), signature),
        remark,
    )
}

/// Whether two sets agree in all of the band that a slot belongs to.
fn agree_in_band(one: &[u32], other: &[u32], slot: usize) -> bool {
    let band = slot / ROWS as usize * ROWS as usize;
    let band = band..band + ROWS as usize;
    one[band.clone()] == other[band.clone()] && one[band.start] != Scheme::EMPTY
}

fn bands_step(setting: &Setting, sets: &[Set<'_>], pairs: &[[usize; 2]]) -> Step {
    let mut grid = Grid { corner: say!(setting, "set"), group: ROWS as usize, ..Grid::new(heads(setting)) };
    for (place, set) in sets.iter().enumerate() {
        let others = || {
            sets.iter().enumerate().filter(move |(other, _)| *other != place).map(|(_, set)| &set.signature)
        };
        let mark = |slot: usize| match set.signature[slot] {
            Scheme::EMPTY => Mark::Plain,
            _ if others().any(|other| agree_in_band(&set.signature, other, slot)) => Mark::Decides,
            value if others().any(|other| other[slot] == value) => Mark::Seen,
            _ => Mark::Plain,
        };
        let cells = set
            .signature
            .iter()
            .enumerate()
            .map(|(slot, &value)| Cell::new(shown(setting, value), mark(slot)));
        grid = grid.row(&*set.name, cells.collect());
    }
    let found: Vec<String> = pairs
        .iter()
        .map(|&[one, other]| {
            let [one, other] = [&sets[one], &sets[other]];
            let slots = (0..setting.hashes as usize).step_by(ROWS as usize);
            let bands = slots.filter(|&slot| agree_in_band(&one.signature, &other.signature, slot));
            let bands: Vec<String> = bands.map(|slot| (slot / ROWS as usize + 1).to_string()).collect();
            say!(setting, "candidate", one = one.name, other = other.name, n = bands.len(), bands = bands)
        })
        .collect();
    let remark = match found.as_slice() {
        [] => say!(setting, "no-candidates"),
        found => say!(setting, "candidates", pairs = found.join(", ")),
    };
    Step::new(say!(setting, "side-by-side"), grid, remark)
}

/// The estimated similarity of two sets, and the true one.
fn similarity(setting: &Setting, one: &Set<'_>, other: &Set<'_>) -> String {
    let agree =
        one.signature.iter().zip(&other.signature).filter(|(a, b)| a == b && **a != Scheme::EMPTY).count();
    let all = setting.hashes;
    let estimate = say!(
        setting,
        "agree",
        one = one.name,
        other = other.name,
        agree = agree,
        all = all,
        estimate = agree as f64 / f64::from(all)
    );
    if one.name == one.items.first().map(|item| item.name.as_str()).unwrap_or_default() {
        return estimate;
    }
    match jaccard(one.items, other.items) {
        (_, 0) => say!(setting, "empty", one = one.name, other = other.name),
        (common, union) => estimate + &truth(setting, common, union),
    }
}

/// `; the truth is 4/8 = 0.5`
pub(super) fn truth(setting: &Setting, common: usize, union: usize) -> String {
    say!(setting, "truth", common = common, union = union, truth = common as f64 / union as f64)
}

/// How many items two sets have in common, and how many together.
pub(super) fn jaccard(one: &[Entry], other: &[Entry]) -> (usize, usize) {
    let keys = |items: &[Entry]| items.iter().map(|item| item.key.clone()).collect::<BTreeSet<_>>();
    let (one, other) = (keys(one), keys(other));
    (one.intersection(&other).count(), one.union(&other).count())
}
