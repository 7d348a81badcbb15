//! Formats that are converted to another format: each line of a web log, or of columns separated by blanks, becomes
//! a CSV record, and each line of logfmt becomes a JSON object. So every verb that reads tables also reads these
//! formats.

use super::table::canonical;
use std::io::{self, BufRead, BufReader, Read};

/// The conversion of a line-based format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Common and Combined logs of web servers, converted to CSV with a header.
    WebLog,
    /// Columns separated by blanks, converted to CSV. With a header, the last column contains the rest of the line.
    Blanks {
        /// Whether the first line has the names of the columns.
        header: bool,
    },
    /// `key=value` pairs, converted to JSON Lines.
    KeyValue,
}

/// The columns of a web log.
const WEB_LOG: [&str; 12] = [
    "host", "ident", "user", "time", "request", "method", "path", "protocol", "status", "bytes", "referer",
    "agent",
];
/// The longest line, in bytes.
const LONGEST: u64 = 256 << 20;
/// The number of bytes that are converted at a time, if they have arrived.
const CHUNK: usize = 1 << 18;

/// A reader that converts the bytes of another reader.
pub(super) struct Converted<R> {
    inner: BufReader<R>,
    conversion: Conversion,
    /// The number of columns, once it is known.
    width: Option<usize>,
    line: Vec<u8>,
    text: Vec<u8>,
    at: usize,
}

impl<R: Read> Converted<R> {
    pub(super) fn new(inner: R, conversion: Conversion) -> Self {
        let mut text = Vec::new();
        if conversion == Conversion::WebLog {
            canonical(WEB_LOG.iter(), &mut text);
            text.push(b'\n');
        }
        let inner = BufReader::with_capacity(CHUNK, inner);
        Self { inner, conversion, width: None, line: Vec::new(), text, at: 0 }
    }

    /// Converts the next line. Returns false at the end.
    fn convert_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.inner.by_ref().take(LONGEST).read_until(b'\n', &mut self.line)?;
        if self.line.len() as u64 == LONGEST {
            return Err(io::Error::other(format!("a line is longer than {} MiB", LONGEST >> 20)));
        }
        if self.line.is_empty() {
            return Ok(false);
        }
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // A blank line is not a record, but it counts in the numbers of lines.
        if !line.trim_ascii().is_empty() {
            let mut record = Vec::new();
            match self.conversion {
                Conversion::WebLog => canonical(web_log(line).iter(), &mut record),
                Conversion::Blanks { header } => {
                    let fields = between_blanks(line, self.width);
                    if header {
                        self.width.get_or_insert(fields.len());
                    }
                    canonical(fields.iter(), &mut record);
                }
                Conversion::KeyValue => record = key_values(line),
            }
            self.text.extend_from_slice(&record);
        }
        self.text.push(b'\n');
        Ok(true)
    }
}

