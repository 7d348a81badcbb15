//! `crivo quantiles --tail`: ranks within a share of the numbers in the tail.

use crate::support::Dir;
use serde_json::Value;

const COUNT: u64 = 200_000;

/// A permutation of the numbers below COUNT, so that a number is its rank, less one.
fn numbers(dir: &Dir) {
    let numbers: Vec<u64> = (0..COUNT).map(|i| i * 7919 % COUNT).collect();
    for (name, part) in [("one", &numbers[..50_000]), ("other", &numbers[50_000..]), ("in", &numbers[..])] {
        dir.write(name, part.iter().map(|number| format!("{number}\n")).collect::<String>());
    }
}

fn assert_near(answers: &[Value], error: f64, is_low: bool) {
    let quantiles: Vec<&Value> = answers.iter().filter(|answer| answer["type"] == "quantile").collect();
    assert_eq!(quantiles.len(), 4);
    for answer in quantiles {
        let truth = (answer["q"].as_f64().unwrap() * COUNT as f64).ceil() - 1.0;
        let bar = &answer["quantile"];
        let [value, lower, upper] = ["value", "lower", "upper"].map(|end| bar[end].as_f64().unwrap());
        let allowed = error * if is_low { truth + 1.0 } else { COUNT as f64 - 1.0 - truth };
        assert!(lower <= truth && truth <= upper, "{answer}, not {truth}");
        assert!((value - truth).abs() <= allowed && upper - lower <= 2.5 * allowed, "{answer}, not {truth}");
    }
}

#[test]
fn tails_are_near_after_reading_saving_and_merging() {
    let dir = Dir::new();
    numbers(&dir);
    let high = "-p 50,99,99.9,99.99 --json";
    assert_near(&dir.run(&format!("quantiles in --tail 5% {high} --save whole.crv")).json(), 0.05, false);
    let low = "-p 0.01,0.1,1,50 --json --jobs 3";
    assert_near(&dir.run(&format!("quantiles in --tail 5% --low {low}")).json(), 0.05, true);
    for part in ["one", "other"] {
        dir.run(&format!("quantiles {part} --tail 5% --save {part}.crv")).text();
    }
    dir.run("merge other.crv one.crv -o both.crv").text();
    assert_near(&dir.run(&format!("quantiles --from both.crv {high}")).json(), 0.05, false);
    dir.run("quantiles other --from one.crv --save longer.crv").text();
    assert_near(&dir.run(&format!("quantiles --from longer.crv {high}")).json(), 0.05, false);
    let info = &dir.run("info both.crv --json").json()[0];
    assert_eq!((&info["kind"], &info["facts"]["total"]), (&"req-sketch".into(), &COUNT.into()));
    let range = &dir.run("range 150000 199999 --from both.crv --json").json()[0]["count"];
    assert!(range["lower"].as_f64() <= Some(5e4) && Some(5e4) <= range["upper"].as_f64(), "{range}");
    assert!(dir.run("histogram --from both.crv").text().ends_with("of 200,000 numbers\n"));
}

#[test]
fn what_cannot_be_is_refused() {
    let dir = Dir::new();
    dir.write("in", "1\n2\n");
    dir.run("quantiles in --tail 0.0001%").fails_with(&["at least 0.0000063", "0.000001"]);
    dir.run("quantiles in --tail 1% --error 1%").fails_with(&["cannot be used with"]);
    dir.run("quantiles in --tail 1% --relative 1%").fails_with(&["cannot be used with"]);
    dir.run("quantiles in --low").fails_with(&["--tail"]);
}
