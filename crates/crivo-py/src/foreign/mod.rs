//! Sketches of other libraries. The package gives each format a class of its own with the methods that it has.

mod update;

use crate::error::{OrRaise, Refused, unreadable};
use crate::estimate::{Estimate, QuantileEstimate};
use crate::input::Pieces;
use crate::input::objects::single;
use crate::kinds::elements::{self, Type};
use crate::kinds::{NOT_AN_ITEM, answers, bools};
use crate::shared::Shared;
use crate::sketch::{Sketch, facts_of, shown, write_file};
use crate::table::{Column, Table};
use crate::weights::{Weights, whole};
use arrow_array::Array;
use crivo::MisraGries;
use crivo_interop::{Bloom, CountMin, Foreign, Frequent, Hll, Kll, TDigest, Theta, UpdateTheta, Width};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use update::{datum, feed, looked_up};

/// A sketch of another library.
#[pyclass(frozen, name = "_Foreign", module = "crivo._crivo")]
#[derive(Debug)]
pub(crate) struct ForeignSketch {
    shared: Shared<State>,
}

/// A theta sketch that takes items differs from the compact one that is written.
#[derive(Clone, Debug)]
pub(crate) enum State {
    Theta(UpdateTheta),
    Other(Foreign),
}

impl State {
    fn foreign(&self) -> Foreign {
        match self {
            Self::Theta(sketch) => Foreign::Theta(sketch.sketch()),
            Self::Other(sketch) => sketch.clone(),
        }
    }

    /// Asks the sketch as it is written.
    fn ask<R>(&self, question: impl FnOnce(&Foreign) -> R) -> R {
        match self {
            Self::Theta(_) => question(&self.foreign()),
            Self::Other(sketch) => question(sketch),
        }
    }
}

impl ForeignSketch {
    fn new(state: State) -> Self {
        Self { shared: Shared::new(state) }
    }

    fn of(sketch: Foreign) -> Self {
        Self::new(State::Other(sketch))
    }

    fn ask<R>(&self, py: Python<'_>, question: impl FnOnce(&Foreign) -> R) -> PyResult<R> {
        self.shared.with(py, |state| state.ask(question))
    }

    fn copied(&self, py: Python<'_>) -> PyResult<State> {
        self.shared.with(py, |state| state.clone())
    }

    fn foreign(&self, py: Python<'_>) -> PyResult<Foreign> {
        self.ask(py, Foreign::clone)
    }

    /// The result of an operation on two theta sketches.
    fn combined(
        &self,
        other: &Bound<'_, Self>,
        combine: impl FnOnce(&Theta, &Theta) -> crivo::Result<Theta>,
    ) -> PyResult<Self> {
        let py = other.py();
        match (self.foreign(py)?, other.get().foreign(py)?) {
            (Foreign::Theta(ours), Foreign::Theta(theirs)) => {
                combine(&ours, &theirs).or_raise().map(|found| Self::of(Foreign::Theta(found)))
            }
            _ => Err(no_theta()),
        }
    }
}

#[pymethods]
impl ForeignSketch {
    #[staticmethod]
    fn theta(lg_k: u8, seed: u64) -> PyResult<Self> {
        UpdateTheta::with_seed(lg_k, seed).or_raise().map(|made| Self::new(State::Theta(made)))
    }

    #[staticmethod]
    fn hll(lg_k: u8, bits: u8) -> PyResult<Self> {
        let width = [Width::Four, Width::Six, Width::Eight].into_iter().find(|width| width.bits() == bits);
        let width = width.ok_or_else(|| {
            PyValueError::new_err(format!(
                "a register has 4, 6 or 8 bits, but bits is {bits}; give one of these"
            ))
        })?;
        Hll::for_lg_k(lg_k).or_raise().map(|made| Self::of(Foreign::Hll(made.with_width(width))))
    }

    #[staticmethod]
    fn kll(k: u16, values: &str, seed: u64) -> PyResult<Self> {
        let made = match values {
            "float32" => Kll::with_seed(k, seed).map(Foreign::KllF32),
            "float64" => Kll::with_seed(k, seed).map(Foreign::KllF64),
            "int64" => Kll::with_seed(k, seed).map(Foreign::KllI64),
            "str" => Kll::with_seed(k, seed).map(Foreign::KllText),
            _ => return Err(no_type(values)),
        };
        made.or_raise().map(Self::of)
    }

