//! `crivo sample`: a fair part.

mod drawn;
mod record;
mod subset;

use super::by::{Groups, read_groups};
use super::header::Header;
use super::memory::Watch;
use super::steps::{StepEnd, Stepped, Stream, read};
use crate::args::{InputArgs, StreamArgs, Where, decode_options, parse_count, parse_seed, parse_where};
use crate::input::{Batch, Columns, FieldNames, Wants};
use crate::session::{Manner, Session};
use crate::verb::Verb;
use anyhow::{Result, bail};
use clap::Args;
use crivo_report::{Number, Page, Records, Report, plural, seed};
use drawn::Drawn;
use record::Drawable;
use serde::Serialize;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use subset::Subset;

/// Draw a random sample of the records
///
/// Every record has the same probability of being drawn, and so has every set of records of the same size; with
/// --weight, heavier records are more likely. Records are printed unchanged, rows of tables below their header; with
/// --column, only the values of the column are printed. --json and --csv split a row of a table into its fields.
///
/// With --where, the answer is the share of all records for which a condition holds, with --weight the share of the weight
/// and its sum, each with an interval; it is exact while all records are in the sample.
///
/// The order of the output has no meaning: it is neither the order of the input nor random. --save does not save the
/// header of a table.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo sample access.log -n 100
  crivo sample visits.csv -n 1000 --seed 42 > part.csv
  crivo sample sales.csv --weight amount -n 50
  crivo sample sales.csv --weight amount --where 'country=BR'
  crivo sample monday.csv --save monday.crv > /dev/null
  crivo merge monday.crv tuesday.crv -o both.crv && crivo sample --from both.crv")]
pub(crate) struct Sample {
    #[command(flatten)]
    input: InputArgs,

    /// Number of records to draw [default: 100; with --where 10000]
    #[arg(long, short, visible_short_alias = 'k', value_name = "N", value_parser = parse_count,
          conflicts_with = "from")]
    number: Option<u64>,

    /// Weight each record by this column, a number of at least 0
    ///
    /// Records are drawn one after the other, each with a probability proportional to its weight among the records that
    /// are left. A record of weight 0 is never drawn; a record without a weight is left out and reported.
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    /// Estimate for which share of the records, or of their weight, this holds, such as 'country=BR'; see --help
    ///
    /// The condition is a column, one of = != < <= > >=, and a value. Numbers and times are compared with a number or a time,
    /// other values as texts; a text is neither below nor above a number. The sample keeps the values of this column, as
    /// COLUMN=VALUE, and records without one are left out. It can be saved, and --from answers about other values of the
    /// column.
    #[arg(long = "where", value_name = "CONDITION", value_parser = parse_where, conflicts_with = "column")]
    condition: Option<Where>,

    /// Random seed: the same seed draws the same sample from the same input [default: a new seed in each run]
    ///
    /// Samples merge only if their seeds differ.
    #[arg(long, value_name = "N", value_parser = parse_seed, conflicts_with = "from")]
    seed: Option<u64>,

    #[command(flatten)]
    stream: StreamArgs,
}

impl Verb for Sample {
    type Report = Sampled;

    fn manner(&self) -> Manner {
        self.stream.answer.manner()
    }

    fn run(self, session: &Session) -> Result<Sampled> {
        let target = self.stream.save.target(session)?;
        let of_input = self.input.is_described() || self.weight.is_some();
        let (drawn, goes_on) = match self.stream.saved(self.input.is_named(), of_input)? {
            None => (self.empty()?, true),
            Some(saved) => {
                let options = decode_options(None, self.stream.limit);
                let drawn = Drawn::load(saved.path, &options, session)?;
                if saved.goes_on && drawn.is_weighted() != self.weight.is_some() {
                    let (has, need) = if drawn.is_weighted() { ("", "give") } else { ("out", "leave out") };
                    bail!("{}: was drawn with{has} weights; {need} --weight", saved.path.display());
                }
                if self.condition.is_some() && matches!(drawn, Drawn::Weighted(_)) {
                    bail!(
                        "{}: was drawn by weight and has no sums; draw a sample with --weight and --where, and save that",
                        saved.path.display()
                    );
                }
                if let Some(condition) = &self.condition {
                    drawn.check_column(condition, saved.path)?;
                }
                (drawn, saved.goes_on)
            }
        };
        let columns = Columns { weight: self.weight.as_deref(), ..self.stream.columns(None) };
        let input = goes_on.then(|| match &self.condition {
            None => self.input.open_beside(columns, self.stream.limit, session),
            Some(condition) => {
                let columns = Columns { values: vec![&*condition.column], ..columns };
                self.input.open_columns(columns, "--where", self.stream.limit, session)
            }
        });
        let input = input.transpose()?;
        let of_records = self.input.takes_records() && self.condition.is_none();
        let record_end = self.input.record_end();
        // Without the seed, the sample could not be drawn again.
        let tells_seed = self.seed.is_none() && !self.stream.starts_from_saved();
        let (every, by, limit) = (self.stream.every, self.stream.by, self.stream.limit);
        let wants = if of_records { Wants::default().and_records() } else { Wants::default().and_values() };
        let names = Arc::new(OnceLock::new());
        let new = |drawn: Drawn| {
            let names = Arc::clone(&names);
            let memory = Watch::new(limit, drawn.memory_bytes());
            let condition = self.condition.clone();
            let label = condition.as_ref().map(Where::label).unwrap_or_default();
            Drawing {
                drawn,
                header: Header::default(),
                names,
                condition,
                label,
                of_records,
                record_end,
                memory,
            }
        };
        let input = match input {
            Some(input) if by.by.is_some() => {
                let groups = read_groups(input, wants, &by, limit, || Ok(new(drawn.clone())))?;
                return Ok(Sampled::Groups(groups));
            }
            input => input,
        };
        let mut stream = new(drawn);
        let totals = read(input, wants, every, &mut stream, session)?;
        let saved = session.save(target.as_ref(), || stream.drawn.to_bytes());
        let subset = stream.subset();
        let Drawing { drawn, header, names, .. } = stream;
        Ok(Sampled::All(Part {
            drawn,
            header,
            names,
            subset,
            record_end,
            missing: totals.missing,
            tells_seed,
            saved,
        }))
    }
}

