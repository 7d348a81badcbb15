//! The envelope that every sketch file shares (`docs/FORMAT.md`).

mod reader;
mod tag;
mod writer;

pub(crate) use reader::Reader;
pub(crate) use writer::{put_i64_varint, put_u64_varint, seal};

use crate::hash::Algorithm;
use crate::kind::Kind;
use crate::{Error, HashSpec, Result};
use alloc::format;
use core::fmt;
use tag::TAG_BYTES;

const MAGIC: [u8; 4] = *b"CRVO";
const VERSION: u8 = 1;
/// Set when the hash is keyed: the file holds the key's fingerprint, not the key.
const FLAG_KEYED: u8 = 1;
/// Set when a tag under the key stands before the checksum. Files of a keyed hash have had one since there are tags.
const FLAG_TAGGED: u8 = 2;
const CHECKSUM_BYTES: usize = 8;
/// The checksum is the rapidhash of everything before it, under a seed of its own.
const CHECKSUM: HashSpec = HashSpec::rapid(0x6368_6563_6b73_756d);

/// What reading a file may need or must not exceed.
#[derive(Clone, Copy, Default)]
pub struct DecodeOptions {
    /// The secret key of a keyed sketch.
    pub key: Option<[u8; 16]>,
    /// Refuse a sketch that would take more bytes of memory than this.
    pub max_memory: Option<u64>,
    /// Accept a keyed sketch without a tag, as versions before there were tags wrote them. Whoever can write the file
    /// can have changed such a one, or made it of one with a tag. Written again, it has a tag.
    pub accept_untagged: bool,
}

impl fmt::Debug for DecodeOptions {
    /// Never shows a secret key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key.map(|_| "secret");
        f.debug_struct("DecodeOptions")
            .field("key", &key)
            .field("max_memory", &self.max_memory)
            .field("accept_untagged", &self.accept_untagged)
            .finish()
    }
}

/// What the head of a sketch file says, read without decoding the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The structure inside.
    pub kind: Kind,
    /// How its items were hashed; `None` for structures that do not hash.
    pub algorithm: Option<Algorithm>,
    /// The hash seed, or the fingerprint of the secret key when [`keyed`](Self::keyed).
    pub seed_or_fingerprint: u64,
    /// Whether reading it needs the secret key.
    pub keyed: bool,
    /// Whether it carries a tag, which tells with the key whether somebody without it has changed the file.
    pub tagged: bool,
}

/// Reads the head of a sketch file: works on keyed files without the key, and does not look at the rest.
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
/// `Malformed` when the bytes are not a sketch, `Unsupported` when a newer Crivo wrote them.
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
            "format version {version}, but this Crivo reads version {VERSION}: written by a newer Crivo; upgrade"
        )));
    }
    let flags = reader.u8()?;
    if flags & !(FLAG_KEYED | FLAG_TAGGED) != 0 {
        return Err(Error::unsupported(format!(
            "unknown flags {flags:#04x}: written by a newer Crivo; upgrade"
        )));
    }
    let (keyed, tagged) = (flags & FLAG_KEYED != 0, flags & FLAG_TAGGED != 0);
    if tagged && !keyed {
        return Err(Error::malformed("the file claims a tag under a key, and names no key; copy it again"));
    }
    let id = reader.u16()?;
    let kind = Kind::of_id(id).ok_or_else(|| {
        Error::unsupported(format!("unknown kind {id} of sketch: written by a newer Crivo; upgrade"))
    })?;
    let algorithm = match (reader.u8()?, keyed) {
        (0, false) => None,
        (1, false) => Some(Algorithm::Rapid),
        (2, true) => Some(Algorithm::SipHash),
        (3, false) => Some(Algorithm::Xxh3),
        (0..=3, _) => return Err(Error::malformed("hash algorithm and key flag contradict each other")),
        (other, _) => {
            return Err(Error::unsupported(format!(
                "unknown hash algorithm {other}: written by a newer Crivo; upgrade"
            )));
        }
    };
    Ok(Header { kind, algorithm, seed_or_fingerprint: reader.u64()?, keyed, tagged })
}

/// An opened envelope: the hash, and readers of the two parts.
pub(crate) struct Envelope<'a> {
    pub(crate) spec: HashSpec,
    pub(crate) params: Reader<'a>,
    pub(crate) payload: Reader<'a>,
    /// The file from the payload on.
    pub(crate) from_payload: &'a [u8],
}