    /// The contents of a sketch of the library that keeps the most frequent items.
    #[staticmethod]
    fn frequent(sketch: &Bound<'_, Sketch>) -> PyResult<Self> {
        let mut sketch = sketch.get().shared.copied(sketch.py())?;
        if sketch.downcast_ref::<MisraGries<String>>().is_none() {
            // Without items, it has elements of no particular type.
            elements::retype(&mut sketch, Type::Signed);
        }
        let made = if let Some(texts) = sketch.downcast_ref::<MisraGries<String>>() {
            Frequent::from_misra_gries(texts).map(Foreign::FrequentText)
        } else if let Some(numbers) = sketch.downcast_ref::<MisraGries<i64>>() {
            Frequent::from_misra_gries(numbers).map(Foreign::FrequentI64)
        } else {
            return Err(PyTypeError::new_err("expected a MisraGries of texts or of integers; make one"));
        };
        made.or_raise().map(Self::of)
    }

    #[staticmethod]
    fn t_digest(k: u16) -> PyResult<Self> {
        TDigest::for_k(k).or_raise().map(|made| Self::of(Foreign::TDigest(made)))
    }

    #[staticmethod]
    fn count_min(rows: u8, width: u32) -> PyResult<Self> {
        CountMin::with_size(rows, width).or_raise().map(|made| Self::of(Foreign::CountMin(made)))
    }

    #[staticmethod]
    fn bloom(bits: u64, hashes: u16, seed: u64) -> PyResult<Self> {
        Bloom::with_seed(bits, hashes, seed).or_raise().map(|made| Self::of(Foreign::Bloom(made)))
    }

    /// Reads a sketch. `values` names the type of its values where the bytes of the format do not. A theta sketch with a seed
    /// goes on to take items; `lg_k` is the one that it had, if it is known.
    #[staticmethod]
    #[pyo3(signature = (data, values=None, lg_k=None, seed=None))]
    fn read(
        py: Python<'_>,
        data: &[u8],
        values: Option<&str>,
        lg_k: Option<u8>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let read = py.detach(|| {
            let read = match (values, seed) {
                (None, None) => Foreign::decode(data),
                (None, Some(seed)) => {
                    let made =
                        Theta::from_bytes_with_seed(data, seed).and_then(|it| resumed(&it, lg_k, seed));
                    return Some(made.map(State::Theta));
                }
                (Some("float32"), _) => Kll::from_bytes(data).map(Foreign::KllF32),
                (Some("float64"), _) => Kll::from_bytes(data).map(Foreign::KllF64),
                (Some("int64"), _) => Kll::from_bytes(data).map(Foreign::KllI64),
                (Some("str"), _) => Kll::from_bytes(data).map(Foreign::KllText),
                (Some("frequent int64"), _) => Frequent::from_bytes(data).map(Foreign::FrequentI64),
                (Some("frequent str"), _) => Frequent::from_bytes(data).map(Foreign::FrequentText),
                (Some(_), _) => return None,
            };
            Some(read.map(State::Other))
        });
        let read = read.ok_or_else(|| no_type(values.unwrap_or_default().trim_start_matches("frequent ")))?;
        read.map(Self::new).map_err(|error| unreadable(&error))
    }

