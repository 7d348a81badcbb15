//! Items and values of Python in sketches of other libraries.

use super::{State, resumed};
use crate::error::Refused;
use crate::kinds::elements::{self, Type};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use crivo::foreign::unsupported;
use crivo_interop::{DEFAULT_SEED, Datum, Foreign, ForeignItem};
use pyo3::prelude::*;

/// One item as an array in its plain form.
pub(super) fn datum(item: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    elements::one(item, false)
}

/// A number of occurrences for each row.
type Counts<'a> = &'a dyn Fn(usize) -> Result<u64, Refused>;

/// The type of the items of an array.
fn type_of(array: &ArrayRef) -> Result<Option<Type>, Refused> {
    Type::of(array).map_err(|_| {
        Refused::Type(format!(
            "a sketch of another library takes texts, bytes, integers and floats, but found values of type {}; convert them",
            array.data_type()
        ))
    })
}

/// An array with its type, in the widest form of the type.
enum Values {
    Signed(ArrayRef),
    Unsigned(ArrayRef),
    Floats(ArrayRef),
    Texts(ArrayRef),
    Bytes(ArrayRef),
}

impl Values {
    fn of(array: &ArrayRef, found: Type) -> Result<Self, Refused> {
        let wide = |to| cast(array, &to).map_err(|error| Refused::Type(error.to_string()));
        Ok(match found {
            Type::Signed => Self::Signed(array.clone()),
            Type::Unsigned => Self::Unsigned(array.clone()),
            Type::Float | Type::Number => Self::Floats(wide(DataType::Float64)?),
            Type::Text => Self::Texts(wide(DataType::LargeUtf8)?),
            Type::Bytes => Self::Bytes(wide(DataType::LargeBinary)?),
        })
    }

    /// Calls `take` with the row and the item of every row that has one.
    fn for_each(
        &self,
        mut take: impl for<'a> FnMut(usize, Item<'a>) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        macro_rules! each {
            ($values:expr, $item:ident) => {
                $values.iter().enumerate().try_for_each(|(row, value)| match value {
                    Some(value) => take(row, Item::$item(value)),
                    None => Ok(()),
                })
            };
        }
        match self {
            Self::Signed(array) => each!(array.as_primitive::<Int64Type>(), Signed),
            Self::Unsigned(array) => each!(array.as_primitive::<UInt64Type>(), Unsigned),
            Self::Floats(array) => each!(array.as_primitive::<Float64Type>(), Float),
            Self::Texts(array) => each!(array.as_string::<i64>(), Text),
            Self::Bytes(array) => each!(array.as_binary::<i64>(), Bytes),
        }
    }
}

/// An item of a batch.
#[derive(Clone, Copy)]
enum Item<'a> {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl Datum for Item<'_> {
    #[inline]
    fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Self::Signed(number) => number.with_bytes(run),
            Self::Unsigned(number) => number.with_bytes(run),
            Self::Float(number) => number.with_bytes(run),
            Self::Text(text) => text.with_bytes(run),
            Self::Bytes(bytes) => bytes.with_bytes(run),
        }
    }
}

impl<'a> Item<'a> {
    /// The item of a sketch that is asked for single items.
    fn looked_up(self) -> Result<ForeignItem<'a>, Refused> {
        match self {
            Self::Signed(number) => Ok(number.into()),
            Self::Unsigned(number) => i64::try_from(number).map(ForeignItem::from).map_err(|_| {
                Refused::Value(format!(
                    "{number} is beyond 2**63 - 1, the largest integer of this sketch; leave it out"
                ))
            }),
            Self::Text(text) => Ok(text.into()),
            Self::Bytes(bytes) => Ok(bytes.into()),
            Self::Float(number) => Err(Refused::Type(format!(
                "items of this sketch are texts, bytes and integers, but found the float {number}; convert it"
            ))),
        }
    }

    fn float(self) -> Result<f64, Refused> {
        const EXACT: u64 = 1 << 53;
        let too_large = |number: &dyn std::fmt::Display| {
            Refused::Value(format!(
                "{number} is beyond 2**53 and not exact as a double; use a sketch of integers"
            ))
        };
        match self {
            Self::Float(number) => Ok(number),
            Self::Signed(number) if number.unsigned_abs() <= EXACT => Ok(number as f64),
            Self::Unsigned(number) if number <= EXACT => Ok(number as f64),
            Self::Signed(number) => Err(too_large(&number)),
            Self::Unsigned(number) => Err(too_large(&number)),
            Self::Text(_) | Self::Bytes(_) => {
                Err(Refused::Type("expected numbers, but found texts; convert them first".into()))
            }
        }
    }

    fn integer(self) -> Result<i64, Refused> {
        match self.looked_up()? {
            ForeignItem::Number(number) => Ok(number),
            ForeignItem::Bytes(_) => {
                Err(Refused::Type("expected integers, but found texts; convert them first".into()))
            }
        }
    }

    fn text(self) -> Result<String, Refused> {
        match self {
            Self::Text(text) => Ok(text.to_owned()),
            _ => Err(Refused::Type("expected texts, but found numbers or bytes; convert them first".into())),
        }
    }
}

