//! A few counters for the most frequent items: Misra–Gries and Space-Saving.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::majority::{ROOM, name_of};
use super::setting::{Entry, Setting};
use super::words::say;
use anyhow::Result;
use crivo::{Estimate, MisraGries, SpaceSaving};
use crivo_report::{Align, shorten};

/// The key of an item, and between which counts the truth lies.
type Bounded = (String, [u64; 2]);
/// A counter may be free.
type Counter = Option<Bounded>;

/// What is drawn of the two sketches.
trait Sketch {
    fn add(&mut self, key: &str, count: u64);
    /// The items with counters.
    fn counters(&self) -> Vec<(String, Estimate)>;
    fn frequency(&self, key: &str) -> Estimate;
    /// What an item without a counter can have had at most.
    fn floor(&self) -> u64;
}

macro_rules! sketch {
    ($type:ident) => {
        impl Sketch for $type<String> {
            fn add(&mut self, key: &str, count: u64) {
                $type::add(self, key, count);
            }

            fn counters(&self) -> Vec<(String, Estimate)> {
                self.top(self.len()).into_iter().map(|it| (it.item().clone(), it.count())).collect()
            }

            fn frequency(&self, key: &str) -> Estimate {
                $type::frequency(self, key)
            }

            fn floor(&self) -> u64 {
                $type::floor(self)
            }
        }
    };
}
sketch!(MisraGries);
sketch!(SpaceSaving);

pub(super) fn misra_gries(setting: &Setting) -> Result<Drawing> {
    let sketch = MisraGries::for_counters(setting.cells as u32)?.with_hash(setting.spec);
    Ok(draw(setting, sketch, |[_, upper], floor| upper - floor))
}

pub(super) fn space_saving(setting: &Setting) -> Result<Drawing> {
    let sketch = SpaceSaving::for_counters(setting.cells as u32)?.with_hash(setting.spec);
    Ok(draw(setting, sketch, |[_, upper], _| upper))
}

/// What a counter shows, of the bounds of its count and the floor.
type Counted = fn([u64; 2], u64) -> u64;

fn draw(setting: &Setting, mut sketch: impl Sketch, counted: Counted) -> Drawing {
    let mut steps = Vec::new();
    let mut slots: Vec<Counter> = vec![None; setting.cells as usize];
    for item in setting.items() {
        let (before, floor) = (slots.clone(), sketch.floor());
        sketch.add(&item.key, item.count);
        update(&mut slots, &sketch);
        let holds = |slots: &[Counter]| slots.iter().flatten().any(|(key, _)| *key == item.key);
        let gone: Vec<String> = before
            .iter()
            .flatten()
            .filter(|(key, _)| !slots.iter().flatten().any(|(it, _)| it == key))
            .filter_map(|(key, _)| name_of(setting, key).map(String::from))
            .collect();
        let lost = sketch.floor() - floor;
        let remark = match holds(&before) {
            true => say!(setting, "counted"),
            false if lost == 0 && gone.is_empty() => say!(setting, "free"),
            false if gone.is_empty() => say!(setting, "lowered", lost = lost),
            false => {
                say!(setting, "dropped", lost = lost, floor = sketch.floor(), n = gone.len(), gone = gone)
            }
        };
        let heading = say!(setting, "add", item = setting.times(item));
        let shown = |counter: &Counter, floor: u64| {
            counter.as_ref().map(|(key, bounds)| (key.clone(), counted(*bounds, floor)))
        };
        let mark = |place: usize| {
            let is_same = shown(&before[place], floor) == shown(&slots[place], sketch.floor());
            if is_same { Mark::Plain } else { Mark::Changed }
        };
        let grid = grid(setting, &slots, |bounds| counted(bounds, sketch.floor()), mark);
        steps.push(Step::new(heading, grid, remark));
    }
    for query in queries(setting) {
        let answer = sketch.frequency(&query.key);
        let (lower, upper) = (answer.lower() as u64, answer.upper() as u64);
        let truth = setting.times_inside(&query);
        let has_counter = slots.iter().flatten().any(|(key, _)| *key == query.key);
        let is_right = lower == truth && upper == truth;
        let remark = match (is_right, has_counter) {
            (true, _) => say!(setting, "exact", answer = truth),
            (false, true) => say!(setting, "between", lower = lower, upper = upper, truth = truth),
            (false, false) => say!(setting, "lost", truth = truth, upper = upper),
        };
        let is_its = |place: usize| slots[place].as_ref().is_some_and(|(key, _)| *key == query.key);
        let mark = |place: usize| if is_its(place) { Mark::Decides } else { Mark::Plain };
        let heading = say!(setting, "ask", item = query.name);
        let grid = grid(setting, &slots, |bounds| counted(bounds, sketch.floor()), mark);
        let step = Step::new(heading, grid, remark);
        steps.push(step.judged(Verdict::of(is_right)));
    }
    let total: u64 = setting.items().map(|item| item.count).sum();
    let floor = say!(setting, "floor", total = total, k = setting.cells, floor = sketch.floor());
    let title = say!(setting, "title", k = setting.cells);
    Drawing::new(setting, title, steps, vec![floor, say!(setting, "use")])
}

/// What is asked without a wish: the first item and the last.
fn queries(setting: &Setting) -> Vec<Entry> {
    if !setting.asked().is_empty() {
        return setting.asked().to_vec();
    }
    let first = setting.items().next();
    let last = setting.items().last().filter(|last| first.is_some_and(|first| !first.is(last)));
    first.into_iter().chain(last).cloned().collect()
}

/// Items keep their places; new ones take those that are free.
fn update(slots: &mut [Counter], sketch: &impl Sketch) {
    let counters = sketch.counters();
    let bounds = |it: &Estimate| [it.lower() as u64, it.upper() as u64];
    for slot in slots.iter_mut() {
        let found = slot.as_ref().and_then(|(key, _)| counters.iter().find(|(it, _)| it == key));
        *slot = found.map(|(key, count)| (key.clone(), bounds(count)));
    }
    for (key, count) in &counters {
        if !slots.iter().flatten().any(|(it, _)| it == key)
            && let Some(free) = slots.iter_mut().find(|slot| slot.is_none())
        {
            *free = Some((key.clone(), bounds(count)));
        }
    }
}

/// The items, their counters, and by how much these may be too large.
fn grid(
    setting: &Setting,
    slots: &[Counter],
    counted: impl Fn([u64; 2]) -> u64,
    mark: impl Fn(usize) -> Mark,
) -> Grid {
    let row = |text: &dyn Fn(&Bounded) -> String| -> Vec<Cell> {
        let cell =
            |(place, slot): (usize, &Counter)| Cell::new(slot.as_ref().map_or("·".into(), text), mark(place));
        slots.iter().enumerate().map(cell).collect()
    };
    let names = row(&|(key, _)| shorten(name_of(setting, key).unwrap_or_default(), ROOM));
    let counts = row(&|(_, bounds)| counted(*bounds).to_string());
    let errors = row(&|(_, [lower, upper])| (upper - lower).to_string());
    Grid { align: Align::Left, ..Grid::new(1..=slots.len()) }
        .row(say!(setting, "item"), names)
        .row(say!(setting, "count"), counts)
        .row(say!(setting, "error"), errors)
}
