//! The report on tables, independent of the output format: text, records and HTML all print this.

use super::pairs::{self, Compared, MOST_COLUMNS, Relations};
use super::parts::{Part, Parts};
use super::profiled::ProfiledTable;
use super::semantic::{self, Semantic};
use super::warnings::{self, Warning};
use super::{html, json, text};
use anyhow::Result;
use crivo::profile::{Bin, ColumnProfile, ColumnSummary, ColumnType, Key, TopValue};
use crivo::{Estimate, Number, QuantileEstimate};
use crivo_report::{Page, Records, Report, count, plural, shown_column};

/// The report on the tables of one run.
#[derive(Debug)]
pub struct ProfileReport {
    pub(crate) tables: Vec<TableReport>,
    /// Columns that are equal, have the same distribution or could be joined.
    pub(crate) relations: Relations,
    /// What may be wrong with the data, the most harmful first.
    pub(crate) warnings: Vec<Warning>,
    /// The requested parts.
    pub(crate) parts: Parts,
    /// The file that the profile was saved to.
    pub saved: Option<String>,
    /// Whether small bars, which are not letters, can be shown.
    pub draws_bars: bool,
    /// Whether a program exits with code 1 if there are warnings.
    pub fails_on_warnings: bool,
}

#[derive(Debug)]
pub(crate) struct TableReport {
    pub(crate) name: String,
    pub(crate) rows: u64,
    pub(crate) columns: Vec<ColumnReport>,
    /// Notes for the reader, as sentences.
    pub(crate) remarks: Vec<String>,
}

/// The report on one column. A part that was not requested is `None`, or empty.
#[derive(Debug)]
pub(crate) struct ColumnReport {
    pub(crate) name: String,
    pub(crate) column_type: ColumnType,
    /// What the values stand for.
    pub(crate) semantic: Option<Semantic>,
    pub(crate) rows: u64,
    pub(crate) values: u64,
    /// Whether all distinct values were kept, so that no answer is an estimate.
    pub(crate) exact: bool,
    /// Whether all values are equal.
    pub(crate) is_constant: bool,
    /// Whether there are times with a zone.
    pub(crate) has_zones: bool,
    pub(crate) missing: Option<u64>,
    pub(crate) distinct: Option<Estimate>,
    pub(crate) minimum: Option<Kept>,
    pub(crate) maximum: Option<Kept>,
    /// The mean of the finite values.
    pub(crate) mean: Option<Number>,
    pub(crate) standard_deviation: Option<f64>,
    pub(crate) infinite: u64,
    pub(crate) nans: u64,
    /// The quantiles, each with its rank as a share.
    pub(crate) quantiles: Vec<(f64, QuantileEstimate<Number>)>,
    pub(crate) histogram: Option<Histogram>,
    pub(crate) top: Option<Top>,
    pub(crate) sample: Option<Vec<Kept>>,
    pub(crate) lengths: Option<Lengths>,
    pub(crate) key: Option<Key>,
}

/// A value, or the beginning of a long one.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) text: Vec<u8>,
    pub(crate) truncated: bool,
}

impl Kept {
    fn new(text: &[u8], summary: &ColumnSummary) -> Self {
        const MOST: usize = ColumnProfile::LONGEST_KEPT;
        let longest = summary.lengths().map_or(0, |(_, _, longest)| longest);
        let truncated = text.len() == MOST && longest > MOST as u64;
        Self { text: whole_characters(text, truncated).into(), truncated }
    }
}

/// Returns the beginning of a value without the part of a character that may be at its end.
pub(super) fn whole_characters(text: &[u8], truncated: bool) -> &[u8] {
    match std::str::from_utf8(text) {
        // An error without a length means that the text ends within a character.
        Err(error) if truncated && error.error_len().is_none() => &text[..error.valid_up_to()],
        _ => text,
    }
}

/// The distribution of the numbers or times of a column.
#[derive(Debug)]
pub(crate) struct Histogram {
    pub(crate) bins: Vec<Bin>,
    /// Whether the outermost values are left out, because otherwise nearly all values would be in one bar.
    pub(crate) middle: bool,
    /// The numbers of values below and above all bins.
    pub(crate) outside: [Estimate; 2],
}

/// The most frequent values of a column.
#[derive(Debug)]
pub(crate) struct Top {
    pub(crate) values: Vec<TopValue>,
    /// The largest frequency that a value outside of the list can have.
    pub(crate) others_most: f64,
}

