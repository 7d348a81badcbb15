//! A register that rises ever more rarely.

use super::drawing::{Cell, Drawing, Grid, Mark, Step, Verdict};
use super::setting::Setting;
use anyhow::{Result, bail};
use crivo::MorrisCounter;
use crivo::counting::MorrisParams;
use crivo::rng::Rng;
use crivo_report::{count, number, plural};

const ABOUT: &str = "At register n a number is drawn between 0 and 1; the register rises if it is below 1/2^n. So it holds about \
                     the logarithm of the count, and 2^n − 1 is right on average: a register of 4 bits reaches 32767, one \
                     of 8 bits 2^255 − 1.";
const BITS: u32 = 4;
/// Up to so many events are all drawn; of more, those that raise the register.
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
        0 => "nothing happens".into(),
        _ if total <= ALL_DRAWN => format!("{} in a row", plural(total, "event", "events")),
        _ => format!("{}; those that raise the register", plural(total, "event", "events")),
    };
    let register = counter.register();
    let estimate = 2f64.powi(register as i32) - 1.0;
    Ok(Drawing {
        title: format!("Morris counter of {BITS} bits, seed {}", setting.seed),
        source: setting.example.map(|example| example.source),
        about: ABOUT.into(),
        steps: vec![Step {
            heading,
            grid: grid(&events),
            remark: format!(
                "the register is {register} in the end, so about 2^{register} − 1 = {} events; there were {}",
                count(estimate as u64),
                count(total)
            ),
            verdict: Verdict::None,
        }],
        results: results(total, &counter),
    })
}

fn grid(events: &[Event]) -> Grid {
    let row = |cell: &dyn Fn(&Event) -> Cell| events.iter().map(cell).collect();
    let moved = |event: &Event| if event.after == event.before { Mark::Plain } else { Mark::Changed };
    Grid { corner: "event", ..Grid::new(events.iter().map(|event| event.number)) }
        .row("rises below", row(&|event| Cell::plain(chance(event.before))))
        .row("drawn", row(&|event| Cell::plain(drawn(event.draw))))
        .row("register", row(&|event| Cell::new(event.after, moved(event))))
        .row("estimate", row(&|event| Cell::plain((1u64 << event.after) - 1)))
}

fn chance(register: u32) -> String {
    if register == 0 { "1".into() } else { format!("1/{}", 1u64 << register) }
}

/// Digits enough to see on which side of the chance it lies, cut so that it stays there.
fn drawn(draw: f64) -> String {
    let digits = if draw < 0.001 { 5 } else { 3 };
    let scale = 10f64.powi(digits);
    let text = format!("{:.*}", digits as usize, (draw * scale).floor() / scale);
    text.trim_start_matches('0').into()
}

fn results(total: u64, counter: &MorrisCounter) -> Vec<String> {
    let k = total as f64;
    let mut results = vec![format!(
        "after k events 2^n is k + 1 on average, with variance k(k − 1)/2: here {} on average, with a standard error of {}",
        count(total + 1),
        number((k * (k - 1.0) / 2.0).max(0.0).sqrt())
    )];
    results.push(format!(
        "what the counter can say of the count: {}",
        crivo_report::estimate(&counter.estimate(), "")
    ));
    if counter.is_saturated() {
        results.push("the register is at its end and counts no more; it never wraps around".into());
    }
    results.push("another --seed draws other numbers; a base closer to 1 than 2 has a smaller error".into());
    results
}
