//! The hashes of items, and the form in which values became items.

use crate::error::{OrRaise, Refused};
use crate::input::scalar::Scalar;
use crate::input::texts::{Hashed, Hashing};
use crate::input::{PIECE, Pieces};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use crivo::sketch::Sketch as AnySketch;
use crivo::{HashSpec, ItemForm};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Refuses items of another form than those of a sketch, which would find nothing or count twice.
pub(crate) fn check_form(spec: &HashSpec, form: ItemForm) -> Result<ItemForm, Refused> {
    spec.form().join(form).map_err(|_| {
        Refused::Value(match form {
            ItemForm::Text => {
                "this sketch has typed values, but found texts of values; leave text=True out".into()
            }
            _ => "this sketch has texts of values, as the command makes them, but found typed values; leave \
                  text=False out"
                .into(),
        })
    })
}

/// Marks a sketch with the form of the items that it takes. One that never merges needs no mark.
pub(crate) fn mark(sketch: &mut Box<dyn AnySketch>, form: ItemForm) -> Result<(), Refused> {
    if form == ItemForm::Unmarked {
        return Ok(());
    }
    let Some(spec) = sketch.hashing() else { return Ok(()) };
    if form == spec.form() || sketch.merge_law().is_none() {
        return Ok(());
    }
    check_form(spec, form)?;
    sketch.mark(form).map_err(Refused::from)
}

/// The hashes of all rows of a batch, piece by piece.
pub(crate) fn hashed(hashing: &Hashing, batch: &Bound<'_, PyAny>) -> PyResult<Vec<Hashed>> {
    let py = batch.py();
    let mut pieces = Pieces::of(batch)?.reading(hashing.text.is_some());
    let mut all = Vec::new();
    while let Some(piece) = pieces.next(py)? {
        all.push(py.detach(|| hashing.hash(&piece)).map_err(PyTypeError::new_err)?);
    }
    Ok(all)
}

/// The hashes of a batch for a static structure, and the spec with their form.
pub(crate) fn frozen_hashes(
    batch: &Bound<'_, PyAny>,
    spec: HashSpec,
    text: bool,
) -> PyResult<(Vec<Hashed>, HashSpec)> {
    let all = hashed(&Hashing::new(spec, Some(text)), batch)?;
    let form = all.iter().try_fold(ItemForm::Unmarked, |form, piece| form.join(piece.form)).or_raise()?;
    Ok((all, spec.with_form(form)))
}

/// Parts whose hashes stay in the cache; the values of a dictionary are hashed once for all.
pub(crate) fn parts(piece: &ArrayRef) -> impl Iterator<Item = ArrayRef> + '_ {
    const ROWS: usize = 1 << 12;
    let rows = if piece.as_any_dictionary_opt().is_some() { PIECE } else { ROWS };
    (0..piece.len()).step_by(rows).map(move |start| piece.slice(start, rows.min(piece.len() - start)))
}

/// The hash of one item under these rules, `None` for a missing one, and its form.
pub(crate) fn hash_of(value: &Scalar<'_>, hashing: &Hashing) -> (Option<u64>, ItemForm) {
    let hash = match hashing.text {
        None => value.hash(&hashing.spec),
        Some(missing) => value.text_hash(&hashing.spec, missing),
    };
    (hash, hashing.form(value.is_text()))
}
