//! `crivo quantiles --relative`: values within a share of the true ones.

use crate::support::Dir;
use serde_json::Value;

/// Numbers over nine orders of magnitude, of both signs, and more of them than are kept as they are.
fn numbers(dir: &Dir) -> Vec<f64> {
    let mut rng = crivo::rng::Rng::new(4);
    let numbers: Vec<f64> = (0..60_000).map(|_| ((rng.unit() - 0.2).powi(9) * 1e9).round() / 1e3).collect();
    for (name, part) in [("one", &numbers[..20_000]), ("other", &numbers[20_000..]), ("in", &numbers[..])] {
        dir.write(name, part.iter().map(|number| format!("{number}\n")).collect::<String>());
    }
    let mut sorted = numbers;
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn assert_near(answers: &[Value], sorted: &[f64], error: f64) {
    let quantiles: Vec<&Value> = answers.iter().filter(|answer| answer["type"] == "quantile").collect();
    assert!(quantiles.len() >= 9);
    for answer in quantiles {
        let rank = (answer["q"].as_f64().unwrap() * sorted.len() as f64).ceil().max(1.0) as usize;
        let (truth, bar) = (sorted[rank - 1], &answer["quantile"]);
        let [value, lower, upper] = ["value", "lower", "upper"].map(|end| bar[end].as_f64().unwrap());
        assert!(
            (value - truth).abs() <= error * truth.abs() && lower <= truth && truth <= upper,
            "{answer}, not {truth}"
        );
        assert_eq!(bar["guarantee"], "certain");
    }
}

#[test]
fn values_are_near_after_reading_saving_and_merging() {
    let dir = Dir::new();
    let sorted = numbers(&dir);
    assert_near(&dir.run("quantiles in --relative 1% --json --save whole.crv").json(), &sorted, 0.01);
    assert_near(&dir.run("quantiles in --relative 0.1% --json --jobs 3").json(), &sorted, 0.001);
    for part in ["one", "other"] {
        dir.run(&format!("quantiles {part} --relative 1% --save {part}.crv")).text();
    }
    dir.run("merge other.crv one.crv -o both.crv").text();
    assert_eq!(dir.read("both.crv"), dir.read("whole.crv"), "a merge is one pass over all");
    assert_near(&dir.run("quantiles --from both.crv --json").json(), &sorted, 0.01);
    dir.run("quantiles other --from one.crv --save longer.crv").text();
    assert_eq!(dir.read("longer.crv"), dir.read("whole.crv"));
    let info = &dir.run("info both.crv --json").json()[0];
    assert_eq!((&info["kind"], &info["facts"]["total"]), (&"log-quantiles".into(), &60_000.into()));
    let inside = sorted.iter().filter(|number| (10.0..=1000.0).contains(*number)).count() as f64;
    let range = &dir.run("range 10 1000 --from both.crv --json").json()[0]["count"];
    assert!(range["lower"].as_f64() <= Some(inside) && Some(inside) <= range["upper"].as_f64(), "{range}");
    assert!(dir.run("histogram --from both.crv").text().ends_with("of 60,000 numbers\n"));
}

#[test]
fn few_values_are_exact_and_groups_have_their_own() {
    let dir = Dir::new();
    dir.write("t.csv", "k,v\na,1\nb,-20\na,3\nb,0\n");
    let text = dir.run("quantiles t.csv -c v --by k -p 0,100 --relative 5%").text();
    assert!(text.contains("0  1  (exact)\n1  3  (exact)\n") && text.contains("-20  (exact)"), "{text}");
}

#[test]
fn what_has_no_relative_error_is_refused() {
    let dir = Dir::new();
    dir.write("infinite", "1\ninf\n");
    dir.write("times", "2026-11-16\n2026-11-17\n");
    dir.write("in", "1\n2\n");
    dir.run("quantiles infinite --relative 1%").fails_with(&["value 2 is inf", "finite number"]);
    dir.run("quantiles times --relative 1%").fails_with(&["times", "--relative"]);
    dir.run("quantiles in --relative 0.001%").fails_with(&["at least 0.0001", "0.00001"]);
    dir.run("quantiles in --relative 1% --error 1%").fails_with(&["cannot be used with"]);
    dir.run("quantiles in --relative 2").fails_with(&["below 1"]);
}
