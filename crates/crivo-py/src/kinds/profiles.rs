//! Profiles of tables.

use super::{TableProfile, not_an_item, wrap};
use crate::error::{OrRaise, explained};
use crate::estimate::{Estimate, QuantileEstimate};
use crate::sketch::{Sketch, base, write_file};
use crate::table::Table;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, LargeStringArray, UInt64Array};
use crivo::profile::{ColumnSummary, Drift as Found, Measure};
use crivo_tables::profile::{Parts, Profiled};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The confidence of each statement that a column has changed, as in the command.
const CONFIDENCE: f64 = 0.95;

/// Returns the seconds since 1970, for warnings about times in the future.
fn now() -> Option<f64> {
    SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs_f64())
}

fn profile_of(slf: &Bound<'_, TableProfile>) -> PyResult<crivo::TableProfile> {
    let found =
        base(slf).shared.with(slf.py(), |sketch| sketch.downcast_ref::<crivo::TableProfile>().cloned())?;
    found.ok_or_else(not_an_item)
}

fn shown(value: Option<&[u8]>) -> Option<String> {
    value.map(|value| String::from_utf8_lossy(value).into_owned())
}

#[pymethods]
impl TableProfile {
    /// The number of rows.
    #[getter]
    fn rows(slf: &Bound<'_, Self>) -> PyResult<u64> {
        base(slf).shared.with(slf.py(), |sketch| {
            sketch.downcast_ref::<crivo::TableProfile>().map_or(0, crivo::TableProfile::rows)
        })
    }

    /// The names of the columns.
    #[getter]
    fn columns(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        Ok(profile_of(slf)?.columns().map(|(name, _)| name.to_owned()).collect())
    }

    /// The answers for one column.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of a column.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``type``, ``rows``, ``missing``, ``distinct``, ``minimum``, ``maximum``, ``mean``,
    ///     ``standard_deviation``, ``median``, ``key`` and ``top``.
    fn column<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        let profile = profile_of(slf)?;
        let Some(column) = profile.column(name) else {
            let names: Vec<&str> = profile.columns().map(|(name, _)| name).collect();
            return Err(pyo3::exceptions::PyKeyError::new_err(format!(
                "there is no column '{name}'; the columns are {}",
                names.join(", ")
            )));
        };
        let summary = column.summary();
        let told = PyDict::new(py);
        told.set_item("type", summary.column_type().name())?;
        told.set_item("rows", summary.rows())?;
        told.set_item("missing", summary.missing())?;
        told.set_item("distinct", Bound::new(py, Estimate::count(summary.distinct()))?)?;
        told.set_item("minimum", shown(summary.minimum()))?;
        told.set_item("maximum", shown(summary.maximum()))?;
        told.set_item("mean", summary.mean().map(crivo::Number::to_f64))?;
        told.set_item("standard_deviation", summary.standard_deviation())?;
        let median = summary.quantile(0.5).map(|it| QuantileEstimate::of(py, &it)).transpose()?;
        told.set_item("median", median.map(|it| Bound::new(py, it)).transpose()?)?;
        told.set_item("key", summary.key().name())?;
        let top = PyDict::new(py);
        for value in summary.top(10) {
            top.set_item(shown(Some(&value.value)), Bound::new(py, Estimate::count(value.count))?)?;
        }
        told.set_item("top", top)?;
        Ok(told)
    }

    /// A row for each column: its type, missing and distinct values, range, mean, median and most frequent value.
    fn table(slf: &Bound<'_, Self>) -> PyResult<Table> {
        summary_table(&profile_of(slf)?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        slf: &Bound<'py, Self>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        Self::table(slf)?.stream(slf.py(), requested_schema)
    }

    /// The table of the columns as a ``pyarrow.Table``; pyarrow must be installed.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Table::to_arrow(&Bound::new(slf.py(), Self::table(slf)?)?)
    }

    /// The table of the columns as a ``pandas.DataFrame``; pandas must be installed.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Table::to_pandas(&Bound::new(slf.py(), Self::table(slf)?)?)
    }

    /// The table of the columns as a ``polars.DataFrame``; polars must be installed.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Table::to_polars(&Bound::new(slf.py(), Self::table(slf)?)?)
    }

    /// Write the HTML page of ``crivo profile --html``.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The page to write.
    /// title : str, optional
    ///     The title of the page; the path by default.
    #[pyo3(signature = (path, title=None))]
    fn to_html(slf: &Bound<'_, Self>, path: PathBuf, title: Option<String>) -> PyResult<()> {
        let profile = profile_of(slf)?;
        let title = title.unwrap_or_else(|| path.display().to_string());
        let page = slf.py().detach(|| {
            let profiled = Profiled::saved(title, &profile, &[])?;
            Ok::<_, anyhow::Error>(profiled.report(&Parts(Vec::new()), now())?.html())
        });
        write_file(slf.py(), &path, page.map_err(|error| explained(&error))?.as_bytes())
    }

    /// What has changed since an older profile, beyond the error bars of both.
    ///
    /// Parameters
    /// ----------
    /// older : TableProfile
    ///     The profile of the older table.
    fn compare(slf: &Bound<'_, Self>, older: &Bound<'_, Sketch>) -> PyResult<Drift> {
        let new = profile_of(slf)?;
        let old = older
            .get()
            .shared
            .with(slf.py(), |sketch| sketch.downcast_ref::<crivo::TableProfile>().cloned())?;
        let old = old.ok_or_else(|| {
            pyo3::exceptions::PyTypeError::new_err(
                "expected a TableProfile to compare with; load one with crivo.load",
            )
        })?;
        Ok(Drift { found: old.drift(&new, CONFIDENCE).or_raise()? })
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let profile = profile_of(slf)?;
        let shown = slf.py().detach(|| {
            let profiled = Profiled::saved(String::new(), &profile, &[])?;
            Ok::<_, anyhow::Error>(profiled.report(&Parts(Vec::new()), now())?.html_fragment())
        });
        shown.map_err(|error| explained(&error))
    }
}

