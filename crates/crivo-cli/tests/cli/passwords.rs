//! `crivo passwords`: counts that are never too low, and no password anywhere.

use crate::support::{Dir, Run, data, gzip, numbered};
use std::collections::HashMap;

const ADD: &str = "passwords add --state s.crv --secret-file k";
const CHECK: &str = "passwords check --state s.crv --secret-file k";

/// What a run with `--json` says of each password.
#[track_caller]
fn times(run: &Run) -> Vec<f64> {
    let answers: Vec<serde_json::Value> =
        run.stdout.split(|&b| b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    answers.iter().filter_map(|answer| answer["times"]["value"].as_f64()).collect()
}

#[test]
fn standard_input_is_counted_and_checked() {
    let dir = Dir::new();
    dir.run_with(ADD, b"sesame\nsesame\r\n open \n").text();
    dir.write("more.txt.gz", gzip(b"sesame\n\n"));
    dir.run(&format!("{ADD} more.txt.gz")).text();
    let run = dir.run_with(&format!("{CHECK} --too-common 3"), b"sesame\nopen\n");
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    assert_eq!(
        String::from_utf8(run.stdout).unwrap(),
        "1\ttoo common: seen about 3 times  (at least 95 %: 3)\n2\tnever seen\n1 of 2 too common; 4 passwords were counted\n"
    );
}

/// A count is never too low, and hardly ever too high by more than was said.
#[test]
fn counts_of_a_real_stream_are_right() {
    let Some(path) = data("streams/npm-downloads-top250k.tsv.gz") else { return };
    let dir = Dir::new();
    let add = &format!("{ADD} {path} --missing= --no-header --column 1 --weight 2 --json");
    let state = &dir.run(add).json()[0];
    let mut bytes = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(std::fs::File::open(&path).unwrap());
    std::io::Read::read_to_end(&mut reader, &mut bytes).unwrap();
    let mut truth: HashMap<&str, f64> = HashMap::new();
    let text = std::str::from_utf8(&bytes).unwrap();
    for line in text.lines() {
        let mut fields = line.split('\t');
        let (name, weight) = (fields.next().unwrap(), fields.next().unwrap());
        *truth.entry(name).or_default() += weight.parse::<f64>().unwrap();
    }
    let run =
        dir.run(&format!("{CHECK} --file {path} --missing= --format tsv --no-header --column 1 --json"));
    let found = times(&run);
    let names: Vec<&str> = text.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(found.len(), names.len());
    let too_high = state["too_high"].as_f64().unwrap();
    let beyond = names.iter().zip(&found).filter(|(name, found)| {
        assert!(**found >= truth[**name], "{name}: {found}");
        **found > truth[**name] + too_high
    });
    // Each is beyond with a probability below 5 %, by Markov's inequality, whatever the others do.
    assert!((beyond.count() as f64) < 0.05 * names.len() as f64);
}

/// Neither in the state, nor in any output, whatever goes wrong.
#[test]
fn no_password_is_kept_or_shown() {
    let dir = Dir::new();
    let secret = "correct-horse-7";
    let run_all = |lines: &[&str], stdin: &[u8]| {
        for line in lines {
            let run = dir.run_with(line, stdin);
            let said = format!("{}{}", run.stderr, String::from_utf8_lossy(&run.stdout));
            assert!(!said.contains(secret), "{line}: {said}");
        }
    };
    let holds = |name: &str| dir.read(name).windows(secret.len()).any(|part| part == secret.as_bytes());
    run_all(&[ADD, CHECK, "passwords check --state s.crv --secret-file k --too-common 1"], secret.as_bytes());
    assert!(!holds("s.crv") && !holds("k"));
    dir.write("t.csv", format!("ana,{secret}\nrui,{secret}\n"));
    dir.write("t.jsonl", format!("{{\"p\": \"{secret}\", \"n\": \"{secret}\"}}\n\"{secret}\n"));
    for line in [
        format!("{ADD} t.csv --column password"),
        format!("{ADD} t.csv --column 1 --weight 2 --no-header"),
        format!("{ADD} t.jsonl --column p --weight n"),
        format!("{ADD} t.jsonl --column p"),
        format!("{CHECK} --file t.csv --column correct-horse-8"),
        format!("{CHECK} --file t.jsonl --column p"),
    ] {
        let run = dir.run(&line);
        let said = format!("{}{}", run.stderr, String::from_utf8_lossy(&run.stdout));
        assert_eq!(run.code, Some(2), "{line}: {said}");
        assert!(!said.contains(secret) && said.contains(": "), "{line}: {said}");
    }
    let run = dir.run(&format!("{CHECK} {secret}"));
    run.fails_with(&["command line", "standard input"]);
    assert!(!run.stderr.contains(secret), "{}", run.stderr);
    assert_eq!(dir.names(), ["k", "s.crv", "t.csv", "t.jsonl"], "nothing is left behind");
}

#[test]
fn a_key_is_made_once_and_needed_ever_after() {
    let dir = Dir::new();
    dir.write("in", "sesame\n");
    dir.run(&format!("{ADD} in")).text();
    let key = dir.read("k");
    assert_eq!(key.len(), 16);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(dir.path("k")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "for its owner alone");
    }
    let state = dir.read("s.crv");
    assert!(!state.windows(16).any(|part| part == key));
    dir.run("passwords add in --state other.crv --secret-file k").text();
    assert_eq!(dir.read("k"), key);
    assert_eq!(dir.read("other.crv"), state, "the same key, the same counters");
    dir.run("passwords add in --state third.crv --secret-file k3").text();
    assert_ne!(dir.read("third.crv"), state);

    dir.run("passwords add in --state s.crv --secret-file none").fails_with(&["none: no such file", "s.crv"]);
    dir.run("passwords check --state s.crv --secret-file none").fails_with(&["none: no such file"]);
    for verb in ["add in", "check"] {
        dir.run(&format!("passwords {verb} --state s.crv --secret-file k3")).fails_with(&["s.crv", "key"]);
        dir.run(&format!("passwords {verb} --state s.crv --secret-file in"))
            .fails_with(&["in: ", "16 bytes"]);
        dir.run(&format!("passwords {verb} --state s.crv")).fails_with(&["--secret-file"]);
    }
    assert_eq!(dir.read("s.crv"), state);
    assert_eq!(dir.names(), ["in", "k", "k3", "other.crv", "s.crv", "third.crv"]);
}

