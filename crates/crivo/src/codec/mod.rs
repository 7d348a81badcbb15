//! The envelope that every sketch file shares (`docs/FORMAT.md`).

mod reader;
mod tag;
mod writer;

pub use reader::Reader;
pub(crate) use writer::{put_i64_varint, put_u64_varint, seal};

use crate::hash::{Algorithm, ItemForm};
use crate::kind::Kind;
use crate::{Error, HashSpec, Result};
use alloc::format;
use core::fmt;
use tag::TAG_BYTES;

const MAGIC: [u8; 4] = *b"CRVO";
const VERSION: u8 = 1;
/// Set if the hash is keyed: the file holds a fingerprint of the key, not the key.
const FLAG_KEYED: u8 = 1;
/// Set if an authentication tag stands before the checksum. Files with a keyed hash have one unless a version
/// without tags wrote them.
const FLAG_TAGGED: u8 = 2;
/// Set if values other than text were hashed by their types.
const FLAG_TYPED: u8 = 4;
/// Set if values other than text were hashed as their texts.
const FLAG_TEXT: u8 = 8;
const CHECKSUM_BYTES: usize = 8;
/// The checksum is the rapidhash of everything before it, with its own seed.
const CHECKSUM: HashSpec = HashSpec::rapid(0x6368_6563_6b73_756d);

/// Options for reading a file: the key that it may need, and limits.
#[derive(Clone, Copy, Default)]
pub struct DecodeOptions {
    /// The secret key of a keyed sketch.
    pub key: Option<[u8; 16]>,
    /// The memory limit in bytes: a sketch that would take more is refused.
    pub max_memory: Option<u64>,
    /// Accepts a keyed sketch without an authentication tag, as early versions wrote them. Anyone who can
    /// write the file may have changed such a sketch, or stripped the tag of another one. A sketch that is
    /// written again has a tag.
    pub accept_untagged: bool,
}

impl fmt::Debug for DecodeOptions {
    /// Formats the options without the secret key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key.map(|_| "secret");
        f.debug_struct("DecodeOptions")
            .field("key", &key)
            .field("max_memory", &self.max_memory)
            .field("accept_untagged", &self.accept_untagged)
            .finish()
    }
}

/// The header of a sketch file, read without decoding the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The structure in the file.
    pub kind: Kind,
    /// The hash algorithm; `None` for structures that do not hash.
    pub algorithm: Option<Algorithm>,
    /// The hash seed, or the fingerprint of the secret key if [`keyed`](Self::keyed) is set.
    pub seed_or_fingerprint: u64,
    /// True if reading the sketch needs the secret key.
    pub keyed: bool,
    /// True if the file has an authentication tag: with the key, it reveals whether anyone without the key
    /// has changed the file.
    pub tagged: bool,
    /// How values became items.
    pub form: ItemForm,
}

/// Reads the header of a sketch file. Works on keyed files without the key, and does not check the rest of
/// the file.
///
/// ```
/// use crivo::{HyperLogLog, Kind, peek};
/// let header = peek(&HyperLogLog::for_precision(12)?.to_bytes())?;
/// assert_eq!(header.kind, Kind::HyperLogLog);
/// assert!(!header.keyed);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// `Malformed` if the bytes are not a sketch, `Unsupported` if a newer version of Crivo wrote them.
pub fn peek(bytes: &[u8]) -> Result<Header> {
    read_header(&mut Reader::new(bytes))
}

