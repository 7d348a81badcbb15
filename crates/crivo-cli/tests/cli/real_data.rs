//! On larger real data, where it lies beside the repository.

use crate::support::Dir;
use std::path::Path;

const WORDS: f64 = 466_551.0;

#[test]
fn half_a_million_words() {
    let words = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/words/dwyl-words.txt.gz");
    if !words.is_file() {
        println!("skipped: {} is absent", words.display());
        return;
    }
    let words = words.to_str().unwrap();
    let dir = Dir::new();
    dir.run(&format!("filter build {words} -o words.crv")).text();
    let answer = &dir.run(&format!("filter query words.crv {words} --count --json")).json()[0];
    assert_eq!((answer["present"].as_f64(), answer["absent"].as_f64()), (Some(WORDS), Some(0.0)));

    let answer = &dir.run(&format!("distinct {words} --json")).json()[0];
    let bar = &answer["distinct"];
    assert_eq!(answer["items"].as_f64(), Some(WORDS));
    assert!(bar["lower"].as_f64().unwrap() <= WORDS && WORDS <= bar["upper"].as_f64().unwrap(), "{bar}");
}
