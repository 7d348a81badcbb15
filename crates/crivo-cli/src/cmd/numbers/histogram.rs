//! `crivo histogram`: how are they spread?

use super::edges::{equal_edges, labels, round_edges};
use super::{NumberArgs, Numbers, Question, counts};
use crate::output::{Align, Answer, Output, Table, estimate, estimate_cells, plural, terminal_width};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::{Estimate, Number};
use crivo_report::text_bar;
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
    edges: Vec<Number>,
}

fn parse_edge(text: &str) -> Result<Number, String> {
    match Number::parse(text.as_bytes()) {
        Some(edge) if edge.to_f64().is_finite() => Ok(edge),
        _ => Err("expected numbers, for example 0,10,100".into()),
    }
}

impl Histogram {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        if self.edges.len() == 1 {
            bail!("--edges needs two numbers or more, for example 0,10,100");
        }
        if let Some(pair) = self.edges.windows(2).find(|pair| pair[0] >= pair[1]) {
            let [a, b] = [pair[0], pair[1]];
            bail!("--edges must rise, but {b} comes after {a}; put them in order, each once");
        }
        self.numbers.run(&mut &*self, session)?;
        Ok(ExitCode::SUCCESS)
    }

    fn edges_for(&self, min: Number, max: Number) -> Result<Vec<Number>> {
        if !self.edges.is_empty() {
            return Ok(self.edges.clone());
        }
        let edges = match self.bins {
            Some(bins) => equal_edges(min, max, bins),
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

impl Question for &Histogram {
    fn print(&self, output: &mut Output, numbers: &Numbers, saved: Option<String>) -> Result<()> {
        let ranks = &numbers.ranks;
        let total = ranks.total();
        let (min, max) = (ranks.min().copied(), ranks.max().copied());
        let edges = match ranks.finite_ends() {
            Some((least, greatest)) => self.edges_for(least, greatest)?,
            None => self.edges.clone(),
        };
        let counts = counts(ranks, &edges)?;
        let most = counts.bins.iter().map(Estimate::value).fold(0.0, f64::max);
        let share = |number: f64| if total == 0 { 0.0 } else { number / total as f64 };
        let mut table = Table::new([Align::Right, Align::Right, Align::Left, Align::Left]);
        let labels = labels(&edges);
        for (place, &bin) in counts.bins.iter().enumerate() {
            if self.numbers.stream.form.json() {
                let (from, to) = (edges[place].into(), edges[place + 1].into());
                output.json(&Answer::Bin { from, to, count: bin.into(), share: share(bin.value()) })?;
            } else {
                let [number, bar] = estimate_cells(&bin);
                table.push([
                    format!("{} to {}", labels[place], labels[place + 1]),
                    number,
                    bar,
                    String::new(),
                ]);
            }
        }
        if self.numbers.stream.form.json() {
            return output.json(&Answer::Histogram {
                numbers: total,
                below: counts.below.into(),
                above: counts.above.into(),
                min: min.map(Into::into),
                max: max.map(Into::into),
                nulls: numbers.nulls,
                not_numbers: numbers.others.count,
                saved,
            });
        }
        let room = terminal_width().saturating_sub(table.width()).clamp(10, 60);
        table.set_last(counts.bins.iter().map(|bin| text_bar(bin.value() / most, room)));
        output.page(0, |page| table.print(page))?;
        if min.zip(edges.first()).is_some_and(|(min, first)| min < *first) {
            output.line(&estimate(&counts.below, "below"))?;
        }
        if max.zip(edges.last()).is_some_and(|(max, last)| max > *last) {
            output.line(&estimate(&counts.above, "above"))?;
        }
        output.line(&format!("of {}", plural(total, "number", "numbers")))
    }
}