fn read_header(reader: &mut Reader<'_>) -> Result<Header> {
    if reader.rest().get(..4) != Some(&MAGIC) {
        return Err(Error::malformed(
            "not a Crivo sketch: expected the bytes CRVO at the start; check that this is a .crv file",
        ));
    }
    reader.bytes(4)?;
    let version = reader.u8()?;
    if version != VERSION {
        return Err(Error::unsupported(format!(
            "the file has format version {version}, but this Crivo reads version {VERSION}; upgrade Crivo"
        )));
    }
    let flags = reader.u8()?;
    if flags & !(FLAG_KEYED | FLAG_TAGGED | FLAG_TYPED | FLAG_TEXT) != 0 {
        return Err(Error::unsupported(format!(
            "the file has unknown flags {flags:#04x}, from a newer Crivo; upgrade Crivo"
        )));
    }
    let (keyed, tagged) = (flags & FLAG_KEYED != 0, flags & FLAG_TAGGED != 0);
    if tagged && !keyed {
        return Err(Error::malformed("the file is corrupt: it has a tag but no keyed hash"));
    }
    let form = match (flags & FLAG_TYPED != 0, flags & FLAG_TEXT != 0) {
        (false, false) => ItemForm::Unmarked,
        (true, false) => ItemForm::Typed,
        (false, true) => ItemForm::Text,
        (true, true) => {
            return Err(Error::malformed("the file is corrupt: it is marked both as typed and as text"));
        }
    };
    let id = reader.u16()?;
    let kind = Kind::of_id(id).ok_or_else(|| {
        Error::unsupported(format!("the file has the unknown kind {id}, from a newer Crivo; upgrade Crivo"))
    })?;
    let algorithm = match (reader.u8()?, keyed) {
        (0, false) => None,
        (1, false) => Some(Algorithm::Rapid),
        (2, true) => Some(Algorithm::SipHash),
        (3, false) => Some(Algorithm::Xxh3),
        (0..=3, _) => {
            return Err(Error::malformed(
                "the file is corrupt: hash algorithm and key flag contradict each other",
            ));
        }
        (other, _) => {
            return Err(Error::unsupported(format!(
                "the file has the unknown hash algorithm {other}, from a newer Crivo; upgrade Crivo"
            )));
        }
    };
    if algorithm.is_none() && form != ItemForm::Unmarked {
        return Err(Error::malformed("the file is corrupt: it says what was hashed, but names no hash"));
    }
    Ok(Header { kind, algorithm, seed_or_fingerprint: reader.u64()?, keyed, tagged, form })
}

/// An opened envelope: the hash, and readers of the params and the payload.
pub(crate) struct Envelope<'a> {
    pub(crate) spec: HashSpec,
    pub(crate) params: Reader<'a>,
    pub(crate) payload: Reader<'a>,
    /// The bytes of the file from the payload on.
    pub(crate) from_payload: &'a [u8],
}

/// Checks the envelope of a sketch of `kind` and opens it.
pub(crate) fn open<'a>(kind: Kind, bytes: &'a [u8], options: &DecodeOptions) -> Result<Envelope<'a>> {
    check(kind, bytes)?;
    let envelope = open_unread(bytes, options)?;
    check_tag(bytes, &envelope.spec)?;
    Ok(envelope)
}

/// Checks and opens the envelope of a structure of `kind` that does not hash; returns readers of the params
/// and the payload.
pub(crate) fn open_without_hash(kind: Kind, bytes: &[u8]) -> Result<[Reader<'_>; 2]> {
    check(kind, bytes)?;
    let (header, parts) = parts(bytes)?;
    if header.algorithm.is_some() || header.seed_or_fingerprint != 0 {
        return Err(Error::malformed(
            "the file is corrupt: it names a hash, but this structure does not hash",
        ));
    }
    Ok(parts)
}

/// Returns the tag of the type of elements that a sketch keeps, which is the first byte of its params.
pub(crate) fn element_tag(bytes: &[u8]) -> Result<u8> {
    let (_, [mut params, _]) = parts(bytes)?;
    params.u8()
}

/// Checks the kind and the checksum. The checksum comes before the key: a corrupt file stays corrupt with the
/// right key.
fn check(kind: Kind, bytes: &[u8]) -> Result<()> {
    let header = peek(bytes)?;
    if header.kind != kind {
        return Err(Error::incompatible(
            "kind",
            format!("the requested kind is {}", kind.name()),
            format!("the file's kind is {}", header.kind.name()),
            "read it as its own kind, or with crivo::decode",
        ));
    }
    check_sum(bytes)
}