    /// What `read` needs to make this very sketch.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Parts<'py>> {
        let (bytes, values, grown) = self.shared.with(py, |state| {
            let grown = match state {
                State::Theta(sketch) => Some((sketch.lg_k(), sketch.seed())),
                State::Other(_) => None,
            };
            (state.ask(Foreign::to_bytes), state.ask(values_of), grown)
        })?;
        Ok((PyBytes::new(py, &bytes), values, grown.map(|it| it.0), grown.map(|it| it.1)))
    }

    #[getter]
    fn format(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.ask(py, |sketch| sketch.format().name())
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.ask(py, Foreign::to_bytes)?))
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.ask(py, Foreign::to_bytes)?;
        write_file(py, &path, &bytes)
    }

    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        self.copied(py).map(Self::new)
    }

    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        facts_of(py, self.ask(py, Foreign::facts)?)
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        Ok(shown(self.ask(py, Foreign::facts)?))
    }

    fn merge(&self, other: &Bound<'_, Self>) -> PyResult<()> {
        let py = other.py();
        let theirs = other.get().foreign(py)?;
        let merged = self.shared.detached(py, |state| {
            *state = match (&*state, &theirs) {
                // It keeps its own k, with which it goes on.
                (State::Theta(ours), Foreign::Theta(theirs)) => {
                    let union = Theta::union([&ours.sketch(), theirs], ours.lg_k())?;
                    State::Theta(UpdateTheta::from_sketch(&union, ours.lg_k(), ours.seed())?)
                }
                _ => State::Other(Foreign::merged(vec![state.foreign(), theirs])?),
            };
            Ok(())
        })?;
        merged.or_raise()
    }

    fn add(&self, item: &Bound<'_, PyAny>, count: u64) -> PyResult<()> {
        let array = datum(item)?;
        self.shared
            .with(item.py(), |state| feed(state, &array, Some(&|_| Ok(count))))?
            .map_err(Refused::raised)
    }

    #[pyo3(signature = (x, weights=None))]
    fn update(&self, x: &Bound<'_, PyAny>, weights: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let py = x.py();
        let weights = weights.map(|it| Weights::of(it, x)).transpose()?;
        let mut pieces = Pieces::of(x)?;
        let mut start = 0;
        while let Some(piece) = pieces.next(py)? {
            if let Some(weights) = &weights {
                weights.check(start + piece.len(), false)?;
            }
            let done = self.shared.detached(py, |state| {
                let values = elements::kept(&piece, false)?;
                let count = weights.as_ref().map(|weights| move |row| whole(weights.at(start + row)));
                feed(state, &values, count.as_ref().map(|it| it as &dyn Fn(usize) -> Result<u64, Refused>))
            })?;
            done.map_err(Refused::raised)?;
            start += piece.len();
        }
        weights.map_or(Ok(()), |weights| weights.check(start, true))
    }

    fn estimate(&self, py: Python<'_>, confidence: f64) -> PyResult<Estimate> {
        self.ask(py, |sketch| sketch.cardinality_at(confidence))?.or_raise().map(Estimate::count)
    }

    fn total(&self, py: Python<'_>) -> PyResult<u64> {
        self.ask(py, Foreign::total)?.or_raise()
    }

    fn quantile(&self, py: Python<'_>, q: f64) -> PyResult<QuantileEstimate> {
        match self.foreign(py)? {
            Foreign::KllText(sketch) => QuantileEstimate::of(py, &sketch.quantile(q).or_raise()?),
            sketch => QuantileEstimate::of(py, &sketch.quantiles(&[q]).or_raise()?[0]),
        }
    }

    fn quantiles(&self, py: Python<'_>, qs: Vec<f64>) -> PyResult<Table> {
        match self.foreign(py)? {
            Foreign::KllText(sketch) => {
                let found = qs.iter().map(|&q| sketch.quantile(q)).collect::<crivo::Result<Vec<_>>>();
                answers::quantiles(&qs, &found.or_raise()?)
            }
            sketch => answers::quantiles(&qs, &sketch.quantiles(&qs).or_raise()?),
        }
    }

    fn rank(&self, value: &Bound<'_, PyAny>) -> PyResult<Estimate> {
        let array = datum(value)?;
        self.ask(value.py(), |sketch| update::rank(sketch, &array))?
            .map_err(Refused::raised)
            .map(Estimate::count)
    }

    fn frequency(&self, item: &Bound<'_, PyAny>) -> PyResult<Estimate> {
        let array = datum(item)?;
        let found = self.ask(item.py(), |sketch| {
            let item = looked_up(&array, 0)?.ok_or_else(|| Refused::Type(NOT_AN_ITEM.into()))?;
            sketch.frequency(item).map_err(Refused::from)
        })?;
        found.map(Estimate::count).map_err(Refused::raised)
    }

    fn top(&self, py: Python<'_>, most: usize) -> PyResult<Table> {
        let (mut found, _) = self.ask(py, Foreign::top)?.or_raise()?;
        found.truncate(most);
        let (items, counts): (Vec<String>, Vec<crivo::Estimate>) = found.into_iter().unzip();
        let is_of_numbers = self.ask(py, |sketch| matches!(sketch, Foreign::FrequentI64(_)))?;
        let numbers: Option<Vec<i64>> = items.iter().map(|item| item.parse().ok()).collect();
        let numbers = numbers.filter(|_| is_of_numbers);
        let count =
            |of: fn(&crivo::Estimate) -> f64| u64::column(counts.iter().map(|it| of(it) as u64).collect());
        Table::new(vec![
            ("item", numbers.map_or_else(|| String::column(items), i64::column)),
            ("count", count(crivo::Estimate::value)),
            ("lower", count(crivo::Estimate::lower)),
            ("upper", count(crivo::Estimate::upper)),
        ])
    }

    fn contains<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = x.py();
        let mut found = Vec::new();
        let mut pieces = Pieces::of(x)?;
        while let Some(piece) = pieces.next(py)? {
            let asked = self.shared.detached(py, |state| {
                let values = elements::kept(&piece, false)?;
                state.ask(|filter| {
                    (0..values.len())
                        .map(|row| {
                            looked_up(&values, row)?.map_or(Ok(false), |item| Ok(filter.contains(item)?))
                        })
                        .collect::<Result<Vec<bool>, Refused>>()
                })
            })?;
            found.extend(asked.map_err(Refused::raised)?);
        }
        bools(py, &found)
    }

    fn has(&self, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        let array = elements::kept(&single(item, false)?, false).map_err(Refused::raised)?;
        let found = self.ask(item.py(), |filter| match looked_up(&array, 0)? {
            Some(item) => filter.contains(item).map_err(Refused::from),
            None => Ok(false),
        })?;
        found.map_err(Refused::raised)
    }

    fn fpr(&self, py: Python<'_>) -> PyResult<f64> {
        self.ask(py, Foreign::fpr)?.or_raise()
    }

    fn intersection(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        self.combined(other, |ours, theirs| ours.intersection(theirs))
    }

    fn difference(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        self.combined(other, |ours, theirs| ours.difference(theirs))
    }

    fn similarity(&self, other: &Bound<'_, Self>) -> PyResult<Estimate> {
        let py = other.py();
        match (self.foreign(py)?, other.get().foreign(py)?) {
            (Foreign::Theta(ours), Foreign::Theta(theirs)) => {
                ours.similarity(&theirs).or_raise().map(Estimate::similarity)
            }
            _ => Err(no_theta()),
        }
    }
}

