//! `crivo values`.

use crate::support::Dir;

const OFFERS: &str = "shop,price\nnorth,3.5\nsouth,4.25\nnorth,3.75\nwest,-2\n,9\n";

#[test]
fn the_greatest_value_of_each_key() {
    let dir = Dir::new();
    dir.write("offers.csv", OFFERS);
    let built = dir.run("values build offers.csv -o best.crv").text();
    assert!(built.starts_with("best.crv: linear-bloom of 4 values in "), "{built}");
    assert!(
        built.contains("of 3 different keys")
            && built.ends_with("1 record without a key or a value left out\n"),
        "{built}"
    );
    let answer = dir.run("values query best.crv north west nowhere").text();
    let lines: Vec<&str> = answer.lines().collect();
    assert!(lines[0].starts_with("north    3.75  too large with probability "), "{answer}");
    assert!(lines[1].starts_with("west       -2  "), "{answer}");
    assert_eq!(lines[2], "nowhere     -  certainly never kept");
    assert_eq!(dir.run("values query best.crv nowhere").code, Some(1));
}

/// From every source the same bytes: by name or number, from other formats, pipes, and with the number of items given.
#[test]
fn the_input_decides_and_nothing_else() {
    let dir = Dir::new();
    dir.write("offers.csv", OFFERS);
    dir.write("offers.tsv", "price\tshop\n4.25\tsouth\n3.75\tnorth\n-2\twest\n");
    dir.write("offers.jsonl", "{\"shop\":\"west\",\"price\":-2}\n{\"shop\":\"north\",\"price\":3.75}\n{\"shop\":\"south\",\"price\":4.25}\n");
    dir.run("values build offers.csv -o a.crv").text();
    for line in [
        "values build offers.csv --save b.crv --force --items 3",
        "values build offers.csv -o b.crv --force -j 1",
        "values build offers.tsv --key shop --value price -o b.crv --force",
        "values build offers.jsonl -k shop -v price -o b.crv --force",
    ] {
        dir.run(line).text();
        assert_eq!(dir.read("a.crv"), dir.read("b.crv"), "{line}");
    }
    let piped = "values build --format csv --no-header -o b.crv --force";
    dir.run_with(piped, b"north,3.75\nsouth,4.25\nwest,-2\n").text();
    assert_eq!(dir.read("a.crv"), dir.read("b.crv"), "a pipe");
}

#[test]
fn a_header_that_looks_like_data_is_told() {
    let dir = Dir::new();
    dir.write("bare.csv", "north,3.75\nsouth,4.25\n");
    let build = |flags: &str| dir.run(&format!("values build bare.csv -o a.crv --force {flags}")).stderr;
    let stderr = build("");
    assert!(stderr.contains("bare.csv: the first row") && stderr.contains("--no-header"), "{stderr}");
    for flags in ["--no-header", "--quiet", "--key north --value 3.75"] {
        assert_eq!(build(flags), "", "{flags}");
    }
}

#[test]
fn parts_merge_to_the_whole_and_info_tells_all() {
    let dir = Dir::new();
    let rows =
        |from: u32, to: u32| (from..to).map(|i| format!("k{i},{}\n", i * 7 % 1000)).collect::<String>();
    dir.write("one.csv", format!("k,v\n{}", rows(0, 600)));
    dir.write("two.csv", format!("k,v\n{}", rows(500, 1000)));
    for (files, name) in [("one.csv", "one"), ("two.csv", "two"), ("one.csv two.csv", "both")] {
        for (kind, flags) in [("whole", ""), ("byte", "--bits 8 --range 0..1000")] {
            dir.run(&format!("values build {files} -o {name}-{kind}.crv --items 1000 {flags}")).text();
        }
    }
    for kind in ["whole", "byte"] {
        dir.run(&format!("merge one-{kind}.crv two-{kind}.crv -o merged-{kind}.crv")).text();
        assert_eq!(dir.read(&format!("merged-{kind}.crv")), dir.read(&format!("both-{kind}.crv")), "{kind}");
    }
    let info = dir.run("info both-byte.crv").text();
    assert!(info.contains("quantised-bloom") && info.contains("cell bits"), "{info}");
    assert!(dir.run("info both-whole.crv").text().contains("linear-bloom"));
    dir.run("merge one-whole.crv one-byte.crv -o x.crv")
        .fails_with(&["only sketches of the same kind go together"]);
}

