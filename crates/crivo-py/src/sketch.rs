//! The class of all sketches: bytes, copies, merges, and the batches that all of them share.

use crate::error::{OrRaise, Refused, unreadable};
use crate::hashes::{check_form, hash_of, hashed, mark, parts};
use crate::input::Pieces;
use crate::input::scalar::Scalar;
use crate::input::texts::{Hashed, Hashing};
use crate::kinds;
use crate::shared::Shared;
use crate::weights::Weights;
use arrow_array::Array;
use crivo::sketch::{Fact, FactValue, Insert, Sketch as AnySketch};
use crivo::{DecodeOptions, HashSpec};
use pyo3::PyClass;
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use std::path::PathBuf;

/// A sketch of any kind.
///
/// Every class of sketches is a subclass. Threads may share a sketch: each call waits for the one before, and batches
/// run without the interpreter lock.
#[pyclass(subclass, frozen, module = "crivo")]
#[derive(Debug)]
pub(crate) struct Sketch {
    pub(crate) shared: Shared,
}

const NO_HASH: &str = "this sketch does not hash items";

impl Sketch {
    pub(crate) fn new(sketch: Box<dyn AnySketch>) -> Self {
        Self { shared: Shared::new(sketch) }
    }

    /// The hash of its items; `TypeError` if it does not hash.
    pub(crate) fn spec(&self, py: Python<'_>) -> PyResult<HashSpec> {
        let spec = self.shared.with(py, |sketch| sketch.hashing().copied())?;
        spec.ok_or_else(|| PyTypeError::new_err(NO_HASH))
    }

    /// The rules for the items of a call.
    pub(crate) fn hashing(&self, py: Python<'_>, text: Option<bool>) -> PyResult<Hashing> {
        Ok(Hashing::new(self.spec(py)?, text))
    }

