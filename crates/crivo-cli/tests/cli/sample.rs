use crate::support::Dir;
use std::path::Path;

#[path = "../../examples/make_sample.rs"]
#[expect(dead_code, reason = "the example's main is not called here")]
mod make_sample;

fn shipped() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sample/visits.csv");
    std::fs::read(path).unwrap()
}

#[test]
fn the_sample_is_what_its_generator_writes() {
    let mut written = Vec::new();
    make_sample::write_sample(&mut written).unwrap();
    assert!(written == shipped(), "run the example make_sample again");
}

#[test]
fn answers_about_the_sample_hold() {
    let dir = Dir::new();
    dir.write("visits.csv", shipped());
    let text = String::from_utf8(shipped()).unwrap();
    let column = |place| text.lines().skip(1).map(move |line| line.split(',').nth(place).unwrap());
    for (name, place) in [("time", 0), ("user", 1), ("page", 2), ("country", 3)] {
        let truth =
            column(place).filter(|value| !value.is_empty()).collect::<std::collections::HashSet<_>>().len();
        let answer = &dir.run(&format!("distinct visits.csv --column {name} --json")).json()[0];
        let bar = &answer["distinct"];
        let truth = truth as f64;
        assert!(
            bar["lower"].as_f64().unwrap() <= truth && truth <= bar["upper"].as_f64().unwrap(),
            "{name}: {bar}"
        );
    }
    let home = column(2).filter(|&page| page == "/").count() as f64;
    let bar = &dir.run("count visits.csv --column page --key / --json").json()[0]["frequency"];
    assert!(bar["lower"].as_f64().unwrap() <= home && home <= bar["upper"].as_f64().unwrap(), "{bar}");
}
