//! A register that rises ever more rarely.

use super::drawing::{Cell, Drawing, Grid, Mark, Step};
use super::setting::Setting;
use super::words::{Exact, Interval, Value, say};
use anyhow::{Result, bail};
use crivo::MorrisCounter;
use crivo::counting::MorrisParams;
use crivo::rng::Rng;
use crivo_report::count;

const BITS: u32 = 4;
/// Up to this number of events all are drawn; beyond it, those that raise the register.
const ALL_DRAWN: u64 = 24;
const MOST_EVENTS: u64 = 10_000_000;

/// What happened at an event.
struct Event {
    number: u64,
    draw: f64,
    before: u32,
    after: u32,
}

pub(super) fn draw(setting: &Setting) -> Result<Drawing> {
    let total: u64 = setting.items().map(|item| item.count).sum();
    if total > MOST_EVENTS {
        bail!("{} events are too many to draw; give at most {}", count(total), count(MOST_EVENTS));
    }
    let mut counter = MorrisCounter::with_params(MorrisParams::exact(2.0, BITS)?, setting.seed);
    // The numbers that the counter draws.
    let mut random = Rng::new(setting.seed);
    let mut events = Vec::new();
    for number in 1..=total {
        let (before, draw) = (counter.register(), (random.next_u64() >> 1) as f64 / 2f64.powi(63));
        counter.increment();
        let after = counter.register();
        if total <= ALL_DRAWN || after != before {
            events.push(Event { number, draw, before, after });
        }
    }
    let heading = match total {
        0 => say!(setting, "nothing"),
        _ if total <= ALL_DRAWN => say!(setting, "events", total = total),
        _ => say!(setting, "rises", total = total),
    };
    let register = counter.register();
    let estimate = 2f64.powi(register as i32) - 1.0;
    let remark = say!(setting, "end", register = register, estimate = estimate as u64, truth = total);
    let title = say!(setting, "title", bits = BITS, seed = setting.seed.to_string());
    let steps = vec![Step::new(heading, grid(setting, &events), remark)];
    Ok(Drawing::new(setting, title, steps, results(setting, total, &counter)))
}

fn grid(setting: &Setting, events: &[Event]) -> Grid {
    let row = |cell: &dyn Fn(&Event) -> Cell| events.iter().map(cell).collect();
    let moved = |event: &Event| if event.after == event.before { Mark::Plain } else { Mark::Changed };
    Grid { corner: say!(setting, "event"), ..Grid::new(events.iter().map(|event| event.number)) }
        .row(say!(setting, "threshold"), row(&|event| Cell::plain(chance(event.before))))
        .row(say!(setting, "drawn"), row(&|event| Cell::plain(drawn(setting, event.draw))))
        .row(say!(setting, "register"), row(&|event| Cell::new(event.after, moved(event))))
        .row(say!(setting, "estimate"), row(&|event| Cell::plain((1u64 << event.after) - 1)))
}

fn chance(register: u32) -> String {
    if register == 0 { "1".into() } else { format!("1/{}", 1u64 << register) }
}

/// Digits enough to see on which side of the chance it lies, cut so that it stays there.
fn drawn(setting: &Setting, draw: f64) -> String {
    let scale = 10f64.powi(if draw < 0.001 { 5 } else { 3 });
    Exact((draw * scale).floor() / scale).text(setting.words)
}

fn results(setting: &Setting, total: u64, counter: &MorrisCounter) -> Vec<String> {
    let k = total as f64;
    let mean = say!(setting, "law", mean = total + 1, error = (k * (k - 1.0) / 2.0).max(0.0).sqrt());
    let mut results = vec![mean, say!(setting, "answer", estimate = Interval(&counter.estimate()))];
    if counter.is_saturated() {
        results.push(say!(setting, "saturated"));
    }
    results.push(say!(setting, "another"));
    results
}
