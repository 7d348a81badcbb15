//! `crivo sample --where`: the share and the sum of the weights of some records.

use crate::support::Dir;
use serde_json::Value;

/// 3,000 sales: a hundred large ones among small ones, in three countries; the last one has none.
fn sales(dir: &Dir) -> [f64; 2] {
    let amount = |sale: u32| if sale.is_multiple_of(30) { 5000 } else { 1 + sale % 50 };
    let country = |sale: u32| ["BR", "DE", "PT"][(sale / 7 % 3) as usize];
    let rows: String = (0..3000).map(|sale| format!("{},{}\n", country(sale), amount(sale))).collect();
    dir.write("sales.csv", format!("country,amount\n{rows},77\n"));
    let sum = |which: &str| (0..3000).filter(|&sale| which.contains(country(sale))).map(amount).sum::<u32>();
    ["BR", "BR DE PT"].map(|which| f64::from(sum(which)))
}

fn holds(bar: &Value, truth: f64) -> bool {
    let bound = |name: &str| bar[name].as_f64().unwrap();
    bound("lower") <= truth && truth <= bound("upper")
}

#[test]
fn sums_and_shares_hold_the_truth() {
    let dir = Dir::new();
    let [truth, total] = sales(&dir);
    let answers =
        dir.run("sample sales.csv --weight amount --where country=BR -n 300 --seed 1 --json").json();
    assert_eq!(answers.len(), 2, "no records are printed");
    let answer = &answers[0];
    assert_eq!((&answer["where"], answer["weight"].as_f64()), (&"country=BR".into(), Some(total)));
    assert!(holds(&answer["sum"], truth) && holds(&answer["share"], truth / total), "{answer}");
    assert_eq!(
        (answer["sum"]["guarantee"].as_str(), answer["sum"]["exact"].as_bool()),
        (Some("proven"), Some(false))
    );
    assert_eq!(answers[1]["missing"], 1);
    let text = dir.run("sample sales.csv --weight amount --where country=BR -n 300 --seed 1").text();
    assert!(text.contains("share of the weight: ") && text.contains("(at least 95 %: "), "{text}");
    let exact = dir.run("sample sales.csv --weight amount --where country=BR --seed 1").text();
    assert!(exact.contains(&format!("sum of the weights: {truth}  (exact)")), "{exact}");
    let records = dir.run("sample sales.csv --where country=BR --seed 1").text();
    assert!(records.contains("share of the records: 33.") && records.contains("  (exact)"), "{records}");
    let large =
        &dir.run("sample sales.csv --weight amount --where amount>=5000 -n 200 --seed 1 --json").json()[0];
    assert!(holds(&large["sum"], 500_000.0), "{large}");
    let groups = dir.run("sample sales.csv --weight amount --where amount<25 --by country --seed 1").text();
    assert_eq!(groups.matches("share of the weight: ").count(), 4, "{groups}");
}

#[test]
fn saved_samples_answer_other_conditions() {
    let dir = Dir::new();
    let [truth, total] = sales(&dir);
    for (seed, name) in [(1, "a.crv"), (2, "b.crv")] {
        let line =
            format!("sample sales.csv --weight amount --where country=DE -n 300 --seed {seed} --save {name}");
        dir.run(&line).text();
    }
    let answer = &dir.run("sample --from a.crv --where country=BR --json").json()[0];
    assert!(holds(&answer["sum"], truth), "{answer}");
    dir.run("merge a.crv b.crv -o both.crv").text();
    let answer = &dir.run("sample --from both.crv --where country=BR --json").json()[0];
    assert!(holds(&answer["sum"], 2.0 * truth) && holds(&answer["share"], truth / total), "{answer}");
    let kept = dir.run("sample --from both.crv").text();
    assert_eq!(kept.lines().count(), 300, "the values");
    assert!(kept.lines().all(|line| line.starts_with("country=")), "{kept}");
    dir.run("sample sales.csv --weight amount --save w.crv --quiet").text();
    dir.run("sample --from w.crv --where country=BR").fails_with(&["w.crv", "has no sums", "--where"]);
    dir.run("sample --from a.crv sales.csv --where country=BR").fails_with(&["a.crv", "give --weight"]);
}

/// Their values would all count as others, with a short interval around 0.
#[test]
fn samples_of_another_column_or_of_whole_records_do_not_answer() {
    let dir = Dir::new();
    sales(&dir);
    dir.run("sample sales.csv --weight amount --where country=DE --seed 1 --save a.crv").text();
    dir.run("sample --from a.crv --where amount>10").fails_with(&[
        "a.crv",
        "'country=",
        "no value of 'amount'",
    ]);
    dir.run("sample sales.csv --weight amount --from a.crv --where amount>10")
        .fails_with(&["'amount'", "--where"]);
    dir.run("sample sales.csv --where amount>10 --seed 2 --save b.crv").text();
    dir.run("sample --from b.crv --where country=DE").fails_with(&[
        "b.crv",
        "'amount=",
        "no value of 'country'",
    ]);
    dir.run("sample sales.csv -n 10 --seed 1 --save rows.crv").text();
    dir.run("sample --from rows.crv --where country=DE").fails_with(&["rows.crv", "no value of 'country'"]);
    dir.run("sample sales.csv -n 10 --column country --seed 1 --save values.crv").text();
    dir.run("sample --from values.crv --where country=DE")
        .fails_with(&["values.crv", "no value of 'country'"]);
}

#[test]
fn bad_conditions_are_refused() {
    let dir = Dir::new();
    sales(&dir);
    dir.run("sample sales.csv --where country").fails_with(&["expected a column", "status>=500"]);
    dir.run("sample sales.csv --where land=BR").fails_with(&["land"]);
    dir.run("sample sales.csv --where country=BR --column country").fails_with(&["--where", "--column"]);
    dir.write("huge.csv", "c,w\na,1\nb,1e300\n");
    dir.run("sample huge.csv --weight w --where c=a").fails_with(&["9.7e288"]);
}