#[test]
fn verdicts_on_claims_and_json() {
    let dir = Dir::new();
    dir.write("offers.csv", OFFERS);
    dir.run("values build offers.csv -o best.crv --distortion 0.001").text();
    dir.write("claims.csv", "who,says\nnorth,3.75\nnorth,3.5\nnorth,5\neast,1\n");
    let text = dir.run("values query best.crv --keys claims.csv --column who --claimed says").text();
    let ends: Vec<&str> = text.lines().map(|line| line.split("claimed: ").nth(1).unwrap()).collect();
    assert_eq!(ends, ["very likely", "possible", "certainly not", "certainly not"], "{text}");
    let json = dir.run("values query best.crv --keys claims.csv --column who --claimed says --json").json();
    let verdicts: Vec<&str> = json.iter().map(|answer| answer["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["equal", "above", "below", "absent"]);
    assert_eq!(
        (&json[0]["type"], &json[0]["key"], &json[0]["value"]),
        (&"value".into(), &"north".into(), &3.75.into())
    );
    assert!(json[0]["overestimated"].as_f64().unwrap() < 0.01 && json[0]["rounding"] == 0.0);
    assert!(json[3]["value"].is_null() && json[3]["fpr"].is_null());
    let piped = dir.run_with("values query best.crv --json", b"south\n").json();
    assert!(piped[0]["value"] == 4.25 && piped[0].get("verdict").is_none(), "{piped:?}");
    let built = dir.run("values build offers.csv -o again.crv --json").json();
    assert_eq!((&built[0]["type"], &built[0]["kind"]), (&"values".into(), &"linear-bloom".into()));
    assert!(built[0]["distortion"].as_f64().unwrap() <= 0.01 && built[0]["nulls"] == 1);
}

#[test]
fn rounding_is_told() {
    let dir = Dir::new();
    dir.write("t.csv", "town,degrees\nFaro,31.9\nOslo,-3.25\n");
    dir.run("values build t.csv -o t.crv --bits 8 --range -40..60").text();
    let json = dir.run("values query t.crv Faro Oslo --json").json();
    for (answer, truth) in json.iter().zip([31.9, -3.25]) {
        let [value, rounding] = ["value", "rounding"].map(|name| answer[name].as_f64().unwrap());
        assert!(value >= truth && value - rounding < truth && rounding < 0.4, "{answer}");
    }
    let text = dir.run("values query t.crv Faro").text();
    assert!(text.contains("rounded up by at most 0.394"), "{text}");
}

#[test]
fn mistakes_are_named() {
    let dir = Dir::new();
    dir.write("offers.csv", OFFERS);
    dir.write("bad.csv", "shop,price\nnorth,1\nsouth,much\n");
    dir.write("words.txt", "a\nb\n");
    dir.run("values build bad.csv -o x.crv").fails_with(&["bad.csv: line 3: the value 'much' is no number"]);
    dir.run("values build offers.csv --value cost -o x.crv").fails_with(&["there is no column 'cost'"]);
    dir.run("values build words.txt -o x.crv").fails_with(&["--key needs a table; say --format csv"]);
    dir.run("values build offers.csv -o x.crv --bits 8 --range 0..10")
        .fails_with(&["-2 is outside the scale from 0 to 10"]);
    dir.run("values build offers.csv -o x.crv --bits 8").fails_with(&["--range"]);
    dir.run("values build offers.csv -o x.crv --items 1e9 --max-memory 1MiB")
        .fails_with(&["more than the limit"]);
    dir.run("values build offers.csv -o x.crv --memory 4").fails_with(&["got 4 bytes"]);
    assert_eq!(dir.names(), ["bad.csv", "offers.csv", "words.txt"], "nothing was saved");
    dir.run("filter build words.txt -o words.crv").text();
    dir.run("values query words.crv a").fails_with(&["a valued sketch is needed"]);
    dir.run("values query none.crv a").fails_with(&["none.crv"]);
    dir.write("many.csv", format!("k,v\n{}", (0..2000).map(|i| format!("k{i},{i}\n")).collect::<String>()));
    let more = dir.run("values build many.csv -o few.crv --items 1000");
    assert!(more.code == Some(0) && more.stderr.contains("raise --items"), "{more:?}");
}

#[test]
fn a_text_answer_says_that_the_key_may_never_have_been_kept() {
    let dir = Dir::new();
    dir.write("offers.csv", OFFERS);
    dir.run("values build offers.csv -o best.crv").text();
    let answer = dir.run("values query best.crv north").text();
    let json = &dir.run("values query best.crv north --json").json()[0];
    let share = crivo_report::significant(json["fpr"].as_f64().unwrap() * 100.0, 3);
    assert!(answer.ends_with(&format!("; {share} % of keys never kept have so much\n")), "{answer}");
}

#[test]
fn answers_in_a_byte_have_no_more_digits_than_their_scale() {
    let dir = Dir::new();
    dir.write("v.csv", "k,v\na,11.5\nb,100\n");
    dir.run("values build v.csv -o v.crv --bits 8 --range 0..200").text();
    let answer = dir.run("values query v.crv a").text();
    assert!(answer.starts_with("a  11.82  "), "{answer}");
}

/// As empty keys are.
#[test]
fn records_without_a_value_are_left_out_and_counted() {
    let dir = Dir::new();
    dir.write("v.csv", "k,v\na,1\nb,\nc,NA\nd,4\n");
    let built = &dir.run("values build v.csv -o v.crv --missing NA --json").json()[0];
    assert_eq!((&built["items"], &built["nulls"]), (&2.into(), &2.into()), "{built}");
    dir.run("values build v.csv -o w.crv").fails_with(&["'NA' is no number"]);
    dir.write("c.csv", "k,claim\na,1\nd,\n");
    let run = dir.run("values query v.crv --keys c.csv --column k --claimed claim");
    assert!(run.stderr.contains("1 record without a key or a claimed value left out"), "{}", run.stderr);
}
