//! What people type first, and what they get.

use crate::support::Dir;

fn dir() -> Dir {
    let dir = Dir::new();
    dir.write("t.csv", "origin,dest,n\nJFK,ORD,1\nJFK,LAX,2\nEWR,ORD,3\nJFK,ORD,4\n");
    dir.write("literal.csv", "a,b,\"a,b\"\n1,2,x\n1,3,x\n");
    dir.write("t.jsonl", "{\"a\":1,\"b\":2,\"a,b\":\"x\"}\n{\"a\":1,\"b\":3,\"a,b\":\"x\"}\n");
    dir
}

fn distinct(dir: &Dir, flags: &str) -> u64 {
    dir.run(&format!("distinct {flags} --json")).json()[0]["distinct"]["value"].as_u64().unwrap()
}

#[test]
fn columns_with_a_comma_between_them() {
    let dir = dir();
    assert_eq!(distinct(&dir, "t.csv -c origin,dest"), 3);
    assert_eq!(distinct(&dir, "t.csv -c origin -c dest"), 3);
    assert_eq!(distinct(&dir, "t.csv -c 1,2"), 3, "by number, too");
    assert_eq!(distinct(&dir, "literal.csv -c a,b"), 1, "a column may be called so");
    assert_eq!(distinct(&dir, "literal.csv -c b,a"), 2);
    assert_eq!((distinct(&dir, "t.jsonl -c a,b"), distinct(&dir, r"t.jsonl -c a\,b")), (2, 1));
    let columns = |flags: &str| {
        let records = dir.run(&format!("profile {flags} --only distinct --json")).json();
        let names = records.iter().filter(|it| it["type"] == "column").map(|it| it["column"].to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(columns("t.csv -c n,dest"), "\"n\" \"dest\"");
    assert_eq!(columns("literal.csv -c a,b"), "\"a,b\"");
    assert_eq!(columns("t.jsonl -c b,a"), "\"b\" \"a\"");
    dir.run("profile t.csv --save t.crv").text();
    assert_eq!(columns("t.crv -c origin,n"), "\"origin\" \"n\"");
    dir.run("distinct t.csv -c origin,nope").fails_with(&["no column 'origin,nope'"]);
    dir.run("quantiles t.csv -c n,dest").fails_with(&["a number stands in one column"]);
    dir.run("quantiles t.jsonl -c a,b").fails_with(&["a number stands in one column"]);
}

#[test]
fn numbers_as_people_write_them() {
    let dir = dir();
    dir.write("docs", "one two three four\none two three four\nsomething else entirely here\n");
    let groups = |share: &str| dir.run(&format!("dups docs --format lines --threshold {share}")).stdout;
    assert!(groups("0.8") == groups("80%") && !groups("80%").is_empty());
    let plan = |items: &str| dir.run(&format!("plan membership --items {items} --fpr 1% --json")).json();
    assert_eq!(plan("10k"), plan("10000"));
    assert_eq!(plan("1.5M"), plan("1500000"));
    assert_eq!(plan("64KiB"), plan("65536"));
    dir.run("plan membership --items 10m --fpr 1%").fails_with(&["expected a whole number", "1M"]);
    dir.run("dups docs --format lines --threshold 101%").fails_with(&["at most 1", "80%"]);
}

#[test]
fn quiet_and_invert_mean_one_thing() {
    let dir = dir();
    for line in ["histogram t.csv -c n -q", "range 1 2 t.csv -c n -q", "quantiles t.csv -c n -q"] {
        dir.run(line).text();
    }
    dir.write("edges", "a b\nb c\n");
    dir.run("graph build edges -o g.crv").text();
    dir.write("pairs", "a b\na z\n");
    assert_eq!(dir.run("graph query g.crv --pairs pairs -v").text(), "a\tz\n");
}

#[test]
fn an_empty_line_is_missing_in_every_verb() {
    let dir = dir();
    dir.write("lines", "1\n\n2\n\n2\n");
    let last = |line: &str| dir.run(&format!("{line} --json")).json().pop().unwrap();
    for line in
        ["distinct lines", "top lines", "count lines --key 2", "quantiles lines", "sample lines --seed 1"]
    {
        let answer = last(line);
        assert_eq!((&answer["items"], &answer["missing"]), (&3.into(), &2.into()), "{line}: {answer}");
    }
    let profile = dir.run("profile lines --json").json();
    assert_eq!((&profile[0]["rows"], &profile[0]["missing"]), (&5.into(), &2.into()));
    assert_eq!(profile[0]["data_type"], "integer");
    assert_eq!(distinct(&dir, "lines"), 2);
    assert_eq!(dir.run("seen lines").text(), "1\n\n2\n", "seen passes lines, empty or not, once");
    dir.write("nul", b"a\0\0b\0");
    assert_eq!(distinct(&dir, "nul --null"), 2);
    dir.write("text", "one\n\ntwo\n");
    assert_eq!(dir.run("hyphenate text").text().lines().count(), 3, "lines of a text stay");
}
