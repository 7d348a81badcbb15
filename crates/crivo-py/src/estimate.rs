//! Answers with error bars.

use crivo::{Guarantee, Number};
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What an estimate counts: it decides how it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// A number of items.
    Count,
    /// A probability.
    Rate,
    /// A similarity from 0 to 1.
    Similarity,
    /// Any number.
    Real,
}

/// An answer with its interval: ``lower <= value <= upper``.
///
/// Attributes
/// ----------
/// value : float
///     The point estimate.
/// lower, upper : float
///     The ends of the interval. ``upper`` is infinite if the sketch is saturated.
/// guarantee : str
///     ``'certain'``, ``'proven'`` (by a theorem) or ``'approximate'`` (by a limit law).
/// confidence : float
///     The probability that the interval contains the true value; 1.0 if it is certain.
///
/// Notes
/// -----
/// ``float(e)`` is the value. An estimate cannot be ordered against a number, because the answer would hide the
/// uncertainty: write ``e.lower > x`` or ``e.upper < x``. It never changes, so threads may share it.
#[pyclass(frozen, module = "crivo")]
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    /// The point estimate.
    #[pyo3(get)]
    pub(crate) value: f64,
    /// The lower end of the interval.
    #[pyo3(get)]
    pub(crate) lower: f64,
    /// The upper end of the interval.
    #[pyo3(get)]
    pub(crate) upper: f64,
    guarantee: Guarantee,
    text: String,
}

impl Estimate {
    pub(crate) fn of(estimate: crivo::Estimate, what: Of) -> Self {
        let joined = |[value, bar]: [String; 2]| format!("{value} ({})", bar.trim_matches(['(', ')']));
        let text = match what {
            Of::Count => joined(crivo_report::estimate_cells(&estimate)),
            Of::Rate => crivo_report::rate(&estimate).replacen("  ", " ", 1),
            Of::Similarity => joined(crivo_report::alike_cells(&estimate)),
            Of::Real => estimate.to_string(),
        };
        Self {
            value: estimate.value(),
            lower: estimate.lower(),
            upper: estimate.upper(),
            guarantee: estimate.guarantee(),
            text,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn count(estimate: crivo::Estimate) -> Self {
        Self::of(estimate, Of::Count)
    }

    pub(crate) fn rate(estimate: crivo::Estimate) -> Self {
        Self::of(estimate, Of::Rate)
    }

    pub(crate) fn similarity(estimate: crivo::Estimate) -> Self {
        Self::of(estimate, Of::Similarity)
    }
}

fn guarantee_of(name: &str, confidence: f64) -> PyResult<Guarantee> {
    match name {
        "certain" => Ok(Guarantee::Certain),
        "proven" => Ok(Guarantee::Proven { confidence }),
        "approximate" => Ok(Guarantee::Approximate { confidence }),
        _ => Err(PyValueError::new_err(format!(
            "guarantee is 'certain', 'proven' or 'approximate', but is '{name}'; give one of these"
        ))),
    }
}

fn ordered(operator: CompareOp) -> PyErr {
    let operator = match operator {
        CompareOp::Lt | CompareOp::Le => "e.upper < x",
        _ => "e.lower > x",
    };
    PyTypeError::new_err(format!(
        "an estimate has no order, because its true value may lie on either side; write {operator}, or float(e) to \
         ignore the error"
    ))
}

#[pymethods]
impl Estimate {
    #[new]
    fn new(
        value: f64,
        lower: f64,
        upper: f64,
        guarantee: &str,
        confidence: f64,
        text: String,
    ) -> PyResult<Self> {
        if !(lower <= value && value <= upper) {
            return Err(PyValueError::new_err(format!(
                "the value {value} does not lie between {lower} and {upper}; give the bounds in order"
            )));
        }
        Ok(Self { value, lower, upper, guarantee: guarantee_of(guarantee, confidence)?, text })
    }

    /// How far the interval can be trusted: ``'certain'``, ``'proven'`` or ``'approximate'``.
    #[getter]
    fn guarantee(&self) -> &'static str {
        self.guarantee.name()
    }

    /// The probability that the interval contains the true value.
    #[getter]
    fn confidence(&self) -> f64 {
        self.guarantee.confidence()
    }

    /// Whether the answer is known exactly.
    fn is_exact(&self) -> bool {
        self.guarantee == Guarantee::Certain && self.lower >= self.upper
    }

    /// The longer side of the interval as a share of the value.
    fn relative_error(&self) -> f64 {
        let reach = (self.value - self.lower).max(self.upper - self.value);
        if reach == 0.0 { 0.0 } else { reach / self.value.abs() }
    }

    fn __float__(&self) -> f64 {
        self.value
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let rounded = self.value.round().into_pyobject(py)?;
        Ok(rounded.call_method0("__int__")?.unbind())
    }

    fn __contains__(&self, truth: f64) -> bool {
        self.lower <= truth && truth <= self.upper
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let is_equal = other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.value == other.value
                && self.lower == other.lower
                && self.upper == other.upper
                && self.guarantee == other.guarantee
        });
        match operator {
            CompareOp::Eq => is_equal.into_py_any(py),
            CompareOp::Ne => (!is_equal).into_py_any(py),
            _ => Err(ordered(operator)),
        }
    }

    fn __hash__(&self) -> u64 {
        crivo::HashSpec::default().hash(&(self.value, self.lower, self.upper))
    }

    fn __format__(&self, form: &str, py: Python<'_>) -> PyResult<String> {
        if form.is_empty() {
            return Ok(self.text.clone());
        }
        self.value.into_pyobject(py)?.call_method1("__format__", (form,))?.extract()
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = |number: f64| -> PyResult<String> { number.into_pyobject(py)?.repr()?.extract() };
        let [value, lower, upper] = [self.value, self.lower, self.upper].map(shown);
        let (guarantee, confidence) = (self.guarantee.name(), self.guarantee.confidence());
        Ok(format!(
            "Estimate(value={}, lower={}, upper={}, '{guarantee}', {confidence:?})",
            value?, lower?, upper?
        ))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let Self { value, lower, upper, guarantee, text } = slf.get();
        let arguments = (*value, *lower, *upper, guarantee.name(), guarantee.confidence(), text.clone());
        Ok((slf.get_type().into_any(), arguments.into_pyobject(slf.py())?))
    }
}

