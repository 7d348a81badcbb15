//! The command's text of every value of an array, and the hashes of values.

use super::scalar::time_hash;
use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Decimal256Type, Float32Type, Float64Type, Int64Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, LargeBinaryArray, PrimitiveArray};
use arrow_buffer::NullBuffer;
use arrow_cast::cast;
use arrow_schema::{DataType, TimeUnit};
use crivo::{HashSpec, ItemForm};
use crivo_tables::Missing;
use crivo_tables::canonical_text::{self, Meaning};
use std::sync::LazyLock;

const DAY: i64 = 86_400;

/// Why an array has no items.
type Refused = String;

fn refused(kind: &DataType) -> Refused {
    format!("a column of type {kind} has no items; convert it to numbers, texts, bytes or times")
}

fn units(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

/// Whether values are items by their bytes, in both forms.
fn is_text(kind: &DataType) -> bool {
    use DataType as Type;
    matches!(
        kind,
        Type::Null
            | Type::Utf8
            | Type::LargeUtf8
            | Type::Utf8View
            | Type::Binary
            | Type::LargeBinary
            | Type::BinaryView
            | Type::FixedSizeBinary(_)
    )
}

/// Returns the array with wide numbers and without dictionaries: 64-bit integers, floats of 32 and 64 bits, booleans,
/// strings, bytes, dates, times and decimals.
pub(crate) fn plain(array: &ArrayRef) -> Result<ArrayRef, Refused> {
    use DataType as Type;
    let target = match array.data_type() {
        Type::Int8 | Type::Int16 | Type::Int32 => Type::Int64,
        Type::UInt8 | Type::UInt16 | Type::UInt32 => Type::UInt64,
        Type::Float16 => Type::Float32,
        Type::Date64 => Type::Date32,
        Type::Decimal32(digits, scale) | Type::Decimal64(digits, scale) => Type::Decimal128(*digits, *scale),
        Type::Utf8View => Type::LargeUtf8,
        Type::BinaryView | Type::FixedSizeBinary(_) => Type::LargeBinary,
        Type::Dictionary(_, values) => values.as_ref().clone(),
        Type::RunEndEncoded(_, values) => values.data_type().clone(),
        _ => return Ok(array.clone()),
    };
    let cast = cast(array, &target).map_err(|error| error.to_string())?;
    plain(&cast)
}

/// Calls `each` with the row and value of every row that has one.
fn valid_rows(array: &dyn Array, mut each: impl FnMut(usize)) {
    match array.nulls().filter(|nulls| nulls.null_count() > 0) {
        None => (0..array.len()).for_each(each),
        Some(nulls) => nulls.valid_indices().for_each(&mut each),
    }
}

fn words<T: ArrowPrimitiveType<Native = i64>>(array: &ArrayRef) -> &PrimitiveArray<T> {
    array.as_primitive::<T>()
}

/// The numbers of an array of times, whatever their unit.
fn time_words(array: &ArrayRef) -> Result<ArrayRef, Refused> {
    cast(array, &DataType::Int64).map_err(|error| error.to_string())
}

/// The values of an array as the command writes them; a missing value is null, and a text that stands for one too.
pub(crate) fn texts(array: &ArrayRef, missing: Option<&Missing>) -> Result<LargeBinaryArray, Refused> {
    use DataType as Type;
    let array = &plain(array)?;
    let mut built = LargeBinaryBuilder::with_capacity(array.len(), 8 * array.len());
    let mut scratch = Vec::new();
    let mut write = |row: usize, write: &dyn Fn(usize, &mut Vec<u8>)| {
        scratch.clear();
        if array.is_valid(row) {
            write(row, &mut scratch);
        }
        if array.is_null(row) || missing.is_some_and(|it| it.contains(&scratch)) {
            built.append_null();
        } else {
            built.append_value(&scratch);
        }
    };
    let mut all = |each: &dyn Fn(usize, &mut Vec<u8>)| (0..array.len()).for_each(|row| write(row, each));
    let mut integers = |meaning: Meaning, values: &[i64]| {
        all(&|row, text| canonical_text::integer(values[row], meaning, text));
    };
    match array.data_type() {
        Type::Null => all(&|_, _| {}),
        Type::Int64 => integers(Meaning::Plain, array.as_primitive::<Int64Type>().values()),
        Type::UInt64 => {
            let values = array.as_primitive::<UInt64Type>().values();
            all(&|row, text| canonical_text::integer(values[row] as i64, Meaning::Unsigned, text));
        }
        Type::Float32 => {
            let values = array.as_primitive::<Float32Type>().values();
            all(&|row, text| canonical_text::float(values[row], text));
        }
        Type::Float64 => {
            let values = array.as_primitive::<Float64Type>().values();
            all(&|row, text| canonical_text::float(values[row], text));
        }
        Type::Boolean => {
            let values = array.as_boolean();
            all(&|row, text| text.extend_from_slice(if values.value(row) { b"true" } else { b"false" }));
        }
        Type::Utf8 => {
            let values = array.as_string::<i32>();
            all(&|row, text| text.extend_from_slice(values.value(row).as_bytes()));
        }
        Type::LargeUtf8 => {
            let values = array.as_string::<i64>();
            all(&|row, text| text.extend_from_slice(values.value(row).as_bytes()));
        }
        Type::Binary => {
            let values = array.as_binary::<i32>();
            all(&|row, text| text.extend_from_slice(values.value(row)));
        }
        Type::LargeBinary => {
            let values = array.as_binary::<i64>();
            all(&|row, text| text.extend_from_slice(values.value(row)));
        }
        Type::Date32 => {
            let values = array.as_primitive::<Date32Type>().values();
            all(&|row, text| canonical_text::integer(values[row].into(), Meaning::Date, text));
        }
        Type::Timestamp(unit, zone) => {
            let meaning = Meaning::Timestamp { unit: units(*unit), utc: zone.is_some() };
            let numbers = time_words(array)?;
            integers(meaning, words::<Int64Type>(&numbers).values());
        }
        Type::Time32(unit) | Type::Time64(unit) => {
            let numbers = time_words(array)?;
            integers(Meaning::Time(units(*unit)), words::<Int64Type>(&numbers).values());
        }
        Type::Decimal128(_, scale) | Type::Decimal256(_, scale) => {
            let scale = u8::try_from(*scale).map_err(|_| refused(array.data_type()))?;
            let decimal = |value: &[u8], text: &mut Vec<u8>| {
                canonical_text::bytes(value, Meaning::Decimal(scale), text).expect("32 bytes are a decimal");
            };
            if let Some(values) = array.as_primitive_opt::<Decimal128Type>() {
                all(&|row, text| decimal(&values.value(row).to_be_bytes(), text));
            } else {
                let values = array.as_primitive::<Decimal256Type>();
                all(&|row, text| decimal(&values.value(row).to_be_bytes(), text));
            }
        }
        other => return Err(refused(other)),
    }
    Ok(built.finish())
}

/// The hash of each row; rows without a value have any hash and are not valid.
#[derive(Debug, Default)]
pub(crate) struct Hashed {
    pub(crate) hashes: Vec<u64>,
    nulls: Option<NullBuffer>,
    /// How the values became items.
    pub(crate) form: ItemForm,
}

impl Hashed {
    /// Whether a row has a value.
    pub(crate) fn is_valid(&self, row: usize) -> bool {
        self.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row))
    }

    /// The hashes of the rows that have a value.
    pub(crate) fn into_valid(mut self) -> Vec<u64> {
        if let Some(nulls) = &self.nulls {
            let mut row = 0;
            self.hashes.retain(|_| {
                row += 1;
                nulls.is_valid(row - 1)
            });
        }
        self.hashes
    }
}

