//! Sketches that keep elements: the type of the first elements is the type of the sketch.

use super::not_an_item;
use crate::error::Refused;
use crate::input::objects::single;
use crate::input::texts::{missing, plain, texts};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use crivo::sketch::Sketch as AnySketch;
use crivo::{ItemForm, Number};
use pyo3::prelude::*;
use std::sync::Arc;

/// A type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Unsigned,
    Signed,
    Float,
    Text,
    Bytes,
    Number,
}

impl Type {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unsigned => "unsigned integers",
            Self::Signed => "integers",
            Self::Float => "floats",
            Self::Text => "texts",
            Self::Bytes => "bytes",
            Self::Number => "numbers",
        }
    }

    /// The type of the values of a plain array; `None` for an array without values.
    pub(crate) fn of(array: &ArrayRef) -> Result<Option<Self>, Refused> {
        Ok(Some(match array.data_type() {
            DataType::Null => return Ok(None),
            DataType::Int64 => Self::Signed,
            DataType::UInt64 => Self::Unsigned,
            DataType::Float32 | DataType::Float64 => Self::Float,
            DataType::Utf8 | DataType::LargeUtf8 => Self::Text,
            DataType::Binary | DataType::LargeBinary => Self::Bytes,
            other => {
                return Err(Refused::Type(format!(
                    "values of type {other} cannot be kept as they are; pass text=True to keep their texts"
                )));
            }
        }))
    }
}

/// The array in the form in which its elements are kept: with `text`, the command's texts as bytes.
pub(crate) fn kept(array: &ArrayRef, text: bool) -> Result<ArrayRef, Refused> {
    if text {
        let texts = texts(array, Some(missing())).map_err(Refused::Type)?;
        return Ok(Arc::new(texts));
    }
    plain(array).map_err(Refused::Type)
}

/// One element as an array in the form in which it is kept. A missing value is none.
pub(crate) fn one(item: &Bound<'_, PyAny>, text: bool) -> PyResult<ArrayRef> {
    let array = kept(&single(item, text)?, text).map_err(Refused::raised)?;
    // An array of missing values alone has no mask of them.
    if array.logical_null_count() > 0 { Err(not_an_item()) } else { Ok(array) }
}

/// How elements in the form in which they are kept became items.
pub(crate) fn form_of(kept: &ArrayRef, text: bool) -> ItemForm {
    match Type::of(kept) {
        _ if text => ItemForm::Text,
        Ok(Some(Type::Signed | Type::Unsigned | Type::Float | Type::Number)) => ItemForm::Typed,
        _ => ItemForm::Unmarked,
    }
}

/// Runs the first arm whose element type the sketch has.
macro_rules! by_element {
    ($sketch:expr, $family:ident: $($element:ty => $tag:ident),+; |$it:ident| $value:expr) => {{
        $(if let Some($it) = $sketch.downcast_ref::<$family<$element>>() {
            Some((Type::$tag, $value))
        } else)+ {
            None
        }
    }};
}
pub(crate) use by_element;

/// An empty sketch of these elements, like an empty sketch of others; `None` if it is not empty or cannot have them.
macro_rules! remade {
    ($sketch:expr, $wanted:expr, $family:ident: $($element:ty => $tag:ident),+;
     |$it:ident| $is_empty:expr, $size:expr; |$made:ident| $make:ident $arguments:tt) => {{
        let found = by_element!($sketch, $family: $($element => $tag),+; |$it| ($is_empty, $size));
        match (found, $wanted) {
            $((Some((has, (true, $made))), Type::$tag) if has != Type::$tag => {
                $family::<$element>::$make $arguments.ok().map(|made| Box::new(made) as Box<dyn AnySketch>)
            })+
            _ => None,
        }
    }};
}

/// The type of the elements of a sketch, if it keeps any.
pub(crate) fn type_of(sketch: &dyn AnySketch) -> Option<Type> {
    use crivo::frequency::Majority;
    use crivo::{
        DyadicCountMin, Kll, MisraGries, ReqSketch, Reservoir, SpaceSaving, VarOpt, WeightedReservoir,
    };
    let found = by_element!(sketch, MisraGries: u64 => Unsigned, i64 => Signed, String => Text, Vec<u8> => Bytes; |_it| ())
        .or_else(|| by_element!(sketch, SpaceSaving: u64 => Unsigned, i64 => Signed, String => Text, Vec<u8> => Bytes; |_it| ()))
        .or_else(|| by_element!(sketch, Majority: u64 => Unsigned, i64 => Signed, String => Text, Vec<u8> => Bytes; |_it| ()))
        .or_else(|| by_element!(sketch, DyadicCountMin: u64 => Unsigned, i64 => Signed, f64 => Float; |_it| ()))
        .or_else(|| by_element!(sketch, Kll: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes, Number => Number; |_it| ()))
        .or_else(|| by_element!(sketch, ReqSketch: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes, Number => Number; |_it| ()))
        .or_else(|| by_element!(sketch, Reservoir: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes; |_it| ()))
        .or_else(|| by_element!(sketch, WeightedReservoir: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes; |_it| ()))
        .or_else(|| by_element!(sketch, VarOpt: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes; |_it| ()));
    found.map(|(found, ())| found)
}

/// Makes an empty sketch one of these elements. A sketch with elements stays as it is.
pub(crate) fn retype(sketch: &mut Box<dyn AnySketch>, wanted: Type) {
    use crivo::{Kll, ReqSketch, Reservoir, VarOpt, WeightedReservoir};
    let from = &**sketch;
    let made = remade!(from, wanted, Kll: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes, Number => Number;
            |it| it.total() == 0, (it.k(), it.seed()); |made| with_seed(made.0, made.1))
        .or_else(|| remade!(from, wanted, ReqSketch: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes, Number => Number;
            |it| it.total() == 0, (it.k(), it.tail(), it.seed()); |made| with_seed(made.0, made.1, made.2)))
        .or_else(|| remade!(from, wanted, Reservoir: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes;
            |it| it.total() == 0, (it.k(), it.seed()); |made| for_k(made.0, made.1)))
        .or_else(|| remade!(from, wanted, WeightedReservoir: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes;
            |it| it.total() == 0, (it.k(), it.seed()); |made| for_k(made.0, made.1)))
        .or_else(|| remade!(from, wanted, VarOpt: u64 => Unsigned, i64 => Signed, f64 => Float, String => Text, Vec<u8> => Bytes;
            |it| it.total() == 0, (it.k(), it.seed()); |made| for_k(made.0, made.1)))
        .or_else(|| super::heavy::remade(from, wanted))
        .or_else(|| super::dyadic::remade(from, wanted));
    if let Some(made) = made {
        *sketch = made;
    }
}

/// An empty sketch takes over the type of a sketch that is merged into it.
pub(crate) fn adopt_type(sketch: &mut Box<dyn AnySketch>, other: &dyn AnySketch) {
    if sketch.kind() == other.kind()
        && let Some(wanted) = type_of(other)
    {
        retype(sketch, wanted);
    }
}

/// Why elements of a type cannot be put into a sketch of another.
pub(crate) fn mismatch(sketch: &dyn AnySketch, found: Type) -> Refused {
    let has = type_of(sketch).map_or("other elements", Type::name);
    Refused::Type(format!(
        "this sketch keeps {has}, but found {}; convert them, or use another sketch",
        found.name()
    ))
}
