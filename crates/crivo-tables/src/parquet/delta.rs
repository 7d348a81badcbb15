//! Integers that are stored as differences, in blocks. Their number and end are checked before the `parquet` crate
//! allocates memory for them.

/// The largest block. Usual blocks have 128 values, or a few times as many. A longer block could declare any number
/// of values in three bytes.
const MAX_BLOCK: u64 = 1 << 16;

/// The header of a run of such integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delta {
    pub(super) count: u64,
    block: u64,
    parts: u64,
    /// The place where the first block begins.
    start: usize,
}

impl Delta {
    /// Reads the header, or returns an error that says what is wrong.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut rest = bytes;
        let (block, parts, count) = (varint(&mut rest)?, varint(&mut rest)?, varint(&mut rest)?);
        let _first = varint(&mut rest)?;
        if block == 0 || block > MAX_BLOCK || block % 128 != 0 {
            return Err(format!(
                "blocks of {block} differences, expected a multiple of 128 up to {MAX_BLOCK}"
            ));
        }
        if parts == 0 || block % parts != 0 || (block / parts) % 32 != 0 {
            return Err(format!("blocks of {block} differences in {parts} parts"));
        }
        // Each block has a smallest difference, and a width for each of its parts.
        let blocks = rest.len() as u64 / (1 + parts) + 1;
        if count > 1 + blocks * block {
            return Err(format!("{count} differences in {} bytes", bytes.len()));
        }
        Ok(Self { count, block, parts, start: bytes.len() - rest.len() })
    }

    /// Returns the place where the integers end.
    pub(super) fn end(&self, bytes: &[u8]) -> Result<usize, String> {
        let mut rest = bytes.get(self.start..).ok_or(CUT)?;
        let mut left = self.count.saturating_sub(1);
        let part = self.block / self.parts;
        while left > 0 {
            varint(&mut rest)?;
            let (widths, after) = rest.split_at_checked(self.parts as usize).ok_or(CUT)?;
            let mut length = 0;
            for &width in widths {
                // The widths of parts without values are undefined, so they are ignored.
                if left > 0 {
                    length += u64::from(width) * part / 8;
                }
                left = left.saturating_sub(part);
            }
            rest = after.get(length as usize..).ok_or(CUT)?;
        }
        Ok(bytes.len() - rest.len())
    }
}

const CUT: &str = "the differences end too early";

fn varint(rest: &mut &[u8]) -> Result<u64, String> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first().ok_or(CUT)?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err("an integer is longer than ten bytes".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_where_its_last_block_does() {
        // 128 values per block, 4 parts, 34 values, first value 0; smallest difference 0, widths 2 and 8, and two
        // undefined widths.
        let mut bytes = vec![0x80, 1, 4, 34, 0, 0, 2, 8, 99, 99];
        bytes.extend([0; 8 + 32]);
        let delta = Delta::read(&bytes).unwrap();
        assert_eq!(delta.count, 34);
        assert_eq!(delta.end(&[&bytes[..], b"and more"].concat()), Ok(bytes.len()));
        assert!(delta.end(&bytes[..bytes.len() - 1]).is_err());
        for count in [0, 1] {
            bytes[3] = count;
            assert_eq!(Delta::read(&bytes).unwrap().end(&bytes), Ok(5), "no block for {count}");
        }
    }

    #[test]
    fn counts_that_the_bytes_cannot_hold_are_refused() {
        let head = |block: &[u8], parts: &[u8], count: &[u8]| [block, parts, count, &[0], &[0; 20]].concat();
        let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        for bytes in [
            head(&[0x80, 1], &[4], &most),
            head(&[0x80, 1], &[4], &[0x80, 0x80, 0x80, 0x80, 8]),
            head(&[0x80, 0x80, 0x80, 0x80, 8], &[1], &[2]),
            head(&[0], &[1], &[2]),
            head(&[0x80, 1], &[0], &[2]),
            head(&[0x80, 1], &[8], &[2]),
            head(&[0x81, 1], &[1], &[2]),
            head(&most, &most, &[2]),
            vec![0x80; 40],
        ] {
            assert!(Delta::read(&bytes).is_err(), "{bytes:x?}");
        }
        assert!(Delta::read(&head(&[0x80, 1], &[4], &[0x81, 4])).is_ok(), "513 in 5 blocks at most");
    }
}