/// How values are hashed.
#[derive(Clone, Debug)]
pub(crate) struct Hashing {
    pub(crate) spec: HashSpec,
    /// Whether the texts of values are hashed, as the command does it, with its rule for missing values.
    pub(crate) text: Option<&'static Missing>,
}

/// The texts that the command takes for missing values.
pub(crate) fn missing() -> &'static Missing {
    static MISSING: LazyLock<Missing> = LazyLock::new(Missing::default);
    &MISSING
}

impl Hashing {
    /// For a sketch with this spec: without a choice, values are hashed in the form that the sketch has.
    pub(crate) fn new(spec: HashSpec, text: Option<bool>) -> Self {
        let text = text.unwrap_or(spec.form() == ItemForm::Text);
        Self { spec, text: text.then(missing) }
    }

    /// The form of values, of which texts and bytes are the same items in both.
    pub(crate) fn form(&self, is_text: bool) -> ItemForm {
        match (self.text, is_text) {
            (Some(_), _) => ItemForm::Text,
            (None, true) => ItemForm::Unmarked,
            (None, false) => ItemForm::Typed,
        }
    }

    /// Hashes the values of an array. The values of a dictionary are hashed once each.
    pub(crate) fn hash(&self, array: &ArrayRef) -> Result<Hashed, Refused> {
        let is_text = match array.data_type() {
            DataType::Dictionary(_, values) => is_text(values),
            DataType::RunEndEncoded(_, values) => is_text(values.data_type()),
            other => is_text(other),
        };
        // A column without values has no items of any form.
        let is_text = is_text || array.null_count() == array.len();
        Ok(Hashed { form: self.form(is_text), ..self.hash_rows(array)? })
    }