#[test]
fn states_of_parts_merge() {
    let dir = Dir::new();
    dir.write_key("k", "0123456789abcdef");
    dir.write("a", "sesame\n".repeat(3) + &numbered("p", 1000));
    dir.write("b", "sesame\n".repeat(4) + &numbered("q", 1000));
    dir.run("passwords add a --state a.crv --secret-file k").text();
    dir.run("passwords add b --state b.crv --secret-file k").text();
    dir.run("merge a.crv b.crv -o s.crv --secret-file k").text();
    assert_eq!(
        times(&dir.run_with(&format!("{CHECK} --json"), b"sesame\np7\nq7\nno\n")),
        [7.0, 1.0, 1.0, 0.0]
    );
}

#[test]
fn what_cannot_be_is_told() {
    let dir = Dir::new();
    dir.write("in", "sesame\n");
    dir.write_key("key", "0123456789abcdef");
    dir.run("count in --save plain.crv").text();
    dir.run("distinct in --secret-file key --save d.crv").text();
    for verb in ["add in", "check"] {
        let line = |rest: &str| format!("passwords {verb} {rest}");
        dir.run(&line("--state plain.crv --secret-file key"))
            .fails_with(&["plain.crv", "without a secret key"]);
        dir.run(&line("--state d.crv --secret-file key")).fails_with(&["d.crv", "hyperloglog", "count-min"]);
        dir.run(&line("--state in --secret-file key")).fails_with(&["in: "]);
    }
    dir.run("passwords check --state none.crv --secret-file key").fails_with(&["none.crv: no such file"]);
    dir.run("passwords add in --state x --secret-file x").fails_with(&["one file"]);
    dir.run("passwords add in --state no/s.crv --secret-file x").fails_with(&["no directory 'no'"]);
    dir.run("passwords add in --state x.crv --secret-file no/x").fails_with(&["no directory 'no'"]);
    dir.run("passwords add in --state in --secret-file x").fails_with(&["in: exists, but is not a state"]);
    dir.run("passwords add in --state plain.crv --secret-file x").fails_with(&["x: no such file"]);
    dir.run("passwords add in --state x.crv --secret-file key").text();
    dir.run("passwords add x.crv --state x.crv --secret-file key")
        .fails_with(&["is read and would be replaced"]);
    dir.run("passwords add in --state x.crv --secret-file key --error 0.1").fails_with(&["x.crv", "--error"]);
    dir.run("passwords check --state x.crv --secret-file key --too-common 0").fails_with(&["at least 1"]);
    assert_eq!(dir.names(), ["d.crv", "in", "key", "plain.crv", "x.crv"]);
}
