//! What `crivo profile` tells of columns: how they are related, what is certain of them, and of which form it is.

use crate::support::Dir;
use serde_json::{Value, json};

/// The groups of a run with `--json`: how alike they are, and their columns.
fn groups(lines: &[Value]) -> Vec<(String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let names = |group: &Value| {
        group["columns"].as_array().unwrap().iter().map(|column| text(&column["column"])).collect()
    };
    let groups = lines.iter().filter(|line| line["type"] == "column_group");
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
        "clicked, same have the same value in every row",
        "same distribution: clicked, bought, same and nearly have the same values, each as often",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{text}");
    }
}

/// Whole numbers in a range are no more than the range has; floats are no keys, and a constant has no quantiles.
#[test]
fn what_is_certain_is_told() {
    let dir = Dir::new();
    let rows: String = (0..30_000u32).map(|row| format!("{row},{row}.5,2013\n")).collect();
    dir.write("t.csv", format!("id,score,year\n{rows}"));
    let lines = dir.run("profile t.csv --json").json();
    assert!(lines[0]["distinct"]["upper"].as_f64() <= Some(30_000.0), "{}", lines[0]);
    assert_eq!((&lines[0]["key"], &lines[1]["key"]), (&"possible".into(), &Value::Null));
    assert_eq!(lines[2]["quantiles"][0]["quantile"]["value"], 2013);
    let year = dir.run("profile t.csv --column year").text();
    assert_eq!(
        year,
        "t.csv: year, integer\n30,000 rows, none missing\n1 distinct  (exact)\nalways 2013\nlength 4 bytes\n\n\
         1 warning\nyear: always 2013\n"
    );
    dir.run("profile t.csv --html page.html").text();
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    let section = page.split("<section id=\"c0-2\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert_eq!(section.matches("2013").count(), 1, "{section}");
}

/// No zone is reported that the data do not have.
#[test]
fn times_have_a_zone_if_the_data_have() {
    let dir = Dir::new();
    for (zone, shown) in
        [("", "2013-01-01T05:00:00"), ("Z", "2013-01-01T05:00:00Z"), ("+01:00", "2013-01-01T04:00:00Z")]
    {
        let rows: String = (0..10).map(|hour| format!("2013-01-01 0{hour}:00{zone}\n")).collect();
        dir.write("t.csv", format!("at\n{rows}2013-01-01 05:00{zone}\n"));
        let line = dir.run("profile t.csv --json").json().remove(0);
        assert_eq!(line["quantiles"][3]["quantile"]["value"], shown, "{zone}");
        dir.run("profile t.csv --html page.html --force").text();
        let page = String::from_utf8(dir.read("page.html")).unwrap();
        assert!(page.contains(&format!(">{shown}</td>")), "{zone}");
        assert!(dir.run("profile t.csv").text().contains(&format!("  50 %  {shown}\n")), "{zone}");
        dir.run("profile t.csv --save t.crv --force").text();
        assert!(dir.run("profile t.crv").text().contains(&format!("  50 %  {shown}\n")), "{zone}");
    }
}

/// As `crivo histogram` has it: a bin holds its lower end. What lies outside of all bins is counted.
#[test]
fn bins_hold_their_lower_end_and_say_what_they_leave_out() {
    let dir = Dir::new();
    dir.write("e.csv", "x\n0.0\n0.5\n1.0\n1.5\n2.0\n10.0\n");
    let counts = |line: &Value| -> Vec<f64> {
        let bins = line["histogram"].as_array().unwrap();
        bins.iter().map(|bin| bin["count"]["value"].as_f64().unwrap()).collect()
    };
    let line = dir.run("profile e.csv --json").json().remove(0);
    let bins = dir.run("histogram e.csv --column x --bins 20 --json").json();
    let bins: Vec<f64> = bins.iter().filter_map(|bin| bin["count"]["value"].as_f64()).collect();
    assert_eq!(counts(&line), bins);
    assert!(line.get("below").is_none() && line.get("above").is_none());
    let text = dir.run("profile e.csv").text();
    assert!(text.contains("\nhistogram: a bin holds its lower end, the last one both\n"), "{text}");
    let rows: String = (0..1000).map(|row| format!("{}\n", row % 100)).collect();
    dir.write("far.csv", format!("x\n{rows}1048\n-500\n-600\n"));
    let line = dir.run("profile far.csv --json").json().remove(0);
    let outside = ["below", "above"].map(|side| line[side]["value"].as_f64().unwrap());
    assert_eq!(outside.iter().chain(&counts(&line)).sum::<f64>(), 1003.0);
    let [below, above] = outside;
    let title = format!("\nhistogram of the middle 98 %: {below} below, {above} above\n");
    assert!(dir.run("profile far.csv").text().contains(&title), "{title}");
}

#[test]
fn ends_of_numbers_are_numbers() {
    let dir = Dir::new();
    dir.write("t.csv", "whole,large,part,word,day\n1,9007199254740993,-0.5,a,2013-01-01\n2,18446744073709551615,inf,b,2013-01-02\n");
    let lines = dir.run("profile t.csv --json").json();
    let ends = |place: usize| json!([lines[place]["minimum"], lines[place]["maximum"]]);
    assert_eq!([ends(0), ends(1)], [json!([1, 2]), json!([9_007_199_254_740_993u64, u64::MAX])]);
    assert_eq!([ends(2), ends(3)], [json!([-0.5, "inf"]), json!(["a", "b"])]);
    assert_eq!(ends(4), json!(["2013-01-01", "2013-01-02"]));
}

#[test]
fn shares_say_of_what_they_are() {
    let dir = Dir::new();
    let rows: String =
        (0..20_000).map(|row| format!("{row},{}\n", if row == 7 { "" } else { "x" })).collect();
    dir.write("t.csv", format!("id,word\n{rows}"));
    let text = dir.run("profile t.csv").text();
    assert!(text.lines().any(|line| line.starts_with("word ") && line.contains("  1 row  ")), "{text}");
    let share = "\nshares of the most frequent values exclude missing values\n";
    assert!(text.contains(share), "{text}");
    let text = dir.run("profile t.csv --only missing").text();
    assert!(!text.contains(share), "{text}");
}

/// Times keep their day, numbers their median and bars; texts give up their ends first.
#[test]
fn days_are_whole_on_a_narrow_terminal() {
    let dir = Dir::new();
    let rows: String = (0..400)
        .map(|row| {
            format!("2013-{:02}-{:02} 10:{:02},{row},name {row}\n", 1 + row % 12, 1 + row % 28, row % 60)
        })
        .collect();
    dir.write("t.csv", format!("at,number,name\n{rows}"));
    let at_width = |width: &str| {
        let output =
            dir.command("profile t.csv").env("COLUMNS", width).env("LC_ALL", "C.UTF-8").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let text = at_width("80");
    let row = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(row("at ").contains(" 2013-01-01 ") && row("at ").contains(" 2013-12-28 "), "{text}");
    assert!(row("number ").contains('█') && !row("name ").contains("name 0"), "{text}");
    assert!(text.contains("no room for minimum and maximum of texts"), "{text}");
    let piped = dir.command("profile t.csv").env_remove("COLUMNS").env("LC_ALL", "C.UTF-8").output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), at_width("200"), "a pipe has room");
}

