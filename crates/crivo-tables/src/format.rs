//! The formats of files, recognised by their names.

use std::path::Path;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Each line is a record, whatever it contains.
    Lines,
    /// Fields are separated by commas.
    Csv,
    /// Fields are separated by tabs.
    Tsv,
    /// Each line is a JSON value.
    JsonLines,
    /// Columns are stored in row groups.
    Parquet,
}

impl Format {
    /// Returns the format that the file extension names, or `None`. An extension of a compression, such as `.gz`,
    /// is skipped.
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

/// Returns the file extension in lower case. An extension of a compression, such as `.gz`, is skipped.
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
