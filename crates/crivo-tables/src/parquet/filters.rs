//! The Bloom filters inside a Parquet file: one for each row group of a column that has any.

use super::file::{SharedFile, damaged};
use super::footer::Footer;
use super::schema::Column;
use super::text::Meaning;
use super::thrift::{Flaw, Thrift};
use crate::budget::Budget;
use crate::filters::FilterAnswers;
use anyhow::{Context, Result, anyhow, bail};
use crivo::{BlockedBloom, HashSpec};
use parquet::basic::Type;
use std::fs::File;
use std::path::Path;
use xxhash_rust::xxh64::xxh64;

/// The longest head that writers make, with room to spare.
const MOST_HEAD: usize = 64;

/// Asks the filters of a column for keys. Keeps the filter of one row group at a time, which must fit into the memory.
///
/// # Errors
/// If the file cannot be read, has no such column, or has a row group without a filter of it; and if a key cannot be a value.
pub fn ask_filters(path: &Path, column: &str, keys: &[&[u8]], max_memory: u64) -> Result<FilterAnswers> {
    let budget = Budget::new(max_memory);
    let file = SharedFile::new(File::open(path)?)?;
    let mut share = budget.share();
    let footer = Footer::read(&file, &mut share)?;
    let Some(place) = footer.columns.iter().position(|found| found.name == column) else {
        let names: Vec<&str> = footer.columns.iter().map(|column| &column.name[..]).collect();
        bail!("there is no column '{column}'; the columns are {}", names.join(", "));
    };
    let hashes: Vec<Option<u64>> =
        keys.iter().map(|key| hash(&footer.columns[place], key)).collect::<Result<_>>()?;
    let mut asked = FilterAnswers { present: vec![false; keys.len()], fpr: 0.0 };
    for (number, group) in (1..).zip(&footer.groups) {
        let Some(start) = group.chunks[place].filter else {
            bail!(
                "row group {number} has no Bloom filter of column '{column}'; write the file with one, in Spark by \
                 parquet.bloom.filter.enabled#{column}=true"
            );
        };
        let (start, length) = read_head(&file, start)?;
        let mut share = budget.share();
        share.resize(length as u64).map_err(|much| anyhow!(much.explain("a Bloom filter of the file")))?;
        let filter = BlockedBloom::from_parquet_bitset(&file.read(start, length)?, HashSpec::default())
            .map_err(|error| damaged(&error.to_string()))?;
        for (present, hash) in asked.present.iter_mut().zip(&hashes) {
            *present |= hash.is_some_and(|hash| filter.contains_hash(hash));
        }
        // An absent key is found if any row group finds it.
        asked.fpr = 1.0 - (1.0 - asked.fpr) * (1.0 - filter.fpr().value());
    }
    Ok(asked)
}

/// Returns where the bits of the filter at this place are, and their number of bytes.
fn read_head(file: &SharedFile, start: i64) -> Result<(u64, usize)> {
    let start = u64::try_from(start).map_err(|_| damaged("a Bloom filter before its first byte"))?;
    let rest = file.length().saturating_sub(start).min(MOST_HEAD as u64);
    let bytes = file.read(start, rest as usize)?;
    let mut thrift = Thrift::new(&bytes);
    let mut length = 0;
    // The algorithm, the hash and the compression, of which there is one each: the first.
    let mut is_known = [false; 3];
    let read = thrift.fields(|thrift, number, kind| {
        match number {
            1 => length = thrift.count(kind)?,
            2..=4 => {
                Thrift::expect_struct(kind)?;
                thrift.fields(|_, which, _| {
                    is_known[number as usize - 2] = which == 1;
                    Ok(false)
                })?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    });
    read.map_err(|flaw: Flaw| damaged(&format!("in a Bloom filter {}", flaw.explain())))?;
    if is_known != [true; 3] {
        bail!(
            "a Bloom filter of the file has another algorithm than split blocks of XXH64 without compression"
        );
    }
    let head = bytes.len() - thrift.bytes.len();
    Ok((start + head as u64, length as usize))
}

/// Returns the hash of the value that a text stands for, or nothing if the column cannot have it.
fn hash(column: &Column, key: &[u8]) -> Result<Option<u64>> {
    let of = |bytes: &[u8]| Some(xxh64(bytes, 0));
    let text = std::str::from_utf8(key);
    let unsigned = column.meaning == Meaning::Unsigned;
    let is_plain = unsigned || column.meaning == Meaning::Plain;
    Ok(match (column.descriptor.physical_type(), text) {
        (Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY, _) if is_plain => of(key),
        (Type::INT32, Ok(text)) if unsigned => {
            text.parse().ok().and_then(|value: u32| of(&value.to_le_bytes()))
        }
        (Type::INT64, Ok(text)) if unsigned => {
            text.parse().ok().and_then(|value: u64| of(&value.to_le_bytes()))
        }
        (Type::INT32, Ok(text)) if is_plain => {
            text.parse().ok().and_then(|value: i32| of(&value.to_le_bytes()))
        }
        (Type::INT64, Ok(text)) if is_plain => {
            text.parse().ok().and_then(|value: i64| of(&value.to_le_bytes()))
        }
        (Type::FLOAT, Ok(text)) => text.parse().ok().and_then(|value: f32| of(&value.to_le_bytes())),
        (Type::DOUBLE, Ok(text)) => text.parse().ok().and_then(|value: f64| of(&value.to_le_bytes())),
        (Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE, Err(_)) if is_plain => None,
        _ => {
            return Err(anyhow!("its values are dates, times, decimals or the like")).with_context(|| {
                format!("column '{}': filters of texts and of numbers are asked", column.name)
            });
        }
    })
}
