//! A profile as records: one for each column, then groups and pairs of columns, then warnings, then the tables.

use super::points;
use super::records::{
    BinJson, ColumnJson, ColumnName, EndJson, GroupJson, LengthsJson, PairJson, QuantileJson, TableJson,
    TopJson, WarningJson,
};
use super::report::{ColumnPlace, ColumnReport, Kept, ProfileReport, TableReport};
use super::warnings::Warning;
use crivo::profile::Key;
use crivo_report::{Bar, Number, Point, QuantileBar, Records, Text};

/// Adds the records of the report.
pub(super) fn add(records: &mut Records, report: &ProfileReport) {
    if report.parts.are_warnings() {
        report.warnings.iter().for_each(|it| records.row(&warning(report, it)));
    } else {
        report.columns().for_each(|(table, column)| records.row(&line(&table.name, column)));
    }
    for group in &report.relations.groups {
        let columns = group.columns.iter().map(|&place| name(report, place)).collect();
        records.total(&GroupJson { relation: group.alike.name(), columns });
    }
    for pair in &report.relations.pairs {
        let overlap = &pair.overlap;
        records.total(&PairJson {
            relation: "joinable",
            a: name(report, pair.a),
            b: name(report, pair.b),
            jaccard: overlap.jaccard.into(),
            shared: overlap.shared.into(),
            of_a: overlap.of_self.into(),
            of_b: overlap.of_other.into(),
        });
    }
    if !report.parts.are_warnings() {
        report.warnings.iter().for_each(|it| records.total(&warning(report, it)));
    }
    for TableReport { name, rows, columns, remarks } in &report.tables {
        let (columns, saved) = (columns.len() as u64, report.saved.as_deref());
        let (groups, others) = (None, None);
        records.total(&TableJson { table: name, rows: *rows, columns, groups, others, remarks, saved });
    }
}

fn warning<'a>(report: &'a ProfileReport, warning: &'a Warning) -> WarningJson<'a> {
    let Warning { columns, finding } = warning;
    WarningJson {
        table: &report.at(columns[0]).0.name,
        columns: columns.iter().map(|&place| report.at(place).1.name.as_str()).collect(),
        warning: finding.defect.name(),
        message: &finding.evidence,
        rows: finding.rows.map(Bar::from),
        values: some(finding.values.iter().map(|kept| Text::from(&kept.text[..])).collect()),
        truncated: finding.values.iter().any(|kept| kept.truncated),
        chance: finding.chance,
    }
}

fn name(report: &ProfileReport, place: ColumnPlace) -> ColumnName<'_> {
    let (table, column) = report.at(place);
    ColumnName { table: &table.name, column: &column.name }
}

/// Returns the record of a column.
pub(super) fn line<'a>(table: &'a str, column: &'a ColumnReport) -> ColumnJson<'a> {
    let text = |text: &'a [u8]| Text::from(text);
    let kept = |kept: &'a Kept| text(&kept.text);
    let point = |number: crivo::Number| {
        if column.column_type.is_time() {
            Point::Time(points::point(column.column_type, column.has_zones, number))
        } else {
            Point::Number(number.into())
        }
    };
    let end = |kept: &'a Kept| match crivo::Number::parse(&kept.text) {
        Some(number) if column.column_type.is_number() => EndJson::Number(number.into()),
        _ => EndJson::Text(text(&kept.text)),
    };
    let outside = column.histogram.as_ref().map(|histogram| histogram.outside);
    let outside = outside.filter(|counts| counts.iter().any(|count| count.upper() > 0.0));
    let quantiles = column.quantiles.iter();
    let quantiles = quantiles.map(|(q, it)| QuantileJson { q: *q, quantile: QuantileBar::new(it, point) });
    let bins = column.histogram.iter().flat_map(|histogram| &histogram.bins);
    let bins = bins.map(|bin| BinJson { from: point(bin.from), to: point(bin.to), count: bin.count.into() });
    let top = column.top.as_ref();
    let first = top.and_then(|top| top.values.first());
    let values = top.map(|top| {
        let values = top.values.iter();
        values
            .map(|it| TopJson { value: text(&it.value), truncated: it.truncated, count: it.count.into() })
            .collect()
    });
    let sample = column.sample.iter().flatten();
    let mut kept_values = sample.chain(&column.minimum).chain(&column.maximum);
    ColumnJson {
        column: &column.name,
        data_type: column.column_type.name(),
        semantic_type: column.semantic.map(|it| it.meaning.name()),
        semantic_share: column.semantic.map(|it| it.share.into()),
        table,
        rows: column.rows,
        exact: column.exact,
        missing: column.missing,
        distinct: column.distinct.map(Bar::from),
        minimum: column.minimum.as_ref().map(end),
        maximum: column.maximum.as_ref().map(end),
        mean: column.mean.map(Number::from),
        standard_deviation: column.standard_deviation.map(Number::from),
        infinite: Some(column.infinite).filter(|&it| it > 0),
        nans: Some(column.nans).filter(|&it| it > 0),
        quantiles: some(quantiles.collect()),
        histogram: some(bins.collect()),
        below: outside.map(|[below, _]| below.into()),
        above: outside.map(|[_, above]| above.into()),
        top_share: first.map(|first| Bar::from(first.count).share_of(column.values as f64)),
        top: values,
        others_most: top.map(|top| Number::from(top.others_most)),
        sample: column.sample.as_ref().map(|sample| sample.iter().map(kept).collect()),
        truncated: kept_values.any(|kept| kept.truncated),
        lengths: column.lengths.map(|it| LengthsJson { minimum: it.least, mean: it.mean, maximum: it.most }),
        key: column.key.map(Key::name),
    }
}

/// Returns `None` if a part was not requested, or the column has none.
fn some<T>(all: Vec<T>) -> Option<Vec<T>> {
    Some(all).filter(|all| !all.is_empty())
}
