//! `crivo tally`, on small tables.

use super::*;
use crate::cmd::merge::Merge;
use crate::testing::Folder;
use serde_json::Value;

fn flights() -> Folder {
    let rows: String = (0..1000)
        .map(|row| {
            let delay = if row % 10 == 9 { "NA".into() } else { (row % 90).to_string() };
            format!(
                "{},{delay},{}\n",
                ["AA", "BB", "CC"][row % 7 % 3],
                ["on", "late"][usize::from(row % 4 == 0)]
            )
        })
        .collect();
    Folder::with(&[("t.csv", &format!("carrier,delay,state\n{rows}"))])
}

/// The count of all records that count.
fn total(folder: &Folder, line: &str) -> Value {
    folder.json::<Tally>(&format!("{line} --json")).pop().unwrap()
}

#[test]
fn records_that_satisfy_a_condition_are_counted() {
    let folder = flights();
    // Missing values satisfy no condition: 100 of 1,000.
    for (condition, expected) in [
        ("", 1000),
        ("--where delay>=0", 900),
        ("--where delay<60", 603),
        ("--where delay!=0", 888),
        ("--where state=late", 250),
        ("--where state!=late", 750),
        ("--where carrier>AA", 572),
    ] {
        let found = total(&folder, &format!("@t.csv {condition}"));
        assert_eq!((&found["count"]["value"], &found["count"]["exact"]), (&expected.into(), &true.into()));
        assert_eq!((&found["records"], &found["missing"]), (&1000.into(), &0.into()), "{condition}");
    }
    let printed = folder.printed::<Tally>("@t.csv --where delay<60");
    assert_eq!(printed, "603 records with delay<60, 60.3 % of 1,000  (exact)\n");
    let found = total(&folder, "@t.csv --where state<5");
    assert_eq!((&found["count"]["value"], &found["not_numbers"]), (&0.into(), &1000.into()));
    assert!(
        folder
            .printed::<Tally>("@t.csv --where state<5")
            .ends_with("1,000 values that are not numbers left out\n")
    );
}

#[test]
fn every_key_is_listed_while_they_are_few() {
    let folder = flights();
    let printed = folder.printed::<Tally>("@t.csv --column carrier --where state=late");
    assert_eq!(
        printed,
        "AA  106  (exact)\nBB   72  (exact)\nCC   72  (exact)\n250 records with state=late, 25 % of 1,000  (exact)\n"
    );
    let found = folder.json::<Tally>("@t.csv --column carrier --key CC --key ZZ --json");
    let counts: Vec<_> = found.iter().filter_map(|it| it["frequency"]["value"].as_u64()).collect();
    assert_eq!(counts, [286, 0]);
    let groups = folder.json::<Tally>("@t.csv --by carrier --where state=late --json");
    assert_eq!((&groups[0]["group"], &groups[0]["count"]["value"]), (&"AA".into(), &106.into()));
    let many: String = (0..9000).map(|key| format!("k{key}\n")).collect();
    folder.write("many.csv", format!("key\n{many}k7\n"));
    let (report, recorded) = folder.run::<Tally>("@many.csv --column key").unwrap();
    recorded.session.finish(&report).unwrap();
    assert_eq!(recorded.printed(), "9,001 records  (exact)\n");
    assert!(recorded.remarks()[0].contains("--key"), "{:?}", recorded.remarks());
    assert!(folder.printed::<Tally>("@many.csv --column key --key k7").starts_with("k7  2  (exact)\n"));
}

#[test]
fn saved_counters_answer_with_an_interval() {
    let folder = flights();
    for kind in ["morris", "binomial"] {
        let line =
            format!("@t.csv -c carrier --kind {kind} --bits 8 --largest 10000 --seed 5 --save @{kind}.crv");
        let (report, _) = folder.run::<Tally>(&line).unwrap();
        let AllOrGroups::All(report) = report else { panic!() };
        assert_eq!(report.keys[0].1, Estimate::exact(428.0), "the data are at hand");
        let found = folder.json::<Tally>(&format!("--from @{kind}.crv --key AA --key none --json"));
        let bar = &found[0]["frequency"];
        let of = |name: &str| bar[name].as_f64().unwrap();
        assert!(of("lower") <= 428.0 && 428.0 <= of("upper") && of("lower") < of("upper"), "{bar}");
        assert_eq!((&bar["guarantee"], &found[2]["count"]), (&"approximate".into(), &Value::Null));
        // The same half of a stream again, with another seed, merges.
        let other = line.replace("--seed 5", "--seed 6").replace(".crv", "-too.crv");
        folder.report::<Tally>(&other);
        folder.report::<Merge>(&format!("@{kind}.crv @{kind}-too.crv -o @{kind}-both.crv"));
        let found = folder.json::<Tally>(&format!("--from @{kind}-both.crv --key AA --json"));
        let bar = &found[0]["frequency"];
        assert!(bar["lower"].as_f64().unwrap() <= 856.0 && 856.0 <= bar["upper"].as_f64().unwrap(), "{bar}");
        folder.report::<Tally>(&format!("@t.csv -c carrier --from @{kind}.crv --save @{kind}-on.crv"));
        let found = folder.json::<Tally>(&format!("--from @{kind}-on.crv --key AA --json"));
        let bar = &found[0]["frequency"];
        assert!(bar["lower"].as_f64().unwrap() <= 856.0 && 856.0 <= bar["upper"].as_f64().unwrap(), "{bar}");
    }
    for kind in ["morris", "binomial"] {
        let line = format!(
            "@t.csv --where state=late --kind {kind} --largest 1000 --seed 1 --save @one.crv --force"
        );
        folder.report::<Tally>(&line);
        let count = &total(&folder, "--from @one.crv")["count"];
        let of = |name: &str| count[name].as_f64().unwrap();
        // No other key shares the only counter, so it has a lower bound.
        assert!(200.0 < of("lower") && of("lower") <= 250.0 && 250.0 <= of("upper"), "{count}");
    }
}

#[test]
fn wrong_questions_say_what_to_do() {
    let folder = flights();
    folder.report::<Tally>("@t.csv -c carrier --save @c.crv");
    for (line, says) in [
        ("@t.csv --key AA", "--column"),
        ("@t.csv --where nope>3", "no column 'nope'"),
        ("--from @c.crv", "--key"),
        ("--from @c.crv --where delay>3", "reads no input"),
        ("@t.csv --from @c.crv --key AA", "--column"),
        ("@t.csv --counters 10 --save @x.crv", "--column"),
        ("@t.csv -c carrier --bits 40 --save @x.crv", "bits"),
        ("@t.csv -c carrier --counters 1e12 --save @x.crv", "--max-memory"),
        ("@t.csv -c carrier --largest 0 --save @x.crv", "at least 1"),
        ("--from @t.csv --key AA", "t.csv"),
    ] {
        let error = folder.error::<Tally>(line);
        assert!(error.contains(says), "{line}: {error}");
    }
}