/// A quantile with its interval, in the type of the data: ``lower <= value <= upper``.
///
/// Attributes
/// ----------
/// value, lower, upper : int, float, str or bytes
///     The value, and the ends of the interval.
/// guarantee : str
///     ``'certain'``, ``'proven'`` or ``'approximate'``.
/// confidence : float
///     The probability that the interval contains the true value.
///
/// Notes
/// -----
/// It never changes, so threads may share it.
#[pyclass(frozen, module = "crivo")]
#[derive(Debug)]
pub(crate) struct QuantileEstimate {
    /// The point estimate.
    #[pyo3(get)]
    value: Py<PyAny>,
    /// The lower end of the interval.
    #[pyo3(get)]
    lower: Py<PyAny>,
    /// The upper end of the interval.
    #[pyo3(get)]
    upper: Py<PyAny>,
    guarantee: Guarantee,
}

impl QuantileEstimate {
    pub(crate) fn of<T: ToPython>(py: Python<'_>, found: &crivo::QuantileEstimate<T>) -> PyResult<Self> {
        Ok(Self {
            value: found.value().to_python(py)?,
            lower: found.lower().to_python(py)?,
            upper: found.upper().to_python(py)?,
            guarantee: found.guarantee(),
        })
    }
}

#[pymethods]
impl QuantileEstimate {
    #[new]
    fn new(
        value: Py<PyAny>,
        lower: Py<PyAny>,
        upper: Py<PyAny>,
        guarantee: &str,
        confidence: f64,
    ) -> PyResult<Self> {
        Ok(Self { value, lower, upper, guarantee: guarantee_of(guarantee, confidence)? })
    }

    /// How far the interval can be trusted: ``'certain'``, ``'proven'`` or ``'approximate'``.
    #[getter]
    fn guarantee(&self) -> &'static str {
        self.guarantee.name()
    }

    /// The probability that the interval contains the true value.
    #[getter]
    fn confidence(&self) -> f64 {
        self.guarantee.confidence()
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        self.value.extract(py)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let is_equal = match other.cast::<Self>() {
            Ok(other) => {
                let other = other.get();
                let same = |one: &Py<PyAny>, two: &Py<PyAny>| one.bind(py).eq(two.bind(py));
                same(&self.value, &other.value)?
                    && same(&self.lower, &other.lower)?
                    && same(&self.upper, &other.upper)?
                    && self.guarantee == other.guarantee
            }
            Err(_) => false,
        };
        match operator {
            CompareOp::Eq => is_equal.into_py_any(py),
            CompareOp::Ne => (!is_equal).into_py_any(py),
            _ => Err(ordered(operator)),
        }
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let [value, lower, upper] = [&self.value, &self.lower, &self.upper].map(|it| it.bind(py).str());
        let (value, lower, upper) = (value?, lower?, upper?);
        if self.lower.bind(py).eq(self.upper.bind(py))? && self.guarantee == Guarantee::Certain {
            return Ok(format!("{value} (exact)"));
        }
        Ok(format!("{value} ({}: {lower} to {upper})", crivo_report::confidence(self.guarantee)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let [value, lower, upper] = [&self.value, &self.lower, &self.upper].map(|it| it.bind(py).repr());
        let (guarantee, confidence) = (self.guarantee.name(), self.guarantee.confidence());
        Ok(format!(
            "QuantileEstimate(value={}, lower={}, upper={}, '{guarantee}', {confidence:?})",
            value?, lower?, upper?
        ))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let Self { value, lower, upper, guarantee } = slf.get();
        let arguments = (value, lower, upper, guarantee.name(), guarantee.confidence());
        Ok((slf.get_type().into_any(), arguments.into_pyobject(slf.py())?))
    }
}

/// An element of a sketch as a Python object.
pub(crate) trait ToPython {
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

macro_rules! to_python {
    ($($type:ty),+) => {$(
        impl ToPython for $type {
            fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.into_py_any(py)
            }
        }
    )+};
}
to_python!(u64, i64, f64, f32, u32, i32, u16, i16, u8, i8, String);

impl ToPython for Vec<u8> {
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(pyo3::types::PyBytes::new(py, self).into_any().unbind())
    }
}

impl ToPython for Number {
    /// A whole number is an `int`, any other a `float`.
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.to_integer() {
            Some(whole) => whole.into_py_any(py),
            None => self.to_f64().into_py_any(py),
        }
    }
}
