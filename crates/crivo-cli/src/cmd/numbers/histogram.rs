//! `crivo histogram`: how are they spread?

use super::{NumberArgs, Numbers, Question, counts};
use crate::output::{
    Align, Answer, Number, Output, Table, estimate, estimate_cells, plural, terminal_width, value,
};
use anyhow::{Result, bail};
use clap::Args;
use crivo::Estimate;
use std::process::ExitCode;

/// How many numbers lie in each of many bins
///
/// A bin holds the numbers from its lower edge on, up to but not including its upper edge; the last one includes it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo histogram times.txt
  crivo histogram flights.csv --column arr_delay --bins 10
  crivo histogram flights.csv --column arr_delay --edges=-60,-15,0,15,60,1440
  crivo histogram --from seconds.crv")]
pub(crate) struct Histogram {
    #[command(flatten)]
    numbers: NumberArgs,

    /// So many bins of equal width from the smallest number to the largest; about 15 with round edges unless told
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with = "edges")]
    bins: Option<u32>,

    /// The edges between bins, the smallest first
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = parse_edge, allow_hyphen_values = true)]
    edges: Vec<f64>,
}

fn parse_edge(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(edge) if edge.is_finite() => Ok(edge),
        _ => Err("expected numbers, for example 0,10,100".into()),
    }
}

impl Histogram {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.edges.len() == 1 {
            bail!("--edges needs two numbers or more, for example 0,10,100");
        }
        if let Some(pair) = self.edges.windows(2).find(|pair| pair[0] >= pair[1]) {
            let [a, b] = [pair[0], pair[1]].map(value);
            bail!("--edges must rise, but {b} comes after {a}; put them in order, each once");
        }
        self.numbers.run(&mut &*self)?;
        Ok(ExitCode::SUCCESS)
    }

    fn edges_for(&self, min: f64, max: f64) -> Result<Vec<f64>> {
        if !self.edges.is_empty() {
            return Ok(self.edges.clone());
        }
        let edges = match self.bins {
            Some(bins) => equal_edges(min, max, bins),
            None => round_edges(min, max),
        };
        if edges.iter().all(|edge| edge.is_finite()) {
            return Ok(distinct_edges(edges, min, max));
        }
        let [min, max] = [min, max].map(value);
        bail!("the numbers reach from {min} to {max}, too far for bins of one width; give --edges")
    }
}

/// Edges between numbers so near to each other that they fall together become one; if they do not hold all numbers then,
/// one bin does.
fn distinct_edges(mut edges: Vec<f64>, min: f64, max: f64) -> Vec<f64> {
    edges.dedup();
    let rise = edges.windows(2).all(|pair| pair[0] < pair[1]);
    match edges[..] {
        [first, .., last] if rise && first <= min && max <= last => edges,
        _ => vec![min, max],
    }
}

fn equal_edges(min: f64, max: f64, bins: u32) -> Vec<f64> {
    if min == max {
        return vec![min, max];
    }
    let width = (max - min) / f64::from(bins);
    (0..bins).map(|bin| min + f64::from(bin) * width).take_while(|&edge| edge < max).chain([max]).collect()
}

/// Multiples of a round width, 1, 2 or 5 times a power of ten, so that there are some 8 to 20 bins.
fn round_edges(min: f64, max: f64) -> Vec<f64> {
    const MOST: f64 = 20.0;
    if min == max {
        return vec![min, max];
    }
    let least = (max - min) / MOST;
    let power = least.log10().floor();
    // Read from its digits, a power of ten is the nearest double.
    let scale = format!("1e{}", power.abs()).parse().unwrap_or(f64::INFINITY);
    // A power of ten below 1 is no double: dividing by its inverse, which is one, gives the nearest multiples.
    let times = |number: f64| if power < 0.0 { number / scale } else { number * scale };
    let factor = [1.0, 2.0, 5.0].into_iter().find(|&factor| times(factor) >= least).unwrap_or(10.0);
    let width = times(factor);
    if width < f64::MIN_POSITIVE {
        return vec![min, max];
    }
    let (mut first, mut last) = ((min / width).floor(), (max / width).ceil());
    // The quotients are rounded.
    if times(factor * first) > min {
        first -= 1.0;
    }
    if times(factor * last) < max {
        last += 1.0;
    }
    if !width.is_normal() || last - first > 4.0 * MOST {
        return vec![f64::INFINITY];
    }
    (0..=(last - first) as u32).map(|bin| times(factor * (first + f64::from(bin)))).collect()
}

