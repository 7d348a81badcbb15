//! What `crivo profile` tells of columns: how they are related, what is certain of them, and of which form it is.

use crate::support::Dir;
use serde_json::{Value, json};

/// The groups of a run with `--json`: how alike they are, and their columns.
fn groups(lines: &[Value]) -> Vec<(String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let names = |group: &Value| {
        group["columns"].as_array().unwrap().iter().map(|column| text(&column["column"])).collect()
    };
    let groups = lines.iter().filter(|line| line["type"] == "group");
    groups.map(|group| (text(&group["relation"]), names(group))).collect()
}

/// Many pieces on any number of threads, from a file or a pipe: the numbers of the rows are the same.
#[test]
fn equal_columns_have_the_same_value_in_every_row() {
    let dir = Dir::new();
    let rows: String = (0..60_000u32)
        .map(|row| {
            let (clicked, bought) = (row % 2, row / 2 % 2);
            let copy = if row == 59_998 {
                1
            } else if row == 59_999 {
                0
            } else {
                clicked
            };
            format!("{clicked},{bought},{clicked},{copy}\n")
        })
        .collect();
    let table = format!("clicked,bought,same,nearly\n{rows}");
    dir.write("t.csv", &table);
    let expected: Vec<(String, Vec<String>)> = [
        ("equal", &["clicked", "same"][..]),
        ("same_distribution", &["clicked", "bought", "same", "nearly"]),
    ]
    .map(|(alike, names)| (alike.into(), names.iter().map(|&name| name.into()).collect()))
    .into();
    for jobs in [1, 2, 8] {
        let run = dir.run(&format!("profile t.csv --json -j {jobs} --save {jobs}.crv"));
        assert_eq!(groups(&run.json()), expected, "{jobs}");
        assert_eq!(dir.read(&format!("{jobs}.crv")), dir.read("1.crv"));
        let run = dir.run_with(&format!("profile --format csv --json -j {jobs}"), table.as_bytes());
        assert_eq!(groups(&run.json()), expected, "{jobs}");
    }
    assert_eq!(groups(&dir.run("profile 1.crv --json").json()), expected[1..], "rows are not saved");
    assert_eq!(groups(&dir.run("profile --from 1.crv t.csv --json").json()), expected[1..]);
    let text = dir.run("profile t.csv").text().replace("\n  ", " ");
    for line in [
        "equal: clicked and same have the same value in every row",
        "same distribution: clicked, bought, same and nearly have the same values, each as often",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{text}");
    }
}
