//! `crivo sample`: a fair part.

mod drawn;

use super::header::Header;
use super::memory::Watch;
use super::steps::{StepEnd, Stream, read};
use crate::args::{InputArgs, StreamArgs, decode_options, parse_count, parse_seed};
use crate::input::{Batch, Columns, Totals, Wants};
use crate::output::{Answer, Number, Output, Text, plural, remark, save_and_print, seed};
use crate::session::Session;
use anyhow::{Result, bail};
use clap::Args;
use drawn::Drawn;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::process::ExitCode;

/// A random sample of the records
///
/// Every record has the same chance, and so has every set of them; with --weight, a record is the more likely the more
/// it weighs. Records are printed as they were, rows of tables below their header; with --column, only its values.
///
/// The order in which they are printed means nothing: it is neither that of the input nor random. The header of a table
/// is not saved with --save.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  crivo sample access.log -k 100
  crivo sample visits.csv -k 1000 --seed 42 > part.csv
  crivo sample sales.csv --weight amount -k 50
  crivo sample monday.csv --save monday.crv > /dev/null
  crivo merge monday.crv tuesday.crv -o both.crv && crivo sample --from both.crv")]
pub(crate) struct Sample {
    #[command(flatten)]
    input: InputArgs,

    /// How many records
    #[arg(long = "number", short = 'k', value_name = "K", default_value = "100", value_parser = parse_count,
          conflicts_with = "from")]
    number: u64,

    /// The chance of a record grows with this column, a number from 0 on
    ///
    /// As if records were drawn one after the other, each time with chances in proportion to the weights of those left.
    /// A record of weight 0 is never drawn; one without a weight is left out and reported.
    #[arg(long, value_name = "COLUMN", help_heading = "Input")]
    weight: Option<String>,

    /// The same seed gives the same sample of the same input; without it each run draws its own
    ///
    /// Samples merge only if their seeds differ.
    #[arg(long, value_name = "N", value_parser = parse_seed, conflicts_with = "from")]
    seed: Option<u64>,

    #[command(flatten)]
    stream: StreamArgs,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Sample {
    pub(crate) fn run(&self, session: &Session) -> Result<ExitCode> {
        session.set_quiet(self.quiet);
        let target = self.stream.save.target(session)?;
        let (drawn, header, totals) = self.draw(session)?;
        save_and_print(
            target.as_ref(),
            || drawn.to_bytes(),
            |output, saved| self.print(output, &drawn, &header, totals.nulls, saved),
            session,
        )?;
        if self.seed.is_none() && !self.stream.starts_from_saved() && !self.stream.form.json() && !self.quiet
        {
            remark(&format!(
                "{} of {}; to draw them again, say --seed {}",
                drawn.items().count(),
                plural(drawn.total(), "record", "records"),
                seed(drawn.seed())
            ));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// From its file, or from the input.
    fn draw(&self, session: &Session) -> Result<(Drawn, Header, Totals)> {
        let of_input = self.input.is_described() || self.weight.is_some();
        let drawn = match self.stream.saved(self.input.is_named(), of_input)? {
            None => self.empty()?,
            Some(saved) => {
                let options = decode_options(None, &self.stream.limit);
                let drawn = Drawn::load(saved.path, &options, session)?;
                if !saved.goes_on {
                    return Ok((drawn, Header::default(), Totals::default()));
                }
                if drawn.is_weighted() != self.weight.is_some() {
                    let (has, need) = if drawn.is_weighted() { ("", "give") } else { ("out", "leave out") };
                    bail!("{}: was drawn with{has} weights; {need} --weight", saved.path.display());
                }
                drawn
            }
        };
        let columns = Columns { weight: self.weight.as_deref(), ..self.stream.columns(None) };
        let input = self.input.open_beside(columns, &self.stream.limit, session)?;
        let of_records = self.input.takes_records();
        let wants = if of_records { Wants::default().and_records() } else { Wants::default().and_values() };
        let memory = Watch::new(&self.stream.limit, drawn.memory_bytes());
        let mut stream = Drawing { verb: self, drawn, header: Header::default(), of_records, memory };
        let totals = read(input, wants, self.stream.every, &mut stream, session)?;
        Ok((stream.drawn, stream.header, totals))
    }

    fn empty(&self) -> Result<Drawn> {
        let Ok(number) = u32::try_from(self.number) else {
            bail!("a sample has at most 2^32 - 1 records, got -k {}; ask for fewer", self.number);
        };
        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        Drawn::new(number, seed, self.weight.is_some())
    }

    fn print(
        &self,
        output: &mut Output,
        drawn: &Drawn,
        header: &Header,
        nulls: u64,
        saved: Option<String>,
    ) -> Result<()> {
        let end = self.input.record_end();
        if let (Some(header), false) = (header.get(), self.stream.form.json()) {
            output.record(header, end)?;
        }
        let mut sampled = 0;
        for (record, weight) in drawn.items() {
            sampled += 1;
            if self.stream.form.json() {
                let weight = weight.map(Number::from);
                output.json(&Answer::Sampled { record: Text::from(record), weight })?;
            } else {
                output.record(record, end)?;
            }
        }
        if self.stream.form.json() {
            let (items, seed) = (drawn.total(), seed(drawn.seed()));
            output.json(&Answer::Sample { sampled, items, nulls, seed, saved })?;
        }
        Ok(())
    }
}

struct Drawing<'a> {
    verb: &'a Sample,
    drawn: Drawn,
    header: Header,
    of_records: bool,
    memory: Watch<'a>,
}

impl Stream for Drawing<'_> {
    type Answer = ();

    fn take(&mut self, batch: &Batch<'_>, items: Range<usize>) -> Result<()> {
        let kept = if self.of_records {
            self.header.see(batch)?;
            self.drawn.see(batch.weights, items.clone(), batch.item_records().skip(items.start))?
        } else {
            self.drawn.see(batch.weights, items.clone(), items.map(|place| batch.values.get(place)))?
        };
        self.memory.has_read(kept, || self.drawn.memory_bytes(), 0)
    }

    fn answer(&mut self, step: StepEnd) -> Result<()> {
        let mut output = Output::step(self.verb.stream.form.json());
        step.print(&mut output, self.verb.stream.form.json())?;
        self.verb.print(&mut output, &self.drawn, &self.header, step.nulls, None)?;
        output.flush()
    }
}
