use crate::support::{Dir, numbered};

#[test]
fn everything_put_in_is_found() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    dir.run("filter build in -o f.crv").text();
    assert_eq!(dir.run("filter query f.crv in").stdout, dir.read("in"));
    assert_eq!(dir.run("filter query f.crv in --count").text(), "20,000\n");
    assert_eq!(dir.run("filter query f.crv in --invert").text(), "");
}

#[test]
fn wrong_answers_are_as_rare_as_asked() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    dir.write("out", numbered("out", 100_000));
    for (flags, rate) in [("", 0.01), ("--fpr 0.001", 0.001), ("--capacity 20000 --fpr 0.1", 0.1)] {
        dir.run(&format!("filter build in -o f.crv --force {flags}")).text();
        let answer = &dir.run("filter query f.crv out --count --json").json()[0];
        let wrong = answer["present"].as_f64().unwrap();
        // Mean 100,000 p with p within a few percent of the target; 6 standard deviations on each side.
        let (mean, spread) = (100_000.0 * rate, 6.0 * (100_000.0f64 * rate).sqrt());
        assert!((wrong - mean).abs() < spread + 0.08 * mean, "{flags}: {wrong}");
        assert_eq!(answer["absent"].as_f64(), Some(100_000.0 - wrong));
    }
}

#[test]
fn invert_prints_the_rest() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.run("filter build in -o f.crv --fpr 0.000001").text();
    assert_eq!(dir.run_with("filter query f.crv", b"a\nc\nb").text(), "a\nb\n");
    assert_eq!(dir.run_with("filter query f.crv -v", b"a\nc\nb").text(), "c\n");
    assert_eq!(dir.run_with("filter query f.crv -v --count", b"a\nc\nb").text(), "1\n");
    assert_eq!(dir.run_with("filter query f.crv --null", b"a\0c\0b").stdout, b"a\0b\0");
}

#[test]
fn quiet_answers_by_exit_code() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.run("filter build in -o f.crv --fpr 0.000001").text();
    for (flags, input, code) in
        [("", "b", 0), ("", "c", 1), ("", "", 1), ("-v", "c", 0), ("-v", "a", 1), ("-v", "a\nc\n", 0)]
    {
        let run = dir.run_with(&format!("filter query f.crv --quiet {flags}"), input.as_bytes());
        assert_eq!(
            (run.code, &run.stdout[..], run.stderr.as_str()),
            (Some(code), &b""[..], ""),
            "{flags} {input}"
        );
    }
}

#[test]
fn lines_are_printed_as_they_came() {
    let dir = Dir::new();
    dir.write("in", b"\xff\xfe\r\n\nlast");
    dir.run("filter build in -o f.crv").text();
    assert_eq!(dir.run("filter query f.crv in").stdout, b"\xff\xfe\r\n\nlast\n");
}

#[test]
fn rows_keep_their_header_and_spelling() {
    let dir = Dir::new();
    dir.write("users", "u1\nu3\n");
    dir.run("filter build users -o f.crv --fpr 0.000001").text();
    dir.write("a.csv", "user,\"no\nte\"\r\n\"u1\",\"x\ny\"\r\nu2,z\r\n,\r\nu3,\"\"\r\n");
    dir.write("b.csv", "note,user\nq,u1\n");
    let run = dir.run("filter query f.crv a.csv b.csv --column user");
    assert_eq!(run.text(), "user,\"no\nte\"\n\"u1\",\"x\ny\"\nu3,\"\"\nq,u1\n");
    assert_eq!(dir.run("filter query f.crv a.csv -c user -v").text(), "user,\"no\nte\"\nu2,z\n");
    dir.write("a.jsonl", "{\"user\": \"u3\", \"n\": 1}\n{\"user\": null}\n{}\n");
    assert_eq!(dir.run("filter query f.crv a.jsonl -c user").text(), "{\"user\": \"u3\", \"n\": 1}\n");
}

#[test]
fn duplicates_take_no_room() {
    let dir = Dir::new();
    let once = numbered("x", 1_000);
    dir.write("once", &once);
    dir.write("often", once.repeat(50));
    dir.run("filter build once -o once.crv").text();
    dir.run("filter build often -o often.crv").text();
    assert_eq!(dir.read("once.crv"), dir.read("often.crv"));
}

#[test]
fn too_small_a_capacity_is_told() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    let run = dir.run("filter build in -o f.crv --capacity 1000");
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("capacity of 1,000"), "{}", run.stderr);
    assert_eq!(dir.run("filter build in -o g.crv --capacity 1000 --quiet").stderr, "");
}

#[test]
fn items_beyond_the_memory_need_a_capacity() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    dir.run("filter build in -o f.crv --max-memory 64KiB").fails_with(&["--capacity", "--max-memory"]);
    dir.run("filter build in -o f.crv --max-memory 64KiB --capacity 20000").text();
    dir.write("same", "x\n".repeat(20_000));
    dir.run("filter build same -o g.crv --max-memory 64KiB").text();
}
