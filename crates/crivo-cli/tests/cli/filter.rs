use crate::support::{Dir, numbered};
use crivo::BloomParams;
use crivo::stats::binomial_band;

#[test]
fn everything_put_in_is_found() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    dir.run("filter build in -o f.crv").text();
    assert_eq!(dir.run("filter query f.crv in").stdout, dir.read("in"));
    assert_eq!(dir.run("filter query f.crv in --count").text(), "20,000\n");
    let none = dir.run("filter query f.crv in --invert");
    assert_eq!((none.code, none.stdout, none.stderr.as_str()), (Some(1), Vec::new(), ""));
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
        // The fill is known, so every answer is an independent throw at the rate that the filter states.
        let stated = answer["fpr"]["value"].as_f64().unwrap();
        let (least, most) = binomial_band(100_000, stated, 1e-9);
        assert!(least <= wrong && wrong <= most, "{flags}: {wrong} is not in {least} to {most}");
        // How many bits are set is random; by McDiarmid its share moves by less than this but once in 10⁹.
        let params = BloomParams::for_fpr(20_000, rate).unwrap();
        let hashes = f64::from(params.hashes());
        let fill_moves = (20_000.0 * hashes * 1e9f64.ln() / 2.0).sqrt() / params.bits() as f64;
        let fill = params.fpr_at(20_000).powf(1.0 / hashes);
        let [low, high] = [fill - fill_moves, fill + fill_moves].map(|fill| fill.powf(hashes));
        assert!(low <= stated && stated <= high, "{flags}: {stated} is not in {low} to {high}");
        assert!(params.fpr_at(20_000) <= rate);
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
fn exit_codes_are_those_of_grep() {
    let dir = Dir::new();
    dir.write("in", "a\nb\n");
    dir.run("filter build in -o f.crv --fpr 0.000001").text();
    for (flags, input, code) in
        [("", "b", 0), ("", "c", 1), ("", "", 1), ("-v", "c", 0), ("-v", "a", 1), ("-v", "a\nc\n", 0)]
    {
        for how in ["", "--count", "--json", "--json --count"] {
            let run = dir.run_with(&format!("filter query f.crv {how} {flags}"), input.as_bytes());
            assert_eq!((run.code, run.stderr.as_str()), (Some(code), ""), "{how} {flags} {input}");
        }
        let run = dir.run_with(&format!("filter query f.crv --quiet {flags}"), input.as_bytes());
        assert_eq!(
            (run.code, &run.stdout[..], run.stderr.as_str()),
            (Some(code), &b""[..], ""),
            "{flags} {input}"
        );
    }
    dir.run("filter query f.crv nosuch").fails_with(&["nosuch"]);
}

#[test]
fn lines_are_printed_as_they_came() {
    let dir = Dir::new();
    dir.write("in", b"\xff\xfd\r\n\nlast");
    dir.run("filter build in -o f.crv").text();
    assert_eq!(dir.run("filter query f.crv in").stdout, b"\xff\xfd\r\n\nlast\n");
}

#[test]
fn rows_keep_their_header_and_spelling() {
    let dir = Dir::new();
    dir.write("users", "u1\nu3\n");
    dir.run("filter build users -o f.crv --fpr 0.000001").text();
    dir.write("a.csv", "user,\"no\nte\"\r\n\"u1\",\"x\ny\"\r\nu2,z\r\n,\r\nu3,\"\"\r\n");
    dir.write("b.csv", "user,\"no\nte\"\nu1,q\n");
    let told = "crivo: 1 empty value, certainly not in the filter\n";
    let check = |line: &str, output: &str, remark: &str| {
        let run = dir.run(line);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), remark), "{line}");
        assert_eq!(String::from_utf8(run.stdout).unwrap(), output, "{line}");
    };
    let found = "user,\"no\nte\"\n\"u1\",\"x\ny\"\nu3,\"\"\nu1,q\n";
    check("filter query f.crv a.csv b.csv --column user", found, told);
    check("filter query f.crv a.csv -c user -v", "user,\"no\nte\"\nu2,z\n,\n", told);
    check("filter query f.crv a.csv -c user -v --count", "2\n", told);
    dir.write("a.jsonl", "{\"user\": \"u3\", \"n\": 1}\n{\"user\": null}\n{}\n");
    let told = "crivo: 2 empty values, certainly not in the filter\n";
    check("filter query f.crv a.jsonl -c user", "{\"user\": \"u3\", \"n\": 1}\n", told);
    check("filter query f.crv a.jsonl -c user -v", "{\"user\": null}\n{}\n", told);
    dir.write("empty.csv", "user,x\n,1\n");
    assert_eq!(dir.run("filter query f.crv empty.csv -c user -v --quiet").code, Some(0));
    assert_eq!(dir.run("filter query f.crv empty.csv -c user --quiet").code, Some(1));
}

#[test]
fn headers_keep_their_blanks_and_must_agree() {
    let dir = Dir::new();
    dir.write("users", "u1\n");
    dir.run("filter build users -o f.crv").text();
    dir.write("a.tsv", "user\t \t\r\nu1\t1\t\r\n");
    assert_eq!(dir.run("filter query f.crv a.tsv -c user").text(), "user\t \t\nu1\t1\t\n");
    dir.write("b.tsv", "x\tuser\t\n2\tu1\t\n");
    let run = dir.run("filter query f.crv a.tsv b.tsv -c user");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("crivo: b.tsv: the header differs"), "{}", run.stderr);
    assert_eq!(dir.run("filter query f.crv a.tsv b.tsv -c user --count").text(), "2\n");
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
    // The hashes fit alone, and so does the filter, but not both.
    dir.run("filter build in -o f.crv --force --max-memory 240KiB").text();
    let line = "filter build in -o f.crv --force --fpr 0.00000000000001 --max-memory 240KiB";
    dir.run(line).fails_with(&["hashes", "--capacity", "--max-memory"]);
    dir.run(&format!("{line} --capacity 20000")).text();
    dir.write("same", "x\n".repeat(20_000));
    dir.run("filter build same -o g.crv --max-memory 64KiB").text();
}

/// Bloom filters are asked in their file.
#[test]
fn a_filter_in_its_file_takes_no_memory_and_may_go_unverified() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    dir.write("some", numbered("in", 20_100));
    for kind in ["bloom", "fuse"] {
        dir.run(&format!("filter build in -o f.crv --force --kind {kind}")).text();
        let found = dir.run("filter query f.crv some").text();
        for flags in ["--no-verify", "--max-memory 1KiB"] {
            assert_eq!(dir.run(&format!("filter query f.crv some {flags}")).text(), found, "{kind} {flags}");
        }
        let mut damaged = dir.read("f.crv");
        let half = damaged.len() / 2;
        damaged[half] ^= 1;
        dir.write("bad.crv", &damaged);
        for flags in ["", "--count", "--quiet", "--json"] {
            dir.run(&format!("filter query bad.crv in {flags}")).fails_with(&["bad.crv: ", "damaged"]);
        }
        assert_eq!(dir.run("filter query bad.crv in --quiet --no-verify").code, Some(0), "{kind}");
        dir.write("bad.crv", &damaged[..half]);
        dir.run("filter query bad.crv in --no-verify").fails_with(&["bad.crv: "]);
    }
    dir.run("filter query f.crv in --no-verify --json").fails_with(&["cannot be used with"]);
}
