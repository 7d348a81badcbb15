//! Formats that are read as another one: each line of a web log or of columns between blanks becomes a record of CSV, and each
//! line of logfmt becomes an object of JSON. So all that a verb can do with a table it can do with them.

use super::table::canonical;
use std::io::{self, BufRead, BufReader, Read};

/// How such lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Common and Combined logs of web servers, to CSV with a header.
    WebLog,
    /// Columns with blanks between them, to CSV. With a header, the last column has all that is left of a line.
    Blanks {
        /// Whether the first line has names.
        header: bool,
    },
    /// `key=value` pairs, to JSON Lines.
    KeyValue,
}

/// The columns of a web log.
const WEB_LOG: [&str; 12] = [
    "host", "ident", "user", "time", "request", "method", "path", "protocol", "status", "bytes", "referer",
    "agent",
];
/// The longest line.
const LONGEST: u64 = 256 << 20;
/// How much is converted at a time, if so much has come.
const CHUNK: usize = 1 << 18;

/// Converts what it reads.
pub(super) struct Converted<R> {
    inner: BufReader<R>,
    conversion: Conversion,
    /// How many columns there are, once that is known.
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

    /// Converts the next line; false at the end.
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
        // A blank line is no record, but a line.
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
            // What has arrived goes on at once, and many lines together.
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

/// The fields of a line; the last of `width` has all that is left.
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

/// The fields of a line of a web log; all are empty if it is none.
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

/// `17/May/2015:10:05:03 +0000` as `2015-05-17T10:05:03+00:00`
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

/// The text in quotes that a line begins with, where a backslash takes the next byte as it is, and what follows.
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

/// The pairs of a line as a JSON object; words without a value are left out.
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
