//! Groups of `crivo distinct`.

use super::Distinct;
use crate::testing::Folder;

/// Ids 0 to 99 in three groups of 60, 30 and 10, and one id of an empty group; `v` repeats each.
fn grouped() -> String {
    let row = |id: u32| {
        format!(
            "{id},{}\n",
            if id < 60 {
                "large"
            } else if id < 90 {
                "middle"
            } else {
                "small"
            }
        )
    };
    let rows: String = (0..100).chain(0..100).map(row).collect();
    format!("id,group\n{rows}200,\n,large\n")
}

#[test]
fn groups_are_counted_apart_the_largest_first() {
    let folder = Folder::new();
    folder.write("t.csv", grouped());
    let expected = "large    60 distinct  (exact)\nmiddle   30 distinct  (exact)\nsmall    10 distinct  (exact)\n\
                    (empty)   1 distinct  (exact)\n\
                    1 missing value not counted\n";
    assert_eq!(folder.printed::<Distinct>("@t.csv --column id --by group"), expected);
    assert_eq!(folder.printed::<Distinct>("@t.csv -c 1 --by 2"), expected);

    let answers = folder.json::<Distinct>("@t.csv --column id --by group --json");
    assert_eq!(answers.len(), 5);
    assert_eq!((&answers[1]["type"], &answers[1]["group"]), (&"distinct".into(), &"middle".into()));
    assert_eq!((answers[1]["distinct"]["value"].as_f64(), &answers[1]["items"]), (Some(30.0), &60.into()));
    let end = &answers[4];
    assert_eq!(
        (&end["type"], &end["groups"], &end["items"], &end["missing"]),
        (&"groups".into(), &4.into(), &201.into(), &1.into())
    );
    assert_eq!((&end["others"], end["other_groups"].is_null()), (&false.into(), true));
}

#[test]
fn groups_of_json_are_those_of_tables() {
    let folder = Folder::new();
    folder.write("t.csv", grouped());
    let rows = grouped();
    let json: String = rows
        .lines()
        .skip(1)
        .map(|row| {
            let (id, group) = row.split_once(',').unwrap();
            format!("{{\"a\":{{\"id\":\"{id}\"}},\"group\":\"{group}\"}}\n")
        })
        .collect();
    folder.write("t.jsonl", json);
    let table = folder.printed::<Distinct>("@t.csv --column id --by group");
    assert_eq!(folder.printed::<Distinct>("@t.jsonl --column a.id --by group"), table);
    let (_, recorded) = folder.run::<Distinct>("@t.jsonl --column a.id --by nope").unwrap();
    assert!(recorded.remarks()[0].contains("no record has a value for 'nope'"), "{:?}", recorded.remarks());
}

/// Where few items are not kept, each group's chance of a collision would hide the numbers; the last line has that of all.
#[test]
fn what_is_exact_but_for_collisions_is_said_once() {
    let folder = Folder::new();
    folder.write("t.csv", "id,group\n1,a\n2,a\n3,a\n1,b\n2,b\n3,c\n");
    // Of n items, n²/2 pairs: 4.5, 2 and 0.5 in 2³¹.
    let text = folder.printed::<Distinct>("@t.csv -c id --by group --max-memory 1000KiB");
    let expected = "a  3 distinct  (exact)\nb  2 distinct  (exact)\nc  1 distinct  (exact)\n\
                    exact unless hashes collide: the probability of a collision is 3.3e-9\n";
    assert_eq!(text, expected);
    // Of those that are shown.
    let text = folder.printed::<Distinct>("@t.csv -c id --by group --top 1 --max-memory 1000KiB");
    assert!(
        text.ends_with("not shown\nexact unless hashes collide: the probability of a collision is 2.1e-9\n"),
        "{text}"
    );
}

#[test]
fn whole_records_are_counted_by_group_too() {
    let folder = Folder::new();
    folder.write("t.csv", grouped());
    let text = folder.printed::<Distinct>("@t.csv --by group --top 1");
    assert!(
        text.starts_with("large  61 distinct") && text.contains("\n3 smaller groups not shown\n"),
        "{text}"
    );
}

