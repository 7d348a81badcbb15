//! Values of the data and facts of sketches, in records.

use crate::{Bar, seed};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crivo::sketch::{Fact, FactValue};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// A key or record as JSON: a string, or `{"bytes": base64}` if it is not UTF-8.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Text<'a> {
    /// The text itself.
    Utf8(&'a str),
    /// Bytes that are not UTF-8.
    Other {
        /// The bytes in base 64.
        bytes: String,
    },
}

impl<'a> From<&'a [u8]> for Text<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Utf8(text),
            Err(_) => Self::Other { bytes: STANDARD.encode(bytes) },
        }
    }
}

/// The facts of a sketch as a JSON object.
#[derive(Debug)]
pub struct FactJson<'a>(pub &'a [Fact]);

impl Serialize for FactJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for fact in self.0 {
            match &fact.value {
                FactValue::Seed(value) => map.serialize_entry(fact.name, &seed(*value))?,
                FactValue::Count(count) => map.serialize_entry(fact.name, count)?,
                FactValue::Number(number) => map.serialize_entry(fact.name, number)?,
                FactValue::Text(text) => map.serialize_entry(fact.name, text)?,
                FactValue::Estimate(estimate) | FactValue::Rate(estimate) => {
                    map.serialize_entry(fact.name, &Bar::from(*estimate))?;
                }
            }
        }
        map.end()
    }
}

/// Serialises facts as [`FactJson`], for fields of records.
///
/// # Errors
/// The errors of the serializer.
pub fn as_facts<S: Serializer>(facts: &[Fact], serializer: S) -> Result<S::Ok, S::Error> {
    FactJson(facts).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text() {
        let json = |bytes: &[u8]| serde_json::to_string(&Text::from(bytes)).unwrap();
        assert_eq!(json("é".as_bytes()), "\"é\"");
        assert_eq!(json(b"\xff\x00"), r#"{"bytes":"/wA="}"#);
    }
}