impl<R: Read> Read for Converted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.text.clear();
            self.at = 0;
            // Lines that have arrived are passed on at once, many lines together.
            while self.convert_line()?
                && self.text.len() < CHUNK
                && memchr::memchr(b'\n', self.inner.buffer()).is_some()
            {}
        }
        let count = buffer.len().min(self.text.len() - self.at);
        buffer[..count].copy_from_slice(&self.text[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// Returns the fields of a line. The last of `width` fields contains the rest of the line.
fn between_blanks(line: &[u8], width: Option<usize>) -> Vec<&[u8]> {
    let mut fields = Vec::new();
    let mut rest = line.trim_ascii();
    while !rest.is_empty() {
        let is_last = width.is_some_and(|width| fields.len() + 1 >= width);
        let blank = rest.iter().position(u8::is_ascii_whitespace).filter(|_| !is_last);
        let (field, after) = rest.split_at(blank.unwrap_or(rest.len()));
        fields.push(field);
        rest = after.trim_ascii_start();
    }
    fields
}

/// Returns the fields of a web-log line. If the line is no web-log line, all fields are empty.
fn web_log(line: &[u8]) -> [Vec<u8>; WEB_LOG.len()] {
    let mut rest = line;
    let mut next = || {
        rest = rest.trim_ascii_start();
        let (field, after) = match rest.first()? {
            b'"' => quoted(rest),
            b'[' => {
                let end = memchr::memchr(b']', rest)?;
                (rest[1..end].to_vec(), &rest[end + 1..])
            }
            _ => {
                let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                (rest[..end].to_vec(), &rest[end..])
            }
        };
        rest = after;
        Some(if field == b"-" { Vec::new() } else { field })
    };
    let mut fields: Vec<Vec<u8>> = std::iter::from_fn(&mut next).take(9).collect();
    if fields.len() < 7 {
        return Default::default();
    }
    fields.resize(9, Vec::new());
    let mut fields = fields.into_iter();
    let mut field = || fields.next().unwrap_or_default();
    let [host, ident, user, time, request] = [(); 5].map(|()| field());
    let mut parts = request.splitn(3, |&byte| byte == b' ').map(<[u8]>::to_vec);
    let [method, path, protocol] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let [status, bytes, referer, agent] = [(); 4].map(|()| field());
    let time = standard_time(&time).unwrap_or(time);
    [host, ident, user, time, request, method, path, protocol, status, bytes, referer, agent]
}

/// Converts `17/May/2015:10:05:03 +0000` to `2015-05-17T10:05:03+00:00`.
fn standard_time(time: &[u8]) -> Option<Vec<u8>> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let time = std::str::from_utf8(time).ok()?;
    let (day, time) = time.split_once('/')?;
    let (month, time) = time.split_once('/')?;
    let (year, time) = time.split_once(':')?;
    let (time, zone) = time.split_once(' ')?;
    let month = MONTHS.iter().position(|&known| known == month)? + 1;
    let (hours, minutes) = (zone.get(..3)?, zone.get(3..)?);
    Some(format!("{year}-{month:02}-{day}T{time}{hours}:{minutes}").into_bytes())
}

/// Returns the quoted text at the beginning of a line, in which a backslash escapes the next byte, and the rest of
/// the line.
fn quoted(line: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut text = Vec::new();
    let mut at = 1;
    while let Some(&byte) = line.get(at) {
        at += 1;
        match byte {
            b'"' => break,
            b'\\' if matches!(line.get(at), Some(b'"' | b'\\')) => {
                text.push(line[at]);
                at += 1;
            }
            _ => text.push(byte),
        }
    }
    (text, &line[at..])
}

/// Returns the pairs of a line as a JSON object. Words without a value are left out.
fn key_values(line: &[u8]) -> Vec<u8> {
    let mut object = serde_json::Map::new();
    let mut rest = line.trim_ascii_start();
    while !rest.is_empty() {
        let end =
            rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'=').unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        rest = after;
        if let Some(value) = after.strip_prefix(b"=") {
            let text;
            (text, rest) = if value.starts_with(b"\"") {
                quoted(value)
            } else {
                let end = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
                (value[..end].to_vec(), &value[end..])
            };
            let [key, value] = [key, &text].map(|text| String::from_utf8_lossy(text).into_owned());
            if !key.is_empty() {
                object.insert(key, value.into());
            }
        }
        rest = rest.trim_ascii_start();
    }
    serde_json::to_vec(&object).expect("texts are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(conversion: Conversion, text: &str) -> String {
        let mut converted = String::new();
        Converted::new(text.as_bytes(), conversion).read_to_string(&mut converted).unwrap();
        converted
    }

    #[test]
    fn web_logs_have_named_columns() {
        let log = "h - ann [17/May/2015:10:05:03 +0000] \"GET /a,b HTTP/1.1\" 200 7 \"-\" \"say \\\"x\\\"\"\n\
                   ::1 - - [01/Jan/2026:00:00:00 -0130] \"-\" 408 -\nnot a log\n\n";
        let csv = "host,ident,user,time,request,method,path,protocol,status,bytes,referer,agent\n\
                   h,,ann,2015-05-17T10:05:03+00:00,\"GET /a,b HTTP/1.1\",GET,\"/a,b\",HTTP/1.1,200,7,,\"say \"\"x\"\"\"\n\
                   ::1,,,2026-01-01T00:00:00-01:30,,,,,408,,,\n,,,,,,,,,,,\n\n";
        assert_eq!(converted(Conversion::WebLog, log), csv);
    }

    #[test]
    fn the_last_column_has_the_rest_of_the_line() {
        let text = "  PID   CMD\n 1  init  --now\n22 sh, \"x\"\r\n";
        assert_eq!(
            converted(Conversion::Blanks { header: true }, text),
            "PID,CMD\n1,init  --now\n22,\"sh, \"\"x\"\"\"\n"
        );
        assert_eq!(converted(Conversion::Blanks { header: false }, "a  b\nc d\te"), "a,b\nc,d,e\n");
    }

    #[test]
    fn pairs_are_objects() {
        let text = "level=info msg=\"a \\\"b\\\" c\" n=1 n=2 bare x= =y\n\nbare\n";
        let json = "{\"level\":\"info\",\"msg\":\"a \\\"b\\\" c\",\"n\":\"2\",\"x\":\"\"}\n\n{}\n";
        assert_eq!(converted(Conversion::KeyValue, text), json);
    }
}