/// The lengths of a column's texts, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    pub(crate) least: u64,
    pub(crate) mean: f64,
    pub(crate) most: u64,
}

impl Report for ProfileReport {
    fn text(&self, page: &mut Page) {
        text::print(page, self);
    }

    fn records(&self, records: &mut Records) {
        json::add(records, self);
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.fails_on_warnings && !self.warnings.is_empty())
    }
}

impl ProfileReport {
    pub(super) fn new(tables: &[ProfiledTable], parts: &Parts, now: Option<f64>) -> Result<Self> {
        let mut report = Self {
            tables: Vec::new(),
            relations: Relations::default(),
            warnings: Vec::new(),
            parts: parts.clone(),
            saved: None,
            draws_bars: true,
            fails_on_warnings: false,
        };
        let mut compared = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            let (mut columns, mut remarks) = (Vec::new(), Vec::new());
            for (place, (column, profile)) in table.profile.columns().enumerate() {
                let summary = profile.summary();
                columns.push(ColumnReport::new(column, &summary, parts));
                remarks.extend(special_values(column, &summary));
                let order = table.orders.as_ref().map(|all| &all[place]);
                let fingerprint = order.map(|(fingerprint, _)| *fingerprint);
                let place = ColumnPlace { table: number, column: place };
                if parts.has(Part::Warnings) {
                    report.warnings.extend(warnings::of_column(place, &summary, now));
                    report.warnings.extend(
                        order.and_then(|(_, order)| warnings::of_order(place, summary.column_type(), order)),
                    );
                }
                // Summaries are large, so no more are kept than are compared.
                if parts.has_any(&[Part::Pairs, Part::Warnings]) && compared.len() < MOST_COLUMNS {
                    compared.push(Compared { place, summary, fingerprint });
                }
            }
            if parts.has(Part::Warnings) {
                report.warnings.extend(warnings::of_missing(number, table));
            }
            remarks.extend_from_slice(&table.remarks);
            let (name, rows) = (table.name.clone(), table.profile.rows());
            report.tables.push(TableReport { name, rows, columns, remarks });
        }
        if parts.has_any(&[Part::Pairs, Part::Warnings]) {
            let relations = pairs::find(&compared)?;
            if parts.has(Part::Warnings) {
                let rows = |table: usize| tables[table].profile.rows();
                report.warnings.extend(warnings::of_groups(&relations.groups, rows));
            }
            if parts.has(Part::Pairs) {
                report.relations = relations;
            }
            let many = report.columns().count() > MOST_COLUMNS;
            if let (true, Some(table)) = (many, report.tables.first_mut()) {
                table.remarks.push(format!("pairs were looked for among the first {MOST_COLUMNS} columns"));
            }
        }
        report.warnings.sort_by_key(|warning| warning.finding.defect);
        Ok(report)
    }

    /// Returns the report as one self-contained HTML page.
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// Returns the table of all columns as a part of an HTML page, such as a notebook.
    pub fn html_fragment(&self) -> String {
        html::fragment(self)
    }

    /// Returns all columns of all tables.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&TableReport, &ColumnReport)> {
        self.tables.iter().flat_map(|table| table.columns.iter().map(move |column| (table, column)))
    }

    pub(super) fn at(&self, place: ColumnPlace) -> (&TableReport, &ColumnReport) {
        let table = &self.tables[place.table];
        (table, &table.columns[place.column])
    }

    /// Returns the name of a column, with the name of its table if there are several tables.
    pub(super) fn name(&self, place: ColumnPlace) -> String {
        let (table, column) = self.at(place);
        if self.tables.len() > 1 { format!("{}:{}", table.name, column.name) } else { column.name.clone() }
    }
}

/// The place of a column: its table, and its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColumnPlace {
    pub(crate) table: usize,
    pub(crate) column: usize,
}

/// The ranks, as shares, of the reported quantiles.
const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
const TOP: usize = 10;

