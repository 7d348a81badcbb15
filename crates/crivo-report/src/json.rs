//! How records are written as JSON.

use crate::text::{escaped_json, is_plain};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// A record as JSON. What a terminal would obey is written as JSON's escapes.
///
/// # Panics
/// If a key of a map in it is not a text.
pub fn json_text(record: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    write_json(record, &mut bytes);
    String::from_utf8(bytes).expect("JSON is text")
}

/// The same behind other bytes: there may be millions of records, and most are plain.
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

/// Where the type of a record ends, which is its first field, and has neither a comma nor a brace in its name.
pub(crate) fn after_type(record: &[u8]) -> usize {
    record.iter().position(|byte| matches!(byte, b',' | b'}')).unwrap_or(record.len())
}

/// Writes 12, not 12.0: a count is a whole number even where an estimate could be none. Beyond 2⁵³ a number has digits
/// that nobody counted, so it stays as it is.
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