/// Opens an envelope by its lengths alone, without checking the checksum or the tag.
pub(crate) fn open_unread<'a>(bytes: &'a [u8], options: &DecodeOptions) -> Result<Envelope<'a>> {
    let (header, [params, payload]) = parts(bytes)?;
    let spec = spec_of(&header, options)?;
    if header.keyed && !header.tagged && !options.accept_untagged {
        return Err(Error::unsupported(
            "this sketch was made with a secret key and has no tag: an early version wrote it, or someone \
             without the key has changed it; read it with accept_untagged if you trust its source",
        ));
    }
    let behind = CHECKSUM_BYTES + if header.tagged { TAG_BYTES } else { 0 };
    let from_payload = &bytes[bytes.len() - behind - payload.rest().len()..];
    Ok(Envelope { spec, params, payload, from_payload })
}

/// Returns the header, the params and the payload.
fn parts(bytes: &[u8]) -> Result<(Header, [Reader<'_>; 2])> {
    let (body, _) = split_checksum(bytes)?;
    let mut reader = Reader::new(body);
    let header = read_header(&mut reader)?;
    let [params, payload] = [reader.framed()?, reader.framed()?];
    if header.tagged {
        reader.bytes(TAG_BYTES)?;
    }
    reader.finish()?;
    Ok((header, [Reader::new(params), Reader::new(payload)]))
}

/// Checks the whole file against its checksum.
pub(crate) fn check_sum(bytes: &[u8]) -> Result<()> {
    let (body, checksum) = split_checksum(bytes)?;
    if CHECKSUM.hash_bytes(body) == u64::from_le_bytes(*checksum) {
        return Ok(());
    }
    Err(Error::malformed("the file is corrupt: its checksum does not match; restore it from an intact copy"))
}

/// Checks the whole file against its authentication tag, if it has one. `spec` is the hash of the file.
pub(crate) fn check_tag(bytes: &[u8], spec: &HashSpec) -> Result<()> {
    if !peek(bytes)?.tagged {
        return Ok(());
    }
    let (body, _) = split_checksum(bytes)?;
    let (tagged, tag) = body.split_last_chunk::<TAG_BYTES>().ok_or_else(too_early)?;
    if tag::tag(spec, tagged) == *tag {
        return Ok(());
    }
    Err(Error::malformed(
        "the tag does not match: the file was changed by someone without the key; do not trust it, use an intact copy",
    ))
}

fn split_checksum(bytes: &[u8]) -> Result<(&[u8], &[u8; CHECKSUM_BYTES])> {
    bytes.split_last_chunk().ok_or_else(too_early)
}

fn too_early() -> Error {
    Error::malformed("the file is corrupt: it ends too early")
}

fn spec_of(header: &Header, options: &DecodeOptions) -> Result<HashSpec> {
    let spec = match (header.algorithm, options.key) {
        (None, _) => {
            Err(Error::malformed("the file is corrupt: it names no hash, but this structure hashes"))
        }
        (Some(Algorithm::Rapid), _) => Ok(HashSpec::rapid(header.seed_or_fingerprint)),
        (Some(Algorithm::Xxh3), _) => Ok(HashSpec::seeded(header.seed_or_fingerprint)),
        (Some(Algorithm::SipHash), None) => {
            Err(Error::unsupported("this sketch was made with a secret key; read it with that key"))
        }
        (Some(Algorithm::SipHash), Some(key)) => {
            let spec = HashSpec::keyed(key);
            if spec.fingerprint() == header.seed_or_fingerprint {
                Ok(spec)
            } else {
                Err(Error::incompatible(
                    "key fingerprint",
                    format!("{:#x} in the file", header.seed_or_fingerprint),
                    format!("{:#x} of the given key", spec.fingerprint()),
                    "use the key that the sketch was made with",
                ))
            }
        }
    };
    spec.map(|spec| spec.with_form(header.form))
}

/// Refuses a size above the caller's limit, before anything is allocated.
pub(crate) fn check_memory(bytes: u64, options: &DecodeOptions) -> Result<()> {
    match options.max_memory {
        Some(limit) if bytes > limit => Err(Error::unsupported(format!(
            "this sketch takes {bytes} bytes of memory, more than the limit of {limit}; raise the limit"
        ))),
        _ => Ok(()),
    }
}