    fn hash_rows(&self, array: &ArrayRef) -> Result<Hashed, Refused> {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            let values = self.hash_rows(dictionary.values())?;
            let codes = dictionary.normalized_keys();
            let mut hashes = vec![0; array.len()];
            let mut valid = vec![false; array.len()];
            if !values.hashes.is_empty() {
                valid_rows(array, |row| {
                    hashes[row] = values.hashes[codes[row]];
                    valid[row] = values.is_valid(codes[row]);
                });
            }
            return Ok(Hashed { hashes, nulls: Some(NullBuffer::from(valid)), ..Hashed::default() });
        }
        if let Some(missing) = self.text
            && !is_text(array.data_type())
        {
            let texts = texts(array, Some(missing))?;
            return Ok(self.hash_bytes(&texts, texts.len(), |row| texts.value(row), None));
        }
        let array = &plain(array)?;
        self.hash_plain(array)
    }

    /// Byte strings, of which `missing` ones have no hash.
    fn hash_bytes<'a>(
        &self,
        array: &dyn Array,
        rows: usize,
        value: impl Fn(usize) -> &'a [u8],
        missing: Option<&Missing>,
    ) -> Hashed {
        let hasher = self.spec.bytes_hasher();
        let mut hashes = vec![0; rows];
        let Some(missing) = missing else {
            valid_rows(array, |row| hashes[row] = hasher.hash(value(row)));
            return Hashed { hashes, nulls: array.nulls().cloned(), ..Hashed::default() };
        };
        let mut valid = vec![false; rows];
        valid_rows(array, |row| {
            let text = value(row);
            valid[row] = !missing.contains(text);
            hashes[row] = hasher.hash(text);
        });
        Hashed { hashes, nulls: Some(NullBuffer::from(valid)), ..Hashed::default() }
    }

    fn hash_plain(&self, array: &ArrayRef) -> Result<Hashed, Refused> {
        use DataType as Type;
        let (spec, rows, missing) = (&self.spec, array.len(), self.text);
        let mut hashes = Vec::new();
        match array.data_type() {
            Type::Null => {
                let nulls = Some(NullBuffer::new_null(rows));
                return Ok(Hashed { hashes: vec![0; rows], nulls, ..Hashed::default() });
            }
            Type::Int64 => {
                hashes
                    .extend(array.as_primitive::<Int64Type>().values().iter().map(|value| spec.hash(value)));
            }
            Type::UInt64 => {
                hashes
                    .extend(array.as_primitive::<UInt64Type>().values().iter().map(|value| spec.hash(value)));
            }
            Type::Float32 => {
                hashes.extend(
                    array.as_primitive::<Float32Type>().values().iter().map(|value| spec.hash(value)),
                );
            }
            Type::Float64 => {
                hashes.extend(
                    array.as_primitive::<Float64Type>().values().iter().map(|value| spec.hash(value)),
                );
            }
            Type::Boolean => hashes.extend(array.as_boolean().values().iter().map(|value| spec.hash(&value))),
            Type::Utf8 => {
                let values = array.as_string::<i32>();
                return Ok(self.hash_bytes(values, rows, |row| values.value(row).as_bytes(), missing));
            }
            Type::LargeUtf8 => {
                let values = array.as_string::<i64>();
                return Ok(self.hash_bytes(values, rows, |row| values.value(row).as_bytes(), missing));
            }
            Type::Binary => {
                let values = array.as_binary::<i32>();
                return Ok(self.hash_bytes(values, rows, |row| values.value(row), missing));
            }
            Type::LargeBinary => {
                let values = array.as_binary::<i64>();
                return Ok(self.hash_bytes(values, rows, |row| values.value(row), missing));
            }
            Type::Date32 => {
                let values = array.as_primitive::<Date32Type>().values();
                hashes.extend(values.iter().map(|&days| time_hash(i64::from(days) * DAY, 0, spec)));
            }
            Type::Timestamp(unit, _) | Type::Duration(unit) => {
                let unit = units(*unit);
                let numbers = time_words(array)?;
                hashes.extend(words::<Int64Type>(&numbers).values().iter().map(|&value| {
                    time_hash(value.div_euclid(unit), value.rem_euclid(unit) * (1_000_000_000 / unit), spec)
                }));
            }
            other @ (Type::Decimal128(..) | Type::Decimal256(..) | Type::Time32(_) | Type::Time64(_)) => {
                return Err(format!(
                    "values of type {other} have no hash of their own; pass text=True to hash their texts"
                ));
            }
            other => return Err(refused(other)),
        }
        Ok(Hashed { hashes, nulls: array.nulls().cloned(), ..Hashed::default() })
    }
}
