//! Input whose name says nothing is known by its first lines, the same from a file and from a pipe.

use crate::support::{Dir, gzip};

/// What the verb prints and says, from a file without a telling name, from a pipe, and compressed.
fn check(line: &str, data: &str, printed: &str, said: &str) {
    let dir = Dir::new();
    dir.write("data", data);
    dir.write("data.gz", gzip(data.as_bytes()));
    let says = |name: &str| if said.is_empty() { String::new() } else { format!("crivo: {name}: {said}\n") };
    for jobs in [1, 3] {
        for file in ["data", "data.gz"] {
            let run = dir.run(&format!("{line} -j {jobs} {file}"));
            assert_eq!((run.text(), run.stderr.clone()), (printed.into(), says(file)), "{line} {file}");
        }
        let run = dir.run_with(&format!("{line} -j {jobs}"), data.as_bytes());
        assert_eq!((run.text(), run.stderr.clone()), (printed.into(), says("standard input")), "{line}");
        let run = dir.run_with(&format!("{line} -j {jobs}"), &gzip(data.as_bytes()));
        assert_eq!((run.text(), run.stderr.clone()), (printed.into(), says("standard input")), "{line}");
    }
}

#[test]
fn tables_are_known_where_a_column_is_asked_for() {
    let most = "1  2  (exact)  66.7 %  x\n2  1  (exact)  33.3 %  y\ntogether 100 % of 3 items; there are no others\n";
    let with = |delimiter: &str| "id,name\n1,x\n2,y\n3,x\n".replace(',', delimiter);
    for (delimiter, kind) in
        [(",", "CSV"), ("\t", "TSV"), (";", "CSV, separated by ';'"), ("|", "CSV, separated by '|'")]
    {
        let said = format!("taken as {kind}, with a header; --format says otherwise");
        check("top -c name", &with(delimiter), most, &said);
        check("top -c 2", &with(delimiter), most, &said);
    }
    let said = "taken as CSV, without a header; --format says otherwise";
    check("top -c 2", "1,x\n2,y\n3,x\n", most, said);
    check("top -c 2 --no-header", "1,x\n2,y\n3,x\n", most, said);
    let said = "taken as JSON Lines; --format says otherwise";
    check("top -c a", "{\"a\":\"x\"}\n{\"a\":\"y\"}\n{\"a\":\"x\"}\n", most, said);
}

/// More than is looked at.
#[test]
fn all_that_was_looked_at_is_read_too() {
    let rows: String = (0..100_000).map(|row| format!("{row},{}\n", row % 7)).collect();
    let said = "taken as CSV, with a header; --format says otherwise";
    let printed = "1  14,286  (exact)  14.3 %  0\ntogether 14.3 % of 100,000 items; no other item has more than 14,286\n";
    check("top -c v -k 1", &format!("id,v\n{rows}"), printed, said);
}

#[test]
fn lines_go_on_being_lines() {
    let printed = "1  2  (exact)  66.7 %  1,x\n2  1  (exact)  33.3 %  2,y\ntogether 100 % of 3 items; there are no others\n";
    check("top", "1,x\n2,y\n1,x\n", printed, "");
    check("top --format lines", "1,x\n2,y\n1,x\n", printed, "");
    let dir = Dir::new();
    for text in ["It was, then,\nthe best.\n", "So, it was.\nYes, it was.\n"] {
        let profile = dir.run_with("profile --json", text.as_bytes()).json();
        assert_eq!(profile[0]["column"], "line", "{text}");
    }
    let profile = dir.run_with("profile --json", b"id,name\n1,x\n2,y\n").json();
    assert_eq!((&profile[0]["column"], &profile[1]["column"]), (&"id".into(), &"name".into()));
    dir.run_with("top -c 2", b"a,b\nc\n").fails_with(&["--column needs a table"]);
}

#[test]
fn what_separates_the_fields_of_csv_is_found() {
    let dir = Dir::new();
    dir.write("t.csv", "a;b\n1,5;x\n2,5;y\n");
    let run = dir.run("top t.csv -c b -k 1 --json");
    assert_eq!(run.json()[0]["item"], "x");
    assert_eq!(run.stderr, "crivo: t.csv: taken as separated by ';'; --delimiter says otherwise\n");
    for line in ["distinct t.csv -c 1 --delimiter ,", "distinct t.csv -c 1 --format csv"] {
        let run = dir.run(line);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{line}");
    }
}
