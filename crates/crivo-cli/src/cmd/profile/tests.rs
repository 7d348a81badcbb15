//! Profiles of groups.

use super::Profile;
use crate::testing::Folder;
use serde_json::Value;

fn visits() -> Folder {
    let row = |row: u32| format!("{},{},{}\n", ["b", "a", "a", ""][row as usize % 4], row, row % 3);
    let rows: String = (0..40).map(row).collect();
    Folder::with(&[("t.csv", &format!("site,ms,page\n{rows}")), ("u.csv", "x\n1\n")])
}

#[test]
fn each_group_has_a_line_for_each_column() {
    let text = visits().printed::<Profile>("@t.csv --by site --only missing,distinct,range");
    assert_eq!(
        text,
        "t.csv: 40 rows, 2 columns, 3 groups by site
column  group    rows  type     missing  distinct  minimum  maximum
ms      a          20  integer        0        20        1       38
        (empty)    10  integer        0        10        3       39
        b          10  integer        0        10        0       36
page    a          20  integer        0         3        0        2
        (empty)    10  integer        0         3        0        2
        b          10  integer        0         3        0        2
"
    );
}

#[test]
fn each_group_has_a_record_for_each_column() {
    let folder = visits();
    let records = folder.json::<Profile>("@t.csv --by site --json");
    let named =
        |record: &Value| [&record["group"], &record["column"]].map(|it| it.as_str().unwrap().to_owned());
    let (total, columns) = records.split_last().unwrap();
    let expected = [["a", "ms"], ["a", "page"], ["", "ms"], ["", "page"], ["b", "ms"], ["b", "page"]];
    assert_eq!(columns.iter().map(named).collect::<Vec<_>>(), expected);
    assert_eq!((&total["groups"], &total["others"], &total["rows"]), (&3.into(), &false.into(), &40.into()));
    let table = folder.printed::<Profile>("@t.csv --by site --csv");
    assert!(table.starts_with("type,group,column,data_type,table,rows,"), "{table}");
    assert_eq!(table.lines().count(), 7);
    let table = folder.printed::<Profile>("@t.csv --by site --markdown");
    assert!(table.starts_with("| type | group | column |"), "{table}");
}

#[test]
fn groups_that_are_not_kept_are_one() {
    let folder = visits();
    let records = folder.json::<Profile>("@t.csv --by site --groups 1 --json");
    assert_eq!(records[0]["group"], "b", "the first in the input");
    assert_eq!((&records[2]["group"], &records[2]["rows"]), (&Value::Null, &30.into()));
    assert_eq!(records.last().unwrap()["others"], true);
    let text = folder.printed::<Profile>("@t.csv --by site --groups 1");
    assert!(text.contains("(other groups)    30"), "{text}");
}

/// Whatever --by cannot be given with says what to do instead.
#[test]
fn what_groups_do_not_have_is_refused() {
    let folder = visits();
    let saved = folder.path("t.crv");
    folder.report::<Profile>(&format!("@t.csv --save {saved}"));
    for (flags, says) in [
        ("@t.csv --by site --html p.html", "--html shows a table, not its groups"),
        ("@t.csv --by site --only pairs", "compares no columns"),
        ("@t.csv --by site --groups 0", "--groups must be at least 1"),
        ("@t.csv --by nope", "no column 'nope'"),
        ("@t.csv --by site,page", "several cannot stand here; name one"),
        ("@t.crv --by site", "which a saved profile has not"),
        ("@t.csv --by site --max-memory 1KiB", "keep fewer groups with --groups"),
    ] {
        let told = folder.error::<Profile>(flags);
        assert!(told.contains(says), "{flags}: {told}");
    }
}

#[test]
fn many_groups_are_shown_in_part_and_listed_in_whole() {
    let rows: String = (0..3_000).map(|row| format!("g{},{row}\n", row * row % 1009)).collect();
    let folder = Folder::with(&[("t.csv", &format!("g,n\n{rows}"))]);
    let text = folder.printed::<Profile>("@t.csv --by g");
    assert!(text.contains("smaller groups not shown; --json and --csv list all"), "{text}");
    assert!(text.lines().count() < 30, "{text}");
    let records = folder.json::<Profile>("@t.csv --by g --json");
    assert_eq!(records.len(), 505 + 1, "squares modulo a prime");
}
