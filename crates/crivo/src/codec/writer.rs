//! Writing the envelope.

use super::tag::tag;
use super::{CHECKSUM, FLAG_KEYED, FLAG_TAGGED, FLAG_TEXT, FLAG_TYPED, MAGIC, VERSION};
use crate::HashSpec;
use crate::hash::{Algorithm, ItemForm};
use crate::kind::Kind;
use alloc::vec::Vec;

/// Returns the whole file of a sketch. `spec` is `None` for structures that do not hash.
pub(crate) fn seal(kind: Kind, spec: Option<&HashSpec>, params: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64 + params.len() + payload.len());
    let algorithm = spec.map(HashSpec::algorithm);
    let keyed = spec.filter(|_| algorithm == Some(Algorithm::SipHash));
    bytes.extend_from_slice(&MAGIC);
    bytes.push(VERSION);
    let form = match spec.map(HashSpec::form).unwrap_or_default() {
        ItemForm::Unmarked => 0,
        ItemForm::Typed => FLAG_TYPED,
        ItemForm::Text => FLAG_TEXT,
    };
    bytes.push(keyed.map_or(0, |_| FLAG_KEYED | FLAG_TAGGED) | form);
    bytes.extend_from_slice(&kind.id().to_le_bytes());
    bytes.push(algorithm.map_or(0, |a| a as u8));
    bytes.extend_from_slice(&spec.map_or(0, HashSpec::fingerprint).to_le_bytes());
    for part in [params, payload] {
        put_u64_varint(&mut bytes, part.len() as u64);
        bytes.extend_from_slice(part);
    }
    if let Some(spec) = keyed {
        let tag = tag(spec, &bytes);
        bytes.extend_from_slice(&tag);
    }
    let checksum = CHECKSUM.hash_bytes(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Appends a number in groups of seven bits, lowest first.
pub(crate) fn put_u64_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends a signed number: 0, −1, 1, −2, … as 0, 1, 2, 3, …
pub(crate) fn put_i64_varint(bytes: &mut Vec<u8>, value: i64) {
    put_u64_varint(bytes, (value << 1 ^ value >> 63) as u64);
}
