use crate::support::{Dir, numbered};
use crivo::BloomParams;
use crivo::stats::binomial_band;

#[test]
fn everything_put_in_is_found() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    dir.run("filter build in -o f.crv").text();
    assert_eq!(dir.run("filter query f.crv --keys in").stdout, dir.read("in"));
    assert_eq!(dir.run("filter query f.crv --keys in --count").text(), "20,000\n");
    let none = dir.run("filter query f.crv --keys in --invert");
    assert_eq!((none.code, none.stdout, none.stderr.as_str()), (Some(1), Vec::new(), ""));
}

#[test]
fn wrong_answers_are_as_rare_as_asked() {
    let dir = Dir::new();
    dir.write("in", numbered("in", 20_000));
    dir.write("out", numbered("out", 100_000));
    for (flags, rate) in [("", 0.01), ("--fpr 0.001", 0.001), ("--capacity 20000 --fpr 0.1", 0.1)] {
        dir.run(&format!("filter build in -o f.crv --force {flags}")).text();
        let answer = &dir.run("filter query f.crv --keys out --count --json").json()[0];
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
    dir.run("filter query f.crv --keys nosuch").fails_with(&["nosuch"]);
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
        let found = dir.run("filter query f.crv --keys some").text();
        for flags in ["--no-verify", "--max-memory 1KiB"] {
            assert_eq!(
                dir.run(&format!("filter query f.crv --keys some {flags}")).text(),
                found,
                "{kind} {flags}"
            );
        }
        let mut damaged = dir.read("f.crv");
        let half = damaged.len() / 2;
        damaged[half] ^= 1;
        dir.write("bad.crv", &damaged);
        for flags in ["", "--count", "--quiet", "--json"] {
            dir.run(&format!("filter query bad.crv --keys in {flags}")).fails_with(&["bad.crv: ", "corrupt"]);
        }
        assert_eq!(dir.run("filter query bad.crv --keys in --quiet --no-verify").code, Some(0), "{kind}");
        dir.write("bad.crv", &damaged[..half]);
        dir.run("filter query bad.crv --keys in --no-verify").fails_with(&["bad.crv: "]);
    }
    dir.run("filter query f.crv --keys in --no-verify --json").fails_with(&["cannot be used with"]);
}