impl Question for &Histogram {
    fn print(&self, output: &mut Output, numbers: &Numbers, saved: Option<String>) -> Result<()> {
        let ranks = &numbers.ranks;
        let total = ranks.total();
        let (min, max) = (ranks.min().copied(), ranks.max().copied());
        let edges = match (min, max) {
            (Some(min), Some(max)) => self.edges_for(min, max)?,
            _ => self.edges.clone(),
        };
        let counts = counts(ranks, &edges)?;
        let most = counts.bins.iter().map(Estimate::value).fold(0.0, f64::max);
        let share = |number: f64| if total == 0 { 0.0 } else { number / total as f64 };
        let mut table = Table::new([Align::Right, Align::Right, Align::Left, Align::Left]);
        for (pair, &bin) in edges.windows(2).zip(&counts.bins) {
            if self.numbers.stream.json {
                let (from, to) = (Number(pair[0]), Number(pair[1]));
                output.json(&Answer::Bin { from, to, count: bin.into(), share: share(bin.value()) })?;
            } else {
                let [number, bar] = estimate_cells(&bin);
                table.push([format!("{} to {}", shown(pair[0]), shown(pair[1])), number, bar, String::new()]);
            }
        }
        if self.numbers.stream.json {
            return output.json(&Answer::Histogram {
                numbers: total,
                below: counts.below.into(),
                above: counts.above.into(),
                min: min.map(Number),
                max: max.map(Number),
                nulls: numbers.nulls,
                not_numbers: numbers.others.count,
                saved,
            });
        }
        let room = terminal_width().saturating_sub(table.width()).clamp(10, 60);
        table.set_last(counts.bins.iter().map(|bin| text_bar(bin.value() / most, room)));
        table.print(output)?;
        let lies_outside = |number: Option<f64>, is_outside: fn(f64, f64) -> bool, edge: Option<&f64>| {
            number.zip(edge).is_some_and(|(number, &edge)| is_outside(number, edge))
        };
        if lies_outside(min, |min, edge| min < edge, edges.first()) {
            output.line(&estimate(&counts.below, "below"))?;
        }
        if lies_outside(max, |max, edge| max > edge, edges.last()) {
            output.line(&estimate(&counts.above, "above"))?;
        }
        output.line(&format!("of {}", plural(total, "number", "numbers")))
    }
}

/// A number with as many digits as a person compares.
fn shown(number: f64) -> String {
    value(format!("{number:.5e}").parse().unwrap_or(number))
}

/// A bar of a share of `room`, to the eighth of a character.
pub(crate) fn text_bar(share: f64, room: usize) -> String {
    if share.is_nan() {
        return String::new();
    }
    let eighths = (share * room as f64 * 8.0).ceil() as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_round_and_hold_all() {
        assert_eq!(round_edges(0.0, 100.0), (0..=20).map(|i| f64::from(i) * 5.0).collect::<Vec<_>>());
        assert_eq!(round_edges(3.0, 3.0), [3.0, 3.0]);
        let edges = round_edges(0.05, 1.07);
        assert_eq!((edges[0], edges[3]), (0.0, 0.3), "no 0.30000000000000004: {edges:?}");
        let mut rng = crivo::rng::Rng::new(6);
        for _ in 0..1000 {
            let number = || f64::from_bits(rng.next_u64() % (2046 << 52));
            let (mut min, mut max) = {
                let mut number = number;
                (-number(), number())
            };
            (min, max) = (min.min(max), min.max(max));
            let edges = round_edges(min, max);
            if edges.iter().all(|edge| edge.is_finite()) {
                assert!(edges[0] <= min && max <= edges[edges.len() - 1], "{min} {max} {edges:?}");
                assert!((2..=24).contains(&edges.len()) && edges.is_sorted(), "{min} {max} {edges:?}");
            }
        }
    }

    #[test]
    fn bars() {
        assert_eq!(
            [text_bar(0.0, 10), text_bar(1.0, 3), text_bar(0.5, 1), text_bar(0.001, 10)],
            ["", "███", "▌", "▏"]
        );
        assert_eq!(text_bar(f64::NAN, 10), "");
    }
}