impl Sample {
    fn empty(&self) -> Result<Drawn> {
        let number = self.number.unwrap_or(if self.condition.is_some() { 10_000 } else { 100 });
        let Ok(number) = u32::try_from(number) else {
            bail!("a sample has at most 2^32 - 1 records, got -k {number}; ask for fewer");
        };
        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        Drawn::new(number, seed, self.weight.is_some(), self.condition.is_some())
    }
}

/// What was drawn from all records, or from each group of them.
#[derive(Debug)]
pub(crate) enum Sampled {
    All(Part),
    Groups(Groups<Part>),
}

impl Report for Sampled {
    fn text(&self, page: &mut Page) {
        match self {
            Self::All(part) => part.text(page),
            Self::Groups(groups) if groups.answers().any(|(_, part)| part.subset.is_some()) => {
                groups.text(page);
            }
            Self::Groups(groups) => {
                // One table, whatever the groups: their column tells them apart.
                let header =
                    groups.answers().find_map(|(_, part)| part.header.get().map(|it| (it, part.record_end)));
                if let Some((header, end)) = header {
                    page.record(header, end);
                }
                groups.answers().for_each(|(_, part)| part.print(page));
                groups.note(page);
            }
        }
    }

    fn records(&self, records: &mut Records) {
        match self {
            Self::All(part) => part.records(records),
            Self::Groups(groups) => groups.records(records),
        }
    }
}

/// The records that were drawn.
#[derive(Debug)]
pub(crate) struct Part {
    drawn: Drawn,
    header: Header,
    /// The names of the fields of whole records, for all groups.
    names: Names,
    /// What is answered instead of the records.
    subset: Option<Subset>,
    record_end: u8,
    missing: u64,
    tells_seed: bool,
    saved: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "sampled")]
struct SampledRecord<'a> {
    record: Drawable<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<Number>,
}

/// The seed is hexadecimal.
#[derive(Serialize)]
#[serde(tag = "type", rename = "sample")]
struct SampleRecord<'a> {
    sampled: u64,
    items: u64,
    missing: u64,
    seed: String,
    saved: Option<&'a str>,
}

impl Part {
    fn print(&self, page: &mut Page) {
        self.drawn.items().for_each(|(record, _)| page.record(record, self.record_end));
    }
}

impl Report for Part {
    fn text(&self, page: &mut Page) {
        if let Some(subset) = &self.subset {
            subset.text(page);
        } else {
            if let Some(header) = self.header.get() {
                page.record(header, self.record_end);
            }
            self.print(page);
        }
        if self.tells_seed {
            page.remark(&format!(
                "{} of {}; to draw them again, use --seed {}",
                self.drawn.items().count(),
                plural(self.drawn.total(), "record", "records"),
                seed(self.drawn.seed())
            ));
        }
    }

    fn records(&self, records: &mut Records) {
        let sampled = self.drawn.items().count() as u64;
        if let Some(subset) = &self.subset {
            subset.records(records);
        }
        for (record, weight) in self.drawn.items().filter(|_| self.subset.is_none()) {
            let record = Drawable::new(self.names.get(), record);
            records.row(&SampledRecord { record, weight: weight.map(Number::from) });
        }
        let (items, missing, seed) = (self.drawn.total(), self.missing, seed(self.drawn.seed()));
        records.total(&SampleRecord { sampled, items, missing, seed, saved: self.saved.as_deref() });
    }
}

/// Known from the first rows on, which bring the header.
type Names = Arc<OnceLock<FieldNames>>;

struct Drawing {
    drawn: Drawn,
    header: Header,
    names: Names,
    condition: Option<Where>,
    /// What precedes a kept value, so that a saved sample says what column it is of; empty without a condition.
    label: Vec<u8>,
    of_records: bool,
    record_end: u8,
    memory: Watch,
}

impl Drawing {
    fn subset(&self) -> Option<Subset> {
        self.condition.as_ref().and_then(|condition| Subset::new(&self.drawn, condition))
    }
}

impl Stream for Drawing {
    type Answer = Stepped<Part>;

    fn memory_bytes(&self) -> usize {
        self.drawn.memory_bytes()
    }

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        let kept = if self.of_records {
            self.header.see(batch)?;
            self.names.get_or_init(|| FieldNames::new(batch.source, self.header.get()));
            self.drawn.see(&[], batch.weights, items.clone(), batch.item_records().skip(items.start))?
        } else {
            let values = items.clone().map(|place| batch.values.get(place));
            self.drawn.see(&self.label, batch.weights, items, values)?
        };
        self.memory.has_read(kept, || self.drawn.memory_bytes(), 0)
    }

    fn answer(&mut self, step: StepEnd) -> Result<Stepped<Part>> {
        let (drawn, header, names) = (self.drawn.clone(), self.header.clone(), Arc::clone(&self.names));
        let (record_end, missing) = (self.record_end, step.missing);
        let subset = self.subset();
        let answer =
            Part { drawn, header, names, subset, record_end, missing, tells_seed: false, saved: None };
        Ok(Stepped { step, answer })
    }
}
