//! Finds the places where the input may be cut: only between records. It reads the bytes as they arrive, each byte
//! once.

use super::Syntax;
use memchr::{memchr, memrchr};

/// Finds the last record end in a growing buffer that begins with a record.
#[derive(Debug)]
pub(super) struct Cutter {
    syntax: Syntax,
    /// The number of bytes that have been read.
    scanned: usize,
    /// The place of the quote that is open at `scanned`.
    open_quote: Option<usize>,
    closed: Option<Closed>,
}

/// The last quoted field that seems to have ended.
#[derive(Clone, Copy, Debug)]
struct Closed {
    opened: usize,
    at: usize,
}

impl Cutter {
    pub(super) fn new(syntax: Syntax) -> Self {
        Self { syntax, scanned: 0, open_quote: None, closed: None }
    }

    /// Returns the end of the last whole record that ends in the bytes added since the last call.
    pub(super) fn last_end(&mut self, buffer: &[u8]) -> Option<usize> {
        let from = self.scanned;
        self.scanned = buffer.len();
        match self.syntax {
            Syntax::Lines { end } => last_after(end, buffer, from, buffer.len()),
            Syntax::JsonLines => last_after(b'\n', buffer, from, buffer.len()),
            Syntax::Whole | Syntax::Parquet => None,
            Syntax::Table { delimiter, .. } => self.last_outside_quotes(buffer, from, delimiter),
        }
    }

    /// Finds the last record end outside of quotes, by the rules of the CSV parser: a quote opens only at the start
    /// of a field, and a doubled quote inside a quoted field closes and opens it again.
    fn last_outside_quotes(&mut self, buffer: &[u8], mut from: usize, delimiter: u8) -> Option<usize> {
        let mut last = None;
        while from < buffer.len() {
            let quote = memchr(b'"', &buffer[from..]).map(|found| from + found);
            if self.open_quote.is_none() {
                last = last_after(b'\n', buffer, from, quote.unwrap_or(buffer.len())).or(last);
            }
            let Some(quote) = quote else { break };
            from = quote + 1;
            if let Some(opened) = self.open_quote.take() {
                self.closed = Some(Closed { opened, at: quote });
                continue;
            }
            let before = quote.checked_sub(1).map(|at| buffer[at]);
            self.open_quote = match self.closed {
                Some(closed) if closed.at + 1 == quote => Some(closed.opened),
                _ if before.is_none_or(|b| b == delimiter || b == b'\n' || b == b'\r') => Some(quote),
                _ => None,
            };
        }
        last
    }

    /// Says that the first `cut` bytes have been removed from the buffer.
    pub(super) fn taken(&mut self, cut: usize) {
        self.scanned -= cut;
        self.open_quote = self.open_quote.map(|at| at - cut);
        // A cut lies after a line end, so no quote before the cut can still be the first half of a doubled quote.
        self.closed = self.closed.filter(|closed| closed.opened >= cut);
        if let Some(closed) = &mut self.closed {
            closed.opened -= cut;
            closed.at -= cut;
        }
    }

    /// Returns the place of a quote that is still open.
    pub(super) fn open_quote(&self) -> Option<usize> {
        self.open_quote
    }
}

/// Returns the place after the last `byte` in `buffer[from..to]`.
fn last_after(byte: u8, buffer: &[u8], from: usize, to: usize) -> Option<usize> {
    memrchr(byte, &buffer[from..to]).map(|found| from + found + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: Syntax = Syntax::Table { delimiter: b',', header: false };

    /// Returns the cuts if the text arrives `step` bytes at a time.
    fn cuts(syntax: Syntax, text: &[u8], step: usize) -> (Vec<usize>, Option<usize>) {
        let mut cutter = Cutter::new(syntax);
        let (mut start, mut cuts) = (0, Vec::new());
        for end in (step..text.len()).step_by(step).chain([text.len()]) {
            if let Some(cut) = cutter.last_end(&text[start..end]) {
                cutter.taken(cut);
                start += cut;
                cuts.push(start);
            }
        }
        (cuts, cutter.open_quote().map(|at| start + at))
    }

    #[test]
    fn lines_end_at_newlines_or_nul() {
        assert_eq!(cuts(Syntax::Lines { end: b'\n' }, b"a\nb\nc", 1).0, [2, 4]);
        assert_eq!(cuts(Syntax::Lines { end: b'\n' }, b"a\nb\nc", 6).0, [4]);
        assert_eq!(cuts(Syntax::Lines { end: 0 }, b"a\nb\0c", 1).0, [4]);
        assert_eq!(cuts(Syntax::JsonLines, b"\"a\nb", 1).0, [3]);
    }

    #[test]
    fn every_cut_is_a_record_end_for_the_parser() {
        let pieces: &[&str] =
            &["a", "\"", "\"\"", ",", "\n", "\r\n", "\"x\"", "\"x\ny\"", "\"q\"\"\nq\"", "é"];
        let mut rng = crivo::rng::Rng::new(11);
        for _ in 0..3000 {
            let parts = 1 + rng.below(14);
            let text: String = (0..parts)
                .map(|_| pieces[usize::try_from(rng.below(pieces.len() as u64)).unwrap()])
                .collect();
            let whole = records(text.as_bytes());
            for step in [1, 2, 3, 5, 64] {
                let (cuts, _) = cuts(CSV, text.as_bytes(), step);
                let mut start = 0;
                let mut parts = Vec::new();
                for cut in cuts.into_iter().chain([text.len()]) {
                    parts.extend(records(&text.as_bytes()[start..cut]));
                    start = cut;
                }
                assert_eq!(parts, whole, "{text:?} in steps of {step}");
            }
        }
    }

    fn records(text: &[u8]) -> Vec<csv::ByteRecord> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        reader.byte_records().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn an_open_quote_is_known() {
        for step in [1, 2, 100] {
            assert_eq!(cuts(CSV, b"a,b\nc,\"d\"\"\n\n", step), (vec![4], Some(6)));
            assert_eq!(cuts(CSV, b"a\"b\nc\n", step).1, None);
        }
    }
}