    /// The hash of an item that is looked up; `None` for a missing one.
    ///
    /// Parameters
    /// ----------
    /// item : object
    ///     The item. ``None`` is not an item.
    /// text : bool, optional
    ///     Hash the items' texts, as the command does; by default, as the sketch began.
    pub(crate) fn hash_of(&self, item: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<Option<u64>> {
        let hashing = self.hashing(item.py(), text)?;
        let (hash, form) = hash_of(&Scalar::of(item, hashing.text.is_some())?, &hashing);
        check_form(&hashing.spec, form).map_err(Refused::raised)?;
        Ok(hash)
    }

    /// Runs `take` on the hash of an item that is added.
    pub(crate) fn add_hash<E: Into<Refused>>(
        &self,
        item: &Bound<'_, PyAny>,
        text: Option<bool>,
        take: impl FnOnce(&mut Box<dyn AnySketch>, u64) -> Result<(), E>,
    ) -> PyResult<()> {
        let py = item.py();
        // Objects of other modules run code of Python, so they are read before the sketch is locked.
        let value = match Scalar::plain(item)? {
            Some(value) => value,
            None => Scalar::of(item, self.hashing(py, text)?.text.is_some())?,
        };
        let done = self.shared.with(py, |sketch| {
            let spec = *sketch.hashing().ok_or_else(|| Refused::Type(NO_HASH.into()))?;
            let (hash, form) = hash_of(&value, &Hashing::new(spec, text));
            let hash = hash.ok_or_else(|| Refused::Type(kinds::NOT_AN_ITEM.into()))?;
            mark(sketch, form)?;
            take(sketch, hash).map_err(E::into)
        })?;
        done.map_err(Refused::raised)
    }

    /// Marks a sketch of texts, even if the batch turns out to be empty, as the command does.
    fn begin(&self, py: Python<'_>, hashing: &Hashing) -> PyResult<()> {
        self.shared.with(py, |sketch| mark(sketch, hashing.form(true)))?.map_err(Refused::raised)
    }

    /// Runs `take` on the hashes of each piece of a batch, without the interpreter lock.
    pub(crate) fn for_each_hashes(
        &self,
        batch: &Bound<'_, PyAny>,
        text: Option<bool>,
        mut take: impl FnMut(&mut Box<dyn AnySketch>, &[u64]) -> crivo::Result<()> + Send,
    ) -> PyResult<()> {
        let py = batch.py();
        let hashing = self.hashing(py, text)?;
        let mut pieces = Pieces::of(batch)?.reading(hashing.text.is_some());
        self.begin(py, &hashing)?;
        while let Some(piece) = pieces.next(py)? {
            let done = self.shared.detached(py, |sketch| {
                for part in parts(&piece) {
                    let hashed = hashing.hash(&part).map_err(Refused::Type)?;
                    mark(sketch, hashed.form)?;
                    take(sketch, &hashed.into_valid())?;
                }
                Ok::<_, Refused>(())
            })?;
            done.map_err(Refused::raised)?;
        }
        Ok(())
    }

    /// As [`for_each_hashes`](Self::for_each_hashes), with a weight for each row.
    pub(crate) fn for_each_weighted(
        &self,
        batch: &Bound<'_, PyAny>,
        weights: &Weights,
        text: Option<bool>,
        mut take: impl FnMut(&mut Box<dyn AnySketch>, u64, f64) -> Result<(), Refused> + Send,
    ) -> PyResult<()> {
        let py = batch.py();
        let hashing = self.hashing(py, text)?;
        let mut pieces = Pieces::of(batch)?.reading(hashing.text.is_some());
        self.begin(py, &hashing)?;
        let mut start = 0;
        while let Some(piece) = pieces.next(py)? {
            weights.check(start + piece.len(), false)?;
            let done = self.shared.detached(py, |sketch| {
                let hashed = hashing.hash(&piece).map_err(Refused::Type)?;
                mark(sketch, hashed.form)?;
                for (row, &hash) in hashed.hashes.iter().enumerate() {
                    if hashed.is_valid(row) {
                        take(sketch, hash, weights.at(start + row))?;
                    }
                }
                Ok(())
            })?;
            done.map_err(Refused::raised)?;
            start += piece.len();
        }
        weights.check(start, true)
    }

    /// The hashes of all rows of a batch that is looked up, missing ones included.
    pub(crate) fn hashed(&self, batch: &Bound<'_, PyAny>, text: Option<bool>) -> PyResult<Vec<Hashed>> {
        let hashing = self.hashing(batch.py(), text)?;
        let all = hashed(&hashing, batch)?;
        for piece in &all {
            check_form(&hashing.spec, piece.form).map_err(Refused::raised)?;
        }
        Ok(all)
    }
}

/// The base of an object of a class of sketches.
pub(crate) fn base<'a, T: PyClass<BaseType = Sketch>>(slf: &'a Bound<'_, T>) -> &'a Sketch {
    slf.as_super().get()
}

/// Views the sketch as a set.
pub(crate) fn as_insert(sketch: &mut dyn AnySketch) -> &mut dyn Insert {
    let view = sketch.kind().info().insert.expect("the class has this ability");
    view(sketch).expect("the sketch has its own kind")
}

/// The hash spec of a seed or a key; the default without either.
pub(crate) fn spec_of(seed: Option<u64>, key: Option<&[u8]>) -> PyResult<HashSpec> {
    match (seed, key) {
        (None, None) => Ok(HashSpec::default()),
        (Some(seed), None) => Ok(HashSpec::seeded(seed)),
        (None, Some(key)) => Ok(HashSpec::keyed(key_of(key)?)),
        (Some(_), Some(_)) => {
            Err(PyValueError::new_err("a sketch has a seed or a key, not both; leave one of them out"))
        }
    }
}

fn key_of(key: &[u8]) -> PyResult<[u8; 16]> {
    key.try_into().map_err(|_| {
        PyValueError::new_err(format!(
            "a key has 16 bytes, but this one has {}; give 16 secret bytes",
            key.len()
        ))
    })
}

/// Decodes a sketch of any kind.
pub(crate) fn decoded(py: Python<'_>, bytes: &[u8], key: Option<&[u8]>) -> PyResult<Box<dyn AnySketch>> {
    let options = DecodeOptions { key: key.map(key_of).transpose()?, ..DecodeOptions::default() };
    py.detach(|| crivo::decode(bytes, &options)).map_err(|error| unreadable(&error))
}

/// Writes a file that appears complete or not at all.
pub(crate) fn write_file(py: Python<'_>, path: &PathBuf, bytes: &[u8]) -> PyResult<()> {
    let written = py.detach(|| {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).map_or(".".into(), PathBuf::from);
        let draft = folder.join(format!(
            ".{}.{}.draft",
            path.file_name().unwrap_or_default().to_string_lossy(),
            std::process::id()
        ));
        let done = std::fs::write(&draft, bytes).and_then(|()| std::fs::rename(&draft, path));
        if done.is_err() {
            drop(std::fs::remove_file(&draft));
        }
        done
    });
    written.map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))
}

