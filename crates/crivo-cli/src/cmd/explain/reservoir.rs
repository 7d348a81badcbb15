//! A fair sample of a stream of unknown length.

use super::drawing::{Cell, Drawing, Grid, Mark, Step};
use super::majority::ROOM;
use super::setting::Setting;
use super::words::{Percent, say};
use anyhow::Result;
use crivo::Reservoir;
use crivo_report::{Align, shorten};

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let k = setting.cells as u32;
    let mut sample = Reservoir::<String>::for_k(k, setting.seed)?;
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = sample.sample().to_vec();
        let passed = sample.skip();
        sample.insert(item.name.clone());
        let after = sample.sample();
        let place = (0..after.len()).find(|&place| before.get(place) != Some(&after[place]));
        let chance = Percent((f64::from(k) / sample.total() as f64).min(1.0));
        let remark = match place {
            _ if before.len() < k as usize => say!(setting, "room"),
            Some(place) => {
                say!(setting, "replaces", old = before[place], chance = chance, skip = sample.skip())
            }
            None if passed == 0 => {
                say!(setting, "itself", item = item.name, chance = chance, skip = sample.skip())
            }
            None => say!(setting, "passed", chance = chance, skip = sample.skip()),
        };
        let mark = |it: usize| if Some(it) == place { Mark::Changed } else { Mark::Plain };
        let kept = after.iter().enumerate().map(|(place, name)| Cell::new(shorten(name, ROOM), mark(place)));
        let free = std::iter::repeat_n(Cell::plain("·"), k as usize - after.len());
        let grid = Grid { align: Align::Left, ..Grid::new(1..=k) }.row("", kept.chain(free).collect());
        let heading = say!(setting, "item", number = sample.total(), item = item.name);
        steps.push(Step::new(heading, grid, remark));
    }
    let probability = Percent(sample.inclusion_probability());
    let mut results = vec![say!(setting, "fair", k = k, total = sample.total(), probability = probability)];
    results.push(say!(setting, "why"));
    results.push(say!(setting, "another"));
    let title = say!(setting, "title", k = k, seed = setting.seed.to_string());
    Ok(Drawing::new(setting, title, steps, results))
}
