//! The values of columns in Iceberg's single-value form, which is what the sketches of a table are made of.
//!
//! | value | bytes |
//! |---|---|
//! | boolean | 0 or 1 |
//! | integer, date | 4 or 8 bytes, lowest first |
//! | float, double | 4 or 8 bytes, lowest first |
//! | time, timestamp | 8 bytes of microseconds, lowest first, or of nanoseconds for timestamps that have them |
//! | decimal | the number without its point, highest byte first, in the fewest bytes that hold it with its sign |
//! | string, bytes, UUID | as they are |
//!
//! Iceberg has no unsigned integers and no floats of two bytes.

use super::BATCH;
use super::cursor::{Cursor, Decoded, Values};
use super::file::{SharedFile, damaged};
use super::footer::Footer;
use super::text::Meaning;
use crate::budget::Budget;
use crate::iceberg::IcebergColumns;
use anyhow::{Context, Result};
use std::fs::File;
use std::path::Path;

const MICROS: i64 = 1_000_000;

/// Passes every value of a file to `each`, with the field id of its column. Fields are numbered from 1 if the file does not number them.
///
/// # Errors
/// If the file cannot be read, or a time does not fit into its form.
pub fn iceberg_values(
    path: &Path,
    max_memory: u64,
    each: &mut dyn FnMut(i32, &[u8]),
) -> Result<IcebergColumns> {
    let budget = Budget::new(max_memory);
    let file = SharedFile::new(File::open(path)?)?;
    let footer = Footer::read(&file, &mut budget.share())?;
    let are_numbered = footer.columns.iter().all(|column| column.field.is_some());
    let mut found = IcebergColumns::default();
    for (place, column) in footer.columns.iter().enumerate() {
        if matches!(column.meaning, Meaning::Unsigned | Meaning::HalfFloat) {
            found.left_out.push(column.name.clone());
            continue;
        }
        let field = column.field.filter(|_| are_numbered).unwrap_or(column.leaf as i32 + 1);
        found.columns.push((field, column.name.clone()));
        for group in &footer.groups {
            let mut cursor = Cursor::new(&file, column, group.chunks[place], &budget)?;
            let mut left = group.rows;
            while left > 0 {
                let rows = left.min(BATCH);
                let read = cursor
                    .read(column, rows, max_memory as usize / 4)
                    .and_then(|decoded| pass(&decoded, column.meaning, &mut |bytes| each(field, bytes)));
                read.with_context(|| format!("column '{}'", column.name))?;
                left -= rows;
            }
        }
    }
    Ok(found)
}

fn pass(decoded: &Decoded, meaning: Meaning, each: &mut dyn FnMut(&[u8])) -> Result<()> {
    for run in &decoded.runs {
        match &run.values {
            Values::Bool(values) => values.iter().for_each(|&value| each(&[u8::from(value)])),
            Values::Int32(values) => {
                values.iter().try_for_each(|&value| whole(value.into(), 4, meaning, each))?;
            }
            Values::Int64(values) => values.iter().try_for_each(|&value| whole(value, 8, meaning, each))?,
            Values::Int96(values) => values.iter().for_each(|value| each(&value.to_micros().to_le_bytes())),
            Values::Float(values) => values.iter().for_each(|value| each(&value.to_le_bytes())),
            Values::Double(values) => values.iter().for_each(|value| each(&value.to_le_bytes())),
            Values::Texts(texts) => texts.iter().for_each(|value| bytes(value, meaning, each)),
            Values::Numbered(numbers, dictionary) => {
                for &number in numbers {
                    let value = dictionary.get(number);
                    bytes(value.ok_or_else(|| damaged("a value is not in its dictionary"))?, meaning, each);
                }
            }
        }
    }
    Ok(())
}

/// Passes on a whole number of `width` bytes.
fn whole(value: i64, width: usize, meaning: Meaning, each: &mut dyn FnMut(&[u8])) -> Result<()> {
    match meaning {
        Meaning::Decimal(_) => each(fewest(&value.to_be_bytes())),
        Meaning::Timestamp { unit, .. } if unit > MICROS => each(&value.to_le_bytes()),
        Meaning::Time(unit) | Meaning::Timestamp { unit, .. } => {
            let micros = micros(value, unit).ok_or_else(|| damaged("a time is beyond all years"))?;
            each(&micros.to_le_bytes());
        }
        _ => each(&value.to_le_bytes()[..width]),
    }
    Ok(())
}

fn bytes(value: &[u8], meaning: Meaning, each: &mut dyn FnMut(&[u8])) {
    each(if matches!(meaning, Meaning::Decimal(_)) { fewest(value) } else { value });
}

fn micros(value: i64, unit: i64) -> Option<i64> {
    if unit > MICROS { Some(value.div_euclid(unit / MICROS)) } else { value.checked_mul(MICROS / unit) }
}

/// Leaves out the first bytes that only repeat the sign.
fn fewest(mut number: &[u8]) -> &[u8] {
    while let [0, 0..=127, ..] | [255, 128..=255, ..] = number {
        number = &number[1..];
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_fewest_bytes_that_keep_their_sign() {
        for (number, bytes) in [
            (0i64, &[0][..]),
            (127, &[127]),
            (128, &[0, 128]),
            (-1, &[255]),
            (-128, &[128]),
            (-129, &[255, 127]),
        ] {
            assert_eq!(fewest(&number.to_be_bytes()), bytes, "{number}");
        }
        assert_eq!(fewest(&[]), [0u8; 0]);
    }

    #[test]
    fn times_are_microseconds() {
        assert_eq!((micros(-3, 1000), micros(5, MICROS)), (Some(-3000), Some(5)));
        assert_eq!((micros(-1, 1_000_000_000), micros(i64::MAX, 1000)), (Some(-1), None));
    }
}
