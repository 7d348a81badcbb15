//! The warnings of `crivo profile`, and what texts stand for.

use crate::profile_output::at_width;
use crate::support::Dir;

/// A table with defects in each row of ten.
fn defects(dir: &Dir) {
    let row = |row: u32| {
        let wind = if row == 77 { "1048.36".into() } else { format!("{}.5", row * 7 % 30) };
        let town = ["Porto", "Faro", "PORTO", "Faro\u{a0}"][row as usize % 4];
        format!("{},{wind},{town},u{row}@example.org,2013\n", if row == 300 { 5 } else { row })
    };
    dir.write("bad.csv", format!("id,wind,town,mail,year\n{}", (0..400).map(row).collect::<String>()));
}

#[test]
fn warnings_are_in_the_text_the_records_and_the_page() {
    let dir = Dir::new();
    defects(&dir);
    let run = dir.run("profile bad.csv --warn-only");
    let text = run.text();
    assert_eq!(
        text,
        "bad.csv: 400 rows, 5 columns

6 warnings
wind: 1 value above 113.38, far from the others, up to 1048.36; 97.5 % are at most 29.5
id: 399 of 400 values are distinct, as in a key with duplicates; 5 occurs twice
town: differ only in case: PORTO (100), Porto (100)
town: 100 values have invisible characters: Faro\u{a0}
year: always 2013
id: sorted, but 1 value is out of order in row 301
"
    );
    let all = at_width(&dir, "profile bad.csv", 80);
    assert!(all.contains("\n6 warnings\nwind: 1 value above ") && all.contains("text (mail)"), "{all}");
    assert_eq!(at_width(&dir, "profile bad.csv --only warnings", 200), text);
    assert!(!at_width(&dir, "profile bad.csv --only mean", 200).contains("warning"));
    let records = dir.run("profile bad.csv --warn-only --json").json();
    assert_eq!(records.iter().filter(|it| it["type"] == "warning").count(), 6);
    assert_eq!((records.len(), &records[6]["type"]), (7, &"table".into()), "no columns");
    let csv = dir.run("profile bad.csv --warn-only --csv --quiet").text();
    assert_eq!(csv.lines().count(), 7, "{csv}");
    dir.run("profile bad.csv --html page.html").text();
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert!(
        page.contains("<h2>6 warnings</h2>")
            && page.contains("<a href=\"#c0-1\"><bdi>wind</bdi></a>: 1 value")
    );
    dir.run("profile bad.csv --save bad.crv").text();
    let saved = dir.run("profile bad.crv --warn-only").text();
    assert!(
        saved.contains("5 warnings\n") && !saved.contains("out of order"),
        "rows are not saved:\n{saved}"
    );
}

#[test]
fn warnings_give_an_exit_code_if_they_are_asked_to() {
    let dir = Dir::new();
    defects(&dir);
    assert_eq!(dir.run("profile bad.csv").code, Some(0));
    assert_eq!(dir.run("profile bad.csv --fail-on-warnings").code, Some(1));
    dir.write(
        "good.csv",
        (0..30).map(|row| format!("{row}\n")).collect::<String>().replacen("0\n", "x\n0\n", 1),
    );
    let good = dir.run("profile good.csv --fail-on-warnings --warn-only");
    assert_eq!(good.text(), "good.csv: 30 rows, 1 column\n\nno warnings\n");
    dir.run("profile bad.csv --by town --warn-only").fails_with(&["--by", "--warn-only"]);
    dir.run("profile bad.csv --by town --only warnings").fails_with(&["leave out pairs and warnings"]);
}

#[test]
fn what_texts_stand_for_is_told() {
    let dir = Dir::new();
    defects(&dir);
    let mail = &dir.run("profile bad.csv --column mail --json").json()[0];
    assert_eq!((&mail["semantic_type"], &mail["semantic_share"]["value"]), (&"mail".into(), &1.into()));
    let text = at_width(&dir, "profile bad.csv --column mail", 80);
    assert!(
        text.starts_with("bad.csv: mail, text (mail)\n")
            && text.contains("\nmail: 100 % of the distinct values\n")
    );
}
