//! Records as JSON.

use crate::text::{escaped_json, is_plain};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Returns a record as JSON. Everything that a terminal would obey is written as a JSON escape.
///
/// # Panics
/// If a key of a map in the record is not a text.
pub fn json_text(record: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    write_json(record, &mut bytes);
    String::from_utf8(bytes).expect("JSON is text")
}

/// Appends the JSON of a record to `bytes`. There may be millions of records, and most of them need no escape.
pub(crate) fn write_json(record: &impl Serialize, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    let mut serializer = Serializer::with_formatter(&mut *bytes, WholeAsIntegers);
    record.serialize(&mut serializer).expect("the keys of records are texts");
    if !is_plain(&bytes[start..]) {
        let text = bytes.split_off(start);
        let text = String::from_utf8(text).expect("JSON is text");
        bytes.extend_from_slice(escaped_json(&text).as_bytes());
    }
}

/// Returns the position behind the type of a record. The type is the first field, and its name has neither a comma
/// nor a brace.
pub(crate) fn after_type(record: &[u8]) -> usize {
    record.iter().position(|byte| matches!(byte, b',' | b'}')).unwrap_or(record.len())
}

/// Writes 12, not 12.0: a count is an integer even if its type allows fractions. Beyond 2⁵³ an `f64` does not hold
/// all digits of an integer, so such a number keeps its usual form.
struct WholeAsIntegers;

impl Formatter for WholeAsIntegers {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        const EXACT: f64 = (1u64 << 53) as f64;
        if value.fract() == 0.0 && value.abs() <= EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "whole, and at most 2^53")]
            return self.write_i64(writer, value as i64);
        }
        serde_json::ser::CompactFormatter.write_f64(writer, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_integers() {
        let written = json_text(&[12.0, -3.0, -0.0, 0.5, 9_007_199_254_740_992.0, 1e16, 1e300, f64::NAN]);
        assert_eq!(written, "[12,-3,0,0.5,9007199254740992,1e+16,1e+300,null]");
        assert_eq!(json_text(&serde_json::json!({"fpr": 1.0})), "{\"fpr\":1}");
    }
}
