//! Zstandard streams of one or more frames, for files and for pages of Parquet. The checksums of frames are
//! verified.

use crivo_report::size;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, DEFAULT_MAX_WINDOW_SIZE, FrameDecoder};
use std::io::{self, BufRead, Read};

/// Reads the decoded bytes of all frames of `source`.
pub(super) struct ZstdReader<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

/// The largest window that `zstd` uses without `--ultra` or `--long`.
const USUAL_WINDOW: u64 = 8 << 20;

impl<R: BufRead> ZstdReader<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Refuses windows that take more than `bytes`. Windows of usual size are always accepted.
    pub(super) fn with_max_memory(mut self, bytes: u64) -> Self {
        self.decoder.set_max_window_size(bytes.clamp(USUAL_WINDOW, DEFAULT_MAX_WINDOW_SIZE));
        self
    }

    /// Enters the next frame. Returns false at the end of the stream.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut self.source.by_ref().take(length), &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(FrameDecoderError::WindowSizeTooBig { requested, max }) => {
                    let (window, limit) = (size(requested), size(max));
                    return Err(io::Error::new(
                        io::ErrorKind::OutOfMemory,
                        format!(
                            "the window of the zstd data would take {window} of memory, more than the limit of \
                             {limit}; raise --max-memory, or decompress it first: zstd -dc FILE | crivo …"
                        ),
                    ));
                }
                Err(_) => return Err(self.flaw("the head of a frame means nothing")),
            }
        }
        Ok(false)
    }

    /// Returns the error that explains why decoding stopped.
    fn flaw(&mut self, otherwise: &'static str) -> io::Error {
        let is_cut = self.source.fill_buf().is_ok_and(<[u8]>::is_empty);
        io::Error::other(if is_cut { "it ends too early" } else { otherwise })
    }

    fn leave_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("the checksum is wrong"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame && !self.next_frame()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let wanted = BlockDecodingStrategy::UptoBytes(buffer.len());
                if self.decoder.decode_blocks(&mut self.source, wanted).is_err() {
                    return Err(self.flaw("a block means nothing"));
                }
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.leave_frame()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn decode(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut decoded = Vec::new();
        ZstdReader::new(bytes).read_to_end(&mut decoded)?;
        Ok(decoded)
    }

    #[test]
    fn frames_one_after_the_other() {
        let text: Vec<u8> = (0..300_000u32).flat_map(|i| i.wrapping_mul(i).to_le_bytes()).collect();
        let (head, tail) = text.split_at(1000);
        let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let frame = |part| compress_to_vec(part, CompressionLevel::Fastest);
        let stream =
            [&skippable[..], &frame(head), &skippable, &frame(tail), &frame(b"".as_slice())].concat();
        assert_eq!(decode(&stream).unwrap(), text);
        assert_eq!(decode(b"").unwrap(), b"");
    }

    #[test]
    fn damage_is_an_error() {
        let good = compress_to_vec(b"one two three four five six".as_slice(), CompressionLevel::Fastest);
        assert!(decode(&good).is_ok());
        for end in 1..good.len() {
            assert!(decode(&good[..end]).is_err(), "cut at {end}");
        }
        let trailing = [&good[..], b"x"].concat();
        assert!(decode(&trailing).is_err());
        let mut flipped = good.clone();
        let last = flipped.len() - 6;
        flipped[last] ^= 1;
        assert!(decode(&flipped).is_err());
    }
}
