//! On larger real data, if it is next to the repository.

use crate::support::{Dir, data};
use serde_json::Value;

fn bounds(bar: &Value) -> [f64; 3] {
    ["lower", "value", "upper"].map(|name| bar[name].as_f64().unwrap())
}

const WORDS: f64 = 466_551.0;

#[test]
fn half_a_million_words() {
    let Some(words) = data("words/dwyl-words.txt.gz") else { return };
    let dir = Dir::new();
    dir.run(&format!("filter build {words} -o words.crv")).text();
    let answer = &dir.run(&format!("filter query words.crv --keys {words} --count --json")).json()[0];
    assert_eq!((answer["present"].as_f64(), answer["absent"].as_f64()), (Some(WORDS), Some(0.0)));

    let answer = &dir.run(&format!("distinct {words} --json")).json()[0];
    let bar = &answer["distinct"];
    assert_eq!(answer["items"].as_f64(), Some(WORDS));
    assert!(bar["lower"].as_f64().unwrap() <= WORDS && WORDS <= bar["upper"].as_f64().unwrap(), "{bar}");
}

/// The top 100 by lower bound of 250,000 weighted names are exact and in order, in 1 MB.
#[test]
fn the_most_downloaded_packages() {
    let Some(packages) = data("streams/npm-downloads-top250k.tsv.gz") else { return };
    let dir = Dir::new();
    let run = |flags: &str| {
        let line = format!("top {packages} --no-header --missing= -c 1 --weight 2 -k 100 --json {flags}");
        let answers = dir.run(&line).json();
        let names: Vec<String> =
            answers[..100].iter().map(|item| item["item"].as_str().unwrap().into()).collect();
        (names, answers)
    };
    // Every name comes once, so its weight is its count: one counter for each name is exact.
    let (exact, answers) = run("--error 0.000001");
    assert_eq!((&answers[100]["items"], &answers[100]["floor"]), (&521_774_025_890u64.into(), &0.into()));
    assert_eq!((exact[0].as_str(), bounds(&answers[0]["count"])), ("semver", [2_399_072_936.0; 3]));
    let (names, small) = run("--memory 1MB");
    assert_eq!(names, exact);
    assert!(small[100]["memory_bytes"].as_u64().unwrap() <= 1_000_000, "{}", small[100]);
    for (item, exact) in small[..100].iter().zip(&answers) {
        let [lower, value, upper] = bounds(&item["count"]);
        let [truth, ..] = bounds(&exact["count"]);
        assert!(lower == truth && value == truth && truth <= upper, "{item} {exact}");
    }
}

/// Counted with awk: delays from 0 to 15 minutes, and pairs of a flight and its plane.
const DELAYS: f64 = 60_783.0;
const PAIRS: f64 = 284_170.0;

#[test]
fn a_year_of_flights() {
    let (Some(flights), Some(planes)) =
        (data("tables/nycflights13-flights.csv.gz"), data("tables/nycflights13-planes.csv.gz"))
    else {
        return;
    };
    let dir = Dir::new();
    dir.run(&format!("quantiles {flights} -c arr_delay --save delays.crv")).text();
    let answers =
        dir.run(&format!("quantiles {flights} -c arr_delay --quantiles 0,0.5,0.99,1 --json")).json();
    let quantiles: Vec<[f64; 3]> = answers[..4].iter().map(|answer| bounds(&answer["quantile"])).collect();
    assert_eq!((quantiles[0], quantiles[3]), ([-86.0; 3], [1272.0; 3]));
    assert!(quantiles[1][0] <= -5.0 && -5.0 <= quantiles[1][2] && quantiles[1][2] - quantiles[1][0] <= 1.0);
    assert!(quantiles[2][0] <= 190.0 && 190.0 <= quantiles[2][2], "{quantiles:?}");
    assert_eq!((&answers[4]["items"], &answers[4]["missing"]), (&327_346.into(), &9430.into()));

    let answer = &dir.run("range 0 15 --from delays.crv --json").json()[0];
    let [lower, _, upper] = bounds(&answer["count"]);
    assert!(lower <= DELAYS && DELAYS <= upper && upper - lower < 0.005 * 327_346.0, "{answer}");

    let answer = &dir.run(&format!("distinct {flights} -c tailnum --json")).json()[0];
    assert_eq!(
        (bounds(&answer["distinct"])[1], &answer["missing"]),
        (4043.0, &2512.into()),
        "NA is no plane"
    );

    let answers = dir.run(&format!("top {flights} -c carrier -k 2 --json")).json();
    assert_eq!((&answers[0]["item"], bounds(&answers[0]["count"])), (&"UA".into(), [58_665.0; 3]));
    assert_eq!((&answers[1]["item"], bounds(&answers[1]["count"])), (&"B6".into(), [54_635.0; 3]));

    let answer = &dir.run(&format!("join {flights} {planes} --on tailnum --json")).json()[0];
    let [lower, _, upper] = bounds(&answer["pairs"]);
    assert!(lower <= PAIRS && PAIRS <= upper && upper - lower < 0.05 * PAIRS, "{answer}");

    let sample = dir.run(&format!("sample {flights} -k 500 --seed 1")).text();
    assert_eq!(sample.lines().count(), 501);
    assert!(sample.starts_with("year,month,day,"), "{sample}");
}

#[test]
fn a_web_server_log() {
    let Some(log) = data("logs/apache_logs.gz") else { return };
    let dir = Dir::new();
    // The first field is the address of the client.
    let clients = "--format csv --no-header --column 1 -k 2 --json --delimiter";
    let mut command = dir.command(&format!("top {log} {clients}"));
    let run = command.arg(" ").output().unwrap();
    let answers: Vec<Value> =
        serde_json::Deserializer::from_slice(&run.stdout).into_iter().map(Result::unwrap).collect();
    assert_eq!((&answers[0]["item"], bounds(&answers[0]["count"])), (&"66.249.73.135".into(), [482.0; 3]));
    assert_eq!((&answers[1]["item"], bounds(&answers[1]["count"])), (&"46.105.14.53".into(), [364.0; 3]));
}
