//! `crivo histogram`: how are they spread?

use super::edges::{equal_edges, labels, round_edges};
use super::scale::{Scale, is_day, parse_value, round_times};
use super::{Answered, Counts, NumberArgs, Numbers, Question, counts};
use crate::cmd::by::AllOrGroups;
use crate::input::TimeSorts;
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo::{Estimate, Number};
use crivo_report::{Align, Bar, Page, Point, Records, Report, Table, estimate, estimate_cells, plural};
use serde::Serialize;

/// Histogram of numbers or times
///
/// A bin contains its lower edge but not its upper edge; the last bin contains both.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo histogram times.txt
  crivo histogram flights.csv --column arr_delay --bins 10
  crivo histogram flights.csv --column arr_delay --edges=-60,-15,0,15,60,1440
  crivo histogram --from seconds.crv")]
pub(crate) struct Histogram {
    #[command(flatten)]
    numbers: NumberArgs,

    /// Number of bins of equal width from the minimum to the maximum [default: about 15, with round edges]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with = "edges")]
    bins: Option<u32>,

    /// Edges of the bins, in increasing order
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = parse_edge, allow_hyphen_values = true)]
    edges: Vec<(Number, bool)>,
}

fn parse_edge(text: &str) -> Result<(Number, bool), String> {
    match parse_value(text) {
        Some(edge) => Ok(edge),
        _ => Err("expected numbers, for example 0,10,100".into()),
    }
}

impl Verb for Histogram {
    type Report = AllOrGroups<Answered<Spread>>;

    fn manner(&self) -> Manner {
        self.numbers.manner()
    }

    fn run(self, session: &Session) -> Result<Self::Report> {
        let Self { numbers, bins, edges } = self;
        let is_time = edges.first().is_some_and(|&(_, is_time)| is_time);
        if edges.iter().any(|&(_, other)| other != is_time) {
            bail!("some --edges are times and some are numbers; give all of one sort");
        }
        let edges: Vec<Number> = edges.into_iter().map(|(edge, _)| edge).collect();
        if edges.len() == 1 {
            bail!("--edges needs two numbers or more, for example 0,10,100");
        }
        if let Some(pair) = edges.windows(2).find(|pair| pair[0] >= pair[1]) {
            let [a, b] = [pair[0], pair[1]];
            bail!("--edges must rise, but {b} comes after {a}; put them in order, each once");
        }
        numbers.answer(Bins { bins, edges, is_time }, session)
    }
}

/// The bins: between given edges, of a given number, or with round edges.
#[derive(Clone)]
pub(crate) struct Bins {
    bins: Option<u32>,
    edges: Vec<Number>,
    is_time: bool,
}

impl Bins {
    fn edges_for(&self, min: Number, max: Number, scale: Scale) -> Result<Vec<Number>> {
        if !self.edges.is_empty() {
            return Ok(self.edges.clone());
        }
        let edges = match self.bins {
            Some(bins) => equal_edges(min, max, bins),
            None if scale.is_time() => round_times(min, max).unwrap_or_else(|| round_edges(min, max)),
            None => round_edges(min, max),
        };
        if edges.iter().all(|edge| edge.to_f64().is_finite()) {
            return Ok(distinct_edges(edges, min, max));
        }
        bail!("the numbers reach from {min} to {max}, too far for bins of one width; give --edges")
    }
}

/// Edges between numbers so near to each other that they fall together become one; if they do not hold all numbers then,
/// one bin does.
fn distinct_edges(mut edges: Vec<Number>, min: Number, max: Number) -> Vec<Number> {
    edges.dedup();
    let rise = edges.windows(2).all(|pair| pair[0] < pair[1]);
    match edges[..] {
        [first, .., last] if rise && first <= min && max <= last => edges,
        _ => vec![min, max],
    }
}

impl Question for Bins {
    type Answer = Spread;

