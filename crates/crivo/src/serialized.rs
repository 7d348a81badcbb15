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
        deserializer.deserialize_bytes(Reading(read))
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

/// The JSON object that `crivo --json` prints: an infinite bound is null, and whether the answer is exact stands beside it.
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
            let message = format!("an estimate of {} lies outside its bounds, {} to {upper}", fields.value, fields.lower);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::for_each_kind;
    use crate::sketch::Sketch;
    use crate::{HyperLogLog, Kll, peek};
    use alloc::vec;
    use serde::de::DeserializeOwned;

    /// A sketch of type `T` from every golden file of its kind goes through three formats and comes back bit for bit.
    fn round_trips<T: Sketch + Serialize + DeserializeOwned>(kind: &str) {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let mut tried = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            if peek(&bytes).map_or(true, |header| header.kind.name() != kind) {
                continue;
            }
            // Files with a key and files of other elements are not for this type.
            let Ok(sketch) = T::from_bytes_with(&bytes, &Default::default()) else { continue };
            let bytes = sketch.to_bytes();
            let json: T = serde_json::from_str(&serde_json::to_string(&sketch).unwrap()).unwrap();
            assert_eq!(json.to_bytes(), bytes, "{kind}");
            let packed: T = postcard::from_bytes(&postcard::to_allocvec(&sketch).unwrap()).unwrap();
            assert_eq!(packed.to_bytes(), bytes, "{kind}");
            let mut cbor = vec![];
            ciborium::into_writer(&sketch, &mut cbor).unwrap();
            let cbor: T = ciborium::from_reader(&cbor[..]).unwrap();
            assert_eq!(cbor.to_bytes(), bytes, "{kind}");
            tried += 1;
        }
        assert!(tried > 0, "there is no golden file for a {kind}");
    }

    macro_rules! every_kind {
        ($($module:ident: $family:ident {
            $($(#[$cfg:meta])* $kind:ident $(as $type:ty)? = $id:literal $name:literal $law:ident
                [$($can:ident $(($($how:tt)*))?),*] $summary:literal;)+
        })+) => {
            #[test]
            fn every_kind_round_trips_through_json_postcard_and_cbor() {
                use crate::registry::types::*;
                $($($(#[$cfg])* round_trips::<every_kind!(@type $module $kind $($type)?)>($name);)+)+
            }
        };
        (@type $module:ident $kind:ident) => { crate::$module::$kind };
        (@type $module:ident $kind:ident $type:ty) => { $type };
    }
    for_each_kind!(every_kind);

    #[test]
    fn what_is_no_sketch_is_refused() {
        let reads = |text: &str| serde_json::from_str::<HyperLogLog>(text).unwrap_err();
        assert!(format!("{}", reads("7")).contains("the bytes of a sketch"), "{}", reads("7"));
        assert!(format!("{}", reads("\"not base64!\"")).contains("nvalid"));
        let other = serde_json::to_string(&Kll::<f64>::for_k(200).unwrap()).unwrap();
        assert!(format!("{}", reads(&other)).contains("kll"), "{}", reads(&other));
    }

    #[test]
    fn estimates_are_the_objects_of_the_command() {
        let json = |estimate: &Estimate| serde_json::to_string(estimate).unwrap();
        let exact = Estimate::exact(12.0);
        assert_eq!(
            json(&exact),
            r#"{"value":12.0,"lower":12.0,"upper":12.0,"exact":true,"guarantee":"certain","confidence":1.0}"#
        );
        let guarantee = Guarantee::Proven { confidence: 0.9 };
        let open = Estimate::new(3.0, 1.0, f64::INFINITY, guarantee);
        assert!(json(&open).contains(r#""upper":null"#));
        let mut few = HyperLogLog::for_precision(12).unwrap();
        few.extend(0..100u32);
        for estimate in [exact, open, few.estimate()] {
            let back: Estimate = serde_json::from_str(&json(&estimate)).unwrap();
            assert_eq!((back.value(), back.lower(), back.upper()), (estimate.value(), estimate.lower(), estimate.upper()));
            assert_eq!(back.guarantee(), estimate.guarantee());
            let chances = (back.collision_chance().unwrap_or(0.0), estimate.collision_chance().unwrap_or(0.0));
            assert!((chances.0 - chances.1).abs() <= 1e-9 * chances.1);
        }
        let wrong = r#"{"value":1,"lower":2,"upper":3,"guarantee":"certain","confidence":1}"#;
        assert!(serde_json::from_str::<Estimate>(wrong).is_err());
        let wrong = r#"{"value":1,"lower":1,"upper":3,"guarantee":"proven","confidence":2}"#;
        assert!(serde_json::from_str::<Estimate>(wrong).is_err());
    }
}