#[test]
fn groups_beyond_the_limit_are_counted_together() {
    let folder = Folder::new();
    let rows: String = (0..5000).map(|id| format!("{id},g{}\n", id % 1000)).collect();
    folder.write("t.csv", format!("id,g\n{rows}"));
    let run = |flags: &str| folder.json::<Distinct>(&format!("@t.csv -c id --by g --json {flags}"));
    let lines = run("--groups 10");
    assert_eq!(lines.len(), 12);
    assert_eq!(
        (&lines[0]["group"], &lines[9]["group"]),
        (&"g0".into(), &"g9".into()),
        "the first in the input"
    );
    let (others, end) = (&lines[10], &lines[11]);
    assert_eq!((others["group"].is_null(), &others["items"]), (true, &4950.into()));
    assert_eq!((&end["others"], end["other_groups"]["value"].as_f64()), (&true.into(), Some(990.0)));
    let bar = &others["distinct"];
    let [lower, upper] = ["lower", "upper"].map(|name| bar[name].as_f64().unwrap());
    assert!(lower <= 4950.0 && 4950.0 <= upper, "{bar}");
    for jobs in [1, 2, 5] {
        assert_eq!(run(&format!("--groups 10 --jobs {jobs}")), lines, "{jobs}");
    }
    assert_eq!(run("").len(), 1001, "all fit without a word");
    for (flags, advice) in
        [("--groups 10", "the first 10 groups"), ("--max-memory 400KiB", "--max-memory and --error decide")]
    {
        let (report, recorded) = folder.run::<Distinct>(&format!("@t.csv -c id --by g {flags}")).unwrap();
        recorded.session.finish(&report).unwrap();
        let remarks = recorded.remarks();
        assert!(remarks.iter().any(|remark| remark.contains(advice)), "{remarks:?}");
    }
    let text = folder.printed::<Distinct>("@t.csv -c id --by g --groups 10 -q");
    assert!(text.contains("\n(other groups: 990 (exact))  4,9"), "{text}");
}

/// Names count too: few long ones fill what many short ones leave empty.
#[test]
fn long_names_of_groups_are_memory() {
    let folder = Folder::new();
    let mut table = String::from("id,g\n");
    for i in 0..40 {
        table += &format!("{i},{}{i}\n", "x".repeat(100_000));
    }
    folder.write("t.csv", &table);
    let line = "@t.csv -c id --by g --error 0.5 --max-memory 2MiB --top 1 --json";
    let summary = folder.json::<Distinct>(line).pop().unwrap();
    assert!((1..=20).contains(&summary["groups"].as_u64().unwrap()), "{summary}");
}

#[test]
fn groups_share_the_window_and_leave_with_it() {
    let folder = Folder::new();
    folder.write("late.csv", "t,u,g\n1000,a,x\n10,b,y\n11,c,y\n");
    let summary =
        folder.json::<Distinct>("@late.csv -c u --by g --window 10s --time t --json").pop().unwrap();
    assert_eq!((&summary["late"], &summary["groups"]), (&2.into(), &1.into()), "{summary}");
    // A new group every second: no more than a window of them are there at once.
    let mut table = String::from("t,u,g\n");
    for i in 0..3000 {
        table += &format!("{},u{i},g{i}\n", 1000 + i);
    }
    folder.write("turns.csv", &table);
    let line = "@turns.csv -c u --by g --groups 50 --window 10s --time t --json";
    let summary = folder.json::<Distinct>(line).pop().unwrap();
    assert_eq!((&summary["groups"], &summary["others"]), (&10.into(), &false.into()), "{summary}");
}

#[test]
fn bad_groups_are_refused() {
    let folder = Folder::with(&[("in", "a\n"), ("t.csv", "a,b\n1,2\n")]);
    for (line, why) in [
        ("@in --by x", "in: --by needs a table"),
        ("@t.csv --by x", "no column 'x'"),
        ("@t.csv --by=", "--by needs a name"),
        ("@t.csv --by a --groups 0", "--groups must be at least 1"),
        ("@t.csv --by a --max-memory 100KiB", "--max-memory 100 KiB: a sketch for one key"),
    ] {
        let error = folder.error::<Distinct>(line);
        assert!(error.contains(why), "{line}: {error}");
    }
}
