//! What `quantiles`, `histogram` and `range` have in common: numbers and their ranks.

mod edges;
mod histogram;
mod quantiles;
mod range;
mod ranks;
mod scale;
mod sketch;

pub(crate) use histogram::Histogram;
pub(crate) use quantiles::Quantiles;
pub(crate) use range::RangeCount;

use super::by::{AllOrGroups, read_groups};
use super::steps::{StepEnd, Stepped, Stream, between_looks, is_look, read};
use crate::args::{InputArgs, LimitArgs, StreamArgs, decode_options, parse_share};
use crate::input::{Batch, Columns, NotNumbers, TimeSorts, Wants};
use crate::session::{Manner, Session};
use anyhow::{Result, bail};
use clap::Args;
use crivo::{Estimate, Number};
use crivo_report::{Page, Records, Report, count, plural};
use ranks::Ranks;
use scale::Scale;
use sketch::{NumberKind, NumberSketch};
use std::ops::Range;

/// Where the numbers come from.
#[derive(Args, Debug)]
pub(crate) struct NumberArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Each record counts as often as this column says, a whole number; one without it is left out and reported
    ///
    /// With --kind dyadic-count-min, a negative number removes values. Only values that earlier records added can be
    /// removed: a removal that certainly is none is refused, and one that goes unnoticed makes later counts too low.
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    /// The kind of sketch, beyond 8,192 distinct values
    #[arg(long, value_enum, default_value_t = NumberKind::Kll, conflicts_with = "from")]
    kind: NumberKind,

    /// Half-width of the 95 % interval of a rank, as a share of all numbers [default: 0.001, or 0.01 for
    /// dyadic-count-min]
    ///
    /// For a dyadic-count-min: the error of a range, as a share of all numbers, with a probability of 99 %.
    ///
    /// Dates and times are values too, if the first value is one. Whole numbers of up to 34 digits are exact; other
    /// numbers are rounded to the nearest double. Infinite values (inf, -inf) rank first and last. Values that are not
    /// numbers, such as NA and NaN, are left out; their number is reported.
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with = "from")]
    error: Option<f64>,

    #[command(flatten)]
    stream: StreamArgs,
}

/// Numbers that were read.
pub(crate) struct Numbers {
    ranks: Ranks,
    scale: Scale,
    missing: u64,
    /// Values that are not numbers.
    others: NotNumbers,
}

/// What a verb answers from numbers.
pub(crate) trait Question: Clone {
    type Answer: Report;

    fn answer(&self, numbers: &Numbers, saved: Option<String>) -> Result<Self::Answer>;

    /// Called at each look, and at the end.
    fn watch(&mut self, _ranks: &Ranks, _items: u64, _session: &Session) -> Result<()> {
        Ok(())
    }

    /// Whether something may be printed before the end.
    fn watches(&self) -> bool {
        false
    }

    /// The sketch that the question needs, if its ranks do not have the error of all ranks. `seed` decides its random
    /// choices.
    fn sketch(&self, _seed: u64) -> Result<Option<NumberSketch>> {
        Ok(None)
    }
}

impl NumberArgs {
    fn manner(&self) -> Manner {
        self.stream.answer.manner()
    }

