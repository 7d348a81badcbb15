//! Remainders in sorted runs. The library keeps its slots to itself, but their layout follows from the fingerprints inside.

use super::bloom::answer;
use super::drawing::{Cell, Drawing, Grid, Mark, Step};
use super::setting::{Entry, Setting};
use super::words::{Percent, Value, say};
use anyhow::{Result, bail};
use crivo::QuotientFilter;
use crivo::hash::reduce;
use crivo::membership::QuotientParams;

/// With more, runs could reach the end of the library's 64 slots and go on at the first.
const MOST_ITEMS: usize = 30;

/// A fingerprint in its slot. The name is there for the reader: the filter has forgotten it.
#[derive(Clone, PartialEq)]
struct Held {
    quotient: u64,
    remainder: u64,
    name: String,
}

/// The quotient and the remainder of a hash.
pub(super) fn pair(setting: &Setting, hash: u64) -> (u64, u64) {
    let bits = setting.hashes;
    let fingerprint = reduce(hash, setting.cells << bits);
    (fingerprint >> bits, fingerprint & ((1 << bits) - 1))
}

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    if setting.items().count() > MOST_ITEMS {
        bail!("quotient is drawn with at most {MOST_ITEMS} items; give fewer");
    }
    let mut filter = QuotientFilter::with_params(QuotientParams::exact(setting.cells, setting.hashes)?)
        .with_hash(setting.spec);
    let mut held: Vec<Held> = Vec::new();
    let mut steps = Vec::new();
    for item in setting.items() {
        let before = slots(setting, &held);
        filter.insert_hash(item.hash)?;
        let (quotient, remainder) = pair(setting, item.hash);
        held.push(Held { quotient, remainder, name: item.name.clone() });
        held.sort_by_key(|it| (it.quotient, it.remainder));
        let after = slots(setting, &held);
        let moved = after.iter().zip(&before).filter(|(new, old)| old.is_some() && new != old).count();
        let slot = after.iter().position(|it| {
            it.as_ref()
                .is_some_and(|it| (it.quotient, it.remainder, &it.name) == (quotient, remainder, &item.name))
        });
        let own = quotient.to_string();
        let slot = slot.map(|it| it.to_string()).unwrap_or_default();
        let remark = match moved {
            0 if slot == own => say!(setting, "home", slot = own),
            0 => say!(setting, "shifted", slot = slot, home = own),
            _ => say!(setting, "moves", slot = slot, n = moved),
        };
        let heading = say!(setting, "insert", item = item.name, places = places(setting, item));
        steps.push(Step::new(heading, grid(setting, &held, Some(&before), None), remark));
    }
    for item in &setting.removed {
        let before = slots(setting, &held);
        let (quotient, remainder) = pair(setting, item.hash);
        let place = held.iter().position(|it| (it.quotient, it.remainder) == (quotient, remainder));
        let is_refused = filter.remove_hash(item.hash).is_err();
        if let Some(place) = place {
            held.remove(place);
        }
        let remark = match () {
            () if is_refused => say!(setting, "refused"),
            () if setting.items().any(|it| it.is(item)) => say!(setting, "leaves"),
            () => say!(setting, "stranger"),
        };
        let heading = say!(setting, "remove", item = item.name, places = places(setting, item));
        steps.push(Step::new(heading, grid(setting, &held, Some(&before), None), remark));
    }
    for query in setting.queries(|entry| filter.contains_hash(entry.hash)) {
        let (quotient, remainder) = pair(setting, query.hash);
        let same = held.iter().find(|it| (it.quotient, it.remainder) == (quotient, remainder));
        let blame = same.map(|it| it.name.clone()).unwrap_or_default();
        let why: [(&str, &dyn Value); 2] = [("blame", &blame), ("quotient", &quotient.to_string())];
        let is_inside = setting.is_inside(&query);
        let (remark, verdict) = answer(setting, filter.contains_hash(query.hash), is_inside, &why);
        let heading = say!(setting, "query", item = query.name, places = places(setting, &query));
        steps.push(
            Step::new(heading, grid(setting, &held, None, Some((quotient, remainder))), remark)
                .judged(verdict),
        );
    }
    let fingerprints = setting.cells << setting.hashes;
    let rate = say!(
        setting,
        "rate",
        held = held.len(),
        fingerprints = fingerprints,
        cells = setting.cells,
        bits = setting.hashes,
        rate = Percent(filter.fpr().value())
    );
    let title = say!(setting, "title", cells = setting.cells, bits = setting.hashes);
    Ok(Drawing::new(setting, title, steps, vec![rate, say!(setting, "gains")]))
}

/// `quotient 3, remainder 1011`
fn places(setting: &Setting, item: &Entry) -> String {
    let (quotient, remainder) = pair(setting, item.hash);
    let remainder = binary(setting, remainder);
    say!(setting, "places", quotient = quotient.to_string(), remainder = remainder)
}

fn binary(setting: &Setting, remainder: u64) -> String {
    format!("{remainder:0width$b}", width = setting.hashes as usize)
}

/// Each fingerprint in the slot of its quotient, or in the next that is free. They are in order.
fn slots(setting: &Setting, held: &[Held]) -> Vec<Option<Held>> {
    let mut slots = vec![None; setting.cells as usize];
    let mut free = 0;
    for it in held {
        let slot = free.max(it.quotient as usize);
        slots.resize(slots.len().max(slot + 1), None);
        slots[slot] = Some(it.clone());
        free = slot + 1;
    }
    slots
}

/// Remainders, the bits of the slots, and the names that the filter does not know.
fn grid(
    setting: &Setting,
    held: &[Held],
    before: Option<&[Option<Held>]>,
    asked: Option<(u64, u64)>,
) -> Grid {
    let slots = slots(setting, held);
    let mark = |slot: usize| match (&slots[slot], before, asked) {
        (it, Some(before), _) if before.get(slot).unwrap_or(&None) != it => Mark::Changed,
        (Some(it), _, Some(asked)) if (it.quotient, it.remainder) == asked => Mark::Decides,
        (Some(it), _, Some((quotient, _))) if it.quotient == quotient => Mark::Seen,
        _ => Mark::Plain,
    };
    let row =
        |text: &dyn Fn(usize) -> String| (0..slots.len()).map(|it| Cell::new(text(it), mark(it))).collect();
    let plain = |text: &dyn Fn(usize) -> String| (0..slots.len()).map(|it| Cell::plain(text(it))).collect();
    let is_occupied = |slot: usize| held.iter().any(|it| it.quotient == slot as u64);
    let is_end = |slot: usize| {
        let quotient = |slot: usize| slots.get(slot).and_then(Option::as_ref).map(|it| it.quotient);
        quotient(slot).is_some() && quotient(slot) != quotient(slot + 1)
    };
    let bit = |is_set: bool| u8::from(is_set).to_string();
    Grid { corner: say!(setting, "slot"), ..Grid::new(0..slots.len()) }
        .row(say!(setting, "occupied"), plain(&|slot| bit(is_occupied(slot))))
        .row(say!(setting, "runend"), plain(&|slot| bit(is_end(slot))))
        .row(
            say!(setting, "remainder"),
            row(&|slot| slots[slot].as_ref().map_or("·".into(), |it| binary(setting, it.remainder))),
        )
        .row(
            say!(setting, "item"),
            plain(&|slot| {
                slots[slot].as_ref().map_or(String::new(), |it| crivo_report::shorten(&it.name, 8))
            }),
        )
}
