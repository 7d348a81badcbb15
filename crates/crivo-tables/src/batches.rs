//! Parses and hashes records on all cores, and passes them to the caller in batches.

use super::driver::{Consumer, drive};
use super::reader::Piece;
use super::{Batch, Columns, Fault, Input, Source, Syntax, Totals, Wants, json, lines, table};
use anyhow::{Result, bail};
use crivo::{HashSpec, ItemForm};
use std::ops::ControlFlow;
use std::sync::Arc;

impl Input {
    /// Passes all batches, with the requested columns, to `each` in input order, until `each` asks to stop.
    ///
    /// # Errors
    /// If a source cannot be read, and the errors of `each`.
    pub fn read(
        self,
        wants: Wants,
        mut each: impl FnMut(&Batch<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<Totals> {
        self.read_each(wants, &mut each)
    }

    /// The part of `read` without type parameters, so that it is compiled only once.
    fn read_each(
        self,
        wants: Wants,
        each: &mut dyn FnMut(&Batch<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<Totals> {
        self.map(wants, |(), _| Ok(()), |batch, ()| each(batch))
    }

    /// Like `read_each`, but `each` also receives the result of `work` for each batch. `work` runs on all cores,
    /// with one state for each worker.
    ///
    /// # Errors
    /// If a source cannot be read, and the errors of `work` and `each`.
    pub fn map<S: Clone + Default + Send + 'static, T: Default + Send + 'static>(
        self,
        wants: Wants,
        work: impl Fn(&mut S, &Batch<'_>) -> crivo::Result<T> + Clone + Send + 'static,
        each: impl FnMut(&Batch<'_>, T) -> Result<ControlFlow<()>>,
    ) -> Result<Totals> {
        let workers = vec![S::default(); self.jobs];
        let (totals, _) = self.run(wants, workers, work, each)?;
        Ok(totals)
    }

    /// Hashes all values and passes the hashes to `take`, in any order. Each worker has one of `states`.
    ///
    /// # Errors
    /// If a source cannot be read, and the errors of `take`.
    pub fn fold<S: Send + 'static>(
        self,
        spec: HashSpec,
        states: Vec<S>,
        take: impl Fn(&mut S, &[u64]) -> crivo::Result<()> + Clone + Send + 'static,
    ) -> Result<(Totals, Vec<S>)> {
        let take = move |state: &mut S, batch: &Batch<'_>| take(state, batch.hashes);
        self.run(Wants::hashes(spec), states, take, |_, ()| Ok(ControlFlow::Continue(())))
    }

    /// Runs one worker for each of `states`. `take` receives a worker's batches with its state, and `each` receives
    /// all batches in input order.
    fn run<S: Send + 'static, T: Default + Send + 'static>(
        self,
        wants: Wants,
        states: Vec<S>,
        take: impl Fn(&mut S, &Batch<'_>) -> crivo::Result<T> + Clone + Send + 'static,
        each: impl FnMut(&Batch<'_>, T) -> Result<ControlFlow<()>>,
    ) -> Result<(Totals, Vec<S>)> {
        if wants.hash.is_some_and(|spec| spec.form() == ItemForm::Typed) {
            bail!(
                "the saved sketch was made from typed values, such as integers, but the command reads texts, which are \
                 other items; make a sketch of its own of this input, or make the saved one from texts"
            );
        }
        let input = Arc::new(self);
        let work = {
            let input = Arc::clone(&input);
            move |state: &mut S, piece: &mut Piece, ()| {
                input.parse(piece, wants);
                if piece.findings.fault.is_some() {
                    return T::default();
                }
                take(state, &piece.batch(&input.sources)).unwrap_or_else(|error| {
                    piece.findings.fault = Some(Fault::whole(error.to_string()));
                    T::default()
                })
            }
        };
        let prints = wants.records() || input.prints;
        let consumer = Batches { sources: &input.sources, each };
        let (totals, states) = drive(&input, prints, states, |_| (), work, consumer)?;
        if totals.items == 0 && totals.not_numbers.count > 0 {
            bail!(
                "no value is a number, the first being {}; check --column and --format",
                totals.not_numbers.first()
            );
        }
        totals.invalid.tell(totals.items == 0 && totals.missing == totals.invalid.lines, &*input.watch)?;
        if let Some(column) = input.without_values(&totals) {
            let what = format!("no record has a value for '{column}'; check the name");
            if input.needs_values {
                bail!(what);
            }
            input.watch.remark(&what);
        }
        Ok((totals, states))
    }

    /// Returns a requested column of values or groups that is empty in all records.
    fn without_values(&self, totals: &Totals) -> Option<&str> {
        let Totals { items, missing, groups, .. } = *totals;
        let value = self.columns.values.first().filter(|_| items == 0 && missing > 0);
        value.map(String::as_str).or(self.columns.by.as_deref().filter(|_| items > 0 && !groups))
    }

    fn parse(&self, piece: &mut Piece, wants: Wants) {
        if piece.findings.fault.is_some() {
            return;
        }
        piece.findings.clear(wants);
        if let Err(fault) = piece.decode(wants.records()) {
            piece.findings.fault = Some(fault);
            return;
        }
        let (source, places) = (piece.source, std::mem::take(&mut piece.places));
        let values = match self.sources[source].format.syntax {
            Syntax::JsonLines => self.columns.of_json().values.len(),
            _ => places.values.len(),
        };
        if wants.are_numbers() && values > 1 {
            piece.findings.fault = Some(Fault::whole("a number stands in one column; give --column once"));
            return;
        }
        if self.sources.len() > 1 && !places.values.is_empty() {
            piece.findings.column_names = self.column_names(piece, &places);
        }
        let (data, findings) = piece.parts();
        match self.sources[source].format.syntax {
            Syntax::Lines { end } => lines::parse(data, end, &wants, &self.missing, findings),
            Syntax::Table { delimiter, .. } => {
                table::parse(data, delimiter, false, &places, &self.missing, findings);
            }
            Syntax::Parquet => table::parse(data, b',', true, &places, &self.missing, findings),
            Syntax::JsonLines => {
                json::parse(data, &self.columns, &self.missing, self.skips_invalid, findings);
            }
            Syntax::Whole => {
                findings.values_lie_in_piece();
                findings.push(data, 0, data.len(), 0);
            }
        }
    }

    /// Returns the names of the value columns, if the piece begins with a header.
    fn column_names(&self, piece: &Piece, places: &Columns<usize>) -> Option<Vec<Vec<u8>>> {
        let delimiter = match self.sources[piece.source].format.syntax {
            Syntax::Table { delimiter, .. } => delimiter,
            _ => b',',
        };
        let fields = table::first_record(piece.header()?, delimiter)?.fields;
        Some(places.values.iter().filter_map(|&place| fields.get(place).cloned()).collect())
    }
}

/// Passes the results of each piece to the caller.
struct Batches<'a, F> {
    sources: &'a [Source],
    each: F,
}

impl<T, F: FnMut(&Batch<'_>, T) -> Result<ControlFlow<()>>> Consumer<T> for Batches<'_, F> {
    fn take(&mut self, piece: &Piece, found: T) -> Result<ControlFlow<()>> {
        (self.each)(&piece.batch(self.sources), found)
    }
}
