//! Sketches and estimates as fields of serialised types (feature `serde`).
//!
//! A sketch is its canonical bytes: a byte string in binary formats, base64 text in formats that people read, such as JSON.
//! A keyed sketch serialises too, but only `from_bytes_with_key` reads it back, since the key is in no file.

use crate::{Error, Estimate, Guarantee, QuantileEstimate, Result};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use core::fmt;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.serialize_str(&BASE64.encode(bytes))
    } else {
        serializer.serialize_bytes(bytes)
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: fn(&[u8]) -> Result<T>,
) -> Result<T, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_str(Reading(read))
    } else {
        // A buffer, because some formats lend only short byte strings.
        deserializer.deserialize_byte_buf(Reading(read))
    }
}

/// Reads a sketch of text or bytes.
struct Reading<T>(fn(&[u8]) -> Result<T>);

impl<'de, T> Visitor<'de> for Reading<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a sketch, in base64 where text is expected")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        self.visit_bytes(&BASE64.decode(text).map_err(E::custom)?)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        self.0(bytes).map_err(E::custom)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut sequence: A) -> Result<T, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = sequence.next_element()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}

/// The JSON object that `crivo --json` prints: an infinite bound is null, together with whether the answer is exact.
#[derive(serde::Serialize, serde::Deserialize)]
struct Fields<T> {
    value: T,
    lower: T,
    upper: Option<T>,
    #[serde(default)]
    exact: bool,
    guarantee: String,
    confidence: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    collision_chance: Option<f64>,
}

fn guarantee_of(name: &str, confidence: f64) -> Result<Guarantee> {
    let inside = confidence > 0.0 && confidence < 1.0;
    match name {
        "certain" => Ok(Guarantee::Certain),
        "proven" if inside => Ok(Guarantee::Proven { confidence }),
        "approximate" if inside => Ok(Guarantee::Approximate { confidence }),
        _ => Err(Error::malformed(format!(
            "a guarantee is certain, or proven or approximate with a confidence between 0 and 1, not {name} with {confidence}"
        ))),
    }
}

impl Serialize for Estimate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = Fields {
            value: self.value(),
            lower: self.lower(),
            upper: Some(self.upper()).filter(|upper| upper.is_finite()),
            exact: self.is_exact(),
            guarantee: self.guarantee().name().into(),
            confidence: self.guarantee().confidence(),
            collision_chance: self.collision_chance(),
        };
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Estimate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Fields::<f64>::deserialize(deserializer)?;
        let upper = fields.upper.unwrap_or(f64::INFINITY);
        let is_ordered = fields.lower <= fields.value && fields.value <= upper;
        if !is_ordered {
            let message = format!(
                "an estimate of {} lies outside its bounds, {} to {upper}",
                fields.value, fields.lower
            );
            return Err(de::Error::custom(message));
        }
        let guarantee = guarantee_of(&fields.guarantee, fields.confidence).map_err(de::Error::custom)?;
        let estimate = Self::new(fields.value, fields.lower, upper, guarantee);
        Ok(fields.collision_chance.map_or(estimate, |chance| estimate.with_collision_chance(chance)))
    }
}

impl<T: Serialize + PartialEq> Serialize for QuantileEstimate<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = Fields {
            value: self.value(),
            lower: self.lower(),
            upper: Some(self.upper()),
            exact: self.guarantee() == Guarantee::Certain && self.lower() == self.upper(),
            guarantee: self.guarantee().name().into(),
            confidence: self.guarantee().confidence(),
            collision_chance: None,
        };
        fields.serialize(serializer)
    }
}