fn summary_table(profile: &crivo::TableProfile) -> PyResult<Table> {
    let summaries: Vec<(&str, ColumnSummary)> =
        profile.columns().map(|(name, column)| (name, column.summary())).collect();
    let texts = |text: &dyn Fn(&ColumnSummary) -> Option<String>| -> ArrayRef {
        Arc::new(summaries.iter().map(|(_, it)| text(it)).collect::<LargeStringArray>())
    };
    let counts = |count: &dyn Fn(&ColumnSummary) -> u64| -> ArrayRef {
        Arc::new(summaries.iter().map(|(_, it)| Some(count(it))).collect::<UInt64Array>())
    };
    let numbers = |number: &dyn Fn(&ColumnSummary) -> Option<f64>| -> ArrayRef {
        Arc::new(summaries.iter().map(|(_, it)| number(it)).collect::<Float64Array>())
    };
    let names: LargeStringArray = summaries.iter().map(|(name, _)| Some(*name)).collect();
    Table::new(vec![
        ("column", Arc::new(names)),
        ("type", texts(&|it| Some(it.column_type().name().into()))),
        ("missing", counts(&ColumnSummary::missing)),
        ("distinct", numbers(&|it| Some(it.distinct().value()))),
        ("distinct_lower", numbers(&|it| Some(it.distinct().lower()))),
        ("distinct_upper", numbers(&|it| Some(it.distinct().upper()))),
        ("minimum", texts(&|it| shown(it.minimum()))),
        ("maximum", texts(&|it| shown(it.maximum()))),
        ("mean", numbers(&|it| it.mean().map(crivo::Number::to_f64))),
        ("median", numbers(&|it| it.quantile(0.5).map(|found| found.value().to_f64()))),
        ("top", texts(&|it| it.top(1).first().and_then(|top| shown(Some(&top.value))))),
        ("key", texts(&|it| Some(it.key().name().into()))),
    ])
}