/// The item in a row that is looked up; `None` for a missing one.
pub(super) fn looked_up(array: &ArrayRef, row: usize) -> Result<Option<ForeignItem<'_>>, Refused> {
    if array.is_null(row) {
        return Ok(None);
    }
    let item = match type_of(array)? {
        None => return Ok(None),
        Some(Type::Signed) => Item::Signed(array.as_primitive::<Int64Type>().value(row)),
        Some(Type::Unsigned) => Item::Unsigned(array.as_primitive::<UInt64Type>().value(row)),
        Some(Type::Float | Type::Number) => Item::Float(f64::NAN),
        Some(Type::Text) => match array.as_string_opt::<i32>() {
            Some(texts) => Item::Text(texts.value(row)),
            None => Item::Text(array.as_string::<i64>().value(row)),
        },
        Some(Type::Bytes) => match array.as_binary_opt::<i32>() {
            Some(bytes) => Item::Bytes(bytes.value(row)),
            None => Item::Bytes(array.as_binary::<i64>().value(row)),
        },
    };
    item.looked_up().map(Some)
}

/// The number of values that are at most this one.
pub(super) fn rank(sketch: &Foreign, value: &ArrayRef) -> Result<crivo::Estimate, Refused> {
    let mut found = None;
    let Some(of) = type_of(value)? else {
        return Err(Refused::Type(crate::kinds::NOT_AN_ITEM.into()));
    };
    Values::of(value, of)?.for_each(|_, value| {
        found = Some(match sketch {
            Foreign::KllF32(sketch) => sketch.rank(&(value.float()? as f32)),
            Foreign::KllF64(sketch) => sketch.rank(&value.float()?),
            Foreign::KllI64(sketch) => sketch.rank(&value.integer()?),
            Foreign::KllText(sketch) => sketch.rank(&value.text()?),
            other => return Err(unsupported(format!("a {} has no ranks", other.format().name())).into()),
        });
        Ok(())
    })?;
    found.ok_or_else(|| Refused::Type(crate::kinds::NOT_AN_ITEM.into()))
}

/// Refuses items of a type that the sketch does not take, whatever their values.
fn check_type(state: &State, found: Type) -> Result<(), Refused> {
    let (is_fine, wanted) = match state {
        State::Other(Foreign::KllF32(_) | Foreign::KllF64(_) | Foreign::TDigest(_)) => {
            (!matches!(found, Type::Text | Type::Bytes), "numbers")
        }
        State::Other(Foreign::KllI64(_)) => (matches!(found, Type::Signed | Type::Unsigned), "integers"),
        State::Other(Foreign::KllText(_)) => (found == Type::Text, "texts"),
        State::Other(Foreign::CountMin(_) | Foreign::Bloom(_)) => {
            (!matches!(found, Type::Float), "texts, bytes or integers")
        }
        _ => (true, ""),
    };
    if is_fine {
        return Ok(());
    }
    Err(Refused::Type(format!("this sketch takes {wanted}, but found {}; convert them", found.name())))
}

/// Puts the items of a plain array into a sketch, each as often as `counts` says.
pub(super) fn feed(state: &mut State, array: &ArrayRef, counts: Option<Counts<'_>>) -> Result<(), Refused> {
    let Some(found) = type_of(array)? else { return Ok(()) };
    check_type(state, found)?;
    let values = Values::of(array, found)?;
    let count = |row| counts.map_or(Ok(1), |counts| counts(row));
    if let State::Other(Foreign::Theta(sketch)) = state {
        *state = State::Theta(resumed(sketch, None, DEFAULT_SEED)?);
    }
    match state {
        State::Theta(sketch) => match &values {
            // Numbers without gaps, the case that has to be fast.
            Values::Signed(numbers) if numbers.null_count() == 0 => {
                numbers.as_primitive::<Int64Type>().values().iter().for_each(|number| sketch.insert(number));
                Ok(())
            }
            values => values.for_each(|_, item| {
                sketch.insert(&item);
                Ok(())
            }),
        },
        State::Other(Foreign::Hll(sketch)) => values.for_each(|_, item| {
            sketch.insert(&item);
            Ok(())
        }),
        State::Other(Foreign::KllF32(sketch)) => {
            values.for_each(|_, value| Ok(sketch.insert(value.float()? as f32)?))
        }
        State::Other(Foreign::KllF64(sketch)) => {
            values.for_each(|_, value| Ok(sketch.insert(value.float()?)?))
        }
        State::Other(Foreign::KllI64(sketch)) => {
            values.for_each(|_, value| Ok(sketch.insert(value.integer()?)?))
        }
        State::Other(Foreign::KllText(sketch)) => {
            values.for_each(|_, value| Ok(sketch.insert(value.text()?)?))
        }
        State::Other(Foreign::TDigest(sketch)) => {
            values.for_each(|_, value| Ok(sketch.insert(value.float()?)?))
        }
        State::Other(Foreign::CountMin(sketch)) => {
            values.for_each(|row, item| Ok(sketch.add(&item.looked_up()?, count(row)?)?))
        }
        State::Other(Foreign::Bloom(filter)) => values.for_each(|_, item| {
            filter.insert(&item.looked_up()?);
            Ok(())
        }),
        State::Other(other) => Err(Refused::Type(format!(
            "a {} takes no items here; its own library or database fills it",
            other.format().name()
        ))),
    }
}
