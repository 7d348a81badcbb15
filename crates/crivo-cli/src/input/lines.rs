//! Lines: bytes up to a newline (or NUL). One carriage return before the newline belongs to the line end;
//! the last line needs none; an empty line is an item.

use super::Findings;
use crivo::HashSpec;
use memchr::memchr_iter;

pub(super) fn parse(piece: &[u8], end: u8, spec: HashSpec, findings: &mut Findings) {
    let mut start = 0;
    for at in memchr_iter(end, piece) {
        let mut item = &piece[start..at];
        if end == b'\n' {
            item = item.strip_suffix(b"\r").unwrap_or(item);
        }
        findings.push(spec.hash_bytes(item), start, at);
        start = at + 1;
    }
    if start < piece.len() {
        findings.push(spec.hash_bytes(&piece[start..]), start, piece.len());
    }
    findings.lines = findings.hashes.len() as u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(piece: &[u8], end: u8, expected: &[&[u8]]) {
        let spec = HashSpec::default();
        let mut findings = Findings::default();
        parse(piece, end, spec, &mut findings);
        let hashes: Vec<u64> = expected.iter().map(|item| spec.hash_bytes(item)).collect();
        assert_eq!(findings.hashes, hashes, "{:?}", String::from_utf8_lossy(piece));
    }

    #[test]
    fn line_ends() {
        items(b"", b'\n', &[]);
        items(b"\n", b'\n', &[b""]);
        items(b"a\nb", b'\n', &[b"a", b"b"]);
        items(b"a\r\n\r\nb\r\r\n", b'\n', &[b"a", b"", b"b\r"]);
        items(b"a\nb\r\0\0c", 0, &[b"a\nb\r", b"", b"c"]);
        items(b"\xff\xfe\n", b'\n', &[b"\xff\xfe"]);
    }
}
