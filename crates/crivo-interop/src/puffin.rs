//! Puffin files of Iceberg: see [`Puffin`].
//!
//! ```text
//! PFA1, the blobs, PFA1, the payload: a JSON object that says where each blob lies, and of what it is;
//! the length of the payload (4 bytes); flags (4 bytes, the lowest bit for a compressed payload), PFA1
//! ```

use crate::Theta;
use crate::foreign::{Answers, Format, count};
use crivo::foreign::{malformed, unsupported};
use crivo::sketch::Fact;
use crivo::{Estimate, Result};
use ruzstd::decoding::StreamingDecoder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;

/// The first and the last bytes.
pub(crate) const MAGIC: &[u8] = b"PFA1";
/// The type of a blob that is a compact theta sketch.
const THETA: &str = "apache-datasketches-theta-v1";
/// The length of the payload, the flags and the magic number.
const TAIL: usize = 12;
/// By how much a blob of hashes may be compressed at most, and the room of its header. Hashes are random but for their first bits.
const MOST_RATIO: usize = 16;
const SLACK: usize = 1 << 10;
/// Stands for a snapshot and a sequence number that are not known.
const UNKNOWN: i64 = -1;

/// A Puffin file of Iceberg: theta sketches of the columns of a table. Blobs of other types are counted and left out.
///
/// # Guarantee
/// The one of [`Theta`] for each column.
///
/// # Merge
/// Exact: the sketches of equal fields are united. The snapshot of the result is not known.
///
/// # Example
/// ```
/// use crivo_interop::{Puffin, UpdateTheta};
/// let mut users = UpdateTheta::for_lg_k(12)?;
/// (0..5000i64).for_each(|user| users.insert(&user)); // a long, by its eight bytes
/// let file = Puffin::of_columns([(1, users.sketch())]);
/// let read = Puffin::from_bytes(&file.to_bytes())?;
/// assert!(read.columns().all(|(field, sketch)| field == 1 && sketch.estimate().contains(5000.0)));
/// # Ok::<(), crivo::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Puffin {
    columns: BTreeMap<i32, Column>,
    /// The number of blobs of other types.
    others: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct Column {
    sketch: Theta,
    snapshot: i64,
    sequence: i64,
}

#[derive(Deserialize, Serialize)]
struct Footer {
    blobs: Vec<Blob>,
    #[serde(default)]
    properties: BTreeMap<String, String>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Blob {
    r#type: String,
    fields: Vec<i32>,
    snapshot_id: i64,
    sequence_number: i64,
    offset: u64,
    length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    compression_codec: Option<String>,
    #[serde(default)]
    properties: BTreeMap<String, String>,
}

impl Puffin {
    /// Creates a file of the sketches of columns, each with its field id. The items of a sketch are values in Iceberg's single-value form.
    pub fn of_columns(columns: impl IntoIterator<Item = (i32, Theta)>) -> Self {
        let column = |sketch| Column { sketch, snapshot: UNKNOWN, sequence: UNKNOWN };
        let columns = columns.into_iter().map(|(field, sketch)| (field, column(sketch))).collect();
        Self { columns, others: 0 }
    }

    /// Returns the sketches with their field ids, which ascend.
    pub fn columns(&self) -> impl Iterator<Item = (i32, &Theta)> {
        self.columns.iter().map(|(&field, column)| (field, &column.sketch))
    }