/// Checks the envelope of a sketch of `kind` and opens it.
pub(crate) fn open<'a>(kind: Kind, bytes: &'a [u8], options: &DecodeOptions) -> Result<Envelope<'a>> {
    check(kind, bytes)?;
    let envelope = open_unread(bytes, options)?;
    check_tag(bytes, &envelope.spec)?;
    Ok(envelope)
}

/// Checks the envelope of a structure of `kind` that does not hash, and opens it: params and payload.
pub(crate) fn open_without_hash(kind: Kind, bytes: &[u8]) -> Result<[Reader<'_>; 2]> {
    check(kind, bytes)?;
    let (header, parts) = parts(bytes)?;
    if header.algorithm.is_some() || header.seed_or_fingerprint != 0 {
        return Err(Error::malformed(
            "the file names a hash, but this structure does not hash; copy it again",
        ));
    }
    Ok(parts)
}

/// The tag of the elements that a sketch keeps: the first of its params.
pub(crate) fn element_tag(bytes: &[u8]) -> Result<u8> {
    let (_, [mut params, _]) = parts(bytes)?;
    params.u8()
}

/// Refuses another kind, and damage. Damage comes before a missing key: a broken file stays broken with the right key.
fn check(kind: Kind, bytes: &[u8]) -> Result<()> {
    let header = peek(bytes)?;
    if header.kind != kind {
        return Err(Error::incompatible(
            "kind",
            format!("the kind {} was asked for", kind.name()),
            format!("this is {}", header.kind.name()),
            "read it as what it is, or with crivo::decode",
        ));
    }
    check_sum(bytes)
}

/// Opens an envelope by its lengths alone: whether the payload is whole, and whose it is, is not known.
pub(crate) fn open_unread<'a>(bytes: &'a [u8], options: &DecodeOptions) -> Result<Envelope<'a>> {
    let (header, [params, payload]) = parts(bytes)?;
    let spec = spec_of(&header, options)?;
    if header.keyed && !header.tagged && !options.accept_untagged {
        return Err(Error::unsupported(
            "this sketch was made with a secret key and has no tag: an early version wrote it, or somebody without the \
             key has changed it; read it with accept_untagged if you trust where it was",
        ));
    }
    let behind = CHECKSUM_BYTES + if header.tagged { TAG_BYTES } else { 0 };
    let from_payload = &bytes[bytes.len() - behind - payload.rest().len()..];
    Ok(Envelope { spec, params, payload, from_payload })
}

/// The header, the params and the payload.
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

/// Reads the whole file, and holds it against its checksum.
pub(crate) fn check_sum(bytes: &[u8]) -> Result<()> {
    let (body, checksum) = split_checksum(bytes)?;
    if CHECKSUM.hash_bytes(body) == u64::from_le_bytes(*checksum) {
        return Ok(());
    }
    Err(Error::malformed("the checksum does not fit: the file is damaged or cut off; copy it again"))
}

/// Reads the whole file, and holds it against its tag, if it has one. `spec` is that of the file.
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
        "the tag does not fit: somebody without the key has changed the file; do not trust it, and take another copy",
    ))
}

fn split_checksum(bytes: &[u8]) -> Result<(&[u8], &[u8; CHECKSUM_BYTES])> {
    bytes.split_last_chunk().ok_or_else(too_early)
}

fn too_early() -> Error {
    Error::malformed("the file ends too early; copy it again")
}

fn spec_of(header: &Header, options: &DecodeOptions) -> Result<HashSpec> {
    match (header.algorithm, options.key) {
        (None, _) => {
            Err(Error::malformed("the file names no hash, but this structure hashes; copy it again"))
        }
        (Some(Algorithm::Rapid), _) => Ok(HashSpec::rapid(header.seed_or_fingerprint)),
        (Some(Algorithm::Xxh3), _) => Ok(HashSpec::seeded(header.seed_or_fingerprint)),
        (Some(Algorithm::SipHash), None) => Err(Error::unsupported(
            "this sketch was made with a secret key and needs it: read it with the key",
        )),
        (Some(Algorithm::SipHash), Some(key)) => {
            let spec = HashSpec::keyed(key);
            if spec.fingerprint() == header.seed_or_fingerprint {
                Ok(spec)
            } else {
                Err(Error::incompatible(
                    "key fingerprint",
                    format!("{:#x} in the file", header.seed_or_fingerprint),
                    format!("{:#x} of the given key", spec.fingerprint()),
                    "give the key that the sketch was made with",
                ))
            }
        }
    }
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