    /// Reads the numbers, and answers.
    fn answer<Q: Question>(self, question: Q, session: &Session) -> Result<AllOrGroups<Answered<Q::Answer>>> {
        let limit = self.stream.limit;
        let target = self.stream.save.target(session)?;
        let of_input = self.input.is_described() || self.weight.is_some();
        let (ranks, goes_on) = match self.stream.saved(self.input.is_named(), of_input)? {
            None => match question.sketch(self.stream.save.random_seed())? {
                Some(sketch) => (sketch, true),
                None => (NumberSketch::of_ranks(self.kind, self.error)?, true),
            },
            Some(saved) => {
                let options = decode_options(None, limit);
                (NumberSketch::load(saved.path, &options, session)?, saved.goes_on)
            }
        };
        let input = if goes_on {
            limit.check(ranks.most_bytes())?;
            let columns = Columns { changes: self.weight.as_deref(), ..self.stream.columns(None) };
            Some(self.input.open_beside(columns, limit, session)?)
        } else {
            None
        };
        let (ranks, by) = (Ranks::new(ranks), &self.stream.by);
        let input = match input {
            Some(input) if by.by.is_some() => {
                let make = || {
                    let (ranks, question) = (ranks.clone(), question.clone());
                    Ok(Ranking::new(ranks, question, limit, session))
                };
                return read_groups(input, Wants::numbers(), by, limit, make).map(AllOrGroups::Groups);
            }
            input => input,
        };
        let mut stream = Ranking::new(ranks, question, limit, session);
        let totals = read(input, Wants::numbers(), self.stream.every, &mut stream, session)?;
        stream.question.watch(&stream.ranks, stream.items, session)?;
        let (missing, others) = (totals.missing, totals.not_numbers);
        if target.is_some() && stream.scale().is_time() {
            session.remark("times are saved, and printed by --from, as seconds since 1970");
        }
        let mixed = (stream.scale(), stream.mixed);
        let numbers = Numbers { scale: mixed.0, ranks: stream.ranks, missing, others };
        let saved = session.save(target.as_ref(), || numbers.ranks.sketch().to_bytes());
        let answer = stream.question.answer(&numbers, saved)?;
        Ok(AllOrGroups::All(Answered { answer, missing, others: numbers.others, mixed }))
    }
}

/// An answer, and what is none of its numbers.
#[derive(Debug)]
pub(crate) struct Answered<R> {
    answer: R,
    missing: u64,
    others: NotNumbers,
    /// What the values are, and how many others of the other sort were left out.
    mixed: (Scale, u64),
}

impl<R: Report> Report for Answered<R> {
    fn text(&self, page: &mut Page) {
        self.answer.text(page);
        if self.missing > 0 {
            page.note(&format!("{} left out", plural(self.missing, "missing value", "missing values")));
        }
        if self.others.count > 0 {
            let values =
                plural(self.others.count, "value that is not a number", "values that are not numbers");
            page.note(&format!("{values} left out, the first: {}", self.others.first()));
        }
        if let (scale, mixed @ 1..) = self.mixed {
            let words = match scale {
                Scale::Numbers => [plural(mixed, "time", "times"), "numbers".into()],
                Scale::Times(_) => [plural(mixed, "number", "numbers"), "times".into()],
            };
            page.note(&format!("{} among {} left out", words[0], words[1]));
        }
    }

    fn records(&self, records: &mut Records) {
        self.answer.records(records);
    }
}

/// How many numbers lie where.
#[derive(Debug)]
pub(crate) struct Counts {
    below: Estimate,
    /// From each edge on to the next, which only the last of them includes.
    bins: Vec<Estimate>,
    above: Estimate,
}

/// The classes of the sketch include their upper edge, those of people their lower one: between the two lies the step to
/// the next smaller number.
fn counts(ranks: &Ranks, edges: &[Number]) -> Result<Counts> {
    let Some((last, others)) = edges.split_last() else {
        let none = Estimate::exact(0.0);
        return Ok(Counts { below: none, bins: Vec::new(), above: none });
    };
    let edges: Vec<Number> = others.iter().map(|edge| edge.next_down()).chain([*last]).collect();
    let mut classes = ranks.histogram(&edges)?.into_iter();
    let (Some(below), Some(above)) = (classes.next(), classes.next_back()) else {
        bail!("a histogram of {} edges has no classes", edges.len());
    };
    Ok(Counts { below, bins: classes.collect(), above })
}

struct Ranking<'a, Q> {
    ranks: Ranks,
    /// Whether the first value was a time, and how times are written.
    is_time: Option<bool>,
    sorts: TimeSorts,
    /// Numbers among times, or times among numbers.
    mixed: u64,
    items: u64,
    question: Q,
    limit: LimitArgs,
    session: &'a Session,
}

