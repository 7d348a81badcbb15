//! Cells whose xor is a fingerprint, found by peeling. The library peels as it goes and keeps no account of it: what is drawn
//! here is its way of doing so, with segments of four cells.

use super::bloom::answer;
use super::drawing::{Cell, Drawing, Grid, Mark, Step};
use super::setting::{Entry, Setting};
use super::words::{Percent, say};
use anyhow::{Result, bail};
use crivo::hash::reduce;

/// The cells of a segment. An item has one cell in each of three segments that follow each other.
pub(super) const SEGMENT: u64 = 4;
/// Each attempt gives every item other cells.
const ATTEMPTS: u64 = 64;
/// Of 8 bits.
const FINGERPRINTS: f64 = 256.0;

/// The three cells of an item and its fingerprint, in one attempt.
struct Place {
    cells: [u64; 3],
    fingerprint: u8,
}

fn place(setting: &Setting, item: &Entry, attempt: u64) -> Place {
    let hash = setting.spec.hash(&(item.hash, attempt));
    let first = reduce(hash, setting.cells / SEGMENT - 2);
    let inside = |shift: u32| hash >> shift & (SEGMENT - 1);
    let cells = [0, 1, 2].map(|segment: u64| (first + segment) * SEGMENT + inside(8 + 4 * segment as u32));
    Place { cells, fingerprint: hash as u8 }
}

/// The items in the order in which they were peeled, each with the cell that is its own.
type Peeled = Vec<(usize, u64)>;

/// Peels until no cell has one item; the items that are left.
fn peel(places: &[Place], cells: u64) -> (Peeled, Vec<usize>) {
    let mut left: Vec<usize> = (0..places.len()).collect();
    let mut peeled = Peeled::new();
    let alone = |left: &[usize]| {
        (0..cells).find_map(|cell| {
            let mut owners = left.iter().filter(|&&item| places[item].cells.contains(&cell));
            let owner = owners.next().copied();
            owner.filter(|_| owners.next().is_none()).map(|item| (item, cell))
        })
    };
    while let Some((item, cell)) = alone(&left) {
        peeled.push((item, cell));
        left.retain(|&it| it != item);
    }
    (peeled, left)
}

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let mut items: Vec<&Entry> = Vec::new();
    for item in setting.items() {
        if !items.iter().any(|it| it.is(item)) {
            items.push(item);
        }
    }
    let mut steps = Vec::new();
    let mut found = None;
    for attempt in 0..ATTEMPTS {
        let places: Vec<Place> = items.iter().map(|item| place(setting, item, attempt)).collect();
        let (peeled, left) = peel(&places, setting.cells);
        if left.is_empty() {
            found = Some((attempt, places, peeled));
            break;
        }
        if attempt == 0 {
            let names: Vec<String> = left.iter().map(|&item| items[item].name.clone()).collect();
            let grid = incidence(setting, &items, &places, &left, None);
            steps.push(Step::new(say!(setting, "stuck"), grid, say!(setting, "core", items = names)));
        }
    }
    let Some((attempt, places, peeled)) = found else {
        bail!("{} items find no place in {} cells; give more --cells", items.len(), setting.cells);
    };
    let mut left: Vec<usize> = (0..items.len()).collect();
    for &(item, cell) in &peeled {
        let grid = incidence(setting, &items, &places, &left, Some((item, cell)));
        let heading = say!(setting, "peel", item = items[item].name, cell = setting.number(cell));
        left.retain(|&it| it != item);
        steps.push(Step::new(heading, grid, say!(setting, "alone", left = left.len())));
    }
    let mut cells = vec![0u8; setting.cells as usize];
    for &(item, own) in peeled.iter().rev() {
        let Place { cells: its, fingerprint } = &places[item];
        let others = its.iter().filter(|&&cell| cell != own).fold(0, |xor, &cell| xor ^ cells[cell as usize]);
        cells[own as usize] = fingerprint ^ others;
        let mark = |cell: u64| match its.contains(&cell) {
            true if cell == own => Mark::Changed,
            true => Mark::Seen,
            false => Mark::Plain,
        };
        let heading = say!(
            setting,
            "assign",
            item = items[item].name,
            fingerprint = format!("{fingerprint:02x}"),
            places = numbers(setting, its)
        );
        let value = format!("{:02x}", cells[own as usize]);
        steps.push(Step::new(
            heading,
            state(setting, &cells, mark),
            say!(setting, "own", cell = setting.number(own), value = value),
        ));
    }
    let xor = |place: &Place| place.cells.iter().fold(0, |xor, &cell| xor ^ cells[cell as usize]);
    let contains = |entry: &Entry| {
        let place = place(setting, entry, attempt);
        xor(&place) == place.fingerprint
    };
    for query in setting.queries(contains) {
        let place = place(setting, &query, attempt);
        let mark = |cell: u64| if place.cells.contains(&cell) { Mark::Decides } else { Mark::Plain };
        let (found, own) = (format!("{:02x}", xor(&place)), format!("{:02x}", place.fingerprint));
        let why: [(&str, &dyn super::words::Value); 2] = [("found", &found), ("own", &own)];
        let (remark, verdict) = answer(setting, contains(&query), setting.is_inside(&query), &why);
        let heading = say!(setting, "query", item = query.name, places = numbers(setting, &place.cells));
        steps.push(Step::new(heading, state(setting, &cells, mark), remark).judged(verdict));
    }
    let rate =
        say!(setting, "rate", rate = Percent(1.0 / FINGERPRINTS), items = items.len(), cells = setting.cells);
    let title = say!(setting, "title", cells = setting.cells);
    Ok(Drawing::new(setting, title, steps, vec![rate, say!(setting, "frozen")]))
}

fn numbers(setting: &Setting, cells: &[u64; 3]) -> String {
    cells.map(|cell| setting.number(cell)).join(", ")
}

/// A row for each item that is left, with its three cells, and the number of items of each cell.
fn incidence(
    setting: &Setting,
    items: &[&Entry],
    places: &[Place],
    left: &[usize],
    peeled: Option<(usize, u64)>,
) -> Grid {
    let mut grid = Grid { group: SEGMENT as usize, ..Grid::new(setting.heads()) };
    for &item in left {
        let cell = |cell: u64| match (places[item].cells.contains(&cell), peeled) {
            (false, _) => Cell::plain(""),
            (true, Some((it, own))) if it == item => {
                Cell::new("×", if cell == own { Mark::Decides } else { Mark::Changed })
            }
            (true, _) => Cell::plain("×"),
        };
        grid = grid.row(&*items[item].name, (0..setting.cells).map(cell).collect());
    }
    let count = |cell: u64| left.iter().filter(|&&item| places[item].cells.contains(&cell)).count();
    grid.row(say!(setting, "count"), (0..setting.cells).map(|cell| Cell::plain(count(cell))).collect())
}

fn state(setting: &Setting, cells: &[u8], mark: impl Fn(u64) -> Mark) -> Grid {
    let cells = (0..).zip(cells).map(|(cell, value)| Cell::new(format!("{value:02x}"), mark(cell))).collect();
    Grid { group: SEGMENT as usize, ..Grid::new(setting.heads()) }.row("", cells)
}
