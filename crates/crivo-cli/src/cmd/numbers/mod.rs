//! What `quantiles`, `histogram` and `range` have in common: numbers, kept in a sketch of their ranks.

mod edges;
mod histogram;
mod quantiles;
mod range;

pub(crate) use histogram::Histogram;
pub(crate) use quantiles::Quantiles;
pub(crate) use range::RangeCount;

use super::sketch_file::load_numbers;
use super::steps::{StepEnd, Stream, between_looks, is_look, read};
use crate::args::{InputArgs, StreamArgs, decode_options, parse_share};
use crate::input::{Batch, NotNumbers, Wants};
use crate::output::{Output, plural, save_and_print};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use crivo::{Estimate, Kll, Number};
use std::ops::Range;

/// Where the numbers come from.
#[derive(Args, Debug)]
pub(crate) struct NumberArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Each record counts as often as this column says, a whole number; one without it is left out and reported
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    /// Half-width of the 95 % interval of a rank, as a share of all numbers
    ///
    /// Whole numbers of up to 34 digits are taken as they are, others as the nearest double. Infinite ones (inf, -inf) have
    /// their place at the ends. Values that are no numbers, such as NA and NaN, are left out; their number is reported.
    #[arg(long, value_name = "SHARE", default_value_t = 0.001, value_parser = parse_share, conflicts_with = "from")]
    error: f64,

    #[command(flatten)]
    stream: StreamArgs,

    /// No progress and no remarks
    #[arg(long, help_heading = "Output")]
    quiet: bool,
}

/// Numbers that were read.
struct Numbers {
    ranks: Kll<Number>,
    nulls: u64,
    /// Values that are no numbers.
    others: NotNumbers,
}

impl Numbers {
    /// Of `f64` where all that is kept are such, so that parts go together whatever their numbers are.
    fn to_bytes(&self) -> Vec<u8> {
        self.ranks.to_f64().map_or_else(|| self.ranks.to_bytes(), |ranks| ranks.to_bytes())
    }
}

/// What a verb answers from numbers.
trait Question {
    fn print(&self, output: &mut Output, numbers: &Numbers, saved: Option<String>) -> Result<()>;

    /// Called at each look, and at the end.
    fn watch(&mut self, _ranks: &Kll<Number>, _items: u64) -> Result<()> {
        Ok(())
    }

    /// Whether something may be printed before the end.
    fn watches(&self) -> bool {
        false
    }
}

impl NumberArgs {
    /// Reads the numbers, or their sketch, and answers.
    fn run(&self, question: &mut impl Question, session: &Session) -> Result<()> {
        let target = self.stream.save.target(session)?;
        let numbers = self.numbers(question, session)?;
        save_and_print(
            target.as_ref(),
            || numbers.to_bytes(),
            |output, saved| {
                question.print(output, &numbers, saved)?;
                if self.stream.form.json() || self.quiet { Ok(()) } else { print_left_out(output, &numbers) }
            },
            session,
        )
    }

    fn numbers(&self, question: &mut impl Question, session: &Session) -> Result<Numbers> {
        /// What a sketch keeps at most, for each value of its highest level; those below are smaller and smaller.
        const KEPT: u64 = 3;
        let of_input = self.input.is_described() || self.weight.is_some();
        let ranks = match self.stream.saved(self.input.is_named(), of_input)? {
            None => Kll::for_error(self.error)?,
            Some(saved) => {
                let options = decode_options(None, &self.stream.limit);
                let ranks = load_numbers(saved.path, &options, session)?;
                if !saved.goes_on {
                    return Ok(Numbers { ranks, nulls: 0, others: NotNumbers::default() });
                }
                ranks
            }
        };
        self.stream.limit.check(KEPT * ranks.k() * size_of::<Number>() as u64)?;
        let columns = self.stream.columns(self.weight.as_deref());
        let mut input = self.input.open_beside(columns, &self.stream.limit, session)?;
        input.prints = question.watches();
        let mut stream = Ranking { ranks, items: 0, args: self, question };
        let totals = read(input, Wants::numbers(), self.stream.every, &mut stream, session)?;
        stream.question.watch(&stream.ranks, stream.items)?;
        Ok(Numbers { ranks: stream.ranks, nulls: totals.nulls, others: totals.not_numbers })
    }
}

/// How many numbers lie where.
struct Counts {
    below: Estimate,
    /// From each edge on to the next, which only the last of them includes.
    bins: Vec<Estimate>,
    above: Estimate,
}

/// The classes of the sketch include their upper edge, those of people their lower one: between the two lies the step to
/// the next smaller number.
fn counts(ranks: &Kll<Number>, edges: &[Number]) -> Result<Counts> {
    let Some((last, others)) = edges.split_last() else {
        let none = ranks.rank(&f64::MIN.into());
        return Ok(Counts { below: none, bins: Vec::new(), above: none });
    };
    let edges: Vec<Number> = others.iter().map(|edge| edge.next_down()).chain([*last]).collect();
    let mut classes = ranks.histogram(&edges)?.into_iter();
    let (Some(below), Some(above)) = (classes.next(), classes.next_back()) else {
        bail!("a histogram of {} edges has no classes", edges.len());
    };
    Ok(Counts { below, bins: classes.collect(), above })
}

fn print_left_out(output: &mut Output, numbers: &Numbers) -> Result<()> {
    let Numbers { nulls, others, .. } = numbers;
    if *nulls > 0 {
        output.line(&format!("{} left out", plural(*nulls, "empty value", "empty values")))?;
    }
    if others.count > 0 {
        let values = plural(others.count, "value that is no number", "values that are no numbers");
        output.line(&format!("{values} left out, the first: {}", others.first()))?;
    }
    Ok(())
}

struct Ranking<'a, Q> {
    ranks: Kll<Number>,
    items: u64,
    args: &'a NumberArgs,
    question: &'a mut Q,
}

impl<Q: Question> Ranking<'_, Q> {
    fn insert(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        self.items += items.len() as u64;
        let numbers = &batch.numbers[items.clone()];
        if batch.copies.is_empty() {
            self.ranks.insert_all(numbers)?;
        } else {
            for (&number, &copies) in numbers.iter().zip(&batch.copies[items]) {
                self.ranks.insert_weighted(number, copies)?;
            }
        }
        Ok(())
    }
}

impl<Q: Question> Stream for Ranking<'_, Q> {
    type Answer = ();

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        if self.question.watches() {
            for part in between_looks(self.items, items) {
                self.insert(batch, part)?;
                if is_look(self.items) {
                    self.question.watch(&self.ranks, self.items)?;
                }
            }
        } else {
            self.insert(batch, items)?;
        }
        self.args.stream.limit.check(self.ranks.memory_bytes() as u64)
    }

    fn answer(&mut self, step: StepEnd) -> Result<()> {
        let mut output = Output::step(self.args.stream.form.json());
        step.print(&mut output, self.args.stream.form.json())?;
        let others = NotNumbers::new(step.not_numbers);
        let numbers = Numbers { ranks: self.ranks.clone(), nulls: step.nulls, others };
        self.question.print(&mut output, &numbers, None)?;
        output.flush()
    }
}