impl<'a, Q: Question> Ranking<'a, Q> {
    fn new(ranks: Ranks, question: Q, limit: LimitArgs, session: &'a Session) -> Self {
        let (is_time, sorts) = (None, TimeSorts::default());
        Self { ranks, is_time, sorts, mixed: 0, items: 0, question, limit, session }
    }

    fn scale(&self) -> Scale {
        if self.is_time == Some(true) { Scale::Times(self.sorts) } else { Scale::Numbers }
    }

    fn insert(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        self.check_finite(&batch.numbers[items.clone()])?;
        self.items += items.len() as u64;
        let times = batch.times_among;
        let before = |place: usize| times.partition_point(|&time| (time as usize) < place);
        let times = before(items.end) - before(items.start);
        if times == 0 && self.is_time.is_none_or(|is_time| !is_time) {
            self.is_time = self.is_time.or((!items.is_empty()).then_some(false));
            return self.insert_alike(batch, items);
        }
        let is_time_at = |place: usize| batch.times_among.binary_search(&(place as u32)).is_ok();
        let is_time = *self.is_time.get_or_insert_with(|| is_time_at(items.start));
        if is_time && self.ranks.sketch().is_relative() {
            bail!("the values are times, which have no relative error; leave out --relative");
        }
        self.sorts.clocks |= batch.sorts.clocks;
        self.sorts.zones |= batch.sorts.zones;
        if is_time && times == items.len() {
            return self.insert_alike(batch, items);
        }
        for place in items {
            if is_time_at(place) == is_time {
                self.insert_alike(batch, place..place + 1)?;
            } else {
                self.mixed += 1;
            }
        }
        Ok(())
    }

    /// Names the place of an infinite value where it has no relative error.
    fn check_finite(&self, numbers: &[Number]) -> Result<()> {
        if !self.ranks.sketch().is_relative() {
            return Ok(());
        }
        let Some(place) = numbers.iter().position(|number| number.to_f64().is_infinite()) else {
            return Ok(());
        };
        let (which, number) = (count(self.items + place as u64 + 1), numbers[place]);
        bail!(
            "value {which} is {number}, not a finite number, and has no relative error; leave it out, or leave out --relative"
        )
    }

    /// Values that are all numbers, or all times.
    fn insert_alike(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        let numbers = &batch.numbers[items.clone()];
        if batch.changes.is_empty() {
            self.ranks.insert_all(numbers)?;
        } else {
            for (&number, &change) in numbers.iter().zip(&batch.changes[items]) {
                self.ranks.change(number, change)?;
            }
        }
        Ok(())
    }
}

impl<Q: Question> Stream for Ranking<'_, Q> {
    type Answer = Stepped<Answered<Q::Answer>>;

    fn memory_bytes(&self) -> usize {
        self.ranks.memory_bytes()
    }

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        if self.question.watches() {
            for part in between_looks(self.items, items) {
                self.insert(batch, part)?;
                if is_look(self.items) {
                    self.question.watch(&self.ranks, self.items, self.session)?;
                }
            }
        } else {
            self.insert(batch, items)?;
        }
        self.limit.check(self.ranks.memory_bytes() as u64)
    }

    fn answer(&mut self, step: StepEnd) -> Result<Self::Answer> {
        let others = NotNumbers::new(step.not_numbers);
        let (scale, mixed) = (self.scale(), self.mixed);
        let numbers = Numbers { ranks: self.ranks.clone(), scale, missing: step.missing, others };
        let answer = self.question.answer(&numbers, None)?;
        // The values that are left out are reported at the end.
        let (others, mixed) = (NotNumbers::default(), (scale, mixed));
        Ok(Stepped { step, answer: Answered { answer, missing: 0, others, mixed } })
    }

    fn prints(&self) -> bool {
        self.question.watches()
    }
}
