//! Queries on a saved filter without loading it: see [`FilterView`].

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

/// A saved filter that is queried without being loaded: a view of the bytes of a file, which may be
/// memory-mapped.
///
/// Opening a view reads a few bytes at the start of the file, and a query only the bytes that it needs. It
/// allocates no memory, whatever the size of the file. So it does not check the checksum and the tag: a file
/// that is corrupt but has the right length, or that was changed on purpose, gives wrong answers.
/// [`verify`](Self::verify) reads the whole file and detects both. There is no other danger: for any bytes
/// the result is an answer or an error.
///
/// [`BloomFilter`] and [`BinaryFuse`](crate::BinaryFuse) can be queried like this. Other kinds are
/// `Unsupported`: their files must be decoded.
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

/// The query of each kind: the same functions that query a filter in memory.
#[derive(Clone, Copy)]
enum Probe<'a> {
    Bloom(BloomParams, FileWords<'a>),
    Fuse(FuseProbe, &'a [u8]),
}

impl<'a> FilterView<'a> {
    /// Opens the file of a filter. It checks the header, the parameters and the lengths, and does not read
    /// the rest.
    ///
    /// The memory limit in `options` has no effect here.
    ///
    /// # Errors
    /// `Malformed` if the bytes are not a sketch or have the wrong length; `Unsupported` for a kind that must
    /// be decoded, for newer files and for a missing key; `Incompatible` for a wrong key.
    pub fn open(file: &'a [u8], options: &DecodeOptions) -> Result<Self> {
        let kind = peek(file)?.kind;
        if !matches!(kind, Kind::BloomFilter | Kind::BinaryFuse) {
            return Err(Error::unsupported(format!(
                "a {} cannot be queried in its file; read it with crivo::decode",
                kind.name()
            )));
        }
        let envelope = codec::open_unread(file, options)?;
        // The checksum follows the payload, so a word can be read from its last byte on.
        let payload = envelope.from_payload;
        let probe = if kind == Kind::BloomFilter {
            let params = BloomParams::read(envelope.params).map_err(in_file)?;
            check_bits(&params, envelope.payload.rest()).map_err(in_file)?;
            Probe::Bloom(params, FileWords(payload))
        } else {
            let probe = Frozen::read(envelope.params).map_err(in_file)?.probe;
            probe.check_length(envelope.payload.rest()).map_err(in_file)?;
            Probe::Fuse(probe, payload)
        };
        Ok(Self { file, kind, spec: envelope.spec, probe })
    }

    /// Returns whether the item may be inside: `false` is certain.
    #[inline]
    pub fn contains<T: Item + ?Sized>(&self, item: &T) -> bool {
        self.contains_hash(self.spec.hash(item))
    }

    /// Returns whether the item with this hash may be inside.
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        match &self.probe {
            Probe::Bloom(params, words) => BloomFilter::contains_in(words, *params, hash),
            Probe::Fuse(probe, cells) => probe.contains(cells, hash),
        }
    }

    /// Returns whether each of many items may be inside.
    pub fn contains_hashes(&self, hashes: &[u64]) -> Vec<bool> {
        hashes.iter().map(|&hash| self.contains_hash(hash)).collect()
    }

    /// Checks the whole file against its checksum and, if it is keyed, against its tag.
    ///
    /// # Errors
    /// `Malformed` if the file is corrupt, or was changed by someone without the key.
    pub fn verify(&self) -> Result<()> {
        codec::check_sum(self.file)?;
        codec::check_tag(self.file, &self.spec)
    }

    /// Returns the kind of the filter.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the hash spec.
    pub fn hash_spec(&self) -> &HashSpec {
        &self.spec
    }
}

impl fmt::Debug for FilterView<'_> {
    /// Formats the view in one line, without the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FilterView of a {} of {} bytes, {}", self.kind.name(), self.file.len(), self.spec)
    }
}