    /// Takes in all items of another file, field by field.
    ///
    /// # Errors
    /// Returns `Incompatible` if the seeds of two sketches differ, and `Unsupported` if a file has blobs of other types.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.others + other.others > 0 {
            return Err(unsupported(
                "only theta sketches of Puffin files merge, and one of these has other blobs",
            ));
        }
        let mut merged = self.columns.clone();
        for (&field, theirs) in &other.columns {
            let column = merged.entry(field).or_insert_with(|| theirs.clone());
            let both = [&column.sketch, &theirs.sketch].map(Clone::clone);
            column.sketch = Theta::union(&both, Theta::lg_k_of(&both))?;
            (column.snapshot, column.sequence) = (UNKNOWN, UNKNOWN);
        }
        self.columns = merged;
        Ok(())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Returns `Malformed` for corrupt bytes and for two sketches of one field, and `Unsupported` for a compressed payload and for
    /// compressions other than zstd.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let bad = |what: &str| {
            malformed(format!("a Puffin file begins and ends with PFA1 around its parts: {what}"))
        };
        let rest = bytes.strip_suffix(MAGIC).ok_or_else(|| bad("its end is not there"))?;
        let (rest, tail) = rest
            .split_at_checked(rest.len().saturating_sub(TAIL - MAGIC.len()))
            .ok_or_else(|| bad("it is too short"))?;
        let &[a, b, c, d, flag, 0, 0, 0] = tail else { return Err(bad("its flags are unknown")) };
        match flag {
            0 => {}
            1 => return Err(unsupported("the payload of this Puffin file is compressed; write it without")),
            _ => return Err(bad("its flags are unknown")),
        }
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        let start =
            rest.len().checked_sub(length).ok_or_else(|| bad("its payload is longer than the file"))?;
        let (rest, payload) = rest.split_at(start);
        let blobs = rest.strip_suffix(MAGIC).ok_or_else(|| bad("there is none before the payload"))?;
        if !blobs.starts_with(MAGIC) {
            return Err(bad("its first bytes are others"));
        }
        let footer: Footer = serde_json::from_slice(payload).map_err(|error| {
            malformed(format!("the payload of the Puffin file describes no blobs: {error}"))
        })?;
        // Blobs that share bytes would take more memory than the file.
        let total = footer.blobs.iter().fold(0u64, |total, blob| total.saturating_add(blob.length));
        if total > blobs.len() as u64 {
            return Err(bad("its blobs are longer than the file"));
        }
        let mut file = Self { columns: BTreeMap::new(), others: 0 };
        for blob in &footer.blobs {
            if blob.r#type != THETA {
                file.others += 1;
                continue;
            }
            let range = usize::try_from(blob.offset).ok().zip(usize::try_from(blob.length).ok());
            let content = range.and_then(|(offset, length)| blobs.get(offset..offset.checked_add(length)?));
            let content = content.ok_or_else(|| bad("a blob lies beyond the file"))?;
            let sketch = match blob.compression_codec.as_deref() {
                None => Theta::from_bytes(content)?,
                Some("zstd") => Theta::from_bytes(&decompressed(content)?)?,
                Some(other) => {
                    return Err(unsupported(format!(
                        "blobs without compression and with zstd are read, found {other}"
                    )));
                }
            };
            let &[field] = &blob.fields[..] else {
                return Err(malformed(format!(
                    "a theta sketch is of one field, found {}",
                    blob.fields.len()
                )));
            };
            let column = Column { sketch, snapshot: blob.snapshot_id, sequence: blob.sequence_number };
            if file.columns.insert(field, column).is_some() {
                return Err(malformed(format!("the Puffin file has two theta sketches of field {field}")));
            }
        }
        Ok(file)
    }

    /// Writes the sketches without compression, each with its estimate as the property `ndv`.
    ///
    /// # Panics
    /// Never: numbers and texts are JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut blobs = Vec::new();
        for (&field, Column { sketch, snapshot, sequence }) in &self.columns {
            let content = sketch.to_bytes();
            blobs.push(Blob {
                r#type: THETA.into(),
                fields: vec![field],
                snapshot_id: *snapshot,
                sequence_number: *sequence,
                offset: bytes.len() as u64,
                length: content.len() as u64,
                compression_codec: None,
                properties: BTreeMap::from([("ndv".into(), sketch.estimate().rounded().to_string())]),
            });
            bytes.extend(content);
        }
        let created = concat!("Crivo ", env!("CARGO_PKG_VERSION"));
        let properties = BTreeMap::from([("created-by".into(), created.into())]);
        let payload = serde_json::to_vec(&Footer { blobs, properties }).expect("numbers and texts are JSON");
        bytes.extend(MAGIC);
        bytes.extend(&payload);
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(MAGIC);
        bytes
    }
}

fn decompressed(content: &[u8]) -> Result<Vec<u8>> {
    let most = content.len() * MOST_RATIO + SLACK;
    let mut bytes = Vec::new();
    let read = StreamingDecoder::new(content).map_err(|error| error.to_string()).and_then(|frame| {
        frame.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())
    });
    match read {
        Ok(length) if length <= most => Ok(bytes),
        Ok(_) => Err(malformed("a blob is far larger than hashes of its compressed size")),
        Err(error) => Err(malformed(format!("a blob is not compressed with zstd: {error}"))),
    }
}

impl Answers for Puffin {
    fn format(&self) -> Format {
        Format::Puffin
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn facts(&self) -> Vec<Fact> {
        vec![count("columns", self.columns.len() as u64), count("other_blobs", self.others as u64)]
    }

    fn cardinality_within(&self, confidence: f64) -> Result<Estimate> {
        match self.columns.values().collect::<Vec<_>>()[..] {
            [column] => column.sketch.estimate_at(confidence),
            _ => Err(unsupported(format!(
                "this Puffin file has sketches of {} columns, not of one; crivo info shows the estimates of all",
                self.columns.len()
            ))),
        }
    }
}