/// What has changed between two profiles, beyond the error bars of both.
///
/// It never changes, so threads may share it.
#[pyclass(frozen, module = "crivo")]
#[derive(Debug)]
pub(crate) struct Drift {
    found: Found,
}

impl Drift {
    fn table_of(&self, only_significant: bool) -> PyResult<Table> {
        let changes: Vec<_> = self
            .found
            .columns
            .iter()
            .flat_map(|column| column.changes.iter().map(move |change| (column.column.as_str(), change)))
            .filter(|(_, change)| change.significant || !only_significant)
            .collect();
        let names: LargeStringArray = changes.iter().map(|(name, _)| Some(*name)).collect();
        let measures: LargeStringArray = changes.iter().map(|(_, it)| Some(it.measure.name())).collect();
        let numbers = |number: &dyn Fn(&crivo::profile::Change) -> f64| -> ArrayRef {
            Arc::new(changes.iter().map(|(_, it)| Some(number(it))).collect::<Float64Array>())
        };
        // A share is that of one value.
        let values: LargeStringArray = changes
            .iter()
            .map(|(_, it)| match &it.measure {
                Measure::Share { value, .. } => shown(Some(value)),
                _ => None,
            })
            .collect();
        let significant: BooleanArray = changes.iter().map(|(_, it)| Some(it.significant)).collect();
        Table::new(vec![
            ("column", Arc::new(names)),
            ("measure", Arc::new(measures)),
            ("value", Arc::new(values)),
            ("old", numbers(&|it| it.old.value())),
            ("new", numbers(&|it| it.new.value())),
            ("effect", numbers(&|it| it.effect)),
            ("significant", Arc::new(significant)),
        ])
    }
}

#[pymethods]
impl Drift {
    /// The numbers of rows, before and after.
    #[getter]
    fn rows(&self) -> (u64, u64) {
        self.found.rows
    }

    /// The columns that only the newer table has.
    #[getter]
    fn added(&self) -> Vec<String> {
        self.found.added.clone()
    }

    /// The columns that only the older table has.
    #[getter]
    fn gone(&self) -> Vec<String> {
        self.found.gone.clone()
    }

    /// The columns that changed: in type, or in a measure beyond both error bars.
    #[getter]
    fn changed(&self) -> Vec<String> {
        let changed = self.found.columns.iter().filter(|column| {
            column.types.0 != column.types.1 || column.changes.iter().any(|change| change.significant)
        });
        changed.map(|column| column.column.clone()).collect()
    }

    /// A row for each measure of each column: before, after, the size of the change, and whether it exceeds chance and
    /// the errors of both profiles. A measure ``share`` is the share of one ``value``.
    fn table(&self) -> PyResult<Table> {
        self.table_of(false)
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let table = self.table_of(true)?.html()?;
        Ok(format!("<p>{}</p>{table}", crivo_report::escape(&self.__repr__())))
    }

    fn __bool__(&self) -> bool {
        !self.found.added.is_empty() || !self.found.gone.is_empty() || !self.changed().is_empty()
    }

    fn __repr__(&self) -> String {
        let named = |what: &str, names: &[String]| match names {
            [] => String::new(),
            names => format!(" {what}={}", names.join(",")),
        };
        let (old, new) = self.found.rows;
        let (changed, added, gone) = (self.changed(), &self.found.added, &self.found.gone);
        format!(
            "<Drift rows={old}→{new}{}{}{}>",
            named("changed", &changed),
            named("added", added),
            named("gone", gone)
        )
    }
}

/// A profile as an object.
pub(crate) fn wrap_profile(py: Python<'_>, profile: crivo::TableProfile) -> PyResult<Bound<'_, PyAny>> {
    wrap(py, Box::new(profile))
}