/// The arguments of `read`.
type Parts<'py> = (Bound<'py, PyBytes>, Option<&'static str>, Option<u8>, Option<u64>);

/// The type of the values, where the bytes do not name it.
fn values_of(sketch: &Foreign) -> Option<&'static str> {
    Some(match sketch {
        Foreign::KllF32(_) => "float32",
        Foreign::KllF64(_) => "float64",
        Foreign::KllI64(_) => "int64",
        Foreign::KllText(_) => "str",
        Foreign::FrequentI64(_) => "frequent int64",
        Foreign::FrequentText(_) => "frequent str",
        _ => return None,
    })
}

/// A compact theta sketch that goes on. Without its k, no accuracy is lost by that of its hashes.
fn resumed(sketch: &Theta, lg_k: Option<u8>, seed: u64) -> crivo::Result<UpdateTheta> {
    UpdateTheta::from_sketch(sketch, lg_k.unwrap_or_else(|| Theta::lg_k_of([sketch])), seed)
}

fn no_type(values: &str) -> PyErr {
    PyValueError::new_err(format!(
        "values are 'float32', 'float64', 'int64' or 'str', but this is '{values}'; give one that the format has"
    ))
}

fn no_theta() -> PyErr {
    PyTypeError::new_err(
        "only theta sketches have intersections, differences and similarities; build two of them",
    )
}
