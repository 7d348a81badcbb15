//! Decompression of pages. The output is allocated as it grows: the size that a page declares is only a limit.

use super::file::{damaged, unreadable};
use crate::zstd::ZstdReader;
use anyhow::{Result, bail};
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// The compression of a column's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    None,
    Snappy,
    Gzip,
    Brotli,
    /// LZ4 with a frame around each block, or without one, as older writers do it.
    Lz4,
    Zstd,
    Lz4Raw,
}

impl Codec {
    pub(super) fn new(number: i64) -> Result<Self> {
        Ok(match number {
            0 => Self::None,
            1 => Self::Snappy,
            2 => Self::Gzip,
            3 => bail!(unreadable("it is compressed with LZO")),
            4 => Self::Brotli,
            5 => Self::Lz4,
            6 => Self::Zstd,
            7 => Self::Lz4Raw,
            _ => return Err(damaged(&format!("there is no codec {number}"))),
        })
    }

    /// Appends the decompressed bytes of `compressed` to `output`. There must be `length` of them.
    pub(super) fn decompress(self, compressed: &[u8], length: usize, output: &mut Vec<u8>) -> Result<()> {
        let before = output.len();
        let told = match self {
            Self::None => {
                output.extend_from_slice(compressed);
                Ok(())
            }
            Self::Snappy => snappy(compressed, length, output),
            Self::Gzip => stream(MultiGzDecoder::new(compressed), length, output),
            Self::Brotli => stream(brotli_decompressor::Decompressor::new(compressed, 4096), length, output),
            Self::Zstd => stream(ZstdReader::new(compressed).with_max_memory(length as u64), length, output),
            Self::Lz4Raw => lz4(compressed, length, output),
            Self::Lz4 => framed_lz4(compressed, length, output).or_else(|_| {
                output.truncate(before);
                lz4(compressed, length, output)
            }),
        };
        let name = format!("{self:?}").to_lowercase();
        told.map_err(|what| damaged(&format!("a page of {name} data: {what}")))?;
        let found = output.len() - before;
        if found != length {
            return Err(damaged(&format!("a page of {found} bytes that says {length}")));
        }
        Ok(())
    }
}

/// Reads the whole output of `decoder`, but at most one byte more than allowed.
fn stream(decoder: impl Read, length: usize, output: &mut Vec<u8>) -> Result<(), String> {
    decoder.take(length as u64 + 1).read_to_end(output).map_err(|error| error.to_string())?;
    Ok(())
}

fn snappy(compressed: &[u8], length: usize, output: &mut Vec<u8>) -> Result<(), String> {
    /// The largest compression ratio: three bytes stand for at most 64.
    const MOST: usize = 22;
    let said = snap::raw::decompress_len(compressed).map_err(|error| error.to_string())?;
    if said != length || length > compressed.len().saturating_mul(MOST) {
        return Err(format!("{} bytes cannot stand for {length}", compressed.len()));
    }
    let before = output.len();
    output.resize(before + length, 0);
    snap::raw::Decoder::new()
        .decompress(compressed, &mut output[before..])
        .map_err(|error| error.to_string())?;
    Ok(())
}

fn lz4(compressed: &[u8], length: usize, output: &mut Vec<u8>) -> Result<(), String> {
    /// The largest compression ratio: a byte that continues a length adds at most 255.
    const MOST: usize = 256;
    if length > compressed.len().saturating_mul(MOST) {
        return Err(format!("{} bytes cannot stand for {length}", compressed.len()));
    }
    let before = output.len();
    output.resize(before + length, 0);
    let found = lz4_flex::block::decompress_into(compressed, &mut output[before..])
        .map_err(|error| error.to_string())?;
    output.truncate(before + found);
    Ok(())
}

/// Decompresses consecutive blocks. Before each block are its decompressed and its compressed length.
fn framed_lz4(mut compressed: &[u8], length: usize, output: &mut Vec<u8>) -> Result<(), String> {
    let mut left = length;
    while let Some((head, rest)) = compressed.split_at_checked(8) {
        let number = |bytes: &[u8]| bytes.iter().fold(0, |value, &byte| value << 8 | usize::from(byte));
        let (after, before) = (number(&head[..4]), number(&head[4..]));
        let (block, rest) = rest.split_at_checked(before).ok_or("a block ends too early")?;
        left = left.checked_sub(after).ok_or("a block is too long")?;
        lz4(block, after, output)?;
        compressed = rest;
    }
    if left > 0 || !compressed.is_empty() {
        return Err("its blocks end too early".into());
    }
    Ok(())
}
