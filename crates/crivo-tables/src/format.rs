//! How files are written, by their names.

use std::path::Path;

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A record a line, whatever is in it.
    Lines,
    /// Fields with commas between them.
    Csv,
    /// Fields with tabs between them.
    Tsv,
    /// A JSON value a line.
    JsonLines,
    /// Columns in row groups.
    Parquet,
}

impl Format {
    /// What the extension says, before that of a compression; none if it says nothing.
    pub fn by_name(path: &Path) -> Option<Self> {
        match extension(path).as_str() {
            "csv" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "jsonl" | "ndjson" | "json" => Some(Self::JsonLines),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// In small letters, before that of a compression.
pub fn extension(path: &Path) -> String {
    let lower = path.to_string_lossy().to_ascii_lowercase();
    let plain = [".gz", ".zst", ".zstd"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
    Path::new(plain).extension().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_extension() {
        for (name, format) in [
            ("a.csv", Some(Format::Csv)),
            ("A.CSV.GZ", Some(Format::Csv)),
            ("a.tsv.zst", Some(Format::Tsv)),
            ("a.ndjson", Some(Format::JsonLines)),
            ("a.parquet", Some(Format::Parquet)),
            ("a.PQ", Some(Format::Parquet)),
            ("a.txt", None),
            ("csv", None),
            ("words.gz", None),
            ("-", None),
        ] {
            assert_eq!(Format::by_name(Path::new(name)), format, "{name}");
        }
    }
}