    fn answer(&self, numbers: &Numbers, saved: Option<String>) -> Result<Spread> {
        let (ranks, scale) = (&numbers.ranks, numbers.scale);
        if self.is_time && !scale.is_time() && ranks.total() > 0 {
            bail!("--edges are times, and the values are numbers; give numbers");
        }
        let edges = match ranks.finite_ends() {
            Some((least, greatest)) => self.edges_for(least, greatest, scale)?,
            None => self.edges.clone(),
        };
        Ok(Spread {
            counts: counts(ranks, &edges)?,
            edges,
            scale,
            items: ranks.total(),
            ends: ranks.ends(),
            missing: numbers.missing,
            not_numbers: numbers.others.count,
            saved,
        })
    }
}

/// How many numbers lie between edges.
#[derive(Debug)]
pub(crate) struct Spread {
    edges: Vec<Number>,
    scale: Scale,
    counts: Counts,
    items: u64,
    /// The smallest and the largest number.
    ends: Option<(Number, Number)>,
    missing: u64,
    not_numbers: u64,
    saved: Option<String>,
}

/// From `from` to below `to`, the last one including it.
#[derive(Serialize)]
#[serde(tag = "type", rename = "bin")]
struct BinRecord {
    from: Point,
    to: Point,
    count: Bar,
    share: f64,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "histogram")]
struct HistogramRecord<'a> {
    items: u64,
    below: Bar,
    above: Bar,
    minimum: Option<Point>,
    maximum: Option<Point>,
    missing: u64,
    not_numbers: u64,
    saved: Option<&'a str>,
}

impl Spread {
    fn labels(&self) -> Vec<String> {
        match self.scale {
            Scale::Numbers => labels(&self.edges),
            Scale::Times(_) => {
                // Days without their midnights are read at a glance.
                let days = Scale::Times(TimeSorts::default());
                let scale = if self.edges.iter().all(|&edge| is_day(edge)) { days } else { self.scale };
                self.edges.iter().map(|&edge| scale.show(edge)).collect()
            }
        }
    }
}

impl Report for Spread {
    fn text(&self, page: &mut Page) {
        let bins = &self.counts.bins;
        let mut table = Table::new([Align::Right, Align::Right, Align::Left, Align::Left]);
        for (place, (ends, bin)) in (1..).zip(self.labels().windows(2).zip(bins)) {
            let [number, bar] = estimate_cells(bin);
            // An edge belongs to the bin that begins there; the last has both.
            let end = if place == bins.len() { ']' } else { ')' };
            table.push([format!("[{}, {}{end}", ends[0], ends[1]), number, bar, String::new()]);
        }
        let most = bins.iter().map(Estimate::value).fold(0.0, f64::max);
        table.draw_last(page.width(), bins.iter().map(|bin| bin.value() / most));
        table.print(page);
        if let (Some((min, max)), [first, .., last]) = (self.ends, &self.edges[..]) {
            if min < *first {
                page.line(&estimate(&self.counts.below, "below"));
            }
            if max > *last {
                page.line(&estimate(&self.counts.above, "above"));
            }
        }
        let [one, many] = self.scale.noun();
        page.line(&format!("of {}", plural(self.items, one, many)));
    }

    fn records(&self, records: &mut Records) {
        let share = |part: f64| if self.items == 0 { 0.0 } else { part / self.items as f64 };
        for (ends, bin) in self.edges.windows(2).zip(&self.counts.bins) {
            let (from, to) = (self.scale.point(ends[0]), self.scale.point(ends[1]));
            records.row(&BinRecord { from, to, count: (*bin).into(), share: share(bin.value()) });
        }
        records.total(&HistogramRecord {
            items: self.items,
            below: self.counts.below.into(),
            above: self.counts.above.into(),
            minimum: self.ends.map(|(min, _)| self.scale.point(min)),
            maximum: self.ends.map(|(_, max)| self.scale.point(max)),
            missing: self.missing,
            not_numbers: self.not_numbers,
            saved: self.saved.as_deref(),
        });
    }
}