#[test]
fn a_page_has_a_file() {
    let dir = Dir::new();
    dir.write("t.csv", "x\n1\n");
    dir.run("profile t.csv --html -")
        .fails_with(&["a page cannot go to standard output", "--html page.html"]);
}

/// Changes are reported for two plain files as for a saved profile; small changes and some columns may be left out.
#[test]
fn comparisons_have_a_size_and_leave_columns_out() {
    let dir = Dir::new();
    let table = |more: u32| -> String {
        let row = |n: u32| format!("{n},{},{}\n", n % 100, u32::from(n % 1000 < 500 + more));
        std::iter::once("id,even,flag\n".to_owned()).chain((0..100_000).map(row)).collect()
    };
    dir.write("old.csv", table(0));
    dir.write("new.csv", table(20));
    dir.run("profile old.csv --save old.crv").text();
    let plain = dir.run("compare old.csv new.csv --json");
    let saved = dir.run("compare old.crv new.csv --json");
    assert_eq!((plain.code, &plain.stdout), (Some(1), &saved.stdout));
    for (least, code) in [("1%", 1), ("0.03", 1), ("5%", 0)] {
        let run = dir.run(&format!("compare old.csv new.csv --at-least {least}"));
        assert_eq!(run.code, Some(code), "{least}: {run:?}");
    }
    let text = dir.run("compare old.csv new.csv --at-least 5%").text();
    assert!(text.contains(" smaller than 5 %, and not counted\n"), "{text}");
    let lines = dir.run("compare old.csv new.csv --at-least 5% --json").json();
    assert!(
        lines.iter().any(|line| line["significant"] == true)
            && lines.iter().all(|line| line["counts"] != true)
    );
    let end = lines.last().unwrap();
    assert_eq!((&end["changed"], &end["at_least"]), (&false.into(), &0.05.into()));
    assert_eq!(dir.run("compare old.csv new.csv --ignore flag").code, Some(0));
    dir.write("wider.csv", table(0).replace("flag", "sign"));
    assert_eq!(dir.run("compare old.csv wider.csv --ignore flag --ignore sign").code, Some(0));
    dir.run("compare old.csv new.csv --ignore flg").fails_with(&["--ignore flg", "no"]);
    dir.run("compare old.csv").fails_with(&["<NEW>"]);
    dir.run("compare nothing.csv new.csv").fails_with(&["nothing.csv", "no such file"]);
    dir.run("compare - -").fails_with(&["standard input"]);
    dir.run("compare old.crv old.crv --error 0.1").fails_with(&["saved profile", "leave out --error"]);
    assert_eq!(dir.run_with("compare - old.csv --format csv", &dir.read("new.csv")).code, Some(1));
    dir.write("bad.crv", "x");
    dir.run("compare bad.crv new.csv").fails_with(&["bad.crv"]);
}
