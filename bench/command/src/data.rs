//! What the commands read, made once.

use crate::options::Options;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const LINES: usize = 20_000_000;
/// How often the table is repeated.
const TIMES: usize = 20;
/// How often the words are: setting up then takes a small part of the time.
const TIMES_OF_WORDS: usize = 10;

pub(crate) struct Data;

pub(crate) struct Table {
    pub(crate) csv: String,
    /// Made by `DuckDB`, where it is.
    pub(crate) parquet: Option<String>,
}

impl Data {
    /// 20 million lines of 22 bytes, of which some two million differ.
    pub(crate) fn lines(options: &Options) -> io::Result<String> {
        made(options, "lines.txt", |file| write_lines(file, LINES))
    }

    /// 10 million lines of 22 bytes, all of them different.
    pub(crate) fn different_lines(options: &Options) -> io::Result<String> {
        made(options, "different.txt", |file| write_different_lines(file, LINES / 2))
    }

    /// The words given, 10 times over.
    pub(crate) fn words(options: &Options) -> io::Result<Option<String>> {
        let Some(words) = &options.words else { return Ok(None) };
        let write = |file: &mut dyn Write| {
            let words = read_all(words)?;
            (0..TIMES_OF_WORDS).try_for_each(|_| file.write_all(&words))
        };
        made(options, "words.txt", write).map(Some)
    }

    /// The table given, 20 times over.
    pub(crate) fn table(options: &Options) -> io::Result<Option<Table>> {
        let Some(table) = &options.table else { return Ok(None) };
        let csv = made(options, "table.csv", |file| {
            let (header, rows) = read_table(table)?;
            file.write_all(&header)?;
            (0..TIMES).try_for_each(|_| file.write_all(&rows))
        })?;
        let parquet = format!("{}/table.parquet", options.data);
        if !Path::new(&parquet).exists() && options.has_duckdb() {
            let statement = format!(
                "COPY (SELECT * FROM read_csv('{csv}', nullstr='NA')) TO '{parquet}' (FORMAT parquet, COMPRESSION zstd)"
            );
            let line = options.duckdb(&statement).replace(".fetchall()", "");
            Command::new("sh").args(["-c", &line]).status()?;
        }
        let parquet = Path::new(&parquet).exists().then_some(parquet);
        Ok(Some(Table { csv, parquet }))
    }
}

/// The path of a file in the directory of data, which is written first unless it exists; and read, so that it is cached.
fn made(
    options: &Options,
    name: &str,
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<String> {
    fs::create_dir_all(&options.data)?;
    let path = format!("{}/{name}", options.data);
    if !Path::new(&path).exists() {
        let partial = format!("{path}.partial");
        let mut file = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
        write(&mut file)?;
        file.flush()?;
        fs::rename(partial, &path)?;
    }
    io::copy(&mut File::open(&path)?, &mut io::sink())?;
    Ok(path)
}

/// Lines of 22 bytes; the line of rank r is drawn in proportion to 1/r, of four million.
pub(crate) fn write_lines(to: &mut dyn Write, lines: usize) -> io::Result<()> {
    const RANKS: f64 = 4e6;
    let mut to = BufWriter::with_capacity(1 << 20, to);
    let mut state = 0;
    for _ in 0..lines {
        let share = (next(&mut state) >> 11) as f64 / (1u64 << 53) as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to four million")]
        let rank = RANKS.powf(share) as u64;
        // Names that vary as much as those of people.
        let mut name = rank;
        write_line(&mut to, next(&mut name))?;
    }
    to.flush()
}

/// Lines of 22 bytes that all differ.
fn write_different_lines(to: &mut dyn Write, lines: usize) -> io::Result<()> {
    let mut state = 0;
    (0..lines).try_for_each(|_| write_line(to, next(&mut state)))
}

fn write_line(to: &mut dyn Write, name: u64) -> io::Result<()> {
    writeln!(to, "user-{name:016x}")
}

/// The next number of `SplitMix64`, each of which comes once in 2⁶⁴.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The first line, and the others.
fn read_table(path: &str) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut bytes = read_all(path)?;
    let end = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |place| place + 1);
    let rows = bytes.split_off(end);
    Ok((bytes, rows))
}

/// A file, decompressed.
fn read_all(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // What is not compressed comes as it is.
    let mut gzip = Command::new("gzip").args(["-dcf", path]).stdout(Stdio::piped()).spawn()?;
    if let Some(output) = gzip.stdout.as_mut() {
        output.read_to_end(&mut bytes)?;
    }
    if !gzip.wait()?.success() {
        return Err(io::Error::other(format!(
            "{path} cannot be read; name a file, plain or compressed with gzip"
        )));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_22_bytes_and_repeat() {
        let mut text = Vec::new();
        write_lines(&mut text, 1000).unwrap();
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        assert!(lines.len() == 1000 && lines.iter().all(|line| line.len() == 22));
        let different = lines.iter().collect::<std::collections::HashSet<_>>().len();
        assert!((500..999).contains(&different), "{different}");
        let mut text = Vec::new();
        write_different_lines(&mut text, 1000).unwrap();
        let lines: std::collections::HashSet<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        assert!(lines.len() == 1000 && lines.iter().all(|line| line.len() == 22));
    }
}
