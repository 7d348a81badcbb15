//! Dates and times as values.

use crate::support::Dir;

#[test]
fn times_are_values_too() {
    let dir = Dir::new();
    let hours: String =
        (0..24).map(|hour| format!("2013-01-0{} {hour:02}:30,{hour}\n", 1 + hour % 3)).collect();
    dir.write("t.csv", format!("time,n\n{hours},1\nNA,2\n7,3\n"));
    let text = dir.run("quantiles t.csv -c time --quantiles 0,0.5,1").text();
    let expected = "0    2013-01-01T00:30:00  (exact)\n0.5  2013-01-02T10:30:00  (exact)\n\
                    1    2013-01-03T23:30:00  (exact)\nof 24 times\n2 missing values left out\n\
                    1 number among times left out\n";
    assert_eq!(text, expected);
    let bins = dir.run("histogram t.csv -c time --edges 2013-01-01,2013-01-02,2013-01-04 --json").json();
    assert_eq!((&bins[0]["from"], &bins[0]["count"]["value"]), (&"2013-01-01T00:00:00".into(), &8.into()));
    assert_eq!(bins[1]["count"]["value"], 16);
    let inside = &dir.run("range 2013-01-02 2013-01-02T23:59 t.csv -c time --json").json()[0];
    assert_eq!((&inside["count"]["value"], &inside["low"]), (&8.into(), &"2013-01-02T00:00:00".into()));
    let text = dir.run("histogram t.csv -c time --edges 2013-01-01,2013-01-02,2013-01-04").text();
    assert!(text.starts_with("[2013-01-01, 2013-01-02)"), "{text}");
    dir.write("days.csv", "day\n2013-01-01\n2013-01-31\n");
    assert!(dir.run("histogram days.csv -c day").text().contains("2013-01-01"), "days have no time of day");
    dir.write("utc.csv", "t\n2013-01-01T00:00:00Z\n");
    assert!(dir.run("quantiles utc.csv -c t").text().contains("2013-01-01T00:00:00Z  (exact)"));
    dir.run("range 2013-01-01 7 t.csv -c time").fails_with(&["one bound is a time"]);
    dir.run("range 2013-01-01 2014-01-01 t.csv -c n").fails_with(&["bounds are times", "numbers"]);
    dir.run("histogram t.csv -c n --edges 2013-01-01,2014-01-01").fails_with(&["--edges are times"]);
}
