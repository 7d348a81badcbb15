//! A drawn record as programs read it.

use crate::input::{FieldNames, RecordParts};
use crivo_report::Text;
use serde::{Serialize, Serializer};

/// A row of a table is an object of its fields, a JSON value is itself, and everything else is a text.
pub(super) enum Drawable<'a> {
    Parts(RecordParts<'a>),
    Value(&'a [u8]),
}

impl<'a> Drawable<'a> {
    /// A whole record, if the names of its fields are known, or a value.
    pub(super) fn new(names: Option<&FieldNames>, record: &'a [u8]) -> Self {
        names.map_or(Self::Value(record), |names| Self::Parts(names.parts(record)))
    }
}

impl Serialize for Drawable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Parts(RecordParts::Fields(fields)) => {
                serializer.collect_map(fields.iter().map(|(name, text)| (name, Text::from(&text[..]))))
            }
            Self::Parts(RecordParts::Json(json)) => json.serialize(serializer),
            Self::Parts(RecordParts::Whole(text)) | Self::Value(text) => {
                Text::from(*text).serialize(serializer)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cmd::sample::Sample;
    use crate::testing::Folder;
    use serde_json::json;

    #[test]
    fn rows_are_objects_of_their_fields() {
        let folder = Folder::with(&[
            ("t.csv", "name,n\n\"a,b\",1\n"),
            ("t.tsv", "name\tn\na,b\t1\n"),
            ("t.jsonl", "{\"name\": \"a,b\", \"n\": 1.50}\n"),
            ("t.txt", "a,b\n"),
        ]);
        let record =
            |flags: &str| folder.json::<Sample>(&format!("{flags} --json --seed 1"))[0]["record"].clone();
        let row = json!({ "name": "a,b", "n": "1" });
        assert_eq!((record("@t.csv"), record("@t.tsv")), (row.clone(), row));
        assert_eq!(
            record("@t.csv --no-header -n 1 --format csv").as_object().map(serde_json::Map::len),
            Some(2)
        );
        assert_eq!(record("@t.jsonl"), json!({ "name": "a,b", "n": 1.5 }));
        assert_eq!((record("@t.txt"), record("@t.csv -c name")), (json!("a,b"), json!("a,b")));
        let table = folder.printed::<Sample>("@t.csv --csv --seed 1");
        assert_eq!(table, "type,record.name,record.n\nsampled,\"a,b\",1\n");
        let many: String = (0..200_000).map(|row| format!("{row},early\n")).collect();
        folder.write("many.csv", format!("name,n\n{many}last,late\n"));
        let records = folder.json::<Sample>("@many.csv --by n --json -n 1 --seed 1");
        let late = records.iter().find(|it| it["group"] == "late").unwrap();
        assert_eq!(late["record"], json!({ "name": "last", "n": "late" }), "long after the header");
        let table = folder.printed::<Sample>("@t.csv --by n --csv --seed 1");
        assert_eq!(table, "type,group,record.name,record.n\nsampled,1,\"a,b\",1\n");
    }
}
