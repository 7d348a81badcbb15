//! A saved filter, asked where it lies: see [`FilterView`].

use super::binary_fuse::Frozen;
use super::bloom_filter::check_bits;
use super::{BloomFilter, BloomParams};
use crate::codec::{self, DecodeOptions, peek};
use crate::fuse::FuseProbe;
use crate::hash::Item;
use crate::kind::Kind;
use crate::membership::probed_bits::FileWords;
use crate::sketch::{Params, in_file};
use crate::{Error, HashSpec, Result};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

/// A saved filter that is asked without being loaded: a view of a file's bytes, which may be mapped into memory.
///
/// Opening one reads a few bytes at the start of the file, and a question only those bytes that it needs. No memory
/// is taken, whatever the size of the file. So checksum and tag are not looked at: a file that was damaged without
/// changing its length, or changed on purpose, gives wrong answers, and [`verify`](Self::verify), which reads all of it, tells. There is no
/// other danger: whatever the bytes are, there is an answer or an error.
///
/// [`BloomFilter`] and [`BinaryFuse`](crate::BinaryFuse) can be asked like this. Other kinds are `Unsupported`: their files must be read.
///
/// ```
/// use crivo::{BloomFilter, DecodeOptions, FilterView};
/// let mut filter = BloomFilter::for_fpr(1000, 0.01)?;
/// filter.insert("sand");
/// let file = filter.to_bytes();
///
/// let view = FilterView::open(&file, &DecodeOptions::default())?;
/// assert!(view.contains("sand") && !view.contains("gravel"));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct FilterView<'a> {
    file: &'a [u8],
    kind: Kind,
    spec: HashSpec,
    probe: Probe<'a>,
}

/// How each kind is asked: the same functions that ask a filter in memory.
#[derive(Clone, Copy)]
enum Probe<'a> {
    Bloom(BloomParams, FileWords<'a>),
    Fuse(FuseProbe, &'a [u8]),
}

impl<'a> FilterView<'a> {
    /// Opens the file of a filter: its header, its parameters and its lengths are checked, and the rest is not read.
    ///
    /// The limit on memory in `options` means nothing here.
    ///
    /// # Errors
    /// `Malformed` when the bytes are no sketch or have the wrong length, `Unsupported` for a kind that must be read
    /// whole, for newer files and for a missing key, `Incompatible` for a wrong key.
    pub fn open(file: &'a [u8], options: &DecodeOptions) -> Result<Self> {
        let kind = peek(file)?.kind;
        if !matches!(kind, Kind::BloomFilter | Kind::BinaryFuse) {
            return Err(Error::unsupported(format!(
                "a {} cannot be asked in its file: read it with crivo::decode",
                kind.name()
            )));
        }
        let envelope = codec::open_unread(file, options)?;
        // The checksum stands behind the payload: a word can be read from its last byte on.
        let payload = envelope.from_payload;
        let probe = if kind == Kind::BloomFilter {
            let params = BloomParams::read(envelope.params).map_err(in_file)?;
            check_bits(&params, envelope.payload.rest())?;
            Probe::Bloom(params, FileWords(payload))
        } else {
            let probe = Frozen::read(envelope.params).map_err(in_file)?.probe;
            probe.check_length(envelope.payload.rest())?;
            Probe::Fuse(probe, payload)
        };
        Ok(Self { file, kind, spec: envelope.spec, probe })
    }

    /// Whether the item may be inside: `false` is certain.
    #[inline]
    pub fn contains<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.contains_hash(self.spec.hash(item))
    }

    /// Whether the item with this hash may be inside.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        match &self.probe {
            Probe::Bloom(params, words) => BloomFilter::contains_in(words, *params, hash),
            Probe::Fuse(probe, cells) => probe.contains(cells, hash),
        }
    }

    /// Whether each of many items may be inside.
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        hashes.iter().map(|&hash| self.contains_hash(hash)).collect()
    }

    /// Reads the whole file, and holds it against its checksum and, if it is keyed, against its tag.
    ///
    /// # Errors
    /// `Malformed` when it was damaged, or changed by somebody without the key.
    pub fn verify(&self) -> Result<()> {
        codec::check_sum(self.file)?;
        codec::check_tag(self.file, &self.spec)
    }

    /// Which structure the file holds.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How it hashes.
    pub fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }
}

impl fmt::Debug for FilterView<'_> {
    /// In one line, without the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FilterView of a {} of {} bytes, {}", self.kind.name(), self.file.len(), self.spec)
    }
}