/// Named values as a dict.
pub(crate) fn facts_of(py: Python<'_>, facts: Vec<Fact>) -> PyResult<Bound<'_, PyDict>> {
    let named = PyDict::new(py);
    for fact in facts {
        match fact.value {
            FactValue::Count(value) | FactValue::Seed(value) => named.set_item(fact.name, value)?,
            FactValue::Number(value) => named.set_item(fact.name, value)?,
            FactValue::Text(value) => named.set_item(fact.name, value)?,
            FactValue::Estimate(value) => {
                named.set_item(fact.name, Bound::new(py, crate::Estimate::count(value))?)?;
            }
            FactValue::Rate(value) => {
                named.set_item(fact.name, Bound::new(py, crate::Estimate::rate(value))?)?;
            }
        }
    }
    Ok(named)
}

/// Named values in one line.
pub(crate) fn shown(facts: Vec<Fact>) -> String {
    let facts = facts.into_iter().map(|fact| match fact.value {
        FactValue::Estimate(value) => format!("{}≈{}", fact.name, crate::Estimate::count(value).text()),
        FactValue::Rate(value) => format!("{}≈{}", fact.name, crate::Estimate::rate(value).text()),
        FactValue::Number(value) => format!("{}={}", fact.name, crivo_report::significant(value, 3)),
        value => format!("{}={value}", fact.name),
    });
    facts.collect::<Vec<_>>().join(" ")
}

#[pymethods]
impl Sketch {
    /// The name of the kind, such as ``'bloom-filter'``.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.shared.with(py, |sketch| sketch.kind().name())
    }

    /// The bytes of memory that the sketch takes.
    fn memory_bytes(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.with(py, |sketch| sketch.memory_bytes())
    }

    /// The canonical bytes: equal sketches have equal bytes, on every platform and in every version.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.shared.with(py, |sketch| sketch.to_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The bytes in the shortest form that the kind has.
    fn to_compact_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.shared.with(py, |sketch| sketch.to_compact_bytes())?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_bytes(py)
    }

    /// Read a sketch of this class from its bytes.
    ///
    /// Parameters
    /// ----------
    /// data : bytes
    ///     What ``to_bytes`` returned, or the contents of a file of the command.
    /// key : bytes, optional
    ///     The 16 secret bytes of a keyed sketch.
    #[classmethod]
    #[pyo3(signature = (data, key=None))]
    fn from_bytes<'py>(
        cls: &Bound<'py, PyType>,
        data: &[u8],
        key: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = kinds::wrap(cls.py(), decoded(cls.py(), data, key)?)?;
        if !found.is_instance(cls)? {
            return Err(PyValueError::new_err(format!(
                "the bytes are a {}, expected a {}; read them with crivo.from_bytes",
                found.get_type().name()?,
                cls.name()?
            )));
        }
        Ok(found)
    }

    /// Write the sketch to a file that the command can read.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.shared.with(py, |sketch| sketch.to_bytes())?;
        write_file(py, &path, &bytes)
    }

    /// An independent copy.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        kinds::wrap(py, self.shared.copied(py)?)
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.copy(py)
    }

    fn __deepcopy__<'py>(&self, py: Python<'py>, _memo: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.copy(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let is_keyed = this.shared.with(py, |sketch| {
            let spec = sketch.hashing();
            spec.is_some_and(|spec| spec.algorithm() == crivo::hash::Algorithm::SipHash)
        })?;
        if is_keyed {
            return Err(PyTypeError::new_err(
                "a keyed sketch cannot be pickled, because its key is secret; pass to_bytes() and the key separately",
            ));
        }
        let make = py.import("crivo")?.getattr("from_bytes")?;
        Ok((make, (this.to_bytes(py)?,).into_pyobject(py)?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let theirs = other.get().shared.with(py, |sketch| sketch.to_bytes())?;
        self.shared.with(py, |sketch| sketch.to_bytes() == theirs)
    }

    /// Merge another sketch into this one, which becomes the sketch of both streams.
    ///
    /// Parameters
    /// ----------
    /// other : Sketch
    ///     A sketch of the same kind and size.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If kind, size, seed or key differ. Nothing has changed then.
    /// TypeError
    ///     If sketches of this kind cannot be merged.
    fn merge(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<()> {
        let other = other.get().shared.copied(py)?;
        self.shared.detached(py, |sketch| kinds::merge(sketch, &*other))?.or_raise()
    }

    fn __or__<'py>(&self, py: Python<'py>, other: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let mut both = self.shared.copied(py)?;
        let other = other.get().shared.copied(py)?;
        py.detach(|| kinds::merge(&mut both, &*other)).or_raise()?;
        kinds::wrap(py, both)
    }

    fn __ior__(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<()> {
        self.merge(py, other)
    }

    /// The parameters and the state as a few named values, as ``crivo info`` prints them.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = self.shared.with(py, |sketch| sketch.facts())?;
        facts_of(py, facts)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (name, this) = (slf.get_type().name()?, slf.get());
        this.shared.with(slf.py(), |sketch| {
            let memory = crivo_report::size(sketch.memory_bytes() as u64);
            format!("<{name} {} memory={memory}>", shown(sketch.facts()))
        })
    }
}
