//! Streams of gzip with one or more members. Bytes behind the last member are not data, as for `gzip -d`: zeros,
//! which tapes and block devices add, are skipped silently, and other bytes are skipped with a warning.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// Reads the decoded bytes of all members.
pub(super) struct GzipReader<R> {
    /// The current member, or `None` behind the last.
    member: Option<GzDecoder<Begun<R>>>,
    /// Called if other bytes follow the last member.
    tell: Box<dyn Fn() + Send>,
}

impl<R: BufRead> GzipReader<R> {
    pub(super) fn new(source: R, tell: impl Fn() + Send + 'static) -> Self {
        Self { member: Some(GzDecoder::new(Begun { source, seen: &[] })), tell: Box::new(tell) }
    }
}

const MAGIC: &[u8] = &[0x1f, 0x8b];

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let Some(mut source) = self.member.take().map(|member| member.into_inner().source) else { break };
            match enter(&mut source)? {
                Next::Member => self.member = Some(GzDecoder::new(Begun { source, seen: MAGIC })),
                Next::Other => (self.tell)(),
                Next::Nothing => {}
            }
        }
        Ok(0)
    }
}

/// What follows a member and its padding of zeros.
enum Next {
    Member,
    Other,
    Nothing,
}

/// Skips zeros and the magic number of the next member, if there is one.
fn enter(source: &mut impl BufRead) -> io::Result<Next> {
    let mut found = 0;
    while let Some(&byte) = source.fill_buf()?.first() {
        match byte {
            0 if found == 0 => {}
            byte if byte == MAGIC[found] => found += 1,
            _ => return Ok(Next::Other),
        }
        source.consume(1);
        if found == MAGIC.len() {
            return Ok(Next::Member);
        }
    }
    Ok(Next::Nothing)
}

/// A source whose first bytes have already been read.
struct Begun<R> {
    source: R,
    seen: &'static [u8],
}

impl<R: BufRead> Read for Begun<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Begun<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.seen.is_empty() { self.source.fill_buf() } else { Ok(self.seen) }
    }

    fn consume(&mut self, count: usize) {
        if self.seen.is_empty() {
            self.source.consume(count);
        } else {
            self.seen = &self.seen[count..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::{BufReader, Write};

    fn member(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn decode(parts: &[&[u8]]) -> io::Result<Vec<u8>> {
        let mut decoded = Vec::new();
        // The bytes arrive in parts of any size.
        let bytes = parts.concat();
        for capacity in [1, 3, 4096] {
            decoded.clear();
            let source = BufReader::with_capacity(capacity, &bytes[..]);
            GzipReader::new(source, || {}).read_to_end(&mut decoded)?;
        }
        Ok(decoded)
    }

    #[test]
    fn members_zeros_and_other_bytes_behind() {
        let (one, two) = (member(b"one\n"), member(b"two\n"));
        assert_eq!(decode(&[&one]).unwrap(), b"one\n");
        assert_eq!(decode(&[&one, &two]).unwrap(), b"one\ntwo\n");
        assert_eq!(decode(&[&one, &[0; 1000]]).unwrap(), b"one\n");
        assert_eq!(decode(&[&one, &[0; 7], &two]).unwrap(), b"one\ntwo\n");
        assert_eq!(decode(&[&one, b"junk"]).unwrap(), b"one\n");
        assert_eq!(decode(&[&one, &[0x1f]]).unwrap(), b"one\n");
    }

    #[test]
    fn cut_and_damaged_members_are_errors() {
        let (one, two) = (member(b"one\n"), member(b"two\n"));
        for end in 2..two.len() {
            assert!(decode(&[&one, &two[..end]]).is_err(), "cut at {end}");
        }
        let mut flipped = two;
        flipped[12] ^= 1;
        assert!(decode(&[&one, &flipped]).is_err());
    }
}