impl ColumnReport {
    pub(super) fn new(name: &str, summary: &ColumnSummary, parts: &Parts) -> Self {
        let kept = |text: &[u8]| Kept::new(text, summary);
        // A single row is always distinct, which says nothing. Measured values are not used as keys.
        let key = || match summary.column_type() {
            ColumnType::Float => None,
            _ if summary.rows() > 1 => Some(summary.key()),
            _ => Some(Key::No),
        };
        let quantiles = || QUANTILES.iter().filter_map(|&q| Some((q, summary.quantile(q)?))).collect();
        let lengths = || summary.lengths().map(|(least, mean, most)| Lengths { least, mean, most });
        Self {
            name: name.into(),
            column_type: summary.column_type(),
            semantic: semantic::of_column(name, summary),
            rows: summary.rows(),
            values: summary.values(),
            exact: summary.is_exact(),
            is_constant: summary.is_exact() && summary.distinct().value() == 1.0,
            has_zones: summary.has_zones(),
            missing: parts.ask(Part::Missing, || summary.missing()),
            distinct: parts.ask(Part::Distinct, || summary.distinct()),
            minimum: parts.ask(Part::Range, || summary.minimum().map(kept)).flatten(),
            maximum: parts.ask(Part::Range, || summary.maximum().map(kept)).flatten(),
            mean: parts.ask(Part::Mean, || summary.mean()).flatten(),
            standard_deviation: parts.ask(Part::Mean, || summary.standard_deviation()).flatten(),
            infinite: summary.infinite(),
            nans: summary.nans(),
            quantiles: parts.ask(Part::Quantiles, quantiles).unwrap_or_default(),
            histogram: parts.ask(Part::Histogram, || Histogram::new(summary)).flatten(),
            top: parts.ask(Part::Top, || Top::new(summary)),
            sample: parts.ask(Part::Sample, || summary.sample().iter().map(|it| kept(it)).collect()),
            lengths: parts.ask(Part::Lengths, lengths).flatten(),
            key: parts.ask(Part::Key, key).flatten(),
        }
    }

    /// Returns a number of values as a share of all values that are not missing.
    pub(super) fn share(&self, number: f64) -> f64 {
        if self.values == 0 { 0.0 } else { number / self.values as f64 }
    }

    /// Returns the only value of a constant column, for which further parts would repeat it.
    pub(super) fn constant(&self) -> Option<&Kept> {
        self.minimum.as_ref().filter(|_| self.is_constant)
    }
}

/// The share of the values that is left out on either side of a histogram of the middle.
pub(crate) const OUTER: f64 = 0.01;

impl Histogram {
    /// Returns `None` if the values are neither numbers nor times.
    fn new(summary: &ColumnSummary) -> Option<Self> {
        const BINS: usize = 20;
        /// The outer values are left out if all values span more than this many times the middle.
        const FAR: f64 = 3.0;
        let bins = summary.histogram(BINS);
        let (first, last) = (bins.first()?, bins.last()?);
        let end = |share| summary.quantile(share).map(|it| *it.value());
        let (least, greatest) = (end(OUTER)?, end(1.0 - OUTER)?);
        let length = |from: Number, to: Number| to.to_f64() - from.to_f64();
        let middle = least < greatest && length(first.from, last.to) > FAR * length(least, greatest);
        let bins = if middle { summary.histogram_between(least, greatest, BINS) } else { bins };
        let outside = summary.outside(&bins)?;
        Some(Self { bins, middle, outside })
    }

    pub(super) fn highest(&self) -> f64 {
        self.bins.iter().map(|bin| bin.count.value()).fold(0.0, f64::max)
    }
}

impl Top {
    fn new(summary: &ColumnSummary) -> Self {
        let mut values = summary.top(TOP);
        for it in &mut values {
            it.value.truncate(whole_characters(&it.value, it.truncated).len());
        }
        Self { values, others_most: summary.others_most(TOP) as f64 }
    }

    /// Returns the most frequent values, or none if all of them may be as rare as any other value.
    pub(super) fn listed(&self) -> &[TopValue] {
        let tells = self.values.first().is_some_and(|first| first.count.lower() > 1.0);
        if tells { &self.values } else { &[] }
    }
}

/// Returns a note such as `x: 3 values are infinite and 1 is NaN; mean and deviation are of the other 9,996`.
fn special_values(column: &str, summary: &ColumnSummary) -> Option<String> {
    let (infinite, nans) = (summary.infinite(), summary.nans());
    let infinite = (infinite > 0).then(|| plural(infinite, "value is infinite", "values are infinite"));
    let nans = (nans > 0).then(|| plural(nans, "value is NaN", "values are NaN"));
    let special: Vec<String> = infinite.into_iter().chain(nans).collect();
    let (column, finite) = (shown_column(column), count(summary.finite()));
    let what = special.join(" and ");
    (!special.is_empty()).then(|| format!("{column}: {what}; mean and deviation are of the other {finite}"))
}
